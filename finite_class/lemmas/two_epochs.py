"""Two consecutive epochs with any estimates, in exact rationals, and both sides of the pathwise lemmas about them.

No data are needed: the lemmas hold for every truth f*, every estimate fhat^{l-1} (which sets the arm probabilities of
the epoch that produced the data) and every estimate fhat^l. Only the learning rate of lem:learning_rate needs a mean.
"""

from dataclasses import dataclass
from fractions import Fraction

from finite_class.lemmas.sides import Row, Sides, Table, arm_probabilities, gaps, mixed


@dataclass(frozen=True)
class AgentCells:
    """The tables of one agent. contexts (X,): probabilities. truth, before, now (X, K): f*, fhat^{l-1}, fhat^l."""

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
    """Two epochs of all agents. rate_before: gamma^{l-1}, which shaped the play of epoch l-1. rate: gamma^l."""

    agents: tuple[AgentCells, ...]
    rate_before: Fraction
    rate: Fraction

    @property
    def growth(self) -> tuple[Fraction, Fraction]:
        """Return the largest and the smallest E^l_m / E^{l-1}_m."""
        ratios = [Fraction(a.length, a.length_before) for a in self.agents]
        return max(ratios), min(ratios)

    @property
    def asynchrony(self) -> Fraction:
        """Return c_l, the ratio of the largest and the smallest growth."""
        largest, smallest = self.growth
        return largest / smallest

    @property
    def arms_per_rate(self) -> Fraction:
        """Return w = S^l / gamma^l."""
        return sum((Fraction(a.length * a.arms) for a in self.agents), Fraction(0)) / self.rate


def supremum(world: TwoEpochs, before: bool, true_weight: Fraction, virtual_weight: Fraction) -> Fraction:
    """Return sup over policies of S[true_weight Reg + virtual_weight Reghat], a sum over agents and contexts."""
    total = Fraction(0)
    for agent in world.agents:
        tables = zip(agent.contexts, agent.truth, agent.before if before else agent.now, strict=True)
        length = agent.length_before if before else agent.length
        for chance, truth, estimate in tables:
            pairs = zip(gaps(truth), gaps(estimate), strict=True)
            most = max(true_weight * true + virtual_weight * virtual for true, virtual in pairs)
            total += length * chance * most
    return total


def squared_error(world: TwoEpochs) -> Fraction:
    """Return Err^{l-1} = sum_m E^{l-1}_m E_{x, a ~ p^{l-1}}(fhat^l - f*)^2."""
    total = Fraction(0)
    for agent in world.agents:
        played = [arm_probabilities(row, world.rate_before) for row in agent.before]
        rows = zip(agent.now, agent.truth, strict=True)
        squares = [[(n - t) ** 2 for n, t in zip(now, truth, strict=True)] for now, truth in rows]
        total += agent.length_before * mixed(agent.contexts, played, squares)
    return total


def mixture_regret(world: TwoEpochs) -> Fraction:
    """Return S^l[Reg_Q], the regret of epoch l given fhat^l, over all agents."""
    total = Fraction(0)
    for agent in world.agents:
        played = [arm_probabilities(row, world.rate) for row in agent.now]
        total += agent.length * mixed(agent.contexts, played, [gaps(row) for row in agent.truth])
    return total


# lem:true_virtual_loss. With a = sup S[Reg - 2 Reghat] and b = sup S[Reghat - 2 Reg] over policies: repaired, a and b
# of epoch l from b of epoch l-1, each with the sup inside the induction; sharpened, b = sup S[Reghat - A2 Reg],
# A2 = 1/(1 - ct), any split t.


def first_half(world: TwoEpochs) -> Sides:
    """Return the sides of: a <= (4/3)(w/(4c) + (ratio_max r/(4c)) b_before + 4 c gamma ratio_max Err)."""
    largest, c = world.growth[0], world.asynchrony
    before = supremum(world, True, Fraction(-2), Fraction(1))
    right = _leading(world) + largest * world.rate_before / (4 * c * world.rate) * before
    return Sides(supremum(world, False, Fraction(1), Fraction(-2)), Fraction(4, 3) * right)


def second_half(world: TwoEpochs) -> Sides:
    """Return the sides of: b <= w/(4c) + a/4 + (ratio_max r/(4c)) b_before + 4 c gamma ratio_max Err."""
    largest, c = world.growth[0], world.asynchrony
    before = supremum(world, True, Fraction(-2), Fraction(1))
    a = supremum(world, False, Fraction(1), Fraction(-2))
    right = _leading(world) + a / 4 + largest * world.rate_before / (4 * c * world.rate) * before
    return Sides(supremum(world, False, Fraction(-2), Fraction(1)), right)


def sharpened_induction(world: TwoEpochs, t: Fraction) -> Sides:
    """Return the sides of: sup S[Reghat - A2 Reg] = b <= 2tw + 2t r ratio_max b_before + (gamma/4t) ratio_max Err."""
    inflation = 1 / (1 - world.asynchrony * t)
    return Sides(supremum(world, False, -inflation, Fraction(1)), carried(world, t, inflation))


def _leading(world: TwoEpochs) -> Fraction:
    c = world.asynchrony
    return world.arms_per_rate / (4 * c) + 4 * c * world.rate * world.growth[0] * squared_error(world)


def carried(world: TwoEpochs, split: Fraction, inflation: Fraction) -> Fraction:
    """Return the contribution of epoch l-1 at a split s: 2sw + 2s r ratio_max b_before + (gamma/4s) ratio_max Err."""
    largest = world.growth[0]
    before = supremum(world, True, -inflation, Fraction(1))
    return (
        2 * split * world.arms_per_rate
        + 2 * split * world.rate_before / world.rate * largest * before
        + world.rate / (4 * split) * largest * squared_error(world)
    )


def sharpened_epoch_regret(world: TwoEpochs, s: Fraction, t: Fraction) -> Sides:
    """Return the sides of lem:epoch_regret_bound, sharpened, for any splits s, t. S[Reg_Q] <= A1 (sum_m E_m (K_m -
    1)/gamma + 2sw + 2s r ratio_max b_before + (gamma/4s) ratio_max Err)."""
    inflation = 1 / (1 - world.asynchrony * t)
    absorbed = 1 / (1 - world.asynchrony * s * inflation)
    # what lem:q_loss_bound, sharpened, leaves of the estimated regret
    explored = sum((Fraction(a.length * (a.arms - 1)) for a in world.agents), Fraction(0)) / world.rate
    return Sides(mixture_regret(world), absorbed * (explored + carried(world, s, inflation)))
