"""A short slice of the fuzzing (`make fuzz` is the long one), and that the harness finds what is put there."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
WAITING = 1200  # seconds on the clock, for some of CPU: the machine may be busy


def fuzz(*words: str) -> dict[str, Any]:
    """In a process of its own, whose memory is limited."""
    command = [sys.executable, "tests/fuzz/run.py", *words]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=WAITING, check=False)
    except subprocess.TimeoutExpired:
        pytest.fail(f"waited {WAITING} s for {' '.join(words)} of the fuzz harness")
    assert done.stdout, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    assert done.returncode == 0, json.dumps(found, indent=1)
    return found


def test_nothing_but_input_errors_comes_out():
    found = fuzz("--seed", "0", "--files", "25", "--sizes", "3", "--bounds", "60")
    assert {part: found[part]["faults"] for part in found} == {"files": 0, "sizes": 0, "bounds": 0}
    for part in (found["files"], found["bounds"]):
        assert part["answers"] > 3
        assert part["refusals"] > 8


@pytest.mark.fedigw
@pytest.mark.long
def test_each_of_ten_planted_faults_is_found():
    found = fuzz("--planted")["planted"]
    assert len(found) == 10
    assert all(found.values())


@pytest.mark.fedigw
@pytest.mark.long
def test_mistaken_plug_ins_harm_nobody():
    command = [sys.executable, "tests/fuzz/plug_ins.py", "--claims", "60", "--parts", "24"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=3 * WAITING, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
