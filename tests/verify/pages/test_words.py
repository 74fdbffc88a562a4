"""README, report and summary count and show every statement, and constants are at the rates that are said."""

import re
from pathlib import Path

import pytest
from report_example import document, whole_document

from verify.paper import STATEMENTS
from verify.papers.fedigw.headlines import MODEL, RATES
from verify.report.findings import statements
from verify.report.markdown import summary_text
from verify.report.page import render
from verify.report.verdict_table import insert, table

ROOT = Path(__file__).resolve().parents[3]
README = (ROOT / "README.md").read_text()


def test_the_table_of_the_readme_has_every_numbered_statement() -> None:
    made, numbered = table(whole_document()), [s for s in STATEMENTS if s.numbered]
    kind = ""
    for word in re.findall(r"Theorem|Corollary|Lemma|\b[A-F4]\.\d+", made):
        kind = word if word[-1].isalpha() else kind
        numbered = [s for s in numbered if s.number != f"{kind} {word}"]
    assert numbered == []
    assert f"**{len([s for s in STATEMENTS if s.numbered])} statements: " in made
    assert made in insert(README, whole_document())


def test_report_and_summary_show_every_statement_of_the_paper(tmp_path: Path) -> None:
    page, summary = render(tmp_path, document()), summary_text(document())
    for text in (page, summary):
        assert "22 theorems, corollaries and lemmas" in text
        for statement in STATEMENTS:
            assert statement.number in text
    assert "not in this campaign" in page  # the example has a few claims only
    for row in statements(document()):
        if row.missing:
            assert "not covered: " in row.words
            assert f"| {row.statement.number} |" in summary


@pytest.mark.parametrize("words", [MODEL, RATES])
def test_report_and_summary_say_what_kernel_models_and_which_rate_a_constant_has(
    words: str, tmp_path: Path
) -> None:
    assert words.split(":")[0] in render(tmp_path, document())
    assert words in summary_text(document())


# "the first formal proof", "for the first time", ...
