"""Check that the rounds of col:convex suffice for FedAvg and SCAFFOLD with stochastic gradients, on ridge problems
with a few samples.

The expected gap (objective minus its minimum) after each round is computed, not sampled: over all datasets with their
probabilities, and over batches by the second moments of the iterates. Two quantities must be at most the required
accuracy; mu is the smallest curvature:

    path 1   (2/mu) times the expected gap after all rounds, an upper bound on the expected squared distance of the
             last point from the minimiser
    path 2   the weighted mean of the expected gaps, by convexity an upper bound on the expected gap of the average
             point
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement, product
from math import factorial, prod
from typing import Any

import numpy as np

from bounds.col_convex_rounds import PATHS, Worst, call_on, schedule
from verify.claim import Evidence, Task
from verify.experiments import local_moments
from verify.experiments.local_moments import Samples
from verify.experiments.local_ratios import Ratio, judged

TOLERANCE = 0.5
NOISY = ("scaffold_sgd", "fedavg_sgd")
LARGEST = 0.01928  # the largest ratio in the fixed worlds


@dataclass(frozen=True)
class TinyWorld:
    """A simulated environment whose datasets can be enumerated: agent m draws feature vector i with probability laws[m,
    i], and the reward is Bernoulli with mean feature'truth.

    features: (cells, d). truth: (d,). laws: (M, cells). each: samples of an agent. local: local steps of the protocols.
    server: their server step.
    """

    features: np.ndarray
    truth: np.ndarray
    laws: np.ndarray
    each: int
    local: int
    server: float

    def call(self, path: int) -> Worst:
        agents, d = len(self.laws), len(self.truth)
        return call_on(agents * self.each, agents, d, TOLERANCE, self.local, self.server, path)

    def datasets(self) -> Iterator[tuple[float, Samples]]:
        """Yield every dataset with its probability. Datasets that differ only in the order of an agent's samples count
        as one."""
        chances = self.features @ self.truth
        outcomes = list(product(range(len(self.features)), (0.0, 1.0)))
        drawn = list(combinations_with_replacement(outcomes, self.each))
        for chosen in product(drawn, repeat=len(self.laws)):
            chance = 1.0
            for m, sample in enumerate(chosen):
                ways = factorial(self.each) // prod(factorial(k) for k in Counter(sample).values())
                for cell, reward in sample:
                    chance *= self.laws[m, cell] * (chances[cell] if reward else 1 - chances[cell])
                chance *= ways
            if chance:
                features = tuple(self.features[[cell for cell, _ in sample]] for sample in chosen)
                rewards = tuple(np.array([reward for _, reward in sample]) for sample in chosen)
                yield chance, Samples(features, rewards, len(self.truth))


def worlds(task: Task) -> Iterator[TinyWorld]:
    """Yield two fixed environments, the hardest first. The full profile adds a third one, and random ones with two
    feature vectors."""
    half = np.full((2, 2), 0.5)
    yield TinyWorld(np.eye(2), np.array([0.6, 0.5]), np.array([[0.9, 0.1], [0.1, 0.9]]), 2, 10, 1.0)
    yield TinyWorld(np.array([[1.0], [0.5]]), np.array([0.5]), np.array([[0.5, 0.5]]), 3, 2, 2.0)
    if not task.full:
        return
    yield TinyWorld(np.array([[1.0], [0.2]]), np.array([0.5]), half, 2, 10, 1.0)
    rng = task.rng()
    for _ in range(8):
        d = int(rng.integers(1, 3))
        features = np.abs(rng.standard_normal((2, d)))
        features /= np.maximum(np.linalg.norm(features, axis=1, keepdims=True), 1)
        truth = np.abs(rng.standard_normal(d))
        truth *= float(rng.choice([0.3, 0.7, 1.0])) / np.linalg.norm(truth)
        agents, each = ((1, 3), (2, 2))[int(rng.integers(2))]
        local, server = int(rng.choice([1, 5, 20])), float(rng.choice([1.0, 3.0]))
        yield TinyWorld(features, truth, rng.dirichlet(np.ones(2), agents), each, local, server)


def mean_gaps(world: TinyWorld, protocol: str, path: int) -> tuple[float, float]:
    """Return two numbers, means over all datasets at the start and after as many rounds as col:convex states. On path 1
    they are the squared distance from the minimiser (after the rounds an upper bound on it), on path 2 the number of
    samples times the objective minus its minimum."""
    plan, agents = schedule(protocol, world.call(path)), len(world.laws)
    n = agents * world.each
    size, total = plan.step / (world.local * world.server), np.zeros(2)
    for chance, data in world.datasets():
        controls = np.zeros((agents, len(world.truth))) if protocol == "scaffold_sgd" else None
        moments = local_moments.run(data, world.local, size, world.server, controls)
        zero = np.zeros_like(data.mean.minimisers)
        if path == 1:
            found = data.mean.distance(zero), 2 / data.mean.mu * moments.gap_after(plan.rounds)
        else:  # q = 1 - mu h/2 at mu = 2/n
            found = n * data.mean.gap(zero), n * moments.weighted_gap(plan.rounds, 1 - plan.step / n)
        total += chance * np.array(found)
    return float(total[0]), float(total[1])


def reached(task: Task, shrink: float = 1.0) -> Evidence:
    """Compare the mean error of FedAvg and SCAFFOLD with stochastic gradients with the required accuracy, after as many
    rounds as col:convex states, on ridge problems with a few samples. The error is the objective minus its minimum, or
    the squared distance from the minimiser. A comparison is vacuous if the start is already as accurate. Negative
    control, which must fail: a smaller allowed error."""
    rows: list[dict[str, Any]] = []

    def ratios() -> Iterator[Ratio]:
        for world, protocol, path in ((w, p, r) for w in worlds(task) for p in NOISY for r in PATHS):
            call = world.call(path)
            rounds = schedule(protocol, call).rounds
            start, found = mean_gaps(world, protocol, path)
            row = {
                "protocol": protocol,
                "path": path,
                "M": len(world.laws),
                "n": call.n,
                "d": len(world.truth),
            }
            row |= {"rounds": rounds, "start": start, "gap": found, "target": call.reach}
            rows.append(row | {"vacuous": start <= call.reach})
            if start > call.reach:
                yield Ratio(found, call.reach, f"{protocol}, path {path}, n = {call.n}, R = {rounds}")
        if all(row["vacuous"] for row in rows):
            yield Ratio(rows[0]["gap"], rows[0]["target"], "a start that is as good")

    found = judged(ratios(), "mean gap or distance after the row's rounds, over all data and batches", shrink)
    left_out = sum(row["vacuous"] for row in rows)
    said = f"{found.summary}; {left_out} of {len(rows)} left out as vacuous (the start is as good)"
    figures = dict(found.figures) | {"rows": rows}
    return replace(found, summary=said, figures=figures, vacuous=left_out == len(rows))
