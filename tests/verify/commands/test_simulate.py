"""simulate: intervals called what they are, bounds with their verdicts, and ledgers held to what was declared."""

import json
import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from refused import answered, refused

from fedigw.applicable import applicable, regret_range
from fedigw.ledger import Traffic
from fedigw.record import load, save
from fedigw.replications import by_messages, simulate
from finite_class.environments import random_table
from finite_class.protocols.exact_minimiser import ExactMinimiser
from linear.environments import finite_contexts, sphere
from linear.personalised.environments import opposite_arms
from linear.protocols.agd import AcceleratedGradient
from verify.cli import main
from verify.recorded import record as recorded
from verify.verbs.simulate.summary import any_violation, summarise
from verify.verbs.simulate.text import text
from verify.verdict import Verdict

ROOT = Path(__file__).resolve().parents[3]
RNG = np.random.default_rng
FEDERATIONS = {
    "finite_class": random_table.make(RNG(0), functions=3, contexts=2, agents=3, horizon=30),
    "linear": finite_contexts.make(RNG(0), dimension=3, arms=3, agents=3, horizon=30),
    "sphere": sphere.make(RNG(0), dimension=3, arms=3, agents=3, horizon=30),
    "linear_personalised": opposite_arms.make(RNG(0), agents=3, horizon=30),
}


