"""The evidence for variant best: every check confirms, every control is refuted, and the corollary's numbers."""

import dataclasses
import math
from fractions import Fraction as F

import numpy as np
import pytest
import sympy as sp

from bounds.best.constant import best
from bounds.best.regret import KAPPA, finite_closed_form, finite_epoch_sum, over_g
from bounds.constants.kappa import certify_kappa
from bounds.proofs import Chain, Hypothesis, discover_chains
from bounds.proofs.engine.mutation import killed, mutants
from bounds.symbols import symbol
from verify.claim import Check, Task
from verify.formal import best_constant
from verify.verdict import Verdict

TASK = Task("quick", np.random.SeedSequence(3), 0.01)
FAST = [
    check for check in best_constant.checks() if check.name != "best-steps"
]  # the chains have their own tests


@pytest.mark.parametrize("check", FAST, ids=lambda c: c.name)
def test_check_confirms_and_its_control_is_refuted(check: Check) -> None:
    assert check.run(TASK).kind.confirms
    assert check.control(TASK).kind is Verdict.REFUTED


def test_deleting_a_side_condition_is_refuted_with_a_model() -> None:
    evidence = best_constant.checks()[0].control(TASK)
    assert evidence.kind is Verdict.REFUTED
    assert evidence.figures["model"]


@pytest.mark.long
def test_all_steps_and_links_are_proved() -> None:
    evidence = best_constant.proof_steps(TASK)
    assert evidence.kind is Verdict.PROVED
    assert "read" not in evidence.summary  # no joint is left to a reader
    assert evidence.figures["steps"] > 500


def test_the_theorem_is_proved() -> None:
    assert best_constant.VARIANT.expects is Verdict.PROVED
    assert best_constant.by_hand(best_constant.THEOREM) == {}
    assert best_constant.theorem_checks()[0].run(TASK).kind is Verdict.PROVED


def test_the_corollary_rests_on_intervals() -> None:
    evidence = best_constant.corollary_checks()[0].run(TASK)
    assert evidence.kind is Verdict.CERTIFIED
    assert "kappa by intervals" in evidence.summary
    assert "joints" not in evidence.summary


def test_what_is_composed_by_hand_is_never_called_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    from verify.formal import steps as proof_evidence

    def one_by_hand() -> dict[str, Chain]:
        return {
            c.name: dataclasses.replace(
                c, hypotheses=(*c.hypotheses, Hypothesis("on paper", "", sp.true, kind="composition"))
            )
            if c.name == "best: pathwise claim"
            else c
            for c in known
        }

    known = discover_chains()
    monkeypatch.setattr(proof_evidence, "known_chains", one_by_hand)
    assert best_constant.by_hand(best_constant.THEOREM)["best: pathwise claim"] == ("on paper",)
    evidence = best_constant.theorem_checks()[0].run(TASK)
    assert evidence.kind is Verdict.CERTIFIED
    assert "best: pathwise claim (on paper)" in evidence.summary


def test_every_chain_of_the_proof_is_evidence() -> None:
    used = (
        *best_constant.CHAINS,
        *best_constant.THEOREM,
        *best_constant.FINITE_ERROR,
        *best_constant.COROLLARY,
    )
    assert sorted(set(used)) == sorted(c.name for c in discover_chains() if c.variant == "best")


@pytest.mark.long
def test_every_strengthened_step_is_rejected() -> None:
    for chain in discover_chains():
        if chain.variant == "best":
            answers = mutants(chain)
            assert killed(answers) == len(answers), chain.name


def test_the_excess_risk_is_linked_and_rests_on_intervals() -> None:
    evidence = best_constant.kappa_checks()[0].run(TASK)
    assert evidence.kind is Verdict.CERTIFIED
    assert "kappa by intervals" in evidence.summary
    assert "by hand" not in evidence.summary


def test_kappa_evidence() -> None:
    assert certify_kappa(KAPPA, F(104, 100)).proved
    assert best_constant.kappa(TASK).kind is Verdict.CERTIFIED
    assert best_constant.kappa(TASK, F("0.4638")).kind is Verdict.REFUTED


def test_leading_constant_of_the_corollary() -> None:
    # 18.56 with kappa 0.4631, 18.542 with 0.46368; the sharpened variant has 23.95.
    limit = over_g(10**12, doubling=True) * (2 + math.sqrt(2))
    assert limit / math.sqrt(0.4631) == pytest.approx(18.56, abs=0.01)
    assert limit / math.sqrt(KAPPA) == pytest.approx(18.542, abs=1e-3)


@pytest.mark.parametrize("arms", [2, 3, 5, 10])
@pytest.mark.parametrize("horizon", [10**3, 10**6, 2**30])
def test_epoch_sum_is_below_its_closed_form(arms: int, horizon: int) -> None:
    values = {symbol("M"): 10, symbol("K"): arms, symbol("T"): horizon, symbol("F"): 100}
    closed = float(sp.N(finite_closed_form().subs(values)))
    assert finite_epoch_sum(10, arms, 100).value(horizon) <= closed


def test_multiplier_attains_the_constant() -> None:
    for arms in (2, 3, 50):
        for doubling in (False, True):
            c = best(arms, doubling=doubling)
            g = math.sqrt(c.best_multiplier_squared)
            assert (float(c.arms) + float(c.risk) * g * g) / g == pytest.approx(
                over_g(arms, doubling=doubling)
            )


def test_a_theorem_is_no_better_than_the_proofs_it_uses(monkeypatch: pytest.MonkeyPatch) -> None:
    """A broken step far below: what imports it is inconclusive, and says where."""
    from verify.formal import steps as proof_evidence

    report = proof_evidence._report

    class Broken:
        failures = ("own: below",)

    def broken(name: str) -> object:
        return Broken() if name == "best: pathwise claim" else report(name)

    monkeypatch.setattr(proof_evidence, "_report", broken)
    found = proof_evidence.proof(TASK, best_constant.THEOREM)
    assert found.kind is Verdict.INCONCLUSIVE
    assert found.summary == "rests on best: pathwise claim, where own: below is not shown"
