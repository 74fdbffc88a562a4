"""Define the type of a variant of the regret bounds (the table is in bounds/variants.py), and the two forms that every
bound has for doubling epochs.

M agents with K arms play T steps, E^l of them in epoch l, which ends at step 2^l. f is the bound on a step of epoch 1,
e_{l-1} the excess risk e(n) of the model learned from the n samples of epoch l-1, and C/g the constant for learning
rates g sqrt(K/e_{l-1}).

    epoch sum     f M E^1 + sum_{l>=2} (C/g) sqrt(K e_{l-1}) M E^l       capped variants: no term above M E^l
    closed form   2 M f + (C/g) (2 + sqrt2) sqrt(K M T n e(n))           T >= 3; if n e(n) grows, at n = M T/2
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
    """How a variant of the regret bounds measures how unequally epochs grow. under_doubling: the value for agents with
    the same epochs, which end at steps 2, 4, 8, .... reading: what is compared, in words."""

    under_doubling: int
    reading: str


@dataclass(frozen=True)
class LearningRate:
    """The rule of a variant for the learning rate of inverse gap weighting, g sqrt(mean number of arms/excess risk of
    the model in use).

    multiplier_squared   maps (plan, arms, risks) to g^2, which does not depend on the horizon
    formula              the rule in words, for agents with equally many arms
    multiplier           g^2 in words, if it is not 1
    general              g^2 in words for epochs that grow unequally
    """

    name: str
    multiplier_squared: Multiplier
    formula: str
    multiplier: str = ""
    general: str = "1"


@dataclass(frozen=True)
class FiniteRisk:
    """The bound of a variant on the mean excess risk of least squares over a finite class, before it is clipped at 1.

    mean          maps (number of functions, number n of samples) to the excess risk
    coefficient   maps the same to n times the excess risk
    words         the formula as text
    """

    mean: Callable[[Value, Value], Value]
    coefficient: Callable[[Value, Value], Value]
    words: str


@dataclass(frozen=True)
class RidgeRisk:
    """The bound of a variant on the mean excess risk of ridge regression. d: dimension; n: samples; heterogeneous:
    whether agents' distributions differ; norm2: bound on the squared norm of the true parameter.

    mean          maps (d, n, heterogeneous, norm2) to the excess risk
    coefficient   maps (d, heterogeneous, norm2) to a bound on n times the excess risk
    with_solver   maps (excess risk of the exact estimate, tolerance of a solver) to the solver's excess risk
    stated        whether the constant is known
    halves        whether the risk is taken as C/n, which halves when samples double, even where C/(n+1) is proved
    """

    mean: Callable[[Value, Value, bool, Value], Value]
    coefficient: Callable[[Value, bool, Value], Value]
    with_solver: Callable[[Value, Value], Value]
    stated: bool = True
    halves: bool = False


Hypotheses = Callable[["Variant", int, float], tuple[str, ...]]  # of (row, K, c)


def doubling_hypotheses(row: Variant, arms: int, c: float) -> tuple[str, ...]:
    """Return, as sentences, the hypotheses of a variant for doubling epochs besides H1 to H5 of thm:global_regret. They
    are about the schedule, the excess risk, and c, which measures how unequally epochs grow."""
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
    """One variant of the regret bounds (printed, repaired, sharpened or best), as an entry of the table in
    bounds/variants.py.

    c                its measure of how unequally epochs grow
    learning_rate    its rule for the policy's learning rate
    over_g           maps (c, number of arms) to the constant of the regret bound for doubling epochs
    theorem_over_g   the same for thm:global_regret, if it differs
    charges          maps (plan, arms, risks) to the bound of each epoch, for any plan
    clipped          whether the excess risk is taken as at most 1
    capped           whether no epoch counts more than its trivial regret, one per step
    first_step       maps the number of arms to the bound on a step of epoch 1
    finite, ridge    the excess risk in col:finite and in col:linear
    in_step          whether it is proved only for agents whose epochs grow alike
    order_only       whether a constant that the paper hides is taken as 1
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
        """Return the constant in front of sqrt(K x excess risk) in the regret bound, for agents with the same epochs.
        `halves`: whether the excess risk halves when samples double; variant `best` then has a smaller constant."""
        if self.in_step and not halves:
            return regret.over_g(arms if is_symbolic(arms) else int(arms))
        return self.over_g(self.c.under_doubling, arms)

    def multiplier_squared(self, arms: int, halves: bool) -> float | None:
        """Return g^2 in the policy's learning rate g sqrt(arms/excess risk) if it differs from what the variant
        usually prescribes, else None. It differs for variant `best` if the excess risk does not halve when samples
        double (`halves`)."""
        if not self.in_step or halves or arms < 2:
            return None
        return float(best(arms).best_multiplier_squared)

    def rate_words(self, risk: str, arms: int, halves: bool = True) -> str:
        """Return the rule for the policy's learning rate as text, with `risk` as the name of the excess risk.
        `halves`: whether the excess risk halves when samples double."""
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
        """Return the regret bound as a sum over epochs, for agents with the same epochs. `constant`: the factor of
        sqrt(arms x excess risk). `risk`: maps a number of samples to the excess risk. `multiplier_squared`: g^2 in the
        learning rate g sqrt(arms/excess risk); None for that of the variant, 0 if it is unknown."""

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
        """Return the closed-form regret bound of M agents, a sympy expression: 2 M (bound on a step of epoch 1) +
        constant x root."""
        return 2 * symbol("M") * self.first_step(symbol("K")) + constant * root


def doubling_sum() -> Value:
    """Return 2 + sqrt2, which turns bounds on epochs into one on the regret: for epochs of lengths E^l that end at
    steps 2^l, the last one cut at T >= 3, sum_{l>=2} E^l/sqrt(E^{l-1}) <= (2 + sqrt2) sqrt T."""
    return 2 + sqrt(2 * ratio(1, 1, symbol("K")))


def root(coefficient: Value) -> Value:
    """Return sqrt(K M T coefficient) in the symbols K, M, T for arms, agents and steps. `coefficient`: n times the
    excess risk after n samples."""
    M, K, T = (symbol(name) for name in "MKT")
    return sqrt(K * M * T * coefficient)
