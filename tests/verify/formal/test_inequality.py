"""Inequalities between real expressions: what is proved, what is refuted with a model, what stays open."""

import sympy as sp

from verify.formal.inequality import decide
from verify.verdict import Verdict

x, y, z = sp.symbols("x y z", real=True)
POSITIVE = (sp.And(x > 0, y > 0),)


def test_amgm_with_denominators_is_proved_and_its_text_kept() -> None:
    result = decide(sp.Ge(x / y + y / x, 2), POSITIVE)
    assert result.verdict is Verdict.PROVED
    assert any("(check-sat)" in text for text in result.smt2)


def test_a_false_inequality_comes_back_with_its_counterexample() -> None:
    result = decide(sp.Ge(x / y + y / x, 3), POSITIVE)
    assert result.verdict is Verdict.REFUTED
    a, b = sp.Rational(result.model["x"]), sp.Rational(result.model["y"])
    assert a > 0
    assert b > 0
    assert a / b + b / a < 3


def test_a_denominator_of_unknown_sign_is_inconclusive() -> None:
    # z3 lets x/0 be anything: without the sign of z nothing may be concluded.
    assert decide(sp.Ge(1 / z, 0), []).verdict is Verdict.INCONCLUSIVE


def test_a_root_needs_a_radicand_shown_non_negative() -> None:
    assert decide(sp.Le(2 * sp.sqrt(x * y), x + y), POSITIVE).verdict is Verdict.PROVED
    false = sp.Le(2 * sp.sqrt(x * y), x + y - sp.Rational(1, 100))
    assert decide(false, POSITIVE).verdict is Verdict.REFUTED
    assert decide(sp.Ge(sp.sqrt(z), 0), []).verdict is Verdict.INCONCLUSIVE
    assert decide(sp.Ge(sp.sqrt(2), sp.Rational(141, 100)), []).verdict is Verdict.PROVED
    assert decide(sp.Ge(sp.sqrt(2), sp.Rational(142, 100)), []).verdict is Verdict.REFUTED


def test_a_solver_without_time_is_inconclusive() -> None:
    hard = sp.Ge(x**6 * y**2 + x**2 * y**6 + z**8 + 1, 4 * x**2 * y**2 * z**2 + z / 1000)
    assert decide(hard, [], milliseconds=1).verdict is Verdict.INCONCLUSIVE


def test_from_contradictory_assumptions_everything_follows() -> None:
    assert decide(sp.false, [x > 0, y > x]).verdict is Verdict.REFUTED
    assert decide(sp.false, [x > 0, x < 0]).verdict is Verdict.PROVED
