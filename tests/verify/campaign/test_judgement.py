"""From evidence to a verdict: every rule of the judgement, one case each way."""

import pytest

from verify.campaign.judgement import combine, problems
from verify.campaign.outcome import Outcome, failed
from verify.claim import Evidence, Verdict, fields
from verify.verdict import shown

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
        ([outcome(V.EXACT), outcome(V.Z3), outcome(V.MEASURED)], V.Z3),  # the strongest
        ([outcome(V.Z3), outcome(V.REFUTED)], V.REFUTED),  # never outvoted
        ([outcome(V.Z3), outcome(V.REFUTED, control=V.UNDECIDED)], V.REFUTED),  # nor by its control
        ([outcome(V.MEASURED, vacuous=True)], V.UNDECIDED),  # says nothing
        ([outcome(V.Z3, vacuous=True), outcome(V.EXACT)], V.EXACT),
        # a checker that confirms a falsehood
        ([outcome(V.Z3, control=V.Z3), outcome(V.EXACT)], V.EXACT),
        ([outcome(V.Z3, control=V.UNDECIDED)], V.UNDECIDED),
        ([failed("lem:VE", "c", "printed", "no time")], V.UNDECIDED),
        ([], V.UNDECIDED),
    ],
)
def test_what_outcomes_amount_to(found, verdict):
    assert combine(found) is verdict
    assert combine(found[::-1]) is verdict


@pytest.mark.parametrize("expects", [V.COQ, V.Z3, V.CERTIFICATE, V.EXACT, V.MEASURED, V.REFUTED, V.UNDECIDED])
@pytest.mark.parametrize("verdict", list(V))
def test_an_expectation_is_met_by_its_kind_or_a_stronger_one(expects, verdict):
    """An erratum expects a refutation, and a sentence that is not decided may be expected to be so: nothing else."""
    words = {V.REFUTED: "refuted (witness)", V.UNDECIDED: "undecided"}.get(expects, f"{expects} or stronger")
    order = list(V)
    met = verdict not in (V.UNDECIDED, V.REFUTED) and order.index(verdict) <= order.index(expects)
    if expects in (V.REFUTED, V.UNDECIDED):
        met = verdict is expects
    assert problems([], verdict, expects) == (() if met else (f"expected {words}, found {verdict}",))


def test_a_control_that_was_not_told_apart_is_a_problem_whatever_the_verdict():
    weak = outcome(V.Z3, control=V.Z3)
    assert problems([weak, outcome(V.Z3)], V.Z3, V.Z3) == (
        "proved (z3): its negative control was not rejected",
    )
    assert problems([outcome(V.Z3)], V.Z3, V.Z3) == ()
    # a check that could not run is named once, by its reason
    assert problems([failed("lem:VE", "c", "printed", "no time")], V.EXACT, V.EXACT) == ("c: no time",)


def test_the_order_of_verdicts():
    assert V.COQ.at_least(V.Z3)
    assert V.Z3.at_least(V.Z3)
    assert not V.MEASURED.at_least(V.EXACT)
    assert [v for v in V if not v.confirms] == [V.UNDECIDED, V.REFUTED]
    assert [v for v in V if not v.decided] == [V.UNDECIDED]


@pytest.mark.parametrize(
    ("kind", "figures", "words"),
    [
        (V.FLOAT, {"worst_ratio": 0.995}, "checked (floating point, 0.5% below its bound)"),
        (V.FLOAT, {"worst_ratio": 1 + 1e-12}, "checked (floating point, at its bound)"),
        (V.FLOAT, {"worst_ratio": 0.9}, "checked (floating point)"),
        (V.EXACT, {"worst_ratio": 1.0}, "checked (exact)"),  # nothing is rounded
        (V.MEASURED, {"limit": -0.4, "high": -0.39}, "measured (no level, at its bound)"),
        (V.MEASURED, {"rows": [{"mean": 1.9, "bound": 2.0}, 7]}, "measured (no level, 5.0% below its bound)"),
        (V.MEASURED, {"rows": [{"mean": 1.9, "bound": 2.0, "vacuous": True}]}, "measured (no level)"),
    ],
)
def test_a_verdict_near_its_threshold_says_so(kind, figures, words):
    """The nearest of all checks with this verdict counts."""
    far = Evidence(kind, "", {"series": [{"mean": 0.1, "bound": 2.0}]})
    assert shown(fields(kind, [Evidence(kind, "", figures), far])) == words
