"""The report made again: the same bytes, and nothing that the records and the evidence do not say."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from fedigw.record import read_checked, write_checked
from verify.campaign.outcome import Outcome
from verify.campaign.records import open_folder, parameters, record_path, save_outcome
from verify.campaign.units import Settings
from verify.catalogue import catalogue
from verify.claim import Evidence, Verdict
from verify.cli import main
from verify.verbs.run import write_all

LABELS = ("lem:V_upper", "lem:VE", "erratum:E7")
KINDS = (Verdict.MEASURED, Verdict.COQ, Verdict.EXACT, Verdict.CERTIFICATE)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A campaign's folder with verdicts of many kinds, none of which took any work."""
    folder = tmp_path_factory.mktemp("finished") / "campaign"
    made_with = parameters("quick", 0)
    open_folder(folder, made_with, False, lambda _: None)
    outcomes = []
    for label in LABELS:
        claim = catalogue()[label]
        kinds = {name: KINDS[i % len(KINDS)] for i, name in enumerate(claim.variants)}
        for check in claim.checks:
            refuted = claim.variants[check.variant].expects is Verdict.REFUTED
            kind = Verdict.REFUTED if refuted else kinds[check.variant]
            control = Verdict.EXACT if refuted else Verdict.REFUTED
            found = Evidence(kind, "found", {"z": 1, "a": 2})
            outcomes.append(Outcome(label, check.name, check.variant, found, Evidence(control, "control")))
            save_outcome(folder, outcomes[-1], made_with)
    write_all(folder, outcomes, Settings(), {})
    return folder


@pytest.fixture
def copied(finished, tmp_path):
    return Path(shutil.copytree(finished, tmp_path / "copied"))


def edit(folder: Path, old: str, new: str) -> None:
    path = folder / "results.json"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def document(folder: Path) -> Any:
    return json.loads((folder / "results.json").read_text())


def refused(folder: Path, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    before = (folder / "report.html").read_bytes()
    assert main(["report", "--out", str(folder)]) == 2
    shown = capsys.readouterr().err
    assert words in shown
    assert len(shown.splitlines()) == 1
    assert (folder / "report.html").read_bytes() == before


@pytest.mark.fedigw
def test_the_report_made_again_is_the_same_bytes(finished, copied, capsys):
    for name in ("report.html", "summary.md"):
        (copied / name).unlink()
    assert main(["report", "--out", str(copied)]) == 0
    assert capsys.readouterr().err == ""
    for name in ("report.html", "summary.md"):
        assert (copied / name).read_bytes() == (finished / name).read_bytes()


@pytest.mark.fedigw
def test_a_stronger_verdict_or_evidence_written_in_is_refused(copied, capsys):
    found = document(copied)
    variant = next(v for c in found["claims"] for v in c["variants"] if v["verdict"] == "measured")
    variant |= Verdict.COQ.fields
    (copied / "results.json").write_text(json.dumps(found))
    refused(copied, "says proved (coq), but its evidence amounts to measured (", capsys)
    for check in variant["checks"]:
        check["evidence"] |= Verdict.COQ.fields
    variant.update(Verdict.COQ.fields, met=True, problems=[])
    (copied / "results.json").write_text(json.dumps(found))
    first = variant["checks"][0]
    refused(copied, f"on {first['claim']} {first['check']} differs from its record", capsys)


@pytest.mark.fedigw
@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"met":true', '"met":false', "misstates whether the expectation is met"),
        ('"control_ok":true', '"control_ok":false', "misstates the negative control"),
        ('"seed":0', '"seed":1', "differs from its record"),
        ('"title":"', '"title":"Surely ', "says what this program does not"),
        ('"controls_told_apart":', '"controls_told_apart":9', "says another summary"),
    ],
)
def test_other_edits_are_refused(old, new, words, copied, capsys):
    edit(copied, old, new)
    refused(copied, words, capsys)


@pytest.mark.fedigw
def test_an_edited_record_is_refused(copied, capsys):
    check = catalogue()["lem:VE"].checks[0].name
    path = record_path(copied, "lem:VE", check)
    body = read_checked(path)
    path.write_text(path.read_text().replace('"found"', '"proven"', 1))
    refused(copied, f"the record of lem:VE {check} cannot be trusted", capsys)
    body["outcome"]["evidence"]["summary"] = "proven"
    write_checked(path, body)
    refused(copied, f"on lem:VE {check} differs from its record", capsys)


@pytest.mark.fedigw
def test_without_records_a_warning(copied, capsys):
    record_path(copied, "lem:VE", catalogue()["lem:VE"].checks[0].name).unlink()
    assert main(["report", "--out", str(copied)]) == 0
    assert "1 of " in capsys.readouterr().err
    shutil.rmtree(copied / "records")
    assert main(["report", "--out", str(copied)]) == 0
    shown = capsys.readouterr().err
    assert "has no records: results.json could not be checked against them" in shown
    assert len(shown.splitlines()) == 1