def document_of(words: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.chdir(ROOT)
    return answered(capsys, "simulate", *words.split())


def test_two_hundred_runs_that_agree_are_not_called_wide(capsys, monkeypatch):
    """All runs lie in 21886.2-21889.4, and the line read "99% confidence [5603.87, 76784.2]"."""
    words = "examples/federation.toml --replications 200"
    regret = document_of(words, capsys, monkeypatch)["regret"]
    assert 21886 < regret["smallest"] <= regret["mean"] <= regret["largest"] < 21890
    low, high = regret["interval"]
    assert low < regret["mean"] < high < low + 1
    assert regret["standard_error"] < 0.1
    assert regret["level"] == 0.01
    least, most = regret["guaranteed"]
    assert 21886 < least <= low  # no run can lose less than the best function in use
    assert high < most
    assert main(["simulate", *words.split()]) == 0
    printed = capsys.readouterr().out
    assert "approximate 99% interval" in printed
    assert "guaranteed 99% interval" in printed
    assert "allows for rare losses" in printed
    assert "confidence [" not in printed


def test_one_replication_has_no_standard_error():
    federation = FEDERATIONS["linear"]
    document = summarise(federation, simulate(federation, 1, 0))
    assert document["regret"]["standard_error"] is None
    assert document["regret"]["interval"] is None
    assert "one replication" in text(document)


def test_the_range_of_a_run_holds_every_run():
    for federation in FEDERATIONS.values():
        least, most = regret_range(federation)
        total = simulate(federation, 50, 1).total_regret
        assert least - 1e-9 <= total.min() <= total.max() <= most + 1e-9
    for kind in sorted({*FEDERATIONS} - {"sphere"}):  # whose contexts are drawn
        least, _ = regret_range(FEDERATIONS[kind])
        assert least > 0  # uniform play of epoch 1 loses something


def test_uniform_play_loses_what_it_loses_and_the_rest_is_explained():
    """Of a linear world epoch 1 is known; of later ones nothing is, and the printed sentence says why."""
    for kind in ("linear", "linear_personalised"):
        federation = FEDERATIONS[kind]
        first, second = federation.world.epoch_regret_range(federation)[:2]
        lost = simulate(federation, 4, 0).regret
        assert first[0] == first[1] == pytest.approx(lost[0, 0])
        assert second[0] == 0 < lost[:, 1].max() < second[1]
        assert (
            "every step may be the worst arm"
            in summarise(federation, simulate(federation, 4, 0))["regret"]["range_rule"]
        )


def test_student_intervals_end_at_what_is_possible_and_say_so():
    from verify.verbs.simulate.summary import approximate_interval

    total = np.array([0.0, 0.0, 9.0])
    _, _, wide, name = approximate_interval(total)
    assert wide[0] < 0
    assert name == "approximate: Student's t"
    for low, high in ((0.0, 12.0), (0.0, math.inf), (-math.inf, 12.0)):
        _, _, cut, name = approximate_interval(total, (low, high))
        assert cut == [max(low, wide[0]), min(high, wide[1])] != wide
        assert name == "approximate: Student's t, cut at what a run can lose"


@pytest.mark.parametrize("kind", FEDERATIONS)
def test_regret_by_agent_adds_up(kind, tmp_path):
    federation = FEDERATIONS[kind]
    record = simulate(federation, 20, 2)
    assert len(record.per_agent) == 3
    assert sum(record.per_agent) == pytest.approx(record.total_regret.mean(), rel=1e-12)
    assert summarise(federation, record)["per_agent"] == list(record.per_agent)
    save(record, tmp_path / "record.json")
    assert load(tmp_path / "record.json").per_agent == record.per_agent


@pytest.mark.parametrize("kind", FEDERATIONS)
def test_every_bound_has_a_verdict_and_says_whether_it_is_violated(kind):
    federation = FEDERATIONS[kind]
    document = summarise(federation, simulate(federation, 5, 0, audit=True))
    bounds = document["bounds"]
    assert set(bounds) == {"regret", "calls", "rounds", "numbers"}
    for bound in bounds.values():
        assert bound["violated"] is False
        assert Verdict.of(bound) is not Verdict.REFUTED
    for name in ("calls", "rounds", "numbers"):
        assert bounds[name]["measured"] <= bounds[name]["value"]
    numbers = document["traffic"]["numbers_up"] + document["traffic"]["numbers_down"]
    assert numbers <= bounds["numbers"]["measured"] + 1e-9
    claim = {"finite_class": "col:finite", "linear_personalised": "col:linear_per"}.get(kind, "col:linear")
    assert bounds["regret"]["claims"][:2] == ["thm:global_regret", claim]
    weakest = recorded()["verdicts"][claim]["continuous" if kind == "sphere" else "sharpened"]
    assert Verdict.of(bounds["regret"]) is Verdict.of(weakest)
    assert not any_violation(document)


@dataclass(frozen=True)
class Mistaken(ExactMinimiser):
    """Names a statement for its excess risk that is refuted as printed."""

    def guarantee(self, setting: Any) -> Any:
        return replace(super().guarantee(setting), risk_claim="col:finite")


def test_a_refuted_variant_is_not_called_a_bound():
    federation = replace(FEDERATIONS["finite_class"].with_rates("printed"), protocol=Mistaken())
    document = summarise(federation, simulate(federation, 5, 0))
    rows = {row["variant"]: row for row in document["bounds"]["regret"]["variants"]}
    assert rows["printed"]["verdict"] == "refuted"
    assert document["bounds"]["regret"]["variant"] == "repaired"
    line = next(line for line in text(document).splitlines() if line.startswith("  printed"))
    assert "NO GUARANTEE" in line
    assert "bound printed" not in text(document)


@dataclass(frozen=True)
class Modest(AcceleratedGradient):
    """Declares one round a call and sends as many as it needs."""

    def guarantee(self, setting: Any) -> Any:
        promised = super().guarantee(setting)
        assert promised is not None
        return replace(promised, cost=lambda n: Traffic(calls=1, rounds=1, numbers_up=9, numbers_down=9))


def test_a_ledger_above_its_declared_cost_is_violated():
    federation = replace(FEDERATIONS["sphere"], protocol=Modest())
    document = summarise(federation, by_messages(federation, 2, 0))
    assert document["bounds"]["calls"]["violated"] is False
    assert document["bounds"]["rounds"]["violated"] is True
    assert document["bounds"]["numbers"]["violated"] is True
    assert any_violation(document)  # exit status 1
    assert "VIOLATED: agd sent" in text(document)
    honest = replace(FEDERATIONS["sphere"], protocol=AcceleratedGradient())
    assert not any_violation(summarise(honest, by_messages(honest, 2, 0)))


def test_a_regret_above_its_bound_is_violated(monkeypatch):
    federation = FEDERATIONS["finite_class"]
    found = applicable(federation)
    false = replace(found, values={"sharpened": 0.01})
    monkeypatch.setattr("verify.verbs.simulate.summary.applicable", lambda _: false)
    document = summarise(federation, simulate(federation, 100, 0))
    assert document["bounds"]["regret"]["violated"] is True
    assert any_violation(document)
    assert "VIOLATED" in text(document)


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


PRIVATE = "examples/private.toml"
SHORT = ["--replications", "2", "--set", "horizon=64"]
DATA = """
kind = "dataset"
protocol = {name = "noisy_statistics", epsilon = 1, delta = 1e-5}
[[agents]]
features = [[0.6, 0.8], [1.0, 0.0]]
rewards = [1.0, 0.5]
[[agents]]
features = [[0.0, 1.0], [0.1, 0.9]]
rewards = [0.25, 0.5]
"""


def test_simulate_prints_the_privacy_of_the_whole_run(capsys):
    assert main(["simulate", PRIVATE, *SHORT]) == 0
    text = capsys.readouterr().out
    assert "privacy        epsilon 1, delta 1e-05 for the whole run (central: the server is trusted" in text
    assert "no sample is used by two calls, so calls do not add up" in text
    found = answered(capsys, "simulate", PRIVATE, *SHORT)["privacy"]
    assert found["epsilon"] == pytest.approx(1)
    assert (found["delta"], found["where"], found["uses_of_a_sample"], found["missing"]) == (
        1e-5,
        "central",
        1,
        [],
    )


def test_rounds_of_a_call_are_added_up_and_said(capsys):
    words = [
        "simulate", PRIVATE, "--protocol", "noisy_gradients", "--replications", "2", "--set",
        "horizon=1024",
    ]  # fmt: skip
    assert main(words) == 0
    assert "noisy rounds of a call added up" in capsys.readouterr().out


def test_a_protocol_without_privacy_says_nothing_of_it(capsys):
    assert answered(capsys, "simulate", "examples/linear.toml", *SHORT)["privacy"] is None
    assert main(["simulate", "examples/linear.toml", *SHORT]) == 0
    assert "privacy" not in capsys.readouterr().out


def test_fit_prints_the_privacy_of_its_call_and_of_earlier_ones(tmp_path, capsys):
    path = tmp_path / "data.toml"
    path.write_text(DATA)
    assert main(["fit", str(path)]) == 0
    text = capsys.readouterr().out
    assert "privacy      epsilon 1, delta 1e-05 for the whole run (central" in text
    again = ["--set", "privacy.epsilon=2", "privacy.delta=1e-5", "privacy.earlier_calls=2", "--json"]
    assert main(["fit", str(path), *again]) == 0
    found = json.loads(capsys.readouterr().out)["privacy"]
    assert found["uses_of_a_sample"] == 3
    assert found["epsilon"] == pytest.approx(1.8350, abs=1e-4)
    assert main(["fit", str(path), *(w.replace("calls=2", "calls=3") for w in again)]) == 2
    assert "the run spends 2.15468 at delta = 1e-05, 4 calls on the same data" in capsys.readouterr().err
    refused(capsys, ["fit", str(path), "--protocol", "agd", *again], "privacy = agd: adds no noise")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [("[1.0, 0.0]", "[1.5, 0.0]", "norm(phi) > 1"), ("0.25", "1.25", "some reward is outside [0,1]")],
)
def test_data_outside_the_ball_are_not_private(old, new, said, tmp_path, capsys):
    path = tmp_path / "data.toml"
    path.write_text(DATA.replace(old, new))
    assert main(["fit", str(path)]) == 0
    assert f"privacy      none accounted: {said}" in capsys.readouterr().out.replace("some norm", "norm")
    asked = ["--set", "privacy.epsilon=1", "privacy.delta=1e-5"]
    refused(capsys, ["fit", str(path), *asked], "cannot be accounted for")
