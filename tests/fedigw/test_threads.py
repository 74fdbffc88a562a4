"""Linear algebra runs on one thread, whoever loads it and when, unless the user says otherwise."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from fedigw.threads import VARIABLES

HOME = Path(__file__).resolve().parents[2]
SHOW = (
    "; import threadpoolctl; print(sorted({lib['num_threads'] for lib in threadpoolctl.threadpool_info()}))"
)


def threads(program: str, **variables: str) -> str:
    clean = {name: value for name, value in os.environ.items() if name not in VARIABLES}
    command = [sys.executable, "-c", program + SHOW]
    done = subprocess.run(
        command, cwd=HOME, env=clean | variables, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.mark.parametrize(
    "program", ["import verify.cli, numpy, scipy.linalg", "import numpy, fedigw, scipy.linalg"]
)
def test_one_thread(program):
    assert threads(program) == "[1]"


two_cores = pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="one core has one thread anyway")


@two_cores
def test_the_users_word_counts():
    assert threads("import fedigw, numpy", OPENBLAS_NUM_THREADS="2") == "[2]"


@two_cores
def test_without_us_there_are_more():
    assert threads("import numpy") != "[1]"
