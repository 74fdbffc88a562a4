"""Formulas of the report as people read them, in sentences and displayed, and the brief screen."""

import copy
import re
from xml.etree import ElementTree

import pytest
from report_example import whole_document

from verify.catalogue import catalogue
from verify.paper import STATEMENTS
from verify.report import mathematics
from verify.report.brief import screen
from verify.report.mathematics import blocks, mathml, readable
from verify.report.plain import typeset


def text_of(html: str) -> str:
    return "".join(ElementTree.fromstring(f"<p>{html}</p>").itertext())


def tags(html: str) -> list[str]:
    return [e.tag for e in ElementTree.fromstring(f"<p>{html}</p>").iter()]


@pytest.mark.parametrize(
    ("plain", "shown", "wanted"),
    [
        ("gamma^{l-1} <= gamma^l", "γl−1 ≤ γl", ["sup"]),
        ("e_l < 2^-40 & x", "el < 2−40 & x", ["sub", "sup"]),
        ("E^l_m of Kbar^l", "Elm of K\u0304l", ["sub", "sup"]),
        ("eps_opt, sqrt(K/e)", "εopt, √(K/e)", ["sub"]),
        ("norm(phi) and ceil(sqrt n)", "‖φ‖ and ⌈√n⌉", ["i"]),
        ("norm(w~*)^2, floor(log2 T)", "‖w~*‖2, ⌊log2 T⌋", ["sub", "sup"]),
        ("f* and zeta*^2, C~", "f* and ζ*2, C~", ["sup"]),
        ("1.1e7 and 1e-08 rounds", "1.1·107 and 10−8 rounds", ["sup"]),
        ("sqrt(KMT log(|F|MT))", "√(KMT log(|F|MT))", ["i"]),
        ("p_hat >= 1/K, A2 = 1/(1-ct)", "p\u0302 ≥ 1/K, A2 = 1/(1−ct)", ["i"]),
        ("sum_{l>=2} S^l", "∑l≥2 Sl", ["sub", "sup"]),
    ],
)
def test_a_formula_is_set(plain, shown, wanted):
    html = typeset(plain)
    assert text_of(html) == shown
    assert set(wanted) <= set(tags(html))


@pytest.mark.parametrize(
    "plain",
    [
        "lem:finite_var and random_table, and/or a K-free word (erratum E7)",
        "that is what a well-known reader's chat says: 12 of 40, 1,750,069 steps",
        "Appendix D.3, Section 4.2, Coq 8.16.1",
        "min and max, the sum, I see A thing",
        ") unbalanced ( brackets ] stay",
    ],
)
def test_words_stay_words(plain):
    html = typeset(plain)
    assert text_of(html) == plain
    assert [tag for tag in tags(html) if tag not in ("p", "code", "i")] == []


@pytest.mark.parametrize(
    "plain",
    [
        '<script>alert("x")</script>',
        "<img src=x onerror=alert(1)>",
        "`<b>` and \"<i>\" & '<u>'",
        "^ _ | ~ * / - ...",
    ],
)
def test_nothing_is_obeyed(plain):
    html = typeset(plain)
    assert not re.search(r"<(?:script|img|b|u)\b", html)
    assert text_of(html).replace("…", "...").replace("−", "-").replace(" ", "") == plain.replace(
        "`", ""
    ).replace(" ", "")


@pytest.mark.parametrize(
    "plain", ["(" * 3000, "(a " * 40 + ")" * 40, "x^" * 3000, "{" * 50 + "}" * 50, "|" * 99]
)
def test_nesting_that_is_no_formula_ends(plain):
    ElementTree.fromstring(f"<p>{typeset(plain)}</p>")


ASCII = re.compile(r"<=|>=|\bsqrt\b|\b(gamma|eps|delta|kappa|lambda|omega)\b|[A-Za-z0-9)]\^[A-Za-z0-9{]|_\{")


