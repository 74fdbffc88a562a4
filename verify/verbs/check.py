"""check: is a file of your own the protocol, policy, environment or claim that it must be?"""

from __future__ import annotations

import argparse
import inspect
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from bounds.errors import InputError, choose
from fedigw import outside, parts
from fedigw.discovery import classes_of
from verify.instances import KINDS, kind_of

__all__: list[str] = []
EXAMPLE = "python -m verify check my_protocol.py"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE.py", help="what you wrote")
    parser.add_argument("--kind", default="linear", help=f"of world, for protocols: {', '.join(KINDS)}")


def execute(given: argparse.Namespace) -> int:
    kind = choose("--kind", given.kind, KINDS)
    found = list(_findings(given.file, kind))
    for what, problems, said in found:
        sys.stdout.write(f"{what}: {'does not conform' if problems else '; '.join(('conforms', *said))}\n")
        sys.stdout.writelines(f"  {problem}\n" for problem in problems)
    return 1 if any(problems for _, problems, _ in found) else 0


Finding = tuple[str, list[str], tuple[str, ...]]  # what, what is wrong with it, what else was seen


def _findings(argument: str, kind: str) -> Iterator[Finding]:
    """Everything in the file that we know the sort of, or its class `Name` for file.py:Name."""
    from fedigw import conformance

    file, _, wanted = argument.partition(":")
    module = outside.load(Path(file))
    classes = [c for c in classes_of(module) if wanted in ("", c.__name__)]
    if wanted and not classes:
        has = ", ".join(c.__name__ for c in classes_of(module)) or "none"
        raise InputError("file", argument, f"has no class {wanted}; its classes: {has}")
    nothing = True
    if hasattr(module, "claim") and not wanted:
        nothing = False
        yield from _claim(file)
    if not wanted and getattr(getattr(module, "make", None), "__module__", None) == module.__name__:
        nothing = False
        environment = module if hasattr(module, "EXAMPLES") else None
        if environment is None:
            yield f"environment {file}", ["lacks EXAMPLES: arguments of make that show it at work"], ()
        else:
            found = _tried(lambda: conformance.check_environment(module, kind_of(kind)))
            yield f"environment {file}", found, ()
    for cls in classes:
        for sort, base in parts.SORTS.items():
            if not issubclass(cls, base) or (inspect.isabstract(cls) and "name" not in vars(cls)):
                continue
            nothing = False
            part = outside.part(f"{file}:{cls.__name__}", base)
            problems = _tried(lambda s=sort, p=part: _of_sort(s, p, kind))  # type: ignore[misc]
            seen = () if problems or sort != "protocol" else (conformance.convergence(part(), kind_of(kind)),)
            yield f"{sort} {part.name}", problems, seen
    if nothing:
        bases = ", ".join(base.__name__ for base in parts.SORTS.values())
        allowed = f"has no claim, no make, and no class that derives from one of fedigw.interfaces: {bases}"
        raise InputError("file", argument, allowed)


def _of_sort(sort: str, part: type[Any], kind: str) -> list[str]:
    from fedigw import conformance

    made = part(agents=(0,)) if sort == "attack" else part()
    if sort == "protocol":
        return conformance.check_protocol(made, kind_of(kind))
    found: list[str] = getattr(conformance, f"check_{sort}")(made)
    return found


def _claim(file: str) -> Iterator[Finding]:
    """A claim is checked by running it: each check must tell its negative control apart."""
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
    """A part that raises does not conform; the line that raised is named."""
    try:
        return check()
    except Exception as error:
        theirs = outside.blame(error)
        if theirs is None:
            return [f"{type(error).__name__}: {' '.join(str(error).split())}"]
        return [theirs]
