"""Errata are about printed lines and say where, in which regime and at what cost; remarks are counted separately."""

import re
from fractions import Fraction
from pathlib import Path

import pytest
from report_example import whole_document

from finite_class.lemmas.sides import Sides
from finite_class.lemmas.witnesses import Witness
from verify import run, show, statements
from verify.campaign.judgement import judge
from verify.campaign.results import results, witness
from verify.campaign.units import Settings, run_campaign, task
from verify.catalogue import catalogue, index
from verify.claim import Erratum, Severity, Verdict, errata_words
from verify.cli import main
from verify.pages.site import errata_page
from verify.paper import PAPER
from verify.papers.fedigw.errata import judged
from verify.report.brief import rows
from verify.report.findings import ERRORS, REMARKS, errata_found, findings, statuses
from verify.report.markdown import summary_text
from verify.report.page import render

ROOT = Path(__file__).resolve().parents[3]
ERRATA = {label: claim for label, claim in catalogue().items() if label.startswith("erratum:")}
RECORDS = {label: claim.erratum for label, claim in ERRATA.items() if claim.erratum is not None}
REMARK = {f"erratum:E{k}" for k in (7, 8, 10, 16, 17, 18, 20)}


def test_every_erratum_has_place_severity_order_and_repair():
    assert set(RECORDS) == set(ERRATA)
    for label, record in RECORDS.items():
        assert all((record.place, record.order_survives, record.repair, record.about)), label
        wrong = "printed" if record.printed else "implied"
        assert ERRATA[label].variants[wrong].expects is Verdict.REFUTED, label
        assert record.kind in ERRATA[label].tags
    assert all(claim.erratum is None for label, claim in catalogue().items() if label not in ERRATA)


def test_numbers_have_no_hole():
    numbers = {int(label.removeprefix("erratum:E")) for label in ERRATA}
    assert numbers == set(range(1, max(numbers) + 1))


def test_what_is_no_error_of_a_printed_line_is_a_remark():
    assert {label for label, record in RECORDS.items() if record.remark} == REMARK
    assert all(record.printed or record.remark for record in RECORDS.values())
    severities = {int(label.removeprefix("erratum:E")): record.severity for label, record in RECORDS.items()}
    assert severities[11] is severities[9] is Severity.FALSE
    assert severities[23] is Severity.HYPOTHESIS
    assert severities[15] is severities[21] is Severity.VACUOUS
    assert "M is large" in RECORDS["erratum:E9"].regime
    assert "affinely independent" in RECORDS["erratum:E17"].regime


def test_every_page_has_the_same_errata_and_the_same_remarks(tmp_path, capsys):
    words = errata_words(record.severity for record in RECORDS.values())
    assert words.startswith(f"{len(RECORDS) - len(REMARK)} errata")
    assert words.endswith(f"{len(REMARK)} remarks")
    found = whole_document()
    assert errata_found(found) == words
    assert main(["list"]) == 0
    summary = summary_text(found)
    for text in ((ROOT / "README.md").read_text(), capsys.readouterr().out, summary, errata_page()):
        assert words in text
    assert words in " ".join(render(tmp_path, found).split())
    for tag, title, group in (
        ("erratum", "Errata, by severity", ERRORS),
        ("remark", "Remarks on the paper", REMARKS),
    ):
        labels = {label for label, record in RECORDS.items() if record.kind == tag}
        assert {row["label"] for row in statements(tag)} == labels
        assert f"## {title} ({len(labels)})" in summary
        assert {row["claim"] for row in findings(found)[group] if not row["because"]} == labels


@pytest.mark.parametrize("label", ERRATA)
def test_show_run_and_results_print_the_witness(label):
    lines = witness(catalogue()[label])
    assert lines
    assert lines[0].startswith("witness")
    assert "\n".join(lines) in str(show(label))


def test_show_prints_every_witness_of_a_statement_and_no_latex(capsys):
    for label, claim in index().items():
        text = str(show(label))
        assert all("\n".join(witness(index()[erratum])) in text for erratum in claim.errata)
        described, _, bibtex = text.rpartition("@article{")
        assert PAPER["title"] in bibtex
        said = described.replace(claim.statement.strip(), "").replace(
            "\n".join(claim.notes() if claim.notes else ()), ""
        )
        assert not re.search(r"\\[a-z]{2,}", said), label
        assert not any(f"check {check.name}:" in described for check in claim.checks)
    assert main(["show", "4.2", "--steps"]) == 0
    printed = capsys.readouterr().out
    assert all(f"check {check.name}:" in printed for check in index()["col:finite"].checks)
    assert r"\mathrm{Reg}(T)" in printed


