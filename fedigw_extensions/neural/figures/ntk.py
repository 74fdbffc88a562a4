"""Compute confidence widths from the neural tangent features of a network's last layer, as a stand-in for FN-UCB.

FN-UCB (Dai et al. 2023) uses the gradient of the network in all p weights at the start of training and a p x p matrix;
p is half a million here. The gradient in the last layer is the vector h(x) of hidden units, in the block of the played
arm only. So the matrix has one H x H block for each arm. Each block is projected to the RANK main directions of h over
the table: V_a = lambda I + sum phi phi' over the samples of arm a, of all agents, with phi scaled to mean squared norm
1.

As in FN-UCB there are two predictions, the linear one phi' V_a^{-1} sum(phi r) and that of the averaged network, each
with the width sqrt(lambda phi' V_a^{-1} phi). The weight of the second grows from 0 to 1 over the first 700 steps, as
in the released code. Unlike in FN-UCB, widths are renewed after an FL call, not after every step.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from fedigw_extensions.neural.datasets.multilabel import MultiLabel
from fedigw_extensions.neural.network import Perceptron

RANK = 8
LAMBDA = 0.1  # as in the released code
GROWING = 700  # steps until only the network predicts


@dataclass
class LastLayer:
    """The tangent features of a network's last layer and the statistics of every arm; N rows, K arms, r features.

    * features (N, r): the feature vector phi of every row; pairs (N, r r): phi phi'
    * spread (K, r, r): the matrix V_a of each arm; inverse (r r, K): its inverse
    * moments (K, r): the sum of phi times reward; predictor (r, K): V_a^{-1} times moments
    """

    features: np.ndarray
    pairs: np.ndarray
    spread: np.ndarray
    moments: np.ndarray
    inverse: np.ndarray
    predictor: np.ndarray

    @classmethod
    def at(cls, network: Perceptron, start: np.ndarray, data: MultiLabel, rank: int = RANK) -> "LastLayer":
        """Return the statistics before any sample. start (D,): the first weights of the network, at which features are
        computed. rank: the number of features."""
        hidden = network.hidden(start, data.features)
        rank = min(rank, network.width)
        _, directions = np.linalg.eigh(hidden.T.astype(float) @ hidden)
        features = hidden @ directions[:, -rank:].astype(hidden.dtype)
        features /= np.sqrt((features**2).sum(axis=1).mean())
        pairs = (features[:, :, None] * features[:, None, :]).reshape(data.rows, -1)
        spread = np.tile(LAMBDA * np.eye(rank), (data.arms, 1, 1))
        found = cls(features, pairs, spread, np.zeros((data.arms, rank)), np.zeros(0), np.zeros(0))
        found._renew()
        return found

    def add(self, rows: np.ndarray, arms: np.ndarray, rewards: np.ndarray, setting: Any) -> int:
        """Add the samples (n,) of all agents. Return how many numbers the agents send and receive for this."""
        from scipy.sparse import csr_matrix

        count, rank = self.moments.shape
        which = csr_matrix((np.ones(len(rows)), (arms, np.arange(len(rows)))), shape=(count, len(rows)))
        self.spread += (which @ self.pairs[rows]).reshape(self.spread.shape)
        self.moments += which @ (self.features[rows] * rewards[:, None])
        self._renew()
        return int(2 * setting.agents * count * (rank * (rank + 1) // 2 + rank))

    def _renew(self) -> None:
        kind, inverse = self.features.dtype, np.linalg.inv(self.spread)
        self.inverse = LAMBDA * inverse.reshape(len(inverse), -1).T.astype(kind)
        self.predictor = np.einsum("kij,kj->ik", inverse, self.moments).astype(kind)

    def bounds(self, rows: np.ndarray, scores: np.ndarray, steps: int) -> tuple[np.ndarray, np.ndarray]:
        """Return predictions (n, K), a weighted mean of two predictors, and their confidence widths (n, K). scores: the
        network's predictions. steps: how many each agent has played."""
        weight = scores.dtype.type(min(1.0, steps / GROWING))
        mixed = (
            scores if weight == 1 else weight * scores + (1 - weight) * (self.features[rows] @ self.predictor)
        )
        return mixed, np.sqrt(np.maximum(self.pairs[rows] @ self.inverse, 0))
