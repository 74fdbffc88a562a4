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

from bounds import lem_epoch_regret_bound, lem_finite_error
from bounds.arithmetic import log, ratio, sqrt
from bounds.best import regret as best_regret
from bounds.epoch_sum import EpochSum
from bounds.report import BoundReport
from bounds.symbols import symbol

VARIANTS = ("printed", "repaired", "sharpened")
DOUBLING_C = 2  # the paper's c under tau^l = 2^l: growth is 1 once, then 2

HYPOTHESES = (
    "H1 rewards in [0,1], f* in F, every f in F has values in [0,1]",
    "H2 synchronous agents with K arms each, tau^l = 2^l, lengths independent of the data",
    "exact minimiser of the pooled squared loss in every epoch",
)
LEARNING_RATE = {
    "printed": "H4 gamma^l = sqrt(K/e_{l-1}), e = (25 ln(|F|n)+1)/n",
    "repaired": "H4 gamma^l = sqrt(K/e_{l-1}), e = (25 ln(|F|n)+1)/n",
    "sharpened": "H4 gamma^l = g sqrt(K/e_{l-1}), e = min(1, ln|F|/(kappa n)), g^2 = (3q+1)/8, q = 1-1/K",
    "best": "H4 gamma^l = g sqrt(K/e_{l-1}), e = min(1, ln|F|/(kappa n)), kappa = 0.46368, "
    "g^2 = (1-2/K+0.472548)/2.321695 (K >= 3), 2/9 (K = 2)",
}


def leading_constant(variant: str, arms: Any) -> Any:
    """The factor of sqrt(K e_{l-1}) M E^l."""
    if variant == "printed":
        return lem_epoch_regret_bound.paper(DOUBLING_C)
    if variant == "repaired":
        return lem_epoch_regret_bound.paper(1)
    return lem_epoch_regret_bound.sharpened_over_g(1, 1 - ratio(1, 1, arms) / arms)


def epoch_sum(variant: str, agents: int, arms: int, functions: int) -> EpochSum:
    """The regret bound in epoch-sum form."""
    if variant == "best":
        return best_regret.finite_epoch_sum(agents, arms, functions)
    constant = float(leading_constant(variant, arms))

    def rate(previous: int) -> float:
        risk = lem_finite_error.mean(variant, functions, agents * previous)
        return float(constant * sqrt(arms * risk) * agents)

    sharp = variant == "sharpened"
    first = agents * (1 - 1 / arms) if sharp else float(agents)
    return EpochSum(agents, first, rate, capped=sharp)


def closed_form(variant: str) -> Any:
    """The closed bound for T >= 3: sum_l E^l_cut/sqrt(E^{l-1}) <= (2 + sqrt2) sqrt T, and n <= M T/2 in the log."""
    if variant == "best":
        return best_regret.finite_closed_form()
    M, K, T, F = (symbol(name) for name in "MKTF")
    summed = (2 + sqrt(2 * ratio(1, 1, K))) * sqrt(K * M * T)
    if variant == "sharpened":
        first = 2 * M * (1 - 1 / K)
        return first + leading_constant(variant, K) * summed * sqrt(log(F) / lem_finite_error.kappa(F))
    return 2 * M + leading_constant(variant, K) * summed * sqrt(25 * log(F * M * T / 2) + 1)


def communication_form(variant: str, quantity: str) -> Any:
    """What the exact minimiser communicates by T: calls, rounds (one a call) or numbers."""
    import sympy

    horizon, size, agents = symbol("T"), symbol("F"), symbol("M")
    each = agents * (size + 1) if quantity == "numbers" else 1
    return each * (sympy.log(horizon) if variant == "printed" else sympy.floor(sympy.log(horizon, 2)))


def papers_order() -> Any:
    """What stands inside the printed O(.): sqrt(K M T log(|F| M T))."""
    M, K, T, F = (symbol(name) for name in "MKTF")
    return sqrt(K * M * T * log(F * M * T))


def lower_bound_order(agents: int, arms: int, horizon: int, functions: int) -> float:
    """sqrt(K M T log|F| / log K), the order of the lower bound the paper quotes (Agarwal et al. 2012); its constant
    is not known, so it is drawn as a reference and never compared by size."""
    return float(sqrt(arms * agents * horizon * log(functions) / log(max(arms, 2))))


def calls(horizon: int) -> int:
    """FL calls executed by T under tau^l = 2^l: floor(log2 T). (The last one may come too late to be used.)"""
    return horizon.bit_length() - 1


@dataclass(frozen=True)
class FiniteRegret:
    """The bounds of col:finite. Quantities: regret, and what the exact minimiser communicates:
    one round a call, in which every agent sends |F| losses and receives one index."""

    variants: tuple[str, ...] = (*VARIANTS, "best")
    quantities: tuple[str, ...] = ("regret", "calls", "rounds", "numbers")
    protocols: tuple[str, ...] = ("exact_minimiser",)
    required: tuple[str, ...] = ("M", "K", "T", "F")
    optional: Mapping[str, float] = field(default_factory=dict)

    def evaluate(
        self, variant: str, quantity: str, protocol: str | None, parameters: Mapping[str, Any]
    ) -> BoundReport:
        M, K, T, F = (int(parameters[name]) for name in "MKTF")
        if quantity == "regret":
            bound = epoch_sum(variant, M, K, F)
            return BoundReport(
                value=bound.value(T),
                formula=partial(closed_form, variant),
                trivial=float(M * T),
                first_informative_horizon=bound.first_informative_horizon(),
                hypotheses=(*HYPOTHESES, LEARNING_RATE[variant]),
            )
        return self._communication(variant, quantity, M, T, F)

    def _communication(self, variant: str, quantity: str, M: int, T: int, F: int) -> BoundReport:
        """Counts, exact in every variant but the printed one, which says only O(log T) calls.
        Trivial: communicating after every step."""
        factor = {"calls": 1, "rounds": 1, "numbers": M * (F + 1)}[quantity]
        printed = variant == "printed"
        count = log(T) if printed else calls(T)
        return BoundReport(
            value=float(factor * count),
            formula=partial(communication_form, variant, quantity),
            trivial=float(factor * T),
            first_informative_horizon=None,
            hypotheses=HYPOTHESES[1:],
            order_only=printed,
        )
