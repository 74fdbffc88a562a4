"""Check the proofs in a paper's folder proofs/: SMT-LIB texts by z3, theorems of Coq by coqc, those of Lean by record
only.

A check of a claim returns `proof("sum.smt2")`, or `proof("sum.v", "sum_at_most")` for a theorem of Coq. Its negative
control is a false text or, for Coq, `stronger=True`: Coq must reject the proof for a stronger statement.

proofs/record.json has the digest of each file and the prover's answer. `all --record` writes it, and later answers must
equal the recorded ones. If a prover cannot be asked (Lean, or no coqc), the claim is shown as asserted by its author,
with the recorded answer.
"""

import contextlib
import json
import re
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from fedigw.instance_file import read_plain
from fedigw.outside import digest
from verify.claim import PROOF_FILE, Evidence
from verify.formal import attached, coq
from verify.formal.statements import allowed_axioms
from verify.paper import FOLDER
from verify.verdict import ASSERTED, Verdict

PROOFS = FOLDER / "proofs"
RECORD = PROOFS / "record.json"
NAME = re.compile(r"([A-Za-z][A-Za-z0-9_]{0,79})\.(smt2|v|lean)")
THEOREM = re.compile(r"[A-Za-z_][A-Za-z0-9_']{0,79}")
FIELDS = ("digest", "answer", "by")  # of a row of the record
PATIENCE = 120  # seconds for one file of Coq


class Refused(Exception):
    """Raised, with the reason, if a proof file proves nothing."""


class NotAsked(Refused):
    """Raised if the prover is not installed, so that neither the proof nor the negative control was checked."""


@dataclass(frozen=True)
class Answer:
    """A prover's answer about a proof file. kind: the verdict. answer: the text that is recorded. by: prover and
    version."""

    kind: Verdict
    answer: str
    by: str


def proof(file: str, theorem: str = "", stronger: bool = False) -> Evidence:
    """Return undecided evidence that refers to a file in proofs/, for a check to return; `earned` then runs the prover.
    theorem, stronger: for Coq, see the module."""
    figure = {"file": file, "theorem": theorem, "stronger": stronger}
    return Evidence(Verdict.UNDECIDED, f"proofs/{file}", {PROOF_FILE: figure})


def earned(finding: Evidence) -> Evidence:
    """Run the prover on the proof file to which a finding refers, and return its answer as evidence."""
    given: Any = finding.figures[PROOF_FILE]
    file = theorem = ""
    try:
        file, theorem, stronger = str(given["file"])[:90], str(given["theorem"])[:90], bool(given["stronger"])
        if not (match := NAME.fullmatch(file)):
            raise Refused(f"{file!r:.60} must be the name of a .smt2, .v or .lean file in proofs/")
        if not (PROOFS / file).is_file():
            raise Refused(f"there is no proofs/{file}")
        text = read_plain(PROOFS / file, "file").decode()
        found = _asked(match[2], file, text, theorem, stronger)
        if found.kind is Verdict.UNDECIDED:
            raise Refused(found.answer)
        known = None if stronger else _recorded(file, theorem)
        if known and known != found.answer:
            raise Refused(
                f"{found.by} answers {found.answer:.120}, and {known:.120} is recorded for the same file"
            )
    except (Refused, OSError, ValueError, KeyError, TypeError) as error:
        named = {PROOF_FILE: {"file": file, "theorem": theorem, "stronger": False}, "asserted": True}
        said = f"{ASSERTED}: proofs/{file}: {error}"
        return Evidence(Verdict.UNDECIDED, said, named, ran=not isinstance(error, NotAsked))
    answer = {"answer": found.answer, "by": found.by, "digest": digest(PROOFS / file)}
    named = {"file": file, "theorem": theorem, "stronger": stronger}
    said = f"proofs/{file}{f', {theorem}' if theorem else ''}: {found.by} answers {found.answer}"
    return Evidence(found.kind, said, {PROOF_FILE: named | answer})


def _asked(suffix: str, file: str, text: str, theorem: str, stronger: bool) -> Answer:
    if suffix == "smt2":
        return _z3(text)
    if suffix == "v":
        try:
            by, statement, rejects = _coq(file.removesuffix(".v"), text, theorem)
        except coq.NotHere as error:
            raise NotAsked(f"{error}; {_record_says(file, theorem)}") from None
        except coq.Broken as error:
            raise Refused(str(error)) from None
        if not stronger:
            return Answer(Verdict.COQ, statement, by)
        said = f"{'no' if rejects else 'yes'}, asked whether it proves a stronger statement"
        return Answer(Verdict.REFUTED if rejects else Verdict.COQ, said, by)
    raise NotAsked(f"Lean is not run here; {_record_says(file, theorem)}")


