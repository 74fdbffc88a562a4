"""False neighbours of true steps: a checker that proves one of them is worth nothing."""

from __future__ import annotations

import dataclasses
from typing import Any

import sympy as sp

from bounds.proofs.chain import check_step
from bounds.proofs.model import Chain, Checked, Outcome, Step
from bounds.proofs.rules import Smt

MUTANT_MILLISECONDS = 2_000  # a solver that gives up has not proved: short is enough


def strengthened(statement: Any, unit: int = 1) -> Any | None:
    """A claim that says one unit more: l <= r becomes l + 1 <= r, l = r becomes l = r + 1."""
    if isinstance(statement, sp.And):
        first = strengthened(statement.args[0], unit)
        return None if first is None else sp.And(first, *statement.args[1:])
    if isinstance(statement, sp.Eq):
        return sp.Eq(statement.lhs, statement.rhs + unit)
    if isinstance(statement, sp.Le | sp.Lt):
        return statement.func(statement.lhs + unit, statement.rhs)
    if isinstance(statement, sp.Ge | sp.Gt):
        return statement.func(statement.lhs - unit, statement.rhs)
    return None


def mutants(chain: Chain, only: tuple[str, ...] = ()) -> dict[str, Checked]:
    """Step -> the checker's answer to its strengthened statement, for the proved steps (or the named ones).

    A step with more slack than one unit is strengthened by ten: what is asked for is a false neighbour.
    """
    answers: dict[str, Checked] = {}
    for step in chain.steps:
        if step.expect is not Outcome.PROVED or (only and step.name not in only):
            continue
        for unit in (1, 10):
            statement = strengthened(step.statement, unit)
            if statement is None or statement in (sp.true, sp.false):
                break
            rule = Smt(MUTANT_MILLISECONDS) if isinstance(step.rule, Smt) else step.rule
            answers[step.name] = check_step(dataclasses.replace(step, statement=statement, rule=rule), chain)
            if answers[step.name].outcome is not Outcome.PROVED:
                break
    return answers


def killed(answers: dict[str, Checked]) -> int:
    """How many false neighbours were not proved."""
    return sum(answer.outcome is not Outcome.PROVED for answer in answers.values())


def describe(step: Step) -> str:
    """One line for a reader: what, why, by which checker."""
    note = f" [{step.erratum}]" if step.erratum else ""
    wrong = " -- refuted" if step.expect is Outcome.REFUTED else ""
    return f"{step.name}{note}: {sp.sstr(step.statement)} ({step.because}; {step.rule.kind}){wrong}"
