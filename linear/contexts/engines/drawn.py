"""Play steps with contexts on the sphere by drawing every coordinate of every arm, for any policy.

Tests compare faster engines with this one, and benchmarks take its time as the cost of drawing contexts.
"""

import math

import numpy as np

from fedigw.rewards import draw
from fedigw.running import DataError
from linear.contexts.sphere import Lane, Played, Tally

CHUNK_NUMBERS = 120_000
ROUNDING = 1e-9  # of a mean reward


def draw_contexts(rng: np.random.Generator, out: np.ndarray) -> None:
    rng.standard_normal(dtype=np.float32, out=out)


def on_sphere(n: int, K: int, d: int, rng: np.random.Generator) -> np.ndarray:
    """Draw n contexts of K arms with features (1, u)/sqrt2, where u is uniform on the unit sphere, shape (n, K, d)."""
    block = np.empty((n, K, d - 1), dtype=np.float32)
    draw_contexts(rng, block)
    features, root = np.empty((n, K, d)), math.sqrt(0.5)
    features[..., 0] = root
    lengths = np.sqrt(np.einsum("nki,nki->nk", block, block))
    if not lengths.all():  # all coordinates drawn as 0: once in some millions of steps with d = 2
        block[lengths == 0], lengths[lengths == 0] = 1.0, math.sqrt(d - 1)
    features[..., 1:] = block * (root / lengths)[..., None]
    return features


def lane(job: Lane, rng: np.random.Generator) -> Played:
    K, d = job.arms, job.dimension
    size = max(1, CHUNK_NUMBERS // (K * d))
    tally = Tally(job)
    for start in range(0, job.steps, size):
        n = min(size, job.steps - start)
        features = on_sphere(n, K, d, rng) if job.draw is None else job.draw(n, rng)
        probabilities = job.act(features)
        mean = job.loss.link(features @ job.parameter)
        if job.draw is not None and not (mean.min() >= -ROUNDING and mean.max() <= 1 + ROUNDING):
            raise DataError(f"contexts have mean rewards {mean.min():.6g} to {mean.max():.6g}, outside [0,1]")
        lost = mean.max(axis=1) - np.einsum("nk,nk->n", probabilities, mean)
        # the arm is the number of partial sums that the uniform reaches; rounding may leave the last sum below 1
        reached = np.cumsum(probabilities, axis=1)
        arm = np.minimum((rng.random(n)[:, None] >= reached).sum(axis=1), K - 1)
        picked = features[np.arange(n), arm]
        chosen = job.loss.link(picked @ job.parameter)
        tally.add(start, picked.T, draw(chosen, job.rewards, rng), lost)
    return tally.total()
