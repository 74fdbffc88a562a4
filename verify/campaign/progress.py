"""Progress of a campaign on stderr: a live bar on a terminal, a plain line for every tenth of the units otherwise."""

from __future__ import annotations

import time
from typing import IO, Any

from fedigw.progress import live
from verify.campaign.units import Finished

LINES = 10  # of a whole campaign, where nobody sees a bar


class Progress:
    """A context manager; call it with (done, total, finished) after every unit, and `warn` for anything unusual."""

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
        outcome = finished.outcome
        self._counted += 1
        self.seconds[f"{outcome.claim} {outcome.check}"] = round(finished.seconds, 3)
        what = f"{outcome.claim} {outcome.check}"
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=done, total=total, description=what)
            return
        if self._counted > 1 and done * LINES // total == (done - 1) * LINES // total:
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
