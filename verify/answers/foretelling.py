"""What an answer about a generated world will cost: the same answer for smaller worlds, and the power law through them.

The sizes c_1, ..., c_k that a file gives shrink together, to c_1^s, ..., c_k^s: a cost that is a product of powers of
them is a power of their product N on that way, whatever its exponents are. What does not grow with N is taken from the
smallest of the worlds.
"""

from __future__ import annotations

import math
import time
import tracemalloc
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from bounds.errors import InputError
from fedigw import effort, memory, outside
from verify.instances import parse

FEW = 1000  # worlds up to this product of their sizes cost nothing worth foretelling
SMALL = 8  # sizes up to this stay as they are: a part may need two arms, or three agents
FIRST, FACTOR = 12, 8  # N of the smallest trial, about, and from one trial to the next
CLEAR = 0.25  # seconds up to which a trial is made once more, for its memory
NOISE, PAGE = 0.002, 4096  # seconds, bytes
ENOUGH = 0.02  # seconds of repeated calls: the clock of a process may tick 250 times a second
POINTS = 3  # that a power law and a constant need
LONG = 1.0  # seconds that no trial should take
STEEPEST = 3.0  # exponent: what was measured higher is noise
MOST_TRIALS = 8
FAR = 10  # times the estimate may grow before it matters
Answer = Callable[[Mapping[str, Any]], object]


def foretell(table: Mapping[str, Any], answer: Answer) -> None:
    """InputError where answer(table) would take more time than a command may, or more memory than there is."""
    sizes = large_sizes(table)
    if math.prod(sizes.values()) <= FEW or not effort.estimating():
        return
    largest = max(sizes, key=sizes.__getitem__)
    about = f"environment.{largest}", sizes[largest]
    horizon = _count(table.get("horizon"))
    if horizon > SMALL:  # a longer run costs more where its epochs grow in number, or are streamed
        sizes["horizon"] = horizon
    with effort.quietly():
        found = _tries(table, sizes, answer, about)
        if len(found.seconds) < POINTS:  # even the smallest take long: try at least what makes a world
            found = _tries(table, sizes, parse, about)
    whole = math.prod(sizes.values())
    if len(found.peaks) >= POINTS:
        memory.refuse_bytes(*about, int(extrapolated(found.peaks, whole, PAGE)))
    effort.refuse(*about, extrapolated(found.seconds, whole, NOISE))


@dataclass(frozen=True)
class Tries:
    """(N, cost) of the trials: seconds of CPU, and the most bytes held."""

    seconds: list[tuple[float, float]]
    peaks: list[tuple[float, float]]


def _tries(
    table: Mapping[str, Any], sizes: Mapping[str, int], answer: Answer, about: tuple[str, int]
) -> Tries:
    found, whole = Tries([], []), math.prod(sizes.values())
    for tried, smaller in _ladder(table, sizes):
        call = partial(_tried, answer, smaller, *about)
        found.seconds.append((tried, _seconds(call, *about)))
        if found.seconds[-1][1] < CLEAR:
            found.peaks.append((tried, _peak(call)))
        next_is_long = extrapolated(found.seconds, FACTOR * tried, NOISE) > LONG
        all_were_long = sum(spent for _, spent in found.seconds) > effort.time_limit() / 4
        if all_were_long or (len(found.seconds) >= POINTS and (next_is_long or _harmless(found, whole))):
            break
    return found


def _harmless(found: Tries, whole: float) -> bool:
    """Even if all that has been seen grows like N from here on: far from what a command may, so no more trials."""
    if len(found.peaks) < POINTS:
        return False
    there = memory.available()
    fits = there is None or FAR * extrapolated(found.peaks, whole, PAGE, least=1.0) < there
    return fits and FAR * extrapolated(found.seconds, whole, NOISE, least=1.0) < effort.time_limit()


