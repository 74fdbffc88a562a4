"""app:unequal_work. If agents take different numbers of local steps, FedAvg converges to the minimiser of another
objective.

Agent m has the weight p_m, a quadratic loss f_m, and takes K_m full local gradient steps of size eta. As eta tends to
0, the fixed point tends to the minimiser of sum_m p_m K_m f_m, not of F = sum_m p_m f_m. Example: two agents with
weights 1/2, curvature 1, minimisers 0 and 1 and K = (1, 9) have the limit 0.9; the minimiser of F is 0.5.

Proof. With Q_m = I - (I - eta H_m)^{K_m} = eta K_m H_m + O(eta^2), H_m the Hessian and w_m the minimiser of f_m, the
fixed point is (sum_m p_m Q_m)^{-1} sum_m p_m Q_m w_m.
"""

from fractions import Fraction

import numpy as np

from verify.claim import Claim, Evidence, Task, Variant, Verdict
from verify.experiments import local_methods as methods

claim = Claim(
    title="Unequal local work biases FedAvg",
    section="Federated learning",
    tags=("optimisation", "fl"),
    depends=("app:local_operator",),
    variants={
        "limit": Variant(
            r"x_\infty \to \mathrm{argmin}\,\sum_m p_mK_mf_m,\ \eta \to 0",
            ("quadratic losses, K_m full local gradient steps",),
            Verdict.FLOAT,
        )
    },
)


@claim.check("limit", control=dict(limit=Fraction(1, 2)))
def witness(task: Task, limit: Fraction = Fraction(9, 10)) -> Evidence:
    """Check that FedAvg's fixed point in an example of two agents with 1 and 9 local steps is within 4 eta of its limit
    9/10, for step sizes eta = 1/10, ..., 1/10^6, in rationals. Negative control, which must fail: the limit 1/2."""
    found = []
    for power in range(1, 7):
        eta = Fraction(1, 10**power)
        removed = [1 - (1 - eta) ** k for k in (1, 9)]
        found.append((eta, removed[1] / (removed[0] + removed[1])))
    closing = all(abs(point - limit) <= 4 * eta for eta, point in found)
    shown = ", ".join(f"{float(point):.6f}" for _, point in found)
    said = f"fixed point at eta = 1/10, ..., 1/10^6: {shown}"
    figures = {"points": [str(float(point)) for _, point in found], "limit": str(limit)}
    return Evidence(
        Verdict.FLOAT.unless(not closing), said, figures
    )  # six values near a limit, not the limit


@claim.check("limit", control=dict(weighted=False), name="random")
def random_work(task: Task, weighted: bool = True) -> Evidence:
    """Compare FedAvg's fixed point at a small step size with the minimiser of sum_m p_m K_m f_m, for agents with
    weights p_m, losses f_m and K_m local steps, on random quadratic problems. Negative control, which must fail: the
    minimiser of sum_m p_m f_m."""
    rng, worst, count = task.rng(), 0.0, 200
    for _ in range(count):
        problem = methods.random_problem(rng)
        work = rng.integers(1, 10, len(problem.weights))
        size = 1e-7 / problem.beta
        values, vectors = np.linalg.eigh(problem.hessians)
        removed = -np.expm1(work[:, None] * np.log1p(-size * values)) / size
        filters = (vectors * removed[:, None, :]) @ vectors.transpose(0, 2, 1)
        share = problem.weights * work if weighted else problem.weights
        parts = problem.hessians, share / share.sum(), problem.minimisers, problem.shared
        target, point = methods.Quadratics.around(*parts), methods.fixed_point(problem, filters)
        scale = float(np.abs(problem.minimisers).max()) * problem.beta / problem.mu
        worst = max(worst, float(np.abs(point - target.best).max()) / scale)
    said = f"{count} fixed points at eta beta = 1e-7 within {worst:.1g} of the limit, relative to condition and size"
    return Evidence(
        Verdict.FLOAT.unless(worst > 1e-5), said, {"problems": count, "largest_difference": worst}
    )
