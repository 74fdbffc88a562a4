"""Read the paper that is checked: its title, and its statements with labels, numbers in print and lines of the source.

A paper is a folder: paper.toml, statements.toml, places.json and claims/, and theorems/ if it has bounds. Papers of
this program are in verify/papers and examples/papers. Other installed packages offer theirs by entry points of the
group fedigw_verify.papers. Any other paper is given by its path. A process works on one paper, chosen by --paper; child
processes get it from an environment variable.
"""

import json
import os
import re
import shlex
import tomllib
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from bounds.errors import InputError, nearest
from fedigw import shipped
from fedigw.instance_file import read_plain

VARIABLE = "VERIFY_PAPER"
GROUP = "fedigw_verify.papers"  # of entry points, e.g. mine = "my_package.my_paper"
DEFAULT = "fedigw"
HOME = Path(__file__).resolve().parent / "papers"
NUMBERED = ("theorem", "corollary", "lemma", "proposition")  # what a proof is given or cited for
PLURALS = {"corollary": "corollaries"}
# Labels become names of files.
LABEL = re.compile(r"[a-z]+:[A-Za-z0-9][A-Za-z0-9_-]{0,79}")
NAME_OF_A_PAPER = re.compile(r"[a-z][a-z0-9_]{0,39}")
# paper:label or paper:label/variant, a statement of another paper
FULL = re.compile(rf"({NAME_OF_A_PAPER.pattern}):({LABEL.pattern})(?:/([A-Za-z0-9][A-Za-z0-9_. -]*))?")
PLACES_FILE = "places.json"
ABOUT = ("title", "authors", "where", "year", "address", "licence", "note")


@dataclass(frozen=True)
class Statement:
    """A statement of the paper, such as a theorem. also: other labels and numbers under which the paper repeats it.
    missing: why there is no claim about it. rests_on: labels of statements that would need a claim first."""

    label: str
    number: str
    title: str
    also: tuple[str, ...] = ()
    missing: str = "no claim has been written for it yet"
    rests_on: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        return self.number.rpartition(" ")[0].lower()

    @property
    def numbered(self) -> bool:
        return self.kind.rpartition(" ")[2] in NUMBERED

    @property
    def labels(self) -> tuple[str, ...]:
        return (self.label, *(name for name in self.also if ":" in name))

    @property
    def numbers(self) -> tuple[str, ...]:
        return (self.number, *(name for name in self.also if ":" not in name))

    @property
    def lines(self) -> str:
        """Return the statement's place in the TeX source: "lines 305 to 307, again 889 to 895"; "" if not recorded."""
        spans = [f"{first} to {last}" for first, last in (PLACES[n] for n in self.numbers if n in PLACES)]
        return f"lines {', again '.join(spans)}" if spans else ""

    def covered(self, claimed: Collection[str]) -> bool:
        return any(label in claimed for label in self.labels)

    def reason(self, claimed: Collection[str]) -> str:
        """Return why no claim is about this statement, and which statements it rests on have none either. claimed: the
        labels of all statements that have a claim."""
        first = [
            label for label in self.rests_on if label in BY_LABEL and not BY_LABEL[label].covered(claimed)
        ]
        rest = f"; it rests on {' and '.join(first)}, not covered either" if first else ""
        return self.missing + rest


def folders() -> Iterator[Path]:
    """Yield the folders of all papers that come with this program or with other installed packages."""
    from importlib.metadata import entry_points

    for home in (HOME, shipped.folder("examples") / "papers"):
        yield from (path.parent for path in sorted(home.glob("*/paper.toml")))
    for entry in sorted(entry_points(group=GROUP)):
        top, *rest = entry.module.split(".")
        spec = find_spec(top)  # which imports nothing: their files run in child processes only
        for place in (spec and spec.submodule_search_locations) or ():
            if (folder := Path(place, *rest).resolve()).joinpath("paper.toml").is_file():
                yield folder