def _tried(answer: Answer, smaller: Mapping[str, Any], field: str, value: int) -> None:
    try:
        answer(smaller)
    except effort.TooMuch as error:
        said = f"a smaller world of the kind is too much already ({str(error).partition(';')[0]})"
        raise effort.TooMuch(field, value, said) from None
    except MemoryError:
        said = "a smaller world of the kind needs more memory than is available already"
        raise effort.TooMuch(field, value, said) from None
    except InputError:
        return  # the whole may end like this as well: what it costs to come so far is what counts


def large_sizes(table: Mapping[str, Any]) -> dict[str, int]:
    """The counts above SMALL that a file asks of an environment of ours; those of a user's file are its own affair."""
    environment = table.get("environment")
    if not isinstance(environment, Mapping) or outside.is_file(str(environment.get("name"))):
        return {}
    counts = {
        key: _count(value) for key, value in environment.items() if key not in ("name", "seed", "horizon")
    }
    return {key: count for key, count in counts.items() if count > SMALL}


def extrapolated(points: list[tuple[float, float]], whole: float, noise: float, least: float = 0.0) -> float:
    """The cost at `whole` from costs (N, cost) at smaller N: a constant and a power of N, of an exponent of at least
    `least`, through the last two."""
    if len(points) < 2:
        return points[0][1] if points else 0.0
    fixed, (last, cost) = min(cost for _, cost in points), points[-1]
    exponent = 1.0
    if len(points) > 2 and cost - fixed > noise:  # what was lost in the noise before was at most that
        before, lower = points[-2]
        exponent = math.log((cost - fixed) / max(lower - fixed, noise)) / math.log(last / before)
    exponent = min(STEEPEST, max(least, exponent))
    return fixed + max(0.0, cost - fixed) * math.exp(exponent * math.log(whole / last))


def _ladder(table: Mapping[str, Any], sizes: Mapping[str, int]) -> Iterator[tuple[float, dict[str, Any]]]:
    """N and the table of smaller worlds, up to an eighth of the whole: all trials together cost less than that."""
    whole, before = math.prod(sizes.values()), 0
    factor = max(FACTOR, (whole / FIRST) ** (1 / MOST_TRIALS))
    for power in range(int(math.log(whole / FIRST, factor)), 0, -1):
        share = 1 - power * math.log(factor) / math.log(whole)
        shrunk = {key: max(SMALL, round(math.exp(share * math.log(size)))) for key, size in sizes.items()}
        tried = math.prod(shrunk.values())
        if tried > 2 * before:
            before = tried
            top = {"horizon": shrunk.pop("horizon")} if "horizon" in shrunk else {}
            yield tried, {**table, **top, "environment": {**table["environment"], **shrunk}}


def _count(value: object) -> int:
    """A size as files and command lines write it; 0: none."""
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return 0
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < 2**62:
        return 0
    return int(value) if value == int(value) else 0


def _seconds(call: Callable[[], object], field: str, value: int) -> float:
    """Of CPU; the second time of a short call, since the first may load what is loaded only once."""
    limit = effort.time_limit()
    try:
        with effort.at_most(limit):
            first = _timed(call)
            if first > LONG:
                return first
            spent, calls = _timed(call), 1
            while spent < ENOUGH:
                spent, calls = spent + _timed(call), calls + 1
            return spent / calls
    except effort.Spent:
        said = f"a smaller world of the kind takes over {effort.words(limit)} of CPU already"
        raise effort.TooMuch(field, value, said) from None


def _timed(call: Callable[[], object]) -> float:
    before = time.process_time()
    call()
    return time.process_time() - before


def _peak(call: Callable[[], object]) -> float:
    """Bytes that a call held at most, beyond what was there before."""
    if tracemalloc.is_tracing():  # somebody else's measurement goes on
        call()
        return 0.0
    tracemalloc.start()
    try:
        call()
        return float(tracemalloc.get_traced_memory()[1])
    finally:
        tracemalloc.stop()
