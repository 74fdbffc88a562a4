"""The pages of proofs name what Coq has, and their words are those of the glossary."""

import math
import re
from fractions import Fraction
from pathlib import Path

import pytest
from report_example import document, whole_document

from bounds.best.constant import best, of
from bounds.best.parameters import ANY_SCHEDULE, TUNED, derive, violated
from verify.formal.statements import PROOFS, statements
from verify.pages.site import numbered
from verify.paper import STATEMENTS
from verify.papers.fedigw.headlines import MODEL, RATES
from verify.report.findings import statements as stated
from verify.report.markdown import summary_text
from verify.report.page import render
from verify.report.verdict_table import insert, table

DOCS = Path(__file__).resolve().parents[3] / "docs"
ABOUT = ("thm:global_regret", "col:finite", "col:convex_raw", "own:covering")
# page -> the variants that it proves, and how many lemmas it names at least
PAGES = {
    "proof_repaired.md": (("printed", "repaired"), 60),
    "proof_sharpened.md": (("sharpened",), 45),
    "proof_best.md": (("best",), 60),
}


@pytest.mark.parametrize("page", PAGES)
def test_every_coq_name_exists_and_every_theorem_is_there(page):
    text, (variants, least) = (DOCS / page).read_text(encoding="utf-8"), PAGES[page]
    named = set(re.findall(r"`([A-Z]\w+\.\w+)`", text))
    assert len(named) > least
    for name in named:
        file, _, item = name.partition(".")
        source = (PROOFS / f"{file}.v").read_text(encoding="utf-8")
        assert re.search(rf"\b(Theorem|Lemma|Record|Definition|Fixpoint) {item}\b", source), name
    wanted = {
        s.theorem
        for s in statements()
        if s.variant in variants and s.same == "yes" and not s.refutes
        if "best" in variants or s.label in ABOUT or s.label.startswith("lem:")
    }
    assert wanted <= named, wanted - named


def test_every_false_line_of_the_general_proof_is_mentioned():
    text = (DOCS / "proof_repaired.md").read_text(encoding="utf-8")
    for erratum in (*range(1, 13), 19, 20, 21):
        assert re.search(rf"\bE{erratum}\b", text), erratum


@pytest.mark.parametrize("page", PAGES)
def test_formulas_can_be_drawn(page):
    assert "$" not in numbered((DOCS / page).read_text(encoding="utf-8"))


PAGE = (Path(__file__).resolve().parents[3] / "docs" / "proof_best.md").read_text(encoding="utf-8")


def test_quoted_constants():
    for doubling in (False, True):  # upper bounds are rounded up
        assert f"{math.ceil(best(None, doubling=doubling).over_g * 10**4) / 10**4:.4f}" in PAGE
    for arms in (3, 5, 10, 100):
        assert f"{best(arms).over_g:.3f}" in PAGE


def test_the_tuned_parameters_close_and_give_the_number_on_the_page():
    assert not violated(TUNED)
    found = derive(TUNED)
    assert f"{math.sqrt(4 * (1 + found.a) * found.b):.4f}" == "3.8079"
    assert "[3.7592, 3.8079]" in PAGE


def test_the_constants_of_agents_out_of_step():
    """The figure of section 6."""
    assert f"{of(ANY_SCHEDULE, None, Fraction(2)).over_g:.3f}" == "6.696"
    assert "C/g is at most 6.696 at c = 2" in PAGE


ROOT = Path(__file__).resolve().parents[3]
README = (ROOT / "README.md").read_text()


def test_the_table_of_the_readme_has_every_numbered_statement():
    made, numbered = table(whole_document()), [s for s in STATEMENTS if s.numbered]
    kind = ""
    for word in re.findall(r"Theorem|Corollary|Lemma|\b[A-F4]\.\d+", made):
        kind = word if word[-1].isalpha() else kind
        numbered = [s for s in numbered if s.number != f"{kind} {word}"]
    assert numbered == []
    assert f"**{len([s for s in STATEMENTS if s.numbered])} statements.** " in made
    assert made in insert(README, whole_document())


def test_report_and_summary_show_every_statement_of_the_paper(tmp_path):
    page, summary = render(tmp_path, document()), summary_text(document())
    for text in (page, summary):
        assert "22 theorems, corollaries and lemmas" in text
        for statement in STATEMENTS:
            assert statement.number in text
    assert "not in this campaign" in page  # the example has a few claims only
    for row in stated(document()):
        if row.missing:
            assert "not covered: " in row.words
            assert f"| {row.statement.number} |" in summary


@pytest.mark.parametrize("words", [MODEL, RATES])
def test_report_and_summary_say_what_kernel_models_and_which_rate_a_constant_has(words, tmp_path):
    assert words.split(":")[0] in render(tmp_path, document())
    assert words in summary_text(document())


# "the first formal proof", "for the first time", ...
