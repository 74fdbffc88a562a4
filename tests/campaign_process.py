"""Start campaigns as separate processes, for the tests that kill, interrupt and resume them.

A tiny checkout is a copy of the program whose catalogue is one claim with eight units of a quarter of a second, so
that there is much to interrupt and little to wait for.
"""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil

HOME = Path(__file__).resolve().parent.parent
PACKAGES = ("bounds", "fedigw", "finite_class", "linear", "verify")
EXTENSIONS = "fedigw_extensions"
CLAIMS = Path("verify", "papers", "fedigw", "claims")
UNITS = 8
# Byte code is copied, which has the times of the sources and saves compiling them; not what is just being written.
UNFINISHED = shutil.ignore_patterns("*.pyc.*", ".*")
PATIENCE = 300  # seconds after which something that should end is given up; a busy machine is no failure
CLAIM = '''"""lem:VE. Units that take a little time; their figures depend on the seed and on linear algebra."""

import time

import numpy as np

from verify.claim import Claim, Evidence, Variant, Verdict


def holds(task):
    time.sleep(0.25)
    matrix = task.rng().random((60, 60))
    names = {f"name{i}" for i in range(5)}  # sets of strings have another order in every process
    return Evidence(Verdict.EXACT, "holds", {"trace": float(np.trace(matrix @ matrix)), "names": list(names)})


def fails(task):
    return Evidence(Verdict.REFUTED, "fails")


claim = Claim(
    label="lem:VE", title="t", section="s", statement=__doc__,
    variants={"printed": Variant("x", (), Verdict.EXACT)},
)
for i in range(8):
    claim.check("printed", control=fails, name=f"unit{i}")(holds)
'''


def tiny_checkout(folder: Path) -> Path:
    """Copy the program, without extensions and with one claim, into a folder."""
    for package in PACKAGES:
        shutil.copytree(HOME / package, folder / package, ignore=UNFINISHED)
    for package in (CLAIMS, EXTENSIONS):
        shutil.rmtree(folder / package, ignore_errors=True)
        (folder / package).mkdir()
        shutil.copy(HOME / package / "__init__.py", folder / package)
    (folder / CLAIMS / "lem_VE.py").write_text(CLAIM)
    (folder / "proofs").mkdir()
    (folder / "proofs" / "statements.toml").write_text('coq = "8.16"\nstatement = []\n')
    # as after `make`: what is read once per version has been read
    subprocess.run([sys.executable, "-m", "verify", "list"], cwd=folder, check=True, capture_output=True)
    return folder


def environment() -> dict[str, str]:
    """Return the environment variables without the installed checkout, so that the program in the working directory
    runs."""
    known = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return known | {"PYTHONFAULTHANDLER": "1"}  # it says where it stands on SIGABRT


def command(folder: Path, *more: str) -> list[str]:
    return [sys.executable, "-m", "verify", "all", "--out", str(folder), *more]


def start(home: Path, folder: Path, *more: str) -> subprocess.Popen[str]:
    return begin(home, command(folder, *more))


def begin(home: Path, words: list[str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        words,
        cwd=home,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # a shell gives its background jobs an ignored Ctrl-C, and children inherit that: undo it
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def wait_until_it_watches(process: subprocess.Popen[str]) -> None:
    """Wait until the campaign handles Ctrl-C and SIGTERM itself; before that Python has not begun it."""
    caught = 1 << (signal.SIGTERM - 1)

    def watches() -> bool:
        lines = Path(f"/proc/{process.pid}/status").read_text().splitlines()
        return any(int(line.split()[1], 16) & caught for line in lines if line.startswith("SigCgt:"))

    wait_for(watches, "a campaign to begin", pause=0.01)


def said_first(process: subprocess.Popen[str]) -> str:
    """Wait for the first line on stderr, which shows that something is done, and return it."""
    return process.stderr.readline()


def ended(process: subprocess.Popen[str], what: str) -> str:
    """Wait until the process ends, and return what it still wrote on stderr. AssertionError names `what` was waited
    for in vain."""
    try:
        return process.communicate(timeout=PATIENCE)[1]
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGABRT)
        time.sleep(1)
        os.killpg(process.pid, signal.SIGKILL)
        where = process.communicate()[1][-4000:]
        raise AssertionError(f"waited {PATIENCE} s for {what} to end; it stands at {where}") from None


def finish(
    home: Path, folder: Path, *more: str, timeout: float = 2 * PATIENCE
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(folder, *more), cwd=home, env=environment(), capture_output=True, text=True, timeout=timeout
    )


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def dask(home: Path, *words: str, hash_seed: str = "6640") -> subprocess.Popen[bytes]:
    """Start a scheduler or a worker in the given checkout; python -m puts the working directory first."""
    return subprocess.Popen(
        [sys.executable, "-m", "dask", *words],
        cwd=home,
        env=environment() | {"PYTHONHASHSEED": hash_seed},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def scheduler_process(home: Path, port: int) -> subprocess.Popen[bytes]:
    return dask(home, "scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard")


def worker_process(home: Path, port: int, hash_seed: str = "6640") -> subprocess.Popen[bytes]:
    words = ("worker", f"tcp://127.0.0.1:{port}", "--nthreads", "1", "--no-nanny", "--no-dashboard")
    return dask(home, *words, hash_seed=hash_seed)


def joined(worker: subprocess.Popen[bytes], port: int) -> bool:
    """Return whether the scheduler has accepted the worker: there are then two connections between them."""
    found = psutil.Process(worker.pid).net_connections("inet")
    return sum(1 for c in found if c.raddr and c.raddr.port == port and c.status == "ESTABLISHED") > 1


def wait_for(
    condition: Callable[[], Any], what: str, process: subprocess.Popen[str] | None = None, pause: float = 0.05
) -> Any:
    """Wait until the condition holds, and return its value; None if the process ends first."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if found := condition():
            return found
        if process is not None and process.poll() is not None:
            return None
        time.sleep(pause)
    raise AssertionError(f"waited {PATIENCE} s for {what}")


@contextlib.contextmanager
def ending(*processes: subprocess.Popen[bytes]) -> Iterator[None]:
    """End the processes when the block ends, whatever happens in it."""
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


def results(folder: Path) -> bytes:
    return (folder / "results.json").read_bytes()
