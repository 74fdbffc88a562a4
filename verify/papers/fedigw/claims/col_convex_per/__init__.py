"""col:convex_per. FedIGW with LSGD-PFL on partly shared parameters has the regret of the exact minimiser up to a
constant, if calls make enough rounds.

Each of M agents with K arms has d^a coordinates in common with the others and d^b of its own. For ridge regression on
all D = d^a + M d^b coordinates, with weight 1/n on the squared norm for n samples, let C = D/4 + 9M/4 and w_S the ridge
estimate. A call that returns w with E norm(w - w_S)^2 <= delta^2 C/n has the excess risk e <= (1+delta)^2 C/n, so

    Reg(T) <= 2M(1-1/K) + c_I (2+sqrt2)(1+delta) sqrt(M K T C),    2 M d^a numbers sent in a round

where c_I is the constant that thm:global_regret calls C/g (with another C). The variants repaired, sharpened and best
are for any step and rounds for which the bound of Theorem G (bounds/local_steps.py) gives E norm(w - w_S)^2 <= delta^2
C/n. The variant schedule says that the step and rounds of bounds/theorems/col_convex_per.py suffice.

Theorem G is applied with shared coordinates alpha and personal ones beta_m of agents with weights p_m, and

    squared distance   norm(alpha)^2 + sum_m p_m norm(beta_m)^2, at the start d_0 <= (1+sqrt(D/4+M))^2
    curvature          at most 2(1+M/n)
    noise              sigma^2 <= 1+4M/n; in personal coordinates it does not average out over agents, so there is no
                       factor 1/M
    heterogeneity      zeta^2 <= (sqrt M + sqrt(D+4M))^2/n

As printed the corollary has the defects of col:convex (errata E15, E21).
"""

import math
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from bounds.theorems.col_convex_per import PROTOCOLS, constant, lifted, schedule
from verify.claim import Claim, Evidence, Task, Variant, Verdict
from verify.experiments import local_methods as methods
from verify.experiments.local_moments import Samples
from verify.papers.fedigw.claims.col_convex import ACCURATE, SERVER
from verify.papers.fedigw.claims.col_convex import schedule as steps
from verify.papers.fedigw.claims.col_convex.rows import within_target
from verify.papers.fedigw.claims.col_convex_per import runs
from verify.papers.fedigw.claims.col_linear_per import claim as linear
from verify.papers.fedigw.claims.col_linear_per import false_regret
from verify.papers.fedigw.claims.lem_FedAvg_complete.hypotheses import contradictory, infinite_complexity

LOCAL, SERVER_STEP = 5, 1.0

claim = Claim(
    title="LSGD-PFL with the rounds it needs",
    section="FL protocols",
    tags=("corollary", "plug-in", "personalised", "communication"),
    depends=("col:convex", "col:linear_per", "own:ridge_excess_risk", "lem:LSGD-PFL_full"),
    errata=("erratum:E15", "erratum:E21"),
    variants={
        "printed": Variant(
            r"O\bigl(ME^1+\sum_{l\ge2}\sqrt{K\mathfrak P^{l-1}/\mu_f}ME^l\bigr)",
            (
                "the conditions of lem:error_decompose and lem:LSGD-PFL_full, over R^d",
                "no problem meets these conditions, and the complexity, and so the bound, is infinite",
            ),
            Verdict.Z3,
            vacuous="on R^d",
            covers=(
                ("printed", "regret"),
                *(("printed", quantity, name) for quantity in ("rounds", "numbers") for name in PROTOCOLS),
            ),
        ),
        **{
            name: replace(
                linear.variants[name], hypotheses=(*linear.variants[name].hypotheses, SERVER, ACCURATE)
            )
            for name in ("repaired", "sharpened", "best")
        },
        "schedule": Variant(
            r"\text{step and rounds of the row}\ \Rightarrow\ \mathbb E\,\|w-w_S\|^2\le\text{tol}",
            ("Theorem G and T1 as stated: given them, step and rounds of both rows suffice",),
            Verdict.Z3,
        ),
    },
)


def random_data(rng: np.random.Generator, agents: int, each: int, shared: int, own: int) -> Samples:
    truths = np.abs(rng.standard_normal((agents, shared + own)))
    truths[:, :shared] = truths[0, :shared]
    truths /= np.linalg.norm(truths, axis=1).max()
    features = np.abs(rng.standard_normal((agents, each, shared + own)))
    features *= rng.random(features.shape) < 0.5
    features /= np.maximum(np.linalg.norm(features, axis=2, keepdims=True), 1)
    means = np.einsum("mei,mi->me", features, truths)
    return Samples(features, (rng.random(means.shape) < means).astype(float), shared)


