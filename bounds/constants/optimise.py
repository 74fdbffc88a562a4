"""The best splits of an induction: a geometric program, a certified lower bound, rational splits.

In the logarithms of (s, t, A1, A2, beta, alpha) every condition of `structures` is a posynomial inequality,
so the program is convex and its optimum global. The certificate does not trust the solver: a box is
discarded only when an exact lower bound over it exceeds the target.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from bounds.constants.structures import Closed, Diverges, Structure, solve


@dataclass(frozen=True)
class Optimum:
    """The solver's answer: splits, multiplier and C/g."""

    s: float
    t: float
    g: float
    over_g: float


def geometric_program(structure: Structure, c: float, q: float) -> Optimum:
    """Minimise C/g over s, t, g by cvxpy's geometric programming (CLARABEL)."""
    import cvxpy as cp
    import numpy as np

    c_a, c_K, c_E = structure.factors(float(c))
    v = structure.risk_count
    names = ("s", "t", "A1", "A2", "beta_K", "beta_E", "alpha_K", "alpha_E", "g")
    s, t, A1, A2, beta_K, beta_E, alpha_K, alpha_E, g = (cp.Variable(pos=True, name=name) for name in names)
    arms, risk = 2 * t + 2 * c_K * t * beta_K, v * c / (4 * t) + 2 * c_E * t * beta_E
    if structure.both_directions:
        arms += c_a * t * A2 * alpha_K
        risk += c_a * t * A2 * alpha_E
    constraints = [
        1 + c_a * t * A2 <= A2,
        c_a * t * A2 <= 1,
        1 + c_a * s * A2 * A1 <= A1,
        arms <= beta_K,
        risk <= beta_E,
        A1 * (2 * s + 2 * c_K * s * beta_K) <= alpha_K,
        A1 * (v * c / (4 * s) + 2 * c_E * s * beta_E) <= alpha_E,
    ]
    problem = cp.Problem(cp.Minimize((A1 * q + alpha_K) / g + alpha_E * g), constraints)
    problem.solve(gp=True, solver=cp.CLARABEL)
    if problem.status != cp.OPTIMAL:
        raise RuntimeError(f"the geometric program ended with status {problem.status}")
    at = [float(np.asarray(x.value)) for x in (s, t, g)]
    return Optimum(at[0], at[1], at[2], float(np.asarray(problem.value)))


def rational_splits(
    structure: Structure, c: Fraction, q: Fraction, denominator: int = 200
) -> tuple[Closed, Fraction]:
    """Rational splits near the optimum, their induction (exact, it closes) and a rational multiplier g."""
    found = geometric_program(structure, float(c), float(q))
    s = Fraction(found.s * float(c)).limit_denominator(denominator) / c
    t = Fraction(found.t * float(c)).limit_denominator(denominator) / c
    closed = solve(structure, c, s, t)
    if not closed.closes():
        raise RuntimeError(f"the rounded splits s = {s}, t = {t} do not close the induction")
    return closed, Fraction(math.sqrt(closed.best_multiplier_squared(q))).limit_denominator(denominator)


@dataclass(frozen=True)
class Certificate:
    """Proved: C/g >= lower for every split and multiplier of the structure; how many boxes showed it."""

    lower: Fraction
    boxes: int


def certify_lower_bound(
    structure: Structure, c: Fraction, q: Fraction, target: Fraction, most_boxes: int = 200_000
) -> Certificate:
    """Exact branch and bound over (s, t): no split makes C/g smaller than target."""
    # 1 - c_a s A2 > 0 and A2 >= 1 need s < 1/c_a; convergence needs t < 1/(2 c_K) and t < 1/(2 c_E).
    c_a, c_K, c_E = structure.factors(c)
    boxes = [(Fraction(0), 1 / c_a, Fraction(0), 1 / (2 * max(c_K, c_E)))]
    seen = 0
    while boxes:
        s0, s1, t0, t1 = boxes.pop()
        seen += 1
        if seen > most_boxes:
            raise RuntimeError(f"no certificate for {float(target)} within {most_boxes} boxes")
        try:
            if solve(structure, c, s0, t0, s_over=s1, t_over=t1).over_g_squared(q) >= target**2:
                continue
        except Diverges:
            continue  # every split of the box is larger still
        if (s1 - s0) * c_a >= (t1 - t0) * 2 * max(c_K, c_E):
            middle = (s0 + s1) / 2
            boxes += [(s0, middle, t0, t1), (middle, s1, t0, t1)]
        else:
            middle = (t0 + t1) / 2
            boxes += [(s0, s1, t0, middle), (s0, s1, middle, t1)]
    return Certificate(target, seen)
