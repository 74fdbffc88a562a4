"""Fixed points of local methods as convex programs, given to cvxpy: a path that shares no formula with the closed ones.

A solver stops at a tolerance of its own (one pass came within 5e-12 on a dozen problems), so the program is solved
again for what is left, in units of that remainder, until rounding is reached.
"""

import numpy as np

PASSES = 4


def weighted_projection(
    weights: np.ndarray, forms: np.ndarray, centres: np.ndarray, shared: int
) -> np.ndarray:
    """(M, d): argmin of sum_m p_m norm(x_m - centre_m)^2_{form_m} over x whose first `shared` coordinates agree."""
    found, unit = np.zeros_like(centres), max(1.0, float(np.abs(centres).max()))
    for _ in range(PASSES):
        move = _program(weights, forms, (centres - found) / unit, shared)
        found = found + unit * move
        unit = max(unit * float(np.abs(move).max()), 1e-15)
    return found


def _program(weights: np.ndarray, forms: np.ndarray, away: np.ndarray, shared: int) -> np.ndarray:
    """One program. Its objective is sum p_m (x_m'form_m x_m/2 - pull_m'x_m), pull_m = form_m away_m: the term that is
    the same for all x would hide the rest, and so would pulls of the agents that cancel, so these are added first."""
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
