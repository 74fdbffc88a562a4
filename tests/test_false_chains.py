"""Chains that prove something false, each by abusing one rule: none may pass."""

import pytest
import sympy as sp

from bounds.proofs import (
    At,
    BadChain,
    Cases,
    Chain,
    Enumeration,
    Hypothesis,
    Induction,
    Outcome,
    Smt,
    Step,
    Summation,
    Total,
    check_chain,
    reals,
)
from bounds.proofs.chain import link
from bounds.proofs.combination import Combination
from bounds.proofs.links import check_links
from bounds.proofs.member import Member
from bounds.proofs.rules import same

x, y, n, S, W, mean = reals("x y n S W mean")


def chain(hypotheses: tuple[Hypothesis, ...], *steps: Step, name: str = "false", **more: object) -> Chain:
    return Chain(name, "", f"{name}.py", hypotheses, steps, (steps[-1].name,), **more)  # type: ignore[arg-type]


def passes(*chains: Chain) -> bool:
    """Does the last chain hold, with everything it imports?"""
    try:
        link(chains)
        return all(check_chain(c).holds and not check_links(c, chains) for c in chains)
    except BadChain:
        return False


def test_a_case_about_a_member_is_not_summed() -> None:
    """x is 0 or 1. In the case x = 0 every x is 0, so the sum is 0; likewise n: hence the sum is 0 or n. False."""
    marks = Hypothesis("marks", "0 or 1", sp.Or(sp.Eq(x, 0), sp.Eq(x, 1)))
    zero, one = (Hypothesis(f"x = {v}", "", sp.Eq(x, v), kind="case") for v in (0, 1))
    claim = sp.Le(S * (n - S), 0)
    table = {"indexed": {"arm": (x,)}, "totals": {"arm": (Total(S, x), Total(n, sp.Integer(1)))}}
    steps = (
        Step("none", sp.Le(S, 0), ("marks", "x = 0"), "", Summation("arm", sp.Le(x, 0))),
        Step("some", sp.Ge(S, 0), ("marks",), "", Summation("arm", sp.Ge(x, 0))),
        Step("a", claim, ("none", "some"), "", Smt()),
        Step("all", sp.Ge(S, n), ("marks", "x = 1"), "", Summation("arm", sp.Ge(x, 1))),
        Step("most", sp.Le(S, n), ("marks",), "", Summation("arm", sp.Le(x, 1))),
        Step("b", claim, ("all", "most"), "", Smt()),
        Step("end", claim, ("marks", "a", "b"), "", Cases({"x = 0": "a", "x = 1": "b"})),
    )
    with pytest.raises(BadChain, match="sums over every arm in the case x = 0"):
        check_chain(chain((marks, zero, one), *steps, **table))


def test_an_equation_is_not_multiplied_by_what_may_not_exist() -> None:
    zero = Hypothesis("zero", "x = 0", sp.Eq(x, 0), declares=(y,))
    step = Step("end", sp.Le(y, -9), ("zero",), "", Combination((("zero", -(y + 9) / x),)))
    assert check_chain(chain((zero,), step)).results["end"].outcome is Outcome.INCONCLUSIVE


def test_listed_cases_are_not_a_universal_fact() -> None:
    free = Hypothesis("free", "", sp.true, declares=(x,))
    listed = Step("listed", sp.Ge(x, 1), ("free",), "", Enumeration(({x: 1}, {x: 2})))
    with pytest.raises(BadChain, match="listed cases only"):
        check_chain(chain((free,), listed, Step("end", sp.Ge(x, 0), ("listed",), "", Smt())))
    lemma = Hypothesis("lemma", "", sp.Ge(x, 1), kind="lemma", source="listed/listed")
    user = chain((lemma,), Step("end", sp.Ge(x, 0), ("lemma",), "", Smt()))
    assert not passes(chain((free,), listed, name="listed"), user)


@pytest.mark.parametrize("relation", [sp.Ne, sp.Gt, sp.Lt])
def test_strict_relations_and_inequations_do_not_add_up(relation: type) -> None:
    given = Hypothesis("given", "", relation(x, 0))
    step = Step("end", relation(S, 0), ("given",), "", Summation("arm", relation(x, 0)))
    table = {"indexed": {"arm": (x,)}, "totals": {"arm": (Total(S, x),)}}
    assert check_chain(chain((given,), step, **table)).results["end"].outcome is Outcome.INCONCLUSIVE


