"""Compute, in rationals, both sides of the paper's lemmas that bound the regret in one epoch by the epoch before.

No data are needed: the lemmas hold for every true function and every pair of estimates. "Before" is epoch l-1, whose
estimate determines the arm probabilities with which it is played; "now" is epoch l. For a policy let Reg be its true
regret, and Reghat its regret if the epoch's estimate were true. S[.] is the sum over agents of epoch length times a
regret.

    a            the supremum over policies of S[Reg - 2 Reghat] now
    b, b_before  the supremum over policies of S[Reghat - 2 Reg] now and before
    gamma        the learning rate now; r is the learning rate before divided by gamma
    w            the sum over agents of epoch length times number of arms, divided by gamma
    ratio_max    the largest growth of an agent's epoch length; c is ratio_max divided by the smallest growth
    Err          the squared error of the estimate of epoch l, summed over the steps of epoch l-1

The lemmas, with a free number s > 0 in `carried`:

    first_half    a <= (4/3)(w/(4c) + (ratio_max r/(4c)) b_before + 4 c gamma ratio_max Err)
    second_half   b <= w/(4c) + a/4 + (ratio_max r/(4c)) b_before + 4 c gamma ratio_max Err
    carried       a part of the bounds: 2sw + 2s r ratio_max b_before + (gamma/4s) ratio_max Err
"""

from dataclasses import dataclass
from fractions import Fraction

from finite_class.lemmas.sides import Row, Sides, Table, arm_probabilities, gaps, mixed


@dataclass(frozen=True)
class AgentCells:
    """One agent's contexts and estimates in two consecutive epochs, for X contexts and K arms.

    contexts                (X,): probabilities
    truth, before, now      (X, K): true mean rewards, and the estimates of the first and the second epoch
    length_before, length   steps of the two epochs
    """

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
    """Two consecutive epochs of all agents. rate_before, rate: their learning rates gamma."""

    agents: tuple[AgentCells, ...]
    rate_before: Fraction
    rate: Fraction

    @property
    def growth(self) -> tuple[Fraction, Fraction]:
        """Return the largest and the smallest growth of an agent's epoch length (second divided by first)."""
        ratios = [Fraction(a.length, a.length_before) for a in self.agents]
        return max(ratios), min(ratios)

    @property
    def asynchrony(self) -> Fraction:
        largest, smallest = self.growth
        return largest / smallest

    @property
    def arms_per_rate(self) -> Fraction:
        return sum((Fraction(a.length * a.arms) for a in self.agents), Fraction(0)) / self.rate


def supremum(world: TwoEpochs, before: bool, true_weight: Fraction, virtual_weight: Fraction) -> Fraction:
    """Return the largest value over policies of true_weight x (true regret) + virtual_weight x (estimated regret),
    summed over all agents' steps of an epoch. The estimated regret is what the policy would lose if the epoch's
    estimate were true. before: whether the epoch is the first of the two instead of the second."""
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
    """Return the squared error of the second epoch's estimate, summed over all agents' steps of the first epoch."""
    total = Fraction(0)
    for agent in world.agents:
        played = [arm_probabilities(row, world.rate_before) for row in agent.before]
        rows = zip(agent.now, agent.truth, strict=True)
        squares = [[(n - t) ** 2 for n, t in zip(now, truth, strict=True)] for now, truth in rows]
        total += agent.length_before * mixed(agent.contexts, played, squares)
    return total


def mixture_regret(world: TwoEpochs) -> Fraction:
    """Return the regret of inverse gap weighting in the second epoch, given its estimate, over all agents and steps."""
    total = Fraction(0)
    for agent in world.agents:
        played = [arm_probabilities(row, world.rate) for row in agent.now]
        total += agent.length * mixed(agent.contexts, played, [gaps(row) for row in agent.truth])
    return total


# lem:true_virtual_loss: two functions for the repaired form, one for the sharpened form.


def first_half(world: TwoEpochs) -> Sides:
    """Return both sides of the first half of lem:true_virtual_loss, as repaired. It bounds by how much the true regret
    of a policy in the second epoch can exceed twice its estimated regret (if the estimate were true)."""
    largest, c = world.growth[0], world.asynchrony
    before = supremum(world, True, Fraction(-2), Fraction(1))
    right = _leading(world) + largest * world.rate_before / (4 * c * world.rate) * before
    return Sides(supremum(world, False, Fraction(1), Fraction(-2)), Fraction(4, 3) * right)


def second_half(world: TwoEpochs) -> Sides:
    """Return both sides of the second half of lem:true_virtual_loss, as repaired. It bounds by how much the estimated
    regret of a policy in the second epoch (if the estimate were true) can exceed twice its true regret."""
    largest, c = world.growth[0], world.asynchrony
    before = supremum(world, True, Fraction(-2), Fraction(1))
    a = supremum(world, False, Fraction(1), Fraction(-2))
    right = _leading(world) + a / 4 + largest * world.rate_before / (4 * c * world.rate) * before
    return Sides(supremum(world, False, Fraction(-2), Fraction(1)), right)


def sharpened_induction(world: TwoEpochs, t: Fraction) -> Sides:
    """Return both sides of lem:true_virtual_loss as sharpened, for a free number t with 0 < t < 1/c. It bounds by how
    much the estimated regret of a policy in the second epoch (if the estimate were true) can exceed A times its true
    regret, where A = 1/(1 - ct). c is the largest growth of an agent's epoch length divided by the smallest."""
    inflation = 1 / (1 - world.asynchrony * t)
    return Sides(supremum(world, False, -inflation, Fraction(1)), carried(world, t, inflation))


def _leading(world: TwoEpochs) -> Fraction:
    c = world.asynchrony
    return world.arms_per_rate / (4 * c) + 4 * c * world.rate * world.growth[0] * squared_error(world)


def carried(world: TwoEpochs, split: Fraction, inflation: Fraction) -> Fraction:
    """Return 2sw + 2s r g b + (gamma/4s) g Err, the part of a regret bound of the second epoch that is due to the
    first.

    s      any positive number, `split`
    w      sum over agents of steps x arms, divided by the learning rate gamma of the second epoch
    r, g   first learning rate divided by gamma; largest growth of an agent's epoch length
    b      supremum over policies of (estimated regret - inflation x true regret) in the first epoch
    Err    squared error of the second estimate"""
    largest = world.growth[0]
    before = supremum(world, True, -inflation, Fraction(1))
    return (
        2 * split * world.arms_per_rate
        + 2 * split * world.rate_before / world.rate * largest * before
        + world.rate / (4 * split) * largest * squared_error(world)
    )


def sharpened_epoch_regret(world: TwoEpochs, s: Fraction, t: Fraction) -> Sides:
    """Return both sides of lem:epoch_regret_bound as sharpened, for any positive s and t with c(s + t) < 1. The bound
    on the regret of the second epoch is A (B + D), where A = 1/(1 - cs/(1 - ct)), B = (sum over agents of steps x (arms
    - 1))/(learning rate) and D is the value of `carried` with split s. c is the largest growth of an agent's epoch
    length divided by the smallest."""
    inflation = 1 / (1 - world.asynchrony * t)
    absorbed = 1 / (1 - world.asynchrony * s * inflation)
    # what lem:q_loss_bound, sharpened, leaves of the estimated regret
    explored = sum((Fraction(a.length * (a.arms - 1)) for a in world.agents), Fraction(0)) / world.rate
    return Sides(mixture_regret(world), absorbed * (explored + carried(world, s, inflation)))
