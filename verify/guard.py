"""Run users' files in a child process, with limits on CPU time and memory. The child's answer comes back through a
pipe.

This protects from mistakes: exceptions, endless loops, exits, prints, too much memory, changed globals. It does not
stop malicious code: run what you do not trust in a container.
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
WAITING, STARTING = 5, 120  # the time limit is WAITING times the CPU limit, plus STARTING seconds
MOST_DEATHS = 3  # a process that somebody killed is started again this often
CHILD = "VERIFY_CHILD"  # environment variable of a child: its CPU seconds and the id of its parent
END = b"\0"  # separates the answer from the status; an answer without it is incomplete


class Ended(RuntimeError):
    """Raised when a user's file ended its process before the answer was complete."""


def again(arguments: list[str], path: Path) -> int:
    """Run the command line `python -m verify ARGUMENTS`, which uses the user's file `path`, in a child process. Return
    its exit status."""
    try:
        answer, status = ask(["-m", "verify", *arguments], str(path))
    except Ended as error:
        sys.stderr.write(f"verify: {error}\n")
        return 2
    sys.stdout.flush()
    sys.stdout.buffer.write(answer)
    return status


def ask(program: Sequence[str], file: str, seconds: int = 0, silent: bool = False) -> tuple[bytes, int]:
    """Run Python with the command-line arguments `program` in a child process. Return the answer that the child sends
    and its exit status. file: the user's file that it runs, for error messages. seconds: limit on CPU time, 0 for the
    default. silent: whether to discard standard error."""
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
    threading.Thread(target=_end_group, args=(child.pid,), daemon=True).start()
    try:
        answer, _ = child.communicate(timeout=WAITING * seconds + STARTING)
        return child.returncode, answer
    except subprocess.TimeoutExpired:
        return -signal.SIGALRM, b""
    finally:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)  # also the processes that it started
        child.wait()


def _end_group(leader: int) -> None:
    """Wait until a child process ends, then end the processes that it started, which may hold its pipe open."""
    with contextlib.suppress(OSError, AttributeError):  # where a system has no waitid
        os.waitid(
            os.P_PID, leader, os.WEXITED | os.WNOWAIT
        )  # its id is not free before somebody asks for its status
        os.killpg(leader, signal.SIGKILL)


def cpu_seconds() -> int:
    """Return the limit on CPU time that the shell has set or, without one, SECONDS."""
    with contextlib.suppress(ImportError, OSError):
        import resource

        soft = resource.getrlimit(resource.RLIMIT_CPU)[0]
        if soft != resource.RLIM_INFINITY:
            return soft
    return SECONDS


class Answer(io.TextIOBase):
    """The standard output of a child process. What a user's file prints goes to standard error, so that it is not taken
    for the answer. A process that the file forks has no answer."""

    def __init__(self, stream: TextIO) -> None:
        self.stream, self.process = stream, os.getpid()

    def write(self, text: str) -> int:
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and not str(frame.f_globals.get("__name__")).startswith(outside.PREFIX):
            frame = frame.f_back
        if frame is not None:
            return sys.stderr.write(text)
        return self.stream.write(text) if os.getpid() == self.process else len(text)

    def flush(self) -> None:
        self.stream.flush()

    def fileno(self) -> int:
        return self.stream.fileno()


_answer: Answer | None = None


def become_child() -> None:
    """Prepare a child process: limit its CPU time and memory, make it end when its parent ends, and reserve its
    standard output for the answer."""
    global _answer
    seconds, _, parent = (given := os.environ.pop(CHILD)).partition(" ")
    if parent != str(os.getppid()):  # ours has ended, or somebody else has set the variable
        sys.stderr.write(f"verify: {CHILD} = {given}: is for processes of this program; unset it\n")
        os._exit(2)
    end_with_parent(parent)
    with contextlib.suppress(ImportError, ValueError, OSError):  # where a system has no such limits
        import resource

        used = resource.getrusage(resource.RUSAGE_SELF)
        most = math.ceil(used.ru_utime + used.ru_stime) + int(seconds)
        resource.setrlimit(resource.RLIMIT_CPU, (most, resource.getrlimit(resource.RLIMIT_CPU)[1]))
    limit_memory(MEMORY)
    outside.allow()
    threading.excepthook = _one_line
    sys.excepthook = _one_line_of_all
    _answer = Answer(os.fdopen(os.dup(1), "w", encoding="utf-8"))
    with contextlib.suppress(OSError):
        os.dup2(2, 1)
    sys.stdout = _answer


def finish(status: int, answer: str = "") -> None:
    """If this is a child process, send the rest of the answer and the exit status to the parent, and exit. A process
    that a user's file forked from it exits without sending."""
    if _answer is not None:
        if os.getpid() == _answer.process:
            _answer.stream.write(f"{answer}{END.decode()}{status}")
            _answer.stream.flush()
        os._exit(0)


def _one_line(raised: Any) -> None:
    words = " ".join(f"{raised.exc_type.__name__}: {raised.exc_value}".split())[:300]
    sys.stderr.write(f"verify: in a thread of a user's file: {words}\n")


def _one_line_of_all(kind: type[BaseException], value: BaseException, trace: Any) -> None:
    """Name an error in one line and use no built-in function for it: a user's file may have changed them."""
    sys.stderr.write(
        f"verify: in the process of a user's file: {kind.__name__}: {' '.join(f'{value}'.split())}\n"
    )


def end_with_parent(parent: str) -> None:
    """Make Linux kill this process when its parent ends. On other systems do nothing. parent: the parent's process
    id."""
    with contextlib.suppress(ImportError, OSError, AttributeError):
        import ctypes

        ctypes.CDLL(None).prctl(1, signal.SIGKILL, 0, 0, 0)  # PR_SET_PDEATHSIG
        if str(os.getppid()) != parent:
            os._exit(1)  # the parent ended before the call


def limit_to_free_memory() -> None:
    """Limit this process to the free memory, so that it raises MemoryError before the system kills it (Linux only)."""
    with contextlib.suppress(OSError, ValueError, StopIteration):
        lines = Path("/proc/meminfo").read_text().splitlines()
        limit_memory(1024 * int(next(line for line in lines if line.startswith("MemAvailable:")).split()[1]))


def limit_memory(more: int) -> None:
    """Limit this process to `more` bytes of address space beyond what it uses now."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        most = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize() + more
        soft = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