def test_a_total_takes_no_other_value() -> None:
    given = Hypothesis("given", "", sp.Ge(x, 0), declares=(y,))
    steps = (
        Step("sum", sp.Ge(S, 0), ("given",), "", Summation("arm", sp.Ge(x, 0))),
        Step("end", sp.Ge(y, 0), ("given", At("sum", {S: y})), "", Smt()),
    )
    table = {"indexed": {"arm": (x,)}, "totals": {"arm": (Total(S, x),)}}
    assert check_chain(chain((given,), *steps, **table)).results["end"].outcome is Outcome.INCONCLUSIVE


def test_one_part_does_not_stand_for_two() -> None:
    assert same(sp.And(sp.Le(x, y), sp.Le(n, 1)), sp.And(sp.Le(x - y, 0), sp.Le(n - 1, 0)))
    twice = sp.And(sp.Le(x, y), sp.Le(x - y, 0), evaluate=False)
    assert not same(twice, sp.And(sp.Le(x, y), sp.Le(y, -9)))


def test_a_member_of_an_expectation_may_exceed_the_mean() -> None:
    one = Hypothesis("one", "", sp.And(sp.Eq(W, 1), sp.Ge(x, 0)))
    totals = {"data": (Total(W, sp.Integer(1)), Total(mean, x))}
    step = Step("end", sp.Le(x, mean), ("one",), "", Member("data"))
    found = check_chain(
        chain((one, Hypothesis("m", "", declares=(mean,))), step, indexed={"data": (x,)}, totals=totals)
    )
    assert found.results["end"].outcome is Outcome.INCONCLUSIVE


def test_a_total_names_one_sum() -> None:
    given = Hypothesis("given", "", sp.Ge(x, 0))
    step = Step("end", sp.Ge(S, 0), ("given",), "", Summation("arm", sp.Ge(x, 0)))
    totals = {"arm": (Total(S, x), Total(S, x + 1))}
    with pytest.raises(BadChain, match="S names two sums"):
        check_chain(chain((given,), step, indexed={"arm": (x,)}, totals=totals))


def test_a_contradiction_among_inner_symbols_is_seen_at_the_link() -> None:
    absurd = Hypothesis("absurd", "", sp.And(x > 1, x < 0), declares=(y,))
    source = chain((absurd,), Step("end", sp.Le(y, -9), ("absurd",), "", Smt()), name="source")
    lemma = Hypothesis("lemma", "", sp.Le(y, -9), kind="lemma", source="source/end")
    about = Hypothesis("about", "", sp.true, declares=(y,))
    assert not passes(source, chain((lemma, about), Step("end", sp.Le(y, 0), ("lemma",), "", Smt())))


def test_what_an_induction_moves_is_not_replaced_by_a_number() -> None:
    """t_k = t_{k-1} + 1 from t = 0 is at least 0; with t_{k-1} = -10^6 put in it would not be."""
    t, later = reals("t t_next")
    step_on = Hypothesis("next", "", sp.Eq(later, t + 1), kind="definition")
    before = Hypothesis("before", "", sp.Ge(t, 0), kind="induction")
    steps = (
        Step("first", sp.true, (), "", Smt()),
        Step("carry", sp.Ge(later, 0), ("next", "before"), "", Smt()),
        Step(
            "end",
            sp.Ge(later, 0),
            ("first", "carry"),
            "",
            Induction("before", "first", "carry", {t: later}, {t: 0}),
        ),
    )
    source = chain((step_on, before), *steps, name="source")
    lemma = Hypothesis(
        "lemma", "", sp.Ge(later, 0), kind="lemma", source="source/end", renamed={t: sp.Integer(-(10**6))}
    )
    defined = Hypothesis("defined", "", sp.Eq(later, 1 - 10**6), kind="definition")
    user = chain((lemma, defined), Step("end", sp.Ge(1 - 10**6, 0), ("lemma", "defined"), "", Smt()))
    with pytest.raises(BadChain, match="has the values of an induction"):
        link((source, user))
