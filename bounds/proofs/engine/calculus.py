"""Convexity on a line: below the chords, above the tangents. This is where exp and log enter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sympy as sp

from bounds.proofs.engine.model import Chain, Checked, Decision, Step
from bounds.proofs.engine.smt import decide

THETA = sp.Symbol("!theta", real=True)  # a name that no chain has


@dataclass(frozen=True)
class Tangent:
    """left - right is convex in `variable` and vanishes with its derivative at `at`: so left >= right.

    curvature: the second derivative, as a product of factors that are visibly non-negative.
    """

    variable: sp.Symbol
    at: Any
    curvature: tuple[Any, ...]
    kind: str = "calculus"

    def check(self, step: Step, facts: Mapping[str, Any], chain: Chain) -> Checked:
        claim = step.statement
        if not isinstance(claim, sp.Ge | sp.Le):
            return Checked(Decision.INCONCLUSIVE, "a tangent bounds from below: state it with >= or <=")
        bigger, smaller = (claim.lhs, claim.rhs) if isinstance(claim, sp.Ge) else (claim.rhs, claim.lhs)
        difference = bigger - smaller
        slope = sp.diff(difference, self.variable)
        for what, value in (("value", difference), ("slope", slope)):
            there = sp.simplify(value.subs(self.variable, self.at))
            if there != 0:
                return Checked(Decision.INCONCLUSIVE, f"the {what} at {self.at} is {there}, not 0")
        segment = self.at + THETA * (self.variable - self.at)
        undefined = _undefined(difference, facts, self.variable, segment)
        return undefined or _curved(
            sp.diff(slope, self.variable), self.curvature, facts, self.variable, segment
        )


@dataclass(frozen=True)
class Chord:
    """left - right is convex in `variable` and vanishes at low and high: so left <= right between them."""

    variable: sp.Symbol
    low: Any
    high: Any
    curvature: tuple[Any, ...]
    kind: str = "calculus"

    def check(self, step: Step, facts: Mapping[str, Any], chain: Chain) -> Checked:
        claim = step.statement
        if not isinstance(claim, sp.Le):
            return Checked(Decision.INCONCLUSIVE, "a chord bounds from above: state it with <=")
        difference = claim.lhs - claim.rhs
        between = decide(sp.And(self.variable >= self.low, self.variable <= self.high), facts.values())
        if between.decision is not Decision.PROVED:
            return Checked(
                Decision.INCONCLUSIVE, f"{self.variable} is not shown to lie between the ends", between.model
            )
        for end in (self.low, self.high):
            there = sp.simplify(difference.subs(self.variable, end))
            if there != 0:
                return Checked(Decision.INCONCLUSIVE, f"the difference at {end} is {there}, not 0")
        segment = self.low + THETA * (self.high - self.low)
        undefined = _undefined(difference, facts, self.variable, segment)
        return undefined or _curved(
            sp.diff(difference, self.variable, 2), self.curvature, facts, self.variable, segment
        )


def _undefined(
    difference: Any, facts: Mapping[str, Any], variable: sp.Symbol, segment: Any
) -> Checked | None:
    """Convexity is about a whole segment: every logarithm, root and denominator must be defined all along it, also
    inside an exponential, and the function must have derivatives there (no pieces, maxima or absolute values)."""
    moving = [part for part in sp.preorder_traversal(difference) if variable in part.free_symbols]
    for part in moving:
        if not isinstance(part, sp.Symbol | sp.Add | sp.Mul | sp.Pow | sp.exp | sp.log):
            return Checked(Decision.INCONCLUSIVE, f"{part} is not known to have derivatives")
    inside = [part.args[0] for part in moving if isinstance(part, sp.exp | sp.log)]
    denominators = [sp.fraction(sp.together(part))[1] for part in (difference, *inside)]
    logarithms = [part.args[0] for part in moving if isinstance(part, sp.log)]
    roots = [
        part.base
        for part in moving
        if part.is_Pow and not part.exp.is_integer and not isinstance(part, sp.exp)
    ]
    for needed in (*logarithms, *roots, *denominators):
        if variable not in needed.free_symbols:
            continue
        shown = decide(sp.Gt(needed.subs(variable, segment), 0), [*facts.values(), THETA >= 0, THETA <= 1])
        if shown.decision is not Decision.PROVED:
            return Checked(
                Decision.INCONCLUSIVE, f"{needed} is not shown positive along the segment", shown.model
            )
    return None


def _curved(
    second: Any, factors: tuple[Any, ...], facts: Mapping[str, Any], variable: sp.Symbol, segment: Any
) -> Checked:
    """The second derivative is the product of the factors, each non-negative all along the segment."""
    if sp.simplify(second - sp.Mul(*factors)) != 0:
        return Checked(Decision.INCONCLUSIVE, f"the second derivative is {sp.simplify(second)}")
    for factor in factors:
        if isinstance(factor, sp.exp) or (factor.is_Pow and factor.exp.is_even and factor.base.is_real):
            continue
        along = sp.Ge(factor, 0).subs(variable, segment)
        shown = decide(along, [*facts.values(), THETA >= 0, THETA <= 1])
        if shown.decision is not Decision.PROVED:
            return Checked(
                Decision.INCONCLUSIVE, f"the factor {factor} is not shown non-negative", shown.model
            )
    return Checked(Decision.PROVED, "convex: " + " * ".join(map(str, factors)) + " >= 0")
