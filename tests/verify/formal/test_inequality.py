"""Inequalities between real expressions: what is proved, what is refuted with a model, what stays open."""

import math
import re
from itertools import product

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from bounds.errors import InputError
from verify import prove
from verify.formal.inequality import _compared, _known, decide
from verify.verdict import Verdict

x, y, z = sp.symbols("x y z", real=True)
POSITIVE = (sp.And(x > 0, y > 0),)


def test_amgm_is_proved_with_its_text_and_what_is_false_comes_back_with_its_counterexample():
    result = decide(sp.Ge(x / y + y / x, 2), POSITIVE)
    assert result.verdict is Verdict.Z3
    assert any("(check-sat)" in text for text in result.smt2)
    result = decide(sp.Ge(x / y + y / x, 3), POSITIVE)
    assert result.verdict is Verdict.REFUTED
    a, b = sp.Rational(result.model["x"]), sp.Rational(result.model["y"])
    assert min(a, b) > 0
    assert a / b + b / a < 3


def test_a_denominator_of_unknown_sign_proves_nothing():
    # z3 lets x/0 be anything: without the sign of z nothing may be concluded.
    assert decide(sp.Ge(1 / z, 0), []).verdict is Verdict.REFUTED
    assert decide(sp.Ge(z**2 + 1, 1 / z), [sp.Ge(z * z, 4)]).verdict is Verdict.UNDECIDED


@pytest.mark.parametrize(
    ("text", "assumptions", "verdict"),
    [
        ("x**2 >= 2*x - 0.99999999999999999999", [], "refuted"),  # numbers are not rounded to floats
        ("x > 1", ["x > 0.9999999999999999999999"], "refuted"),
        ("1e-400 > 0", [], "proved"),
        ("exp(y) <= 3", ["x > 0", "x*y <= x"], "undecided"),  # not refuted at x = 0
        ("x/x == 1", [], "undecided"),  # what has no value everywhere is not proved, though sympy cancels it
        ("x/x == 1", ["x != 0"], "proved"),
        ("1/x**2 > 0", ["x != 0"], "proved"),
        ("x**2/x < 1", ["x <= 0"], "undecided"),
        ("exp(log(x)) == x", [], "undecided"),
        ("sqrt(x)**2 <= 0", ["x <= 0"], "undecided"),
        ("(1e1000)**100*x >= x", ["x >= 0"], "undecided"),
    ],
)
def test_numbers_are_exact_and_terms_must_have_values(text, assumptions, verdict):
    assert prove(text, assumptions).verdict == verdict


@pytest.mark.parametrize(
    "term", ["1/0", "0/0", "Abs(log(0))", "sqrt(0 - 1)", "(0 - 8)**(1/3)", "1e9999", "log()"]
)
def test_a_term_without_a_value_is_refused(term):
    with pytest.raises(InputError):
        prove(f"x <= {term}")


def _terms() -> st.SearchStrategy[str]:
    """Terms over x, y and small numbers that sympy likes to simplify: quotients, roots and logarithms of each other."""
    leaves = st.sampled_from(["x", "y", "0", "1", "2", "0.1"])
    return st.recursive(
        leaves,
        lambda t: st.one_of(
            st.tuples(t, st.sampled_from(["+", "-", "*", "/"]), t).map(lambda p: f"({' '.join(p)})"),
            t.map(lambda u: f"sqrt({u})"),
            t.map(lambda u: f"({u})**2"),
            t.map(lambda u: f"Abs({u})"),
        ),
        max_leaves=5,
    )


@settings(max_examples=30)
@given(
    st.tuples(_terms(), _terms(), st.sampled_from(["<=", "<", "=="])),
    st.sampled_from([[], ["x >= 0"], ["x > 0", "y >= 1"]]),
)
def test_nothing_false_or_without_a_value_is_proved(parts, assumed):
    text = f"{parts[0]} {parts[2]} {parts[1]}"
    try:
        proved = bool(prove(text, assumed, milliseconds=100))
    except InputError:
        return
    if proved:
        # by Python's own arithmetic, which knows no sympy: ZeroDivisionError and ValueError are no values
        for a, b in product((-2.0, -0.5, 0.0, 0.25, 1.0, 3.0), repeat=2):
            names = {"x": a, "y": b, "sqrt": math.sqrt, "Abs": abs}
            if all(eval(fact, {}, names) for fact in assumed):
                left, right = (eval(side, {}, names) for side in parts[:2])
                near = 1e-9 * (1 + abs(left) + abs(right))
                assert left <= right + near
                assert parts[2] != "==" or right <= left + near