def test_errata_are_listed_worst_first(capsys):
    assert main(["list", "errata"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[:4] == ["E9", "false", "Corollary", "4.2"]
    assert max(map(len, lines)) <= 100


def test_a_run_returns_and_prints_the_witness(capsys):
    found = run("erratum:E12", "lem:V_upper")
    assert list(found.witnesses) == ["erratum:E12"]
    assert "  Var l = 4117.66 - 45.125^2 = 2081.39 > 180.5" in found.witnesses["erratum:E12"]
    outcomes = run_campaign(["erratum:E12"], Settings(), None)
    (body,) = results(outcomes, judge(outcomes), Settings())["claims"]
    assert tuple(body["witness"]) == found.witnesses["erratum:E12"]
    assert main(["run", "E12", "--jobs", "1"]) == 0
    for text in (str(found), capsys.readouterr().out):
        assert "\n".join(found.witnesses["erratum:E12"]) in text


def test_a_line_that_holds_is_not_refuted():
    """What `judged` says of a printed line depends on the line, not on its being printed."""
    low, high = Fraction(1), Fraction(2)
    given = task(Settings(), "erratum:E1", ERRATA["erratum:E1"].checks[0])
    for sides, verdict in ((Sides(low, high), Verdict.EXACT), (Sides(high, low), Verdict.REFUTED)):
        for repaired in (False, True):
            other = Sides(sides.right, sides.left)
            lines = Witness("x", "a", other if repaired else sides, "b", sides if repaired else other)
            assert judged(given, lambda lines=lines: lines, "erratum:E1", repaired).kind is verdict


@pytest.mark.parametrize(
    ("place", "changes", "words"),
    [
        ("", {}, "names a section or appendix"),
        ("somewhere", {}, "names a section or appendix"),
        ("Section 4.1", {"printed": False}, "about a printed line"),
    ],
)
def test_an_erratum_without_a_place_in_print_is_refused(place, changes, words):
    with pytest.raises(ValueError, match=words):
        Erratum(place, Severity.GAP, "yes", "repair", ("lem:VE",), **changes)
    Erratum("Section 4.1", Severity.REMARK, "yes", "repair", ("lem:VE",), printed=False)


def test_the_refusal_names_file_and_line(tmp_path, monkeypatch):
    from fedigw.discovery import CatalogueError, modules
    from verify.papers.fedigw import claims

    text = (Path(claims.__path__[0]) / "erratum_E2.py").read_text()
    (tmp_path / "erratum_E99.py").write_text(text.replace('place="Appendix C.2, ', 'place="'))
    monkeypatch.setattr(claims, "__path__", [str(tmp_path)])
    line = next(i for i, row in enumerate(text.splitlines(), 1) if "= erratum(" in row)
    with pytest.raises(
        CatalogueError, match=rf"claims/erratum_E99.py, line {line}: ValueError: an erratum names"
    ):
        modules(claims.__name__, ())


def test_a_true_lemma_and_a_theorem_that_lacks_a_hypothesis_are_not_refuted():
    for label in ("lem:true_virtual_loss", "thm:global_regret"):
        assert catalogue()[label].variants["printed"].expects.confirms


@pytest.mark.parametrize(
    ("label", "words"),
    [
        ("thm:global_regret", "proved with it, Coq"),
        ("lem:true_virtual_loss", "proved with it, Coq"),
        ("lem:finite_error", "proved with it, Coq"),
        ("lem:finite_var", "refuted without it"),
        ("lem:epoch_regret_bound", "refuted without it"),
    ],
)
def test_an_unstated_hypothesis_is_shown_by_one_standard(label, words, capsys):
    """A statement that lacks a hypothesis that the paper suggests is called so, whatever the constant it prints."""
    hypothesis, suggested = catalogue()[label].variants["printed"].added
    said = f"needs a hypothesis ({words})"
    assert f"needs a hypothesis: {hypothesis}; what suggests it: {suggested}" in str(show(label))
    assert main(["list", "--all"]) == 0
    assert f"printed {said}" in capsys.readouterr().out
    row = next(row for row in rows(whole_document()) if row.label == label)
    assert row.wrong.startswith("needs a hypothesis: ")
    assert f"| {row.wrong} |" in (ROOT / "README.md").read_text()
    found = whole_document()
    status = next(row for row in statuses(found) if row.label == label)
    assert status.kind == "needs a hypothesis"
