"""Formulas in plain text, such as gamma^{l-1} <= sqrt(K/e_l), set as mathematics where they stand in a sentence.

A sentence is cut into tokens; symbols, numbers between them, operators and brackets around mathematics alone become
MathML, words stay words. Nothing is interpreted beyond scripts, roots, bars and brackets, so no formula can be misread
into another one; and everything that comes out is escaped.
"""

from __future__ import annotations

import html
import re

from verify.report.lines import Item, all_maths, flat, joined
from verify.report.marks import GREEK, PRODUCT, UPRIGHT, accent, mi, mo, number, symbol

CALLED = {
    "min",
    "max",
    "sup",
    "inf",
    "argmin",
    "argmax",
    "gap",
    "calls",
}  # words, unless a bracket or subscript follows
FENCES = {"norm": ("‖", "‖"), "floor": ("⌊", "⌋"), "ceil": ("⌈", "⌉"), "abs": ("|", "|")}
BRACKETS = {"(": ")", "[": "]", "{": "}"}
ACCENTS = {"hat": "ˆ", "bar": "¯", "tilde": "~"}
RELATIONS = {
    "<=": "≤", ">=": "≥", "!=": "≠", "->": "→", "<-": "←", "=>": "⇒", ">>": "≫", "<<": "≪", "=": "=", "<": "<",
    ">": ">", "~=": "≈",
}  # fmt: skip
OPERATORS = {"+": "+", "-": "−", "/": "/", "*": "·", "...": "…"}
ACCENTED = re.compile(rf"({'|'.join(GREEK)}|Reg|[A-Za-z])({'|'.join(ACCENTS)})")
LONGEST, DEEPEST = 6000, 7
NOT_ACCENTED = {"that", "what", "chat", "That", "What"}
LABEL = re.compile(r"((?:thm|col|lem|rmk|tab|alg|asp|def|own|app|erratum|user):[\w-]+)")
TOKEN = re.compile(
    r"(?P<code>`[^`]*`|[\w/.-]+\.(?:py|v|toml|md|json|html|csv|txt)\b|(?<![\w.])[A-Z]\w*\.[A-Za-z]\w*_\w+"
    r"|(?:python|make) -?[a-z][^;,()]*|--[a-z]\S*|\b(?=[0-9a-f]*\d)(?=\d*[a-f])[0-9a-f]{8,}\b"
    r"|\d+(?:\.\d+){2,}|\b[A-Z]\.\d+(?:\.\d+)?\b)"
    rf"|(?P<label>{LABEL.pattern}(?:'s)?)"
    r"|(?P<number>\d+(?:,\d{3})+|\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![A-Za-z]*\.\w)|\.\d+)"
    r"|(?P<word>[A-Za-z]+\d+(?![\w.])|[A-Za-z]+(?:'(?:s|t)\b)?)"
    r"|(?P<operator><=|>=|!=|->|<-|=>|>>|<<|~=|\.\.\.|[-+*/=<>^_|'~(){}\[\],.])"
    r"|(?P<space>\s+)"
    r"|(?P<other>.)",
    re.DOTALL,
)


# Letters that are not seen but act: terminals obey some, others turn the direction of writing around. Not \t and \n.
ACTING = {
    code: "\ufffd"
    for first, last in ((0, 8), (11, 31), (127, 159), (0x200E, 0x200F), (0x202A, 0x202E), (0x2066, 0x2069))
    for code in range(first, last + 1)
} | {0x061C: "\ufffd"}


def inert(text: str) -> str:
    """The text with a mark in the place of every such letter. All that is shown goes through this."""
    return text.translate(ACTING)


def typeset(text: str) -> str:
    """The text as HTML, its formulas as MathML in pieces between which a line may break.

    What nests deeper than a formula for people does is left as it is: brackets are tried twice at every level.
    """
    if len(text) > LONGEST or _depth(text) > DEEPEST:
        return html.escape(text)
    return "".join(joined(_Reader(_tokens(text)).items()))


def _depth(text: str) -> int:
    depth = deepest = 0
    for letter in text:
        depth += (letter in BRACKETS) - (depth > 0 and letter in BRACKETS.values())
        deepest = max(deepest, depth)
    return deepest


def _tokens(text: str) -> list[tuple[str, str]]:
    return [(match.lastgroup or "other", match[0]) for match in TOKEN.finditer(text) if match.lastgroup] or []


