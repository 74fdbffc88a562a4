"""col:linear_per: partially shared parameters, dtilde = d^a + M d^b coordinates, norm(omega~*)^2 up to M.

printed     O~(sqrt(MK dtilde T)) regret, O(d^a log(d^a) sqrt(M^3 T)) numbers
repaired    the different-laws excess risk e = (dtilde/4 + 9M/4)/n in col:linear's sum; AGD sends M d^a (2k+1) numbers a
            call, k = ceil(sqrt(n+1) ln(1.25 n/(delta^2 e))); CG on the Schur complement at most 2 M d^a (min(d^a, n)+1)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from bounds import linear_communication, own_ridge_excess_risk, variants
from bounds.arithmetic import log, sqrt
from bounds.epoch_sum import EpochSum
from bounds.own_agd_rate import rounds_for_distance
from bounds.report import BoundReport
from bounds.symbols import symbol
from bounds.theorems import col_linear

PROTOCOLS = ("agd", "cg")
HYPOTHESES = (
    "H1 rewards in [0,1] with mean phi'omega_m, norm(phi) <= 1, norm(omega_m) <= 1, d^a coordinates shared",
    "H2 synchronous agents with K arms each, tau^l = 2^l; ridge regression on the lifted features, lambda = 1/n",
)


def excess_risk(lifted_dimension: Any, agents: Any, n: Any) -> Any:
    """(dtilde/4 + 9M/4)/n: agents' lifted features have different laws, and norm(omega~*)^2 <= M."""
    return own_ridge_excess_risk.mean(1.0 * lifted_dimension, n, heterogeneous=True, norm_squared=agents)


def epoch_sum(
    variant: str, agents: int, arms: int, lifted_dimension: int, tolerance: float = 0.0
) -> EpochSum:
    """As col:linear's for different laws, with dtilde and M in place of d and 1."""
    return col_linear.epoch_sum(variant, agents, arms, lifted_dimension, tolerance, True, agents)


def closed_form(variant: str) -> Any:
    """As col:linear's for different laws, with dtilde and M in place of d and 1."""
    M, da, db = (symbol(name) for name in ("M", "da", "db"))
    return col_linear.closed_form(variant, True, da + M * db, M)


def rounds_of_call(protocol: str, n: int, agents: int, shared: int, own: int, tolerance: float) -> int:
    if protocol == "cg":
        return min(shared, n)
    return rounds_for_distance(n, tolerance**2 * excess_risk(shared + agents * own, agents, n))


def total(
    quantity: str, protocol: str, agents: int, shared: int, own: int, horizon: int, tolerance: float
) -> int:
    """Rounds or numbers by T: only the shared block travels."""
    counted = 0
    for n in linear_communication.samples_of_calls(agents, horizon):
        rounds = rounds_of_call(protocol, n, agents, shared, own, tolerance)
        sent = sum(linear_communication.numbers_of_call(protocol, agents, shared, rounds))
        counted += rounds if quantity == "rounds" else sent
    return counted


def closed_total(quantity: str, protocol: str) -> Any:
    """A closed bound on rounds or numbers by T, as sympy (see linear_communication.closed_rounds)."""
    import sympy

    M, T, da, db, delta = (symbol(name) for name in ("M", "T", "da", "db", "delta"))
    count = sympy.floor(sympy.log(T, 2))
    if protocol == "cg":
        return count * da if quantity == "rounds" else 2 * M * da * (da + 1) * count
    constant = (da + M * db) / 4 + 9 * M / sympy.Integer(4)
    inside = sympy.Rational(5, 4) * M * T * (M * T + 1) / (delta**2 * constant)
    rounds = (1 + sympy.sqrt(2)) * sqrt(M * T) * log(1 + inside) + count
    return rounds if quantity == "rounds" else M * da * (2 * rounds + count)


def printed_numbers(agents: Any, shared: Any, horizon: Any) -> Any:
    """d^a log(d^a) sqrt(M^3 T): the defect of col:linear, 0 at d^a = 1."""
    return shared * log(shared) * sqrt(agents**3 * horizon)


def formula(variant: str, quantity: str, protocol: str, tolerance: float) -> Any:
    """The closed form of any quantity, with the tolerance of the solver put in."""
    import sympy

    printed, M, T = variants.row(variant).order_only, symbol("M"), symbol("T")
    if quantity == "regret":
        found = closed_form(variant)
    elif quantity == "calls":
        found = log(T) if printed else sympy.floor(sympy.log(T, 2))
    elif printed:
        found = printed_numbers(M, symbol("da"), T) if quantity == "numbers" else sqrt(M * T)
    else:
        found = closed_total(quantity, protocol)
    return found.subs(symbol("delta"), sympy.Rational(str(tolerance)))


@dataclass(frozen=True)
class PersonalisedRegret:
    """The bounds of col:linear_per. da shared and db personal coordinates per agent."""

    quantities: tuple[str, ...] = ("regret", "calls", "rounds", "numbers")
    protocols: tuple[str, ...] = PROTOCOLS
    required: tuple[str, ...] = ("M", "K", "T", "da", "db")
    optional: Mapping[str, float] = field(default_factory=lambda: {"delta": 0.0})

    @property
    def variants(self) -> tuple[str, ...]:
        return variants.with_ridge_risk(personalised=True)

    def evaluate(
        self, variant: str, quantity: str, protocol: str | None, parameters: Mapping[str, Any]
    ) -> BoundReport:
        M, K, T, da, db = (int(parameters[name]) for name in self.required)
        delta = col_linear.solver_tolerance(protocol, float(parameters["delta"]))
        printed, trivial, first, lower = variants.row(variant).order_only, float(T), None, None
        chosen = protocol or "agd"
        if quantity == "regret":
            bound = epoch_sum(variant, M, K, da + M * db, delta)
            value = bound.value(T)
            trivial, first = bound.trivial(T), bound.first_informative_horizon()
            lower = None if printed else bound.lower(T)
        elif quantity == "calls":
            value = log(T) if printed else float(linear_communication.calls(T))
        elif printed:
            value = printed_numbers(M, da, T) if quantity == "numbers" else sqrt(M * T)
        else:
            delta = col_linear.solver_tolerance(chosen, float(parameters["delta"]))
            value = float(total(quantity, chosen, M, da, db, T, delta or 1.0))
        if quantity == "numbers":
            trivial = float(M * T * (2 * da + 1))
        return BoundReport(
            value=float(value),
            formula=partial(formula, variant, quantity, chosen, delta),
            trivial=trivial,
            first_informative_horizon=first,
            hypotheses=(*HYPOTHESES, *([f"delta = {delta:g}"] if delta else [])),
            order_only=printed,
            lower=lower,
        )
