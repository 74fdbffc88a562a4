"""Chains that prove something false by abusing sums, totals and links: none may pass."""

import pytest
import sympy as sp
from chain_examples import (
    ARMS,
    NOT_NEGATIVE,
    S,
    chain,
    defined,
    lemma,
    n,
    passes,
    refused,
    x,
    y,
)

from bounds.proofs import (
    At,
    BadChain,
    Cases,
    Decision,
    Hypothesis,
    Induction,
    Smt,
    Step,
    Summation,
    Total,
    check_chain,
    reals,
)
from bounds.proofs.engine.chain import link
from bounds.proofs.engine.links import check_links
from bounds.proofs.engine.rules import same


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


@pytest.mark.parametrize("relation", [sp.Ne, sp.Gt, sp.Lt])
def test_strict_relations_and_inequations_do_not_add_up(relation: type) -> None:
    given = Hypothesis("given", "", relation(x, 0))
    step = Step("end", relation(S, 0), ("given",), "", Summation("arm", relation(x, 0)))
    table = {"indexed": {"arm": (x,)}, "totals": {"arm": (Total(S, x),)}}
    assert check_chain(chain((given,), step, **table)).results["end"].decision is Decision.INCONCLUSIVE


def test_a_total_takes_no_other_value() -> None:
    given = Hypothesis("given", "", sp.Ge(x, 0), declares=(y,))
    steps = (
        Step("sum", sp.Ge(S, 0), ("given",), "", Summation("arm", sp.Ge(x, 0))),
        Step("end", sp.Ge(y, 0), ("given", At("sum", {S: y})), "", Smt()),
    )
    table = {"indexed": {"arm": (x,)}, "totals": {"arm": (Total(S, x),)}}
    assert check_chain(chain((given,), *steps, **table)).results["end"].decision is Decision.INCONCLUSIVE


def test_one_part_does_not_stand_for_two() -> None:
    twice = sp.And(sp.Le(x, y), sp.Le(x - y, 0), evaluate=False)
    assert not same(twice, sp.And(sp.Le(x, y), sp.Le(y, -9)))


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


def test_a_total_is_the_same_sum_where_it_is_used() -> None:
    """x >= 0 sums to S >= 0; where every y is -1 the total S of y is -n. Hence no arms at all. False."""
    user = chain(
        (defined("minus", sp.Eq(y, -1)), lemma(sp.Ge(S, 0))),
        Step("sum", sp.Eq(S, -n), ("minus",), "", Summation("arm", sp.Eq(y, -1))),
        Step("end", sp.Le(n, 0), ("sum", "lemma"), "", Smt()),
        indexed={"arm": (x, y)},
        totals={"arm": (Total(S, y), Total(n, sp.Integer(1)))},
    )
    refused("false.py: S is the sum over every arm of y .* and of x", NOT_NEGATIVE, user)


def test_two_lemmas_do_not_mean_different_sums_by_one_name() -> None:
    """The same with the two sums in two other proofs: the user names neither."""
    minus = chain(
        (defined("minus", sp.Eq(y, -1)),),
        Step("end", sp.Eq(S, -n), ("minus",), "", Summation("arm", sp.Eq(y, -1))),
        name="minus",
        indexed={"arm": (y,)},
        totals={"arm": (Total(S, y), Total(n, sp.Integer(1)))},
    )
    other = lemma(sp.Eq(S, -n), "minus/end", "other")
    user = chain((lemma(sp.Ge(S, 0)), other), Step("end", sp.Le(n, 0), ("lemma", "other"), "", Smt()))
    refused("false.py: S is the sum over every arm of", NOT_NEGATIVE, minus, user)


def test_two_lemmas_do_not_share_a_term_about_which_each_assumes_its_own() -> None:
    """Both sum x, one where x >= 1 and one where x <= 0: the letter is the same, the terms are not."""
    small = chain(
        (defined("small", sp.Le(x, 0)),),
        Step("end", sp.Le(S, 0), ("small",), "", Summation("arm", sp.Le(x, 0))),
        name="small",
        **ARMS,
    )
    large = chain(
        (defined("large", sp.Ge(x, 1)),),
        Step("end", sp.Ge(S, n), ("large",), "", Summation("arm", sp.Ge(x, 1))),
        name="large",
        **ARMS,
    )
    both = (lemma(sp.Le(S, 0), "small/end", "a"), lemma(sp.Ge(S, n), "large/end", "b"))
    user = chain(both, Step("end", sp.Le(n, 0), ("a", "b"), "", Smt()))
    refused("false.py: S is the sum over every arm of", small, large, user)


def test_what_is_assumed_about_a_term_must_hold_for_the_term_that_is_summed() -> None:
    """S sums any numbers x here; that it is not negative needs x >= 0, which nobody assumes."""
    user = chain((lemma(sp.Ge(S, 0)),), Step("end", sp.Ge(S, 0), ("lemma",), "", Smt()), **ARMS)
    assert check_links(user, (NOT_NEGATIVE, user))


def test_a_number_does_not_stand_for_a_total() -> None:
    """x >= 1 sums to at least the number of arms; with 7 in its place even one arm would give 7."""
    source = chain(
        (defined("large", sp.Ge(x, 1)),),
        Step("end", sp.Ge(S, n), ("large",), "", Summation("arm", sp.Ge(x, 1))),
        name="source",
        **ARMS,
    )
    user = chain((lemma(sp.Ge(S, 7), n=7),), Step("end", sp.Ge(S, 7), ("lemma",), "", Smt()))
    refused("false.py: 7 stands for the sum over every arm of 1", source, user)


def test_a_number_stands_for_a_total_that_is_shown_to_be_it() -> None:
    """With all x alike, n arms of x are n x: that is no other value."""
    user = chain(
        (lemma(sp.Ge(n * x, 0), S=n * x), defined("given", sp.Ge(x, 0))),
        Step("end", sp.Ge(n * x, 0), ("lemma",), "", Smt()),
        totals={"arm": (Total(n, sp.Integer(1)),)},
    )
    link((NOT_NEGATIVE, user))
    assert not check_links(user, (NOT_NEGATIVE, user))


def test_what_varies_is_not_taken_out_of_a_sum_at_a_link() -> None:
    """sum c x = c sum x if c is the same for every arm. At c = x that is sum x^2 = x S, hence n sum x^2 = S^2."""
    c, z, T = reals("c z T")
    product = defined("product", sp.Eq(z, c * x))
    totals = {"arm": (Total(S, x), Total(T, z), Total(n, sp.Integer(1)))}
    source = chain(
        (product,),
        Step("end", sp.Eq(T, c * S), ("product",), "", Summation("arm", sp.Eq(z, c * x))),
        name="source",
        indexed={"arm": (x, z)},
        totals=totals,
    )
    user = chain(
        (lemma(sp.Eq(T, c * S)), product, defined("equal", sp.Eq(c, x))),
        Step("end", sp.Eq(n * T, S**2), ("lemma", "equal"), "", Summation("arm", sp.Eq(T, x * S))),
        indexed={"arm": (x, z, c)},
        totals=totals,
    )
    refused("false.py: c varies along every arm, but source takes it to be the same for all", source, user)
