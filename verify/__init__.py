"""Check the theory of FedIGW: claims, evidence, verdicts, reports, and the command line `python -m verify`.

Every command is also a Python function:

    from verify import bound, exact, simulate, fit, sweep, plan, run, prove, claims, show, check

Bad input raises `InputError`, whose message names the field, its value and what is allowed, as on the command line.
"""

import importlib
import importlib.util
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if sys.version_info < (3, 11):  # noqa: UP036  before anything that an older Python cannot read
    sys.stderr.write(
        "verify: needs Python 3.11 or newer: make verify PYTHON=python3.11, or python3.11 -m verify\n"
    )
    raise SystemExit(2)

if TYPE_CHECKING:  # for type checkers; at run time names are found by discovery, when they are first used
    from bounds.errors import InputError as InputError
    from verify.verbs.bound import *  # noqa: F403
    from verify.verbs.check import *  # noqa: F403
    from verify.verbs.exact import *  # noqa: F403
    from verify.verbs.fit import *  # noqa: F403
    from verify.verbs.list import *  # noqa: F403
    from verify.verbs.plan import *  # noqa: F403
    from verify.verbs.prove import *  # noqa: F403
    from verify.verbs.run import *  # noqa: F403
    from verify.verbs.show import *  # noqa: F403
    from verify.verbs.simulate import *  # noqa: F403
    from verify.verbs.sweep import *  # noqa: F403


SIBLINGS = ("bounds", "fedigw", "finite_class", "linear", "fedigw_extensions")


def __getattr__(name: str) -> Any:
    if name == "InputError":
        return importlib.import_module("bounds.errors").InputError
    if (name.startswith("_") and name != "__all__") or importlib.util.find_spec(f"verify.{name}"):
        raise AttributeError(f"module 'verify' has no attribute {name!r}")
    problem = optimised() or foreign_sibling()
    if problem:
        raise ImportError(problem)
    from bounds.errors import nearest
    from verify import verbs
    from verify.options import in_arguments

    same = verbs.load(name).__all__ if name in verbs.names() else ()
    offered = {name: getattr(verbs.load(name), name)} if name in same else verbs.offered()
    known = sorted(["InputError", *offered])
    if name == "__all__":
        return known
    if name not in offered:
        raise AttributeError(f"module 'verify' has no attribute {name!r}; {nearest(name, known)}")
    found = offered[name]
    globals()[name] = found if isinstance(found, type) else in_arguments(found)
    return globals()[name]


def __dir__() -> list[str]:
    return sorted([*__getattr__("__all__"), *(name for name in globals() if name.startswith("__"))])


def optimised() -> str | None:
    """Return an error message if Python runs with -O or -OO, which remove the assertions and docstrings that this
    program needs; else None."""
    if not sys.flags.optimize:
        return None
    return "verify: python -O removes assertions and docstrings, which are statements of claims; leave it out"


def foreign_sibling() -> str | None:
    """Return an error message if Python finds another project's module under the name of one of our packages, such
    as `bounds`; else None."""
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


def in_the_way(error: BaseException) -> str | None:
    """Return an error message if a file of the working folder was imported instead of a library of the same name, such
    as `random` or `numpy`; else None. error: the exception that ended the import."""
    found = {name: getattr(module, "__file__", None) or "/" for name, module in sorted(sys.modules.items())}
    trace = error.__traceback__
    while trace is not None:  # a module that cannot be imported is not among sys.modules
        file = trace.tb_frame.f_code.co_filename
        found[Path(file).stem] = file
        trace = trace.tb_next
    for name, file in found.items():
        path = Path(file)
        if (
            path.parent == Path.cwd()
            and name.isidentifier()
            and not name.startswith(("verify", "outside_", "__"))
        ):
            return (
                f"verify: module {name} = {path}: stands in the way of another; rename it, or start elsewhere"
            )
    return None
