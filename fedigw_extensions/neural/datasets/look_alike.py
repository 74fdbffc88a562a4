"""Generate a look-alike of a real data set: a random table of the same shape. Nothing measured on it is a result on
real data.

The table has the same number of rows, features and labels, the same mean number of features and labels per row, and
the same frequency of the most frequent label. The frequency of a label is a power of its rank. Every label has
features of its own, so labels can be learned from features about as well as in the original.
"""

from typing import Any

import numpy as np

from bounds.errors import InputError, choose
from fedigw_extensions.neural.datasets.known import KNOWN
from fedigw_extensions.neural.datasets.multilabel import MultiLabel

WORDS = 12  # a label's own words
OWN = 0.5  # the probability, at most, with which a row that carries the label has each of them
SHARE = 0.6  # of a row's features, at most, that come from its labels


def look_alike(
    of: str, seed: int, rows: int | None = None, features: int | None = None, labels: int | None = None
) -> MultiLabel:
    """Return a random table with the shape of the data set `of`; rows, features and labels may make it smaller. The
    table depends on these arguments only."""
    known = KNOWN[choose("data.look_alike", of, KNOWN)]
    rows, features, labels = rows or known.rows, features or known.features, labels or known.labels
    for field, value, least in (("rows", rows, 1), ("features", features, 2), ("labels", labels, 2)):
        if not least <= value <= 1_000_000 or rows * max(features, labels) > 500_000_000:
            raise InputError(f"data.{field}", value, f"must be at least {least}, and the table below 4 GB")
    rng = np.random.default_rng([seed, rows, features, labels])
    frequency = _power(labels, known.best_constant_arm, min(known.labels_per_row, labels / 4))
    true = rng.random((rows, labels)) < frequency
    bare = ~true.any(axis=1)
    true[bare, rng.choice(labels, int(bare.sum()), p=frequency / frequency.sum())] = True
    own = rng.integers(0, features, (labels, min(WORDS, features)))
    words = np.zeros((rows, features), dtype=bool)
    wanted = min(known.features_per_row, features / 4)
    chance = min(OWN, SHARE * wanted / (true.sum() / rows * own.shape[1]))
    for row, label in np.argwhere(true):
        words[row, own[label][rng.random(own.shape[1]) < chance]] = True
    left = max(wanted - words.sum() / rows, 1.0)
    popularity = _power(features, min(0.5, 20 * left / features), left)
    words |= rng.random((rows, features)) < rng.permutation(popularity)
    about: dict[str, Any] = dict(look_alike=of, rows=rows, features=features, labels=labels, seed=seed)
    return MultiLabel(
        f"look-alike of {of}", features, labels, *_compressed(words), *_compressed(true), about=about
    )


def _power(size: int, first: float, total: float) -> np.ndarray:
    """Return decreasing numbers first * rank^-s, shape (size,), with sum `total`; s is found by bisection."""
    rank = np.arange(1, size + 1, dtype=float)
    low, high = 0.0, 20.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if (first * rank**-middle).sum() > total else (low, middle)
    return np.asarray(first * rank**-low)


def _compressed(table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    starts = np.concatenate([[0], np.cumsum(table.sum(axis=1))]).astype(np.int32)
    return starts, np.nonzero(table)[1].astype(np.int32)
