"""False neighbours of true steps: a checker that proves one of them is worth nothing."""

from __future__ import annotations

import dataclasses
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from bounds.proofs.engine.chain import check_step
from bounds.proofs.engine.model import Chain, Checked, Decision, Step
from bounds.proofs.engine.rules import Smt, Summation

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


def strengthened_sums(step: Step, chain: Chain) -> list[Step]:
    """Summations that claim something else term by term, and the sum of it: they stay sums, only false ones.

    The term gains, or loses, a multiple of something whose total has a name (1 if it has, else what the term is
    about), so the checker has to refute the term: a statement changed alone would only fail to be the sum. Gain and
    loss cannot both be true of a term that is tight or has a sign, so one of them must be rejected.
    """
    rule = step.rule
    assert isinstance(rule, Summation)
    term, statement = rule.term, step.statement
    if type(term) is not type(statement) or not isinstance(term, Relational):
        return []
    entries = [e for e in chain.totals.get(rule.index, ()) if e.term.free_symbols <= term.free_symbols]
    entries = sorted(entries, key=lambda e: len(e.term.free_symbols))[:2]
    sign = -1 if isinstance(term, sp.Ge | sp.Gt) else 1
    found = []
    for entry in entries:
        for factor in (sign, -sign, 10 * sign, -10 * sign):
            claim = statement.func(statement.lhs + factor * entry.value, statement.rhs)
            each = term.func(term.lhs + factor * entry.term, term.rhs)
            if isinstance(claim, Relational) and isinstance(each, Relational):
                changed = dataclasses.replace(rule, term=each, milliseconds=MUTANT_MILLISECONDS)
                found.append(dataclasses.replace(step, statement=claim, rule=changed))
    return found


def false_neighbours(step: Step, chain: Chain) -> list[Step]:
    """What is tried in place of a step, in order; slack larger than a unit is met by a larger unit."""
    if isinstance(step.rule, Summation):
        return strengthened_sums(step, chain)
    claims = [strengthened(step.statement, unit) for unit in (1, 10, 1000)]
    rule = Smt(MUTANT_MILLISECONDS) if isinstance(step.rule, Smt) else step.rule
    return [
        dataclasses.replace(step, statement=claim, rule=rule)
        for claim in claims
        if claim is not None and claim not in (sp.true, sp.false)
    ]


def mutants(chain: Chain, only: tuple[str, ...] = ()) -> dict[str, Checked]:
    """Step -> the checker's answer to the first false neighbour it does not prove, for the proved (or named) steps.

    Of a sum a neighbour with a counterexample is preferred: the rule can give one.
    """
    answers: dict[str, Checked] = {}
    for step in chain.steps:
        if step.expect is not Decision.PROVED or (only and step.name not in only):
            continue
        for mutant in false_neighbours(step, chain):
            answer = check_step(mutant, chain)
            if step.name not in answers or answers[step.name].decision is Decision.PROVED:
                answers[step.name] = answer
            if answer.decision is Decision.REFUTED:
                answers[step.name] = answer
                break
            if answer.decision is not Decision.PROVED and not isinstance(step.rule, Summation):
                break
    return answers


def killed(answers: dict[str, Checked]) -> int:
    """How many false neighbours were not proved."""
    return sum(answer.decision is not Decision.PROVED for answer in answers.values())


def refuted(answers: dict[str, Checked]) -> int:
    """How many were rejected with a counterexample; the others were only not provable."""
    return sum(answer.decision is Decision.REFUTED for answer in answers.values())


def describe(step: Step) -> str:
    """One line for a reader: what, why, by which checker."""
    note = f" [{step.erratum}]" if step.erratum else ""
    wrong = " -- refuted" if step.expect is Decision.REFUTED else ""
    return f"{step.name}{note}: {sp.sstr(step.statement)} ({step.because}; {step.rule.kind}){wrong}"
