"""Show the progress of a campaign on stderr: a bar on a terminal, else a line after every tenth of the checks."""

from __future__ import annotations

import time
from typing import IO, Any

from fedigw.progress import live
from verify.campaign.units import Finished

LINES = 10  # printed in a whole campaign if there is no terminal


class Progress:
    """A context manager that shows the progress of a campaign. Call it with the number of finished checks, their total,
    and the last result."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._bar: Any = None
        self._start = time.monotonic()
        self._counted = 0
        self.seconds: dict[str, float] = {}

    def __enter__(self) -> Progress:
        self._bar = live(self._stream, "starting") if self._stream.isatty() else None
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, done: int, total: int, finished: Finished) -> None:
        what = f"{finished.outcome.claim} {finished.outcome.check}"
        self._counted += 1
        self.seconds[what] = round(finished.seconds, 3)
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=done, total=total, description=what)
            return
        if self._counted > 1 and done * LINES // total == (done - 1) * LINES // total:
            return
        minutes, left = divmod(round((time.monotonic() - self._start) / self._counted * (total - done)), 60)
        took = f"{what} ({finished.seconds:.1f} s)"
        self._stream.write(f"{done}/{total}, ETA {minutes}:{left:02d}  {took}\n")
        self._stream.flush()

    def warn(self, message: str) -> None:
        if self._bar is not None:
            self._bar.console.print(f"verify: {message}", markup=False, highlight=False)
        else:
            self._stream.write(f"verify: {message}\n")