@cache
def known() -> dict[str, Path]:
    """Return the papers that are installed, name -> folder. Raise InputError if two have the same name."""
    found: dict[str, Path] = {}
    for folder in folders():
        try:
            name = name_of(folder)
        except InputError:  # raised again where this paper is asked for; the others are there
            if NAME_OF_A_PAPER.fullmatch(folder.name):
                found.setdefault(folder.name, folder)
            continue
        if name in found:
            raise InputError("--paper", name, f"two papers have this name: {found[name]} and {folder}")
        found[name] = folder
    return found


def name_of(folder: Path) -> str:
    """Return the name of the paper in a folder: the name in paper.toml or, without one, that of the folder."""
    name = _read(folder, "paper.toml").get("name", folder.name)
    if not isinstance(name, str) or not NAME_OF_A_PAPER.fullmatch(name):
        raise _bad(folder, f"paper.toml: name = {name!r:.40} must be small letters, digits and _")
    return name


def folder_of(given: str) -> Path:
    """Return the folder of a paper that is given by name or path. Raise InputError if there is none."""
    if given == DEFAULT and not os.path.isfile(f"{given}/paper.toml"):  # nor in a folder that cannot be read
        return HOME / DEFAULT  # without looking for others
    try:
        there = Path(given, "paper.toml").is_file()
    except OSError as error:
        raise _bad(Path(given), f"cannot be read: {error.strerror}") from None
    if there:
        folder = Path(given).resolve()
        other = known().get(name_of(folder))
        if other is not None and other.resolve() != folder:
            said = f"another paper is called {name_of(folder)}: {other}; change the name in paper.toml"
            raise InputError("--paper", given, said)
        return folder
    if given in known():
        return known()[given]
    if Path(given).is_dir():
        raise _bad(Path(given), "has no paper.toml; `python -m verify new paper FILE.tex` writes one")
    if Path(given).name == "paper.toml":
        raise InputError(
            "--paper", given, f"name its folder: --paper {os.path.join('.', Path(given).parent)}"
        )
    close = nearest(given, known())
    listed = f"known: {', '.join(known())}"
    allowed = (
        f"unknown; {close if close.startswith('did') else listed}, or the path of a folder with paper.toml"
    )
    raise InputError("--paper", given, allowed)


def _bad(folder: Path, reason: str) -> InputError:
    return InputError("--paper", str(folder), reason)


def _read(folder: Path, name: str) -> dict[str, Any]:
    try:
        return tomllib.loads(read_plain(folder / name, "file").decode())
    except (OSError, ValueError, RecursionError) as error:
        said = getattr(error, "strerror", None) or " ".join(str(error).split())[:120]
        raise _bad(folder, f"{name} cannot be read: {said}") from None


def statements_of(folder: Path) -> tuple[Statement, ...]:
    """Return the statements listed in statements.toml of a paper's folder. An InputError names a wrong entry."""
    entries = _read(folder, "statements.toml").get("statement")
    if not isinstance(entries, list) or not entries:
        raise _bad(
            folder, "statements.toml has no [[statement]]: a paper without statements cannot be checked"
        )
    found, taken = [], set()
    for place, entry in enumerate(entries, start=1):
        try:
            made = Statement(**entry | {key: tuple(entry.get(key, ())) for key in ("also", "rests_on")})
        except (TypeError, ValueError) as error:
            raise _bad(folder, f"statements.toml, statement {place}: {str(error)[:80]}") from None
        texts = (made.label, made.number, made.title, made.missing, *made.also, *made.rests_on)
        if not all(isinstance(text, str) and text.isprintable() for text in texts) or " " not in made.number:
            said = "label, number and title must be texts of one line, the number with its kind"
            raise _bad(folder, f"statements.toml, statement {place}: {said}")
        for label in made.labels:
            if not LABEL.fullmatch(label):
                raise _bad(folder, f"statements.toml: label {label!r:.60} must be like thm:main_result")
            if label in taken:
                raise _bad(folder, f"statements.toml has {label} twice")
            taken.add(label)
        found.append(made)
    for made in found:
        if absent := [label for label in made.rests_on if label not in taken and not FULL.fullmatch(label)]:
            raise _bad(folder, f"statements.toml: {made.label} rests on {absent[0]}, which is not there")
    return tuple(found)


