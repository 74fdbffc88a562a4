"""Convert formulas in plain text, such as gamma^{l-1} <= sqrt(K/e_l), to HTML with Greek letters, signs and indices.
Tokens are converted one by one, so no formula can turn into another one. All output is escaped."""

import html
import re

from verify.paper import BY_LABEL, OUTSIDE

GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "eps": "ε", "epsilon": "ε", "zeta": "ζ", "eta": "η",
    "theta": "θ", "kappa": "κ", "lambda": "λ", "lam": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ",
    "sigma": "σ", "tau": "τ", "phi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω", "Sigma": "Σ", "Delta": "Δ",
    "Lambda": "Λ", "Omega": "Ω", "Phi": "Φ", "Pi": "Π", "Psi": "Ψ", "Upsilon": "Υ", "Gamma": "Γ", "Theta": "Θ",
    "grad": "∇", "sqrt": "√",
}  # fmt: skip
SIGNS = {
    "<=": "≤",
    ">=": "≥",
    "!=": "≠",
    "->": "→",
    "<-": "←",
    "=>": "⇒",
    ">>": "≫",
    "<<": "≪",
    "~=": "≈",
    "...": "…",
}
ESCAPED = {sign: html.escape(sign) for sign in "&<>\"'"}
ACCENTS = {"hat": "\u0302", "bar": "\u0304", "tilde": "\u0303", "h": "\u0302"}
ACCENTED = re.compile(rf"({'|'.join(GREEK)}|Reg|[A-Za-z])(hat|bar|tilde)")
NOT_ACCENTED = {"that", "what", "chat", "That", "What", "Chat"}
ROOT, LOG = re.compile(r"\bsqrt (?=\w)"), re.compile(r"\blog(\d+)(?=[ (])")
FENCED = re.compile(r"\b(norm|floor|ceil|abs)\(((?:[^()]|\([^()]*\))*)\)")
FENCES = {"norm": "‖‖", "floor": "⌊⌋", "ceil": "⌈⌉", "abs": "||"}
PRODUCT = re.compile(r"[KMTdnFECBcqg]{2,5}|ct")  # sqrt(KMT): letters of the paper side by side
KINDS = {"thm", "col", "lem", "rmk", "tab", "alg", "asp", "def", "own", "app", "erratum", "user"}
KINDS |= {label.partition(":")[0] for label in BY_LABEL if OUTSIDE}
LABEL = re.compile(rf"((?:{'|'.join(sorted(KINDS))}):[\w-]+)")
TOKEN = re.compile(
    r"(?P<code>`[^`]*`|[\w/.-]+\.(?:py|v|toml|md|json|html|csv|txt)\b|(?<![\w.])[A-Z]\w*\.[A-Za-z]\w*_\w+"
    r"|(?:python|make) -?[a-z][^;,()]*|--[a-z]\S*|\b(?=[0-9a-f]*\d)(?=\d*[a-f])[0-9a-f]{8,}\b)"
    rf"|(?P<label>{LABEL.pattern})"
    rf"|(?P<name>\b(?!(?:{'|'.join(GREEK)}|[A-Za-z]+(?:hat|bar)|[a-z]h|min|max|sum|gap|log|Reg)_)[A-Za-z]{{2,}}(?:_[A-Za-z]\w*)+)"
    r"|(?P<power>\b\d+(?:\.\d+)?e[+-]?\d+\b)"
    r"|(?P<word>[A-Za-z]+)"
    r"|(?<=[\w)\]}*'|~‖⌋⌉])(?P<script>[\^_](?:\{(?:[^{}]|\{[^{}]*\})*\}|\([^()]*\)|-?\d+(?:\.\d+)?|-?[A-Za-z]+\d*|\*))"
    r"|(?P<sign><=|>=|!=|->|<-|=>|>>|<<|~=|\.\.\.)"
    r"|(?P<times>(?<=[\w)\]])(?:\s\*\s|\*)(?=[\w(]))"
    r"|(?P<minus>(?<![A-Za-z]{2})(?<![\w.]\.)-(?=[\d(|\s]|(?:[A-Za-z]|ct)(?![A-Za-z])))"
    r"|(?P<other>.)",
    re.DOTALL,
)
# Invisible characters that terminals and browsers obey; tabs and line ends stay.
ACTING = {
    code: "\ufffd"
    for first, last in ((0, 8), (11, 31), (127, 159), (0x200E, 0x200F), (0x202A, 0x202E), (0x2066, 0x2069))
    for code in range(first, last + 1)
} | {0x061C: "\ufffd"}


def inert(text: str) -> str:
    """Return the text with control characters, which a terminal or browser would obey, replaced by a visible sign."""
    return text.translate(ACTING)


def typeset(text: str) -> str:
    text = LOG.sub(r"log_\1", ROOT.sub("√", text))
    text = FENCED.sub(lambda found: found[2].join(FENCES[found[1]]), text)
    return "".join(map(_shown, TOKEN.finditer(text)))


def _shown(found: re.Match[str]) -> str:
    kind, text = found.lastgroup or "other", found[0]
    if kind == "other":
        return ESCAPED.get(text, text)
    if kind == "code":
        return f"<code>{html.escape(text.strip('`'))}</code>"
    if kind == "power":
        mantissa, _, exponent = text.partition("e")
        shown = f"10<sup>{str(int(exponent)).replace('-', '−')}</sup>"
        return shown if mantissa == "1" else f"{mantissa}·{shown}"
    if kind == "script":
        body = text[2:-1] if text[1] in "{(" else text[1:]
        if text[0] == "_" and body in ACCENTS and body != "h":
            return ACCENTS[body]
        tag = "sup" if text[0] == "^" else "sub"
        return f"<{tag}>{typeset(body) if len(body) < len(found.string) else html.escape(body)}</{tag}>"
    if kind == "word":
        return _word(found, text)
    return {"sign": SIGNS.get(text), "times": "·", "minus": "−"}.get(kind) or html.escape(text)


def _word(found: re.Match[str], text: str) -> str:
    following = found.string[found.end() : found.end() + 1]
    if text in GREEK:
        return GREEK[text]
    if text == "sum" and following == "_":
        return "∑"
    accented = ACCENTED.fullmatch(text)
    if accented and text not in NOT_ACCENTED:
        return _word(found, accented[1]) + ACCENTS[accented[2]]
    if len(text) == 2 and text[1] == "h" and following == "_":  # wh_m, w with a hat
        return f"<i>{text[0]}</i>{ACCENTS['h']}"
    if len(text) > 1:
        return f"<i>{text}</i>" if PRODUCT.fullmatch(text) else text
    numbered = bool(re.match(r"\d|\.\d", found.string[found.end() : found.end() + 2]))  # Appendix D.3
    plain = numbered or text in "aAI" or found.string[max(0, found.start() - 1)] == "'"
    return text if plain else f"<i>{text}</i>"
