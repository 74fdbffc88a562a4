"""The repair of E8 can fail: a smaller clip is refuted by an exact law within a tenth of it."""

from verify.campaign.units import Settings, run_unit
from verify.verdict import Verdict


def test_a_clip_below_one_is_refuted_and_one_is_not() -> None:
    outcome = run_unit(Settings(), "erratum:E8", "clip")
    assert outcome.evidence.kind is Verdict.EXACT
    assert max(row["value"] for row in outcome.evidence.figures["rows"]) == 0.95
    assert outcome.control.kind is Verdict.REFUTED
    assert "11/12 > min(0.9, e)" in outcome.control.summary
