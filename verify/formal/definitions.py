"""Compare the definitions on which formal statements in Coq rest with those that a person has read.

Coq checks a theorem, not the meaning of its terms. So a statement counts only if all definitions on which it rests,
down to sums and lists, are those recorded in proofs/definitions.txt. Names are looked up by their last part; if two
files define a name, both definitions are compared.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from verify.formal.statements import PROOFS, files, remembered

RECORD = "definitions.txt"
_KEYWORDS = "Definition|Fixpoint|Inductive|Record|Class|Variant|CoFixpoint|CoInductive|Instance|Let|Example"
_ITEM = re.compile(rf"(?<![\w.])(?:{_KEYWORDS})\s+([A-Za-z_][\w']*)\b.*?\.(?=\s|$)", re.DOTALL)
_NOTATIONS = "Notation|Infix|Coercion|Canonical|Arguments"
_NOTATION = re.compile(rf"(?<!Local )(?<![\w.])(?:{_NOTATIONS})\s.*?\.(?=\s|$)", re.DOTALL)
_NAME = re.compile(r"[A-Za-z_][\w']*")


@dataclass(frozen=True)
class Item:
    """A definition in the Coq files: its name "File.name" and its text, without comments and with single spaces."""

    name: str
    text: str


def without_comments(text: str) -> str:
    kept, depth, position = [], 0, 0
    for match in re.finditer(r"\(\*|\*\)", text):
        if depth == 0:
            kept.append(text[position : match.start()])
        depth = max(0, depth + (1 if match.group() == "(*" else -1))
        position = match.end()
    return "".join([*kept, text[position:] if depth == 0 else ""])


@remembered
def items(folder: Path = PROOFS) -> dict[str, tuple[Item, ...]]:
    """Return the definitions in the Coq files of a folder by name; several definitions may have one name. The name of a
    record's field leads to the whole record. Notations have the name ''."""
    found: dict[str, list[Item]] = {}
    for file in files(folder):
        source = without_comments((folder / file).read_text(encoding="utf-8"))
        for match in _ITEM.finditer(source):
            item = Item(f"{file[:-2]}.{match.group(1)}", " ".join(match.group().split()))
            fields = re.findall(r"[{;]\s*([A-Za-z_][\w']*)\s*:", item.text) if ":= {" in item.text else []
            fields += re.findall(r"\w+\s+:=\s+([A-Za-z_][\w']*)\s*\{", item.text)
            for name in (match.group(1), *fields):
                found.setdefault(name, []).append(item)
        for match in _NOTATION.finditer(source):
            text = " ".join(match.group().split())
            found.setdefault("", []).append(Item(f"{file[:-2]}: {text.split(':=')[0].strip()[:60]}", text))
    return {name: tuple(dict.fromkeys(entries)) for name, entries in found.items()}


@remembered
def _uses(folder: Path = PROOFS) -> dict[str, list[Item]]:
    known = items(folder)
    return {item.text: _named(item.text, known) for found in known.values() for item in found}


def _named(text: str, known: Mapping[str, Sequence[Item]]) -> list[Item]:
    return [item for name in set(_NAME.findall(text)) & known.keys() for item in known[name]]


@remembered
def behind(statement: str, folder: Path = PROOFS) -> dict[str, str]:
    """Return all notations, and every definition that a Coq statement uses directly or indirectly, as name -> text."""
    known, uses = items(folder), _uses(folder)
    found = {item.name: item.text for item in known.get("", ())}
    left = [_named(statement, known), *(uses[text] for text in found.values())]
    while left:
        for item in left.pop():
            if item.name not in found:
                found[item.name] = item.text
                left.append(uses[item.text])
    return found


@remembered
def recorded(folder: Path = PROOFS) -> dict[str, str]:
    path = folder / RECORD
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    parts = re.split(r"^== (.+)$", text, flags=re.MULTILINE)
    return {name.strip(): " ".join(text.split()) for name, text in zip(parts[1::2], parts[2::2], strict=True)}


def changed(statement: str, folder: Path = PROOFS) -> str | None:
    """Return the name of the first definition that a Coq statement uses, directly or indirectly, and that differs from
    the recorded one; None if there is none."""
    known = recorded(folder)
    rests_on = behind(statement, folder).items()
    return min((name for name, text in rests_on if known.get(name) != text), default=None)


def record(printed: dict[str, str], folder: Path = PROOFS) -> Path:
    """Write every definition that some statements use, directly or indirectly, to definitions.txt, and return its path.
    printed: theorem -> statement."""
    found: dict[str, str] = {}
    for statement in printed.values():
        found |= behind(statement, folder)
    order = {name[:-2]: number for number, name in enumerate(files(folder))}
    names = sorted(found, key=lambda name: (order[re.split(r"[.:]", name)[0]], name))
    path = folder / RECORD
    path.write_text("\n".join(f"== {name}\n{found[name]}\n" for name in names), encoding="utf-8")
    return path


# Commands with which a file could prove anything, or change what a proof is; sections may have hypotheses.
_UNSAFE = (
    (r"\b(?:Admitted|admit|Axioms?|Parameters?\s+\w+\s*:|Conjecture|Primitive)\b", "admits something"),
    (r"\bUnset\s+\w+(?:\s+\w+)?\s+Checking\b|\bbypass_check\b|\bType\s+In\s+Type\b", "switches a check off"),
    (r"\b(?:Declare\s+ML\s+Module|Load|Redirect|Cd)\b\s", "loads something"),
)
_SECTION = re.compile(
    r"(?<![\w.])(Section|Module(?:\s+Type)?|End)\s+[A-Za-z_]\w*\s*\.|"
    r"(?<![\w.])(Hypothesis|Hypotheses|Variables?|Context)\s"
)


@remembered
def unsafe(folder: Path = PROOFS) -> str | None:
    """Return the reason why a theorem in the Coq files of a folder may be false although it compiles, such as a
    disabled check; None if there is no such reason."""
    for line in (folder / "_CoqProject").read_text(encoding="utf-8").splitlines():
        if line.strip() and line.strip() != "-Q . FedIGW" and not re.fullmatch(r"\w+\.v", line.strip()):
            return f"_CoqProject passes {line.strip()!r} to Coq"
    allowed = (folder / "assumptions.allowed").read_text(encoding="utf-8").splitlines()
    standard = {line.split(".")[0] for line in allowed if line.strip()}
    for file in files(folder):
        if file[:-2] in standard:
            return f"{file} has the name of a standard library with an axiom"
        source = without_comments((folder / file).read_text(encoding="utf-8"))
        for pattern, what in _UNSAFE:
            if match := re.search(pattern, source):
                return f"{file} {what}: {' '.join(match.group().split())}"
        depth = 0
        for opened, assumed in _SECTION.findall(source):
            if assumed and depth == 0:
                return f"{file} assumes something outside a section: {assumed}"
            depth += 0 if assumed else -1 if opened == "End" else 1
    return None
