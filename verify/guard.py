"""A command that names a user's file runs again in a process of its own, whose time and memory are limited."""

from __future__ import annotations

import contextlib
import io
import math
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import TextIO

from bounds.errors import InputError
from fedigw.outside import ALLOWED, PREFIX

LIMIT = "VERIFY_TIME_LIMIT"
LARGEST = 10**6
USUAL_LIMIT = 60  # seconds of CPU that a user's file may use
MARK = "VERIFY_END_MARK"  # a file that the limited process makes when its command has ended
PARENT = "VERIFY_PARENT"  # the process with whose end the limited one ends
MEMORY = 4 << 30  # bytes of addresses beyond what the libraries take
LARGEST_FILE = 1 << 30  # bytes of one file that a user's process may write
DESCRIPTION = 1 << 20  # bytes in which a user's claim must describe itself
WAITING = 5  # times as long may pass on the clock: the machine may be busy, the file may sleep
STARTING = 120  # seconds on the clock in which a process of ours has loaded the libraries, on a busy machine
MOST_DEATHS = 3  # a process that somebody killed is started again, but not for ever


def time_limit() -> int:
    """Return the seconds of CPU that the environment allows a user's file."""
    text = os.environ.get(LIMIT, str(USUAL_LIMIT))
    if not text.isascii() or not text.isdigit() or not 1 <= int(text[:9]) <= LARGEST:
        raise InputError(LIMIT, text, f"must be a number of seconds between 1 and {LARGEST}")
    return int(text)


def patience() -> int:
    """Seconds on the clock after which a user's process is given up, whatever it does."""
    return WAITING * time_limit() + STARTING


def again(arguments: list[str], path: Path) -> int:
    """The same command in a limited process; its output is ours, and a limit that it hits is the file's failure."""
    seconds = time_limit()
    command = [sys.executable, "-m", "verify", *arguments]
    folder = tempfile.mkdtemp(prefix="verify-")
    mark = Path(folder) / "ended"
    environment = os.environ | {ALLOWED: "1", LIMIT: str(seconds), MARK: str(mark), PARENT: str(os.getpid())}
    child = subprocess.Popen(command, env=environment, start_new_session=True)
    try:
        status = child.wait(timeout=patience())
    except subprocess.TimeoutExpired:
        status = -signal.SIGALRM
    except KeyboardInterrupt:
        status = 130
    finally:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)  # and whatever it left behind
        child.wait()
        ended = mark.read_text(encoding="ascii") if mark.is_file() else ""
        shutil.rmtree(folder, ignore_errors=True)
    if status in (-signal.SIGXCPU, -signal.SIGALRM, -signal.SIGKILL):
        spent = f"{seconds} s of CPU" if status == -signal.SIGXCPU else f"{patience()} s"
        sys.stderr.write(f"verify: {path}: did not end within {spent}; {LIMIT}={10 * seconds} allows more\n")
        return 2
    if status < 0:
        sys.stderr.write(f"verify: {path}: ended its process by signal {-status}\n")
    elif not ended.isdigit():
        sys.stderr.write(
            f"verify: {path}: ended the program itself (status {status}); nothing was answered\n"
        )
        return 2
    return int(ended) if status >= 0 else 2


class OursAlone(io.TextIOBase):
    """Standard output is the command's answer: what is written there while a user's file is at work goes to standard
    error."""

    def __init__(self, answer: TextIO) -> None:
        self._answer = answer

    def write(self, text: str) -> int:
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and not str(frame.f_globals.get("__name__")).startswith(PREFIX):
            frame = frame.f_back
        return (self._answer if frame is None else sys.stderr).write(text)

    def flush(self) -> None:
        self._answer.flush()

    def fileno(self) -> int:
        return self._answer.fileno()


def keep_the_answer() -> None:
    """From now on no user's file writes on standard output, nor by its number."""
    answer = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    sys.stdout = OursAlone(answer)


