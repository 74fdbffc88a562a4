"""Worlds from CSV files: logged steps and tables of all rewards."""

import csv
from collections import defaultdict
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from bounds.errors import InputError
from fedigw.replications import simulate
from finite_class.environments.data import make
from finite_class.world import FiniteWorld
from verify.cli import main

ROOT = Path(__file__).resolve().parents[2]
LOG = "context,arm,reward\nx,a,1\nx,a,0\nx,b,0\ny,a,0\ny,b,0.25\ny,b,0.75\n"


def test_means_and_frequencies_are_those_of_the_file(tmp_path: Path) -> None:
    """The second way: sums over the rows by hand."""
    made = make(np.random.default_rng(0), file=str(ROOT / "examples/logged_steps.csv"), functions=4, agents=3)
    world = FiniteWorld.of(made)
    sums, counts = defaultdict(float), defaultdict(int)
    with (ROOT / "examples/logged_steps.csv").open() as stream:
        for row in csv.DictReader(stream):
            sums[row["context"], row["arm"]] += float(row["reward"])
            counts[row["context"], row["arm"]] += 1
    contexts, arms = (list(dict.fromkeys(key[i] for key in counts)) for i in (0, 1))
    expected = [[sums[c, a] / counts[c, a] for a in arms] for c in contexts]
    assert np.allclose(np.array(world.functions[0], dtype=float), expected)
    visits = [sum(counts[c, a] for a in arms) for c in contexts]
    assert [float(p) for p in world.agents[0].contexts] == pytest.approx([v / sum(visits) for v in visits])
    rows = {tuple(map(float, row)) for row in world.functions[0]}
    assert all({tuple(map(float, row)) for row in other} == rows for other in world.functions[1:])


def test_a_run_replays_the_file(tmp_path: Path) -> None:
    """One function: the truth is known, and greedy play loses nothing after the first epoch. In the first epoch, of 2
    uniform steps, the mean regret is that of the table."""
    (tmp_path / "log.csv").write_text(LOG)
    made = make(np.random.default_rng(0), file=str(tmp_path / "log.csv"), functions=1, agents=1, horizon=2)
    found = simulate(made, 2000, 0).total_regret
    assert found.mean() == pytest.approx(
        2 * (0.5 * 0.25 + 0.5 * 0.25), abs=1e-9
    )  # regret has no noise of arms
    assert FiniteWorld.of(made).functions == (((Fraction(1, 2), Fraction(0)), (Fraction(0), Fraction(1, 2))),)


BAD = {
    "": "is no CSV file with a line of names",
    "context,arm,reward\n": "has no rows",
    "arm,context,reward\na,x,1\n": "must begin with context,arm,reward or context,ARM,ARM",
    "context,a,a\nx,1,1\n": "must begin with",
    "context,arm,reward\nx,a\n": "row 2 has 2 values, must have 3",
    "context,arm,reward\nx,a,2\n": "row 2: reward '2' must be a number from 0 to 1",
    "context,arm,reward\nx,a,nan\n": "reward 'nan' must be",
    "context,arm,reward\nx,a,1e-9999999\n": "must be a number from 0 to 1",
    "context,arm,reward\nx,a,1/0\n": "must be a number from 0 to 1",
    "context,arm,reward\nx,a,1\ny,b,1\n": "has no reward of arm 'b' in context 'x'",
    "context,arm,reward\nx,a,1\n": "has 1 arm, must have at least 2",
    'context,a,b\n"x,1,1\n': "is no CSV file",
}


@pytest.mark.parametrize("text", BAD)
def test_a_bad_file_is_one_line(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bad.csv").write_text(text)
    environment = f'{{name = "data", file = "{tmp_path / "bad.csv"}"}}'
    (tmp_path / "bad.toml").write_text(f'kind = "finite_class"\nenvironment = {environment}\n')
    assert main(["simulate", str(tmp_path / "bad.toml")]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert BAD[text] in said


def test_files_that_cannot_be_read_and_classes_that_are_too_large(tmp_path: Path) -> None:
    for file in (tmp_path / "nowhere.csv", tmp_path):
        with pytest.raises(InputError):
            make(np.random.default_rng(0), file=str(file))
    (tmp_path / "bytes.csv").write_bytes(b"context,a,b\n\xff,1,0\n")
    with pytest.raises(InputError, match="is no CSV file"):
        make(np.random.default_rng(0), file=str(tmp_path / "bytes.csv"))
    (tmp_path / "log.csv").write_text(LOG)
    for functions in (0, 10**6):
        with pytest.raises(InputError, match="must be from 1 to 250000"):
            make(np.random.default_rng(0), file=str(tmp_path / "log.csv"), functions=functions)
