"""Claims, evidence, verdicts, report, command line (python -m verify) and its verbs as a library:

from verify import bound, exact, simulate, fit, sweep, plan, run, prove
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

# name -> module: imported when first used, so that `list` and `bound` start at once
_PLACES = {
    "bound": "bounding",
    "Bound": "bounding",
    "Bounds": "bounding",
    "exact": "running",
    "ExactRun": "running",
    "simulate": "running",
    "Simulation": "running",
    "fit": "running",
    "Fit": "running",
    "run": "running",
    "Verdicts": "running",
    "sweep": "sweeping",
    "Sweep": "sweeping",
    "plan": "planning",
    "Plan": "planning",
    "prove": "proving",
    "Proof": "proving",
}
__all__ = [
    "Bound",
    "Bounds",
    "ExactRun",
    "Fit",
    "InputError",
    "Plan",
    "Proof",
    "Simulation",
    "Sweep",
    "Verdicts",
    "bound",
    "exact",
    "fit",
    "plan",
    "prove",
    "run",
    "simulate",
    "sweep",
]

if TYPE_CHECKING:
    from bounds.errors import InputError
    from verify.library.bounding import Bound, Bounds, bound
    from verify.library.planning import Plan, plan
    from verify.library.proving import Proof, prove
    from verify.library.running import ExactRun, Fit, Simulation, Verdicts, exact, fit, run, simulate
    from verify.library.sweeping import Sweep, sweep


def __getattr__(name: str) -> Any:
    import importlib

    if name == "InputError":
        return importlib.import_module("bounds.errors").InputError
    from verify.__main__ import foreign_sibling

    problem = foreign_sibling()
    if problem:
        raise ImportError(problem)
    if name not in _PLACES:
        raise AttributeError(f"module 'verify' has no attribute {name!r}; it has {', '.join(__all__)}")
    return getattr(importlib.import_module(f"verify.library.{_PLACES[name]}"), name)
