"""What `simulate` prints says which figure it is: the largest replication, a bound that says nothing, a count."""

from pathlib import Path
from typing import Any

import pytest
from refused import answered

from verify.verbs.simulate.text import text

LINEAR = """kind = "linear"
horizon = {T}
environment = {{name = "{name}", agents = {M}, arms = {K}, dimension = {d}}}
"""


def simulated(path: Path, toml: str, capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    path.write_text(toml)
    return answered(capsys, "simulate", str(path), *words)


def line(words: str, start: str) -> str:
    return next(found for found in words.splitlines() if found.startswith(start))


def test_an_observed_bound_that_says_nothing_is_vacuous(tmp_path, capsys):
    """One agent and 32 steps: the ellipsoids allow every loss. With ten agents and 4096 steps they do not."""
    rates = 'learning_rate = "adaptive"\n'
    few = LINEAR.format(T=32, M=1, K=5, d=5, name="finite_contexts") + rates
    short = simulated(tmp_path / "a.toml", few, capsys, "--replications", "3")
    assert short["observed"]["vacuous"]
    assert short["observed"]["vacuous_runs"] == 3
    assert short["observed"]["trivial"] == pytest.approx(31.6)  # epoch 1: two steps at 1 - 1/5
    said = line(text(short), "  observed bound")
    assert "31.6  vacuous: 31.6 is known without learning" in said
    many = LINEAR.format(T=4096, M=10, K=3, d=2, name="finite_contexts") + rates
    long = simulated(tmp_path / "b.toml", many, capsys, "--replications", "3")
    assert not long["observed"]["vacuous"]
    assert long["observed"]["vacuous_runs"] == 0
    assert "vacuous" not in line(text(long), "  observed bound")
    ties = 'kind = "finite_class"\nhorizon = 256\nlearning_rate = {name = "adaptive", delta = 0.9}\n'
    ties += '[environment]\nname = "near_ties"\ngap = "1/10"\ncontexts = 1\narms = 2\nagents = 1\nseed = 0\n'
    some = simulated(tmp_path / "c.toml", ties, capsys, "--replications", "500")
    assert some["observed"]["vacuous_runs"] == some["observed"]["realizability_fails_in"] > 100
    assert (
        some["observed"]["any_law"] > some["observed"]["bound"] > some["regret"]["mean"]
    )  # no run exceeds its own
    assert "runs: they count as 255, which" in line(text(some), "  observed bound")


def test_replications_without_a_function_left_are_one_line(tmp_path, capsys):
    world = LINEAR.format(T=32, M=1, K=5, d=5, name="finite_contexts") + 'learning_rate = "adaptive"\n'
    found = simulated(tmp_path / "a.toml", world, capsys, "--replications", "8")
    assert "no function" not in text(found)
    fails = [{"replication": r, "samples": 10 + r} for r in range(2, 7)]
    found["observed"] |= {"realizability_fails": fails, "realizability_fails_in": 6}
    said = [one for one in text(found).splitlines() if "no function" in one]
    assert len(said) == 1
    assert "in 6 of 8 replications (first noted after 12 samples of replication 2)" in said[0]


def test_only_estimates_that_are_not_clipped_are_called_so(tmp_path, capsys):
    world = LINEAR.format(T=32, M=2, K=3, d=2, name="finite_contexts")
    for protocol, told in (("direct", True), ("posterior_mean", False)):
        found = simulated(
            tmp_path / "a.toml", world + f'protocol = "{protocol}"\n', capsys, "--replications", "2"
        )
        assert ("is not clipped" in found["regret"]["range_rule"]) == told


def test_what_was_counted_is_the_largest_replication(tmp_path, capsys):
    """A protocol that stops early sends less in some runs: means are listed, and the most is called the most."""
    world = (
        LINEAR.format(T=256, M=3, K=3, d=4, name="sphere")
        + 'protocol = {name = "agd", early_stopping = true}\n'
    )
    found = simulated(tmp_path / "a.toml", world, capsys, "--replications", "6")
    row, traffic = found["bounds"]["numbers"], found["traffic"]
    assert row["measured"] > traffic["numbers_up"] + traffic["numbers_down"]
    assert f"; counted at most {row['measured']:.6g} in a replication" in line(
        text(found), "  numbers at most"
    )
