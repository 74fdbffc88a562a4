"""app:local_gradients. FedAvg and LSGD-PFL with full local gradients on quadratics, last iterate (Theorem 1A).
s = (K-1) eta beta <= 1, eta beta <= 1, h = K eta eta_g <= 1/beta:

    gap_inf <= ((K-1) eta)^2 beta zeta*^2/(8 (1-s/2)^2)
    sqrt(gap_r) <= sqrt(gap_inf) + (1-s/2)^{-1/2} (1 - h mu (1-s/2))^r (sqrt(gap_0) + sqrt(gap_inf))

gap = F - F*, zeta*^2 = sum p_m norm(grad f_m(w_S))^2, mu: a lower bound of the curvature of F. No bias if K = 1, if the
agents' own minimisers agree in the shared coordinates, or if nothing is shared. Personal coordinates: norms weighted by
p_m, norm(alpha)^2 + sum p_m norm(beta_m)^2.
Proof. app:local_operator with psi(h)/h in [1 - (K-1) eta h/2, 1]; its scalar steps are checked there.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from bounds import app_local_gradients as formulas
from bounds.app_local_operator import fedavg_filter
from verify.claim import Check, Claim, Evidence, Task, Variant
from verify.experiments import local_methods as methods
from verify.experiments.local_ratios import Ratio, judged
from verify.verdict import Verdict


def configurations(
    task: Task, personal: bool = True, count: int = 250
) -> Iterator[tuple[methods.Quadratics, int, float, float, np.ndarray]]:
    """(problem, local steps, step size, server step, start) up to the edge of the conditions."""
    rng = task.rng()
    for _ in range(4 * count if task.full else count):
        problem = methods.random_problem(rng, personal and rng.random() < 0.5)
        steps = int(rng.choice([1, 2, 3, 5, 12]))
        size = float(rng.choice([1.0, 1.0, 0.5, 0.1])) / (problem.beta * max(1, steps - 1))
        server = float(rng.choice([1.0, 1.0, 0.5, 0.1])) / (problem.beta * steps * size)
        assert not formulas.conditions(steps, size, server, problem.beta)
        yield problem, steps, size, server, methods.random_state(rng, problem)


def bias(task: Task, shrink: float = 1.0) -> Evidence:
    """The gap of the fixed point over its bound."""
    return judged(_biases(task), "gap of the fixed point", shrink)


def _biases(task: Task) -> Iterator[Ratio]:
    problems = [(p, k, e) for p, k, e, _, _ in configurations(task, count=400)]
    # two agents of nearly equal curvature with opposite minimisers, small steps
    for flat in (0.9, 0.99):
        pair = methods.Quadratics(
            np.array([[[1.0]], [[flat]]]), np.array([0.5, 0.5]), np.array([[1.0], [-1.0]]), 1
        )
        problems.append((pair, 5, 0.01))
    for problem, steps, size in problems:
        bound = formulas.fixed_point_gap(steps, size, problem.beta, problem.heterogeneity)
        if bound <= 1e-12 * problem.gap(np.zeros_like(problem.minimisers)):
            continue  # one local step, or nothing shared: no bias
        filters = methods.spectral(problem.hessians, lambda h, k=steps, e=size: fedavg_filter(h, k, e))  # type: ignore[misc]
        agents, d = problem.minimisers.shape
        where = f"M = {agents}, d = {d} ({problem.shared} shared), K = {steps}, eta beta = {size * problem.beta:.2g}"
        yield Ratio(problem.gap(methods.fixed_point(problem, filters)), bound, where)


def rate(task: Task, speed: float = 1.0) -> Evidence:
    """The gap after r rounds over its bound; speed, for the control: as if the contraction were faster."""
    return judged(_rates(task, speed), "gap after r rounds")


def _rates(task: Task, speed: float) -> Iterator[Ratio]:
    for problem, steps, size, server, point in configurations(task):
        start, zeta2 = problem.gap(point), problem.heterogeneity
        for rounds in range(1, 13):
            point = methods.fedavg_round(problem, point, steps, size, server)
            bound = formulas.gap_bound(
                rounds, steps, size, server, problem.beta, min(speed * problem.mu, problem.beta), zeta2, start
            )
            if bound > 1e-10 * start:
                yield Ratio(
                    problem.gap(point), bound, f"K = {steps}, server step {server:.2g}, round {rounds}"
                )


HYPOTHESES = (
    "quadratic losses, all agents in every round, full local gradients",
    "(K-1) eta beta <= 1, eta beta <= 1, K eta eta_g <= 1/beta",
)
CLAIM = Claim(
    label="app:local_gradients",
    title="FedAvg and LSGD-PFL with full local gradients: bias and rate",
    section="Federated learning",
    statement=__doc__ or "",
    tags=("optimisation", "fl"),
    depends=("app:local_operator",),
    variants={
        "bias": Variant(
            r"F(x_\infty)-F^* \le \frac{((K-1)\eta)^2\beta\zeta_*^2}{8(1-s/2)^2}",
            HYPOTHESES,
            Verdict.COMPUTED,
        ),
        "rate": Variant(
            r"\sqrt{\Delta_r} \le \sqrt{\Delta_\infty}+(1-\tfrac s2)^{-1/2}(1-h\mu(1-\tfrac s2))^r"
            r"(\sqrt{\Delta_0}+\sqrt{\Delta_\infty})",
            HYPOTHESES,
            Verdict.COMPUTED,
            tight=True,
        ),
    },
    checks=(
        Check("bias", "bias", bias, partial(bias, shrink=0.5), "gap of the fixed point against its bound"),
        Check("rate", "rate", rate, partial(rate, speed=1.05), "every round against the rate"),
    ),
)
