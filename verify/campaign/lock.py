"""One campaign at a time in a folder: a lock that the system drops with its holder, however that one ends."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path

from bounds.errors import InputError
from verify.campaign.records import LOCK, refuse_foreign

try:
    import fcntl
except ImportError:  # not on Windows: there nothing guards the folder
    fcntl = None  # type: ignore[assignment]

TAKEN = (errno.EWOULDBLOCK, errno.EACCES)  # the latter where locks are of byte ranges, as over a network


@contextlib.contextmanager
def held(folder: Path) -> Iterator[None]:
    """Hold the campaign's folder, made if need be; InputError, before anything is written, if another holds it."""
    refuse_foreign(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o644)
    except OSError as error:
        raise InputError("--out", str(folder), f"cannot be written: {error.strerror}") from None
    try:
        _lock(folder, descriptor)
        yield
    finally:
        os.close(
            descriptor
        )  # the file stays: removing it would part two campaigns that wait for the same one


def _lock(folder: Path, descriptor: int) -> None:
    if fcntl is None:
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        # a file system without locks cannot guard, which is no reason not to work
        if error.errno in TAKEN:
            raise InputError("--out", str(folder), "another campaign is running there") from None
