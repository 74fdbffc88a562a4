"""What a learner that sees all labels reaches: the ceilings that bandit rewards stand beside.

Contexts of a run come from the same rows as these learners were trained on, so both numbers are given: on the rows of
training, and on a third of the rows that was held out.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fedigw_extensions.neural.datasets.multilabel import MultiLabel
from fedigw_extensions.neural.supervised import perceptron, ridge

HELD_OUT = 3  # every third row


def ceilings(data: MultiLabel, seed: int = 0, epochs: int = 20, width: int = 256) -> dict[str, Any]:
    """Share of rows whose highest score belongs to a true label, for ridge and for the fully supervised perceptron."""
    order = np.random.default_rng(seed).permutation(data.rows)
    held, kept = np.sort(order[::HELD_OUT]), np.sort(np.delete(order, np.s_[::HELD_OUT]))
    found = {}
    for name, learn in (("ridge", ridge), ("perceptron", perceptron)):
        scores = learn(data, kept, seed, epochs, width)
        found[name] = {"in_sample": _hits(data, scores, kept), "held_out": _hits(data, scores, held)}
    return {"ceilings": found | {"possible": float(data.best.mean())}}


def _hits(data: MultiLabel, scores: Any, rows: np.ndarray) -> float:
    best = np.concatenate(
        [scores(part).argmax(axis=1) for part in np.array_split(rows, max(1, len(rows) // 512))]
    )
    return round(float(data.labels[rows, best].mean()), 4)
