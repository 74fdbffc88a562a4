"""Users' files run in a child process: limits of the operating system, an answer through a pipe, nothing shared.

Mistakes stay in the child: exceptions, endless loops, exits, prints, too much memory, changed globals. Code that means
harm is not stopped: run what you do not trust in a container.
"""

import contextlib
import io
import math
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import Any, TextIO

from fedigw import outside

SECONDS = 300  # of CPU for a user's file, unless the shell sets a limit (ulimit -S -t)
MEMORY = 4 << 30  # bytes of addresses beyond what the process has when it begins
WAITING, STARTING = 5, 120  # on the clock: times the seconds of CPU, and seconds to load the libraries
MOST_DEATHS = 3  # a process that somebody killed is started again this often
CHILD = "VERIFY_CHILD"  # in a child's environment: its seconds of CPU, and the process with which it ends
END = b"\0"  # between the answer and its status: what lacks it is incomplete


class Ended(RuntimeError):
    """Says how a user's file ended its process before the answer was complete."""


def again(arguments: list[str], path: Path) -> int:
    """Run the same command in a child, print its answer and return its status."""
    try:
        answer, status = ask(["-m", "verify", *arguments], str(path))
    except Ended as error:
        sys.stderr.write(f"verify: {error}\n")
        return 2
    sys.stdout.buffer.write(answer)
    sys.stdout.flush()
    return status


def ask(
    program: Sequence[str], file: str, seconds: int | None = None, silent: bool = False
) -> tuple[bytes, int]:
    """Run a Python program that uses a user's file in a child; return its answer and status. silent: without stderr."""
    code, seconds = 0, seconds or cpu_seconds()
    for _ in range(MOST_DEATHS):
        code, answer = _run(program, seconds, subprocess.DEVNULL if silent else None)
        text, end, status = answer.rpartition(END)
        if end and status.isdigit():
            return text, int(status)
        if code != -signal.SIGKILL:
            break
    if code == -signal.SIGXCPU:
        raise Ended(f"{file}: used more than {seconds} s of CPU")
    if code == -signal.SIGALRM:
        raise Ended(f"{file}: did not end within {WAITING * seconds + STARTING} s")
    if code == -signal.SIGKILL:
        raise Ended(f"{file}: its process was killed, as systems do where memory runs out")
    how = f"by signal {-code}" if code < 0 else f"with status {code}"
    raise Ended(f"{file}: ended its process {how} before it answered")


def _run(program: Sequence[str], seconds: int, errors: int | None) -> tuple[int, bytes]:
    child = subprocess.Popen(
        [sys.executable, *program],
        env=os.environ | {CHILD: f"{seconds} {os.getpid()}"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=errors,
        start_new_session=True,
    )
    try:
        answer, _ = child.communicate(timeout=WAITING * seconds + STARTING)
        return child.returncode, answer
    except subprocess.TimeoutExpired:
        return -signal.SIGALRM, b""
    finally:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)  # and what it left running
        child.wait()


def cpu_seconds() -> int:
    """Return the limit that the shell has set, or SECONDS."""
    with contextlib.suppress(ImportError, OSError):
        import resource

        soft = resource.getrlimit(resource.RLIMIT_CPU)[0]
        if soft != resource.RLIM_INFINITY:
            return soft
    return SECONDS


class Answer(io.TextIOBase):
    """Standard output of a child: what a user's file writes there goes to standard error."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and not str(frame.f_globals.get("__name__")).startswith(outside.PREFIX):
            frame = frame.f_back
        return (self.stream if frame is None else sys.stderr).write(text)

    def flush(self) -> None:
        self.stream.flush()

    def fileno(self) -> int:
        return self.stream.fileno()


_answer: Answer | None = None


def become_child() -> None:
    """Limit this process, end it with its parent, and keep its standard output for the answer."""
    global _answer
    seconds, parent = os.environ.pop(CHILD).split()
    end_with_parent(parent)
    with contextlib.suppress(ImportError, ValueError, OSError):  # where a system has no such limits
        import resource

        used = resource.getrusage(resource.RUSAGE_SELF)
        most = math.ceil(used.ru_utime + used.ru_stime) + int(seconds)
        resource.setrlimit(resource.RLIMIT_CPU, (most, resource.getrlimit(resource.RLIMIT_CPU)[1]))
    limit_memory(MEMORY)
    outside.allow()
    threading.excepthook = _one_line
    _answer = Answer(os.fdopen(os.dup(1), "w", encoding="utf-8"))
    with contextlib.suppress(OSError):
        os.dup2(2, 1)
    sys.stdout = _answer


def finish(status: int) -> None:
    """End a child's answer with its status; what its file does at the end of the process is not heard."""
    if _answer is not None:
        _answer.stream.write(f"{END.decode()}{status}")
        _answer.stream.flush()
        os._exit(0)


def _one_line(raised: Any) -> None:
    """Report in one line what a thread of a user's file raises."""
    words = " ".join(f"{raised.exc_type.__name__}: {raised.exc_value}".split())[:300]
    sys.stderr.write(f"verify: in a thread of a user's file: {words}\n")


def end_with_parent(parent: str) -> None:
    """Ask the system to end this process when the one that started it ends, also by kill -9 (Linux only)."""
    with contextlib.suppress(ImportError, OSError, AttributeError):
        import ctypes

        ctypes.CDLL(None).prctl(1, signal.SIGKILL, 0, 0, 0)  # PR_SET_PDEATHSIG
        if str(os.getppid()) != parent:
            os._exit(1)  # it had gone before we asked


def limit_to_free_memory() -> None:
    """Allow this process what is free now, so that too much ends with MemoryError instead of a kill (Linux only)."""
    with contextlib.suppress(OSError, ValueError, StopIteration):
        lines = Path("/proc/meminfo").read_text().splitlines()
        limit_memory(1024 * int(next(line for line in lines if line.startswith("MemAvailable:")).split()[1]))


def limit_memory(more: int) -> None:
    """Allow this process so many bytes of addresses more than it has now."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        most = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize() + more
        resource.setrlimit(
            resource.RLIMIT_AS, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard)
        )
