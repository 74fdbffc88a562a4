"""Two consecutive epochs of any estimates, in exact rationals: what the pathwise lemmas compare.

No data are needed: the lemmas hold for every truth f*, every estimate fhat^{l-1} (which sets the kernel of the
epoch that produced the data) and every estimate fhat^l. Only the learning rate of lem:learning_rate needs a mean.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from bounds.igw import inverse_gap_weights

Row = tuple[Fraction, ...]
Table = tuple[Row, ...]  # contexts x arms


@dataclass(frozen=True)
class AgentCells:
    """contexts: (X,) probabilities. truth, before, now: (X, K) tables of f*, fhat^{l-1}, fhat^l."""

    contexts: Row
    truth: Table
    before: Table
    now: Table
    length_before: int = 1
    length: int = 1

    @property
    def arms(self) -> int:
        return len(self.truth[0])


@dataclass(frozen=True)
class TwoEpochs:
    """rate_before = gamma^{l-1} shapes the kernel that played epoch l-1; rate = gamma^l."""

    agents: tuple[AgentCells, ...]
    rate_before: Fraction
    rate: Fraction

    @property
    def growth(self) -> tuple[Fraction, Fraction]:
        """(largest, smallest) E^l_m / E^{l-1}_m."""
        ratios = [Fraction(a.length, a.length_before) for a in self.agents]
        return max(ratios), min(ratios)

    @property
    def asynchrony(self) -> Fraction:
        """c_l."""
        largest, smallest = self.growth
        return largest / smallest

    @property
    def arms_per_rate(self) -> Fraction:
        """w = S^l / gamma^l."""
        return sum((Fraction(a.length * a.arms) for a in self.agents), Fraction(0)) / self.rate


@dataclass(frozen=True)
class Sides:
    """An inequality left <= right at one instance."""

    left: Fraction
    right: Fraction

    @property
    def holds(self) -> bool:
        return self.left <= self.right

    @property
    def ratio(self) -> float:
        return float(self.left / self.right) if self.right else (0.0 if self.left <= 0 else float("inf"))


def kernel(row: Sequence[Fraction], rate: Fraction) -> Row:
    """(K,) inverse gap weighting in rationals."""
    return tuple(inverse_gap_weights(np.array(row, dtype=object), rate))


def gaps(row: Sequence[Fraction]) -> Row:
    """(K,) distance of each arm from the best."""
    return tuple(max(row) - value for value in row)


def average(contexts: Row, value: Callable[[int], Fraction]) -> Fraction:
    """E_x value(x)."""
    return sum((p * value(x) for x, p in enumerate(contexts)), Fraction(0))


def supremum(world: TwoEpochs, before: bool, true_weight: Fraction, virtual_weight: Fraction) -> Fraction:
    """sup over policies of S[true_weight Reg + virtual_weight Reghat], which separates over agents and contexts."""
    total = Fraction(0)
    for agent in world.agents:
        table = agent.before if before else agent.now
        length = agent.length_before if before else agent.length

        def best(x: int, agent: AgentCells = agent, table: Table = table) -> Fraction:
            pairs = zip(gaps(agent.truth[x]), gaps(table[x]), strict=True)
            return max(true_weight * true + virtual_weight * virtual for true, virtual in pairs)

        total += length * average(agent.contexts, best)
    return total


def squared_error(world: TwoEpochs) -> Fraction:
    """Err^{l-1} = sum_m E^{l-1}_m E_{x, a ~ p^{l-1}}(fhat^l - f*)^2."""
    total = Fraction(0)
    for agent in world.agents:

        def inside(x: int, agent: AgentCells = agent) -> Fraction:
            played = kernel(agent.before[x], world.rate_before)
            return sum(
                (p * (n - t) ** 2 for p, n, t in zip(played, agent.now[x], agent.truth[x], strict=True)),
                Fraction(0),
            )

        total += agent.length_before * average(agent.contexts, inside)
    return total


def mixture_regret(world: TwoEpochs) -> Fraction:
    """S^l[Reg_Q]: the regret of epoch l given fhat^l, over all agents."""
    total = Fraction(0)
    for agent in world.agents:

        def inside(x: int, agent: AgentCells = agent) -> Fraction:
            played = kernel(agent.now[x], world.rate)
            return sum((p * g for p, g in zip(played, gaps(agent.truth[x]), strict=True)), Fraction(0))

        total += agent.length * average(agent.contexts, inside)
    return total


def first_half(world: TwoEpochs) -> Sides:
    """a <= (4/3)(w/(4c) + (ratio_max r/(4c)) b_before + 4 c gamma ratio_max Err): lem:true_virtual_loss, repaired."""
    largest, c = world.growth[0], world.asynchrony
    before = supremum(world, True, Fraction(-2), Fraction(1))
    right = _leading(world) + largest * world.rate_before / (4 * c * world.rate) * before
    return Sides(supremum(world, False, Fraction(1), Fraction(-2)), Fraction(4, 3) * right)


def second_half(world: TwoEpochs) -> Sides:
    """b <= w/(4c) + a/4 + (ratio_max r/(4c)) b_before + 4 c gamma ratio_max Err: the other half."""
    largest, c = world.growth[0], world.asynchrony
    before = supremum(world, True, Fraction(-2), Fraction(1))
    a = supremum(world, False, Fraction(1), Fraction(-2))
    right = _leading(world) + a / 4 + largest * world.rate_before / (4 * c * world.rate) * before
    return Sides(supremum(world, False, Fraction(-2), Fraction(1)), right)


def repaired_epoch_regret(world: TwoEpochs) -> Sides:
    """S[Reg_Q] <= 2 S[Reghat_Q] + a, each by its bound: lem:epoch_regret_bound, repaired."""
    return Sides(mixture_regret(world), 2 * explored(world) + first_half(world).right)


def explored(world: TwoEpochs) -> Fraction:
    """What lem:q_loss_bound, sharpened, leaves of the estimated regret: sum_m E_m (K_m - 1)/gamma."""
    return sum((Fraction(a.length * (a.arms - 1)) for a in world.agents), Fraction(0)) / world.rate


def _leading(world: TwoEpochs) -> Fraction:
    c = world.asynchrony
    return world.arms_per_rate / (4 * c) + 4 * c * world.rate * world.growth[0] * squared_error(world)


def sharpened_induction(world: TwoEpochs, t: Fraction) -> Sides:
    """b <= 2tw + 2t r ratio_max b_before + (gamma/4t) ratio_max Err with b = sup S[Reghat - A2 Reg]."""
    inflation = 1 / (1 - world.asynchrony * t)
    return Sides(supremum(world, False, -inflation, Fraction(1)), _tail(world, t, inflation))


def sharpened_epoch_regret(world: TwoEpochs, s: Fraction, t: Fraction) -> Sides:
    """S[Reg_Q] <= A1 (sum_m E_m (K_m - 1)/gamma + 2sw + 2s r ratio_max b_before + (gamma/4s) ratio_max Err)."""
    inflation = 1 / (1 - world.asynchrony * t)
    absorbed = 1 / (1 - world.asynchrony * s * inflation)
    return Sides(mixture_regret(world), absorbed * (explored(world) + _tail(world, s, inflation)))


def _tail(world: TwoEpochs, split: Fraction, inflation: Fraction) -> Fraction:
    largest = world.growth[0]
    before = supremum(world, True, -inflation, Fraction(1))
    return (
        2 * split * world.arms_per_rate
        + 2 * split * world.rate_before / world.rate * largest * before
        + world.rate / (4 * split) * largest * squared_error(world)
    )
