"""Show a progress bar for long loops of a command, which Ctrl-C ends with the results so far."""

import contextlib
import signal
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from types import FrameType
from typing import IO, Any, TypeVar

AFTER, LONG = 0.05, 1.0  # seconds: a loop has a bar if after the first it is estimated to take the second
T = TypeVar("T")


@dataclass
class _State:
    shown: bool = False  # a command is running that wants bars
    busy: bool = False  # an outer loop has the bar
    stopped: bool = False  # Ctrl-C was pressed in a loop


_state = _State()


@contextlib.contextmanager
def shown() -> Iterator[None]:
    """Show progress bars within this `with` block, and let Ctrl-C end a loop early with its results so far."""
    global _state
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handler, before, _state = signal.getsignal(signal.SIGINT), _state, _State(shown=True)
    try:
        yield
    finally:
        _state = before
        signal.signal(signal.SIGINT, handler)


def stopped() -> bool:
    return _state.stopped


def turns(items: Iterable[T], total: int, what: str) -> Iterator[T]:
    """Yield the items of a loop of `total` iterations, with a progress bar if it is slow. The bar is shown for the
    outermost loop of a command on a terminal; `what` is its label."""
    if not _state.shown or _state.busy:
        yield from items
        return
    handler, start, bar = signal.signal(signal.SIGINT, _stop), time.monotonic(), None
    _state.busy = True
    try:
        for done, item in enumerate(items, start=1):
            yield item
            if _state.stopped and done < total:
                sys.stderr.write(f"verify: interrupted after {done} of {total} {what}\n")
                return
            taken = time.monotonic() - start
            if bar is None and taken > AFTER and taken * total > LONG * done and sys.stderr.isatty():
                bar = live(sys.stderr, what, total)
            if bar is not None:
                bar.update(bar.task_ids[0], completed=done)
    finally:
        if bar is not None:
            bar.stop()
        _state.busy = False
        signal.signal(signal.SIGINT, handler)


def _stop(number: int, frame: FrameType | None) -> None:
    if _state.stopped:
        raise KeyboardInterrupt
    _state.stopped = True
    sys.stderr.write("\nverify: ends after the turn in hand; Ctrl-C again ends at once\n")


def live(stream: IO[str], what: str, total: int | None = None) -> Any:
    """Start a progress bar for `total` iterations with the label `what`, and return it. The caller must stop it."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("{task.description}"))
    bar = Progress(*columns, console=Console(file=stream), transient=True)
    bar.add_task(what, total=total)
    bar.start()
    return bar
