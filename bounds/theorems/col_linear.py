"""col:linear: regret and communication of FedIGW with federated ridge regression, lambda = 1/n, tau^l = 2^l.

printed     O~(sqrt(MKdT)): 2M + 44 sum_l sqrt(K d/n_{l-1}) M E^l, the hidden constant of e = O~(d/n) taken as 1
repaired    2M + 11 sum_l (1+delta) sqrt(K e_{l-1}) M E^l,   e = C/(n+1), C = d/4 + 1, n = M E^{l-1}
sharpened   2M(1-1/K) + sum_l M E^l min(1, (C/g)(1+delta) sqrt(K e_{l-1})),   C/g at q = 1-1/K
best        the same with C/g <= 3.6981 and e = C/n, for agents with one law
heterogeneous = 1: e = (d/4 + 9/4)/n. delta: tolerance of AGD, 0 for an exact solver.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from bounds import linear_communication, own_agd_convex, variants
from bounds.arithmetic import log, sqrt
from bounds.epoch_sum import EpochSum
from bounds.errors import InputError
from bounds.report import BoundReport
from bounds.symbols import symbol
from bounds.variant_row import doubling_sum, root

VARIANTS = variants.with_ridge_risk()

HYPOTHESES = (
    "H1 rewards in [0,1] with mean phi'omega*, norm(phi) <= 1, norm(omega*) <= 1",
    "H2 synchronous agents with K arms each, tau^l = 2^l, lengths independent of the data",
    "ridge regression on each epoch's n = M E^l samples with lambda = 1/n",
)


def leading_constant(variant: str, arms: Any) -> Any:
    """The factor of sqrt(K e_{l-1}) M E^l, for agents in step."""
    return variants.row(variant).in_corollary(arms)


def excess_risk(
    variant: str,
    dimension: int,
    n: int,
    tolerance: float = 0.0,
    heterogeneous: bool = False,
    norm_squared: int = 1,
) -> float:
    """e(n) as `variant` charges it; clipping at 1 is made harmless by a cap on every epoch."""
    ridge = variants.ridge_risk(variant)
    risk = ridge.mean(dimension, n, heterogeneous, norm_squared)
    return variants.row(variant).clip(float(ridge.with_solver(risk, tolerance)))


def epoch_sum(
    variant: str,
    agents: int,
    arms: int,
    dimension: int,
    tolerance: float = 0.0,
    heterogeneous: bool = False,
    norm_squared: int = 1,
) -> EpochSum:
    """The regret bound in epoch-sum form."""

    def risk(n: int) -> float:
        return excess_risk(variant, dimension, n, tolerance, heterogeneous, norm_squared)

    return variants.row(variant).epoch_sum(agents, arms, float(leading_constant(variant, arms)), risk)


def convex_epoch_sum(
    variant: str, agents: int, arms: int, dimension: int, heterogeneous: bool = False
) -> EpochSum:
    """The regret bound with AGD for convex functions: its own excess risk, one logarithm larger."""

    def risk(n: int) -> float:
        return variants.row(variant).clip(own_agd_convex.excess_risk(dimension, n, heterogeneous))

    return variants.row(variant).epoch_sum(agents, arms, float(leading_constant(variant, arms)), risk)


def convex_closed_form(variant: str, heterogeneous: bool = False) -> Any:
    """The closed bound of convex_epoch_sum, as sympy: e(n) <= A/n with the A of the largest n, at most MT."""
    coefficient = own_agd_convex.coefficient(symbol("d"), symbol("M") * symbol("T"), heterogeneous)
    constant = doubling_sum() * leading_constant(variant, symbol("K"))
    return variants.row(variant).closed_form(constant, root(coefficient))


def closed_form(
    variant: str, heterogeneous: bool = False, dimension: Any = None, norm_squared: Any = 1
) -> Any:
    """The closed bound for T >= 3, as sympy; dimension and norm_squared stand for d and norm(omega*)^2."""
    ridge, delta = variants.ridge_risk(variant), symbol("delta")
    coefficient = ridge.coefficient(dimension or symbol("d"), heterogeneous, norm_squared)
    constant = doubling_sum() * leading_constant(variant, symbol("K"))
    return variants.row(variant).closed_form(constant, root(ridge.with_solver(coefficient, delta)))


def closed_form_at(variant: str, heterogeneous: bool, tolerance: float) -> Any:
    """closed_form with the tolerance of the solver put in."""
    return closed_form(variant, heterogeneous).subs(symbol("delta"), _short(tolerance))


def papers_order() -> Any:
    """What stands inside the printed O~(.): sqrt(M K d T)."""
    M, K, T, d = (symbol(name) for name in "MKTd")
    return sqrt(M * K * d * T)


@dataclass(frozen=True)
class LinearRegret:
    """The bounds of col:linear. delta = 0: an exact solver; AGD and Chebyshev then take their default, 0.1."""

    quantities: tuple[str, ...] = ("regret", "calls", "rounds", "numbers")
    protocols: tuple[str, ...] = linear_communication.PROTOCOLS
    required: tuple[str, ...] = ("M", "K", "T", "d")
    optional: Mapping[str, float] = field(default_factory=lambda: {"delta": 0.0, "heterogeneous": 0})

    @property
    def variants(self) -> tuple[str, ...]:
        return variants.with_ridge_risk()

    def evaluate(
        self, variant: str, quantity: str, protocol: str | None, parameters: Mapping[str, Any]
    ) -> BoundReport:
        M, K, T, d = (int(parameters[name]) for name in "MKTd")
        heterogeneous = bool(parameters["heterogeneous"])
        tolerance = solver_tolerance(protocol, float(parameters["delta"]))
        if heterogeneous and variants.ridge_risk(variant).same_law:
            raise InputError(
                "heterogeneous", 1, f"must be 0 for the variant {variant}: one law for all agents"
            )
        if quantity == "regret":
            bound = epoch_sum(variant, M, K, d, tolerance, heterogeneous)
            formula = partial(closed_form_at, variant, heterogeneous, tolerance)
            if protocol == "agd_convex" and not variants.row(variant).order_only:
                bound = convex_epoch_sum(variant, M, K, d, heterogeneous)
                formula = partial(convex_closed_form, variant, heterogeneous)
            return BoundReport(
                value=bound.value(T),
                formula=formula,
                trivial=bound.trivial(T),
                first_informative_horizon=bound.first_informative_horizon(),
                hypotheses=(*HYPOTHESES, *_details(variant, protocol, tolerance, heterogeneous)),
                order_only=variants.row(variant).order_only,
                rests_on=_rests_on(protocol, heterogeneous),
                lower=None if variants.row(variant).order_only else bound.lower(T),
            )
        return communication(
            variant,
            quantity,
            protocol or "direct",
            M,
            d,
            T,
            solver_tolerance(protocol or "direct", float(parameters["delta"])),
            heterogeneous,
        )


def _rests_on(protocol: str | None, heterogeneous: bool) -> tuple[tuple[str, str], ...]:
    """What the regret rests on beyond the corollary: the excess risk of that law, and the solver where it has one."""
    solvers = {"agd": "rate", "cg": "certificate", "chebyshev": "chebyshev"}
    found = [("own:ridge_excess_risk", "different_laws" if heterogeneous else "same_law")]
    if protocol == "agd_convex":
        found.append(("own:agd_convex", "risk"))
    if protocol in solvers:
        found.append(("own:agd_rate", solvers[protocol]))
    return tuple(found)


def solver_tolerance(protocol: str | None, given: float) -> float:
    """delta: what is given, or the default of a solver that is not exact; an exact one has none."""
    if protocol in linear_communication.ITERATIVE:
        return given or linear_communication.DEFAULT_TOLERANCE
    return given if protocol is None else 0.0


def communication(
    variant: str,
    quantity: str,
    protocol: str,
    agents: int,
    dimension: int,
    horizon: int,
    tolerance: float,
    heterogeneous: bool,
) -> BoundReport:
    """Counts: exact sums of the schedule, or the paper's O(.) with constant 1.

    Trivial: every sample sent as it comes, d features and a reward up and the estimate down (numbers), or a call
    after every step (calls, rounds).
    """
    if variants.row(variant).order_only:
        value = float(_printed(quantity, protocol, agents, dimension, horizon))
        formula = partial(printed_form, quantity, protocol)
    else:
        count = {
            "calls": lambda *_: linear_communication.calls(horizon),
            "rounds": linear_communication.total_rounds,
            "numbers": linear_communication.total_numbers,
        }[quantity]
        value = float(count(protocol, agents, dimension, horizon, tolerance or 1.0, heterogeneous))
        formula = partial(communication_form, quantity, protocol, heterogeneous, tolerance)
    trivial = agents * horizon * (2 * dimension + 1) if quantity == "numbers" else horizon
    return BoundReport(
        value=value,
        formula=formula,
        trivial=float(trivial),
        first_informative_horizon=None,
        hypotheses=(*HYPOTHESES[1:], *_details(variant, protocol, tolerance, heterogeneous)),
        order_only=variants.row(variant).order_only,
    )


def communication_form(quantity: str, protocol: str, heterogeneous: bool, tolerance: float) -> Any:
    """A closed bound on the calls, rounds or numbers by T."""
    import sympy

    if quantity == "calls":
        return sympy.floor(sympy.log(symbol("T"), 2))
    closed = {"rounds": linear_communication.closed_rounds, "numbers": linear_communication.closed_numbers}[
        quantity
    ]
    return closed(protocol, heterogeneous).subs(symbol("delta"), _short(tolerance))


def printed_form(quantity: str, protocol: str) -> Any:
    """What stands inside the printed O(.) of the communication."""
    return _printed(quantity, protocol, *(symbol(name) for name in "MdT"))


def _printed(quantity: str, protocol: str, agents: Any, dimension: Any, horizon: Any) -> Any:
    if protocol not in ("direct", "direct_printed", "agd"):
        raise InputError("--protocol", protocol, "the paper bounds only direct and agd; use repaired")
    if quantity == "numbers":
        return linear_communication.printed_numbers(protocol, agents, dimension, horizon)
    if quantity == "rounds" and protocol == "agd":  # rmk:linear: O~(sqrt(MT)) rounds
        return sqrt(agents * horizon)
    return log(horizon)


def _details(variant: str, protocol: str | None, tolerance: float, heterogeneous: bool) -> list[str]:
    ridge = variants.ridge_risk(variant)
    proved = "(d/4 + 9/4)/n" if heterogeneous else "(d/4 + 1)/(n+1)"
    risk = "(d/4 + 1)/n" if ridge.same_law else proved
    lines = [
        "agents' laws of features may differ" if heterogeneous else "the same law of features for all agents"
    ]
    if protocol == "agd_convex":
        lines.append(f"e(n) of ceil(sqrt n) rounds, one logarithm above {risk}; cites matrix Chernoff")
    elif ridge.stated:
        lines.append(f"e(n) = {risk}")
    if tolerance:
        least = proved if ridge.same_law else "e(n)"
        lines.append(
            f"{protocol or 'solver'} stops at squared distance delta^2 {least}, delta = {tolerance:g}"
        )
    return lines


def _short(tolerance: float) -> Any:
    """The tolerance as the rational that its shortest decimal names, so that formulas stay readable."""
    import sympy

    return sympy.Rational(str(tolerance))