class _Reader:
    """One pass over the tokens of a line."""

    def __init__(self, tokens: list[tuple[str, str]]) -> None:
        self.tokens = tokens
        self.at = 0
        self.quoted = False

    def items(self) -> list[Item]:
        found: list[Item] = []
        while self.at < len(self.tokens):
            found.append(self._next(found))
        return found

    def _peek(self, ahead: int = 0) -> str:
        place = self.at + ahead
        return self.tokens[place][1] if 0 <= place < len(self.tokens) else ""

    def _next(self, before: list[Item]) -> Item:
        kind, text = self.tokens[self.at]
        self.at += 1
        if kind == "code":
            if re.fullmatch(r"[A-Z\d][\d.]*", text):  # a version, a section
                return Item("text", html.escape(text))
            return Item("text", f"<code>{html.escape(text.strip('`'))}</code>")
        if kind == "space":
            return Item("space", " ")
        if kind == "number" and len(text) > 20:  # so many digits must be able to break
            return Item("text", text)
        if kind == "number":
            return self._scripts(number(text))
        if kind == "word":
            return self._word(text, before)
        if kind == "operator":
            return self._operator(text, before)
        return Item("text", html.escape(text))

    def _word(self, text: str, before: list[Item]) -> Item:
        following = self._peek()
        if text == "sqrt" or re.fullmatch(r"sqrt\d+", text):
            return self._root(text)
        if text in FENCES and following == "(":
            inner = self._group("(")
            left, right = FENCES[text]
            return self._scripts(
                f"<mrow>{mo(left, stretchy='false')}{flat(inner)}{mo(right, stretchy='false')}</mrow>"
            )
        if text == "sum" and (following == "_" or self._peek(2) in ("_", "^")):
            return self._scripts(mo("∑", largeop="false"))
        if text in GREEK or text in UPRIGHT or (text in CALLED and following in ("_", "(")):
            return self._scripts(symbol(text))
        digits = re.fullmatch(r"([A-Za-z]+?)(\d+)", text)
        indexed = digits and (digits[1] in GREEK or re.fullmatch(r"log|[a-zA]", digits[1]))
        if digits and indexed:
            return self._scripts(f"<msub>{symbol(digits[1])}<mn>{digits[2]}</mn></msub>")
        accented = ACCENTED.fullmatch(text)
        if accented and text not in NOT_ACCENTED:
            return self._scripts(accent(symbol(accented[1]), ACCENTS[accented[2]]))
        if re.fullmatch(r"[A-Za-z]h", text) and following == "_":  # wh_m, w with a hat
            return self._scripts(accent(mi(text[0]), ACCENTS["hat"]))
        if len(text) == 1 and self._is_symbol(text, before):
            return self._scripts(mi(text))
        if PRODUCT.fullmatch(text):
            item = self._scripts(mi(text[-1]))
            return Item(item.kind, "".join(map(mi, text[:-1])) + item.shown)
        if following == "^" or (following == "_" and self._peek(1) == "{"):
            return self._scripts(symbol(text))
        if following == "_" and len(text) > 1:  # a name of the program: random_table
            return Item("text", html.escape(text + self._rest_of_name()))
        return Item("text", html.escape(text))

    def _is_symbol(self, letter: str, before: list[Item]) -> bool:
        """A single letter; the articles among them only beside mathematics."""
        if letter not in "aAI":
            return True
        after = self._peek(1) if self._peek().isspace() else self._peek()
        last = next((item for item in reversed(before) if item.kind != "space"), None)
        if after in RELATIONS or after in ("^", "_") or (before and before[-1].maths):
            return True
        if letter == "I" and after in ("+", "-"):  # the identity matrix
            return last is None or last.maths
        return last is not None and (last.kind == "relation" or (last.maths and after in BRACKETS.values()))

    def _rest_of_name(self) -> str:
        rest = ""
        while self._peek() == "_" or (rest.endswith("_") and re.fullmatch(r"\w+", self._peek())):
            rest += self._peek()
            self.at += 1
        return rest

    def _root(self, text: str) -> Item:
        if text != "sqrt":
            return self._scripts(f"<msqrt><mn>{text[4:]}</mn></msqrt>")
        if self._peek() == "(":
            return self._scripts(f"<msqrt>{flat(self._group('('))}</msqrt>")
        if self._peek().isspace() and self.at + 1 < len(self.tokens):
            place = self.at
            self.at += 1
            item = self._next([Item("relation", "")])
            if item.kind == "atom":
                return Item("atom", f"<msqrt>{item.shown}</msqrt>")
            self.at = place
        return Item("text", "√")

    def _group(self, opening: str) -> list[Item]:
        """The items inside the bracket that begins here; past its end when done."""
        start, depth = self.at + 1, 0
        while self.at < len(self.tokens):
            token = self.tokens[self.at][1]
            depth += (token == opening) - (token == BRACKETS[opening])
            self.at += 1
            if depth == 0:
                return _Reader(self.tokens[start : self.at - 1]).items()
        return _Reader(self.tokens[start:]).items()

    def _closed(self, opening: str) -> bool:
        """Whether the bracket at the place before is closed."""
        depth = 1
        for _, token in self.tokens[self.at :]:
            depth += (token == opening) - (token == BRACKETS[opening])
            if depth == 0:
                return True
        return False

    def _operator(self, text: str, before: list[Item]) -> Item:
        touching = bool(before) and before[-1].maths
        if text in RELATIONS:
            return Item("relation", RELATIONS[text])
        if text in BRACKETS:
            return self._bracket(text, before)
        if text == "|":
            return self._bar(before)
        if text in ("^", "_"):
            return Item("text", text)
        if text == "'":
            if self.quoted or not touching:
                opening = not before or before[-1].kind == "space" or before[-1].shown.endswith("(")
                self.quoted = opening and not self.quoted
                return Item("text", "&#39;")
            return Item("text", "&#39;")
        if text == "~":
            return Item("text", "~")
        if text in (",", "."):
            return Item("comma", text)
        if text not in OPERATORS:
            return Item("text", html.escape(text))
        return self._sign(text, before)

    def _sign(self, text: str, before: list[Item]) -> Item:
        """+ - * / between or before mathematics; a hyphen or a slash between words stays one."""
        spaced = bool(before) and before[-1].kind == "space"
        left = next((item for item in reversed(before) if item.kind != "space"), None)
        after = self._peek(1) if spaced and self._peek().isspace() else self._peek()
        right = bool(re.match(r"[\w(\[|.]", after)) and not (len(after) > 1 and self._is_plain(after))
        maths = left is not None and (left.maths or left.kind == "comma")
        if text == "...":
            return Item("atom" if maths else "text", mo("…") if maths else "…")
        if right and (
            maths or (text == "-" and left is None) or (spaced and text == "-" and after[:1].isdigit())
        ):
            return Item("operator", OPERATORS[text])
        return Item("text", html.escape(text))

    def _is_plain(self, word: str) -> bool:
        """Whether a token of several letters is a word and no symbol."""
        known = word in GREEK or word in UPRIGHT or word in CALLED or word in FENCES or word == "sum"
        symbol = known or word.startswith("sqrt") or PRODUCT.fullmatch(word) or ACCENTED.fullmatch(word)
        return word[0].isalpha() and not symbol and not re.fullmatch(r"[A-Za-z]+\d+", word)

    def _bar(self, before: list[Item]) -> Item:
        """|F| is a size; a bar between two symbols is a condition."""
        place = self.at
        inside: list[tuple[str, str]] = []
        while self.at < len(self.tokens) and self._peek() != "|" and len(inside) < 12:
            inside.append(self.tokens[self.at])
            self.at += 1
        if self._peek() == "|" and inside:
            items = _Reader(inside).items()
            if all_maths(items):
                self.at += 1
                bar = mo("|", stretchy="false", lspace="0", rspace="0")
                return self._scripts(f"<mrow>{bar}{flat(items)}{bar}</mrow>")
        self.at = place
        if before and before[-1].maths:
            return Item("operator", "∣")
        return Item("text", "|")

    def _bracket(self, opening: str, before: list[Item]) -> Item:
        place = self.at
        if not self._closed(opening):
            return Item("text", opening)
        self.at -= 1
        inner = self._group(opening)
        called = bool(before) and before[-1].kind == "atom"
        power = self._peek() == "^"
        if all_maths(inner) or power or (called and opening == "(" and any(i.maths for i in inner)):
            closing = BRACKETS[opening]
            body = f"{mo(opening, stretchy='false')}{flat(inner)}{mo(closing, stretchy='false')}"
            return self._scripts(f"<mrow>{body}</mrow>")
        self.at = place
        return Item("text", opening)

    def _scripts(self, base: str) -> Item:
        """The atom with the scripts, stars and accents that follow it without a space."""
        lower, upper = "", ""
        while True:
            sign = self._peek()
            if sign == "~" and not lower and not upper:
                self.at += 1
                base = accent(base, "~")
            elif sign == "'" and "<mi" in base and not self.quoted:
                self.at += 1
                upper += mo("′", lspace="0", rspace="0")
            elif sign == "*" and "<mi" in base and not upper and not re.match(r"[\w]", self._peek(1)):
                self.at += 1
                upper += mo("*", lspace="0", rspace="0")
            elif sign == "_" and self._peek(1) in ACCENTS:  # p_hat
                self.at += 2
                base = accent(base, ACCENTS[self._peek(-1)])
            elif sign == "^" and (script := self._script(True)):
                upper += script
            elif sign == "_" and not lower and (script := self._script(False)):
                lower = script
            else:
                break
        tag = "msubsup" if lower and upper else "msub" if lower else "msup" if upper else ""
        scripts = "".join(f"<mrow>{script}</mrow>" for script in (lower, upper) if script)
        if tag and base.startswith("<mover"):  # scripts beside an accent, not above it
            return Item("atom", f"{base}<{tag}><mrow></mrow>{scripts}</{tag}>")
        return Item("atom", f"<{tag}>{base}{scripts}</{tag}>" if tag else base)

    def _script(self, upper: bool) -> str:
        """What stands in a script: braces or brackets, a signed number, a short name, a star."""
        place = self.at
        self.at += 1
        first = self._peek()
        if first in ("{", "("):
            return flat(self._group(first))
        sign = ""
        if first == "-" and upper:
            self.at += 1
            sign, first = mo("−", form="prefix"), self._peek()
        if first == "*":
            self.at += 1
            return sign + mo("*", lspace="0", rspace="0")
        if re.fullmatch(r"\d+(\.\d+)?", first):
            self.at += 1
            return f"{sign}<mn>{first}</mn>"
        if re.fullmatch(r"[A-Za-z]\w*", first) and (upper or len(first) <= 5):
            self.at += 1
            return sign + symbol(first)
        self.at = place
        return ""
