"""A campaign survives kill -9, the death of its workers and Ctrl-C; its bytes do not depend on how it was run."""

import os
import random
import signal
import subprocess
import time
from pathlib import Path

import psutil
import pytest
from campaign_process import finish, results, start


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("undisturbed") / "campaign"
    done = finish(folder, "--jobs", "1")
    assert done.returncode == 0, done.stderr
    assert "1/5, ETA" in done.stderr
    return results(folder)


def cycles(folder: Path, kills: int, seed: int) -> None:
    """Kill the campaign `kills` times at random moments, then let it end."""
    rng = random.Random(seed)
    for _ in range(kills):
        process = start(folder, "--resume")
        try:
            process.wait(timeout=rng.uniform(0.2, 6.0))
        except subprocess.TimeoutExpired:
            process.kill()
        process.communicate()
    done = finish(folder, "--resume")
    assert done.returncode == 0, done.stderr


def test_killed_and_resumed_campaign_gives_the_same_bytes(undisturbed: bytes, tmp_path: Path) -> None:
    cycles(tmp_path / "campaign", kills=3, seed=1)
    assert results(tmp_path / "campaign") == undisturbed
    left = [path.name for path in (tmp_path / "campaign").rglob(".*.tmp")]
    assert not left


@pytest.mark.long
def test_fifty_kills(undisturbed: bytes, tmp_path: Path) -> None:
    """Every folder takes several kills; a campaign that has ended before its kill counts too, so fifty are made."""
    for round_ in range(10):
        cycles(tmp_path / str(round_), kills=5, seed=round_)
        assert results(tmp_path / str(round_)) == undisturbed


def workers_of(process: "subprocess.Popen[str]") -> list[psutil.Process]:
    """The processes that carry out units: leaves below the fork server."""
    found = psutil.Process(process.pid).children(recursive=True)
    return [p for p in found if not p.children() and p.ppid() != process.pid]


def test_the_death_of_a_worker_costs_nothing(undisturbed: bytes, tmp_path: Path) -> None:
    process = start(tmp_path / "campaign")
    deadline = time.monotonic() + 30
    while len(found := workers_of(process)) < 2 and time.monotonic() < deadline:
        time.sleep(0.1)
    time.sleep(0.3)
    found[0].kill()
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    assert results(tmp_path / "campaign") == undisturbed


def test_interrupt_ends_within_two_seconds_and_resumes(undisturbed: bytes, tmp_path: Path) -> None:
    folder = tmp_path / "campaign"
    process = start(folder)
    assert process.stderr is not None
    first = process.stderr.readline()  # something is done
    assert first.startswith("1/5, ETA")
    begun = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the whole group
    _, errors = process.communicate(timeout=20)
    assert time.monotonic() - begun < 2
    assert process.returncode == 130
    assert "Traceback" not in errors
    assert f"continue with: python -m verify run lem:finite_error --out {folder} --resume" in errors
    assert len(list((folder / "records").glob("*.json"))) >= 1
    done = finish(folder, "--resume")
    assert "2/5" in done.stderr
    assert "1/5" not in done.stderr  # not redone
    assert results(folder) == undisturbed


def test_a_killed_campaign_leaves_no_worker(tmp_path: Path) -> None:
    process = start(tmp_path / "campaign")
    deadline = time.monotonic() + 30
    while not (found := workers_of(process)) and time.monotonic() < deadline:
        time.sleep(0.1)
    process.kill()
    process.communicate()
    _, alive = psutil.wait_procs(found, timeout=5)
    assert not alive
