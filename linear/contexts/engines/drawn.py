"""The sphere's steps with every coordinate of every arm drawn: the reference that the faster engines are tested
against, and the price of merely drawing the contexts."""

from __future__ import annotations

import math

import numpy as np

from linear.contexts.engines.plane import choose_arms, draw_rewards
from linear.contexts.sphere import Lane

CHUNK_NUMBERS = 120_000


def draw_contexts(rng: np.random.Generator, out: np.ndarray) -> None:
    """Fill `out` (K, n, d-1) with standard normals: directions before they are scaled to the sphere."""
    rng.standard_normal(dtype=np.float32, out=out)


def lane(job: Lane, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, float]:
    K, d, root = job.arms, job.dimension, math.sqrt(0.5)
    size = max(1, CHUNK_NUMBERS // (K * (d - 1)))
    # one product gives scores and means: columns estimate, parameter
    both = np.stack([job.estimate[1:], job.parameter[1:]], axis=1).astype(np.float32)
    gram, moment, regret = np.zeros((d, d)), np.zeros(d), 0.0
    for start in range(0, job.steps, size):
        n = min(size, job.steps - start)
        block = np.empty((K, n, d - 1), dtype=np.float32)
        draw_contexts(rng, block)
        inverse = 1 / np.sqrt(np.einsum("kni,kni->kn", block, block))
        values = (block.reshape(-1, d - 1) @ both).reshape(K, n, 2)
        arm, lost = choose_arms(
            values[..., 0] * inverse, values[..., 1] * inverse, np.float32(job.learning_rate * root), rng
        )
        regret += float(lost[: max(0, min(n, job.counted - start))].sum(dtype=float)) * root
        steps = np.arange(n)
        picked = np.empty((n, d))
        picked[:, 0] = root
        picked[:, 1:] = block[arm, steps] * (root * inverse[arm, steps])[:, None]
        reward = draw_rewards(picked @ job.parameter, job.rewards, rng)
        gram += picked.T @ picked
        moment += reward @ picked
    return gram, moment, regret
