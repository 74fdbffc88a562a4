"""lem:LSGD-PFL_full. Rounds that LSGD-PFL (shared and personal coordinates) needs for an error eps.

printed    O~(max(beta_b/K, beta_a)/mu + sigma_b^2/(mu K M eps) + sqrt(beta_a (G^2 + sigma^2)/eps)/mu), under the same
           hypotheses for any omega as lem:FedAvg_complete, which no strongly convex problem on R^d meets.
repaired   for ridge, with constants: h = K eta eta_g = min(1/(25 beta), eps/(4 c1), sqrt(eps/(4 c2))), eta_g >= 1,
           R = ceil((2/(mu h)) ln(1 + mu d_0/eps)) rounds give E gap <= eps for the weighted average iterate, where
           c1 = (4 (p_max sigma_a^2 + sigma_b^2) + 0.10 sigma^2/eta_g^2)/K, c2 = 1.67 beta zeta*^2/eta_g^2.
           f_m = mean (phi'x_m - r)^2 + lam norm(alpha)^2 + (lam/p_m) norm(beta_m)^2, lam = 1/n; norms and mu in
           norm(alpha)^2 + sum p_m norm(beta_m)^2, so mu >= 2/n; beta <= 2(1 + 1/min n_m).
           The personal noise sigma_b^2 is not divided by M: the printed 1/M holds for the shared part only.
Proof. app:local_sgd: c1 h + c2 h^2 <= eps/2, and q^R <= e^{-mu h R/2} <= 1/(1 + mu d_0/eps) makes the first term eps/2.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from bounds import app_local_sgd
from bounds import lem_LSGD_PFL_full as formulas
from verify.claim import Claim, Evidence, Task, Variant
from verify.experiments import local_moments
from verify.experiments.local_ratios import (
    Ratio,
    Setting,
    enter_moments,
    judged,
    noise_and_drift,
    random_setting,
    start_distance,
    weighted,
)
from verify.formal.scalar_steps import ScalarStep, check_steps
from verify.papers.fedigw.claims.lem_FedAvg_complete import MOST_ROUNDS
from verify.papers.fedigw.claims.lem_FedAvg_complete.hypotheses import enter_contradiction, enter_unmet
from verify.verdict import Verdict

# The seed of the hardest of 2500 random configurations, and the share of the bound that is reached there.
HARDEST, LARGEST = 2297, 0.18536


def one_run(rng: np.random.Generator) -> Ratio | None:
    drawn = random_setting(rng, app_local_sgd.LIMIT, personal=True)
    data = drawn.data
    c1, c2 = noise_and_drift(drawn)
    # an error that the noise at the largest step would reach, more or less
    target = float(rng.choice([0.5, 1.0, 3.0])) * max(
        4 * c1 / (25 * data.beta), 0.01 * data.mean.gap(np.zeros_like(data.mean.minimisers))
    )
    step, rounds = formulas.plan(target, data.beta, data.mean.mu, start_distance(data), c1, c2)
    if not 0 < rounds <= MOST_ROUNDS:
        return None
    setting = Setting(data, drawn.steps, drawn.server_step, step)
    moments = local_moments.run(data, setting.steps, setting.step_size, setting.server_step)
    return Ratio(weighted(setting, moments, rounds), target, f"{setting.where}, R = {rounds}")


claim = Claim(
    label="lem:LSGD-PFL_full",
    title="Convergence of LSGD-PFL",
    section="Federated learning",
    tags=("optimisation", "fl", "personalised"),
    depends=("app:local_sgd", "app:local_gradients"),
    errata=("erratum:E15",),
    reference="Hanzely, Zhao, Kolar, Personalized federated learning, 2021, theorem 1",
    variants={
        "printed": Variant(
            r"\tilde O\bigl(\tfrac{\max(\beta_b/K,\beta_a)}{\mu}+\tfrac{\sigma_b^2}{\mu KM\varepsilon}"
            r"+\tfrac1\mu\sqrt{\beta_a(G^2+\sigma^2)/\varepsilon}\bigr)\text{ rounds}",
            (
                "f_m mu-strongly convex and smooth on R^d, unbiased gradients of bounded variance",
                "(1/M) sum norm(grad f_m)^2 <= G_b^2 for any omega: contradicts strong convexity",
            ),
            Verdict.Z3,
            vacuous="on R^d",
        ),
        "repaired": Variant(
            r"R = \lceil\tfrac{2}{\mu h}\ln(1+\mu d_0/\varepsilon)\rceil"
            r" \Rightarrow \mathbb E\,\Delta \le \varepsilon",
            (
                "ridge problems, all agents in every round, sampling with replacement, beta per sample",
                "h = min(1/(25 beta), eps/(4 c1), sqrt(eps/(4 c2))), eta_g >= 1, the weighted average iterate",
            ),
            Verdict.FLOAT,
        ),
        "plan": Variant(
            r"c_1h+c_2h^2 \le \tfrac\varepsilon2,\ \tfrac\mu2d_0\tfrac{q^R}{1-q^R} \le \tfrac\varepsilon2",
            ("the bound of app:local_sgd for a fixed step",),
            Verdict.Z3,
        ),
        "curvature": Variant(
            r"\mu \ge \tfrac2n,\ \beta \le 2(1+1/\min_m n_m)",
            ("ridge, lam = 1/n, norm(phi) <= 1, norm(alpha)^2 + sum p_m norm(beta_m)^2",),
            Verdict.FLOAT,
        ),
    },
)

enter_contradiction(claim)
enter_unmet(claim, "variance")
enter_moments(claim, one_run, "E gap after the planned rounds", HARDEST, LARGEST)


@claim.check("curvature", control=dict(factor=2.0))
def curvature(task: Task, factor: float = 1.0) -> Evidence:
    """mu >= 2/n and beta <= 2(1 + 1/min n_m) on random ridge problems with personal coordinates."""

    def ratios() -> Iterator[Ratio]:
        rng = task.rng()
        for _ in range(200):
            data = local_moments.random_samples(rng, personal=True)
            counts = [len(r) for r in data.rewards]
            yield Ratio(factor * 2 / sum(counts), data.mean.mu, "2/n over mu")
            yield Ratio(data.beta, 2 * (1 + 1 / min(counts)), "beta over 2(1 + 1/min n_m)")

    return judged(ratios(), "curvature")


@claim.check("plan", control=dict(shrink=2))
def plan(task: Task, shrink: int = 1) -> Evidence:
    """The planned step and rounds, by z3. e: eps, y: q^R, a: mu d_0. shrink, for the control: noise above eps/4."""
    steps = (
        ScalarStep(
            "h <= eps/(4 c1), h <= sqrt(eps/(4 c2)) give c1 h + c2 h^2 <= eps/2",
            "h c1 c2 e",
            lambda h, c1, c2, e: (
                [h > 0, c1 > 0, c2 > 0, e > 0, 4 * c1 * h <= shrink * e, 4 * c2 * h * h <= e],
                2 * (c1 * h + c2 * h * h) <= e,
            ),
        ),
        ScalarStep(
            "q^R <= 1/(1 + mu d_0/eps) gives (mu/2) d_0 q^R/(1-q^R) <= eps/2",
            "y a e",
            lambda y, a, e: ([y > 0, y < 1, a > 0, e > 0, y * (e + a) <= e], a * y <= e * (1 - y)),
        ),
    )
    return check_steps(steps)
