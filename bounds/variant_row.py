"""The type of a row of bounds.variants, and the two forms that every bound under tau^l = 2^l has.

epoch sum     first_step M E^1 + sum_{l>=2} C sqrt(K e_{l-1}) M E^l          (capped: no epoch above M E^l)
closed form   2 M first_step + C (2 + sqrt2) sqrt(K M T n e(n))              (T >= 3; n <= M T/2 inside a logarithm)
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
    """The c of a variant: its value for agents in step under tau^l = 2^l, and in words between what it is a ratio."""

    under_doubling: int
    reading: str


@dataclass(frozen=True)
class LearningRate:
    """The rule gamma^l = g sqrt(Kbar^{l-1}/e_{l-1}). g^2 is fixed before the horizon is known, from the uncut epochs.
    formula: H4 in words for K arms each. multiplier: g^2 if it is not 1. general: g^2 for any c."""

    name: str
    multiplier_squared: Multiplier
    formula: str
    multiplier: str = ""
    general: str = "1"


@dataclass(frozen=True)
class FiniteRisk:
    """Mean excess risk e(n) over |F| functions before clipping, and coefficient n e(n); both take (|F|, n)."""

    mean: Callable[[Value, Value], Value]
    coefficient: Callable[[Value, Value], Value]
    words: str


@dataclass(frozen=True)
class RidgeRisk:
    """Mean excess risk of ridge regression: mean(d, n, heterogeneous, norm^2) and coefficient(d, heterogeneous,
    norm^2). with_solver(e, delta): the risk with a solver of tolerance delta. stated: whether the constant is known.
    halves: whether it is C/n, which halves when the samples double, even if C/(n+1) is proved."""

    mean: Callable[[Value, Value, bool, Value], Value]
    coefficient: Callable[[Value, bool, Value], Value]
    with_solver: Callable[[Value, Value], Value]
    stated: bool = True
    halves: bool = False


Hypotheses = Callable[["Variant", int, float], tuple[str, ...]]  # of (row, K, c)


def doubling_hypotheses(row: Variant, arms: int, c: float) -> tuple[str, ...]:
    """Return the hypotheses under tau^l = 2^l beyond H1-H5: the schedule, the excess risk, c."""
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
    """One variant of the bounds. over_g(c, K): C/g of lem:epoch_regret_bound under doubling, for numbers or symbols.
    theorem_over_g: that of thm:global_regret, if it differs. charges(plan, arms, risks): the charge of each epoch of
    any plan. clipped: e = min(1, .). capped: no epoch is charged more than its trivial regret. first_step(K): the
    charge of a step of epoch 1. finite, ridge: the excess risk in col:finite and col:linear. in_step: proved for c = 1
    only. order_only: a constant that the paper hides (ridge regression, communication) is taken as 1."""

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
        """Return the factor of sqrt(K e_{l-1}) M E^l for agents in step. halves: whether e(n) halves when n doubles.
        The smaller constant of `best` under doubling requires it."""
        if self.in_step and not halves:
            return regret.over_g(arms if is_symbolic(arms) else int(arms))
        return self.over_g(self.c.under_doubling, arms)

    def multiplier_squared(self, arms: int, halves: bool) -> float | None:
        """Return g^2 of agents in step for `epoch_sum` if it is not that of tau^l = 2^l, else None."""
        if not self.in_step or halves or arms < 2:
            return None
        return float(best(arms).best_multiplier_squared)

    def rate_words(self, risk: str, arms: int, halves: bool = True) -> str:
        """Return H4 in words, with the g^2 and the excess risk behind a number."""
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
        """Return the bound on the regret. risk(n): the excess risk after n samples, clipped here. multiplier_squared:
        g^2 of the learning rates if it is not that of agents in step under tau^l = 2^l; 0 if it is unknown."""

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
        """Return 2 M first_step + constant root, as sympy."""
        return 2 * symbol("M") * self.first_step(symbol("K")) + constant * root


def doubling_sum() -> Value:
    """Return 2 + sqrt2: sum_l E^l_cut/sqrt(E^{l-1}) <= (2 + sqrt2) sqrt T for T >= 3."""
    return 2 + sqrt(2 * ratio(1, 1, symbol("K")))


def root(coefficient: Value) -> Value:
    """Return sqrt(K M T n e(n))."""
    M, K, T = (symbol(name) for name in "MKT")
    return sqrt(K * M * T * coefficient)
