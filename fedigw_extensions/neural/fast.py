"""Run all local steps of an agent in one compiled function. This optional fast path needs the extra `fast` (numba).

It equals network.py step by step up to the order of sums, which a test checks. Features are gathered four rows at a
time and weights are changed feature by feature, so that each is read and written once per step.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from bounds.errors import InputError
from fedigw_extensions.neural.network import Interactions, Perceptron

FASTMATH = {"reassoc", "contract", "nsz"}  # sums may be reordered; NaN and infinity stay what they are


def available() -> bool:
    try:
        import numba  # noqa: F401
    except ImportError:
        return False
    return True


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
    """Move the weights y (D,) in place by len(places) gradient steps. places (steps, batch): the samples of each step.
    pull: the strength of FedProx's pull towards `point`, the server's weights. correction: a vector that is added to
    every gradient, as in SCAFFOLD, or None."""
    kind = point.dtype.type
    table = data.table
    extra = correction if correction is not None else np.zeros(0, dtype=point.dtype)
    _compiled()(
        y,
        point,
        np.ascontiguousarray(extra, dtype=point.dtype),
        table.feature_starts,
        table.feature_indices,
        data.rows,
        data.arms,
        data.rewards.astype(point.dtype),
        places,
        kind(step_size),
        kind(pull),
        (network.dimension, network.width, network.arms),
    )


@cache
def _compiled() -> Callable[..., None]:
    try:
        from numba import njit
    except ImportError:
        raise InputError("engine", "numba", "needs the extra `fast`: pip install -e '.[fast]'") from None
    jitted: Callable[..., None] = njit(fastmath=FASTMATH, cache=True)(_walk)
    return jitted


def _walk(
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
) -> None:
    d, width, count = shape
    steps, batch = places.shape
    second_at = d * width + width
    first = y[: d * width].reshape(d, width)
    bias = y[d * width : second_at]
    second = y[second_at : second_at + count * width].reshape(count, width)
    last = y[second_at + count * width :]
    raw = np.empty((batch, width), y.dtype)
    back = np.empty((batch, width), y.dtype)
    slope = np.empty(batch, y.dtype)
    most = 0
    for r in range(starts.size - 1):
        most = max(most, starts[r + 1] - starts[r])
    begin = np.zeros(d + 1, np.int32)
    fill = np.empty(d, np.int32)
    sample = np.empty(most * batch, np.int32)
    for s in range(steps):
        begin[:] = 0
        for i in range(batch):
            row = rows[places[s, i]]
            q, end = starts[row], starts[row + 1]
            for k in range(q, end):
                begin[indices[k] + 1] += 1
            z = raw[i]
            for j in range(width):
                z[j] = bias[j]
            while q + 4 <= end:
                w0, w1 = first[indices[q]], first[indices[q + 1]]
                w2, w3 = first[indices[q + 2]], first[indices[q + 3]]
                for j in range(width):
                    z[j] += (w0[j] + w1[j]) + (w2[j] + w3[j])
                q += 4
            while q < end:
                w0 = first[indices[q]]
                for j in range(width):
                    z[j] += w0[j]
                q += 1
        for f in range(d):
            begin[f + 1] += begin[f]
            fill[f] = begin[f]
        for i in range(batch):
            place = places[s, i]
            row, arm, z = rows[place], arms[place], raw[i]
            for k in range(starts[row], starts[row + 1]):
                f = indices[k]
                sample[fill[f]] = i
                fill[f] += 1
            value = last[arm]
            for j in range(width):
                value += max(z[j], 0) * second[arm, j]
            slope[i] = -step * 2 * (value - rewards[place]) / batch
            for j in range(width):
                back[i, j] = slope[i] * second[arm, j] if z[j] > 0 else 0
        if pull != 0:
            for k in range(y.size):
                y[k] -= step * pull * (y[k] - x[k])
        if correction.size:
            for k in range(y.size):
                y[k] -= step * correction[k]
        for i in range(batch):
            arm, z = arms[places[s, i]], raw[i]
            last[arm] += slope[i]
            for j in range(width):
                second[arm, j] += slope[i] * max(z[j], 0)
                bias[j] += back[i, j]
        for f in range(d):
            w = first[f]
            q, end = begin[f], begin[f + 1]
            while q + 4 <= end:
                g0, g1, g2, g3 = (
                    back[sample[q]],
                    back[sample[q + 1]],
                    back[sample[q + 2]],
                    back[sample[q + 3]],
                )
                for j in range(width):
                    w[j] += (g0[j] + g1[j]) + (g2[j] + g3[j])
                q += 4
            while q < end:
                g0 = back[sample[q]]
                for j in range(width):
                    w[j] += g0[j]
                q += 1
