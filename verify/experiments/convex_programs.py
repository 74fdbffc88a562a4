"""Compute fixed points of local methods (FedAvg, FedProx) by solving convex programs with cvxpy, without a closed
formula.

A program solved once is accurate to about 5e-12. So it is solved four times: first for the solution, then three times
for the remaining error, scaled up to size 1. Only rounding errors are left.
"""

import numpy as np

PASSES = 4


def weighted_projection(
    weights: np.ndarray, forms: np.ndarray, centres: np.ndarray, shared: int
) -> np.ndarray:
    """Return the x (M, d) that minimises sum_m p_m (x_m - centre_m)' form_m (x_m - centre_m) over the agents m, with
    weights p (M,), forms (M, d, d) and centres (M, d). The first `shared` coordinates of x_m must be the same for all
    agents."""
    found, unit = np.zeros_like(centres), max(1.0, float(np.abs(centres).max()))
    for _ in range(PASSES):
        move = _program(weights, forms, (centres - found) / unit, shared)
        found = found + unit * move
        unit = max(unit * float(np.abs(move).max()), 1e-15)
    return found


def _program(weights: np.ndarray, forms: np.ndarray, away: np.ndarray, shared: int) -> np.ndarray:
    # it is given sum_m p_m (x_m' form_m x_m/2 - pull_m'x_m), pull_m = form_m away_m; the constant term is left out,
    # and the pulls on shared coordinates are added up beforehand: both would cause rounding errors
    import cvxpy

    agents, size = away.shape
    scaled = weights[:, None, None] * forms
    scaled = scaled / np.abs(scaled).max()
    pulls = (scaled @ away[..., None])[..., 0]
    common = [cvxpy.Variable(shared)] if shared else []
    own = [[cvxpy.Variable(size - shared)] if size > shared else [] for _ in range(agents)]
    points = [cvxpy.hstack([*common, *own[m]]) for m in range(agents)]
    loss = sum(cvxpy.quad_form(points[m], cvxpy.psd_wrap(scaled[m])) / 2 for m in range(agents))
    for variable in common:
        loss = loss - pulls[:, :shared].sum(axis=0) @ variable
    for m in range(agents):
        for variable in own[m]:
            loss = loss - pulls[m, shared:] @ variable
    cvxpy.Problem(cvxpy.Minimize(loss)).solve(solver=cvxpy.CLARABEL)
    return np.array([point.value for point in points])
