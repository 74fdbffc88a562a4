"""The numbers that variant best prints against what Coq says: two methods, the second one written out here.

Its theorems are compared with `of`, `best(None)` and `best(2)` (proofs/statements.toml). What is
printed and run goes through `best(K)`, epoch sums and learning rates, here held to the same right-hand side.
"""

import math
from collections.abc import Iterator
from fractions import Fraction as F
from itertools import pairwise
from random import Random
from typing import Any

import mpmath
import pytest
import sympy
from refused import answered

from bounds.best.constant import best, of
from bounds.best.parameters import ANY_SCHEDULE, DOUBLING
from bounds.best.regret import doubling_over_g, over_g
from bounds.theorems import col_finite, thm_global_regret

SETS = (ANY_SCHEDULE, DOUBLING)
FINITE = col_finite.FiniteRegret()
MULTIPLIERS = (F(1, 10), F(2, 3), F(77, 100), F(1), F(355, 113))

# BestParameters.v: doubling_arms, doubling_risk; two_arm_constant. FiniteRegretBest.v: kappa.
DOUBLING_ARMS = F(34247158136673, 72473537500000)
DOUBLING_RISK = F(6730457456051523, 2898941500000000)
KAPPA = F(46368, 100000)

# A sum of at most 41 positive floats, each the result of a dozen operations: 53 roundings of 1.2e-16 are below 1e-14.
# The other path has 40 digits.
TOLERANCE = 1e-12


def rational(value: Any) -> F:
    """A sympy rational as a Fraction; anything else is an error, so the comparison is exact."""
    exact = sympy.sympify(value)
    assert exact.is_Rational, value
    return F(int(exact.p), int(exact.q))


@pytest.mark.parametrize("doubling", [False, True])
def test_the_printed_constant_is_the_formula_of_the_kernel(doubling: bool) -> None:
    for arms in range(3, 61):
        constant = best(arms, doubling=doubling)
        for g in MULTIPLIERS:
            said = of(SETS[doubling], sympy.Integer(arms)).at(sympy.Rational(g.numerator, g.denominator) ** 2)
            assert constant.at(g**2) == rational(said)
            assert constant.over(g) == rational(said) / g


@pytest.mark.parametrize("doubling", [False, True])
def test_the_printed_constant_over_g_is_the_formula_of_the_kernel(doubling: bool) -> None:
    """The squares are rational and equal; the float that is printed is the root of that rational, rounded."""
    for arms in range(3, 61):
        constant = best(arms, doubling=doubling)
        squared = rational(of(SETS[doubling], sympy.Integer(arms)).over_g_squared)
        assert constant.over_g_squared == squared
        assert (
            constant.at(constant.best_multiplier_squared) ** 2 == squared * constant.best_multiplier_squared
        )
        printed = over_g(arms, doubling=doubling)
        assert printed == constant.over_g
        # the rational is rounded to a float and the root again: an ulp
        assert abs(F(printed) ** 2 / squared - 1) < F(1, 2**51)
    assert doubling_over_g(7, 1.0) == over_g(7, doubling=True)


def test_two_arms() -> None:
    for doubling in (False, True):
        constant = best(2, doubling=doubling)
        assert all(constant.at(g**2) == F(1, 2) + F(9, 4) * g**2 for g in MULTIPLIERS)
        assert constant.best_multiplier_squared == F(2, 9)
        assert constant.over_g_squared == F(9, 2)
        assert over_g(2, doubling=doubling) == math.sqrt(4.5)


@pytest.mark.parametrize("doubling", [False, True])
def test_the_expression_that_is_printed_is_at_least_the_constant(doubling: bool) -> None:
    """The closed form rounds a and b up at the fifth decimal: above the constant, by less than 2e-5 of it."""
    for arms in range(2, 61):
        shown = float(over_g(sympy.Integer(arms), doubling=doubling))
        exact = best(arms, doubling=doubling).over_g
        assert exact <= shown
        assert arms == 2 or shown <= exact * (1 + 2e-5)


def lengths_until(horizon: int) -> list[tuple[int, int]]:
    """(E^l, its part before the horizon) of lengths 2, 2, 4, 8, ... in L = ceil(log2 T) epochs."""
    epochs = max(1, (horizon - 1).bit_length())
    full = [2] + [2 ** (l - 1) for l in range(2, epochs + 1)]
    start = 0
    rows = []
    for length in full:
        rows.append((length, min(length, horizon - start)))
        start += length
    assert start >= horizon > start - full[-1]
    return rows


