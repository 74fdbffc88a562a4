"""Chains forged against the engine: what it refuses, and what it still takes on trust (docs/engine.md).

Each proves something false. A forgery that is refused stays refused; one that is accepted is listed here and on the
page, so that nobody takes `proved` for more than it is, and moves to the first list when a rule catches it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
import sympy as sp
from chain_examples import GROWS, NOT_NEGATIVE, ONE_MORE, chain, counting, later_r, lemma, passes, r, u

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


def given(name: str, statement: object = sp.true, kind: str = "definition", **more: object) -> Hypothesis:
    return Hypothesis(name, "", statement, kind=kind, **more)  # type: ignore[arg-type]


def real(*symbols: sp.Symbol) -> Hypothesis:
    return given("real", declares=symbols)


def smt(name: str, statement: object, *assumes: str | At) -> Step:
    return Step(name, statement, assumes, "", Smt())


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
)


def one_number_for_all_or_one_for_each() -> Forged:
    """n sum x^2 = (sum x)^2 for any x: the lemma has one c for all arms, the link finds one for each."""
    table = {"indexed": {"arm": (x,)}, "totals": {"arm": (Total(S, x), Total(Q, x**2), COUNT)}}
    claim = sp.Eq(n * Q, S**2)
    source = chain(
        (given("alike", sp.Eq(x, c)),),
        Step("q", sp.Eq(Q, c * S), ("alike",), "", Summation("arm", sp.Eq(x**2, c * x))),
        Step("s", sp.Eq(S, n * c), ("alike",), "", Summation("arm", sp.Eq(x, c))),
        smt("end", claim, "q", "s"),
        name="source",
        **table,
    )
    return source, chain((real(x), lemma(claim)), smt("end", claim, "lemma"), **table)


def what_an_induction_does_not_move() -> Forged:
    """r u >= 0 for r' = r + u: u is another number in every step, and the hypothesis takes it for one."""
    before = given("before", sp.Ge(r * u, 0), kind="induction")
    return (chain((GROWS, before), *counting("before", (), sp.Ge(r * u, 0))),)


def a_definition_that_ties_what_moves() -> Forged:
    """r <= 0 for a counter: a definition says that the unmoved k is r."""
    k = reals("k")[0]
    every = Induction("before", "first", "carry", {r: later_r}, {r: 0})
    hypotheses = (ONE_MORE, given("tie", sp.Eq(k, r)), given("before", sp.Le(r * k, 0), kind="induction"))
    steps = (
        smt("first", sp.true),
        smt("carry", sp.Le(later_r * k, 0), "one more", "tie", "before"),
        Step("every", sp.Le(later_r * k, 0), ("first", "carry"), "", every),
        smt("end", sp.Le(r, 0), "every", "one more", "tie"),
    )
    return (chain(hypotheses, *steps),)


def any_number_for_a_sum() -> Forged:
    """y >= 0 for every y: the lemma is about a sum of terms that the user does not have."""
    return NOT_NEGATIVE, chain((real(y), lemma(sp.Ge(y, 0), S=y)), smt("end", sp.Ge(y, 0), "lemma"))


def a_point_that_the_link_does_not_see() -> Forged:
    """B >= 7 for every B: the lemma's bound was used at a member that the user may not have."""
    seven = {"p": Point("arm", {x: sp.Integer(7)})}
    source = chain(
        (given("ub", sp.Le(x, B)),),
        smt("end", sp.Ge(B, 7), At("ub", point="p")),
        name="source",
        indexed={"arm": (x,)},
        points=seven,
    )
    return source, chain((real(B), lemma(sp.Ge(B, 7))), smt("end", sp.Ge(B, 7), "lemma"))


def a_bound_that_varies_by_definition() -> Forged:
    """sup x <= x + 1 for every arm: the bound B is defined by the member and not declared to vary."""
    steps = (
        Step("s", sp.Le(b, B), ("lim",), "", Supremum(b)),
        smt("end", sp.Le(b, x + 1), "s", "lim"),
    )
    hypotheses = (given("lim", sp.Eq(B, x + 1)),)
    return (chain(hypotheses, *steps, indexed={"arm": (x,)}, suprema={b: ("arm", x)}),)


def a_case_of_a_number_for_each() -> Forged:
    """S(n - S) <= 0 for marks: the lemma's cases are about one c for all arms, the link finds one for each."""
    either = sp.Or(sp.And(sp.Eq(c, 0), sp.Eq(x, 0)), sp.And(sp.Eq(c, 1), sp.Eq(x, 1)))
    claim = sp.Le(S * (n - S), 0)
    table = {"indexed": {"arm": (x,)}, "totals": {"arm": (Total(S, x), COUNT)}}
    cases = tuple(given(f"c={v}", sp.Eq(c, v), kind="case") for v in (0, 1))
    source = chain(
        (given("alike", either), *cases),
        Step("none", sp.Eq(S, 0), ("alike", "c=0"), "", Summation("arm", sp.Eq(x, 0))),
        smt("a", claim, "none"),
        Step("all", sp.Eq(S, n), ("alike", "c=1"), "", Summation("arm", sp.Eq(x, 1))),
        smt("bb", claim, "all"),
        Step("end", claim, ("alike", "a", "bb"), "", Cases({"c=0": "a", "c=1": "bb"})),
        name="source",
        **table,
    )
    marks = given("marks", sp.Or(sp.Eq(x, 0), sp.Eq(x, 1)))
    return source, chain((marks, lemma(claim)), smt("end", claim, "lemma"), **table)


