"""The formal statements: which Coq theorem of proofs/ states which claim, read from proofs/statements.toml."""

from __future__ import annotations

import os
import re
import textwrap
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from fedigw import shipped

PROOFS = shipped.folder("proofs")
# part: used in its proof, or a number of it; beside: a theorem of its own, neither implies the other.
SAME = ("yes", "stronger", "weaker", "part", "beside")
_ANYWHERE = re.DOTALL | re.MULTILINE


@dataclass(frozen=True)
class Constant:
    """A definition in the formal statement and what it must equal.

    expression: closed form in sympy's syntax. symbolic: the project's own expression, `module:call`."""

    definition: str
    expression: str
    symbolic: str | None = None

    @property
    def name(self) -> str:
        return self.definition.partition(".")[2]


@dataclass(frozen=True)
class Statement:
    """One theorem as the statement of one variant of one claim; fields as explained in statements.toml."""

    label: str
    variant: str
    theorem: str
    same: str
    why: str
    constants: tuple[Constant, ...] = ()
    bound: str | None = None
    refutes: bool = False
    repair: str | None = None
    hypotheses: tuple[str, ...] | None = None
    without: tuple[str, ...] = ()

    @property
    def file(self) -> str:
        return self.theorem.partition(".")[0] + ".v"

    @property
    def name(self) -> str:
        return self.theorem.partition(".")[2]


@cache
def statements(folder: Path = PROOFS) -> tuple[Statement, ...]:
    """Every entry of statements.toml, in its order."""
    document = tomllib.loads((folder / "statements.toml").read_text(encoding="utf-8"))
    return tuple(_statement(entry) for entry in document["statement"])


def _statement(entry: dict[str, Any]) -> Statement:
    lists: dict[str, Any] = {name: tuple(entry[name]) for name in ("hypotheses", "without") if name in entry}
    constants = tuple(Constant(**constant) for constant in entry.get("constants", ()))
    return Statement(**(entry | lists | {"constants": constants}))


@cache
def coq_series(folder: Path = PROOFS) -> str:
    """The version of Coq the proofs are written for, e.g. 8.16."""
    return str(tomllib.loads((folder / "statements.toml").read_text(encoding="utf-8"))["coq"])


def allowed_axioms(folder: Path = PROOFS) -> frozenset[str]:
    """`name : type` of every axiom that a proof may use: a name alone could be borrowed for another statement."""
    lines = (folder / "assumptions.allowed").read_text(encoding="utf-8").splitlines()
    return frozenset(" ".join(line.split()) for line in lines if line.strip())


def stating(statement: Statement, folder: Path = PROOFS) -> tuple[Statement, ...]:
    """The theorems that together state the same variant; without them no other theorem carries a verdict."""
    alike = [s for s in statements(folder) if (s.label, s.variant) == (statement.label, statement.variant)]
    exact = tuple(s for s in alike if s.same == "yes")
    return exact or tuple(s for s in alike if s.same == "stronger")


def files(folder: Path = PROOFS) -> tuple[str, ...]:
    """The .v files in the order of _CoqProject."""
    lines = (folder / "_CoqProject").read_text(encoding="utf-8").splitlines()
    return tuple(line.strip() for line in lines if line.strip().endswith(".v"))


def state(folder: Path = PROOFS) -> tuple[tuple[str, int, int], ...]:
    """Name, time and size of every file that decides what Coq answers: while they stay, nothing is read again."""
    names = ("statements.toml", "_CoqProject", "assumptions.allowed", *files(folder))
    # a Path for each would cost more than the question
    found = [(name, os.stat(f"{folder}/{name}")) for name in names]
    return tuple((name, state.st_mtime_ns, state.st_size) for name, state in found)


def source_statement(statement: Statement, folder: Path = PROOFS) -> tuple[str, str] | None:
    """(comment, statement) of the theorem as they stand in its file, or None if it is not there."""
    path = folder / statement.file
    if not path.exists():
        return None
    text = path.read_text(encoding="utf-8")
    match = re.search(
        rf"^[ ]*(?:Theorem|Lemma)\s+{re.escape(statement.name)}\b.*?(?=^\s*Proof\b)", text, _ANYWHERE
    )
    if not match:
        return None
    before = text[: match.start()].rstrip()
    comment = before[before.rindex("(**") :] if before.endswith("*)") and "(**" in before else ""
    comment = " ".join(comment.removeprefix("(**").removesuffix("*)").split())
    return comment, textwrap.dedent(match.group()).rstrip()
