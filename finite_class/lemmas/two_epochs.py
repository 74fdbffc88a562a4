"""Two consecutive epochs of any estimates, in exact rationals: what the pathwise lemmas compare.

No data are needed: the lemmas hold for every truth f*, every estimate fhat^{l-1} (which sets the arm probabilities of
the epoch that produced the data) and every estimate fhat^l. Only the learning rate of lem:learning_rate needs a mean.
"""

from dataclasses import dataclass
from fractions import Fraction

from finite_class.lemmas.sides import Row, Table, arm_probabilities, average, gaps


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
    """rate_before = gamma^{l-1} shapes the arm probabilities that played epoch l-1; rate = gamma^l."""

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
            played = arm_probabilities(agent.before[x], world.rate_before)
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
            played = arm_probabilities(agent.now[x], world.rate)
            return sum((p * g for p, g in zip(played, gaps(agent.truth[x]), strict=True)), Fraction(0))

        total += agent.length * average(agent.contexts, inside)
    return total