def a_value_of_an_induction_by_definition() -> Forged:
    """y >= 0 for every y: a definition of the user puts the lemma's counter to y."""
    grows = given("on", sp.Eq(tt, t + 1))
    source = chain(
        (grows, given("ih", sp.Ge(t, 0), kind="induction")),
        *counted_from_zero(),
        smt("end", sp.Ge(tt, 0), "every"),
        name="source",
    )
    hypotheses = (grows, given("d", sp.Eq(t, y - 1)), lemma(sp.Ge(tt, 0)), real(y))
    return source, chain(hypotheses, smt("end", sp.Ge(y, 0), "lemma", "on", "d"))


def a_start_with_a_name() -> Forged:
    """k' >= 6 for a counter: the sum begins at R0, which a definition calls 0 though every r is at least 5."""
    k, later_k, R, later_R, R0 = reals("k k' R R' R0")
    every = Induction("ih", "first", "carry", {R: later_R, k: later_k, r: later_r}, {R: R0, k: 0})
    hypotheses = (
        ONE_MORE,
        given("five", sp.Ge(r, 5)),
        given("counted", sp.Eq(later_k, k + 1)),
        given("some", sp.Ge(n, 1)),
        given("r0", sp.Eq(R0, 0)),
        given("ih", sp.Eq(R, n * k), kind="induction"),
    )
    steps = (
        Step("added", sp.Eq(later_R, R + n), ("one more",), "", Summation("arm", sp.Eq(later_r, r + 1))),
        smt("first", sp.Eq(R0, 0), "r0"),
        smt("carry", sp.Eq(later_R, n * later_k), "added", "counted", "ih"),
        Step("every", sp.Eq(later_R, n * later_k), ("first", "carry"), "", every),
        Step("large", sp.Ge(later_R, 6 * n), ("one more", "five"), "", Summation("arm", sp.Ge(later_r, 6))),
        smt("end", sp.Ge(later_k, 6), "every", "large", "some"),
    )
    table = {
        "indexed": {"arm": (r, later_r)},
        "totals": {"arm": (Total(R, r), Total(later_R, later_r), COUNT)},
    }
    return (chain(hypotheses, *steps, **table),)


def constancy_lost_after_two_links() -> Forged:
    """T = 2 n x for any x: a chain in between takes x for a constant, and nobody asks after it."""
    twice = given("z2", sp.Eq(z, 2 * x))
    claim = sp.Eq(T, 2 * n * x)
    first = chain(
        (twice,),
        Step("end", sp.Eq(T, 2 * S), ("z2",), "", Summation("arm", sp.Eq(z, 2 * x))),
        name="source",
        indexed={"arm": (x, z)},
        totals={"arm": (Total(T, z), Total(S, x), COUNT)},
    )
    second = chain(
        (twice, lemma(claim, S=n * x)), smt("end", claim, "lemma"), name="two", totals={"arm": (COUNT,)}
    )
    third = chain(
        (twice, lemma(claim, source="two/end")),
        smt("end", claim, "lemma"),
        name="three",
        indexed={"arm": (x, z)},
        totals={"arm": (Total(T, z),)},
    )
    return first, second, third


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


def a_number_called_a_sum() -> Forged:
    """n <= 1 for any number of arms: that the sum is 1 is an assumption which no list of assumptions shows."""
    step = Step("end", sp.Le(n, 1), ("g",), "", Summation("arm", sp.Le(1, x)))
    table = {"indexed": {"arm": (x,)}, "totals": {"arm": (Total(1, x), COUNT)}}
    return (chain((given("g", sp.Ge(x, 1)),), step, **table),)


ON_TRUST = (
    one_number_for_all_or_one_for_each,
    what_an_induction_does_not_move,
    a_definition_that_ties_what_moves,
    any_number_for_a_sum,
    a_point_that_the_link_does_not_see,
    a_bound_that_varies_by_definition,
    a_case_of_a_number_for_each,
    a_value_of_an_induction_by_definition,
    a_start_with_a_name,
    constancy_lost_after_two_links,
    a_tangent_across_a_pole,
    a_tangent_of_pieces,
    a_number_called_a_sum,
)
PAGE = (Path(__file__).resolve().parents[3] / "docs" / "engine.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("forge", REFUSED, ids=lambda f: f.__name__)
def test_a_forged_chain_is_refused(forge: Callable[[], Forged]) -> None:
    assert not passes(*forge())


@pytest.mark.parametrize("forge", ON_TRUST, ids=lambda f: f.__name__)
def test_what_is_taken_on_trust_is_on_the_page(forge: Callable[[], Forged]) -> None:
    assert passes(*forge()), "a rule catches it now: move it to REFUSED and off docs/engine.md"
    assert f"`{forge.__name__}`" in PAGE


def test_the_page_lists_nothing_else() -> None:
    listed = set(re.findall(r"^\* `(\w+)`", PAGE, flags=re.MULTILINE))
    assert listed == {f.__name__ for f in ON_TRUST}