def test_a_root_needs_a_radicand_shown_non_negative():
    assert decide(sp.Le(2 * sp.sqrt(x * y), x + y), POSITIVE).verdict is Verdict.Z3
    false = sp.Le(2 * sp.sqrt(x * y), x + y - sp.Rational(1, 100))
    assert decide(false, POSITIVE).verdict is Verdict.REFUTED
    assert decide(sp.Ge(sp.sqrt(z), 0), []).verdict is Verdict.UNDECIDED
    assert decide(sp.Ge(sp.sqrt(2), sp.Rational(141, 100)), []).verdict is Verdict.Z3
    assert decide(sp.Ge(sp.sqrt(2), sp.Rational(142, 100)), []).verdict is Verdict.REFUTED


def test_a_solver_without_time_is_undecided():
    hard = sp.Ge(x**6 * y**2 + x**2 * y**6 + z**8 + 1, 4 * x**2 * y**2 * z**2 + z / 1000)
    assert decide(hard, [], milliseconds=1).verdict is Verdict.UNDECIDED


def test_from_contradictory_assumptions_everything_follows():
    assert decide(sp.false, [x > 0, y > x]).verdict is Verdict.REFUTED
    assert decide(sp.false, [x > 0, x < 0]).verdict is Verdict.Z3


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("log(1 + x) <= x", "x > -1"),
        ("log(1 + x) >= x/(1 + x)", "x >= 0"),
        ("exp(-x) <= 1 - x + x**2/2", "x >= 0"),
        ("exp(-x) <= 1/(1 + x)", "x >= 0"),
        ("exp(-x/2) <= 1 - (1 - exp(-1/2))*x", ["x >= 0", "x <= 1"]),
        ("log(x) <= log(y)", ["x > 0", "y >= x"]),
    ],
)
def test_inequalities_with_exp_and_log_are_proved_and_false_twins_refuted(text, given):
    assert prove(text, given)
    left, sign, right = re.split(r" (<=|>=) ", text)
    less = "- 1/100" if sign == "<=" else "+ 1/100"
    false = prove(f"{left} {sign} {right} {less}", given)
    assert not false
    assert false.counterexample


LAW = ["0 <= p[a] <= 1", "sum(p[a] for a in arms) == 1"]


@pytest.mark.parametrize(
    ("text", "given", "verdict"),
    [
        ("sum(D[a]/(K + g*D[a]) for a in others) <= (K - 1)/g", ["D[a] >= 0", "g > 0"], "proved"),
        ("sum(D[a]/(K + g*D[a]) for a in others) <= (K - 2)/g", ["D[a] >= 0", "g > 0"], "refuted"),
        ("sum(p[a]**2 for a in arms) >= 1/K", LAW, "proved"),
        ("sum(p[a]**2 for a in arms) > 1/K", LAW, "refuted"),
        ("sum(p[a]**2 for a in arms) <= 1", LAW, "proved"),
        ("sum(p[a]*D[a] for a in arms) <= 1", [*LAW, "D[a] <= 1"], "proved"),
        ("sum(p[a]*D[a] for a in arms) <= 1", [*LAW, "D[a] <= K"], "refuted"),
        ("sum(1/p[a] for a in arms) >= K**2", ["p[a] > 0", "sum(p[a] for a in arms) >= 1"], "refuted"),
        ("sum(p[a] for a in arms)**2 <= K*sum(p[a]**2 for a in arms)", [], "undecided"),
        ("sum(p[a] for a in arms)**2 <= K*sum(p[a]**2 for a in arms)", "K == 3", "proved"),
    ],
)
def test_sums_over_arms(text, given, verdict):
    found = prove(text, given)
    assert found.verdict == verdict, found
    assert (verdict == "proved") is bool(found.smt2) or found.counterexample
    assert ("for every K" in found.why) is (verdict == "undecided")
    if verdict == "proved" and "K == 3" not in given:
        assert "induction, not asked of z3" in found.why
    assert "\\sum_a" in found._repr_latex_()


def test_log_of_what_may_be_negative_decides_nothing():
    assert '--given "x > 0"' in prove("log(x) <= x").why


@given(st.fractions(-6, 6, max_denominator=50), st.fractions(-6, 6, max_denominator=50))
def test_what_the_solver_is_told_of_exp_and_log_is_true(first, second):
    a, b = (sp.Rational(v.numerator, v.denominator) for v in (first, second))
    hidden = {sp.exp(x, evaluate=False): sp.Symbol("e"), sp.exp(y, evaluate=False): sp.Symbol("f")}
    values = {sp.Symbol("e"): sp.exp(a), sp.Symbol("f"): sp.exp(b), x: a, y: b}
    if a > 0 and b > 0:
        hidden |= {sp.log(x, evaluate=False): sp.Symbol("l"), sp.log(y, evaluate=False): sp.Symbol("m")}
        values |= {sp.Symbol("l"): sp.log(a), sp.Symbol("m"): sp.log(b)}
    if b != 0:
        hidden[sp.exp(b, evaluate=False)] = sp.Symbol("c")
        values[sp.Symbol("c")] = sp.exp(b)
    facts = [fact for pair in hidden.items() for fact in _known(*pair)] + _compared(hidden)
    assert all(fact.subs(values) == True for fact in facts)  # noqa: E712 (sympy's own truth)
