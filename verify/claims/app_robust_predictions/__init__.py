"""app:robust_predictions. FedIGW among lying agents by robust aggregation of predictions (Theorem 3.3). M agents of one
law with E samples each, f < M/2 of them lying, having seen everything. Every agent's ridge estimate is its own
(lambda = 1/E); the prediction for a context and an arm is the trimmed mean (cut = f) or the median of the M agents'
predictions, kappa its constant of app:robust_mean. Then, whatever the liars say,

    excess risk <= C_rob/(E+1),   C_rob = (sqrt(d/(4(M-f)) + 1) + sqrt(kappa (d/4 + 1)))^2

and with tau^l = 2^l, gamma^l = g sqrt(K/e_{l-1}), T >= 3, M_h = M - f honest agents, c_I = C/g of thm:global_regret:

    regret of the honest agents <= 2 M_h (1-1/K) + c_I (2+sqrt2) M_h sqrt(K C_rob T)

Proof. Let z be the mean of the honest predictions at a fresh feature. Noise is independent between agents and
averages out, bias does not: E (z - f*)^2 <= (d/(4(M-f)) + 1)/(E+1) (own:ridge_excess_risk, Jensen). The honest variance
is at most the mean of (prediction - f*)^2, so E v <= (d/4 + 1)/(E+1). Pointwise (A - z)^2 <= kappa v; Minkowski. All
honest agents play from the same predictions, so they are a federation of their own with this excess risk.
Against M = 1 nothing is gained in order: no 1/M in C_rob. That is the price of a bias that all own estimates share.
"""

from __future__ import annotations

from bounds.theorems import app_robust_predictions as formulas
from verify.claim import Claim, Variant, counts
from verify.claims.app_robust_predictions import exact, runs, steps
from verify.verdict import Verdict

claim = Claim(
    label="app:robust_predictions",
    title="FedIGW among lying agents, by robust predictions",
    section="Robustness",
    statement=__doc__ or "",
    tags=("robust", "regret", "linear"),
    depends=("app:robust_mean", "own:ridge_excess_risk", "thm:global_regret"),
    bound=formulas.RobustRegret(),
    variants={
        "risk": Variant(
            r"\mathcal E \le \frac{1}{E+1}\Bigl(\sqrt{\tfrac{d}{4(M-f)}+1}+\sqrt{\kappa(\tfrac d4+1)}\Bigr)^2",
            formulas.HYPOTHESES[1:],
            Verdict.EXACT,
        ),
        "sharpened": Variant(
            r"\mathrm{Reg}_h(T) \le 2M_h(1-1/K)+\tfrac{14}{9}\sqrt{2(3q+1)}(2+\sqrt2)M_h\sqrt{KC_{\mathrm{rob}}T}",
            formulas.HYPOTHESES,
            Verdict.SUPPORTED,
        ),
        "robust_predictions": Variant(
            r"Md(M+1)\ \text{numbers and one round a call}",
            ("one law or not",),
            Verdict.EXACT,
            tight=True,
            covers=counts("robust_predictions"),
        ),
        "scalar_core": Variant(
            r"\|x+y\| \le \|x\|+\|y\|,\quad v \le \tfrac1N\textstyle\sum_i(p_i-f^*)^2",
            ("the scalar inequalities of the proof, for all reals",),
            Verdict.PROVED,
        ),
    },
)

claim.check("risk", control=dict(share=exact.CONTROL))(exact.worst_liars)
claim.check("sharpened", control=dict(rule="mean"), statistical=True)(runs.regret)
claim.check("robust_predictions", control=dict(error=1))(runs.ledger)
claim.check("scalar_core", control=dict(false=True), name="steps")(steps.scalar)