def about(folder: Path) -> dict[str, str]:
    """Return what paper.toml in a folder says about the paper (title, authors, where, year, address, licence, note); ""
    for what is not given. Raise InputError for an unknown key."""
    given = _read(folder, "paper.toml")
    keys = ("name", *ABOUT, "commands", "highlights", "python")
    if unknown := [key for key in given if key not in keys]:
        raise _bad(folder, f"paper.toml: {unknown[0]!r:.40} is unknown; {nearest(unknown[0], keys)}")
    for key in ("title", "authors"):
        if not given.get(key):
            raise _bad(folder, f"paper.toml lacks {key}")
    found = {key: given.get(key, "") for key in ABOUT}
    for key, text in found.items():
        if not isinstance(text, str | int) or not str(text).isprintable():
            raise _bad(folder, f"paper.toml: {key} must be a text of one line")
    return {key: str(text) for key, text in found.items()}


def texts(table: str) -> dict[str, str]:
    """Return the texts in a table of the paper's paper.toml, by name: table "commands", "highlights" or "python"."""
    found = _read(FOLDER, "paper.toml").get(table, {})
    if not isinstance(found, dict) or not all(isinstance(text, str) for text in found.values()):
        raise _bad(FOLDER, f"paper.toml: [{table}] must have texts")
    return found


def _places(folder: Path) -> list[dict[str, Any]]:
    """Return a row for each statement with its place in the TeX source, as recorded in places.json; [] without that
    file."""
    path = folder / PLACES_FILE
    try:
        rows = json.loads(read_plain(path, "file")) if path.is_file() else []
        for row in rows:
            if not isinstance(row["number"], str) or not all(type(line) is int for line in row["lines"]):
                raise ValueError
        return list(rows)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        raise _bad(
            folder, "places.json is damaged; `python -m verify new paper FILE.tex` writes it"
        ) from None


FOLDER = folder_of(os.environ.get(VARIABLE, DEFAULT))
NAME = name_of(FOLDER)
OUTSIDE = not FOLDER.is_relative_to(HOME)  # its files are a user's: they run in child processes only
PAPER: dict[str, str] = about(FOLDER)
NOTE = PAPER.pop("note")  # on how sure its texts are, shown with its title
STATEMENTS = statements_of(FOLDER)
PLACES = {row["number"]: row["lines"] for row in _places(FOLDER)}  # number -> first and last line

BY_LABEL = {label: statement for statement in STATEMENTS for label in statement.labels}
BY_NUMBER = {number.lower(): statement for statement in STATEMENTS for number in statement.numbers}
# labels that a claim may have
LABELS = tuple(label for label in BY_LABEL if not label.startswith(("asp:", "def:")))

# Labels of our own: errata of the paper, lemmas that its proofs need and do not state, and appendages: theorems with
# constants where the paper cites an order.
OWN_PREFIXES = ("erratum:", "own:", "app:")
USER_PREFIX = "user:"  # of claims in users' files

_SHORT = {"thm": "theorem", "cor": "corollary", "lem": "lemma", "rmk": "remark", "rem": "remark"}
_NUMBER = re.compile(r"([a-z]{2,}(?: [a-z]{2,})*)\.?\s*((?:[a-z]\.)?\d+(?:\.\d+)*)")
_BARE = re.compile(r"[a-z](?:\.\d+)+|\d+(?:\.\d+)+")


def is_label(label: str) -> bool:
    return label in LABELS or label.startswith(OWN_PREFIXES)


