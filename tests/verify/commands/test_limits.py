"""Commands that ask for too much, or are written wrongly, say so in a line; the library speaks of arguments."""

import subprocess
import sys
from pathlib import Path

import pytest
from refused import refused

import verify
from bounds.errors import InputError
from verify import cli
from verify.instances import parse

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(autouse=True)
def at_home(monkeypatch):
    monkeypatch.chdir(ROOT)


def test_a_protocol_may_be_set_by_name(capsys):
    assert cli.main(["simulate", "examples/linear.toml", "--set", "protocol=cg", "horizon=8"]) == 0
    assert "cg" in capsys.readouterr().out
    assert cli.main(["simulate", "examples/linear.toml", "--set", "protocol=nan"]) == 2


def test_nothing_asked_is_answered_with_help(capsys):
    """And is no success: a script whose command came out empty has checked nothing."""
    assert cli.main([]) == 2
    said = capsys.readouterr()
    assert "simulate" in said.out
    assert "COMMAND" in said.err
    assert said.err.count("\n") == 1


def test_the_library_speaks_of_arguments():
    with pytest.raises(InputError) as mistyped:
        verify.simulate("examples/linear.toml", horizn=5)
    assert "did you mean 'horizon'?" in str(mistyped.value)
    assert "--" not in str(mistyped.value)
    with pytest.raises(InputError) as missing:
        verify.bound("col:finite", M=3)
    assert "--" not in str(missing.value)


def test_a_file_that_shadows_a_package_is_named(tmp_path):
    (tmp_path / "linear.py").write_text("")
    program = f"import sys; sys.path[:0] = [{str(tmp_path)!r}, {str(ROOT)!r}]; from verify import simulate"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert f"linear = {tmp_path / 'linear.py'}: stands in the way" in done.stderr
    assert verify.foreign_sibling() is None


@pytest.mark.parametrize(
    ("link", "said"),
    [({"participants": 2}, "who speaks when"), ({"encoder": {"name": "masks"}}, "hides single messages")],
)
def test_rivals_refuse_links_that_they_cannot_use(link, said):
    world = {"name": "finite_contexts", "dimension": 2, "contexts": 2, "arms": 2, "agents": 3, "seed": 1}
    table = {"kind": "linear", "horizon": 8, "environment": world, "link": link}
    with pytest.raises(InputError, match=said):
        verify.simulate(table, system="async_linucb", replications=2)


def test_a_rival_may_lose_more_than_the_worst_arm_on_average():
    """Regret is that of the contexts that came: with few steps they may all be the worst ones."""
    world = {"name": "finite_contexts", "dimension": 2, "contexts": 6, "arms": 2, "agents": 1, "seed": 2}
    table = {"kind": "linear", "horizon": 2, "environment": world}
    found = verify.simulate(table, system="fedlinucb", replications=200)
    on_average = sum(parse(table).world.largest_losses([2]))
    assert found.regret.max() > on_average  # else the test would show nothing
    assert found.regret.max() <= 2


def test_losses_whose_squares_are_no_floats_are_too_large():
    """Denominators of hundreds of digits: the window of the lattice overflowed."""
    functions = [[["1/2", "1/" + "7" * 160]], [["1/3", "999999999/1000000007"]]]
    table = {"kind": "finite_class", "horizon": 200, "truth": 0, "functions": functions}
    with pytest.raises(InputError, match="too large for the exact law"):
        verify.exact(table | {"agents": [{"contexts": ["1"]}]})


def test_a_schedule_that_is_not_used_is_still_read():
    table = {"kind": "finite_class", "horizon": 3, "truth": 0, "functions": [[["1/2", "0"]], [["1/2", "1"]]]}
    table |= {"agents": [{"contexts": ["1"], "epochs": [1, 2]}]}
    assert verify.simulate(table, replications=2).mean >= 0
    with pytest.raises(InputError, match="schedule"):
        verify.simulate(table | {"schedule": float("nan")}, replications=2)


def test_an_estimate_that_runs_away_is_reported():
    """Its square is no number: neither a warning of numpy's nor an infinite risk comes out."""
    table = {"kind": "linear", "horizon": 24, "protocol": {"name": "ef21"}, "agents": [{}] * 10}
    table |= {"attack": {"name": "sign_flip", "agents": [0, 3], "scale": 20}, "parameter": ["9/10", "1/10"]}
    table |= {
        "features": [[["1", "0"], ["0", "1"]]],
        "link": {"aggregator": {"name": "trimmed_mean", "cut": 0}},
    }
    with pytest.raises(InputError, match="no number any more"):
        verify.simulate(table, replications=2)


def test_a_kind_that_is_no_word_is_refused_with_settings_too(tmp_path, capsys):
    path = tmp_path / "list.toml"
    path.write_text('kind = [["1/2"]]\nhorizon = 4\nprotocol = {name = "cg"}\n')
    refused(capsys, ["simulate", str(path), "--set", "rounds=2"], "kind")


def test_classes_are_everybodys(tmp_path, capsys):
    """10,000 agents and 1e4 functions are no 1e8 tables: what is too much is the million replications."""
    path = tmp_path / "large.toml"
    sizes = "functions = 10000, contexts = 2, arms = 2, agents = 10000"
    path.write_text(
        f'kind = "finite_class"\nhorizon = 1000\nenvironment = {{name = "random_table", {sizes}}}\n'
    )
    refused(capsys, ["simulate", str(path), "--replications", "1000000"], "--replications = 1000000: about")


@pytest.mark.parametrize(
    ("words", "said", "digits"),
    [
        ("simulate examples/gossip.toml --set environment.agents=20000", "agents = 20000", 4),
        (
            "simulate examples/rivals.toml --system fedlinucb --set horizon=1000000000",
            "horizon = 1000000000",
            8,
        ),
        ("fit examples/dataset.toml --set local_steps=100000000", "protocol.local_steps = 100000000", 7),
        ("simulate examples/linear.toml --replications 100000000", "--replications = 100000000", 7),
        ("calibrate --campaigns 1000000000", "--campaigns = 1000000000", 7),
    ],
)
def test_sizes_have_stated_maxima(words, said, digits, capsys):
    assert cli.main(words.split()) == 2
    assert capsys.readouterr().err == f"verify: {said}: must be at most {10**digits}\n"


def test_what_runs_out_of_memory_ends_in_a_line():
    program = (
        "from verify import guard; guard.limit_to_free_memory = lambda: guard.limit_memory(1 << 30);"
        "from verify.__main__ import console; console()"
    )
    words = ["simulate", "examples/rivals.toml", "--system", "fn_ucb", "--set", "width=100000"]
    done = subprocess.run(
        [sys.executable, "-c", program, *words], capture_output=True, text=True, check=False
    )
    assert done.stderr == "verify: simulate: ran out of memory; make it smaller\n"
