"""Check bounds on four quantities at the starting point, from which the rounds of col:convex are computed: the
objective minus its minimum ("gap"), the squared distance from the minimiser, noise and heterogeneity."""

from itertools import product
from typing import Any

import numpy as np

from bounds.col_convex_rounds import call_on
from verify.claim import Evidence, Task, Verdict
from verify.experiments.local_moments import Samples

QUANTITIES = ("gap_0", "d_0", "sigma*^2", "zeta*^2", "largest d_0", "largest zeta*^2")


def means(features: np.ndarray, truth: np.ndarray, laws: np.ndarray, each: int) -> np.ndarray:
    """Return the means over all datasets with Bernoulli rewards of gap, squared distance, noise and heterogeneity at
    the start, then the maxima of distance and heterogeneity. features: (cells, d), the possible feature vectors. truth:
    (d,), the true parameter. laws: (M, cells), the probabilities of the vectors for each agent. each: samples of an
    agent."""
    chances = features @ truth
    owners = [m for m in range(len(laws)) for _ in range(each)]
    total = np.zeros(len(QUANTITIES))
    for drawn in product(product(range(len(features)), (0.0, 1.0)), repeat=len(owners)):
        chance = 1.0
        for m, (cell, reward) in zip(owners, drawn, strict=True):
            chance *= laws[m, cell] * (chances[cell] if reward else 1 - chances[cell])
        if chance == 0.0:
            continue
        chosen = features[[cell for cell, _ in drawn]].reshape(len(laws), each, -1)
        rewards = np.array([reward for _, reward in drawn]).reshape(len(laws), each)
        data = Samples(chosen, rewards, chosen.shape[2])
        problem, distance = data.mean, float((data.mean.best[0] ** 2).sum())
        gap = problem.gap(np.zeros(problem.width))
        found = np.array([gap, distance, sum(data.variances), problem.heterogeneity])
        total[:4] += chance * found
        total[4:] = np.maximum(total[4:], found[[1, 3]])
    return total


def enumerated(task: Task, share: float = 1.0) -> Evidence:
    """Compare four quantities at the start with their bounds: the gap of the objective, the squared distance from the
    minimiser, noise and heterogeneity, as means and maxima over all datasets of random ridge problems with a few
    samples. Negative control, which must fail: a tenth of the bounds."""
    rng, worst = task.rng(), np.zeros(len(QUANTITIES))
    count = 40 if task.full else 5
    for _ in range(count):
        agents, each = ((1, 3), (2, 1), (2, 2))[int(rng.integers(3))]
        d = int(rng.integers(1, 3))
        features = np.abs(rng.standard_normal((2, d)))
        features /= np.linalg.norm(features, axis=1, keepdims=True)
        truth = np.abs(rng.standard_normal(d))
        truth *= float(rng.choice([0.3, 0.7, 1.0])) / np.linalg.norm(truth)
        found = means(np.minimum(features, 1), truth, rng.dirichlet(np.ones(2), agents), each)
        call = call_on(agents * each, agents, d, 1.0)
        bounds = np.array([1.0, call.distance, call.noise, call.heterogeneity, call.n / 4, 4.0])
        worst = np.maximum(worst, found / (share * bounds))
    named: dict[str, Any] = dict(zip(QUANTITIES, (float(r) for r in worst), strict=True))
    shown = ", ".join(f"{name} {ratio:.3f}" for name, ratio in named.items())
    said = f"means and maxima over all data of {count} tiny worlds over {share:g} of their bounds, largest: {shown}"
    kind = Verdict.FLOAT.unless(bool(worst.max() > 1 + 1e-9))
    return Evidence(kind, f"{said} (floating point)", {"largest": named})
