"""Progress of a campaign on stderr: a live bar on a terminal, one plain line per finished unit otherwise."""

from __future__ import annotations

import time
from types import TracebackType
from typing import IO, Any

from verify.campaign.units import Finished


class Progress:
    """A context manager; call it with (done, total, finished) after every unit, and `warn` for anything unusual."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._live = stream.isatty()
        self._bar: Any = None
        self._task: Any = None
        self._start = time.monotonic()
        self._counted = 0
        self.seconds: dict[str, float] = {}

    def __enter__(self) -> Progress:
        if self._live:
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
            from rich.progress import Progress as Bar

            columns = (
                BarColumn(),
                MofNCompleteColumn(),
                TimeRemainingColumn(),
                TextColumn("{task.description}"),
            )
            self._bar = Bar(*columns, console=Console(file=self._stream), transient=True)
            self._bar.start()
            self._task = self._bar.add_task("starting", total=None)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, done: int, total: int, finished: Finished) -> None:
        outcome = finished.outcome
        self._counted += 1
        self.seconds[f"{outcome.claim} {outcome.check}"] = round(finished.seconds, 3)
        what = f"{outcome.claim} {outcome.check}: {outcome.evidence.kind}"
        if self._bar is not None:
            self._bar.update(self._task, completed=done, total=total, description=what)
            return
        elapsed = time.monotonic() - self._start
        remaining = round(elapsed / self._counted * (total - done))
        self._stream.write(
            f"{done}/{total}, ETA {remaining // 60}:{remaining % 60:02d}  {what} ({finished.seconds:.1f} s)\n"
        )
        self._stream.flush()

    def warn(self, message: str) -> None:
        if self._bar is not None:
            self._bar.console.print(f"verify: {message}", markup=False, highlight=False)
        else:
            self._stream.write(f"verify: {message}\n")