def _z3(text: str) -> Answer:
    import z3

    text = "\n".join(
        line for row in text.splitlines() if (line := row.partition(";")[0].strip())
    )  # no comments
    by = f"z3 {z3.get_version_string()}"
    if not (why := attached.shortfall([text])):
        return Answer(Verdict.Z3, "unsat", by)
    kind = Verdict.REFUTED if attached.FALSE in why else Verdict.UNDECIDED
    return Answer(kind, "sat" if kind is Verdict.REFUTED else why, by)


@cache
def _coq(module: str, text: str, theorem: str) -> tuple[str, str, bool]:
    """Compile a Coq file, given as text, that uses the standard library only. Return Coq's version; the statement and
    axioms of `theorem`; and whether Coq accepts its proof for this statement and rejects it for a stronger one."""
    if not THEOREM.fullmatch(theorem):
        raise Refused(f"theorem {theorem!r:.40} must be the name of a theorem in it")
    by = f"Coq {coq.version()}"
    with tempfile.TemporaryDirectory() as place:
        folder, name = Path(place), f"P.{module}.{theorem}"
        (folder / f"{module}.v").write_text(text, encoding="utf-8")
        lines = ["From Coq Require Import Reals.", f"From P Require {module}.", "Set Printing Width 1000."]
        lines += [coq.STRONGER.read_text(encoding="utf-8"), f"Goal True. tell_apart (@{name}). Abort."]
        lines += ['Goal True. idtac "@@". Abort.', f"Check @{name}."]
        lines += ['Goal True. idtac "@@". Abort.', f"Print Assumptions {name}."]
        (folder / "Query.v").write_text("\n".join(lines) + "\n", encoding="utf-8")
        for source in (module, "Query"):
            printed = coq.run(["coqc", "-q", "-Q", ".", "P", f"{source}.v"], folder, PATIENCE)
    apart, stated, assumed = printed.split("@@")
    if foreign := sorted(set(coq.axioms(assumed)) - allowed_axioms()):
        raise Refused(f"{theorem} assumes {foreign[0]:.120}")
    names = ", ".join(axiom.partition(" : ")[0] for axiom in coq.axioms(assumed))
    said = f"{' '.join(coq.statement(stated).split())}; axioms: {names or 'none'}"
    return by, said, apart.split() == ["accepted", "rejected"]


def _rows() -> dict[str, Mapping[str, Any]]:
    if not RECORD.is_file():
        return {}
    try:
        found = json.loads(read_plain(RECORD, "file"))
        return {str(key): {name: str(row[name]) for name in FIELDS} for key, row in found.items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise Refused("record.json is damaged; `all --record` writes it") from None


def _key(file: str, theorem: str) -> str:
    return f"{file}:{theorem}" if theorem else file


def _recorded(file: str, theorem: str) -> str:
    """Return the prover's recorded answer for exactly this file, "" if there is none."""
    row = _rows().get(_key(file, theorem), {})
    return row["answer"] if row.get("digest") == digest(PROOFS / file) else ""


def _record_says(file: str, theorem: str) -> str:
    row, now = _rows().get(_key(file, theorem)), digest(PROOFS / file)
    if row is None:
        return f"no answer is recorded for digest {now}"
    if row["digest"] != now:
        return f"the record is of another file ({row['digest']}, now {now})"
    return f"recorded for this file: {row['by']} answers {row['answer']:.120}"


def record(document: Mapping[str, Any]) -> None:
    """Write the provers' answers in the results of a campaign of checks to proofs/record.json. Entries about Lean files
    are kept, because authors write them by hand."""
    kept: dict[str, Mapping[str, Any]] = {}
    with contextlib.suppress(Refused):  # a damaged record is written anew
        kept = {key: row for key, row in _rows().items() if key.partition(":")[0].endswith(".lean")}
    variants = (variant for claim in document["claims"] for variant in claim["variants"])
    for check in (check for variant in variants for check in variant["checks"]):
        row = check["evidence"]["figures"].get(PROOF_FILE, {})
        if "answer" in row:
            kept[_key(row["file"], row["theorem"])] = {name: row[name] for name in FIELDS}
    if kept:
        RECORD.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n", encoding="utf-8")
