"""The sphere's steps fused into one compiled loop (extra `fast`): the plane engine's law.

A point (a, b) uniform in the unit disc has a uniform direction and, independent of it, a squared length that is uniform
on [0,1]: one accepted pair serves as the angle and as the U of the plane engine, and (Marsaglia's polar method) makes
two normals. Uniforms are xoshiro256++ (Blackman, Vigna 2019) inlined: a call into numpy's generator costs more.
"""

from __future__ import annotations

import math

import numba
import numpy as np

from bounds.errors import InputError
from linear.contexts.engines.plane import plane_basis
from linear.contexts.sphere import Lane, Played

POWER_FROM = 24  # degrees beyond which one power is cheaper than many uniforms
REWARDS = {"bernoulli": 0, "deterministic": 1, "two_point": 2}


def lane(job: Lane, rng: np.random.Generator) -> Played:
    if job.rewards not in REWARDS:
        raise InputError("rewards", job.rewards, "must be one of " + ", ".join(REWARDS))
    d, pieces = job.dimension, len(job.pieces)
    basis = plane_basis(job.estimate, job.parameter)
    plane = min(2, d - 1)
    slope, truth = np.zeros(2), np.zeros(2)
    slope[:plane] = basis[:, :plane].T @ job.estimate[1:]
    truth[:plane] = basis[:, :plane].T @ job.parameter[1:]
    many = pieces if job.apart else 1
    gram, moment, lost = np.zeros((many, d, d)), np.zeros((many, d)), np.zeros(pieces)
    _steps(
        rng.integers(1, 2**63, size=4, dtype=np.uint64),
        job.arms,
        d,
        slope,
        truth,
        float(job.parameter[0]),
        job.learning_rate * math.sqrt(0.5),
        np.array(job.pieces, dtype=np.int64),
        REWARDS[job.rewards],
        gram,
        moment,
        lost,
    )
    gram += np.triu(gram, 1).transpose(0, 2, 1)
    turn = np.eye(d)
    turn[1:, 1:] = basis
    return Played(turn @ gram @ turn.T, moment @ turn.T, lost)


@numba.njit(nogil=True, inline="always")
def _pair(state: np.ndarray) -> tuple[float, float]:
    """xoshiro256++: two uniforms in [0,1) of 32 bits each (numpy's float32 ones have 24)."""
    a, b, c, d = state[0], state[1], state[2], state[3]
    total = a + d
    result = ((total << np.uint64(23)) | (total >> np.uint64(41))) + a
    shifted = b << np.uint64(17)
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = (d << np.uint64(45)) | (d >> np.uint64(19))
    state[0], state[1], state[2], state[3] = a, b, c, d
    high, low = result >> np.uint64(32), result & np.uint64(0xFFFFFFFF)
    return float(high) * 2.3283064365386963e-10, float(low) * 2.3283064365386963e-10


@numba.njit(nogil=True, inline="always")
def _uniform(state: np.ndarray) -> float:
    return _pair(state)[0]


@numba.njit(nogil=True, fastmath={"contract", "arcp", "nsz"}, cache=True)
def _steps(
    state: np.ndarray,
    arms: int,
    d: int,
    slope: np.ndarray,
    truth: np.ndarray,
    intercept: float,
    rate: float,
    pieces: np.ndarray,
    rewards: int,
    gram: np.ndarray,
    moment: np.ndarray,
    lost: np.ndarray,
) -> None:
    """Adds the upper triangle of the Gram matrices (G, d, d) and the moments (G, d) in the plane's basis, and regret
    (P,): of each of the P pieces, or G = 1 of all."""
    root = math.sqrt(0.5)
    plane = min(2, d - 1)
    rest = d - 1 - plane
    first, second, tails = np.zeros(arms), np.zeros(arms), np.zeros(arms)
    weight, mean = np.empty(arms), np.empty(arms)
    exponent = 2.0 / max(rest, 1)
    picked = np.empty(d)
    picked[0] = root
    piece, left = -1, 0
    for _ in range(pieces.sum()):
        while left == 0:
            piece += 1
            left = pieces[piece]
        left -= 1
        own = piece if len(gram) > 1 else 0
        top, greedy, best = -math.inf, 0, -math.inf
        for k in range(arms):
            if plane == 1:
                first[k] = 1.0 if _uniform(state) < 0.5 else -1.0
            else:
                square = 2.0
                while square >= 1 or square == 0:
                    x, y = _pair(state)
                    x, y = 2 * x - 1, 2 * y - 1
                    square = x * x + y * y
                if rest > POWER_FROM:
                    tails[k] = square**exponent
                elif rest:
                    # U^{2/rest} has distribution function t^{rest/2}: the largest of rest/2 uniforms, with a squared
                    # one (t^{1/2}) for an odd rest; a power costs as much as twenty of them
                    largest = square if rest > 1 else 0.0
                    more = rest // 2 - 1
                    for _pair_number in range(more // 2):
                        x1, y1 = _pair(state)
                        largest = max(largest, max(x1, y1))
                    if more > 0 and more % 2:
                        largest = max(largest, _uniform(state))
                    if rest % 2:
                        largest = max(largest, _uniform(state) ** 2)
                    tails[k] = largest
                scale = math.sqrt((1 - tails[k]) / square)
                first[k], second[k] = x * scale, y * scale
            score = slope[0] * first[k] + slope[1] * second[k]
            weight[k] = score
            mean[k] = truth[0] * first[k] + truth[1] * second[k]
            best = max(best, mean[k])
            if score > top:
                top, greedy = score, k
        uniform = _uniform(state)
        reached, arm, expected = 0.0, -1, 0.0
        for k in range(arms):
            chance = 1 / (arms + rate * (top - weight[k]))
            reached += chance
            expected += chance * mean[k]
            if arm < 0 and uniform < reached:
                arm = k
        if arm < 0:
            arm = greedy
        lost[piece] += root * (best - expected - (1 - reached) * mean[greedy])
        picked[1] = root * first[arm]
        if plane == 2:
            picked[2] = root * second[arm]
        if rest:
            size = 0.0
            for i in range(0, rest, 2):
                square = 2.0
                while square >= 1 or square == 0:
                    x, y = _pair(state)
                    x, y = 2 * x - 1, 2 * y - 1
                    square = x * x + y * y
                scale = math.sqrt(-2 * math.log(square) / square)
                picked[1 + plane + i] = x * scale
                size += (x * scale) ** 2
                if i + 1 < rest:
                    picked[2 + plane + i] = y * scale
                    size += (y * scale) ** 2
            scale = root * math.sqrt(tails[arm] / size)
            for i in range(rest):
                picked[1 + plane + i] *= scale
        reward = root * (intercept + mean[arm])
        if rewards == 0:
            reward = 1.0 if _uniform(state) < reward else 0.0
        elif rewards == 2:
            spread = min(reward, 1 - reward)
            reward += spread if _uniform(state) < 0.5 else -spread
        for i in range(d):
            moment[own, i] += reward * picked[i]
            for j in range(i, d):
                gram[own, i, j] += picked[i] * picked[j]
