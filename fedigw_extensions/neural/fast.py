"""Compiled loops over sparse rows: local gradient steps, the first layer of a network for many rows, and draws of
arms.

Importing this module needs numba (optional package `fast`). Each function equals its numpy counterpart up to the order
of sums, which tests check. Weights are processed eight at a time and feature by feature, so that each is read and
written once per step.
"""

from typing import Any

import numpy as np
from numba import njit

from fedigw_extensions.neural.datasets.multilabel import MultiLabel
from fedigw_extensions.neural.network import Interactions, Perceptron

# sums may be reordered; NaN and infinity stay what they are
compiled: Any = njit(fastmath={"reassoc", "contract", "nsz"}, cache=True)
BLOCK = 32  # arms whose probabilities are summed before one of them is looked for


def walk(
    network: Perceptron,
    point: np.ndarray,
    y: np.ndarray,
    data: Interactions,
    places: np.ndarray,
    step_size: float,
    pull: float,
    correction: np.ndarray | None,
) -> None:
    """Change the weights y (D,) in place by one gradient step on each batch of samples. places (steps, batch): the
    samples' indices. point: the server's weights. pull, correction: as in `move` of local.py."""
    kind, table = point.dtype.type, data.table
    extra = correction if correction is not None else np.zeros(0, dtype=point.dtype)
    _steps(
        *(y, point, np.ascontiguousarray(extra, dtype=point.dtype)),
        *(table.feature_starts, table.feature_indices),
        *(data.rows, data.arms, data.rewards.astype(point.dtype), places, kind(step_size), kind(pull)),
        *((network.dimension, network.width, network.arms), table.longest_row),
    )


def average(
    network: Perceptron,
    point: np.ndarray,
    table: MultiLabel,
    data: tuple[np.ndarray, np.ndarray, np.ndarray],
    places: np.ndarray,
    step_size: float,
    pull: float,
) -> np.ndarray:
    """Return the mean of the agents' weights (D,) after local steps from `point`: one round of FedAvg or FedProx.

    * data: rows, arms and rewards of all agents, each (M, n)
    * places (M, steps, batch): the samples of each step
    * pull: the strength of FedProx's pull towards `point`
    """
    kind, found = point.dtype.type, np.zeros_like(point)
    _average(
        *(found, np.empty_like(point), point, table.feature_starts, table.feature_indices, *data, places),
        *(kind(step_size), kind(pull), (network.dimension, network.width, network.arms), table.longest_row),
    )
    return found


def first_layer(weights: np.ndarray, bias: np.ndarray, table: MultiLabel, rows: np.ndarray) -> np.ndarray:
    """Return the values of the first layer at some rows of the table, shape (n, H) for H hidden units."""
    found = np.empty((len(rows), len(bias)), dtype=bias.dtype)
    _gather(weights, bias, table.feature_starts, table.feature_indices, rows, found)
    return found


def draw(probabilities: np.ndarray, rows: np.ndarray, uniform: np.ndarray) -> np.ndarray:
    """Return an arm for each uniform number, shape (n,): the first whose cumulative probability exceeds that number.
    rows: the row of `probabilities` (N, K) to use for each number, in increasing order."""
    arms = np.empty(len(uniform), dtype=np.int32)
    _draw(probabilities, rows, uniform, arms)
    return arms


@compiled
def _draw(probabilities: Any, rows: Any, uniform: Any, arms: Any) -> None:
    count, latest = probabilities.shape[1], -1
    blocks = (count + BLOCK - 1) // BLOCK
    sums = np.zeros(blocks, probabilities.dtype)
    total = 0.0
    for i in range(rows.size):
        p = probabilities[rows[i]]
        if rows[i] != latest:
            latest, total = rows[i], 0.0
            for b in range(blocks):
                part = p[0] * 0
                for a in range(b * BLOCK, min((b + 1) * BLOCK, count)):
                    part += p[a]
                sums[b] = part
                total += part
        left, b = uniform[i] * total, 0
        while b < blocks - 1 and left >= sums[b]:
            left -= sums[b]
            b += 1
        a, last = b * BLOCK, min((b + 1) * BLOCK, count) - 1
        while a < last and left >= p[a]:
            left -= p[a]
            a += 1
        arms[i] = a


