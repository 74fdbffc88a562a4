"""A certificate rule: the step is a sum of earlier inequalities, each times something non-negative.

Where a solver would search, the multipliers are given and only an identity is left, which any algebra
system can recheck.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sympy as sp
from sympy.core.relational import Equality, GreaterThan, LessThan, StrictGreaterThan, StrictLessThan

from bounds.proofs.engine.model import Chain, Checked, Outcome, Step
from bounds.proofs.engine.smt import MILLISECONDS, decide


@dataclass(frozen=True)
class Combination:
    """slack of the step = sum of multiplier * slack of a fact + remainder, multipliers and remainder >= 0.

    use: (fact, multiplier) pairs, each fact a single relation. Equalities may have any multiplier.
    What is not a non-negative number is shown >= 0 by the solver.
    """

    use: tuple[tuple[str, Any], ...]
    remainder: Any = 0
    milliseconds: int = MILLISECONDS
    kind: str = "combination"

    def check(self, step: Step, facts: Mapping[str, Any], chain: Chain) -> Checked:
        goal = _slack(step.statement)
        if goal is None or isinstance(step.statement, StrictLessThan | StrictGreaterThan):
            return Checked(Outcome.INCONCLUSIVE, f"not one weak inequality: {step.statement}")
        total: Any = sp.sympify(self.remainder)
        needed = [total]
        for name, multiplier in self.use:
            slack = _slack(facts.get(name))
            if slack is None:
                return Checked(Outcome.INCONCLUSIVE, f"{name} is not a single relation among the assumptions")
            total += multiplier * slack
            if not isinstance(facts[name], Equality):
                needed.append(sp.sympify(multiplier))
                continue
            below = sp.fraction(sp.together(sp.sympify(multiplier)))[1]
            if not below.is_number:  # an equation may be multiplied by anything that exists
                shown = decide(sp.Ne(below, 0), facts.values(), self.milliseconds)
                if shown.outcome is not Outcome.PROVED:
                    return Checked(Outcome.INCONCLUSIVE, f"{below} may be 0", shown.model, shown.smt2)
        if sp.expand(sp.together(goal - total)) != 0:
            left = sp.simplify(goal - total)
            return Checked(Outcome.INCONCLUSIVE, f"the combination misses the step by {left}")
        texts: list[str] = []
        for expression in needed:
            if expression.is_number and expression >= 0:
                continue
            shown = decide(sp.Ge(expression, 0), facts.values(), self.milliseconds)
            if shown.outcome is not Outcome.PROVED:
                return Checked(
                    Outcome.INCONCLUSIVE, f"{expression} >= 0: {shown.detail}", shown.model, shown.smt2
                )
            texts.extend(shown.smt2)
        return Checked(Outcome.PROVED, "a non-negative combination of what is assumed", smt2=tuple(texts))


def _slack(relation: Any) -> Any:
    """What the relation says is non-negative (zero for an equation)."""
    if isinstance(relation, LessThan | StrictLessThan):
        return relation.rhs - relation.lhs
    if isinstance(relation, GreaterThan | StrictGreaterThan | Equality):
        return relation.lhs - relation.rhs
    return None
