"""What a command may cost: seconds of CPU, estimated before or at the beginning of the work, and held at twice that.

The estimate is a formula where one is known, else the measured time of a loop's first turns. Nothing is limited outside
`limited`: claims, campaigns and programs that call the rooms themselves decide for themselves.
"""

from __future__ import annotations

import contextlib
import math
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextvars import ContextVar
from types import FrameType
from typing import TypeVar

from bounds.errors import InputError

LIMIT = "VERIFY_TIME_LIMIT"  # seconds of CPU
USUAL = 600  # what a person may wait for; a longer run is begun knowingly, by setting the limit
LARGEST = 10**6
SMALLEST_SHARE = 8  # of the whole: trials larger than an eighth would not pay
NOTICE = 15  # seconds from which a command says how long it will take, about
SLICE = 0.4  # seconds of CPU after which a loop has shown what a turn costs
LONG = 5.0  # of a first turn: this is not what loading a library takes
PATIENCE = 2  # times the limit: an estimate may be wrong by so much before the work is stopped
T = TypeVar("T")
_limit: ContextVar[float | None] = ContextVar("limit", default=None)
_told: ContextVar[bool] = ContextVar("told", default=True)
_turns: ContextVar[int] = ContextVar("turns", default=1)  # of the loops around this one


class Spent(BaseException):
    """The command used up what it may; no handler on the way may take it for a failure of its own."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"did not end within {seconds:g} s of CPU; {LIMIT}={10 * seconds:.0f} allows more")


class TooMuch(InputError):
    """What would take more time than a command may, or more memory than there is."""


def time_limit(usual: int = USUAL) -> int:
    """What the environment allows a command, in seconds of CPU."""
    text = os.environ.get(LIMIT, str(usual))
    if not text.isascii() or not text.isdigit() or not 1 <= int(text[:9]) <= LARGEST:
        raise InputError(LIMIT, text, f"must be a number of seconds between 1 and {LARGEST}")
    return int(text)


@contextlib.contextmanager
def limited(stop: bool = False) -> Iterator[None]:
    """Work that is refused where it would take longer than the limit; stop: and ended at twice the limit (Spent)."""
    if estimating():
        yield
        return
    seconds = time_limit()
    before, turns, told = _limit.set(float(seconds)), _turns.set(1), _told.set(not stop)
    stop = stop and hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
    handler = signal.signal(signal.SIGPROF, _stop) if stop else None
    try:
        if stop:
            signal.setitimer(signal.ITIMER_PROF, PATIENCE * seconds)
        yield
    finally:
        if stop:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.signal(signal.SIGPROF, handler)
        _told.reset(told)
        _turns.reset(turns)
        _limit.reset(before)


def _stop(number: int, frame: FrameType | None) -> None:
    raise Spent(PATIENCE * (_limit.get() or time_limit()))


def refuse(field: str, value: object, seconds: float) -> None:
    """InputError where so many seconds, times the turns of the loops around, are over the limit; a command that will
    take some time says so."""
    limit, whole = _limit.get(), seconds * _turns.get()
    if limit is None:
        return
    if whole > limit:
        said = f"would take about {words(whole)} of CPU, over {words(limit)}; {_allowing(whole)}"
        raise TooMuch(field, value, said)
    if whole > NOTICE and not _told.get():
        _told.set(True)
        sys.stderr.write(f"about {words(whole)} of CPU\n")


@contextlib.contextmanager
def quietly() -> Iterator[None]:
    """Trials: what they would take is said of the whole alone."""
    told = _told.set(True)
    try:
        yield
    finally:
        _told.reset(told)


@contextlib.contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Spent after so many seconds of CPU, where commands are stopped at all; their own limit goes on afterwards."""
    left = signal.getitimer(signal.ITIMER_PROF)[0] if hasattr(signal, "setitimer") else 0.0
    if not left:
        yield
        return
    start = time.process_time()
    signal.setitimer(signal.ITIMER_PROF, min(seconds, left))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, max(1e-3, left - (time.process_time() - start)))


def estimating() -> bool:
    return _limit.get() is not None


def measured(
    items: Iterable[T], total: int, field: str, value: object, weights: Sequence[int] | None = None
) -> Iterator[T]:
    """The items of a loop of `total` turns, alike or of these weights; refused when its first turns have shown that all
    take too long."""
    if not estimating():
        yield from items
        return
    watch, outer = Watch(total if weights is None else sum(weights), field, value), _turns.get()
    done = 0
    try:
        for index, item in enumerate(items):
            _turns.set(outer * max(1, total))
            yield item
            _turns.set(outer)
            done += 1 if weights is None else weights[index]
            watch.at(done)
    finally:  # also where the loop is left early
        _turns.set(outer)


def rounds(count: int) -> Iterator[int]:
    """1, 2, ..., count: the rounds of a call, measured."""
    return measured(range(1, count + 1), count, "rounds", count)


class Watch:
    """The same for what is no plain loop: `at(done)` says how many of the `total` turns are over."""

    def __init__(self, total: int, field: str, value: object) -> None:
        self._total, self._about = total, (field, value)
        self._start, self._decided = time.process_time(), not estimating()
        self._first = 0  # turns that were over at the first call: what is loaded only once falls into them

    def at(self, done: int) -> None:
        if self._decided:
            return
        now = time.process_time()
        spent, counted = now - self._start, done - self._first
        if not self._first and spent <= LONG:
            self._first, self._start = done, now
        elif spent > SLICE:
            self._decided = True
            refuse(*self._about, spent / counted * self._total)


def extrapolated(trial: Callable[[int], object], wanted: int) -> float:
    """Seconds that trial(wanted) would take, about: from the times of smaller trials, 1, 8, 64, ..., by their slope."""
    few, spent, slope = 0, 0.0, 0.0
    trial(1) if wanted >= SMALLEST_SHARE else None  # what is loaded only once
    for tried in (8**k for k in range(6)):
        if tried > wanted // SMALLEST_SHARE or spent > SLICE / 4:
            break
        before, last = time.process_time(), spent
        trial(tried)
        spent = time.process_time() - before
        slope, few = max(0.0, spent - last) / (tried - few), tried
    return spent + slope * (wanted - few)


def words(seconds: float) -> str:
    for size, name in ((31_557_600.0, "years"), (86_400.0, "days"), (3_600.0, "hours"), (60.0, "minutes")):
        if seconds >= 2 * size:
            return f"{seconds / size:.3g} {name}"
    return f"{seconds:.3g} s"


def _allowing(seconds: float) -> str:
    """A limit that would do, with some room."""
    enough = math.ceil(float(f"{1.5 * seconds:.1e}"))
    return f"{LIMIT}={enough} allows it" if enough <= LARGEST else f"{LIMIT} allows at most {LARGEST} s"
