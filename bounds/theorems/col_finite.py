"""col:finite: regret and communication of FedIGW with the exact minimiser over a finite class, tau^l = 2^l.

printed     2M + 11 c^2 sum_l sqrt(K e_{l-1}) M E^l,  e = (25 ln(|F|n)+1)/n, n = M E^{l-1}, the paper's c = 2
repaired    the same with c = 1 (synchronous agents)
sharpened   2M(1-1/K) + (C/g) sum_l sqrt(K e_{l-1}) M E^l,  e = min(1, ln|F|/(kappa n)), C/g at q = 1-1/K,
            no epoch above its trivial regret M E^l
best        the same with the constant of bounds.best under doubling and kappa = 0.46368
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from bounds import lem_finite_error, variants
from bounds.arithmetic import log, sqrt
from bounds.epoch_sum import EpochSum
from bounds.errors import InputError
from bounds.report import BoundReport
from bounds.symbols import symbol
from bounds.variant_row import doubling_sum, root

VARIANTS = tuple(name for name in variants.with_finite_risk() if not variants.row(name).in_step)  # for any c

HYPOTHESES = (
    "H1 rewards in [0,1], f* in F, every f in F has values in [0,1]",
    "H2 synchronous agents with K arms each, tau^l = 2^l, lengths independent of the data",
    "exact minimiser of the pooled squared loss in every epoch",
)

INFINITE_RATE = "is infinite for a class of one function"


def learning_rate_hypothesis(variant: str) -> str:
    """H4 with the excess risk and the g^2 that the variant's number rests on."""
    rule = variants.row(variant).learning_rate
    multiplier = f", g^2 = {rule.multiplier}" if rule.multiplier else ""
    return f"H4 gamma^l = {rule.formula}, e = {variants.finite_risk(variant).words}{multiplier}"


LEARNING_RATE = {name: learning_rate_hypothesis(name) for name in variants.with_finite_risk()}


def leading_constant(variant: str, arms: Any) -> Any:
    """The factor of sqrt(K e_{l-1}) M E^l, for agents in step."""
    return variants.row(variant).in_corollary(arms)


def epoch_sum(variant: str, agents: int, arms: int, functions: int) -> EpochSum:
    """The regret bound in epoch-sum form."""
    constant = float(leading_constant(variant, arms))
    risk = partial(lem_finite_error.mean, variant, functions)
    return variants.row(variant).epoch_sum(agents, arms, constant, risk)


def closed_form(variant: str) -> Any:
    """The closed bound for T >= 3; n <= M T/2 in the logarithm of the excess risk."""
    M, K, T, F = (symbol(name) for name in "MKTF")
    coefficient = variants.finite_risk(variant).coefficient(F, M * T / 2)
    return variants.row(variant).closed_form(leading_constant(variant, K), doubling_sum() * root(coefficient))


def communication_form(variant: str, quantity: str) -> Any:
    """What the exact minimiser communicates by T: calls, rounds (one a call) or numbers."""
    import sympy

    horizon, size, agents = symbol("T"), symbol("F"), symbol("M")
    each = agents * (size + 1) if quantity == "numbers" else 1
    return each * (
        sympy.log(horizon) if variants.row(variant).order_only else sympy.floor(sympy.log(horizon, 2))
    )


def papers_order() -> Any:
    """What stands inside the printed O(.): sqrt(K M T log(|F| M T))."""
    M, K, T, F = (symbol(name) for name in "MKTF")
    return sqrt(K * M * T * log(F * M * T))


def check_class_size(variant: str, functions: int) -> None:
    """One function leaves nothing to learn: a variant whose excess risk is then 0 has no learning rate, nor a bound."""
    if functions == 1 and float(variants.finite_risk(variant).mean(1, 1)) == 0:
        raise InputError("F", 1, f"learning rate {variant} {INFINITE_RATE}")


def calls(horizon: int) -> int:
    """FL calls executed by T under tau^l = 2^l: floor(log2 T). (The last one may come too late to be used.)"""
    return horizon.bit_length() - 1


@dataclass(frozen=True)
class FiniteRegret:
    """The bounds of col:finite. Quantities: regret, and what the exact minimiser communicates:
    one round a call, in which every agent sends |F| losses and receives one index."""

    quantities: tuple[str, ...] = ("regret", "calls", "rounds", "numbers")
    protocols: tuple[str, ...] = ("exact_minimiser",)
    required: tuple[str, ...] = ("M", "K", "T", "F")
    optional: Mapping[str, float] = field(default_factory=dict)

    @property
    def variants(self) -> tuple[str, ...]:
        return variants.with_finite_risk()

    def evaluate(
        self, variant: str, quantity: str, protocol: str | None, parameters: Mapping[str, Any]
    ) -> BoundReport:
        M, K, T, F = (int(parameters[name]) for name in "MKTF")
        if quantity == "regret":
            check_class_size(variant, F)
            bound = epoch_sum(variant, M, K, F)
            return BoundReport(
                value=bound.value(T),
                formula=partial(closed_form, variant),
                trivial=bound.trivial(T),
                first_informative_horizon=bound.first_informative_horizon(),
                hypotheses=(*HYPOTHESES, learning_rate_hypothesis(variant)),
                lower=bound.lower(T),
            )
        return self._communication(variant, quantity, M, T, F)

    def _communication(self, variant: str, quantity: str, M: int, T: int, F: int) -> BoundReport:
        """Counts, exact but where the paper says only O(log T) calls.
        Trivial: communicating after every step."""
        factor = {"calls": 1, "rounds": 1, "numbers": M * (F + 1)}[quantity]
        order_only = variants.row(variant).order_only
        count = log(T) if order_only else calls(T)
        return BoundReport(
            value=float(factor * count),
            formula=partial(communication_form, variant, quantity),
            trivial=float(factor * T),
            first_informative_horizon=None,
            hypotheses=HYPOTHESES[1:],
            order_only=order_only,
        )
