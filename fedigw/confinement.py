"""A process that is given up to a user's file: from then on it may write in one folder and touch nobody else.

Two fences. Python's audit hook refuses with a line that says why, whoever is on the stack: other than in
`fedigw/outside.py`, nothing of ours is left to do in such a process. On Linux the kernel (Landlock) refuses as well, so
that code which replaces our functions, or calls the system by itself, still cannot write, connect or send signals.
Reading is not restricted.
"""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

WRITES = (
    *("os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.truncate", "os.chmod", "os.chown", "os.link"),
    *("os.symlink", "os.utime", "os.setxattr", "shutil.rmtree", "shutil.move", "shutil.copyfile"),
)
STARTS = (
    *("subprocess.Popen", "os.fork", "os.forkpty", "os.exec", "os.posix_spawn", "os.spawn", "os.system"),
    *("socket.connect", "socket.bind", "socket.sendto"),
)
SIGNALS = ("os.kill", "os.killpg", "signal.pthread_kill")


_confined = False


class Forbidden(PermissionError):
    """A user's file wrote outside its folder, started another program or reached for another process."""


def confine(place: Path) -> None:
    """For the rest of this process's life; `place` is where it may write, and where temporary files go."""
    global _confined
    _confined = True
    where = place.resolve()
    tempfile.tempdir = str(where)
    os.environ["TMPDIR"] = str(where)
    sys.dont_write_bytecode = True
    threading.excepthook = _one_line
    sys.addaudithook(_hook(str(where), os.getpid()))
    with contextlib.suppress(OSError, ImportError, AttributeError):  # another system, or an older kernel
        _landlock(where)


def _one_line(raised: Any) -> None:
    """What a thread of a user's file raises is said in a line, as everything else is."""
    words = " ".join(f"{raised.exc_type.__name__}: {raised.exc_value}".split())[:300]
    sys.stderr.write(f"verify: in a thread of a user's file: {words}\n")


def confined() -> bool:
    return _confined


def _hook(
    where: str,
    own: int,
    absolute: Callable[[str], str] = os.path.abspath,
    real: Callable[[str], str] = os.path.realpath,
    text: Callable[[Any], str] = os.fsdecode,
    error: type[Exception] = Forbidden,
) -> Callable[[str, tuple[Any, ...]], None]:
    """All it needs is bound here, so that replacing functions of a module does not change it."""
    writing = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
    writes, starts, signals = frozenset(WRITES), frozenset(STARTS), frozenset(SIGNALS)
    harmless = (os.devnull, "/dev/tty")

    def refuse(path: Any) -> None:
        target = absolute(text(path))
        if target in harmless or f"{real(target)}/".startswith(f"{where}/"):
            return
        raise error(f"{target}: a user's file may write only in its folder of temporary files")

    def audit(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            path, mode, flags = arguments
            asked = isinstance(flags, int) and flags & writing
            if (asked or any(letter in (mode or "") for letter in "wax+")) and not isinstance(path, int):
                refuse(path)
        elif event in writes:
            for path in arguments:
                if isinstance(path, (str, bytes, os.PathLike)):
                    refuse(path)
        elif event in starts:
            raise error(f"a user's file may not start programs or open connections ({event})")
        elif event in signals and event != "signal.pthread_kill" and arguments[0] != own:
            raise error(f"a user's file may not reach for other processes ({event})")

    return audit


# Of linux/landlock.h. What a kernel does not know yet it is not asked for.
WRITING = sum(1 << bit for bit in (1, 4, 5, 6, 7, 8, 9, 10, 11, 12))  # write, remove, make of every sort
REFER, TRUNCATE = 1 << 13, 1 << 14  # second and third version
CONNECTING = 0b11  # TCP bind and connect; fourth version
SIGNALLING = 0b11  # abstract sockets, signals; sixth version
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # the same numbers on every architecture
BENEATH = 1


def _landlock(where: Path) -> None:
    import ctypes
    import struct

    system = ctypes.CDLL(None, use_errno=True)

    def call(number: int, *arguments: Any) -> int:
        found = int(system.syscall(ctypes.c_long(number), *arguments))
        if found < 0:
            raise OSError(ctypes.get_errno(), "landlock")
        return found

    version = call(CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(1))
    files = WRITING | (REFER if version >= 2 else 0) | (TRUNCATE if version >= 3 else 0)
    asked = struct.pack("=QQQ", files, CONNECTING if version >= 4 else 0, SIGNALLING if version >= 6 else 0)[
        : 24 if version >= 6 else 16 if version >= 4 else 8
    ]
    rules = call(CREATE_RULESET, asked, ctypes.c_size_t(len(asked)), ctypes.c_uint32(0))
    file_alone = (1 << 1) | (files & TRUNCATE)
    for path, allowed in ((str(where), files), (os.devnull, file_alone)):
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
        rule = struct.pack("=Qi", allowed, descriptor)
        call(ADD_RULE, ctypes.c_int(rules), ctypes.c_int(BENEATH), rule, ctypes.c_uint32(0))
        os.close(descriptor)
    if system.prctl(38, 1, 0, 0, 0):  # PR_SET_NO_NEW_PRIVS, which the kernel asks for
        raise OSError(ctypes.get_errno(), "no_new_privs")
    call(RESTRICT_SELF, ctypes.c_int(rules), ctypes.c_uint32(0))
    os.close(rules)
