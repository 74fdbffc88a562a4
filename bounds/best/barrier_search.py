"""Finding the barrier instance: for a fixed greedy pattern the worst case is a second-order cone program.

The risk sum_a (d^l_a)^2/V^{l-1}_a is jointly convex in (d, V) and V is affine in the estimates.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from bounds.best.barrier import Barrier

# Greedy arms of epochs 2..9: arm 0 is best, arm 1 is greedy in the last epoch, arm 2 in the one before.
PATTERN = (7, 6, 5, 4, 3, 0, 2, 1)


def worst_case(
    multiplier: float, ratio: float = 1.0, pattern: Sequence[int] = PATTERN
) -> tuple[float, list[float], list[list[float]]]:
    """(C*, regrets, estimates) in units of K/gamma_L as K grows: maximise the regret of the last greedy arm."""
    import cvxpy as cp

    arms, epochs = max(*pattern, 0) + 1, len(pattern) + 1
    regret = cp.Variable(arms, nonneg=True)
    errors = [cp.Variable(arms) for _ in pattern]
    constraints = [regret[0] == 0]
    gaps: list[object] = [None] * len(pattern)
    for index, best in enumerate(pattern):
        unit = ratio ** (epochs - 2 - index)
        estimate = errors[index] - regret
        gaps[index] = [unit * (estimate[best] - estimate[a]) for a in range(arms)]
        constraints += [gap >= 0 for a, gap in enumerate(gaps[index]) if a != best]  # type:
        ignore[attr-defined, arg-type]
        before = gaps[index - 1] if index else None
        cost = 0
        for a in range(arms):
            if index and pattern[index - 1] == a:
                constraints.append(errors[index][a] == 0)
            else:
                room = 1 + before[a] if before else 1.0  # type: ignore[index]
                cost += cp.quad_over_lin(unit * errors[index][a], room)
        constraints.append(cost <= multiplier**2)
    problem = cp.Problem(cp.Maximize(regret[pattern[-1]]), constraints)
    problem.solve(solver=cp.CLARABEL)
    if problem.status not in (cp.OPTIMAL, cp.OPTIMAL_INACCURATE):
        raise RuntimeError(f"the cone program ended with status {problem.status}")
    values = [float(x) for x in regret.value]
    rows = [[float(e) - r for e, r in zip(error.value, values, strict=True)] for error in errors]
    return 1 + values[pattern[-1]], values, rows


def rational_instance(multiplier: Fraction, ratio: Fraction = Fraction(1), digits: int = 8) -> Barrier:
    """Round the solution to decimals, a little inside the constraints, with a clear greedy arm in every epoch."""
    _, regrets, rows = worst_case(float(multiplier), float(ratio))
    unit, shrink = 10**digits, 1 - Fraction(1, 10**6)

    def decimal(value: float) -> Fraction:
        return Fraction(math.floor(value * float(shrink) * unit), unit)

    kept = [max(decimal(r), Fraction(0)) for r in regrets]
    kept[0] = Fraction(0)
    table = []
    for index, row in enumerate(rows):
        best = PATTERN[index]
        cells = [decimal(x) for x in row]
        if index:  # no error where the epoch before was greedy
            cells[PATTERN[index - 1]] = -kept[PATTERN[index - 1]]
        top = max(cells[a] for a in range(len(cells)) if a != best)
        cells[best] = max(cells[best], top + Fraction(1, unit))
        table.append(tuple(cells))
    return Barrier(multiplier, ratio, Fraction(10**12), tuple(kept), tuple(table))
