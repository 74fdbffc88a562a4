"""The report made again: the same bytes, and nothing that the records and the evidence do not say."""

import json
import os
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import report_example

from bounds.errors import InputError
from fedigw.instance_file import to_toml
from fedigw.record import read_checked, replace_text, write_checked
from verify.campaign.outcome import Outcome
from verify.campaign.records import open_folder, parameters, record_path, save_outcome
from verify.campaign.units import Settings
from verify.catalogue import catalogue
from verify.claim import Evidence, Plot, Verdict
from verify.cli import main
from verify.report import plots
from verify.report.plots import draw_all
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
    for other in ({}, {"parameters": 3, "outcome": {}}, body | {"outcome": 7}):
        write_checked(path, other)
        refused(copied, f"the record of lem:VE {check} is no record of a check", capsys)


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


HOSTILE = "<script>alert(1)</script>"


def crafted(label: str, check: str = "unit", claim: str | None = None) -> dict[str, Any]:
    """Results of another program, without records, whose evidence agrees with its verdict."""
    figures = {"rows": [{HOSTILE: HOSTILE}], "text": HOSTILE}
    more = {"figures": figures, "instance": {"kind": "finite_class", "horizon": 2}}
    words = dict.fromkeys(("title", "statement", "reference"), HOSTILE)
    stated = ("stated", Verdict.EXACT, f"{HOSTILE}\nkind = 1", more)
    row = report_example.claim(label, HOSTILE, stated, **words, kind="lemma", tags=[HOSTILE], erratum=None)
    (variant,) = row["variants"]
    variant |= {"formula": f"x < {HOSTILE}", "hypotheses": [HOSTILE], "tight": HOSTILE}
    (found,) = variant["checks"]
    found |= {"claim": label if claim is None else claim, "check": check, "about": HOSTILE}
    found["control"] |= {"summary": f"{HOSTILE}\nkind = 1", "figures": figures}
    summary = {"verdicts": {"checked (exact)": 1}, "vacuous": 0, "expectations_met": 1, "expectations": 1}
    summary |= {"controls_told_apart": 1, "controls": 1, "checks_not_run": 0}
    level = {"family": 0.01, "check": 0.001, "rule": HOSTILE}
    changes = {"version": HOSTILE, "level": level, "summary": summary, "claims": [row]}
    return report_example.document() | changes


def report(folder: Path, document: dict[str, Any]) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "results.json").write_text(json.dumps(document))
    return main(["report", "--out", str(folder)])


def files(folder: Path) -> set[Path]:
    return {path for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    "label",
    ["../../victim/new", "/tmp/victim", "lem:../../victim/new", "lem:a/b", "lem:", "lem:x\n", "..", ""],
)
def test_a_label_from_a_file_names_no_path(label, tmp_path, capsys):
    (tmp_path / "victim").mkdir()
    folder = tmp_path / "a" / "out"
    for document in (crafted(label), crafted("lem:VE", check=label), crafted("lem:VE", claim=label)):
        assert report(folder, document) == 2
        said = capsys.readouterr().err
        assert "results.json has" in said
        assert said.count("\n") == 1
        assert files(tmp_path) == {folder / "results.json"}


def test_everything_from_a_file_is_escaped(tmp_path, capsys):
    assert report(tmp_path, crafted("lem:unknown_here")) == 0
    assert "has no records" in capsys.readouterr().err
    for name in ("report.html", "summary.md"):
        assert HOSTILE not in (tmp_path / name).read_text(), name
    written = next((tmp_path / "instances").iterdir()).read_text()
    assert [line for line in written.splitlines() if line.startswith("kind")] == ['kind = "finite_class"']


@pytest.mark.parametrize("below", ["instances", "plots", "records"])
def test_no_folder_of_ours_may_be_a_link(below, tmp_path):
    victim, folder = tmp_path / "victim", tmp_path / "out"
    victim.mkdir()
    folder.mkdir()
    (folder / below).symlink_to(victim)
    assert report(folder, crafted("lem:unknown_here")) == 2
    assert not files(victim)
    write_checked(folder / "campaign.json", parameters("quick", 0))
    with pytest.raises(InputError, match=f"{below} is a link"):
        open_folder(folder, parameters("quick", 0), False, lambda _: None)
    assert not files(victim)


def test_files_that_are_links_are_replaced_not_followed(tmp_path):
    victim = tmp_path / "victim"
    victim.write_text("precious")
    for name in ("report.html", "summary.md", "lem_unknown_here--unit.toml"):
        place = tmp_path / "out" / ("instances" if name.endswith(".toml") else "") / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(victim)
    assert report(tmp_path / "out", crafted("lem:unknown_here")) == 0
    assert victim.read_text() == "precious"
    assert not any(path.is_symlink() for path in (tmp_path / "out").rglob("*"))


@pytest.mark.fedigw
def test_a_plot_that_is_a_link_is_replaced(tmp_path):
    victim = tmp_path / "victim"
    victim.write_text("precious")
    claim = next(claim for claim in catalogue().values() if claim.plots)
    drawn = Plot(claim.plots[0].name, "title", ("one",), lambda axes, _: axes.plot([1, 2]))
    assert drawn.name == claim.plots[0].name
    for suffix in (".svg", ".png", ".pdf"):
        place = (tmp_path / "out" / "plots" / plots.file_stem(claim.label, drawn.name)).with_suffix(suffix)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(victim)
    mine = replace(claim, plots=(drawn,))
    known = Evidence(Verdict.EXACT, "found", {"x": 1})
    outcome = Outcome(claim.label, "one", next(iter(claim.variants)), known, known)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plots, "find", lambda _: mine)
        draw_all([mine], [outcome], tmp_path / "out")
    assert victim.read_text() == "precious"


def test_a_link_in_the_place_of_our_temporary_file_is_not_followed(tmp_path):
    victim = tmp_path / "victim"
    victim.write_text("precious")
    (tmp_path / f".file.{os.getpid()}.tmp").symlink_to(victim)
    replace_text(tmp_path / "file", "ours")
    assert victim.read_text() == "precious"
    assert (tmp_path / "file").read_text() == "ours"


def test_a_comment_of_an_instance_file_is_one_line():
    assert to_toml({}, ("one\ntwo = 2",)).splitlines()[0] == "# one two = 2"
