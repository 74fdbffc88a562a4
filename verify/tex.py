"""Read the statements of a paper from its TeX source: numbers, labels, lines, references and a hash of each text.

Numbering follows LaTeX: newtheorem, declaretheorem, shared counters, numberwithin, setcounter, redefined formats of
counters, appendix, restatable and input are understood. Comments and verbatim text are ignored. Macros and environments
without arguments that begin or end a statement are expanded, those with arguments are not.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bounds.errors import InputError
from fedigw.instance_file import read_plain

DEEPEST = 20  # nested \input
HEADS = ("chapter", "section", "subsection")
# Environments that a document class may define; each then has a counter of its own.
USUAL = (
    "theorem",
    "lemma",
    "corollary",
    "proposition",
    "definition",
    "assumption",
    "remark",
    "claim",
    "conjecture",
)
INPUT = re.compile(r"\\(?:input|include)\s*\{([^}]+)\}")
IGNORED = re.compile(
    r"\\begin\{(comment|verbatim\*?|lstlisting)\}.*?\\end\{\1\}|\\iffalse\b.*?\\fi\b", flags=re.DOTALL
)
TOKEN = re.compile(
    r"""\\newtheorem(?P<star>\*?)\s*\{(?P<env>[^}]+)\}\s*(?:\[(?P<like>[^\]]+)\])?\s*\{(?P<name>[^}]*)\}
        \s*(?:\[(?P<within>[^\]]+)\])?
    |\\declaretheorem\s*(?:\[(?P<keys>[^\]]*)\])?\s*\{(?P<declared>[^}]+)\}
    |\\(?:numberwithin|counterwithin\*?)\s*\{(?P<counter>[^}]+)\}\s*\{(?P<parent>[^}]+)\}
    |\\(?P<how>set|addto)counter\s*\{(?P<of>[^}]+)\}\s*\{(?P<value>-?\d{1,6})\}
    |\\renewcommand\*?\s*\{?\\the(?P<the>[A-Za-z]+)\}?\s*\{(?P<form>(?:[^{}]|\{[^{}]*\})*)\}
    |\\(?P<head>chapter|section|subsection)(?P<plain>\*?)\s*[\[{]
    |\\(?P<appendix>appendix\b|begin\{appendices\})
    |\\begin\{restatable\*?\}\s*(?:\[(?P<option>[^\]]*)\])?\s*\{(?P<restated>[^}]+)\}\s*\{(?P<macro>[^}]+)\}
    |\\begin\{(?P<begin>[^}]+)\}
    |\\end\{(?P<end>[^}]+)\}
    |\\(?P<again>[A-Za-z]+)\*""",
    flags=re.VERBOSE,
)
GROUP = r"\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}"
SHORT = re.compile(
    rf"\\(?:(?:(?:re)?new|provide)command\*?\s*\{{?|def\s*)(\\[A-Za-z]+)\}}?\s*((?:\[[^\]]*\]|#\d)*)\s*{GROUP}"
    rf"|\\(?:re)?newenvironment\*?\s*\{{([^}}]+)\}}\s*((?:\[[^\]]*\])*)\s*{GROUP}\s*{GROUP}"
)
FORMAT = re.compile(r"\\(arabic|alph|Alph|roman|Roman)\s*\{([^}]+)\}|\\the([A-Za-z]+)")
REFERENCE = re.compile(r"\\(?:eq|c|C|auto|name)?ref\*?\{([^}]+)\}")
LABEL = re.compile(r"\\label\{([^}]+)\}")
NESTED = re.compile(r"\\begin\{([^}]+)\}.*?\\end\{\1\}", flags=re.DOTALL)
RESTATES = re.compile(
    r"(?i)\b(?:restat\w*|complete|full|formal)\b.*?\\(?:c|C|auto)?ref\{([^}]+)\}", flags=re.DOTALL
)
OPTION = re.compile(r"\s*\[((?:[^\[\]{}]|\{[^{}]*\}|\[[^\]]*\])*)\]")


@dataclass
class Counters:
    """The counters of a TeX document, which number its statements. kinds: environment -> its name in print and its
    counter, None if it has no number. parents: counter -> the counter that resets it. values: counter -> its value.
    forms: counter -> how it is printed, if the document says so."""

    kinds: dict[str, tuple[str, str | None]] = field(default_factory=dict)
    parents: dict[str, str] = field(default_factory=lambda: {"subsection": "section"})
    values: dict[str, int] = field(default_factory=dict)
    forms: dict[str, str] = field(default_factory=dict)
    appendix: bool = False

    def define(
        self, env: str, name: str, like: str | None, within: str | None, numbered: bool = True
    ) -> None:
        counter = self.kinds[like][1] if like in self.kinds else like or env
        self.kinds[env] = (name, counter if numbered else None)
        if within and not like:
            self.parents[env] = within

    def step(self, counter: str) -> str:
        """Increase a TeX counter by 1 and return it as printed, such as "D.8". Counters that depend on it are set to
        0."""
        self.values[counter] = self.values.get(counter, 0) + 1
        for other in self.parents:
            above = self.parents.get(other)
            while above is not None and other != counter:
                if above == counter:
                    self.values[other] = 0
                above = self.parents.get(above)
        return self.shown(counter)

    def shown(self, counter: str) -> str:
        value, above = self.values.get(counter, 0), self.parents.get(counter)
        if form := self.forms.pop(counter, None):  # while it is shown: it may name itself
            text = FORMAT.sub(
                lambda f: self.shown(f[3]) if f[3] else _written(f[1], self.values.get(f[2], 0)), form
            )
            self.forms[counter] = form
            return re.sub(r"\\[A-Za-z]+\s?|[\\{}$]", "", text)
        top = "chapter" if "chapter" in self.values else "section"
        own = chr(64 + value) if self.appendix and counter == top and 0 < value < 27 else str(value)
        return f"{self.shown(above)}.{own}" if above else own


def _written(how: str, value: int) -> str:
    if how.lower() == "roman":
        pairs = zip((50, 40, 10, 9, 5, 4, 1), ("l", "xl", "x", "ix", "v", "iv", "i"), strict=True)
        text = ""
        for size, letters in pairs:
            text, value = text + value // size * letters, value % size
    else:
        text = chr(96 + value) if how != "arabic" and 0 < value < 27 else str(value)
    return text.upper() if how[0].isupper() else text


def read(path: Path) -> list[dict[str, Any]]:
    """Return a row for each numbered statement of a TeX document; raise InputError if a statement is not closed. A row
    has the number, label, lines, title, a hash of the text, the label of the statement that it repeats, and the labels
    to which it, or the text before the next statement, refers."""
    lines = _lines(path, path.parent, 0)
    text = _expanded(_ignored("\n".join(line for _, _, line in lines)))
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)

    def place(offset: int) -> tuple[str, int]:
        return lines[bisect_right(starts, offset) - 1][:2]

    counters = Counters()
    rows: list[dict[str, Any]] = []
    macros: dict[str, dict[str, Any]] = {}
    for env in USUAL:
        counters.define(env, env.title(), None, None)
    opened: list[tuple[str, int, dict[str, Any] | None]] = []
    for found in TOKEN.finditer(text):
        if found["env"]:
            counters.define(found["env"], found["name"], found["like"], found["within"], not found["star"])
        elif found["declared"]:
            _declare(counters, found["declared"], found["keys"] or "")
        elif found["counter"]:
            counters.parents[found["counter"]] = found["parent"]
        elif found["how"]:
            before = counters.values.get(found["of"], 0) if found["how"] == "addto" else 0
            counters.values[found["of"]] = before + int(found["value"])
        elif found["the"]:
            counters.forms[found["the"]] = found["form"]
        elif found["head"]:
            if not found["plain"]:
                counters.step(found["head"])
        elif found["appendix"]:
            counters.appendix = True
            counters.values |= dict.fromkeys(HEADS & counters.values.keys(), 0)
        elif found["again"]:
            if found["again"] in macros:
                macros[found["again"]].setdefault("restated", []).append(place(found.start())[1])
        elif env := (found["restated"] or found["begin"]):
            row: dict[str, Any] | None = None
            if env in counters.kinds:
                name, counter = counters.kinds[env]
                number = f"{name} {counters.step(counter)}" if counter else ""
                file, first = place(found.start())
                option = found["option"] or ""
                if found["begin"] and (given := OPTION.match(text, found.end())):
                    option = given[1]
                row = {
                    "number": number,
                    "label": None,
                    "lines": [first, first],
                    "file": file,
                    "from": found.start(),
                }
                row |= {"title": _plain(option), "again": (RESTATES.search(option) or [None, None])[1]}
                if found["macro"]:
                    macros[found["macro"]] = row
            opened.append(("restatable" if found["restated"] else env, found.start(), row))
        elif found["end"]:
            closed = found["end"].removesuffix("*") if found["end"].startswith("restatable") else found["end"]
            if (done := _close(opened, closed, path, place)) is not None:
                done["lines"][1] = place(found.start())[1]
                done["to"] = found.start()
                rows.append(done)
    for env, offset, still in opened:
        if still is not None:
            raise _unclosed(path, place(offset), env)
    return [
        row for row in _finished(sorted(rows, key=lambda row: row["from"]), text, path.name) if row["number"]
    ]


def _close(opened: list[Any], env: str, path: Path, place: Any) -> dict[str, Any] | None:
    names = [name for name, _, _ in opened]
    if env not in names:
        return None
    while opened:
        name, start, row = opened.pop()
        if name == env:
            return row
        if row is not None:
            raise _unclosed(path, place(start), name)
    return None


def _unclosed(path: Path, place: tuple[str, int], env: str) -> InputError:
    return InputError("file", str(path), f"{place[0]}, line {place[1]}: \\begin{{{env}}} is not closed")


def _declare(counters: Counters, env: str, keys: str) -> None:
    given = dict(part.split("=", 1) for part in keys.replace(" ", "").split(",") if "=" in part)
    within = next((given[k] for k in ("numberwithin", "parent", "within") if k in given), None)
    like = next((given[k] for k in ("numberlike", "sibling", "sharenumber") if k in given), None)
    counters.define(
        env, given.get("name", env.title()).strip("{}"), like, within, given.get("numbered") != "no"
    )


def _finished(rows: list[dict[str, Any]], text: str, main: str) -> list[dict[str, Any]]:
    """Complete the rows of statements with labels, references and hashes, and remove fields that only `read` needs."""
    ends = [row["from"] for row in rows[1:]] + [len(text)]
    for row, end in zip(rows, ends, strict=False):  # no rows: one end
        body = text[row["from"] : row["to"]]
        inside = NESTED.sub("", body.partition("}")[2])
        if found := LABEL.search(inside) or next((f for f in LABEL.finditer(body) if f[1][:2] != "eq"), None):
            row["label"] = found[1]
        words = " ".join(LABEL.sub("", body).split())
        row["hash"] = hashlib.sha256(words.encode()).hexdigest()[:8]
        row["refers"] = [
            name.strip() for f in REFERENCE.findall(text[row["from"] : end]) for name in f.split(",")
        ]
    known = {row["label"] for row in rows}
    kept = []
    for row in rows:
        own = (None, row["label"], row["again"])
        row["refers"] = sorted({name for name in row["refers"] if name in known and name not in own})
        optional = {"restated": row.get("restated"), "file": row["file"] if row["file"] != main else None}
        keys = ("number", "label", "lines", "again", "refers", "title", "hash")
        kept.append(
            {key: row[key] for key in keys} | {key: value for key, value in optional.items() if value}
        )
    return kept


def _lines(path: Path, home: Path, depth: int) -> list[tuple[str, int, str]]:
    r"""Return (file, line number, text without comments) for each line of a TeX document and of the files in `home`
    that it includes by \input. depth: how deep these inclusions are nested."""
    if depth > DEEPEST:
        raise InputError("file", str(path), f"\\input is nested more than {DEEPEST} deep")
    try:
        source = read_plain(path, "file").decode(errors="replace")
    except OSError as error:
        raise InputError("file", str(path), f"cannot be read: {error.strerror}") from None
    found: list[tuple[str, int, str]] = []
    for number, line in enumerate(source.splitlines(), start=1):
        text = re.sub(r"(?<!\\)%.*", "", line)
        found.append((str(path.relative_to(home)), number, INPUT.sub("", text)))
        for name in INPUT.findall(text):
            inner = home / (name.strip() if Path(name.strip()).suffix else f"{name.strip()}.tex")
            if not inner.resolve().is_relative_to(home.resolve()):
                raise InputError("file", str(path), f"line {number}: \\input{{{name}}} is outside the folder")
            found += _lines(inner, home, depth + 1)
    return found


def _ignored(text: str) -> str:
    """Return the text with comments and verbatim parts replaced by spaces, so that offsets and lines stay the same."""
    return IGNORED.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def _expanded(text: str) -> str:
    r"""Return the text with the macros and environments expanded that contain \begin or \end; their definitions are
    replaced by spaces. Every line stays in its place."""
    bodies: dict[str, str] = {}

    def defined(found: re.Match[str]) -> str:
        macro, arguments, body, env, more, first, last = found.groups()
        short = {macro: body} if macro else {f"\\begin{{{env}}}": first, f"\\end{{{env}}}": last}
        if not re.search(r"\\(?:begin|end)\s*\{", "".join(short.values())):
            return found[0]
        if not arguments and not more:
            bodies.update({name: " ".join(meaning.split()) for name, meaning in short.items()})
        return re.sub(r"[^\n]", " ", found[0])

    text = SHORT.sub(defined, text)
    if not bodies:
        return text
    names = "|".join(re.escape(name) + ("" if name[-1] == "}" else "(?![A-Za-z])") for name in bodies)
    return re.sub(names, lambda found: bodies[found[0]], text)


ACCENTS = dict(zip("'`^\"~=.", "\u0301\u0300\u0302\u0308\u0303\u0304\u0307", strict=True))
ACCENTS |= {"c": "\u0327", "v": "\u030c", "u": "\u0306", "H": "\u030b", "k": "\u0328"}
# \'e, \'{e}, \c{c}; an accent that is a letter needs brackets or a space
ACCENT = re.compile(r"\\(?:(?=['`^\"~=.])|(?=[cvuHk][ {]))(.)\s*\{?\\?([A-Za-z])\}?")
LETTERS = {
    "ss": "ß",
    "ae": "æ",
    "oe": "œ",
    "aa": "å",
    "AA": "Å",
    "o": "ø",
    "O": "Ø",
    "l": "ł",
    "L": "Ł",
    "i": "i",
}


def _plain(text: str) -> str:
    text = re.sub(r"\\cite\w*\*?\s*(?:\[[^\]]*\])*\{([^{}]*)\}", r"[\1]", text)
    text = re.sub(r"\\(?:thanks|footnote|label)\s*(?:\[[^\]]*\])*\{[^{}]*\}", "", text)
    text = re.sub(r"\\(?:and|AND|And|quad|qquad|\\)(?![A-Za-z])", ", ", text)
    text = ACCENT.sub(lambda f: unicodedata.normalize("NFC", f[2] + ACCENTS[f[1]]), text)
    text = re.sub(rf"\\({'|'.join(LETTERS)})(?![A-Za-z])\s?", lambda f: LETTERS[f[1]], text)
    text = re.sub(r"\\[A-Za-z]+\*?|[{}$]", "", text.replace("~", " "))
    return re.sub(r"\s*,[\s,]*", ", ", " ".join(text.split())).strip(" ,.:")


def heading(path: Path) -> tuple[str, str]:
    r"""Return the title and the authors of a TeX document as plain words, "" if it has none. Raise InputError if the
    braces of one are not closed."""
    text = _ignored("\n".join(line for _, _, line in _lines(path, path.parent, 0)))
    try:
        return _argument(text, "title"), _argument(text, "author")
    except ValueError as error:
        raise InputError("file", str(path), str(error)) from None


NO_NAMES = re.compile(r"\\email\s*(?:\{[^}]*\}|\S+)|\\addr\b.*?(?=\\(?:AND|And|and)\b|$)", flags=re.DOTALL)


def _argument(text: str, command: str) -> str:
    found = re.search(rf"\\{command}\s*(?:\[[^\]]*\])?\{{", text)
    if not found:
        return ""
    depth, end = 1, found.end()
    while depth and end < len(text):
        depth += (text[end] == "{") - (text[end] == "}")
        end += 1
    if depth:
        raise ValueError(f"\\{command}{{ is not closed")
    return _plain(NO_NAMES.sub("", text[found.end() : end - 1]))[:200]
