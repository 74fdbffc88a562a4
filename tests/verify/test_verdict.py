"""The verdicts: their order, and the words that say what each amounts to."""

import json
from pathlib import Path

import pytest

from verify.claim import Evidence, fields, listed
from verify.verdict import MEANING, Verdict, shown

ORDER = [
    "proved (Coq)",
    "proved (z3)",
    "proved (certificate)",
    "checked (exact)",
    "checked (floating point)",
    "measured",
    "undecided",
    "refuted (witness)",
]
SCHEMA = Path(__file__).resolve().parents[2] / "verify/campaign/results.schema.json"


def test_the_verdicts_stand_strongest_first_here_and_in_the_schema():
    assert [str(v) for v in Verdict] == ORDER
    known = json.loads(SCHEMA.read_text(encoding="utf-8"))["$defs"]["verdict"]["enum"]
    assert set(known) == {v.fields["verdict"] for v in Verdict}
    assert [Verdict.of(v.fields) for v in Verdict] == list(Verdict)
    assert list(MEANING) == list(Verdict)


def test_the_brackets_say_level_instances_and_how_a_theorem_of_coq_differs():
    levels = [Evidence(Verdict.MEASURED, "", level=0.01), Evidence(Verdict.MEASURED, "", level=0.04)]
    assert fields(Verdict.MEASURED, levels)["by"] == "level 0.05"
    assert shown(fields(Verdict.MEASURED, levels)) == "measured (level 0.05)"
    assert shown(fields(Verdict.MEASURED, [Evidence(Verdict.MEASURED, "")])) == "measured (no level)"
    counted = [Evidence(Verdict.EXACT, "", {"instances": n}) for n in (2, 10)]
    assert shown(fields(Verdict.EXACT, counted)) == "checked (exact, 12 instances)"
    for same, words in (("part", ", a part of it"), ("stronger", ", a stronger statement"), ("yes", "")):
        found = fields(Verdict.COQ, [Evidence(Verdict.COQ, "", {"same": s}) for s in (same, "beside")])
        assert shown(found) == f"proved (Coq{words})"
    assert shown(Verdict.EXACT.fields, added=True) == "needs a hypothesis (checked with it, exact)"


def test_variants_are_listed_before_parts():
    found = {"calls": "undecided", "printed": "refuted (witness)", "best": "proved (Coq)"}
    assert listed(found) == "printed refuted (witness), best proved (Coq); parts: calls undecided"
    assert listed({"calls": "undecided"}) == "parts: calls undecided"


def test_evidence_of_other_types_is_refused_where_it_is_made():
    """In a user's file that is a line of theirs; in the report it would be the end of the campaign."""
    for kind, summary, figures in (("exact", "x", {}), (Verdict.EXACT, 3, {}), (Verdict.EXACT, "x", "y")):
        with pytest.raises(
            TypeError, match=r"^Evidence: (kind = 'exact'|summary = 3|figures = 'y'): must be "
        ):
            Evidence(kind, summary, figures)
