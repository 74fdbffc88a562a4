"""A real scheduler and real workers on loopback: same bytes as local, also when a worker dies; bad clusters told."""

import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from campaign_process import HOME, finish, results, start

DASK = [sys.executable, "-m", "dask"]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def launch(arguments: list[str], home: Path = HOME) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [*DASK, *arguments], cwd=home, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )


def worker(address: str, home: Path = HOME) -> "subprocess.Popen[bytes]":
    return launch(["worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard"], home)


@pytest.fixture
def scheduler() -> Iterator[str]:
    port = free_port()
    process = launch(["scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard"])
    yield f"tcp://127.0.0.1:{port}"
    process.kill()
    process.wait()


def test_a_cluster_with_a_dying_worker_gives_the_local_bytes(scheduler: str, tmp_path: Path) -> None:
    local = finish(tmp_path / "local")
    assert local.returncode == 0, local.stderr
    workers = [worker(scheduler), worker(scheduler)]
    try:
        process = start(tmp_path / "cluster", "--engine", "dask", "--scheduler", scheduler)
        assert process.stderr is not None
        line = process.stderr.readline()
        assert line.startswith("1/5"), line + process.stderr.read()
        workers[0].kill()
        _, errors = process.communicate(timeout=120)
        assert process.returncode == 0, errors
        assert results(tmp_path / "cluster") == results(tmp_path / "local")
    finally:
        for one in workers:
            one.kill()
            one.wait()


def test_a_worker_with_other_code_is_refused(scheduler: str, tmp_path: Path) -> None:
    other = tmp_path / "other"
    for package in ("bounds", "fedigw", "finite_class", "linear", "verify"):
        shutil.copytree(HOME / package, other / package, ignore=shutil.ignore_patterns("__pycache__"))
    with (other / "bounds" / "errors.py").open("a") as stream:
        stream.write("\n# another version\n")
    foreign = worker(scheduler, other)
    try:
        done = finish(tmp_path / "campaign", "--engine", "dask", "--scheduler", scheduler)
        assert done.returncode == 2
        assert "runs another version of this program: code (" in done.stderr
        assert len(done.stderr.splitlines()) == 1
        assert not (tmp_path / "campaign").exists()
    finally:
        foreign.kill()
        foreign.wait()


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "nonsense", "quic://127.0.0.1:1", ""])
def test_a_scheduler_that_does_not_answer(address: str, tmp_path: Path) -> None:
    begun = time.monotonic()
    done = finish(tmp_path / "campaign", "--engine", "dask", "--scheduler", address)
    assert time.monotonic() - begun < 10
    assert done.returncode == 2
    assert done.stderr.startswith(f"verify: --scheduler = {address}"), done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "campaign").exists()


def test_a_scheduler_without_workers(scheduler: str, tmp_path: Path) -> None:
    done = finish(tmp_path / "campaign", "--engine", "dask", "--scheduler", scheduler)
    assert done.returncode == 2
    assert "has no worker" in done.stderr


def test_scheduler_needs_the_dask_engine(tmp_path: Path) -> None:
    done = finish(tmp_path / "campaign", "--scheduler", "tcp://127.0.0.1:9")
    assert done.returncode == 2
    assert "only with --engine dask" in done.stderr
