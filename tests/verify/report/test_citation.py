"""Verdicts are cited by an id; an id or a saved citation is recomputed, and what changed is named."""

import json
import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from refused import refused

from verify.cli import main
from verify.recorded import record as recorded
from verify.report import citation
from verify.report.citation import COLOURS, cited


@pytest.mark.fedigw
def test_the_id_of_a_verdict_is_looked_up_and_recomputed(tmp_path, capsys):
    document = cited("Corollary 4.2")
    assert re.fullmatch(r"fedigw:col:finite/best@[0-9a-f]{8}", document["id"])
    assert (document["verdict"], document["by"]) == ("proved", "coq")
    assert cited(document["id"]) == document
    assert main(["cite", document["id"]]) == 0
    assert f"Verdict {document['id']} on: " in capsys.readouterr().out
    assert main(["cite", "fedigw:col:finite/best@00000000"]) == 1
    said = "the statement, hypotheses, definitions, evidence or code changed since it was checked; now "
    assert capsys.readouterr().err == f"verify: fedigw:col:finite/best@00000000: {said}{document['id']}\n"
    saved = tmp_path / "saved.json"
    assert main(["cite", "col:finite", "--json"]) == 0
    saved.write_text(capsys.readouterr().out)
    assert main(["cite", str(saved)]) == 0
    capsys.readouterr()
    before = json.loads(saved.read_text())
    saved.write_text(json.dumps(before | {"parts": before["parts"] | {"statement": "0" * 8}}))
    assert main(["cite", str(saved)]) == 1
    assert "the statement changed since it was checked; now " in capsys.readouterr().err


@pytest.mark.fedigw
def test_each_part_is_hashed_by_itself(monkeypatch):
    """A change of a formula, a hypothesis, a verdict or a file changes the id and that part only."""
    before = cited("col:finite")
    claim = citation.look_up("col:finite")
    form = claim.variants["best"]
    other = {"statement": replace(form, formula="0"), "hypotheses": replace(form, hypotheses=("none",))}
    row = {"col:finite": {"best": {"verdict": "measured", "by": "level 0.1"}}}
    weaker = dict(recorded()) | {"verdicts": dict(recorded()["verdicts"]) | row}
    changes = {
        **{part: ("look_up", replace(claim, variants={"best": v})) for part, v in other.items()},
        "evidence": ("record", weaker),
        "code": ("_code", [Path(__file__)]),
        "definitions": ("_definitions", []),
    }
    for part, (name, found) in changes.items():
        with monkeypatch.context() as patch:
            patch.setattr(citation, name, lambda *_, found=found: found)
            if part == "evidence":
                patch.setattr("verify.recorded.record", lambda: weaker)
            after = cited("col:finite")
        assert after["id"] != before["id"]
        assert [p for p in before["parts"] if after["parts"][p] != before["parts"][p]] == [part]


@pytest.mark.fedigw
def test_a_badge_is_a_picture_with_the_verdict(capsys):
    assert main(["badge", "E6"]) == 0
    picture = ElementTree.fromstring(capsys.readouterr().out)
    texts = ["".join(element.itertext()) for element in picture.iter() if element.tag.endswith("text")]
    assert texts == ["erratum:E6 (printed)", "refuted (witness)"]
    for number, variant, success in (
        ("D.7", "printed", False),
        ("4.1", "printed", False),
        ("D.7", "best", True),
    ):
        assert main(["badge", number, "--variant", variant]) == 0
        assert (COLOURS["proved"] in capsys.readouterr().out) == success, (number, variant)


@pytest.mark.fedigw
def test_what_cannot_be_cited_is_one_line(tmp_path, capsys):
    (tmp_path / "other.json").write_text("[]")
    refused(capsys, ["cite", "col:finite", "--variant", "bset"], "did you mean 'best'?")
    refused(capsys, ["cite", "asp:local"], "is not covered")
    refused(capsys, ["cite", "fig:exp_single", "--variant", "agr"], "is undecided, which cannot be cited")
    refused(capsys, ["cite", str(tmp_path / "other.json")], "is not a file that `cite --json` wrote")
    refused(capsys, ["cite", "col:finite@xyz"], "must be a label or an id")
