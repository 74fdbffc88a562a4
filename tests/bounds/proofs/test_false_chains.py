"""Chains that prove something false, each by abusing one rule: none may pass."""

import pytest
import sympy as sp

from bounds.proofs import (
    At,
    BadChain,
    Cases,
    Chain,
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
from bounds.proofs.engine.chain import link, validate
from bounds.proofs.engine.links import check_links
from bounds.proofs.engine.rules import same

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


def defined(name: str, statement: object) -> Hypothesis:
    return Hypothesis(name, "", statement, kind="definition")


ARMS = {"indexed": {"arm": (x, y)}, "totals": {"arm": (Total(S, x), Total(n, sp.Integer(1)))}}
NOT_NEGATIVE = chain(
    (defined("given", sp.Ge(x, 0)),),
    Step("end", sp.Ge(S, 0), ("given",), "", Summation("arm", sp.Ge(x, 0))),
    name="source",
    **ARMS,
)


def lemma(
    statement: object, source: str = "source/end", name: str = "lemma", **renamed: object
) -> Hypothesis:
    """A lemma of another chain, its symbols renamed by their names."""
    new = {reals(k)[0]: sp.sympify(v) for k, v in renamed.items()}
    return Hypothesis(name, "", statement, kind="lemma", source=source, renamed=new)


def whole(chains: tuple[Chain, ...]) -> None:
    """Read every chain, and the links between them."""
    for one in chains:
        validate(one)
    link(chains)


def refused(message: str, *chains: Chain) -> None:
    """Every chain alone answers as expected and every hypothesis of a link is met: the meaning is what is wrong."""
    for one in chains:
        report = check_chain(one)
        assert report.holds, {k: v.detail for k, v in report.results.items()}
        assert not check_links(one, chains)
    with pytest.raises(BadChain, match=message):
        link(chains)


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


r, later_r, k, later_k, R, later_R = reals("r r' k k' R R'")
ONE_MORE = Hypothesis("one more", "", sp.Eq(later_r, r + 1), kind="definition")
COUNTED = Hypothesis("counted", "", sp.Eq(later_k, k + 1), kind="definition")


def from_five() -> Chain:
    """r begins at 5 and grows."""
    return chain(
        (ONE_MORE, Hypothesis("before", "", sp.Ge(r, 5), kind="induction")),
        Step("first", sp.true, (), "", Smt()),
        Step("carry", sp.Ge(later_r, 5), ("one more", "before"), "", Smt()),
        Step(
            "end",
            sp.Ge(later_r, 5),
            ("first", "carry"),
            "",
            Induction("before", "first", "carry", {r: later_r}, {r: 5}),
        ),
        name="source",
    )


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


u = reals("u")[0]


def counting(name: str, assumes: tuple[str, ...], claim: sp.Basic) -> tuple[Step, ...]:
    """t' = t + u from t = 0, and a claim about t carried on by what is assumed."""
    return (
        Step(f"{name}: first", sp.true, (), "", Smt()),
        Step(f"{name}: carry", claim.subs({r: later_r}), ("grows", name, *assumes), "", Smt()),
        Step(
            f"{name}: every",
            claim.subs({r: later_r}),
            (f"{name}: first", f"{name}: carry"),
            "",
            Induction(name, f"{name}: first", f"{name}: carry", {r: later_r}, {r: 0}),
        ),
    )


GROWS = defined("grows", sp.Eq(later_r, r + u))


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
