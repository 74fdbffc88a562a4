"""Worlds from CSV files, finite classes and linear ones: logged steps and tables of all rewards."""

import csv
from collections import defaultdict
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from refused import refused

from bounds.errors import InputError
from fedigw.replications import simulate
from finite_class.environments.data import make
from finite_class.world import FiniteWorld
from linear.environments import data as linear_data
from linear.world import LinearWorld

ROOT = Path(__file__).resolve().parents[2]
LOG = "context,arm,reward\nx,a,1\nx,a,0\nx,b,0\ny,a,0\ny,b,0.25\ny,b,0.75\n"


def test_means_and_frequencies_are_those_of_the_file(tmp_path):
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


def test_a_run_replays_the_file(tmp_path):
    """One function: the truth is known, and greedy play loses nothing after the first epoch. In the first epoch, of 2
    uniform steps, the mean regret is that of the table."""
    (tmp_path / "log.csv").write_text(LOG)
    made = make(np.random.default_rng(0), file=str(tmp_path / "log.csv"), functions=1, agents=1, horizon=2)
    found = simulate(made, 2000, 0).total_regret
    assert found.mean() == pytest.approx(
        2 * (0.5 * 0.25 + 0.5 * 0.25), abs=1e-9
    )  # regret has no noise of arms
    assert FiniteWorld.of(made).functions == (((Fraction(1, 2), Fraction(0)), (Fraction(0), Fraction(1, 2))),)


def test_a_log_of_many_counts(tmp_path):
    """Cells with 97, 101, ... rows, as in a real log: means have no common denominator and are rounded, and a linear
    world keeps as much as fits if nothing is said."""
    rows = [
        f"{context},{arm},{int(i < 40)}"
        for (context, arm), count in zip(["xa", "xb", "ya", "yb"], (97, 101, 103, 107), strict=True)
        for i in range(count)
    ]
    file = tmp_path / "log.csv"
    file.write_text("\n".join(["context,arm,reward", *rows]) + "\n")
    made = FiniteWorld.of(make(np.random.default_rng(0), file=str(file), functions=2, agents=1, horizon=512))
    expected = ((40 / 97, 40 / 101), (40 / 103, 40 / 107))
    assert np.abs(np.array(made.functions[0], dtype=float) - expected).max() <= 2**-21
    assert {value.denominator for row in made.functions[0] for value in row} <= {2**k for k in range(21)}
    (tmp_path / "sure.csv").write_text("context,a,b\nu,1,0\nv,0,1\n")
    default, given = (
        linear_data.make(np.random.default_rng(0), file=str(tmp_path / "sure.csv"), **keys)
        for keys in ({}, {"keep": 0.4999})
    )
    means = [LinearWorld.of(world).truth(0) for world in (default, given)]
    assert np.abs(means[0] - means[1]).max() < 1e-3, "the largest share that fits"


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
def test_a_bad_file_is_one_line(text, tmp_path, capsys):
    (tmp_path / "bad.csv").write_text(text)
    environment = f'{{name = "data", file = "{tmp_path / "bad.csv"}"}}'
    (tmp_path / "bad.toml").write_text(f'kind = "finite_class"\nenvironment = {environment}\n')
    refused(capsys, ["simulate", str(tmp_path / "bad.toml")], BAD[text])


def test_files_that_cannot_be_read_and_classes_that_are_too_large(tmp_path):
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


def linear(file: Path, **keys: object) -> LinearWorld:
    return LinearWorld.of(linear_data.make(np.random.default_rng(0), file=str(file), **keys))


@pytest.mark.parametrize("name", ["logged_steps", "all_rewards"])
def test_a_linear_world_of_texts_has_the_means_of_the_file(name):
    """The second way: the exact means of the finite class."""
    file = ROOT / "examples" / f"{name}.csv"
    world = linear(file, keep=0.5)
    table = FiniteWorld.of(make(np.random.default_rng(0), file=str(file), functions=1))
    wanted = 0.5 + 0.5 * (np.array(table.functions[0], dtype=float) - 0.5)
    contexts = world.agents[0]
    assert np.allclose(contexts.means(world.parameter), wanted)
    assert np.allclose(contexts.law, np.array(table.agents[0].contexts, dtype=float))


def test_a_linear_world_of_numbers_is_the_least_squares_fit(tmp_path):
    """Rewards that are linear in the numbers are found exactly, from a log in which no context has every arm; a smaller
    share of them moves the means towards 1/2."""
    rng = np.random.default_rng(1)
    rows = [(*rng.uniform(-1, 1, 2).round(3), "ab"[i % 2]) for i in range(40)]
    mean = {"a": lambda x, y: 0.5 + 0.1 * x, "b": lambda x, y: 0.55 - 0.1 * y + 0.05 * x}
    log = "".join(f"{x},{y},{arm},{mean[arm](x, y):.12f}\n" for x, y, arm in rows)
    (tmp_path / "log.csv").write_text("x1,x2,arm,reward\n" + log)
    for keep in (1.0, 0.25):
        world = linear(tmp_path / "log.csv", keep=keep)
        wanted = [[mean[arm](x, y) for arm in "ab"] for x, y, _ in rows]
        found = world.agents[0].means(world.parameter)
        assert np.allclose(found, 0.5 + keep * (np.array(wanted) - 0.5), atol=1e-9)


def test_the_least_squares_fit_counts_every_row(tmp_path):
    """One number and one context: the weights of rows show in the mean, 3/4 and not 1/2."""
    rows = "1,a,1\n1,a,1\n1,a,1\n1,a,0\n1,b,0\n1,b,1\n1.0,b,0\n1.0,b,1\n1.0,a,1\n1.0,a,1\n"
    (tmp_path / "log.csv").write_text("x1,arm,reward\n" + rows)
    world = linear(tmp_path / "log.csv", keep=0.5)  # two texts, one number
    assert np.allclose(world.agents[0].means(world.parameter), [[0.5 + 0.5 * (5 / 6 - 0.5), 0.5]] * 2)


def test_the_share_that_is_kept_is_the_largest_allowed(tmp_path):
    """Six differences of 1/2 are weights 1/sqrt2 each: of the squared norm 1/2 + 3 keep^2 at most 1 is allowed."""
    (tmp_path / "log.csv").write_text("context,a,b\nx,1,0\ny,0,1\nz,1,0\nz,1,0\nz,1,0\n")
    with pytest.raises(InputError, match=r"must be above 0 and at most 0\.4082"):
        linear(tmp_path / "log.csv", keep=0.4083)
    world = linear(tmp_path / "log.csv", keep=0.4082)
    assert 0.999 < np.linalg.norm(world.parameter) <= 1


BAD_LINEAR = {
    "x1,arm,reward\nsoft,a,1\nsoft,b,0\n": "columns x1, x2, ... must be numbers in a linear world",
    "x1,arm,reward\ninf,a,1\ninf,b,0\n": "must be finite numbers",
    "x1,x2\n1,1\n": "must begin with",
    "x1,arm,reward\n1,a,1\n": "has 1 arm",
    "context,"
    + ",".join(map(str, range(1100)))
    + "\nx"
    + ",1" * 1100
    + "\n": "needs more than 1000000 numbers",
}


@pytest.mark.parametrize("text", BAD_LINEAR)
def test_a_bad_file_of_a_linear_world(text, tmp_path):
    (tmp_path / "bad.csv").write_text(text)
    with pytest.raises(InputError) as refused:
        linear(tmp_path / "bad.csv")
    assert BAD_LINEAR[text] in str(refused.value)