def constants(arms: int) -> tuple[Any, Any]:
    """(C/g, g^2) of the formal statement, in mpmath."""
    if arms == 2:
        return 3 / mpmath.sqrt(2), mpmath.mpf(2) / 9
    a, b = (mpmath.mpf(x.numerator) / x.denominator for x in (DOUBLING_ARMS, DOUBLING_RISK))
    part = max(1 - mpmath.mpf(1) / arms, 1 - mpmath.mpf(2) / arms + a)
    g2 = part / b
    return (part + b * g2) / mpmath.sqrt(g2), g2


def risk(agents: int, length: int, functions: int) -> Any:
    kappa = mpmath.mpf(KAPPA.numerator) / KAPPA.denominator
    return min(mpmath.mpf(1), mpmath.log(functions) / (kappa * agents * length))


def right_hand_side(agents: int, arms: int, horizon: int, functions: int) -> Any:
    """2M(1-1/K) + sum_{l>=2} min(M E^l, (C/g) K M E^l sqrt(e_{l-1}/K)) to 40 digits, the last epoch cut at T."""
    with mpmath.workdps(40):
        (_, first), *_ = rows = lengths_until(horizon)
        constant, _ = constants(arms)
        total = first * agents * (1 - mpmath.mpf(1) / arms)
        for (before, _), (_, played) in pairwise(rows):
            root = mpmath.sqrt(risk(agents, before, functions) / arms)
            total += min(mpmath.mpf(agents * played), constant * arms * agents * played * root)
        return total


def close(value: float, exact: Any) -> bool:
    with mpmath.workdps(40):
        return bool(abs(value / exact - 1) < TOLERANCE)


def random_systems(count: int, largest_horizon: float, seed: int) -> Iterator[tuple[int, int, int, int]]:
    """(M, K, T, |F|), log-uniform, with the smallest values drawn often."""
    draw = Random(seed)

    def between(low: int, high: float) -> int:
        return low if draw.random() < 0.1 else int(low * math.exp(draw.random() * math.log(high / low)))

    for _ in range(count):
        yield between(1, 1e4), between(2, 200), between(3, largest_horizon), between(2, 1e6)


def test_the_epoch_sum_that_is_printed_is_the_right_hand_side_of_the_kernel() -> None:
    shares = []
    for agents, arms, horizon, functions in random_systems(400, 1e12, 1):
        exact = right_hand_side(agents, arms, horizon, functions)
        parameters = {"M": agents, "K": arms, "T": horizon, "F": functions}
        report = FINITE.evaluate("best", "regret", None, parameters)
        assert close(report.value, exact), (agents, arms, horizon, functions)
        shares.append(report.value / report.trivial)
    assert sum(share < 0.1 for share in shares) > 50  # both sides of the caps were met
    assert sum(share > 0.9 for share in shares) > 50


def test_the_comparison_notices_another_constant() -> None:
    """Negative control: one more arm, agent, step or function and the fifth decimal of a constant are all seen."""
    value = FINITE.evaluate("best", "regret", None, {"M": 20, "K": 5, "T": 10**5, "F": 100}).value
    assert close(value, right_hand_side(20, 5, 10**5, 100))
    assert not close(value, right_hand_side(20, 6, 10**5, 100))
    assert not close(value, right_hand_side(21, 5, 10**5, 100))
    assert not close(value, right_hand_side(20, 5, 10**5 + 1, 100))
    assert not close(value, right_hand_side(20, 5, 10**5, 101))
    rounded = float(over_g(sympy.Integer(5), doubling=True)) / over_g(5, doubling=True)
    assert not close(value * rounded, right_hand_side(20, 5, 10**5, 100))


@pytest.mark.parametrize("arms", [2, 3, 40])
def test_the_theorem_is_printed_with_every_hypothesis(arms: int, capsys: pytest.CaptureFixture[str]) -> None:
    """The value is that of the constant under doubling, so the schedule, the risk and g belong to what it needs."""
    from verify.papers.fedigw.claims.lem_epoch_regret_bound import best as epoch_regret

    words = ["M=10", f"K={arms}", "T=1e4", "A=2"]
    needs = answered(capsys, "bound", "thm:global_regret", "--variant", "best", "--set", *words)["hypotheses"]
    assert set(epoch_regret.HYPOTHESES) <= set(needs)
    for part in ("c = 1", "at least two arms", "2, 2, 4, 8, ...", "e_l = min(1, A/n)"):
        assert any(part in line for line in needs), part
    (stated,) = [line for line in needs if "g^2 = " in line]
    _, g2 = constants(arms)
    shown = "H4 with g^2 = 2/9 " if arms == 2 else f"max(1-1/K, 1-2/K+a)/b = {float(g2):.6f},"
    assert shown in stated


def test_the_other_variants_are_printed_with_h1_to_h5_schedule_risk_and_c() -> None:
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
