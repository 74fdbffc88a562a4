"""Convert LaTeX formulas to MathML, for a web page that needs no network."""

import html
import re
from functools import lru_cache
from xml.etree import ElementTree

from verify.report.plain import LABEL, typeset

# Bars and slashes without space around them.
CLOSE = re.compile(r"<mo([^>]*)>(&#x0*7C;|&#x0*2F;|\||/)</mo>")
TEXT = re.compile(r"\\text\{((?:[^{}]|\{[^{}]*\})*)\}")  # a formula that is one sentence
# How a formula may be laid out. A link, a style or a class is not mathematics, and \href takes any address.
LAYOUT = {
    "xmlns", "display", "displaystyle", "scriptlevel", "mathvariant", "stretchy", "fence", "form", "separator",
    "accent", "accentunder", "movablelimits", "largeop", "lspace", "rspace", "width", "height", "depth", "voffset",
    "minsize", "maxsize", "linethickness", "columnalign", "columnlines", "rowlines", "columnspacing", "rowspacing",
    "notation",
}  # fmt: skip
ATTRIBUTE = re.compile(r'\s([^\s=<>"]+)="[^"]*"')
DISGUISES = {"<=": "≤", ">=": "≥", "<": "\ue000", ">": "\ue001"}
SYMPY = re.compile(r"Rational\((\d{1,40}), ?(\d{1,40})\)")


@lru_cache(maxsize=16384)  # a campaign has about 6000 texts
def readable(text: str) -> str:
    """Return plain text as HTML, with formulas such as gamma^{l-1} <= sqrt(K/e_l) typeset. Formulas in sympy's syntax,
    such as Rational(9,10)*c**2, are typeset too."""
    text = SYMPY.sub(_ratio, text)
    return typeset(re.sub(r"\*\*(?=[\w(])", "^", text).replace("Max(", "max("))


def _ratio(match: re.Match[str]) -> str:
    short = len(match[1]) + len(match[2]) <= 8 or int(match[2]) == 0
    return f"({match[1]}/{match[2]})" if short else f"{int(match[1]) / int(match[2]):.6g}"


@lru_cache(maxsize=4096)
def mathml(formula: str) -> str:
    """Return a LaTeX formula as MathML with the LaTeX as its tooltip, or the LaTeX itself if it cannot be converted."""
    from latex2mathml.converter import convert

    source = html.escape(formula, quote=True)
    words = TEXT.fullmatch(formula)
    if words:
        # a sentence: it may break lines, and its plain formulas are set
        plain = re.sub(r"\\([_{}%&#$])", r"\1", words[1].replace(r"\^{}", "^"))
        return f'<div class="formula words">{readable(plain)}</div>'
    # the converter does not escape \text{a < b}, so < and > are replaced before it and restored after it
    disguised = formula.replace("$", "")  # mathematics inside \\text
    for plain, mask in DISGUISES.items():
        disguised = disguised.replace(plain, mask)
    try:
        block = convert(disguised, display="block")
    except Exception:  # the converter's own errors have no common class; a formula must never end a report
        return f"<code>{source}</code>"
    balanced = len(re.findall(r"(?<!\\)\{", formula)) == len(re.findall(r"(?<!\\)\}", formula))
    foreign = set(ATTRIBUTE.findall(block)) - LAYOUT
    if foreign or not balanced or "\\" in re.sub(r"<[^>]*>", "", block):
        return f"<code>{source}</code>"
    for plain, mask in DISGUISES.items():
        block = block.replace(f"<mi>{mask}</mi>", f"<mo>{mask}</mo>").replace(
            mask, html.escape(plain) if len(plain) == 1 else mask
        )
    block = CLOSE.sub(r'<mo\1 lspace="0" rspace="0">\2</mo>', block)
    try:
        ElementTree.fromstring(block)
    except (ElementTree.ParseError, ValueError, RecursionError):  # the converter lets through what is not XML
        return f"<code>{source}</code>"
    return f'<div class="formula" title="{source}">{block}</div>'


def blocks(statement: str) -> list[tuple[str, list[tuple[str, str]]]]:
    """Split the text of a claim's statement into paragraphs for a web page. Return pairs ("text" or "display", rows),
    where a row is a pair (name, text).

    Indented lines form a display, with a row for each line. If a line begins with the name of a variant, this becomes
    the row's name. A line with more indentation continues the row before it. The claim's label at the beginning is left
    out, because the heading has it.
    """
    found: list[tuple[str, list[str]]] = []
    for line in re.sub(rf"^{LABEL.pattern}[.:]\s*", "", statement.strip()).splitlines():
        if not line.strip():
            found.append(("gap", []))
            continue
        kind = "display" if line.startswith("    ") or NAMED.match(line) else "text"
        if not found or found[-1][0] != kind:
            found.append((kind, []))
        found[-1][1].append(line)
    return [
        (kind, _rows(lines) if kind == "display" else [("", " ".join(lines))])
        for kind, lines in found
        if lines
    ]


NAMED = re.compile(r"\s*([a-z_][\w, ~-]{0,26}?)\s{2,}(?=\S)")


def _rows(lines: list[str]) -> list[tuple[str, str]]:
    rows: list[tuple[str, str]] = []
    margin = min(len(line) - len(line.lstrip()) for line in lines)
    for line in lines:
        deeper = len(line) - len(line.lstrip()) > margin
        named = NAMED.match(line)
        if rows and deeper:
            rows[-1] = (rows[-1][0], f"{rows[-1][1]} {line.strip()}")
        elif named and not deeper:
            rows.append((named[1].strip(), line[named.end() :].strip()))
        else:
            rows.append(("", line.strip()))
    return rows
