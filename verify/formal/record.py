"""Record Coq's answers about every theorem of statements.toml, with a digest of the sources that they are about.

    proofs/record.json      digest of the sources, Coq's version, axioms, constants, controls
    proofs/statements.txt   every statement as Coq prints it, for a person to read
    proofs/definitions.txt  every definition on which these statements rest (definitions.py)

A campaign reads the record and never compiles, so its results have the same bytes with and without Coq. A record of
other sources is stale and confirms nothing. `make statements` writes the record. `make proofs` asks Coq again and fails
if the answers differ from the record:

    python -m verify.formal.record [BUILD [FOLDER]]
"""

import hashlib
import json
import re
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from verify.formal import definitions
from verify.formal.coq import BUILD, Answers, Broken, NotHere, ask
from verify.formal.statements import PROOFS, coq_series, files, remembered, statements

RECORD = "record.json"
TEXT = "statements.txt"
RECORDED, RECHECKED = "recorded", "rechecked"


class Unusable(Exception):
    """Raised if there is no usable record of Coq's answers about these sources; the text says why and what to do."""


@dataclass(frozen=True)
class CoqRecord:
    """Coq's answers and the digest of the sources that they are about. how: "recorded", or "rechecked" if Coq was asked
    again."""

    answers: Answers
    sources: str
    how: str = RECORDED

    def __str__(self) -> str:
        checked = "recorded, checked" if self.how == RECORDED else self.how
        return f"{checked} on sources {self.sources[:12]}, Coq {self.answers.version}"


def asked(folder: Path = PROOFS) -> tuple[list[str], list[str]]:
    known = statements(folder)
    theorems = {s.theorem for s in known} | {s.repair for s in known if s.repair}
    return sorted(theorems), sorted({c.definition for s in known for c in s.constants})


@remembered
def digest(folder: Path = PROOFS) -> str:
    """Return the SHA-256 hash of everything that decides Coq's answers: Coq files, allowed axioms, questions, Coq's
    version."""
    theorems, constants = asked(folder)
    found = hashlib.sha256("\n".join([coq_series(folder), *theorems, *constants]).encode())
    for name in ("_CoqProject", "assumptions.allowed", *files(folder)):
        content = (folder / name).read_bytes()
        found.update(f"\n{name} {len(content)}\n".encode() + content)
    return found.hexdigest()


@remembered
def recorded(folder: Path = PROOFS) -> CoqRecord:
    """Return Coq's recorded answers. Raise Unusable if the answers are about other sources or were changed by hand."""
    paths = (folder / RECORD, folder / TEXT)
    if not all(path.exists() for path in paths):
        raise Unusable("there is no record of Coq's answers; run make statements")
    record, text = (path.read_text(encoding="utf-8") for path in paths)
    try:
        document = json.loads(record)
        seal = document.pop("seal")
        answers = Answers(statements=printed(text), **document["answers"])
        found = CoqRecord(answers, document["sources"])
    except (ValueError, TypeError, KeyError, AttributeError):
        raise Unusable(f"{RECORD} cannot be read; run make statements") from None
    if seal != _seal(found):
        raise Unusable(f"{RECORD} or {TEXT} was changed by hand; run make statements")
    if found.sources != digest(folder):
        raise Unusable("the record is of other sources; run make proofs")
    return found


def printed(text: str) -> dict[str, str]:
    parts = re.split(r"^== (\S+)$", text, flags=re.MULTILINE)
    return {name: part.strip() for name, part in zip(parts[1::2], parts[2::2], strict=True)}


def _seal(known: CoqRecord) -> str:
    text = json.dumps([known.sources, asdict(known.answers)], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def recheck(folder: Path = PROOFS, build: Path = BUILD, coqc: str = "coqc") -> CoqRecord:
    """Ask Coq again about all theorems. Raise NotHere if Coq is not installed, and Broken if it rejects the proofs or a
    file disables one of Coq's checks."""
    if reason := definitions.unsafe(folder):
        raise Broken(reason)
    theorems, constants = asked(folder)
    return CoqRecord(ask(theorems, constants, folder, build, coqc), digest(folder), RECHECKED)


def write(known: CoqRecord, folder: Path = PROOFS) -> None:
    """Write Coq's answers to the record: a JSON file, readable statements, and the definitions on which these rest."""
    answers = asdict(known.answers)
    texts = answers.pop("statements")
    document = {"answers": answers, "seal": _seal(known), "sources": known.sources}
    (folder / RECORD).write_text(json.dumps(document, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    lines = [f"== {name}\n{texts[name]}\n" for name in sorted(texts)]
    (folder / TEXT).write_text("\n".join(lines), encoding="utf-8")
    definitions.record(texts, folder)


def difference(old: Answers, new: Answers) -> str | None:
    """Return in words the first difference between two sets of Coq's answers, None if there is none. Versions of Coq
    are not compared."""
    before, after = asdict(old), asdict(new)
    for part in ("statements", "axioms", "definitions", "told_apart"):
        for name in sorted(before[part].keys() | after[part].keys()):
            if before[part].get(name) != after[part].get(name):
                return f"{part} of {name}"
    return None


def main(arguments: Sequence[str]) -> int:
    """Ask Coq again and compare with the record. Return 0 if they agree, 1 if the record is stale or different, 3 if
    there is no Coq."""
    build = Path(arguments[0]) if arguments else BUILD
    folder = Path(arguments[1]) if len(arguments) > 1 else PROOFS
    again = "run make statements and read the change"
    try:
        old = recorded(folder)
        new = recheck(folder, build)
        if other := difference(old.answers, new.answers):
            raise Unusable(f"{RECORD} is not what Coq answers ({other}); {again}")
        if changed := definitions.changed("\n".join(new.answers.statements.values()), folder):
            raise Unusable(f"{changed} is not as in {definitions.RECORD}; {again}")
    except (Unusable, Broken, NotHere) as reason:
        sys.stderr.write(f"proofs: {str(reason).replace('run make proofs', again)}\n")
        return 3 if isinstance(reason, NotHere) else 1
    sys.stdout.write(f"proofs: the record is what Coq answers: {new}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
