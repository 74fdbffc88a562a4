"""Scalar inequalities of a proof, decided for all reals by z3: the negation has no model.

Denominators are cleared by hand in the statement (z3 leaves x/0 uninterpreted). A timeout is inconclusive.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from verify.claim import Evidence
from verify.verdict import Verdict

# z3's own units of work: the answer does not depend on how busy the machine is. The clock is only the last stop.
UNITS, TIMEOUT_MILLISECONDS = 40_000_000, 240_000


@dataclass(frozen=True)
class ScalarStep:
    """claim(*variables) -> (assumptions, statement), for all real values of the named variables."""

    name: str
    variables: str
    claim: Callable[..., tuple[Sequence[Any], Any]]


def decide(step: ScalarStep) -> tuple[Verdict, str]:
    """Proved, refuted with a counterexample, or inconclusive."""
    import z3

    # a context of its own: what was asked before must not decide which counterexample is found
    context = z3.Context()
    variables = z3.Reals(step.variables, context)
    assumptions, statement = step.claim(*variables)
    solver = z3.Solver(ctx=context)
    solver.set("rlimit", UNITS)
    solver.set("timeout", TIMEOUT_MILLISECONDS)
    solver.add(*assumptions)
    if solver.check() != z3.sat:
        return Verdict.INCONCLUSIVE, "the assumptions are not shown to be consistent"
    solver.add(z3.Not(statement))
    answer = solver.check()
    if answer == z3.unsat:
        return Verdict.PROVED, ""
    if answer == z3.sat:
        model = solver.model()
        values = (f"{v} = {model.eval(v, model_completion=True)}" for v in variables)
        return Verdict.REFUTED, f"[{', '.join(values)}]"
    return Verdict.INCONCLUSIVE, f"z3: {solver.reason_unknown()}"


def check_steps(steps: Sequence[ScalarStep]) -> Evidence:
    """All steps: the weakest answer, with the first that is not proved."""
    answers = {step.name: decide(step) for step in steps}
    figures = {"steps": {name: str(kind) for name, (kind, _) in answers.items()}}
    for wanted in (Verdict.REFUTED, Verdict.INCONCLUSIVE):
        for name, (kind, detail) in answers.items():
            if kind is wanted:
                return Evidence(wanted, f"{name}: {detail}", figures)
    return Evidence(
        Verdict.PROVED, f"{len(steps)} scalar steps for all reals: " + "; ".join(answers), figures
    )