@pytest.mark.parametrize("label", list(catalogue()))
def test_no_statement_keeps_a_formula_in_ascii(label):
    claim = catalogue()[label]
    texts = [text for _, rows in blocks(claim.statement) for _, text in rows] + [claim.title]
    texts += [h for variant in claim.variants.values() for h in variant.hypotheses]
    texts += (
        [claim.erratum.place, claim.erratum.repair, claim.erratum.order_survives] if claim.erratum else []
    )
    for text in texts:
        html = re.sub(r"<code>.*?</code>", "", typeset(text))
        assert not ASCII.search(text_of(html)), text


def test_what_a_checker_says_is_written_as_people_do():
    said = (
        "repaired_constant = Rational(9,10)*(11*c**2), Max(1-1/K, Rational(85810593538027,193776844800000))"
    )
    assert text_of(readable(said)) == "repaired_constant = (9/10)·(11·c2), max(1−1/K, 0.442832)"


def test_a_sentence_of_an_erratum_is_set():
    shown = mathml(r"\text{E\^{}{l-1} <= mu\_f}")
    assert text_of(shown) == "El−1 ≤ μf"
    assert shown.startswith('<div class="formula words">')


def test_letters_that_act_are_shown_as_marks():
    from verify.report.plain import inert

    acting = "\x00\x07\x1b\r\x7f\x9b\u200e\u200f\u202a\u202e\u2066\u2069\u061c"
    assert inert(f"a{acting}b") == "a" + "\ufffd" * len(acting) + "b"
    assert inert("tab\tline\nΓ ≤ é") == "tab\tline\nΓ ≤ é"


@pytest.mark.parametrize("label", list(catalogue()))
def test_every_formula_of_the_catalogue_becomes_mathematics(label):
    for name, variant in catalogue()[label].variants.items():
        block = mathematics.mathml(variant.formula)
        assert "<math" in block or 'class="formula words"' in block, name
        assert "\\" not in "".join(ElementTree.fromstring(block).itertext()), name


def test_a_formula_that_cannot_be_converted_is_shown_as_it_is():
    assert mathematics.mathml(r"\frac{1") == r"<code>\frac{1</code>"
    assert mathematics.mathml(r"\unknowncommand{<b>}") == r"<code>\unknowncommand{&lt;b&gt;}</code>"
    # and carries no link or style
    for formula in (r"\href{javascript:alert(1)}{x}", r"\style{background:url(y)}{x}", r"a + \class{top}{x}"):
        assert mathematics.mathml(formula) == f"<code>{formula}</code>"


def test_text_in_a_formula_is_escaped():
    block = mathematics.mathml(r"\text{a <b> c <= d} < e")
    assert "".join(ElementTree.fromstring(block).itertext()).replace("\xa0", " ") == "a <b> c ≤ d<e"
    assert "<b>" not in block


def test_statements_keep_their_displays():
    statement = "lem:VE. One\ntwo:\n\n    printed   a = b\n              and c\n    d = e\n\nend"
    assert mathematics.blocks(statement) == [
        ("text", [("", "One two:")]),
        ("display", [("printed", "a = b and c"), ("", "d = e")]),
        ("text", [("", "end")]),
    ]


@pytest.mark.parametrize(
    "formula", ["a & b", "\x01&amp;<![CDATA[", "{" * 3000 + "x" + "}" * 3000, "\ue000\x00"]
)
def test_a_formula_that_is_no_formula_does_not_end_a_report(formula):
    assert "<![CDATA[" not in mathematics.mathml(formula)


@pytest.mark.fedigw
def test_one_screen_names_every_statement_and_where_to_read():
    lines = screen(whole_document(), "build/verify")
    assert len(lines) <= 30
    assert max(map(len, lines)) <= 100
    text = " ".join(" ".join(lines).split())
    assert re.search(r"All \d+ verdicts are as expected", text)
    assert all(s.number.partition(" ")[2] in text for s in STATEMENTS if s.numbered)
    assert lines[-2] == "Read build/verify/report.html"


@pytest.mark.fedigw
def test_what_is_not_as_expected_comes_first():
    spoilt = copy.deepcopy(whole_document())
    spoilt["claims"][0]["variants"][0] |= {"met": False, "problems": ["found something else"]}
    lines = screen(spoilt, "out")
    assert lines[1] == "NOT AS EXPECTED:"
    assert "found something else" in lines[2]
