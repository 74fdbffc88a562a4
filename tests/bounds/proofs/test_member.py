"""A member of a sum of non-negative terms is at most the sum; of an expectation, or of other terms, it need not be."""

import sympy as sp

from bounds.proofs import Chain, Checked, Hypothesis, Outcome, Step, Total, check_chain, reals
from bounds.proofs.engine.member import Member
from bounds.proofs.engine.rules import same

w, W, K, x, y = reals("w W K x y")
POSITIVE = Hypothesis("weights", "w >= 0", sp.And(w >= 0, K >= 2))


def answer(statement: sp.Basic, given: Hypothesis = POSITIVE, **more: object) -> Checked:
    table = {"arm": (Total(K, sp.Integer(1)), Total(W, w))}
    parts: dict[str, object] = {"indexed": {"arm": (w,)}, "totals": table, **more}
    step = Step("member", statement, ("weights",), "", Member("arm"))
    chain = Chain("test", "", "here.py", (given,), (step,), ("member",), **parts)  # type: ignore[arg-type]
    return check_chain(chain).results["member"]


def test_a_member_is_at_most_the_sum() -> None:
    assert answer(sp.Le(w, W)).outcome is Outcome.PROVED


def test_terms_that_may_be_negative_are_refuted() -> None:
    found = answer(sp.Le(w, W), Hypothesis("weights", "any reals", sp.And(w <= 1, K >= 2)))
    assert found.outcome is Outcome.REFUTED
    assert sp.Rational(found.model["w"]) < 0


def test_a_member_of_an_expectation_is_refused() -> None:
    mean = {"arm": (Total(1, sp.Integer(1)), Total(W, w))}
    assert answer(sp.Le(w, W), totals=mean).outcome is Outcome.INCONCLUSIVE
    assert answer(sp.Le(w, W), totals={"arm": (Total(W, w),)}).outcome is Outcome.INCONCLUSIVE
    assert answer(sp.Le(w, W), weights={"arm": w}).outcome is Outcome.INCONCLUSIVE


def test_only_a_term_and_its_own_total() -> None:
    assert answer(sp.Le(2 * w, W)).outcome is Outcome.INCONCLUSIVE
    assert answer(sp.Le(w, W / 2)).outcome is Outcome.INCONCLUSIVE
    assert answer(sp.Ge(w, W)).outcome is Outcome.INCONCLUSIVE


def test_the_same_statement_is_recognised_in_parts_and_another_is_not() -> None:
    left = sp.And(x <= y, x >= 0, sp.Or(sp.Eq(x, 0), y > 1))
    assert same(left, sp.And(sp.Or(sp.Eq(x, 0), y > 1), x - y <= 0, x >= 0))
    assert not same(left, sp.And(x <= y, x >= 0, sp.Or(sp.Eq(x, 0), y > 2)))
    assert not same(left, sp.And(x <= y, x >= 1, sp.Or(sp.Eq(x, 0), y > 1)))
