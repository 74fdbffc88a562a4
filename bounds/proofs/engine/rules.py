"""The rules by which a step may follow: each is a small frozen value with one method, check."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import sympy as sp
from sympy.core.relational import Equality, GreaterThan, LessThan, Relational

from bounds.proofs.engine.indices import varying
from bounds.proofs.engine.model import Chain, Checked, Decision, Step, moved
from bounds.proofs.engine.smt import MILLISECONDS, decide


@dataclass(frozen=True)
class Smt:
    """The step holds for all reals that satisfy its assumptions (z3)."""

    milliseconds: int = MILLISECONDS
    kind: str = "smt"

    def check(self, step: Step, facts: Mapping[str, Any], chain: Chain) -> Checked:
        return decide(step.statement, facts.values(), self.milliseconds)


@dataclass(frozen=True)
class Identity:
    """Left equals right after substituting the assumed definitions `symbol == expression` (sympy)."""

    kind: str = "identity"

    def check(self, step: Step, facts: Mapping[str, Any], chain: Chain) -> Checked:
        if not isinstance(step.statement, Equality):
            return Checked(Decision.INCONCLUSIVE, f"not an equation: {step.statement}")
        definitions = {
            f.lhs: f.rhs
            for f in _conjuncts(facts.values())
            if isinstance(f, Equality) and isinstance(f.lhs, sp.Symbol) and f.lhs not in f.rhs.free_symbols
        }
        difference = step.statement.lhs - step.statement.rhs
        for _ in range(len(definitions) + 1):
            difference = moved(difference, definitions)
        if is_zero(difference):
            return Checked(Decision.PROVED, "the difference is identically zero")
        # A polynomial that is not zero differs from zero at some small rational point.
        symbols = sorted(difference.free_symbols, key=str)
        for shift in range(1, 4):
            point = {s: sp.Rational(2 * i + shift, i + 2) for i, s in enumerate(symbols)}
            value = difference.subs(point)
            if value.is_number and value.is_finite and not value.equals(0):
                shown = {str(s): str(v) for s, v in point.items()}
                return Checked(Decision.REFUTED, f"left minus right is {sp.nsimplify(value)}", shown)
        return Checked(Decision.INCONCLUSIVE, f"cannot decide whether {difference} is zero")


@dataclass(frozen=True)
class Summation:
    """The term inequality, for every member of the index, summed with non-negative weights.

    The sum of each term is looked up in the chain's totals; a coefficient may not vary along the index.
    """

    index: str
    term: Any
    milliseconds: int = MILLISECONDS
    kind: str = "termwise"

    def check(self, step: Step, facts: Mapping[str, Any], chain: Chain) -> Checked:
        if self.index not in chain.totals:
            return Checked(Decision.INCONCLUSIVE, f"no totals for the index {self.index}")
        if not isinstance(self.term, LessThan | GreaterThan | Equality):
            # an empty sum, or weights 0, make a strict inequality false; x != 0 does not add up at all
            return Checked(Decision.INCONCLUSIVE, f"{self.term} does not add up: only <=, >= and = do")
        termwise = decide(self.term, facts.values(), self.milliseconds)
        if termwise.decision is not Decision.PROVED:
            return Checked(termwise.decision, f"term: {termwise.detail}", termwise.model, termwise.smt2)
        if type(self.term) is not type(step.statement):
            return Checked(Decision.INCONCLUSIVE, "the term and the sum are different relations")
        moving = varying(chain, self.index, [h for h in chain.hypotheses if h.name in facts])
        try:
            summed = sum_of(self.term.lhs - self.term.rhs, chain, self.index, moving)
        except ValueError as reason:
            return Checked(Decision.INCONCLUSIVE, str(reason), smt2=termwise.smt2)
        stated = step.statement.lhs - step.statement.rhs
        if not is_zero(summed - stated):
            return Checked(
                Decision.INCONCLUSIVE, f"the terms sum to {summed}, not to {stated}", smt2=termwise.smt2
            )
        return Checked(
            Decision.PROVED, f"term by term, then summed over every {self.index}", smt2=termwise.smt2
        )


def sum_of(difference: Any, chain: Chain, index: str, moving: set[sp.Symbol]) -> Any:
    """Replace each term by its total; what is left of a summand must not vary along the index."""
    total = sp.Integer(0)
    for summand in sp.Add.make_args(sp.expand(difference)):
        factors = sp.Mul.make_args(summand)
        varying = sp.Mul(*[f for f in factors if f.free_symbols & moving])
        constant = sp.Mul(*[f for f in factors if not f.free_symbols & moving])
        for entry in chain.totals[index]:
            if entry.term.free_symbols & moving != varying.free_symbols & moving:
                continue  # their ratio would vary
            ratio = sp.S.One if varying == entry.term else sp.cancel(varying / entry.term)
            if not ratio.free_symbols & moving and (varying != 1 or entry.term == 1):
                total += constant * ratio * entry.value
                break
        else:
            raise ValueError(
                f"no total over {index} for the term {varying}, or it is not constant along {index}"
            )
    return total


@dataclass(frozen=True)
class Supremum:
    """An upper bound, free of the index, of every member bounds the supremum. `bound` names that result."""

    symbol: sp.Symbol
    kind: str = "supremum"

    def check(self, step: Step, facts: Mapping[str, Any], chain: Chain) -> Checked:
        if self.symbol not in chain.suprema:
            return Checked(Decision.INCONCLUSIVE, f"{self.symbol} is not a supremum of this chain")
        index, term = chain.suprema[self.symbol]
        moving = varying(chain, index, ())
        claim = step.statement
        if not isinstance(claim, LessThan) or claim.lhs != self.symbol or claim.rhs.free_symbols & moving:
            return Checked(
                Decision.INCONCLUSIVE, f"not of the form {self.symbol} <= something free of {index}"
            )
        pointwise = decide(sp.Le(term, claim.rhs), facts.values())
        return Checked(
            pointwise.decision, f"for every {index}: {pointwise.detail}", pointwise.model, pointwise.smt2
        )


@dataclass(frozen=True)
class Induction:
    """From the first case and the step (which assumes the induction hypothesis), every case.

    later renames the symbols of the induction hypothesis to those of the next case, first to the base.
    """

    hypothesis: str
    base: str
    step: str
    later: Mapping[sp.Symbol, Any] = field(default_factory=dict)
    first: Mapping[sp.Symbol, Any] = field(default_factory=dict)
    kind: str = "induction"

    def check(self, step: Step, facts: Mapping[str, Any], chain: Chain) -> Checked:
        assumed = next(h for h in chain.hypotheses if h.name == self.hypothesis).statement
        wanted = {
            f"the next case ({self.step})": (
                moved(assumed, self.later),
                facts.get(self.step),
            ),
            f"the first case ({self.base})": (
                moved(assumed, self.first),
                facts.get(self.base),
            ),
            "the conclusion": (moved(assumed, self.later), step.statement),
        }
        for what, (expected, given) in wanted.items():
            if given is None or not same(expected, given):
                return Checked(Decision.INCONCLUSIVE, f"{what} should read {expected}, reads {given}")
        return Checked(Decision.PROVED, f"{self.base} starts it, {self.step} carries it on")


@dataclass(frozen=True)
class Discharge:
    """What `step` drew from an induction hypothesis holds outright once `induction` has every case."""

    hypothesis: str
    induction: str
    step: str
    kind: str = "induction"

    def check(self, step: Step, facts: Mapping[str, Any], chain: Chain) -> Checked:
        shown = next((s.rule for s in chain.steps if s.name == self.induction), None)
        if (
            not isinstance(shown, Induction)
            or shown.hypothesis != self.hypothesis
            or self.induction not in facts
        ):
            return Checked(
                Decision.INCONCLUSIVE, f"{self.induction} does not show every case of {self.hypothesis}"
            )
        if self.step not in facts or not same(facts[self.step], step.statement):
            return Checked(Decision.INCONCLUSIVE, f"{self.step} states something else")
        return Checked(
            Decision.PROVED, f"{self.induction} gives the hypothesis of {self.step} in every epoch"
        )


@dataclass(frozen=True)
class Cases:
    """The same conclusion in every branch, and the branches (case hypothesis -> step) leave nothing out."""

    branches: Mapping[str, str]
    kind: str = "cases"

    def check(self, step: Step, facts: Mapping[str, Any], chain: Chain) -> Checked:
        for branch in self.branches.values():
            if branch not in facts or not same(facts[branch], step.statement):
                return Checked(Decision.INCONCLUSIVE, f"{branch} states something else")
        cases = [h.statement for h in chain.hypotheses if h.name in self.branches]
        others = [f for name, f in facts.items() if name not in self.branches.values()]
        covered = decide(sp.Or(*cases), others)
        return Checked(
            covered.decision, f"the cases cover everything: {covered.detail}", covered.model, covered.smt2
        )


def same(left: Any, right: Any) -> bool:
    """The same relation up to algebra: equal sides after moving everything to the left."""
    if left == right:
        return True
    if not (isinstance(left, Relational) and isinstance(right, Relational)):
        return bool(left == right)
    if isinstance(left, GreaterThan):
        left = sp.Le(left.rhs, left.lhs)
    if isinstance(right, GreaterThan):
        right = sp.Le(right.rhs, right.lhs)
    difference = (left.lhs - left.rhs) - (right.lhs - right.rhs)
    return type(left) is type(right) and is_zero(difference)


def is_zero(expression: Any) -> bool:
    """Identically zero; expanding is enough for polynomials, and quicker than simplifying."""
    expanded = sp.expand(expression)
    return bool(expanded == 0 or sp.simplify(expanded) == 0)


def _conjuncts(facts: Any) -> list[Any]:
    return [part for f in facts for part in (f.args if isinstance(f, sp.And) else (f,))]