def end_of(data: Samples, rounds: int, step: float, local: int, server: float) -> np.ndarray:
    """Return the points (M, d) of all agents after `rounds` rounds of LSGD-PFL from 0. step: the product of the number
    of local steps, the local step size and the server step."""
    problem, size = data.mean, step / (local * server)
    start = np.zeros_like(problem.linear)
    return methods.after(
        problem, lambda x: methods.fedavg_round(problem, x, local, size, server), start, rounds
    )


@claim.check("repaired", control=dict(share=0.002))
def reached(task: Task, share: float = 1.0) -> Evidence:
    """Check on random ridge problems that LSGD-PFL with full local gradients, after as many rounds as col:convex_per
    states, has the required mean squared distance from the minimiser. Negative control, which must fail: 0.002 times as
    many rounds."""
    rng = task.rng()
    datasets, rows = (24 if task.full else 8), []
    for agents, each, shared, own in ((2, 8, 1, 1), (3, 8, 2, 1), (4, 16, 2, 2)):
        drawn = [random_data(rng, agents, each, shared, own) for _ in range(datasets)]
        n, dimension = agents * each, lifted(agents, shared, own)
        target = 0.25 * constant(agents, dimension) / n
        for local in (1, LOCAL):
            plan = schedule("lsgd_pfl", n, agents, dimension, 0.5, local, SERVER_STEP)
            rounds = max(1, int(share * plan.rounds))
            ends = [end_of(data, rounds, plan.step, local, SERVER_STEP) for data in drawn]
            found = float(np.mean([data.mean.distance(x) for data, x in zip(drawn, ends, strict=True)]))
            row = {"n": n, "local_steps": local, "rounds": plan.rounds}
            rows.append(row | {"distance": found, "target": target})
    worst = max(row["distance"] / row["target"] for row in rows)
    said = f"mean squared distance after {share:g} of the guaranteed rounds over its target: at most {worst:.3g} at"
    said += f" {len(rows)} settings of {datasets} datasets (floating point)"
    return Evidence(Verdict.FLOAT.unless(worst > 1 + 1e-9), said, {"rows": rows, "worst": worst})


@claim.check("repaired", control=dict(share=0.5))
def by_theorem(task: Task, share: float = 1.0) -> Evidence:
    """Check on a grid of sizes that the convergence theorem for local methods (Theorem G, bounds/local_steps.py) proves
    the required accuracy for LSGD-PFL with stochastic gradients after as many rounds as col:convex_per states. Negative
    control, which must fail: half of the rounds."""
    worst: tuple[float, dict[str, Any]] = (0.0, {})
    for agents, each, shared, own, delta, local, server in product(
        (1, 4, 30), (2, 64, 4096), (1, 8), (0, 3), (0.1, 0.5), (1, 64), (1.0, 3.0)
    ):
        n, dimension = agents * each, lifted(agents, shared, own)
        plan = schedule("lsgd_pfl_sgd", n, agents, dimension, delta, local, server)
        target = delta**2 * constant(agents, dimension) / n
        h, beta, noise = plan.step, 2 * (1 + agents / n), 1 + 4 * agents / n
        spread = (math.sqrt(agents) + math.sqrt(dimension + 4 * agents)) ** 2 / n
        first = noise / local * (2 + 1.5 * (1 - 1 / local) * h * beta / server**2)
        second = (1 - 1 / local) * beta * spread / server**2
        distance = (1 + math.sqrt(dimension / 4 + agents)) ** 2
        bound = math.exp(share * plan.rounds * math.log1p(-2 * h / n)) * distance
        bound += (first * h + second * h * h) * n / 2
        where = {"M": agents, "n": n, "da": shared, "db": own, "delta": delta, "local_steps": local}
        worst = max(worst, (bound / target, where), key=lambda pair: pair[0])
    return within_target(*worst)


claim.check("printed", control=dict(beyond=False), name="contradiction")(contradictory)
claim.check("printed", control=dict(convex=False))(infinite_complexity)
steps.enter(claim, steps.PERSONALISED)
false = partial(false_regret, variant="sharpened")
claim.check("sharpened", control=false, statistical=True, name="regret")(runs.scheduled_regret)
claim.check("repaired", control=dict(lifted=False), name="runs")(runs.ledger)
claim.plot("Regret of LSGD-PFL with the rounds it needs", "regret", name="regret")(runs.regret_picture)
claim.plot("Numbers that these rounds send", "regret", name="numbers")(runs.numbers_picture)
