"""A command that names a user's file runs again in a process of its own, whose time and memory are limited."""

from __future__ import annotations

import contextlib
import math
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from bounds.errors import InputError
from fedigw import effort
from fedigw.effort import LIMIT
from fedigw.outside import ALLOWED

USUAL_LIMIT = 60  # seconds of CPU that a user's file may use
MARK = "VERIFY_END_MARK"  # a file that the limited process makes when its command has ended
MEMORY = 4 << 30  # bytes of addresses beyond what the libraries take
WAITING = 5  # times as long may pass on the clock: the machine may be busy, the file may sleep


def time_limit() -> int:
    return effort.time_limit(USUAL_LIMIT)


def again(arguments: list[str], path: Path) -> int:
    """The same command in a limited process; its output is ours, and a limit that it hits is the file's failure."""
    seconds = time_limit()
    command = [sys.executable, "-m", "verify", *arguments]
    folder = tempfile.mkdtemp(prefix="verify-")
    mark = Path(folder) / "ended"
    environment = os.environ | {ALLOWED: "1", LIMIT: str(seconds), MARK: str(mark)}
    child = subprocess.Popen(command, env=environment, start_new_session=True)
    try:
        status = child.wait(timeout=WAITING * seconds)
    except subprocess.TimeoutExpired:
        status = -signal.SIGALRM
    except KeyboardInterrupt:
        status = 130
    finally:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)  # and whatever it left behind
        child.wait()
        ended = mark.exists()
        shutil.rmtree(folder, ignore_errors=True)
    if status in (-signal.SIGXCPU, -signal.SIGALRM, -signal.SIGKILL):
        spent = f"{seconds} s of CPU" if status == -signal.SIGXCPU else f"{WAITING * seconds} s"
        sys.stderr.write(f"verify: {path}: did not end within {spent}; {LIMIT}={10 * seconds} allows more\n")
        return 2
    if status < 0:
        sys.stderr.write(f"verify: {path}: ended its process by signal {-status}\n")
    elif not ended:
        sys.stderr.write(
            f"verify: {path}: ended the program itself (status {status}); nothing was answered\n"
        )
        return 2
    return status if status >= 0 else 2


def mark_the_end() -> None:
    """The command came to its end: a user's file that leaves by itself does not get here."""
    if os.environ.get(MARK):
        Path(os.environ[MARK]).touch()


class Ended(RuntimeError):
    """A user's file that ended the process that read it, or did not come to its end."""


def probe(path: Path) -> str:
    """What `own_claims.described` says of a user's file, loaded in a limited process: a file that loops, eats memory or
    changes what it should not stops there."""
    if not path.is_file():
        raise InputError("file", str(path), "there is no such file")
    program = (
        "import sys, pathlib; from verify import guard, own_claims; guard.limit_this_process();"
        " pathlib.Path(sys.argv[2]).write_text(own_claims.described(sys.argv[1]), 'utf-8')"
    )
    environment = os.environ | {ALLOWED: "1"}
    with tempfile.TemporaryDirectory(prefix="verify-") as folder:
        answer = Path(folder) / "described"
        command = [sys.executable, "-c", program, str(path), str(answer)]
        reader = subprocess.Popen(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            status = reader.wait(WAITING * time_limit())
        except subprocess.TimeoutExpired:
            raise Ended(f"{path}: could not be read within {WAITING * time_limit()} s") from None
        finally:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(reader.pid, signal.SIGKILL)  # and whatever it left behind
            reader.wait()
        if not answer.exists():
            how = f"by signal {-status}" if status < 0 else f"with status {status}"
            raise Ended(f"{path}: ended the process that read it {how}, with {time_limit()} s of CPU")
        return answer.read_text(encoding="utf-8")


def limit_this_process() -> None:
    """From now on so much CPU and memory more, and then the end."""
    with contextlib.suppress(ImportError, ValueError, OSError):  # where a system has no such limits
        import resource

        seconds = time_limit()
        used = resource.getrusage(resource.RUSAGE_SELF)
        most = math.ceil(used.ru_utime + used.ru_stime) + seconds
        resource.setrlimit(resource.RLIMIT_CPU, (most, most + 5))
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
