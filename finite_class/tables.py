"""The numbers of a finite-class world as arrays, for simulation in floats and exact computations in rationals.

The first axis S of an array is the function in use: entries 0..|F|-1 are the functions, entry |F| is the initial zero
function. Arrays have dtype float64, or object with Fractions.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from fedigw.interfaces import Number, Policy


@dataclass(frozen=True)
class Tables:
    """The numbers of a finite-class world as arrays, for M agents, X contexts and K arms. S is |F| + 1: the functions,
    then the zero function.

    scores   (S, X, K): values of all functions
    truth    (X, K): true mean rewards
    laws     (M, X): each agent's probabilities of contexts
    arms     the arm indices of each agent
    regret   (M, X, K): mean reward of the agent's best arm minus that of the arm; 0 for arms that the agent does not
             have
    """

    scores: np.ndarray
    truth: np.ndarray
    laws: np.ndarray
    arms: tuple[tuple[int, ...], ...]
    regret: np.ndarray

    @property
    def initial(self) -> int:
        return int(self.scores.shape[0]) - 1

    def probabilities(self, policy: Policy, arms: tuple[int, ...], rate: Number) -> np.ndarray:
        """Return the policy's arm probabilities for each of the S functions that may be in use, shape (S, X, K). They
        are zero outside `arms`. rate: the policy's learning rate."""
        found = 0 * self.scores
        found[..., list(arms)] = policy.probabilities(self.scores[..., list(arms)], rate)
        return found

    def regret_rate(self, agent: int, probabilities: np.ndarray) -> np.ndarray:
        """Return the expected regret of one step of an agent for each of the S functions that may be in use, shape
        (S,). probabilities: (S, X, K), the arm probabilities with each of them."""
        return ((probabilities * self.regret[agent]).sum(axis=2) * self.laws[agent]).sum(axis=1)

    def regret_rates(self, own: tuple[int, ...], laws: np.ndarray, probabilities: np.ndarray) -> np.ndarray:
        """Return the expected regret of one step for each of G distributions of contexts and each of the S functions
        that may be in use, shape (G, S). laws: (G, X), the distributions, of agents whose arms are `own`.
        probabilities: (S, X, K), the arm probabilities with each function."""
        lost = (probabilities * self.regret[self.arms.index(own)]).sum(axis=2)  # (S, X)
        chunk = max(1, 1_000_000 // lost.size)
        parts = [
            (lost[None] * laws[start : start + chunk, None, :]).sum(axis=2)
            for start in range(0, len(laws), chunk)
        ]
        return np.concatenate(parts)

    def virtual_regret(self, agent: int) -> np.ndarray:
        """Return the regret that each arm would have if the function in use were true, shape (S, X, K)."""
        return _gap(self.scores, self.arms[agent])


def tables(world: Any, exact: bool) -> Tables:
    """Return the numbers of a FiniteWorld as arrays, of Fractions if `exact`, else of floats."""
    dtype = object if exact else float
    functions = np.array(world.functions, dtype=object)
    zero = np.full((1, *functions.shape[1:]), Fraction(0), dtype=object)
    scores = np.concatenate([functions, zero]).astype(dtype)
    arms = tuple(agent.arms for agent in world.agents)
    truth = scores[world.truth]
    # agents that share a law share its conversion
    laws = {id(agent.contexts): agent.contexts for agent in world.agents}
    rows = {key: np.array(law, dtype=object).astype(dtype) for key, law in laws.items()}
    gaps = {own: _gap(truth, own) for own in set(arms)}
    if len(gaps) == 1:  # one table that all agents read
        regret = np.broadcast_to(gaps[arms[0]], (len(arms), *truth.shape))
    else:
        regret = np.stack([gaps[own] for own in arms])
    return Tables(
        scores=scores,
        truth=truth,
        laws=np.stack([rows[id(agent.contexts)] for agent in world.agents]),
        arms=arms,
        regret=regret,
    )


Rows = tuple[tuple[int, ...], ...]  # epochs x agents


def merged(arrays: Tables, *plans: Rows) -> tuple[Tables, list[Rows]]:
    """Merge agents with the same arms and distribution of contexts into one agent, which plays the steps of all. Return
    the new arrays and the new numbers of steps. plans: numbers of steps, epochs x agents."""
    groups: dict[tuple[Any, ...], list[int]] = {}
    for agent, own in enumerate(arrays.arms):
        groups.setdefault((own, *arrays.laws[agent]), []).append(agent)
    first = [members[0] for members in groups.values()]
    one_each = replace(
        arrays,
        laws=arrays.laws[first],
        arms=tuple(arrays.arms[agent] for agent in first),
        regret=arrays.regret[first],
    )
    rows = [
        tuple(tuple(sum(row[agent] for agent in members) for members in groups.values()) for row in plan)
        for plan in plans
    ]
    return one_each, rows


def _gap(scores: np.ndarray, arms: tuple[int, ...]) -> np.ndarray:
    own = list(arms)
    gap = 0 * scores
    gap[..., own] = np.max(scores[..., own], axis=-1, keepdims=True) - scores[..., own]
    return gap
