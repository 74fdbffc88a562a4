"""Claims, evidence, verdicts, report, command line (python -m verify) and its verbs as a library:

from verify import bound, exact, simulate, fit, sweep, plan, run, prove, statements, show

Bad input is `InputError`, with field, value and what is allowed, as on the command line.
"""

from __future__ import annotations

import importlib
import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # for type checkers; at run time names are found by discovery, when they are first used
    from bounds.errors import InputError as InputError
    from verify.verbs.bound import Bound as Bound
    from verify.verbs.bound import Bounds as Bounds
    from verify.verbs.bound import Formula as Formula
    from verify.verbs.bound import Variants as Variants
    from verify.verbs.bound import bound as bound
    from verify.verbs.bound import crossing as crossing
    from verify.verbs.bound import optimal as optimal
    from verify.verbs.exact import ExactRun as ExactRun
    from verify.verbs.exact import exact as exact
    from verify.verbs.fit import Fit as Fit
    from verify.verbs.fit import fit as fit
    from verify.verbs.list import statements as statements
    from verify.verbs.plan import Plan as Plan
    from verify.verbs.plan import plan as plan
    from verify.verbs.prove import Proof as Proof
    from verify.verbs.prove import prove as prove
    from verify.verbs.run import Verdicts as Verdicts
    from verify.verbs.run import run as run
    from verify.verbs.show import Shown as Shown
    from verify.verbs.show import show as show
    from verify.verbs.simulate import Simulation as Simulation
    from verify.verbs.simulate import simulate as simulate
    from verify.verbs.sweep import Sweep as Sweep
    from verify.verbs.sweep import sweep as sweep


SIBLINGS = ("bounds", "fedigw", "finite_class", "linear", "fedigw_extensions")


def __getattr__(name: str) -> Any:
    if name == "InputError":
        return importlib.import_module("bounds.errors").InputError
    if (name.startswith("_") and name != "__all__") or importlib.util.find_spec(f"verify.{name}"):
        raise AttributeError(f"module 'verify' has no attribute {name!r}")
    problem = foreign_sibling()
    if problem:
        raise ImportError(problem)
    from verify import verbs
    from verify.options import in_arguments

    same = verbs.load(name).__all__ if name in verbs.names() else ()
    offered = {name: getattr(verbs.load(name), name)} if name in same else verbs.offered()
    known = sorted(["InputError", *offered])
    if name == "__all__":
        return known
    if name not in offered:
        raise AttributeError(f"module 'verify' has no attribute {name!r}; it has {', '.join(known)}")
    found = offered[name]
    globals()[name] = found if isinstance(found, type) else in_arguments(found)
    return globals()[name]


def __dir__() -> list[str]:
    return sorted({*globals(), *__getattr__("__all__")})


def foreign_sibling() -> str | None:
    """Generic package names can be shadowed: the message that names the module which got in the way."""
    home = Path(__file__).resolve().parent.parent
    for name in SIBLINGS:
        spec = importlib.util.find_spec(name)
        origin = spec.origin if spec else None
        if origin is None or Path(origin).resolve().parent.parent != home:
            return (
                f"verify: package {name} = {origin}: stands in the way of {home / name}, which the toolkit needs;"
                " rename it, or start from another folder"
            )
    return None
