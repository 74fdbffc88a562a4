"""Forged chains that still pass: what the engine takes on trust, as docs/engine.md lists it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
import sympy as sp
from chain_examples import (
    GROWS,
    NOT_NEGATIVE,
    ONE_MORE,
    chain,
    counting,
    given,
    later_r,
    lemma,
    passes,
    r,
    real,
    smt,
    u,
)

from bounds.proofs import (
    At,
    Cases,
    Chain,
    Induction,
    Point,
    Step,
    Summation,
    Supremum,
    Total,
    reals,
)

x, y, z, n, S, W, T, Q, c, b, B, M, t, tt = reals("x y z n S W T Q c b B M t t'")
COUNT = Total(n, sp.Integer(1))
Forged = tuple[Chain, ...]


def counted_from_zero() -> tuple[Step, ...]:
    every = Induction("ih", "first", "carry", {t: tt}, {t: 0})
    return (
        smt("first", sp.true),
        smt("carry", sp.Ge(tt, 0), "on", "ih"),
        Step("every", sp.Ge(tt, 0), ("first", "carry"), "", every),
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
    a_number_called_a_sum,
)
PAGE = (Path(__file__).resolve().parents[3] / "docs" / "engine.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("forge", ON_TRUST, ids=lambda f: f.__name__)
def test_what_is_taken_on_trust_is_on_the_page(forge: Callable[[], Forged]) -> None:
    assert passes(*forge()), "a rule catches it now: move it to REFUSED and off docs/engine.md"
    assert f"`{forge.__name__}`" in PAGE


def test_the_page_lists_nothing_else() -> None:
    listed = set(re.findall(r"`(\w+)`", PAGE.partition("## ")[2].partition("\n\nSo ")[0]))
    assert listed == {f.__name__ for f in ON_TRUST}