def short(name: str) -> str:
    """Return a claim's label without this paper's name in front. Raise InputError if it has another paper's name."""
    first, _, rest = name.partition(":")
    if ":" not in rest or not NAME_OF_A_PAPER.fullmatch(first):
        return name
    if first == NAME:
        return rest
    there = (
        f"is of the paper {first}: write --paper {first}"
        if first in known()
        else f"there is no paper {first}"
    )
    raise InputError("claim", name, f"{there}; the paper here is {NAME}")


def elsewhere(name: str) -> tuple[Path, str, str] | None:
    """Return folder, label and variant of a statement of another paper. name: paper:label/variant, or paper:label for
    the printed variant. Return None for a label of this paper. Raise InputError if there is no such statement."""
    found = FULL.fullmatch(name)
    if found is None or found[1] == NAME:
        return None
    if found[1] not in known():
        raise InputError("claim", name, f"there is no paper {found[1]}; known: {', '.join(known())}")
    folder, label = known()[found[1]], found[2]
    if label not in hashes(folder) and not label.startswith(OWN_PREFIXES):
        raise InputError("claim", name, f"the paper {found[1]} has no statement {label}")
    return folder, label, found[3] or "printed"


@cache
def hashes(folder: Path) -> dict[str, list[str]]:
    """Return label -> hashes of the TeX texts of the statement with this label, one for each place where the paper
    prints it."""
    texts = {row["number"]: str(row.get("hash", "")) for row in _places(folder)}
    found = STATEMENTS if folder == FOLDER else statements_of(folder)
    return {label: [texts[n] for n in s.numbers if n in texts] for s in found for label in s.labels}


def command(words: str) -> str:
    """Return a command line `python -m verify ...` about this paper. It has the option --paper unless the paper is the
    default one."""
    if NAME == DEFAULT:
        return f"python -m verify {words}"
    here = Path.cwd()
    place = FOLDER.relative_to(here) if FOLDER.is_relative_to(here) else FOLDER
    return f"python -m verify --paper {NAME if NAME in known() else shlex.quote(str(place))} {words}"


def plural(kind: str, count: int = 2) -> str:
    return kind if count == 1 else PLURALS.get(kind, f"{kind}s")


def kinds_in_words() -> str:
    """Return the kinds of numbered statements that occur in the paper: "theorems, corollaries and lemmas"."""
    there = [s.kind.rpartition(" ")[2] for s in STATEMENTS if s.numbered]
    *first, last = [plural(kind, len(there)) for kind in NUMBERED if kind in there] or ["numbered statements"]
    return f"{', '.join(first)} and {last}" if first else last


def file_name(label: str) -> str:
    """Return the name that a claim's module must have: its label with _ for : and -."""
    return label.replace(":", "_").replace("-", "_")


def number_of(text: str) -> str | None:
    """Return a statement's number in print with its kind in full and in lower case: "corollary d.8" for "cor. D.8". For
    "4.1" the kind is that of the statement with this number. Return None for any other text."""
    given = " ".join(text.lower().split())
    if _BARE.fullmatch(given):
        return next((number for number in BY_NUMBER if number.partition(" ")[2] == given), None)
    found = _NUMBER.fullmatch(given)
    kinds = {statement.kind for statement in STATEMENTS}
    if found is None or (kind := _SHORT.get(found[1], found[1])) not in kinds:
        return None
    return f"{kind} {found[2]}"


def in_print(text: str) -> str:
    """Return the text with every label of the paper replaced by its number in print."""
    return re.sub(r"[a-z]{3}:[\w-]+", lambda f: BY_LABEL[f[0]].number if f[0] in BY_LABEL else f[0], text)


# What was found, for the report's first page: label/variant -> a sentence.
HIGHLIGHTS = texts("highlights")
for _name, _text in HIGHLIGHTS.items():
    if not is_label(_name.partition("/")[0]) or "/" not in _name or not _text.isprintable():
        raise _bad(
            FOLDER, f"paper.toml: [highlights] {_name!r:.60} must be label/variant, with one line of text"
        )
for _statement in STATEMENTS:
    for _label in _statement.rests_on:
        elsewhere(_label)  # raises InputError for a paper or statement that is not there