@compiled
def _gather(first: Any, bias: Any, starts: Any, indices: Any, rows: Any, found: Any) -> None:
    for i in range(rows.size):
        q, end, z = starts[rows[i]], starts[rows[i] + 1], found[i]
        z[:] = bias
        while q + 8 <= end:
            w0, w1 = first[indices[q]], first[indices[q + 1]]
            w2, w3 = first[indices[q + 2]], first[indices[q + 3]]
            w4, w5 = first[indices[q + 4]], first[indices[q + 5]]
            w6, w7 = first[indices[q + 6]], first[indices[q + 7]]
            for j in range(bias.size):
                z[j] += ((w0[j] + w1[j]) + (w2[j] + w3[j])) + ((w4[j] + w5[j]) + (w6[j] + w7[j]))
            q += 8
        while q < end:
            w0 = first[indices[q]]
            for j in range(bias.size):
                z[j] += w0[j]
            q += 1


@compiled
def _average(
    found: Any,
    y: Any,
    x: Any,
    starts: Any,
    indices: Any,
    rows: Any,
    arms: Any,
    rewards: Any,
    places: Any,
    step: Any,
    pull: Any,
    shape: Any,
    longest: Any,
) -> None:
    y[:] = x
    for m in range(len(rows)):
        _steps(
            y, x, x[:0], starts, indices, rows[m], arms[m], rewards[m], places[m], step, pull, shape, longest
        )
        for k in range(y.size):
            found[k] += y[k]
            y[k] = x[k]
    found /= x.dtype.type(len(rows))


@compiled
def _steps(
    y: Any,
    x: Any,
    correction: Any,
    starts: Any,
    indices: Any,
    rows: Any,
    arms: Any,
    rewards: Any,
    places: Any,
    step: Any,
    pull: Any,
    shape: Any,
    longest: Any,
) -> None:
    d, width, count = shape
    steps, batch = places.shape
    second_at = d * width + width
    first = y[: d * width].reshape(d, width)
    bias = y[d * width : second_at]
    second = y[second_at : second_at + count * width].reshape(count, width)
    last = y[second_at + count * width :]
    raw, back = np.empty((batch, width), y.dtype), np.empty((batch, width), y.dtype)
    slope, picked = np.empty(batch, y.dtype), np.empty(batch, np.int32)
    begin, fill = np.empty(d + 1, np.int32), np.empty(d, np.int32)
    sample = np.empty(longest * batch, np.int32)
    for s in range(steps):
        begin[:] = 0
        for i in range(batch):
            picked[i] = rows[places[s, i]]
            for k in range(starts[picked[i]], starts[picked[i] + 1]):
                begin[indices[k] + 1] += 1
        _gather(first, bias, starts, indices, picked, raw)
        for f in range(d):
            begin[f + 1] += begin[f]
            fill[f] = begin[f]
        for i in range(batch):
            place = places[s, i]
            arm, z, b = arms[place], raw[i], back[i]
            v, value = second[arm], last[arm]
            for k in range(starts[picked[i]], starts[picked[i] + 1]):
                f = indices[k]
                sample[fill[f]] = i
                fill[f] += 1
            for j in range(width):
                value += max(z[j], 0) * v[j]
            g = -step * 2 * (value - rewards[place]) / batch
            slope[i] = g
            for j in range(width):
                b[j] = g * v[j] if z[j] > 0 else 0
        if pull != 0:
            for k in range(y.size):
                y[k] -= step * pull * (y[k] - x[k])
        if correction.size:
            for k in range(y.size):
                y[k] -= step * correction[k]
        for i in range(batch):
            arm, z, b, g = arms[places[s, i]], raw[i], back[i], slope[i]
            last[arm] += g
            v = second[arm]
            for j in range(width):
                v[j] += g * max(z[j], 0)
                bias[j] += b[j]
        for f in range(d):
            w, q, end = first[f], begin[f], begin[f + 1]
            while q + 4 <= end:
                g0, g1 = back[sample[q]], back[sample[q + 1]]
                g2, g3 = back[sample[q + 2]], back[sample[q + 3]]
                for j in range(width):
                    w[j] += (g0[j] + g1[j]) + (g2[j] + g3[j])
                q += 4
            while q < end:
                g0 = back[sample[q]]
                for j in range(width):
                    w[j] += g0[j]
                q += 1
