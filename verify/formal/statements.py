"""Read from proofs/statements.toml which Coq theorem states which claim."""

import contextlib
import os
import re
import textwrap
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from fedigw import shipped

PROOFS = shipped.folder("proofs")
DECIDING = (".v", ".toml", ".json", ".txt", ".allowed", "_CoqProject")
P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True)
class Constant:
    """A definition in a Coq statement, and the value that it must have as an expression in sympy's syntax. symbolic:
    the project's own function for this value, as `module:call`."""

    definition: str
    expression: str
    symbolic: str | None = None

    @property
    def name(self) -> str:
        return self.definition.partition(".")[2]


@dataclass(frozen=True)
class Statement:
    """A Coq theorem, "File.name", about one variant of a claim.

    * same: yes if the theorem states the variant, stronger or weaker if it states more or less, part if the variant's
      proof uses it, beside if it states something else; why: the reason
    * constants: definitions in the theorem with their values; bound: the closed form of its right-hand side
    * refutes: whether the theorem shows that the claim is false; repair: the theorem that then replaces the claim
    * hypotheses: those of the theorem; without: hypotheses of the claim that the theorem does not need
    """

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


def _document(folder: Path) -> dict[str, Any]:
    return tomllib.loads((folder / "statements.toml").read_text(encoding="utf-8"))


@cache
def statements(folder: Path = PROOFS) -> tuple[Statement, ...]:
    """Return every entry of statements.toml, in its order."""
    found = []
    for entry in _document(folder)["statement"]:
        lists = {name: tuple(entry[name]) for name in ("hypotheses", "without") if name in entry}
        constants = tuple(Constant(**constant) for constant in entry.get("constants", ()))
        found.append(Statement(**(entry | lists | {"constants": constants})))
    return tuple(found)


@cache
def coq_series(folder: Path = PROOFS) -> str:
    return str(_document(folder)["coq"])


def allowed_axioms(folder: Path = PROOFS) -> frozenset[str]:
    """Return `name : type` of every axiom that a Coq proof may use."""
    lines = (folder / "assumptions.allowed").read_text(encoding="utf-8").splitlines()
    return frozenset(" ".join(line.split()) for line in lines if line.strip())


def stating(statement: Statement, folder: Path = PROOFS) -> tuple[Statement, ...]:
    """Return the theorems that state the same variant of a claim as `statement`. The variant is proved if all of them
    are confirmed."""
    alike = [s for s in statements(folder) if (s.label, s.variant) == (statement.label, statement.variant)]
    exact = tuple(s for s in alike if s.same == "yes")
    return exact or tuple(s for s in alike if s.same == "stronger")


def files(folder: Path = PROOFS) -> tuple[str, ...]:
    lines = (folder / "_CoqProject").read_text(encoding="utf-8").splitlines()
    return tuple(line.strip() for line in lines if line.strip().endswith(".v"))


def state(folder: Path = PROOFS) -> str:
    """Return name, time and size of every file on which Coq's answers depend, as one text. Caches use it as key."""
    with os.scandir(folder) as entries:
        found = sorted((entry.name, entry.stat()) for entry in entries if entry.name.endswith(DECIDING))
    return repr([(name, state.st_mtime_ns, state.st_size) for name, state in found])


def remembered(function: Callable[P, R]) -> Callable[P, R]:
    """Return the function with a cache of its results. Results are computed again after a change of a file in proofs/,
    or in the folder passed as argument."""

    @cache
    def made(stamp: object, *given: Any) -> R:
        return function(*given)  # type: ignore[call-arg]

    @wraps(function)
    def called(*given: Any) -> R:
        folder = next((one for one in given if isinstance(one, Path)), PROOFS)
        return made(_watched.get(folder) or state(folder), *given)

    return called  # type: ignore[return-value]


_watched: dict[Path, object] = {}


@contextlib.contextmanager
def unchanged(folder: Path = PROOFS) -> Iterator[None]:
    """Return a context manager. Inside its block, caches take the files of the folder to be unchanged and do not
    examine them."""
    _watched[folder] = state(folder)
    try:
        yield
    finally:
        _watched.pop(folder, None)


@remembered
def source_statement(statement: Statement, folder: Path = PROOFS) -> tuple[str, str] | None:
    """Return the comment before a Coq theorem and its statement, as its file has them; None if the file lacks it."""
    path = folder / statement.file
    if not path.exists():
        return None
    text = path.read_text(encoding="utf-8")
    pattern = rf"^[ ]*(?:Theorem|Lemma)\s+{re.escape(statement.name)}\b.*?(?=^\s*Proof\b)"
    match = re.search(pattern, text, re.DOTALL | re.MULTILINE)
    if not match:
        return None
    before = text[: match.start()].rstrip()
    comment = before[before.rindex("(**") :] if before.endswith("*)") and "(**" in before else ""
    comment = " ".join(comment.removeprefix("(**").removesuffix("*)").split())
    return comment, textwrap.dedent(match.group()).rstrip()
