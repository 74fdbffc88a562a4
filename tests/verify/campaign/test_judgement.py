"""From evidence to a verdict: every rule of the judgement, one case each way."""

import pytest

from verify.campaign.judgement import combine, problems
from verify.campaign.outcome import Outcome, failed
from verify.claim import Evidence
from verify.verdict import Verdict

V = Verdict


def outcome(kind: Verdict, control: Verdict | None = None, vacuous: bool = False) -> Outcome:
    """A check that found `kind`; its control is told apart unless said otherwise."""
    right = V.EXACT if kind is V.REFUTED else V.REFUTED
    return Outcome(
        "lem:VE", str(kind), "printed", Evidence(kind, "", vacuous=vacuous), Evidence(control or right, "")
    )


@pytest.mark.parametrize(
    ("found", "verdict"),
    [
        ([outcome(V.EXACT), outcome(V.PROVED), outcome(V.SUPPORTED)], V.PROVED),  # the strongest
        ([outcome(V.PROVED), outcome(V.REFUTED)], V.REFUTED),  # never outvoted
        ([outcome(V.PROVED), outcome(V.REFUTED, control=V.INCONCLUSIVE)], V.REFUTED),  # nor by its control
        ([outcome(V.SUPPORTED, vacuous=True)], V.INCONCLUSIVE),  # says nothing
        ([outcome(V.PROVED, vacuous=True), outcome(V.EXACT)], V.EXACT),
        (
            [outcome(V.PROVED, control=V.PROVED), outcome(V.EXACT)],
            V.EXACT,
        ),  # a checker that confirms a falsehood
        ([outcome(V.PROVED, control=V.INCONCLUSIVE)], V.INCONCLUSIVE),
        ([failed("lem:VE", "c", "printed", "no time")], V.INCONCLUSIVE),
        ([], V.INCONCLUSIVE),
    ],
)
def test_what_outcomes_amount_to(found: list[Outcome], verdict: Verdict) -> None:
    assert combine(found) is verdict
    assert combine(found[::-1]) is verdict


@pytest.mark.parametrize("expects", [V.KERNEL, V.PROVED, V.CERTIFIED, V.EXACT, V.SUPPORTED])
@pytest.mark.parametrize("verdict", list(V))
def test_an_expectation_is_met_by_its_kind_or_a_stronger_one(expects: Verdict, verdict: Verdict) -> None:
    order = list(V)
    met = verdict not in (V.INCONCLUSIVE, V.REFUTED) and order.index(verdict) <= order.index(expects)
    unmet = () if met else (f"expected {expects} or stronger, found {verdict}",)
    assert problems([], verdict, expects) == unmet


@pytest.mark.parametrize("verdict", list(V))
def test_an_erratum_expects_a_refutation_and_nothing_else(verdict: Verdict) -> None:
    unmet = () if verdict is V.REFUTED else (f"expected refuted, found {verdict}",)
    assert problems([], verdict, V.REFUTED) == unmet


@pytest.mark.parametrize("verdict", list(V))
def test_a_sentence_that_is_not_decided_may_be_expected_to_be_so(verdict: Verdict) -> None:
    unmet = () if verdict is V.INCONCLUSIVE else (f"expected inconclusive, found {verdict}",)
    assert problems([], verdict, V.INCONCLUSIVE) == unmet


def test_a_control_that_was_not_told_apart_is_a_problem_whatever_the_verdict() -> None:
    weak = outcome(V.PROVED, control=V.PROVED)
    assert problems([weak, outcome(V.PROVED)], V.PROVED, V.PROVED) == (
        "proved: its negative control was not told apart",
    )
    assert problems([outcome(V.PROVED)], V.PROVED, V.PROVED) == ()
    # a check that could not run is named once, by its reason
    assert problems([failed("lem:VE", "c", "printed", "no time")], V.EXACT, V.EXACT) == ("c: no time",)


def test_the_order_of_verdicts() -> None:
    assert V.KERNEL.at_least(V.PROVED)
    assert V.PROVED.at_least(V.PROVED)
    assert not V.SUPPORTED.at_least(V.EXACT)
    assert [v for v in V if not v.confirms] == [V.INCONCLUSIVE, V.REFUTED]
    assert [v for v in V if not v.decided] == [V.INCONCLUSIVE]
