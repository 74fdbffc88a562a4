"""app:robust_gd. Gradient descent on a robust aggregate of the agents' gradients (Theorem 3.2): quadratics, f of M
lying. With kappa of app:robust_mean, step eta <= 1/beta, and where kappa d2 <= mu/4:

    gap_t <= (1 - eta mu/2)^t gap_0 + 2 kappa zeta*^2/mu

All of it for F, the mean of the honest agents' objectives: beta and mu its smoothness and strong convexity, H its
Hessian, zeta*^2 = mean norm(grad f_m)^2 at its minimiser, d2 = norm(H^{-1/2} mean (H_m - H)^2 H^{-1/2}).
Proof. The aggregate is F' + e, norm(e)^2 <= kappa mean norm(f_m' - F')^2 <= kappa (4 d2 gap + 2 zeta*^2);
gap+ <= gap - (eta/2) norm(F')^2 + (eta/2) norm(e)^2 and norm(F')^2 >= 2 mu gap; sum the geometric series.
The floor is right but for a factor 4: with equal curvatures a lying agent keeps the gap at kappa zeta*^2/(2 mu).
Warning: for ridge at lambda = 1/n with nothing known of the features mu = 2/n, and the floor is of order kappa M: it
says nothing. It speaks where the smallest eigenvalue of E phi phi' is bounded below. Accelerated descent: open.
"""

from __future__ import annotations

from verify.claim import Claim, Variant
from verify.claims.app_robust_gd import measured, steps
from verify.verdict import Verdict

HYPOTHESES = (
    "quadratic losses, full gradients of all agents, equal weights",
    "f < M/2 agents lie; kappa of app:robust_mean",
    "eta <= 1/beta",
    "kappa d2 <= mu/4",
)

claim = Claim(
    label="app:robust_gd",
    title="Gradient descent among lying agents",
    section="Robustness",
    statement=__doc__ or "",
    tags=("robust", "optimisation", "fl"),
    depends=("app:robust_mean",),
    variants={
        "rate": Variant(
            r"\Delta_t \le (1-\tfrac{\eta\mu}{2})^t\Delta_0 + \tfrac{2\kappa\zeta_*^2}{\mu}",
            HYPOTHESES,
            Verdict.COMPUTED,
        ),
        "floor": Variant(
            r"\Delta_\infty = \tfrac{\kappa\zeta_*^2}{2\mu}\ \text{for some liars}",
            ("equal curvatures, trimmed mean",),
            Verdict.EXACT,
            tight=True,
        ),
        "scalar_core": Variant(
            r"\Delta_+ \le (1-\tfrac{\eta\mu}{2})\Delta + \eta\kappa\zeta_*^2",
            ("the scalar inequalities of the proof, for all reals",),
            Verdict.PROVED,
        ),
    },
)

claim.check("rate", control=dict(shrink=0.1))(measured.rate)
claim.check("rate", control=dict(rule="mean"))(measured.in_runs)
claim.check("floor", control=dict(factor=measured.CONTROL))(measured.floor)
claim.check("scalar_core", control=dict(false=True), name="steps")(steps.scalar)
