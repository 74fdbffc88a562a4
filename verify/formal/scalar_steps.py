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
    """Decide a step: proved, refuted with a counterexample, or inconclusive."""
    import z3

    solver, variables = _assumed(step)
    if solver.check() != z3.sat:
        return Verdict.INCONCLUSIVE, "the assumptions are not shown to be consistent"
    solver.add(z3.Not(step.claim(*variables)[1]))
    answer = solver.check()
    if answer == z3.unsat:
        return Verdict.PROVED, ""
    if answer == z3.sat:
        model = solver.model()
        values = (f"{v} = {model.eval(v, model_completion=True)}" for v in variables)
        return Verdict.REFUTED, f"[{', '.join(values)}]"
    return Verdict.INCONCLUSIVE, f"z3: {solver.reason_unknown()}"


def question(step: ScalarStep) -> str:
    """Return the step's negation as SMT-LIB text, for another solver: unsat if the step is proved, sat if refuted."""
    import z3

    solver, variables = _assumed(step)
    solver.add(z3.Not(step.claim(*variables)[1]))
    return f"(set-logic QF_NRA)\n{solver.to_smt2()}"


def _assumed(step: ScalarStep) -> tuple[Any, Any]:
    import z3

    # a context of its own: what was asked before must not decide which counterexample is found
    context = z3.Context()
    variables = z3.Reals(step.variables, context)
    solver = z3.Solver(ctx=context)
    solver.set("rlimit", UNITS)
    solver.set("timeout", TIMEOUT_MILLISECONDS)
    solver.add(*step.claim(*variables)[0])
    return solver, variables


def check_steps(steps: Sequence[ScalarStep]) -> Evidence:
    """All steps: the weakest answer, with the first that is not proved."""
    answers = {step.name: decide(step) for step in steps}
    figures = {"steps": {name: str(kind) for name, (kind, _) in answers.items()}}
    for wanted in (Verdict.REFUTED, Verdict.INCONCLUSIVE):
        for name, (kind, detail) in answers.items():
            if kind is wanted:
                return Evidence(wanted, f"{name}: {detail}", figures)
    return Evidence(
        Verdict.PROVED,
        f"{len(steps)} scalar step{'' if len(steps) == 1 else 's'} for all reals: " + "; ".join(answers),
        figures,
    )


def refute_steps(steps: Sequence[ScalarStep]) -> Evidence:
    """Refuted if every step is, with the counterexamples; otherwise inconclusive, naming the first that is not."""
    answers = {step.name: decide(step) for step in steps}
    for name, (kind, _) in answers.items():
        if kind is not Verdict.REFUTED:
            return Evidence(Verdict.INCONCLUSIVE, f"{name}: not refuted, {kind}")
    shown = {name: detail for name, (_, detail) in answers.items()}
    text = "; ".join(f"{name}: {detail}" for name, detail in shown.items())
    return Evidence(Verdict.REFUTED, f"counterexample to {text}", {"counterexamples": shown})
