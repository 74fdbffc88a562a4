"""Define a multi-label table: rows of binary features, and the labels that are true for each row.

As a bandit, a row is a context, a label is an arm, and its reward is 1 if the label is true. So the expected rewards
are the label table, without noise.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np


@dataclass(frozen=True, eq=False)
class MultiLabel:
    """A table of N rows with d binary features and K labels, stored as compressed rows.

    * feature_starts, feature_indices: row i has the features feature_indices[feature_starts[i]:feature_starts[i+1]]
    * label_starts, label_indices: the same for the labels
    * about: the value of `data` in an instance file that describes the table
    * digest: SHA-256 of the files the table was read from; empty for generated data
    """

    name: str
    dimension: int
    arms: int
    feature_starts: np.ndarray
    feature_indices: np.ndarray
    label_starts: np.ndarray
    label_indices: np.ndarray
    about: Any = None
    digest: Mapping[str, str] = field(default_factory=dict)

    @property
    def rows(self) -> int:
        return len(self.feature_starts) - 1

    @cached_property
    def features(self) -> Any:
        """Return the features (N, d) as a scipy matrix of compressed rows in single precision."""
        from scipy.sparse import csr_matrix

        ones = np.ones(len(self.feature_indices), dtype=np.float32)
        return csr_matrix(
            (ones, self.feature_indices, self.feature_starts), shape=(self.rows, self.dimension)
        )

    @cached_property
    def alike(self) -> np.ndarray:
        """Return, for each row, the first row with the same features, shape (N,)."""
        bits = np.packbits(self.features.toarray().astype(bool), axis=1)
        _, first, inverse = np.unique(bits, axis=0, return_index=True, return_inverse=True)
        return np.asarray(first[inverse.ravel()], dtype=np.int32)

    def labels_of(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the labels of the given rows (n,), joined to one array, and the number of labels of each row."""
        starts, counts = self.label_starts[rows], np.diff(self.label_starts)[rows]
        shift = np.repeat(starts - np.cumsum(counts) + counts, counts)
        return self.label_indices[shift + np.arange(counts.sum())], counts

    @cached_property
    def longest_row(self) -> int:
        return int(np.diff(self.feature_starts).max(initial=0))

    @cached_property
    def labels(self) -> np.ndarray:
        """Return the labels as truth values, shape (N, K). They are also the expected rewards."""
        table = np.zeros((self.rows, self.arms), dtype=bool)
        table[np.repeat(np.arange(self.rows), np.diff(self.label_starts)), self.label_indices] = True
        return table

    @cached_property
    def best(self) -> np.ndarray:
        """Return the largest reward of each row, shape (N,): 1, or 0 if no label is true."""
        return (np.diff(self.label_starts) > 0).astype(float)

    @property
    def uniform_reward(self) -> float:
        """Return the mean reward of an arm drawn uniformly."""
        return len(self.label_indices) / (self.rows * self.arms)

    @property
    def best_constant(self) -> float:
        """Return the mean reward of the most frequent label."""
        return float(np.bincount(self.label_indices, minlength=self.arms).max()) / self.rows

    def facts(self) -> dict[str, Any]:
        """Return sizes and mean rewards of the table, for a list of data sets."""
        return {
            "rows": self.rows,
            "features": self.dimension,
            "labels": self.arms,
            "features_per_row": len(self.feature_indices) / self.rows,
            "labels_per_row": len(self.label_indices) / self.rows,
            "unlabelled_rows": int((np.diff(self.label_starts) == 0).sum()),
            "uniform_reward": self.uniform_reward,
            "best_constant_arm": self.best_constant,
        }
