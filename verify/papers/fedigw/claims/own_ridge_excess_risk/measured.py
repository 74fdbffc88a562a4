"""Excess risk of ridge regression on random designs, with the noise averaged out, against its bounds."""

from __future__ import annotations

from typing import Any

import numpy as np

from bounds import own_ridge_excess_risk
from bounds.schedules import doubling_plan
from linear.contexts.finite import FiniteContexts
from linear.federations import linear_federation
from linear.world import LinearWorld
from verify.claim import Evidence, Task
from verify.papers.fedigw.claims.col_linear.runs import Family, families
from verify.statistics.measurement import compare
from verify.statistics.regrets import judged


def conditional_excess(instance: Any, n: int, replications: int, rng: np.random.Generator) -> np.ndarray:
    """(R,): excess risk given the features met under uniform play, the noise averaged out; in [0, 1/4 + 1].

    Variance tr(Sigma A^{-1} (sum Var(r) phi phi') A^{-1}), bias w'A^{-1} Sigma A^{-1} w, A = G + I.
    """
    d, each = instance.world.dimension, n // len(instance.arms)
    identity = np.eye(d)
    gram, noise, sigma = np.zeros((replications, d, d)), np.zeros((replications, d, d)), np.zeros((d, d))
    for contexts, members in instance.world.groups():
        cells = np.repeat(contexts.law / contexts.arms, contexts.arms)
        counts = rng.multinomial(each * len(members), cells / cells.sum(), size=replications).astype(float)
        mean = contexts.means(instance.world.parameter).ravel()
        gram += contexts.sums(counts, counts)[0]
        noise += contexts.sums(counts * (mean * (1 - mean)), counts)[0]
        sigma += contexts.sums(cells, cells)[0] * len(members) / len(instance.arms)
    inverse = np.linalg.inv(gram + identity)
    # tr(XY) = sum X_ij Y_ji with X = Sigma A^{-1}, and Y' = A^{-1} (sum Var(r) phi phi')
    variance = ((sigma @ inverse) * (inverse @ noise)).sum(axis=(1, 2))
    shrunk = inverse @ instance.world.parameter
    return np.asarray(variance + ((sigma @ shrunk[..., None])[..., 0] * shrunk).sum(axis=1))


def axes(heterogeneous: bool) -> Family:
    """Four axes met equally often, every mean reward 1/2, norm(w*) = 1: near the bound, and the same for every seed.

    Different laws: each of two agents meets two of the axes.
    """
    each = (np.eye(4)[:2], np.eye(4)[2:]) if heterogeneous else (np.eye(4),) * 2
    agents = tuple(FiniteContexts(rows[:, None, :], np.full(len(rows), 1 / len(rows))) for rows in each)
    return Family("four axes", linear_federation(agents, np.full(4, 0.5), doubling_plan(2, 2)))


def monte_carlo(task: Task, heterogeneous: bool, shrink: float = 1.0) -> Evidence:
    """Mean excess risk over random designs of every finite environment against C/(n+1) or C/n.

    The control claims a tenth less than what the four axes are known to reach, and looks at these alone.
    """
    rng = task.rng()
    chosen = [axes(heterogeneous)]
    if shrink == 1:
        chosen += [
            family
            for family in families(rng)
            if LinearWorld.of(family.instance).heterogeneous is heterogeneous
        ]
    grid = (20, 80, 320) if task.full else (20, 80)
    level = task.level / (len(chosen) * len(grid))
    comparisons = []
    for family in chosen:
        d = LinearWorld.of(family.instance).dimension
        for n in grid:
            bound = shrink * float(own_ridge_excess_risk.mean(float(d), n, heterogeneous))
            sample = conditional_excess(family.instance, n, min(20_000, 40 * n), rng)
            comparisons.append(compare(f"{family.name}, n = {n}", sample, 1.25, bound, 1.25, level))
    return judged(task, comparisons, "excess risk", "comparisons")
