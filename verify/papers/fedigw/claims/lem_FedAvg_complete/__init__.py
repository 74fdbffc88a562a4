"""lem:FedAvg_complete. How far FedAvg is from the minimum after R rounds of K local steps.

printed    O~(sigma_b^2/(mu R K M) + beta G_b^2/(mu R)^2 + mu norm(w_0 - w_S)^2 exp(-mu R/(16 beta))), R >= 8 beta/mu,
           if (1/M) sum norm(grad f_m)^2 <= G_b^2 for any omega. No strongly convex problem on R^d meets that, and no
           ridge problem whose samples differ has a bounded variance for any omega: the lemma says nothing (E15). The
           factor 1/M also needs a server step of order sqrt M, and the output is a weighted average.
repaired   for ridge, with constants, nothing assumed beyond w_S: R >= 35 beta/mu, eta_g >= 1, sampling with
           replacement, beta per sample, c1 = (sigma*^2/K)(4 p_max + 0.10/eta_g^2), c2 = 1.67 beta zeta*^2/eta_g^2,
           Lb = ln max(2, mu^2 d_0 R/(2 c1)), h = K eta eta_g = min(1/(25 beta), 2 Lb/(mu R)), weighted average:

    E gap <= mu d_0 e^{-mu R/(50 beta)} + (2 c1/(mu R))(1 + Lb) + 4 c2 Lb^2/(mu R)^2

           Full local gradients, last iterate: app:local_gradients.
Proof. app:local_sgd; q^R <= e^{-mu h R/2} <= 1/2, so its first term is at most mu d_0 q^R; then the two cases of h.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from bounds import app_local_sgd
from bounds import lem_FedAvg_complete as formulas
from verify.claim import Claim, Evidence, Task, Variant
from verify.experiments import local_moments
from verify.experiments.local_ratios import (
    Ratio,
    Setting,
    enter_moments,
    noise_and_drift,
    random_setting,
    start_distance,
    weighted,
)
from verify.formal.scalar_steps import ScalarStep, check_steps
from verify.papers.fedigw.claims.lem_FedAvg_complete.hypotheses import enter_contradiction, enter_unmet
from verify.verdict import Verdict

MOST_ROUNDS = 1500  # a few ill-conditioned problems would need more

# The seed of the hardest of some 11000 random configurations, and the share of the bound that is reached there.
HARDEST, LARGEST = 7100, 0.29200


def one_run(rng: np.random.Generator) -> Ratio | None:
    drawn = random_setting(rng, app_local_sgd.LIMIT, personal=False)
    data, mu = drawn.data, drawn.data.mean.mu
    rounds = int(formulas.FEWEST * data.beta / mu * float(rng.choice([1.0, 1.0, 3.0]))) + 1
    if rounds > MOST_ROUNDS:
        return None
    assert not formulas.sgd_conditions(rounds, drawn.server_step, data.beta, mu)
    c1, c2 = noise_and_drift(drawn)
    step = formulas.sgd_step(rounds, data.beta, mu, start_distance(data), c1)
    setting = Setting(data, drawn.steps, drawn.server_step, step)
    moments = local_moments.run(data, setting.steps, setting.step_size, setting.server_step)
    limit = formulas.sgd_gap_bound(rounds, data.beta, mu, start_distance(data), c1, c2)
    return Ratio(weighted(setting, moments, rounds), limit, f"{setting.where}, R = {rounds}")


claim = Claim(
    label="lem:FedAvg_complete",
    title="Convergence of FedAvg",
    section="Federated learning",
    tags=("optimisation", "fl"),
    depends=("app:local_sgd", "app:local_gradients"),
    errata=("erratum:E15",),
    reference="Karimireddy et al., SCAFFOLD, 2020, theorem V",
    variants={
        "printed": Variant(
            r"\mathbb E\,\Delta \le \tilde O\bigl(\tfrac{\sigma_b^2}{\mu RKM}+\tfrac{\beta G_b^2}{(\mu R)^2}"
            r"+\mu d_0e^{-\mu R/(16\beta)}\bigr)",
            (
                "f_m mu-strongly convex and beta-smooth on R^d, unbiased gradients, R >= 8 beta/mu",
                "(1/M) sum norm(grad f_m)^2 <= G_b^2 for any omega: contradicts strong convexity",
                "variance of the stochastic gradients at most sigma_b^2 for any omega",
            ),
            Verdict.Z3,
            vacuous="on R^d",
        ),
        "repaired": Variant(
            r"\mathbb E\,\Delta \le \mu d_0e^{-\mu R/(50\beta)}+\tfrac{2c_1}{\mu R}(1+L)+\tfrac{4c_2L^2}{(\mu R)^2}",
            (
                "ridge problems, all agents in every round, sampling with replacement, beta per sample",
                "R >= 35 beta/mu, eta_g >= 1, the weighted average iterate",
            ),
            Verdict.FLOAT,
        ),
        "choice_of_step": Variant(
            r"q^R \le \tfrac12,\ h = \min(\tfrac1{25\beta},\tfrac{2L}{\mu R})",
            ("the bound of app:local_sgd for a fixed step",),
            Verdict.Z3,
        ),
    },
)

enter_contradiction(claim)
enter_unmet(claim, "dissimilarity")
enter_unmet(claim, "variance")
enter_moments(claim, one_run, "E gap at the chosen step", HARDEST, LARGEST)


def halves(exponent: Fraction) -> bool:
    """e^{-exponent} <= 1/2, by a partial sum of the series of e^exponent."""
    total, term = Fraction(0), Fraction(1)
    for k in range(1, 20):
        total, term = total + term, term * exponent / k
    return total >= 2


def choice_steps() -> tuple[ScalarStep, ...]:
    """The choice of h, from the bound for a fixed h. y: q^R; start: mu d_0; L: Lb; n: mu R."""
    return (
        ScalarStep(
            "y/(2(1-y)) <= y for 0 < y <= 1/2",
            "y",
            lambda y: ([y > 0, 2 * y <= 1], y <= 2 * y * (1 - y)),
        ),
        ScalarStep(
            "noise and drift: h <= 2 Lb/(mu R) gives c1 h + c2 h^2 <= 2 c1 Lb/(mu R) + 4 c2 (Lb/(mu R))^2",
            "h L n c1 c2",
            lambda h, L, n, c1, c2: (
                [h > 0, L > 0, n > 0, c1 >= 0, c2 >= 0, h * n <= 2 * L],
                (c1 * h + c2 * h * h) * n * n <= 2 * c1 * L * n + 4 * c2 * L * L,
            ),
        ),
        ScalarStep(
            "h = 2 Lb/(mu R): mu d_0 e^{-Lb} <= 2 c1/(mu R), as e^{Lb} >= mu^2 d_0 R/(2 c1)",
            "start n c1 power",  # power: e^{-Lb}; mu^2 d_0 R = start n
            lambda start, n, c1, power: (
                [start > 0, n > 0, c1 > 0, power > 0, power * start * n <= 2 * c1],
                start * power * n <= 2 * c1,
            ),
        ),
    )


@claim.check("choice_of_step", control=dict(exponent=Fraction(34, 50)))
def choice(task: Task, exponent: Fraction = Fraction(35, 50)) -> Evidence:
    """The scalar steps of the choice of h; exponent: mu R/(50 beta) at the fewest rounds, at least ln 2."""
    if not halves(exponent):
        said = f"e^-({exponent}) > 1/2: the first term is not at most mu d_0 q^R"
        return Evidence(Verdict.REFUTED, said, {"exponent": str(exponent)})
    return check_steps(choice_steps())
