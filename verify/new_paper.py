"""Create the folder of a paper from its TeX source: paper.toml, statements.toml and places.json. Only places.json is
written again if the folder exists."""

import json
import re
from pathlib import Path
from typing import Any

from bounds.errors import InputError
from verify import tex
from verify.paper import LABEL, NAME_OF_A_PAPER, NUMBERED, PLACES_FILE, known

PREFIXES = {"theorem": "thm", "corollary": "cor", "lemma": "lem", "proposition": "prop", "remark": "rmk"}
PREFIXES |= {"definition": "def", "assumption": "asp", "conjecture": "con", "example": "exa"}
FOLDERS = ("claims", "theorems", "proofs")


def write(source: Path) -> tuple[Path, list[str]]:
    """Create the folder of a paper from its TeX source, in the working directory. Return the folder and lines about
    what was found.

    If the folder exists, only places.json is written, and the lines name the statements whose text has changed.
    """
    if source.suffix != ".tex":
        raise InputError("name", str(source), "must be the TeX source of the paper, FILE.tex")
    name = re.sub(r"[^a-z0-9]+", "_", source.stem.lower()).strip("_")
    if not NAME_OF_A_PAPER.fullmatch(name):
        raise InputError("name", str(source), "must be called by letters, digits and _, e.g. sums.tex")
    rows = tex.read(source)
    if not rows:
        raise InputError("file", str(source), "has no theorem, lemma or other numbered statement")
    folder = Path(name)
    try:
        if (folder / "paper.toml").is_file():
            lines = _changes(folder, rows)
        elif folder.exists():
            raise InputError(
                "name", str(source), f"{folder} exists already and is no paper; nothing was changed"
            )
        elif name in known():
            raise InputError(
                "name", str(source), f"a paper is called {name} already: {known()[name]}; rename the file"
            )
        else:
            lines = _made(folder, source, rows)
        (folder / PLACES_FILE).write_text(places(rows), encoding="utf-8")
    except OSError as error:
        raise InputError("name", str(source), f"cannot be written: {error.strerror}") from None
    return folder, lines


def places(rows: list[dict[str, Any]]) -> str:
    kept = ({key: value for key, value in row.items() if key != "title"} for row in rows)
    return "[\n" + ",\n".join(map(json.dumps, kept)) + "\n]\n"


def _changes(folder: Path, rows: list[dict[str, Any]]) -> list[str]:
    try:
        before = {
            row["number"]: row.get("hash") for row in json.loads((folder / PLACES_FILE).read_text("utf-8"))
        }
    except (ValueError, KeyError, TypeError, FileNotFoundError):
        before = {}
    now = {row["number"]: row["hash"] for row in rows}
    lines = [f"{n}: its text changed since it was read" for n, h in now.items() if before.get(n, h) != h]
    lines += [f"{n}: new; write it into {folder}/statements.toml" for n in now if n not in before]
    lines += [f"{n}: gone; take it out of {folder}/statements.toml" for n in before if n not in now]
    return lines or ["no statement changed"]


def _made(folder: Path, source: Path, rows: list[dict[str, Any]]) -> list[str]:
    title, authors = tex.heading(source)
    about = {"name": folder.name, "title": title or source.stem, "authors": authors or "unknown"}
    about |= dict.fromkeys(("where", "year", "address", "licence"), "")
    for below in FOLDERS:
        (folder / below).mkdir(parents=True)
    _write(folder / "paper.toml", "# What a report says of the paper.\n" + _toml(about))
    entries = statements(rows)
    head = f"# The statements of {source.name}; missing: why no claim is about one; rests_on: what its proof uses.\n"
    _write(
        folder / "statements.toml", head + "".join(f"\n[[statement]]\n{_toml(entry)}" for entry in entries)
    )
    proved = sum(entry["number"].rpartition(" ")[0].lower().endswith(NUMBERED) for entry in entries)
    return [
        f"{len(rows)} statements found, {len(rows) - len(entries)} of them restated; "
        f"{proved} are theorems, corollaries, lemmas or propositions"
    ]


def statements(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the entries of statements.toml, one for each statement in `rows` (from verify.tex.read). If the paper
    repeats a statement, its entry also has the labels and numbers of the repetitions."""
    entries: list[dict[str, Any]] = []
    by_label: dict[str, dict[str, Any]] = {}
    label_of: dict[str, str] = {}
    for row in rows:
        kind, _, number = row["number"].rpartition(" ")
        label = _label(row["label"], kind, number, label_of.values())
        label_of[row["label"] or label] = label
        if row["again"] in by_label:
            first = by_label[row["again"]]
            first.setdefault("also", []).extend([label, row["number"]] if row["label"] else [row["number"]])
            continue
        entry: dict[str, Any] = {
            "label": label,
            "number": row["number"],
            "title": row["title"] or row["number"],
        }
        if kind.lower() in ("definition", "assumption"):
            entry["missing"] = f"a{'n' if kind[0] in 'Aa' else ''} {kind.lower()}, not a statement"
        by_label[row["label"] or label] = entry
        entries.append(entry)
    return entries


def _label(given: str | None, kind: str, number: str, taken: Any) -> str:
    if given and LABEL.fullmatch(given) and given not in taken:
        return given
    word = re.sub(r"[^a-z]", "", kind.lower().split()[-1]) or "statement"
    made = re.sub(r"[^A-Za-z0-9_]+", "-", (given or number).rpartition(":")[2]).strip("-_")[:60] or "x"
    label = f"{PREFIXES.get(word, word)}:{made}"
    return label if label not in taken else f"{label}-{number.replace('.', '-')}"


def _toml(entry: dict[str, Any]) -> str:
    return "".join(f"{key} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in entry.items())


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
