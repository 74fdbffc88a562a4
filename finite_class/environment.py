"""A finite-class world for the federation loop: one agent, one epoch at a time.

An epoch of E steps enters only through counts N[x,a] ~ Multinomial(E, D(x) p(a|x)) and reward sums, so its cost
is O(|X| K) whatever E is. `stepwise` draws every step instead: the reference that the fast way is tested against.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from bounds.errors import InputError
from fedigw.interfaces import Experience
from finite_class.instance import FiniteClassInstance
from finite_class.losses import LossTable, loss_table
from finite_class.tables import Tables, reward_law, tables


@dataclass(frozen=True)
class CellCounts:
    """A local dataset: samples (C,) and sums of reward numerators (C,) per cell, C = |X| K."""

    counts: np.ndarray
    sums: np.ndarray


@dataclass(frozen=True)
class Rewards:
    """points (C, J): reward numerators over the loss table's denominator. chances (C, J)."""

    points: np.ndarray
    chances: np.ndarray

    def draw_sums(self, counts: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Sums of reward numerators for counts (..., C)."""
        if self.points.shape[1] == 1:
            return counts * self.points[:, 0]
        if self.points.shape[1] == 2:
            high = rng.binomial(counts, self.chances[:, 1])
            return (counts - high) * self.points[:, 0] + high * self.points[:, 1]
        drawn = rng.multinomial(counts, self.chances)
        return (drawn * self.points).sum(axis=-1)


def rewards(instance: FiniteClassInstance, table: LossTable) -> Rewards:
    values, chances = reward_law(instance)
    samples = max(sum(row) for row in instance.plan.full)
    if samples * table.denominator >= 2**62:
        raise InputError(
            "functions",
            f"common denominator {table.denominator}",
            f"too large for {samples} samples an epoch",
        )
    points = np.array([int(v * table.denominator) for v in values.ravel()], dtype=np.int64)
    return Rewards(points.reshape(-1, values.shape[-1]), chances.astype(float).reshape(-1, values.shape[-1]))


class FiniteClassEnvironment:
    """Models are states: the index of a function, or |F| for the initial one."""

    def __init__(self, instance: FiniteClassInstance, stepwise: bool = False) -> None:
        self.instance = instance
        self.stepwise = stepwise
        self._tables: Tables = tables(instance, exact=False)
        self._rewards = rewards(instance, loss_table(instance))

    @property
    def arms(self) -> tuple[int, ...]:
        return self.instance.arms

    def initial_model(self) -> int:
        return self._tables.initial

    def describe(self, model: int) -> Any:
        return "initial" if model == self._tables.initial else int(model)

    def play(
        self, agent: int, model: int, learning_rate: float, full: int, played: int, rng: np.random.Generator
    ) -> Experience:
        kernel = self._tables.kernel(self._tables.arms[agent], learning_rate)
        regret = played * float(self._tables.regret_rate(agent, kernel)[model])
        draw = self._step_by_step if self.stepwise else self._by_counts
        return Experience(draw(agent, kernel[model], full, rng), regret)

    def _by_counts(self, agent: int, kernel: np.ndarray, steps: int, rng: np.random.Generator) -> CellCounts:
        counts = rng.multinomial(steps, (kernel * self._tables.laws[agent][:, None]).ravel())
        return CellCounts(counts, self._rewards.draw_sums(counts, rng))

    def _step_by_step(
        self, agent: int, kernel: np.ndarray, steps: int, rng: np.random.Generator
    ) -> CellCounts:
        contexts, arms = kernel.shape
        counts, sums = np.zeros(contexts * arms, dtype=np.int64), np.zeros(contexts * arms, dtype=np.int64)
        for _ in range(steps):
            context = rng.choice(contexts, p=self._tables.laws[agent])
            arm = rng.choice(arms, p=kernel[context])
            cell = context * arms + arm
            counts[cell] += 1
            sums[cell] += rng.choice(self._rewards.points[cell], p=self._rewards.chances[cell])
        return CellCounts(counts, sums)
