"""The sphere's steps with only what they need drawn: exact in distribution, far fewer numbers.

Scores and means of all arms need only u's projection on the plane of estimate and parameter. For u uniform on the unit
sphere of R^s that projection has a uniform angle and, independent of it, a squared length 1 - U^{2/(s-2)}, U uniform:
Beta(1, (s-2)/2). Only the chosen arm's feature enters the Gram matrix, so only its remaining coordinates are drawn:
a uniform direction, independent of the rest, of squared length U^{2/(s-2)}.
"""

from __future__ import annotations

import math

import numpy as np

from fedigw.rewards import draw
from linear.contexts.sphere import Kept, Lane, gathered

CHUNK = 20_000  # arm draws at once: arrays of 80 kB, so that a chunk stays in cache


def plane_basis(estimate: np.ndarray, parameter: np.ndarray) -> np.ndarray:
    """(s, s) orthonormal columns, s = d-1, of which the first min(2, s) span the slopes of estimate and parameter."""
    slopes = np.column_stack([estimate[1:], parameter[1:], np.eye(len(parameter) - 1)])
    return np.asarray(
        np.linalg.qr(slopes)[0]
    )  # triangular factor: each slope uses its own and earlier columns only


def lane(job: Lane, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, float, Kept]:
    K, d, root = job.arms, job.dimension, math.sqrt(0.5)
    basis = plane_basis(job.estimate, job.parameter)
    plane = min(2, d - 1)
    rest = d - 1 - plane
    slope = (basis[:, :plane].T @ job.estimate[1:]).astype(np.float32)
    truth = (basis[:, :plane].T @ job.parameter[1:]).astype(np.float32)
    rate = np.float32(job.learning_rate * root)
    rotated = np.concatenate([job.parameter[:1], basis.T @ job.parameter[1:]])
    gram, moment, regret = np.zeros((d, d)), np.zeros(d), 0.0
    kept: list[tuple[np.ndarray, np.ndarray]] = []
    size = max(1, CHUNK // K)
    for start in range(0, job.steps, size):
        n = min(size, job.steps - start)
        z, tail = draw_projections(rng, plane, rest, K, n)
        score, mean = slope[0] * z[0], truth[0] * z[0]
        if plane == 2:
            score += slope[1] * z[1]
            mean += truth[1] * z[1]
        arm, lost = choose_arms(score, mean, rate, rng)
        regret += float(lost[: max(0, min(n, job.counted - start))].sum(dtype=float)) * root
        steps = np.arange(n)
        picked = np.empty((n, d))
        picked[:, 0] = root
        picked[:, 1 : 1 + plane] = root * z[:, arm, steps].T
        if rest:
            away = rng.standard_normal((n, rest), dtype=np.float32)
            scale = root * np.sqrt(tail[arm, steps] / np.einsum("ni,ni->n", away, away))
            picked[:, 1 + plane :] = away * scale[:, None]
        reward = draw(picked @ rotated, job.rewards, rng)
        gram += picked.T @ picked
        moment += reward @ picked
        if job.keep:
            kept.append((picked, reward))
    turn = np.eye(d)
    turn[1:, 1:] = basis
    return turn @ gram @ turn.T, turn @ moment, regret, gathered(kept, turn)


def draw_projections(
    rng: np.random.Generator, plane: int, rest: int, arms: int, steps: int
) -> tuple[np.ndarray, np.ndarray]:
    """z (plane, K, n): projections of uniform directions; tail (K, n): squared length of what they leave out."""
    if plane == 1:
        return np.where(rng.random((1, arms, steps)) < 0.5, -1, 1).astype(np.float32), np.zeros((arms, steps))
    angle = rng.random((arms, steps), dtype=np.float32)
    angle *= np.float32(2 * math.pi)
    z = np.stack([np.cos(angle), np.sin(angle)])
    tail = np.zeros((arms, steps), dtype=np.float32)
    if rest:
        rng.random(dtype=np.float32, out=tail)
        np.power(tail, np.float32(2 / rest), out=tail)
        z *= np.sqrt(1 - tail)
    return z, tail


def choose_arms(
    score: np.ndarray, mean: np.ndarray, learning_rate: np.float32, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Inverse gap weighting with arms along the first axis (K, n): the arm drawn and the expected regret, (n,).

    Weights 1/(K + gamma gap) of all arms, the greedy one's 1/K included, sum to at most 1: the rest is greedy's too.
    """
    arms = len(score)
    greedy = score.argmax(axis=0)
    steps = np.arange(score.shape[1])
    weight = score[greedy, steps] - score
    weight *= learning_rate
    weight += arms
    np.reciprocal(weight, out=weight)
    uniform = rng.random(score.shape[1], dtype=np.float32)
    reached = np.zeros(score.shape[1], dtype=np.float32)
    arm = np.zeros(score.shape[1], dtype=np.intp)
    for row in weight:
        reached += row
        arm += uniform >= reached
    np.copyto(arm, greedy, where=arm == arms)
    lost = mean.max(axis=0) - np.einsum("kn,kn->n", weight, mean) - (1 - reached) * mean[greedy, steps]
    return arm, lost
