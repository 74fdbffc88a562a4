"""Run Coq: compile the files in proofs/ and print statements, axioms and definitions.

Only `make proofs` and `make statements` run Coq; a campaign reads the recorded answers (record.py). Errors are NotHere
(no Coq, or another version) and Broken (the proofs do not compile).
"""

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from verify.formal.coq_syntax import Definition, definition
from verify.formal.statements import PROOFS, allowed_axioms, coq_series, files

BUILD = PROOFS.parent / "build" / "proofs"
PATIENCE = 900  # seconds for one compilation; a minute is usual


class NotHere(Exception):
    """Raised if Coq cannot check the proofs on this machine; the text says why."""


class Broken(Exception):
    """Raised if Coq rejects the proofs; the text says in which file and line."""


@dataclass(frozen=True)
class Answers:
    """Coq's answers: theorem -> its statement, theorem -> the axioms it uses, definition -> its text. told_apart:
    theorem -> whether Coq accepts its proof for its own statement and rejects it for a stronger one."""

    version: str
    statements: dict[str, str]
    axioms: dict[str, list[str]]
    definitions: dict[str, str]
    told_apart: dict[str, bool]

    @cached_property
    def numbers(self) -> dict[str, Definition]:
        return {name.partition(".")[2]: definition(text) for name, text in self.definitions.items()}


STRONGER = Path(__file__).with_name("stronger.v")


def version(coqc: str = "coqc") -> str:
    if shutil.which(coqc) is None:
        raise NotHere(f"{coqc} is not installed (make proofs installs it)")
    printed = subprocess.run([coqc, "--version"], capture_output=True, text=True, check=False).stdout
    match = re.search(r"version (\d+\.\d+(?:[.+]\w+)*)", printed)
    if not match:
        raise NotHere(f"{coqc} does not tell its version: {printed.strip()[:80]!r}")
    return match.group(1)


def require_series(found: str, wanted: str) -> None:
    if not (found == wanted or found.startswith((wanted + ".", wanted + "+"))):
        raise NotHere(f"Coq {found} is here, the proofs are written for {wanted}")


def ask(
    theorems: Sequence[str],
    definitions: Sequence[str],
    folder: Path = PROOFS,
    build: Path = BUILD,
    coqc: str = "coqc",
) -> Answers:
    """Compile the Coq files with these theorems and definitions, copied from `folder` to `build`; return what Coq
    prints about them. coqc: the compiler."""
    found = version(coqc)
    require_series(found, coq_series(folder))
    try:
        build.mkdir(parents=True, exist_ok=True)
        modules = sorted({name.partition(".")[0] for name in (*theorems, *definitions)})
        for module in modules:
            if f"{module}.v" not in files(folder):
                raise Broken(f"{module}.v is not among the files of _CoqProject")
        script, targets = str((folder / "build.sh").resolve()), [f"{module}.vo" for module in modules]
        run(["sh", script, str(build.resolve()), *targets], folder)
        return _query(found, theorems, definitions, folder, build, coqc)
    except OSError as error:
        raise NotHere(f"{build} cannot be written: {error.strerror}") from None


def run(command: Sequence[str], where: Path, patience: int = PATIENCE) -> str:
    """Return what a command, run in the folder `where` for at most `patience` seconds, prints. If it fails, raise
    Broken with the place and the message of Coq's first error."""
    try:
        done = subprocess.run(command, cwd=where, capture_output=True, text=True, timeout=patience)
    except subprocess.TimeoutExpired:
        raise Broken(f"{command[0]} took longer than {patience} seconds") from None
    except FileNotFoundError:
        raise NotHere(f"{command[0]} is not installed") from None
    if not done.returncode:
        return done.stdout
    output = done.stdout + done.stderr
    match = re.search(r'File "\./?([\w.]+)", line (\d+).*?\n(Error:.*?)(?=\n\n|\nmake|\Z)', output, re.DOTALL)
    if match:
        raise Broken(f"{match[1]} does not compile, line {match[2]}: {' '.join(match[3].split())[:160]}")
    raise Broken(f"the proofs do not compile: {' '.join(output.split())[-160:]}")


