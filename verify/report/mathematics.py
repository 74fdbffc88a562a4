"""Mathematics for a web page without a network: LaTeX formulas as MathML, plain formulas in text made readable."""

from __future__ import annotations

import html
import re

GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "eps": "ε", "zeta": "ζ", "eta": "η", "kappa": "κ",
    "lambda": "λ", "mu": "μ", "rho": "ρ", "sigma": "σ", "tau": "τ", "omega": "ω", "Sigma": "Σ", "Delta": "Δ",
}  # fmt: skip
# Whole names only: "the beta of a law" is rare in a hypothesis, "gamma^l" is not.
NAMES = re.compile(r"(?<![A-Za-z])(" + "|".join(GREEK) + r")(?![A-Za-z])")
# A subscript without braces is short: random_table is a name, e_l and eps_opt are symbols.
SCRIPT = re.compile(r"(\^|_)(\{[^{}]*\}|(?<=\^)-?[A-Za-z0-9*]+|(?<=_)[A-Za-z0-9*]{1,3}(?![A-Za-z0-9_]))")
LABEL = re.compile(r"((?:thm|col|lem|rmk|tab|alg|own|app|erratum):[\w-]+)")
# Bars around a size and a slash stand close to what they belong to.
CLOSE = re.compile(r"<mo([^>]*)>(&#x0*7C;|&#x0*2F;|\||/)</mo>")
TEXT = re.compile(r"\\text\{(.*)\}", re.DOTALL)
# How a formula may be laid out. A link, a style or a class is not mathematics, and \href takes any address.
LAYOUT = {
    "xmlns", "display", "displaystyle", "scriptlevel", "mathvariant", "stretchy", "fence", "form", "separator",
    "accent", "accentunder", "movablelimits", "largeop", "lspace", "rspace", "width", "height", "depth", "voffset",
    "minsize", "maxsize", "linethickness", "columnalign", "columnlines", "rowlines", "columnspacing", "rowspacing",
    "notation",
}  # fmt: skip
ATTRIBUTE = re.compile(r'\s([^\s=<>"]+)="[^"]*"')
DISGUISES = {"<=": "≤", ">=": "≥", "<": "\ue000", ">": "\ue001"}
RELATIONS = {"&lt;=": "≤", "&gt;=": "≥", "!=": "≠", "-&gt;": "→", "sqrt": "√"}


def mathml(formula: str) -> str:
    """The formula as a block of MathML, its source beside it for those who copy. Falls back to the source."""
    from latex2mathml.converter import convert

    source = html.escape(formula, quote=True)
    words = TEXT.fullmatch(formula)
    if words:
        # a sentence: it may break lines, and its plain formulas are made readable
        plain = re.sub(r"\\([_{}%&#$])", r"\1", words[1].replace(r"\^{}", "^"))
        return f'<div class="formula words">{readable(plain)}</div>'
    # the converter copies \text{a < b} as it is: what HTML reserves goes through it in disguise
    disguised = formula
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
    return f'<div class="formula" title="{source}">{block}</div>'


def readable(text: str) -> str:
    """Plain text with formulas such as gamma^{l-1} <= sqrt(K/e_l), as HTML: escaped, with real symbols and scripts."""
    parts = LABEL.split(html.escape(text))  # labels of claims, at odd places, are left alone
    return "".join(part if index % 2 else _readable(part) for index, part in enumerate(parts))


def _readable(escaped: str) -> str:
    for plain, symbol in RELATIONS.items():
        escaped = escaped.replace(plain, symbol)
    return SCRIPT.sub(_script, NAMES.sub(lambda match: GREEK[match[1]], escaped))


def _script(match: re.Match[str]) -> str:
    tag = "sup" if match[1] == "^" else "sub"
    inner = match[2][1:-1] if match[2][0] == "{" else match[2]
    return f"<{tag}>{inner}</{tag}>"


def blocks(statement: str) -> list[tuple[str, str]]:
    """A docstring as ("text" | "display", lines): indented lines are displays and keep their form.

    The label that it begins with stands in the heading already.
    """
    found: list[tuple[str, list[str]]] = []
    for line in re.sub(rf"^{LABEL.pattern}[.:]\s*", "", statement.strip()).splitlines():
        kind = "display" if line.startswith("    ") else "text"
        if not line.strip():
            if found:
                found.append(("gap", []))
            continue
        if not found or found[-1][0] != kind:
            found.append((kind, []))
        found[-1][1].append(line[4:] if kind == "display" else line)
    return [(kind, "\n".join(lines)) for kind, lines in found if lines]
