"""Chains that prove something false by abusing inductions and cases: none may pass."""

import pytest
import sympy as sp
from chain_examples import (
    COUNTED,
    GROWS,
    NOT_NEGATIVE,
    ONE_MORE,
    R,
    S,
    W,
    chain,
    counting,
    defined,
    from_five,
    k,
    later_k,
    later_R,
    later_r,
    lemma,
    n,
    r,
    refused,
    u,
    whole,
    x,
    y,
)

from bounds.proofs import (
    BadChain,
    Cases,
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


def test_two_inductions_begin_at_the_same_value() -> None:
    """Here the same r begins at 0 and counts the steps k: so every number of steps is at least 5. False."""
    user = chain(
        (
            lemma(sp.Ge(later_r, 5)),
            *(ONE_MORE, COUNTED),
            Hypothesis("before", "", sp.Eq(r, k), kind="induction"),
        ),
        Step("first", sp.true, (), "", Smt()),
        Step("carry", sp.Eq(later_r, later_k), ("one more", "counted", "before"), "", Smt()),
        Step(
            "counts",
            sp.Eq(later_r, later_k),
            ("first", "carry"),
            "",
            Induction("before", "first", "carry", {r: later_r, k: later_k}, {r: 0, k: 0}),
        ),
        Step("end", sp.Ge(later_k, 5), ("counts", "lemma"), "", Smt()),
    )
    refused("false.py: r goes from r to r', beginning at 0 .* beginning at 5", from_five(), user)


@pytest.mark.parametrize(
    ("more", "start", "message"),
    [
        ({}, {}, "R is the sum over every arm of r, but R' is not that of r"),
        ({r: later_r}, {r: 0}, "r goes from r to r', beginning at 0 .* beginning at 5"),
        ({r: later_r}, {r: 5}, "R begins at 0, which is not the sum over every arm of 5"),
        ({r: later_r}, {r: 5, R: S}, "R begins at S, which is not the sum over every arm of 5"),
    ],
)
def test_an_induction_over_sums_begins_at_the_sums_of_the_first_values(
    more: dict[sp.Symbol, sp.Symbol], start: dict[sp.Symbol, int], message: str
) -> None:
    """r of every arm begins at 5; their total R, re-accumulated from 0, is n k: so k is at least 5. False."""
    user = chain(
        (
            lemma(sp.Ge(later_r, 5)),
            *(ONE_MORE, COUNTED, defined("some", sp.Ge(n, 1))),
            Hypothesis("before", "", sp.Eq(R, n * k), kind="induction"),
        ),
        Step("added", sp.Eq(later_R, R + n), ("one more",), "", Summation("arm", sp.Eq(later_r, r + 1))),
        Step("first", sp.true, (), "", Smt()),
        Step("carry", sp.Eq(later_R, n * later_k), ("added", "counted", "before"), "", Smt()),
        Step(
            "counts",
            sp.Eq(later_R, n * later_k),
            ("first", "carry"),
            "",
            Induction("before", "first", "carry", {R: later_R, k: later_k, **more}, {R: 0, k: 0, **start}),
        ),
        Step("large", sp.Ge(later_R, 5 * n), ("lemma",), "", Summation("arm", sp.Ge(later_r, 5))),
        Step("end", sp.Ge(later_k, 5), ("counts", "large", "some"), "", Smt()),
        indexed={"arm": (r, later_r)},
        totals={"arm": (Total(R, r), Total(later_R, later_r), Total(n, sp.Integer(1)))},
    )
    with pytest.raises(BadChain, match=message):
        whole((from_five(), user))


def test_an_induction_goes_from_a_sum_to_the_sum_of_the_next_terms() -> None:
    """y <= x sums to R' <= R. With R = 0 at first every sum of terms below any others would be at most 0. False."""
    steps = (
        Step("less", sp.Le(later_R, R), ("below",), "", Summation("arm", sp.Le(y, x))),
        Step("first", sp.true, (), "", Smt()),
        Step("carry", sp.Le(later_R, 0), ("less", "before"), "", Smt()),
        Step(
            "end",
            sp.Le(later_R, 0),
            ("first", "carry"),
            "",
            Induction("before", "first", "carry", {R: later_R}, {R: 0}),
        ),
    )
    hypotheses = (
        defined("below", sp.Le(y, x)),
        Hypothesis("before", "", sp.Le(R, 0), kind="induction"),
    )
    totals = {"arm": (Total(R, x), Total(later_R, y))}
    with pytest.raises(BadChain, match="R is the sum over every arm of x, but R' is not that of x"):
        check_chain(chain(hypotheses, *steps, indexed={"arm": (x, y)}, totals=totals))


def test_what_an_induction_moves_is_no_other_sum() -> None:
    """N shrinks from 1, so it is at most 1; elsewhere N counts the members of a sum, which has one then. False."""
    N, later_N = reals("N N'")
    shrinking = chain(
        (
            Hypothesis("half", "", sp.Eq(later_N, N / 2), kind="definition"),
            Hypothesis("before", "", sp.And(N <= 1, N >= 0), kind="induction"),
        ),
        Step("first", sp.true, (), "", Smt()),
        Step("carry", sp.And(later_N <= 1, later_N >= 0), ("half", "before"), "", Smt()),
        Step(
            "end",
            sp.And(later_N <= 1, later_N >= 0),
            ("first", "carry"),
            "",
            Induction("before", "first", "carry", {N: later_N}, {N: 1}),
        ),
        name="shrinking",
    )
    counted = chain(
        (defined("given", sp.Le(x, 1)),),
        Step("end", sp.Le(S, N), ("given",), "", Summation("function", sp.Le(x, 1))),
        name="counted",
        indexed={"function": (x,)},
        totals={"function": (Total(S, x), Total(N, sp.Integer(1)))},
    )
    at_most = Hypothesis(
        "at most",
        "",
        sp.And(N <= 1, N >= 0),
        kind="lemma",
        source="shrinking/end",
        renamed={later_N: N, N: later_N},
    )
    sums = lemma(sp.Le(S, N), "counted/end", "sums")
    user = chain((at_most, sums), Step("end", sp.Le(S, 1), ("at most", "sums"), "", Smt()))
    refused(
        "false.py: at most: N is moved by an induction of shrinking, and N the sum", shrinking, counted, user
    )


def test_a_total_along_two_indices_is_one_double_sum() -> None:
    """S sums x over the arms and y over the contexts: from x = 1 and y = 2 follows n = 2 W for any numbers. False."""
    both = chain(
        (defined("given", sp.And(sp.Eq(x, 1), sp.Eq(y, 2))),),
        Step("arms", sp.Eq(S, n), ("given",), "", Summation("arm", sp.Eq(x, 1))),
        Step("contexts", sp.Eq(S, 2 * W), ("given",), "", Summation("context", sp.Eq(y, 2))),
        Step("end", sp.Eq(n, 2 * W), ("arms", "contexts"), "", Smt()),
        indexed={"arm": (x,), "context": (y,)},
        totals={
            "arm": (Total(S, x), Total(n, sp.Integer(1))),
            "context": (Total(S, y), Total(W, sp.Integer(1))),
        },
    )
    refused("false.py: S is the sum over every arm of x .* and over every context of y", both)


def test_a_total_is_no_sum_along_another_index_where_it_is_used() -> None:
    """The mean of x <= 1 over contexts is at most 1; here S is the mean over policies of y = 5. False."""
    source = chain(
        (defined("given", sp.Le(x, 1)),),
        Step("end", sp.Le(S, 1), ("given",), "", Summation("context", sp.Le(x, 1))),
        name="source",
        indexed={"context": (x,)},
        totals={"context": (Total(S, x), Total(1, sp.Integer(1)))},
    )
    user = chain(
        (lemma(sp.Le(S, 1)), defined("given", sp.Eq(y, 5))),
        Step("five", sp.Eq(S, 5), ("given",), "", Summation("policy", sp.Eq(y, 5))),
        Step("end", sp.Le(5, 1, evaluate=False), ("five", "lemma"), "", Smt()),
        indexed={"policy": (y,)},
        totals={"policy": (Total(S, y), Total(1, sp.Integer(1)))},
    )
    refused("false.py: S is the sum over every policy of y .* and over every context of x", source, user)


def test_sums_over_two_indices_commute_if_the_terms_show_it() -> None:
    """sum_m E sum_pi x = sum_pi sum_m E x, E not varying along pi; if it does, nothing is shown."""
    E, X, Y = reals("E X Y")
    totals = {
        "agent": (Total(S, E * X), Total(Y, E * x), Total(n, sp.Integer(1))),
        "policy": (Total(S, Y), Total(X, x)),
    }
    given = Hypothesis("given", "", sp.Ge(x, 0), declares=(E, X, Y))
    step = Step("end", sp.Ge(X, 0), ("given",), "", Summation("policy", sp.Ge(x, 0)))
    indexed = {"agent": (E, x, X), "policy": (x, Y)}
    link((chain((given,), step, indexed=indexed, totals=totals),))
    with pytest.raises(BadChain, match="no double sum shows it"):
        link((chain((given,), step, indexed={**indexed, "policy": (x, Y, E)}, totals=totals),))


def test_what_holds_at_the_last_case_does_not_carry_an_induction_on() -> None:
    """u = 0 in the last step alone; used in every step it would keep r at 0 for ever. False."""
    last = Hypothesis("last", "", sp.Eq(u, 0), kind="definition", once=True)
    before = Hypothesis("zero", "", sp.Eq(r, 0), kind="induction")
    steps = counting("zero", ("last",), sp.Eq(r, 0))
    with pytest.raises(BadChain, match="zero: carry rests on last, which is about one case of the induction"):
        check_chain(chain((GROWS, last, before), *steps))


def test_a_case_of_one_step_is_not_a_case_of_every_step() -> None:
    """u <= 0 in every step keeps r <= 0, u >= 0 keeps r >= 0; but u may have either sign in turn. r u >= 0 is false."""
    down, up = (Hypothesis(k, "", c, kind="case") for k, c in (("down", u <= 0), ("up", u >= 0)))
    below, above = (
        Hypothesis(k, "", c, kind="induction") for k, c in (("below", sp.Le(r, 0)), ("above", sp.Ge(r, 0)))
    )
    steps = (
        *counting("below", ("down",), sp.Le(r, 0)),
        *counting("above", ("up",), sp.Ge(r, 0)),
        Step("a", sp.Ge(later_r * u, 0), ("below: every", "down"), "", Smt()),
        Step("b", sp.Ge(later_r * u, 0), ("above: every", "up"), "", Smt()),
        Step("end", sp.Ge(later_r * u, 0), ("a", "b", "grows"), "", Cases({"down": "a", "up": "b"})),
    )
    with pytest.raises(
        BadChain, match="below: carry rests on down, which is about one case of the induction"
    ):
        check_chain(chain((GROWS, down, up, below, above), *steps))


def test_what_is_needed_in_every_case_does_not_follow_from_the_last_one() -> None:
    """The source needs u >= 0 in every step; here it is known of the last step only."""
    every = defined("every", sp.Ge(u, 0))
    before = Hypothesis("above", "", sp.Ge(r, 0), kind="induction")
    source = chain((GROWS, every, before), *counting("above", ("every",), sp.Ge(r, 0)), name="source")
    shown = lemma(sp.Ge(later_r, 0), "source/above: every")

    def user(once: bool) -> dict[str, object]:
        last = Hypothesis("last", "", sp.Ge(u, 0), kind="definition", once=once)
        used = chain((GROWS, last, shown), Step("end", sp.Ge(later_r, 0), ("lemma",), "", Smt()))
        link((source, used))
        return dict(check_links(used, (source, used)))

    assert not user(once=False)
    assert user(once=True)


def test_what_another_proof_shows_at_its_end_does_not_carry_on_the_same_induction() -> None:
    """r grows by u >= 0, and by the end it is at most 9; were that so in every step, r + u <= 9 would be too. False."""
    end = Hypothesis("end of it", "", sp.Le(later_r, 9), kind="definition", once=True)
    every = defined("every", sp.Ge(u, 0))
    before = Hypothesis("above", "", sp.Ge(r, 0), kind="induction")
    steps = counting("above", ("every",), sp.Ge(r, 0))
    both = Step("both", sp.And(later_r >= 0, later_r <= 9), ("above: every", "end of it"), "", Smt())
    source = chain((GROWS, every, end, before), *steps, both, name="source")
    small = Hypothesis("small", "", sp.Le(r, 9), kind="induction")
    user = chain(
        (GROWS, every, end, small, lemma(sp.And(later_r >= 0, later_r <= 9), "source/both")),
        *counting("small", ("lemma",), sp.Le(r, 9)),
    )
    refused("small: carry rests on lemma, which is about one case of an induction of source", source, user)


def test_a_value_that_is_no_name_speaks_of_no_other_sum() -> None:
    """S sums x >= 0. That y = -1 sums to 2 S is not the name of a sum: it says 2 S = -n, so there is no arm. False."""
    given = defined("given", sp.And(sp.Ge(x, 0), sp.Eq(y, -1)))
    steps = (
        Step("one", sp.Ge(S, 0), ("given",), "", Summation("arm", sp.Ge(x, 0))),
        Step("two", sp.Eq(2 * S, -n), ("given",), "", Summation("arm", sp.Eq(y, -1))),
        Step("end", sp.Le(n, 0), ("one", "two"), "", Smt()),
    )
    count = Total(n, sp.Integer(1))
    totals = {"arm": (Total(S, x), Total(2 * S, y), count)}
    with pytest.raises(BadChain, match=r"of y is 2\*S .*, and S is that of x"):
        check_chain(chain((given,), *steps, indexed={"arm": (x, y)}, totals=totals))
    # the same across a link, along this index or another
    for index in ("arm", "context"):
        user = chain(
            (lemma(sp.Ge(S, 0)), defined("minus", sp.Eq(y, -1))),
            Step("two", sp.Eq(2 * S, -n), ("minus",), "", Summation(index, sp.Eq(y, -1))),
            Step("end", sp.Le(n, 0), ("lemma", "two"), "", Smt()),
            indexed={index: (y,)},
            totals={index: (Total(2 * S, y), count if index == "arm" else Total(n, sp.Integer(1)))},
        )
        refused(", and S is that of", NOT_NEGATIVE, user)


def test_a_shifted_sum_does_not_hide_where_an_induction_begins() -> None:
    """r begins at 5 for every arm; with R - 7 for their sum R would begin at 7, whatever the number of arms. False."""
    before = Hypothesis("before", "", sp.Ge(R, 7), kind="induction")
    steps = (
        Step("added", sp.Eq(later_R, R + n), ("one more",), "", Summation("arm", sp.Eq(later_r, r + 1))),
        Step("first", sp.true, (), "", Smt()),
        Step("carry", sp.Ge(later_R, 7), ("added", "before", "some"), "", Smt()),
        Step(
            "end",
            sp.Ge(later_R, 7),
            ("first", "carry"),
            "",
            Induction("before", "first", "carry", {R: later_R, r: later_r}, {R: 7, r: 5}),
        ),
    )
    totals = {"arm": (Total(R - 7, r), Total(later_R - 7, later_r), Total(n, sp.Integer(1)))}
    hypotheses = (ONE_MORE, defined("some", sp.Ge(n, 1)), before)
    with pytest.raises(
        BadChain, match=r"begins at 0, which is not the sum over every arm of 5|does not occur"
    ):
        check_chain(chain(hypotheses, *steps, indexed={"arm": (r, later_r)}, totals=totals))
