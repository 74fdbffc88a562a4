"""check: check that a file with your own protocol, policy, system, environment or claim follows the rules."""

from __future__ import annotations

import argparse
import inspect
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bounds.errors import InputError, choose
from fedigw import outside, parts
from fedigw.discovery import classes_of
from verify import showing
from verify.instances import KINDS, kind_of

__all__ = ["Checked", "check"]
EXAMPLE = "python -m verify check my_protocol.py"
PYTHON = """
assert check("examples/own/heavy_ball.py").conforms"""

Finding = tuple[str, list[str], tuple[str, ...]]  # what, what is wrong with it, what else was seen


@dataclass(frozen=True)
class Checked:
    """The findings of `check` on a user's file. A finding has the name of a part of a federation or of a check, what is
    wrong with it, and remarks."""

    findings: tuple[Finding, ...]

    @property
    def conforms(self) -> bool:
        return not any(problems for _, problems, _ in self.findings)

    def __str__(self) -> str:
        lines = []
        for what, problems, seen in self.findings:
            lines.append(f"{what}: {'does not conform' if problems else '; '.join(('conforms', *seen))}")
            lines += [f"  {problem}" for problem in problems]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return showing.html_text(str(self))


def check(file: str, kind: str = "linear") -> Checked:
    """Check a file of your own (file.py, or file.py:Name for one class) against the rules for this project's files. The
    file is run. kind: the kind of environments on which a protocol is tried (linear, finite_class, ...)."""
    outside.allow()
    return _checked(file, kind)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE.py", help="what you wrote")
    parser.add_argument("--kind", default="linear", help=f"of world, for protocols: {', '.join(KINDS)}")


def execute(given: argparse.Namespace) -> int:
    found = _checked(given.file, given.kind)
    sys.stdout.write(f"{found}\n")
    return 0 if found.conforms else 1


def _checked(file: str, kind: str) -> Checked:
    if found := tuple(_findings(file, choose("--kind", kind, KINDS))):
        return Checked(found)
    bases = ", ".join(base.__name__ for base in parts.SORTS.values())
    allowed = f"has no claim, no make, and no class that derives from one of fedigw.interfaces or fedigw.game: {bases}"
    raise InputError("file", file, allowed)


def _findings(argument: str, kind: str) -> Iterator[Finding]:
    from fedigw import conformance

    file, _, wanted = argument.partition(":")
    module = outside.load(Path(file))
    classes = [c for c in classes_of(module) if wanted in ("", c.__name__)]
    if wanted and not classes:
        has = ", ".join(c.__name__ for c in classes_of(module)) or "none"
        raise InputError("file", argument, f"has no class {wanted}; its classes: {has}")
    if hasattr(module, "claim") and not wanted:
        yield from _claim(file)
    if not wanted and getattr(getattr(module, "make", None), "__module__", None) == module.__name__:
        problems = ["lacks EXAMPLES: arguments of make that show it at work"]
        if hasattr(module, "EXAMPLES"):
            problems = _tried(lambda: conformance.check_environment(module, kind_of(kind)))
        yield f"environment {file}", problems, ()
    for cls in classes:
        for sort, base in parts.SORTS.items():
            if not issubclass(cls, base) or (inspect.isabstract(cls) and "name" not in vars(cls)):
                continue
            part = outside.part(f"{file}:{cls.__name__}", base)
            problems = _tried(lambda s=sort, p=part: _of_sort(s, p, kind))  # type: ignore[misc]
            seen = () if problems or sort != "protocol" else (conformance.convergence(part(), kind_of(kind)),)
            yield f"{sort} {part.name}", problems, seen


def _of_sort(sort: str, part: type[Any], kind: str) -> list[str]:
    from fedigw import conformance
    from fedigw.system_conformance import check_system

    made = part(agents=(0,)) if sort == "attack" else part()
    if sort in ("protocol", "system"):
        check = conformance.check_protocol if sort == "protocol" else check_system
        return check(made, kind_of(kind))
    found: list[str] = getattr(conformance, f"check_{sort}")(made)
    return found


def _claim(file: str) -> Iterator[Finding]:
    from verify import own_claims
    from verify.campaign.units import Settings, run_unit

    claim = own_claims.register(file)
    for check in claim.checks:
        outcome = run_unit(Settings(files=(file,)), claim.label, check.name)
        problems = [outcome.failure] if outcome.failure else []
        if not outcome.failure and outcome.ran and not outcome.control_ok:
            problems.append(f"its negative control was not rejected: {outcome.control.summary}")
        said = "" if outcome.failure else f" ({outcome.evidence.kind}: {outcome.evidence.summary})"
        yield f"claim {claim.label}, check {check.name}{said}", problems, ()


def _tried(check: Callable[[], list[str]]) -> list[str]:
    try:
        return check()
    except Exception as error:
        return [outside.blame(error) or f"{type(error).__name__}: {' '.join(str(error).split())}"]
