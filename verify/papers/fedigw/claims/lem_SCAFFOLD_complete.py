"""lem:SCAFFOLD_complete. How far SCAFFOLD is from the minimum after R rounds of K local steps.

printed    O~(sigma_b^2/(mu R K M) + mu D~^2 exp(-min(R/30, mu R/(162 beta)))), R >= max(162 beta/mu, 30), if the
           stochastic gradients have variance at most sigma_b^2 for any omega. No ridge problem whose samples differ has
           that, so of ridge the lemma says nothing. The factor 1/M also needs a server step of order sqrt M.
repaired   for ridge, with constants, nothing assumed beyond w_S: option II, R >= 36.1 beta/mu, eta_g >= 1, sampling
           with replacement, beta per sample, c1 = (sigma*^2/K)(4 p_max + 0.30/eta_g^2), Phi = d_0 + 5e-5 Ev_0/beta^2,
           Lb = ln max(2, mu^2 Phi R/(2 c1)), h = K eta eta_g = min(1/(26 beta), 2 Lb/(mu R)), weighted average:

    E gap <= mu Phi e^{-mu R/(52 beta)} + (2 c1/(mu R))(1 + Lb)

           Full local gradients, last iterate (app:scaffold_gradients), h <= 1/(2 beta):
           gap_r <= (1 - (13/16) h mu)^r (gap_0 + (h/2) Ev_0).
Proof. app:scaffold_sgd and the choice of the step as for lem:FedAvg_complete.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from bounds import app_scaffold_gradients, app_scaffold_sgd
from bounds import lem_SCAFFOLD_complete as formulas
from verify.claim import Claim, Evidence, Task, Variant
from verify.experiments import local_methods, local_moments
from verify.experiments.local_ratios import (
    Ratio,
    Setting,
    enter_moments,
    judged,
    random_setting,
    start_distance,
    weighted,
)
from verify.papers.fedigw.claims.lem_FedAvg_complete import MOST_ROUNDS, choice
from verify.papers.fedigw.claims.lem_FedAvg_complete.hypotheses import enter_unmet
from verify.verdict import Verdict

# The seed of the hardest of some 10000 random configurations, and the share of the bound that is reached there.
HARDEST, LARGEST = 3986, 0.29777


def one_run(rng: np.random.Generator) -> Ratio | None:
    drawn = random_setting(rng, app_scaffold_sgd.LIMIT, personal=False, small=True)
    data, mu = drawn.data, drawn.data.mean.mu
    rounds = int(formulas.FEWEST * data.beta / mu * float(rng.choice([1.0, 1.0, 3.0]))) + 1
    if rounds > MOST_ROUNDS:
        return None
    assert not formulas.sgd_conditions(rounds, drawn.server_step, data.beta, mu)
    controls, most = np.zeros_like(data.mean.minimisers), float(data.weights.max())
    c1 = app_scaffold_sgd.noise(drawn.steps, drawn.server_step, most, data.variances[0])
    error = local_methods.control_error(data.mean, controls, controls)
    start = formulas.sgd_start(start_distance(data), error, data.beta)
    step = formulas.sgd_step(rounds, data.beta, mu, start, c1)
    setting = Setting(data, drawn.steps, drawn.server_step, step)
    moments = local_moments.run(data, setting.steps, setting.step_size, setting.server_step, controls)
    limit = formulas.sgd_gap_bound(rounds, data.beta, mu, start, c1)
    return Ratio(weighted(setting, moments, rounds), limit, f"{setting.where}, R = {rounds}")


claim = Claim(
    label="lem:SCAFFOLD_complete",
    title="Convergence of SCAFFOLD",
    section="Federated learning",
    tags=("optimisation", "fl"),
    depends=("app:scaffold_sgd", "app:scaffold_gradients"),
    errata=("erratum:E15",),
    reference="Karimireddy et al., SCAFFOLD, 2020, theorem VII",
    variants={
        "printed": Variant(
            r"\mathbb E\,\Delta \le \tilde O\bigl(\tfrac{\sigma_b^2}{\mu RKM}"
            r"+\mu\tilde D^2e^{-\min(R/30,\,\mu R/(162\beta))}\bigr)",
            (
                "f_m mu-strongly convex and beta-smooth on R^d, unbiased gradients, R >= max(162 beta/mu, 30)",
                "variance of the stochastic gradients at most sigma_b^2 for any omega: no ridge problem whose samples"
                " differ has that; other problems may, and of them nothing is checked here",
            ),
            Verdict.Z3,
            vacuous="for ridge",
        ),
        "repaired": Variant(
            r"\mathbb E\,\Delta \le \mu\Phi e^{-\mu R/(52\beta)}+\tfrac{2c_1}{\mu R}(1+L)",
            (
                "ridge problems, all agents in every round, sampling with replacement, beta per sample, option II",
                "R >= 36.1 beta/mu, eta_g >= 1, the weighted average iterate",
            ),
            Verdict.FLOAT,
        ),
        "choice_of_step": Variant(
            r"q^R \le \tfrac12,\ h = \min(\tfrac1{26\beta},\tfrac{2L}{\mu R})",
            ("the bound of app:scaffold_sgd for a fixed step",),
            Verdict.Z3,
        ),
    },
)

enter_unmet(claim, "variance")
enter_moments(claim, one_run, "E gap at the chosen step", HARDEST, LARGEST)


@claim.check("repaired", control=dict(zero=True))
def gradients(task: Task, zero: bool = False) -> Evidence:
    """Full local gradients, last iterate, round by round against the rate; zero: control variates kept at 0."""

    def ratios() -> Iterator[Ratio]:
        rng = task.rng()
        for _ in range(800 if task.full else 70):
            problem = local_methods.random_problem(rng)
            steps, server = int(rng.choice([1, 2, 5])), float(rng.choice([1.0, 2.0]))
            step = float(rng.choice([1.0, 0.3])) / (2 * problem.beta)
            point, controls = local_methods.random_state(rng, problem), np.zeros_like(problem.minimisers)
            start, error = problem.gap(point), local_methods.control_error(problem, point, controls)
            least = 1e-12 * (start + step / 2 * error)
            for r in range(1, 81):
                point, after = local_methods.scaffold_round(
                    problem, point, controls, steps, step / (steps * server), server
                )
                controls = controls if zero else after
                limit = app_scaffold_gradients.gap_bound(r, step, problem.mu, start, error)
                if limit <= least:
                    break
                if r in (1, 3, 10, 30, 80):
                    yield Ratio(problem.gap(point), limit, f"K = {steps}, server step {server:g}, round {r}")

    return judged(ratios(), "gap of the last iterate")


claim.check(
    "choice_of_step", control=dict(exponent=Fraction(360, 520)), given=dict(exponent=Fraction(361, 520))
)(choice)