def mark_the_end(status: int) -> None:
    """The command came to its end: a user's file that leaves by itself does not get here. What it has left to be done
    at the end of the process is not heard any more, and changes no status."""
    if os.environ.get(MARK):
        Path(os.environ[MARK]).write_text(str(status), encoding="ascii")
        with contextlib.suppress(OSError, ValueError, AttributeError):
            sys.stderr.flush()
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)


class Ended(RuntimeError):
    """A user's file that ended the process that read it, or did not come to its end."""


def probe(path: Path) -> str:
    """What a user's file says it is, as a confined process has read it: a file that loops, eats memory or meddles when
    it is read does so there. The text is what that process wrote: whoever takes it in checks it."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        raise InputError("file", repr(str(path)), "must have a name in UTF-8") from None
    if not path.is_file():
        raise InputError("file", str(path), "there is no such file")
    program = (
        "import os, sys; from pathlib import Path; from verify import guard, own_claims;"
        " from fedigw import outside; from fedigw.confinement import confine; place = Path(sys.argv[2]);"
        " guard.limit_this_process(); guard.die_with_parent(sys.argv[3]); outside.allow(); confine(place);"
        " (place / 'claim.json').write_text(own_claims.description(sys.argv[1])); os._exit(0)"
    )
    status = 0
    for _ in range(MOST_DEATHS):
        with scratch() as place:
            command = [sys.executable, "-c", program, str(path), str(place), str(os.getpid())]
            reader = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
            try:
                status = reader.wait(patience())
            except subprocess.TimeoutExpired:
                raise Ended(f"{path}: could not be read within {patience()} s") from None
            finally:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(reader.pid, signal.SIGKILL)  # and whatever it left behind
                reader.wait()
            told = place / "claim.json"
            if (
                status == 0
                and told.is_file()
                and not told.is_symlink()
                and told.stat().st_size <= DESCRIPTION
            ):
                return told.read_text(encoding="utf-8", errors="replace")
        if status != -signal.SIGKILL:  # which somebody else sent, as far as one can know
            break
    how = f"by signal {-status}" if status < 0 else f"with status {status}"
    raise Ended(f"{path}: ended the process that read it {how}, with {time_limit()} s of CPU")


@contextlib.contextmanager
def scratch() -> Iterator[Path]:
    """A folder of its own for a user's process, gone with it."""
    with tempfile.TemporaryDirectory(prefix="verify-", ignore_cleanup_errors=True) as place:
        yield Path(place)


def die_with_parent(parent: str) -> None:
    """The system ends this process when the one that started it ends, also by kill -9, whatever is going on here."""
    with contextlib.suppress(ImportError, OSError, AttributeError):  # Linux alone
        import ctypes

        ctypes.CDLL(None).prctl(1, signal.SIGKILL, 0, 0, 0)  # PR_SET_PDEATHSIG
        if str(os.getppid()) != parent:
            os._exit(1)  # it had gone before we asked


def limit_this_process() -> None:
    """From now on so much CPU and memory more, and then the end."""
    with contextlib.suppress(ImportError, ValueError, OSError):  # where a system has no such limits
        import resource

        seconds = time_limit()
        used = resource.getrusage(resource.RUSAGE_SELF)
        most = math.ceil(used.ru_utime + used.ru_stime) + seconds
        resource.setrlimit(resource.RLIMIT_CPU, (most, most + 5))
        resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST_FILE, LARGEST_FILE))
        limit_memory()


def limit_memory() -> tuple[int, int] | None:
    """At most MEMORY bytes of addresses more than now; what the limit was before, to set it back."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        before = resource.getrlimit(resource.RLIMIT_AS)
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        most = pages * resource.getpagesize() + MEMORY
        hard = before[1]
        resource.setrlimit(resource.RLIMIT_AS, (most if hard < 0 else min(most, hard), hard))
        return before
    return None


def unlimited_memory(before: tuple[int, int] | None) -> None:
    if before is not None:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, before)
