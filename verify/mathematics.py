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
SCRIPT = re.compile(r"([\^_])(\{[^{}]*\}|\([^()]*\)|[A-Za-z0-9*]+)")
RELATIONS = {"&lt;=": "≤", "&gt;=": "≥", "!=": "≠", "-&gt;": "→", "sqrt": "√"}


def mathml(formula: str) -> str:
    """The formula as a block of MathML, its source beside it for those who copy. Falls back to the source."""
    from latex2mathml.converter import convert

    source = html.escape(formula, quote=True)
    try:
        block = convert(formula, display="block")
    except Exception:  # the converter's own errors have no common class; a formula must never end a report
        return f"<code>{source}</code>"
    if "\\" in re.sub(r"<[^>]*>", "", block):
        return f"<code>{source}</code>"
    return f'<div class="formula" title="{source}">{block}</div>'


def readable(text: str) -> str:
    """Plain text with formulas such as gamma^{l-1} <= sqrt(K/e_l), as HTML: escaped, with real symbols and scripts."""
    escaped = html.escape(text)
    for plain, symbol in RELATIONS.items():
        escaped = escaped.replace(plain, symbol)
    escaped = NAMES.sub(lambda match: GREEK[match[1]], escaped)
    return SCRIPT.sub(_script, escaped)


def _script(match: re.Match[str]) -> str:
    tag = "sup" if match[1] == "^" else "sub"
    inner = match[2][1:-1] if match[2][0] == "{" else match[2]
    return f"<{tag}>{inner}</{tag}>"


def blocks(statement: str) -> list[tuple[str, str]]:
    """A docstring as ("text" | "display", lines): indented lines are displays and keep their form."""
    found: list[tuple[str, list[str]]] = []
    for line in statement.strip().splitlines():
        kind = "display" if line.startswith("    ") else "text"
        if not line.strip():
            if found:
                found.append(("gap", []))
            continue
        if not found or found[-1][0] != kind:
            found.append((kind, []))
        found[-1][1].append(line[4:] if kind == "display" else line)
    return [(kind, "\n".join(lines)) for kind, lines in found if lines]
