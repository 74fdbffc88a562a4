"""Bound the regret for a finite class with probability 1 - delta, not only in expectation (own:high_probability).

M agents with K arms play T >= 3 steps; epoch l has E^l of them and ends at step 2^l. L = ceil(log2 T) - 1 models are
learned and used. With probability 1 - delta every model has an excess risk of at most e(n) = ln((|F|-1) L/delta)/(kappa
n), where n is its number of samples, |F| the number of functions and kappa = 0.46368. e_{l-1} is e(n) for the n = M
E^{l-1} samples of epoch l-1. With learning rates g sqrt(K/e_{l-1}) the regret, given the models, is

    Reg(T) <= M E^1 (1-1/K) + sum_{l>=2} M E^l min(1, (C/g) sqrt(K e_{l-1}))
           <= 2M(1-1/K) + (C/g)(2 + sqrt2) sqrt(K M T ln((|F|-1) L/delta)/kappa)

C/g is the constant of variant `best` for arbitrary schedules: 3.8098 at most, 3/sqrt2 for two arms.
"""
# Proof. 1. Let l be the loss of f minus that of f* on a sample, eps_f the excess risk of f. Given the past, an
# epoch's n samples are independent, so P(fhat = f) <= (E e^{-1.04 l})^n <= e^{-kappa n eps_f}. Hence with
# probability 1 - delta/L the excess risk of the model learned in the epoch is at most e(n); with probability 1 -
# delta for all L calls at once. 2. The pathwise theorem (own:adaptive), averaged over contexts and over agents with
# the same epochs and K arms, takes no expectation over data. So on that event epoch l loses at most (C/g) sqrt(K
# e_{l-1}) M E^l given its model.

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from bounds import variants
from bounds.arithmetic import Value, log, ratio
from bounds.best import regret
from bounds.best.constant import best
from bounds.epoch_sum import EpochSum
from bounds.errors import InputError
from bounds.schedules import doubling_plan
from bounds.theorem import Case, Theorem
from bounds.variant_row import doubling_sum, root

HYPOTHESES = (
    "H1 rewards in [0,1], f* in F, every f in F has values in [0,1], |F| >= 2",
    "H2 synchronous agents with K arms each, at least two arms, tau^l = 2^l, lengths independent of the data",
    "exact minimiser of the pooled squared loss in every epoch",
    "H4 gamma^l = g sqrt(K/e_{l-1}), e = ln((|F|-1) L/delta)/(0.46368 n), g of variant best for any schedule",
    "with probability 1 - delta, of the regret given the models in use",
)


def calls_used(horizon: int) -> int:
    """Return the number of models that are learned and used before the horizon, for epochs that end at steps 2, 4, 8,
    ...: ceil(log2 horizon) - 1, at least 1."""
    return max(1, (horizon - 1).bit_length() - 1)


def risk(functions: int, calls: int, delta: float, samples: int) -> float:
    """Return a bound on the excess risk over a finite class after `samples` samples. With probability 1 - delta it
    holds at once for all `calls` models that are learned."""
    return math.log((functions - 1) * calls / delta) / (float(regret.KAPPA) * samples)


def epoch_sum(agents: int, arms: int, functions: int, horizon: int, delta: float) -> EpochSum:
    """Return the regret bound of FedIGW over a finite class that holds with probability 1 - delta, as a sum over
    epochs. delta is divided equally among the models learned up to `horizon`."""
    calls, found = calls_used(horizon), best(arms)
    # the learning rates are computed from e(n) as it is: where it exceeds 1 the epoch's cap holds anyway
    return replace(variants.row("best"), clipped=False).epoch_sum(
        agents,
        arms,
        found.over_g,
        lambda n: risk(functions, calls, delta, n),
        float(found.best_multiplier_squared),
    )


def learning_rates(agents: int, arms: int, functions: int, horizon: int, delta: float) -> list[float]:
    """Return the learning rates of inverse gap weighting in all epochs up to the horizon but the first, which is
    uniform, for a regret bound over a finite class that holds with probability 1 - delta."""
    g2, calls = float(best(arms).best_multiplier_squared), calls_used(horizon)
    full = doubling_plan(horizon).full
    return [math.sqrt(g2 * arms / risk(functions, calls, delta, agents * row[0])) for row in full[:-1]]


@dataclass(frozen=True)
class HighProbability(Theorem):
    """The regret bound of FedIGW over a finite class with probability 1 - delta, not only in expectation."""

    label: str = "own:high_probability"
    hypotheses: tuple[str, ...] = HYPOTHESES
    protocols: tuple[str, ...] = ("exact_minimiser",)
    required: tuple[str, ...] = ("M", "K", "T", "F")
    optional: Mapping[str, float] = field(default_factory=lambda: {"delta": 0.05})
    forms: tuple[str, ...] = ("best",)

    def check(self, case: Case, quantity: str) -> None:
        from bounds.own_adaptive import check_delta

        check_delta(case["delta"])
        if case["F"] < 2:
            raise InputError("F", case["F"], "must be at least 2: one function leaves nothing to learn")

    def regret(self, case: Case) -> EpochSum:
        """Return the regret bound as a sum over epochs. It also depends on the horizon through the number of models
        learned, which grows with its logarithm."""
        M, K, F, T = (int(case[name]) for name in "MKFT")
        return epoch_sum(M, K, F, T, float(case["delta"]))

    def closed_regret(self, case: Case) -> Value:
        import sympy

        M, K, T, F, delta = case.each((*"MKTF", "delta"))
        calls = sympy.ceiling(sympy.log(T, 2)) - 1
        kappa = ratio(*regret.KAPPA.as_integer_ratio(), K)
        coefficient = log((F - 1) * calls / delta) / kappa
        return 2 * M * (1 - 1 / K) + regret.over_g(K) * doubling_sum() * root(coefficient)


THEOREM = HighProbability()
