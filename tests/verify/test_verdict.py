"""The verdicts: their order, and the words that say what each amounts to."""

import json
from pathlib import Path

import pytest

from verify.claim import Evidence
from verify.verdict import MEANING, Verdict

ORDER = ["kernel", "proved", "certified", "exact", "computed", "supported", "inconclusive", "refuted"]
SCHEMA = Path(__file__).resolve().parents[2] / "verify/campaign/results.schema.json"


def test_the_verdicts_stand_strongest_first_here_and_in_the_schema() -> None:
    assert [str(v) for v in Verdict] == ORDER
    assert json.loads(SCHEMA.read_text(encoding="utf-8"))["$defs"]["verdict"]["enum"] == ORDER
    assert list(MEANING) == list(Verdict)


def test_evidence_of_other_types_is_refused_where_it_is_made() -> None:
    """In a user's file that is a line of theirs; in the report it would be the end of the campaign."""
    for kind, summary in (("exact", "x"), (Verdict.EXACT, 3)):
        with pytest.raises(TypeError, match="needs a Verdict and a text"):
            Evidence(kind, summary)  # type: ignore[arg-type]
