"""Finding the barrier instance: for a fixed greedy pattern the worst case is a second-order cone program.

The risk sum_a (d^l_a)^2/V^{l-1}_a is jointly convex in (d, V) and V is affine in the estimates.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

# Greedy arms of epochs 2..10: arm 0 is best, arm 1 is greedy in the last epoch, arm 2 in the one before. Longer
# chains of the same kind gain less than 4e-5 in C*/g; without the returns to arm 0 it is 9e-4 less.
PATTERN = (0, 6, 5, 0, 4, 3, 0, 2, 1)


def worst_case(
    multiplier: float, ratio: float = 1.0, pattern: Sequence[int] = PATTERN
) -> tuple[float, list[float], list[list[float]]]:
    """(C*, regrets, estimates) in units of K/gamma_L, K large: the last greedy arm has the largest regret."""
    import cvxpy as cp
    import numpy as np

    arms, epochs = max(*pattern, 0) + 1, len(pattern) + 1
    regret = cp.Variable(arms, nonneg=True)
    errors = [cp.Variable(arms) for _ in pattern]
    constraints: list[Any] = [regret[0] == 0]
    room: list[Any] = [1.0] * arms  # V^{l-1}/K, one in the first epoch
    for index, best in enumerate(pattern):
        unit = ratio ** (epochs - 2 - index)
        estimate = errors[index] - regret
        gaps = [unit * (estimate[best] - estimate[a]) for a in range(arms)]
        constraints += [gap >= 0 for a, gap in enumerate(gaps) if a != best]
        greedy_before = pattern[index - 1] if index else -1
        cost: Any = 0
        for a in range(arms):
            if a == greedy_before:
                constraints.append(errors[index][a] == 0)
            else:
                cost = cost + cp.quad_over_lin(unit * errors[index][a], room[a])
        constraints.append(cost <= multiplier**2)
        room = [1 + gap for gap in gaps]
    problem = cp.Problem(cp.Maximize(regret[pattern[-1]]), constraints)
    problem.solve(solver=cp.CLARABEL)
    if problem.status != cp.OPTIMAL:
        raise RuntimeError(f"the cone program ended with status {problem.status}")
    values = [float(x) for x in np.asarray(regret.value)]
    rows = [[float(e) - r for e, r in zip(np.asarray(error.value), values, strict=True)] for error in errors]
    return 1 + values[pattern[-1]], values, rows
