"""Formulas in the report: mathematics where they can be, shown as they are where not, never obeyed."""

from xml.etree import ElementTree

import pytest

from verify.catalogue import catalogue
from verify.report import mathematics


@pytest.mark.parametrize("label", list(catalogue()))
def test_every_formula_of_the_catalogue_becomes_mathematics(label: str) -> None:
    for name, variant in catalogue()[label].variants.items():
        block = mathematics.mathml(variant.formula)
        assert "<math" in block or 'class="formula words"' in block, name
        assert "\\" not in "".join(ElementTree.fromstring(block).itertext()), name


def test_a_formula_that_cannot_be_converted_is_shown_as_it_is() -> None:
    assert mathematics.mathml(r"\frac{1") == r"<code>\frac{1</code>"
    assert mathematics.mathml(r"\unknowncommand{<b>}") == r"<code>\unknowncommand{&lt;b&gt;}</code>"


def test_text_in_a_formula_is_escaped() -> None:
    block = mathematics.mathml(r"\text{a <b> c <= d} < e")
    assert "".join(ElementTree.fromstring(block).itertext()).replace("\xa0", " ") == "a <b> c ≤ d<e"
    assert "<b>" not in block


@pytest.mark.parametrize(
    "formula", [r"\href{javascript:alert(1)}{x}", r"\style{background:url(y)}{x}", r"a + \class{top}{x}"]
)
def test_a_formula_carries_no_link_or_style(formula: str) -> None:
    assert mathematics.mathml(formula) == f"<code>{formula}</code>"


def test_statements_keep_their_displays() -> None:
    statement = "lem:VE. One\ntwo:\n\n    printed   a = b\n              and c\n    d = e\n\nend"
    assert mathematics.blocks(statement) == [
        ("text", [("", "One two:")]),
        ("display", [("printed", "a = b and c"), ("", "d = e")]),
        ("text", [("", "end")]),
    ]


@pytest.mark.parametrize(
    "formula", ["a & b", "\x01&amp;<![CDATA[", "{" * 3000 + "x" + "}" * 3000, "\ue000\x00"]
)
def test_a_formula_that_is_no_formula_does_not_end_a_report(formula: str) -> None:
    assert "<![CDATA[" not in mathematics.mathml(formula)