def _query(
    found: str, theorems: Sequence[str], definitions: Sequence[str], folder: Path, build: Path, coqc: str
) -> Answers:
    needed = {"FiniteSums", "FiniteProbability"} | {n.partition(".")[0] for n in (*theorems, *definitions)}
    modules = [name[:-2] for name in files(folder) if name[:-2] in needed]
    questions = [("statement", name, f"Check @FedIGW.{name}.") for name in theorems]
    questions += [("apart", name, f"Goal True. tell_apart (@FedIGW.{name}). Abort.") for name in theorems]
    questions += [("definition", name, f"Print FedIGW.{name}.") for name in definitions]
    for module in sorted({name.partition(".")[0] for name in theorems}, key=modules.index):
        every = ", ".join(f"@FedIGW.{name}" for name in theorems if name.startswith(f"{module}."))
        command = f"Definition all_of_{module} := ({every}). Print Assumptions all_of_{module}."
        questions.append(("axioms", module, command))
    printed = _print(questions, modules, build, coqc)
    used = {name: axioms(printed["axioms", name.partition(".")[0]]) for name in theorems}
    suspect = [name for name in theorems if not set(used[name]) <= allowed_axioms(folder)]
    if suspect:
        alone = [("axioms", name, f"Print Assumptions FedIGW.{name}.") for name in suspect]
        answers = _print(alone, modules, build, coqc)
        used |= {name: axioms(answers["axioms", name]) for name in suspect}
    return Answers(
        version=found,
        statements={name: statement(printed["statement", name]) for name in theorems},
        axioms=used,
        definitions={name: printed["definition", name].strip() for name in definitions},
        told_apart={name: printed["apart", name].split() == ["accepted", "rejected"] for name in theorems},
    )


def _print(
    questions: Sequence[tuple[str, str, str]], modules: Sequence[str], build: Path, coqc: str
) -> dict[tuple[str, str], str]:
    lines = ["From Coq Require Import Reals.", "Set Printing Width 100."]
    lines += [f"From FedIGW Require Import {module}." for module in modules]
    lines += ["Open Scope R_scope.", STRONGER.read_text(encoding="utf-8")]
    for kind, name, command in questions:
        lines += [f'Goal True. idtac "@@ {kind} {name}". Abort.', command]
    query = build / f"Query{os.getpid()}.v"
    query.write_text("\n".join(lines) + "\n", encoding="utf-8")
    try:
        printed = run([coqc, "-Q", ".", "FedIGW", query.name], build)
    finally:
        for left in (path for path in build.iterdir() if path.name.lstrip(".").startswith(f"{query.stem}.")):
            left.unlink(missing_ok=True)
    parts = re.split(r"^@@ (\w+) (\S+)$", printed, flags=re.MULTILINE)
    return dict(zip(zip(parts[1::3], parts[2::3], strict=True), parts[3::3], strict=True))


def statement(printed: str) -> str:
    text = re.sub(r"^\s*@?\S+\s*\n?\s*: ", "", printed, count=1)
    return "\n".join(line.removeprefix("       ").rstrip() for line in text.strip().splitlines())


def axioms(printed: str) -> list[str]:
    """Return the axioms, and the disabled checks, that Coq's command `Print Assumptions` printed, each as `name :
    type`."""
    if "Closed under the global context" in printed:
        return []
    body = printed.partition("Axioms:")[2]
    if not body.strip():
        raise Broken(f"Print Assumptions answers {' '.join(printed.split())[:80]!r}")
    entries = re.split(r"\n(?=\S)", body.strip("\n"))
    return sorted({" ".join(entry.split()) for entry in entries if entry.strip()})
