"""Chains forged against the engine: what it refuses, and what it still takes on trust (docs/engine.md).

Each proves something false. A forgery that is refused stays refused; one that is accepted is listed here and on the
page, so that nobody takes `proved` for more than it is, and moves to the first list when a rule catches it.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
import sympy as sp
from chain_examples import GROWS, chain, counting, given, later_r, lemma, passes, r, real, smt, u

from bounds.proofs import (
    At,
    Cases,
    Chain,
    Decision,
    Hypothesis,
    Induction,
    Point,
    Smt,
    Step,
    Summation,
    Supremum,
    Total,
    reals,
)
from bounds.proofs.engine.calculus import Tangent

x, y, z, n, S, W, T, Q, c, b, B, M, t, tt = reals("x y z n S W T Q c b B M t t'")
COUNT = Total(n, sp.Integer(1))
Forged = tuple[Chain, ...]


def a_refuted_step_imported() -> Forged:
    """x >= 5 for every x: it was refuted, and concluded."""
    end = Step("end", sp.Ge(x, 5), ("real",), "", Smt(), expect=Decision.REFUTED)
    user = chain((real(x), lemma(sp.Ge(x, 5))), smt("end", sp.Ge(x, 5), "lemma"))
    return chain((real(x),), end, name="source"), user


def a_branch_that_covers_everything() -> Forged:
    """x <= 0 for every x: the branch itself, at the same values, shows that its case is the only one."""
    low = given("low", sp.Le(x, 0), kind="case")
    end = Step("end", sp.Le(x, 0), ("real", "a", At("a")), "", Cases({"low": "a"}))
    return (chain((real(x), low), smt("a", sp.Le(x, 0), "low"), end),)


def counted_from_zero() -> tuple[Step, ...]:
    every = Induction("ih", "first", "carry", {t: tt}, {t: 0})
    return (
        smt("first", sp.true),
        smt("carry", sp.Ge(tt, 0), "on", "ih"),
        Step("every", sp.Ge(tt, 0), ("first", "carry"), "", every),
    )


def a_value_of_an_induction_of_choice() -> Forged:
    """y >= 0 for every y: the counter is put to y."""
    hypotheses = (given("on", sp.Eq(tt, t + 1)), given("ih", sp.Ge(t, 0), kind="induction"), real(y))
    return (
        chain(
            hypotheses, *counted_from_zero(), smt("end", sp.Ge(y, 0), "real", At("every", {t: y - 1, tt: y}))
        ),
    )


def a_factor_inside_a_sum_of_choice() -> Forged:
    """S = 0 for any x: the factor inside the sum T is put to 5 and to 7, T staying."""
    step = Step("p", sp.Eq(T, c * S), ("zx", "real"), "", Summation("arm", sp.Eq(c * x, c * z)))
    end = smt("end", sp.Eq(S, 0), "zx", At("p", {c: sp.Integer(5)}), At("p", {c: sp.Integer(7)}))
    table = {"indexed": {"arm": (x, z)}, "totals": {"arm": (Total(T, c * x), Total(S, z))}}
    return (chain((given("zx", sp.Eq(z, x)), real(c)), step, end, **table),)


MARKS = given("marks", sp.Or(sp.Eq(x, 0), sp.Eq(x, 1)), kind="hypothesis")
ZERO, ONE = (given(f"x={v}", sp.Eq(x, v), kind="case") for v in (0, 1))


def a_supremum_in_a_case_about_one() -> Forged:
    """sup x <= x for every arm."""
    steps = (
        Step("s0", sp.Le(b, 0), ("marks", "x=0"), "", Supremum(b)),
        smt("a", sp.Le(b, x), "s0", "x=0"),
        Step("s1", sp.Le(b, 1), ("marks", "x=1"), "", Supremum(b)),
        smt("bb", sp.Le(b, x), "s1", "x=1"),
        Step("end", sp.Le(b, x), ("marks", "a", "bb"), "", Cases({"x=0": "a", "x=1": "bb"})),
    )
    return (chain((MARKS, ZERO, ONE), *steps, indexed={"arm": (x,)}, suprema={b: ("arm", x)}),)


def a_point_in_a_case_about_one() -> Forged:
    """Every x equals x at the best arm."""
    star = reals("x_star")[0]
    steps = (
        smt("a", sp.Eq(x, star), "x=0", At("x=0", point="star")),
        smt("bb", sp.Eq(x, star), "x=1", At("x=1", point="star")),
        Step("end", sp.Eq(x, star), ("marks", "a", "bb"), "", Cases({"x=0": "a", "x=1": "bb"})),
    )
    table = {"indexed": {"arm": (x,)}, "points": {"star": Point("arm", {x: star})}}
    return (chain((MARKS, ZERO, ONE), *steps, **table),)


def a_point_that_keeps_what_varies() -> Forged:
    """S = 0 for every policy: at the star x is 0 and S is still S."""
    step = Step("s", sp.Eq(S, x * n), ("zx", "real"), "", Summation("agent", sp.Eq(z, x)))
    zero = sp.Integer(0)
    table = {
        "indexed": {"policy": (x, S, z), "agent": (z,)},
        "totals": {"agent": (Total(S, z), COUNT)},
        "points": {"star": Point("policy", {x: zero, S: S, z: zero})},
    }
    return (
        chain(
            (given("zx", sp.Eq(z, x)), real(S, n)),
            step,
            smt("end", sp.Eq(S, 0), At("s", point="star")),
            **table,
        ),
    )


def now_and_next_as_one() -> Forged:
    """z >= 5 for every z: r and its next value are renamed to one symbol."""
    every = Induction("before", "first", "carry", {r: later_r}, {r: 5})
    source = chain(
        (given("up", sp.Ge(later_r, r)), given("before", sp.Ge(r, 5), kind="induction")),
        smt("first", sp.true),
        smt("carry", sp.Ge(later_r, 5), "up", "before"),
        Step("end", sp.Ge(later_r, 5), ("first", "carry"), "", every),
        name="source",
    )
    both = Hypothesis("lemma", "", sp.Ge(z, 5), kind="lemma", source="source/end", renamed={r: z, later_r: z})
    return source, chain((real(z), both), smt("end", sp.Ge(z, 5), "lemma"))


def the_last_step_through_a_lemma() -> Forged:
    """r stays 0 though it grows by u: that u = 0 in the last step comes by a lemma."""
    last = given("last", sp.Eq(u, 0), once=True)
    source = chain((GROWS, last), smt("end", sp.Eq(later_r, r), "grows", "last"), name="source")
    zero = given("zero", sp.Eq(r, 0), kind="induction")
    user = chain((GROWS, last, lemma(sp.Eq(later_r, r)), zero), *counting("zero", ("lemma",), sp.Eq(r, 0)))
    return source, user


def a_sum_over_arms_the_same_for_all_agents() -> Forged:
    """sum_m S_m = M S_m: the sum over arms is not declared to vary along the agents, its terms are."""
    steps = (
        Step("s", sp.Eq(T, S), ("same",), "", Summation("arm", sp.Eq(y, x))),
        Step("end", sp.Eq(W, M * S), ("s",), "", Summation("agent", sp.Eq(T, S))),
    )
    table = {
        "indexed": {"arm": (x, y), "agent": (x, y, T)},
        "totals": {
            "arm": (Total(S, x), Total(T, y)),
            "agent": (Total(W, T), Total(M, sp.Integer(1))),
        },
    }
    return (chain((given("same", sp.Eq(y, x)),), *steps, **table),)


def a_name_of_the_solver() -> Forged:
    """A symbol called root_0 is not the root that the solver names."""
    root = reals("root_0")[0]
    return (chain((given("h", sp.Le(sp.sqrt(2), y), declares=(root,)),), smt("end", sp.Eq(root**2, 2), "h")),)


def a_name_of_the_remainder() -> Forged:
    """x^3 >= 0 for every x: theta of the remainder is a symbol of the chain, and 0."""
    theta = reals("theta")[0]
    step = Step("end", sp.Ge(x**3, 0), ("h",), "", Tangent(x, sp.Integer(0), (sp.Integer(6), x)))
    return (chain((given("h", sp.Eq(theta, 0), declares=(x,)),), step),)


def a_tangent_across_a_pole() -> Forged:
    """exp(1/x) >= e (2 - x) for x >= -1/2: the remainder is not asked whether the function is defined in between."""
    derivatives = (sp.exp(1 / x), 2 * x + 1, x**-4)
    claim = sp.Ge(sp.exp(1 / x), sp.E * (2 - x))
    step = Step("end", claim, ("h",), "", Tangent(x, sp.Integer(1), derivatives))
    return (chain((given("h", sp.Ge(x, -sp.Rational(1, 2))),), step),)


def a_tangent_of_pieces() -> Forged:
    """A function that is 0 up to 1 and -5 after it is not negative: it has no second derivative there."""
    pieces = sp.Piecewise((0, x < 1), (-5, True))
    step = Step("end", sp.Ge(pieces, 0), ("real",), "", Tangent(x, sp.Integer(0), (sp.Integer(0),)))
    return (chain((real(x),), step),)


REFUSED = (
    a_refuted_step_imported,
    a_branch_that_covers_everything,
    a_value_of_an_induction_of_choice,
    a_factor_inside_a_sum_of_choice,
    a_supremum_in_a_case_about_one,
    a_point_in_a_case_about_one,
    a_point_that_keeps_what_varies,
    now_and_next_as_one,
    the_last_step_through_a_lemma,
    a_sum_over_arms_the_same_for_all_agents,
    a_name_of_the_solver,
    a_name_of_the_remainder,
    a_tangent_across_a_pole,
    a_tangent_of_pieces,
)


@pytest.mark.parametrize("forge", REFUSED, ids=lambda f: f.__name__)
def test_a_forged_chain_is_refused(forge: Callable[[], Forged]) -> None:
    assert not passes(*forge())
