"""The constants that variant best prints against what Coq says.

Its theorems are compared with `of`, `best(None)` and `best(2)` (proofs/statements.toml). What is printed and run goes
through `best(K)`; sums over epochs are computed a second time in tests/second.
"""

import math
from fractions import Fraction as F
from typing import Any

import pytest
import sympy
from refused import answered

from bounds.best.constant import best, of
from bounds.best.parameters import ANY_SCHEDULE, DOUBLING
from bounds.best.regret import doubling_over_g, over_g
from bounds.theorems import thm_global_regret

SETS = (ANY_SCHEDULE, DOUBLING)
MULTIPLIERS = (F(1, 10), F(2, 3), F(77, 100), F(1), F(355, 113))

# BestParameters.v: doubling_arms, doubling_risk.
DOUBLING_ARMS = F(34247158136673, 72473537500000)
DOUBLING_RISK = F(6730457456051523, 2898941500000000)


def rational(value: Any) -> F:
    """A sympy rational as a Fraction; anything else is an error, so the comparison is exact."""
    exact = sympy.sympify(value)
    assert exact.is_Rational, value
    return F(int(exact.p), int(exact.q))


@pytest.mark.parametrize("doubling", [False, True])
def test_the_printed_constant_is_the_formula_of_the_kernel(doubling):
    """The squares are rational and equal; the float that is printed is the root of that rational, rounded."""
    for arms in range(3, 61):
        constant, said = best(arms, doubling=doubling), of(SETS[doubling], sympy.Integer(arms))
        for g in MULTIPLIERS:
            value = rational(said.at(sympy.Rational(g.numerator, g.denominator) ** 2))
            assert (constant.at(g**2), constant.over(g)) == (value, value / g)
        squared, g2 = rational(said.over_g_squared), constant.best_multiplier_squared
        assert constant.over_g_squared == squared
        assert constant.at(g2) ** 2 == squared * g2
        printed = over_g(arms, doubling=doubling)
        assert printed == constant.over_g
        # the rational is rounded to a float and the root again: an ulp
        assert abs(F(printed) ** 2 / squared - 1) < F(1, 2**51)
    assert doubling_over_g(7, 1.0) == over_g(7, doubling=True)


def test_two_arms():
    for doubling in (False, True):
        constant = best(2, doubling=doubling)
        assert all(constant.at(g**2) == F(1, 2) + F(9, 4) * g**2 for g in MULTIPLIERS)
        assert constant.best_multiplier_squared == F(2, 9)
        assert constant.over_g_squared == F(9, 2)
        assert over_g(2, doubling=doubling) == math.sqrt(4.5)


@pytest.mark.parametrize("doubling", [False, True])
def test_the_expression_that_is_printed_is_at_least_the_constant(doubling):
    """The closed form rounds a and b up at the fifth decimal: above the constant, by less than 2e-5 of it."""
    for arms in range(2, 61):
        shown = float(over_g(sympy.Integer(arms), doubling=doubling))
        exact = best(arms, doubling=doubling).over_g
        assert exact <= shown
        assert arms == 2 or shown <= exact * (1 + 2e-5)


@pytest.mark.fedigw
@pytest.mark.parametrize("arms", [2, 3, 40])
def test_the_theorem_is_printed_with_every_hypothesis(arms, capsys):
    """The value is that of the constant under doubling, so the schedule, the risk and g belong to what it needs."""
    from verify.papers.fedigw.claims.lem_epoch_regret_bound import best as epoch_regret

    words = ["M=10", f"K={arms}", "T=1e4", "A=2"]
    needs = answered(capsys, "bound", "thm:global_regret", "--variant", "best", "--set", *words)["hypotheses"]
    assert set(epoch_regret.HYPOTHESES) <= set(needs)
    for part in ("c = 1", "at least two arms", "2, 2, 4, 8, ...", "e_l = min(1, A/n)"):
        assert any(part in line for line in needs), part
    (stated,) = [line for line in needs if "g^2 = " in line]
    g2 = max(1 - F(1, arms), 1 - F(2, arms) + DOUBLING_ARMS) / DOUBLING_RISK
    shown = "H4 with g^2 = 2/9 " if arms == 2 else f"max(1-1/K, 1-2/K+a)/b = {float(g2):.6f},"
    assert shown in stated


def test_the_other_variants_are_printed_with_h1_to_h5_schedule_risk_and_c():
    parameters = {"M": 10, "K": 3, "T": 1000, "A": 2.0, "c": 1.0}
    assert thm_global_regret.VARIANTS == ("printed", "repaired", "sharpened")
    for variant in thm_global_regret.VARIANTS:
        report = thm_global_regret.GeneralRegret().evaluate(variant, "regret", None, parameters)
        assert report.hypotheses[: len(thm_global_regret.HYPOTHESES)] == thm_global_regret.HYPOTHESES
        lengths, risk, c, rate = report.hypotheses[len(thm_global_regret.HYPOTHESES) :]
        assert rate.startswith("H4 with g^2 = ")
        assert "2, 2, 4, 8" in lengths
        assert ("min(1, A/n)" if variant == "sharpened" else "= A/n") in risk
        assert f"c = {2 if variant == 'printed' else 1} " in c
