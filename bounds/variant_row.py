"""The type `Variant`, an entry of bounds.variants, and the two forms that every bound for epochs ending at 2^l has.

M agents with K arms play T steps, E^l of them in epoch l. first_step is the bound on a step of epoch 1, e_{l-1} the
excess risk e(n) of the model learned from the n samples of epoch l-1, and C/g the constant for learning rates
gamma^l = g sqrt(K/e_{l-1}).

    epoch sum     first_step M E^1 + sum_{l>=2} (C/g) sqrt(K e_{l-1}) M E^l      (capped: no epoch above M E^l)
    closed form   2 M first_step + (C/g) (2 + sqrt2) sqrt(K M T n e(n))          (T >= 3; n <= M T/2 inside a logarithm)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from bounds.arithmetic import Value, is_symbolic, ratio, sqrt
from bounds.best import regret
from bounds.best.constant import best
from bounds.epoch_charges import Charge, Multiplier
from bounds.epoch_sum import EpochSum
from bounds.own_lower_bound import Exploration
from bounds.schedules import EpochPlan, doubling_plan
from bounds.symbols import symbol


@dataclass(frozen=True)
class Ratio:
    """The c of a variant, a ratio that measures how unequally epochs grow. under_doubling: its value for agents with
    the same epochs, which end at steps 2, 4, 8, ... reading: what is compared in it, in words."""

    under_doubling: int
    reading: str


@dataclass(frozen=True)
class LearningRate:
    """The learning-rate rule gamma = g sqrt(Kbar/e), Kbar the mean number of arms and e the excess risk of the epoch
    before, with the variant's g, which is fixed before the horizon is known. multiplier_squared: computes g^2.
    formula: the rule in words for K arms each (hypothesis H4). multiplier: g^2 in words, if it is not 1. general:
    g^2 in words for any ratio c of growths."""

    name: str
    multiplier_squared: Multiplier
    formula: str
    multiplier: str = ""
    general: str = "1"


@dataclass(frozen=True)
class FiniteRisk:
    """The mean excess risk e(n) of the exact minimiser over a class of |F| functions, before clipping, and n e(n) as
    `coefficient`. Both take (|F|, n). words: e(n) as text."""

    mean: Callable[[Value, Value], Value]
    coefficient: Callable[[Value, Value], Value]
    words: str


@dataclass(frozen=True)
class RidgeRisk:
    """The mean excess risk of ridge regression in a variant. mean(d, n, heterogeneous, norm^2): the risk after n
    samples. coefficient(d, heterogeneous, norm^2): at least n times it. heterogeneous: whether the agents' laws
    differ. norm^2: a bound on norm(omega*)^2, omega* the true parameter. with_solver(e, delta): the risk with a
    solver of tolerance delta, from the risk e of the exact minimiser. stated: whether the constant is known. halves:
    whether the risk is taken as C/n, which halves when the samples double, even where C/(n+1) is proved."""

    mean: Callable[[Value, Value, bool, Value], Value]
    coefficient: Callable[[Value, bool, Value], Value]
    with_solver: Callable[[Value, Value], Value]
    stated: bool = True
    halves: bool = False


Hypotheses = Callable[["Variant", int, float], tuple[str, ...]]  # of (row, K, c)


def doubling_hypotheses(row: Variant, arms: int, c: float) -> tuple[str, ...]:
    """Return, as sentences, what a variant assumes beyond the hypotheses H1-H5 of thm:global_regret, for epochs that
    end at steps 2, 4, 8, ...: the schedule, the excess risk, and c, which measures how unequally epochs grow."""
    risk = "min(1, A/n)" if row.clipped else "A/n"
    doubling, between = row.c.under_doubling, c / row.c.under_doubling
    if between == 1:
        lengths = "every agent's epochs have 2, 2, 4, 8, ... steps (tau^l = 2^l)"
    else:
        lengths = "epochs of 2, 2, 4, 8, ... steps per agent on average (W^l = M E^l); agents may differ"
    ratio = f"growths E^l_m/E^(l-1)_m within an epoch that differ between agents by a factor of at most {between:g}"
    return (
        lengths,
        f"e_l = {risk} after the n = M E^l samples of epoch l",
        f"{ratio}; c = {c:g} ({row.c.reading})" + (f": {doubling} times that" if doubling > 1 else ""),
        f"H4 with g^2 = {row.learning_rate.general}",
    )


@dataclass(frozen=True)
class Variant:
    """One variant of the regret bounds.

    c                the ratio that measures how unequally epochs grow
    over_g(c, K)     the constant C/g of lem:epoch_regret_bound for epochs that end at 2, 4, 8, ..., number or symbol
    theorem_over_g   that of thm:global_regret, if it differs
    charges(plan, arms, risks)   the bound of each epoch of any plan
    clipped          whether the excess risk is taken as at most 1
    capped           whether no epoch counts more than its trivial regret, one per step
    first_step(K)    the bound on a step of epoch 1
    finite, ridge    the excess risk in col:finite and in col:linear
    in_step          whether it is proved only for agents whose epochs grow alike (c = 1)
    order_only       whether a constant that the paper hides (ridge regression, communication) is taken as 1
    """

    name: str
    c: Ratio
    learning_rate: LearningRate
    over_g: Callable[[Value, Value], Value]
    charges: Callable[[EpochPlan, Sequence[int], Sequence[float]], Charge]
    finite: FiniteRisk
    ridge: RidgeRisk
    theorem_over_g: Callable[[Value, Value], Value] | None = None
    clipped: bool = False
    capped: bool = False
    first_step: Callable[[Value], Value] = lambda arms: 1
    in_step: bool = False
    order_only: bool = False
    hypotheses: Hypotheses = doubling_hypotheses

    def clip(self, risk: float) -> float:
        return min(1.0, risk) if self.clipped else risk

    def in_corollary(self, arms: Value, halves: bool = True) -> Value:
        """Return the constant C/g for agents with the same epochs. halves: whether the excess risk halves when the
        samples double, which the smaller constant of variant `best` for doubling epochs requires."""
        if self.in_step and not halves:
            return regret.over_g(arms if is_symbolic(arms) else int(arms))
        return self.over_g(self.c.under_doubling, arms)

    def multiplier_squared(self, arms: int, halves: bool) -> float | None:
        """Return g^2 if it differs from the variant's usual one, else None. It differs for variant `best` if the
        excess risk does not halve when the samples double (`halves`)."""
        if not self.in_step or halves or arms < 2:
            return None
        return float(best(arms).best_multiplier_squared)

    def rate_words(self, risk: str, arms: int, halves: bool = True) -> str:
        """Return the learning-rate rule (H4) as text, with `risk` in place of e and the value of g^2. halves:
        whether the excess risk halves when the samples double."""
        rule, own = self.learning_rate, self.multiplier_squared(arms, halves)
        multiplier = rule.multiplier if own is None else f"{own:.6f}"
        e = f"min(1, {risk})" if self.clipped else risk
        return f"H4 gamma^l = {rule.formula}, e = {e}" + (f", g^2 = {multiplier}" if multiplier else "")

    def in_theorem(self, c: Value, arms: Value) -> Value:
        return (self.theorem_over_g or self.over_g)(c, arms)

    def epoch_sum(
        self,
        agents: int,
        arms: int,
        constant: float,
        risk: Callable[[int], float],
        multiplier_squared: float | None = None,
    ) -> EpochSum:
        """Return the regret bound as a sum over epochs. constant: C/g. risk(n): the excess risk after n samples,
        clipped here if the variant clips. multiplier_squared: g^2; None for the variant's own, 0 if it is unknown."""

        def clipped(previous: int) -> float:
            return self.clip(risk(agents * previous))

        def rate(previous: int) -> float:
            return float(constant * sqrt(arms * clipped(previous)) * agents)

        def explored(previous: int, g2: float) -> float:
            return float(sqrt(g2 * arms / clipped(previous)))

        g2, exploration = multiplier_squared, None
        if g2 is None and arms > 1:
            g2 = self.learning_rate.multiplier_squared(doubling_plan(4), (arms,), ())
        if g2:
            limit = constant * math.sqrt(g2) * arms / (arms - 1)
            exploration = Exploration(arms, partial(explored, g2=g2), limit)
        first = float(agents * self.first_step(float(arms)))
        return EpochSum(agents, first, rate, self.capped, exploration, arms == 1)

    def closed_form(self, constant: Value, root: Value) -> Value:
        """Return the closed regret bound 2 M first_step(K) + constant times root, as sympy."""
        return 2 * symbol("M") * self.first_step(symbol("K")) + constant * root


def doubling_sum() -> Value:
    """Return 2 + sqrt2, the factor in sum_{l>=2} E^l/sqrt(E^{l-1}) <= (2 + sqrt2) sqrt T for epochs of lengths E^l
    that end at 2^l, the last one cut at T >= 3."""
    return 2 + sqrt(2 * ratio(1, 1, symbol("K")))


def root(coefficient: Value) -> Value:
    """Return sqrt(K M T coefficient) in the symbols K, M, T. coefficient: n e(n), n times the excess risk."""
    M, K, T = (symbol(name) for name in "MKT")
    return sqrt(K * M * T * coefficient)
