"""A Python without the dependencies gets one line that says what to type."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def test_a_missing_dependency_is_one_line_with_the_command_that_installs_it() -> None:
    call = [
        sys.executable,
        "-S",
        "-m",
        "verify",
        "simulate",
        "examples/linear.toml",
    ]  # -S: no installed packages
    done = subprocess.run(call, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 2
    assert (
        done.stderr == "verify: numpy is not installed; run `make verify`, then .venv/bin/python -m verify\n"
    )
