"""simulate: intervals called what they are, bounds with their verdicts, and ledgers held to what was declared."""

import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from refused import answered

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
