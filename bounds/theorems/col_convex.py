"""col:convex for ridge regression (lambda = 1/n): regret and communication with FedAvg, SCAFFOLD and their kin.

printed     the orders with constant 1: e = 1/sqrt(n); rounds n + n^{3/2}/(kappa M) [+ n^{5/4} for FedAvg], mu = 1/n
repaired    2M + 11 sum_l sqrt(K e_{l-1}) M E^l,  e = f C/(n+1), C = d/4 + 1, f = (1+delta)^2 (+ delta on road 2);
            rounds and numbers of bounds.col_convex_rounds, summed over the calls n = M E^l
sharpened   2M(1-1/K) + sum_l M E^l min(1, (C/g) sqrt(K e_{l-1})), the same communication
heterogeneous = 1: e = f C'/n, C' = d/4 + 9/4.

The direct method solves the same problem exactly in one round: where the guarantee asks for more rounds than that sends
numbers, the report says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from bounds import col_convex_rounds, linear_communication, own_ridge_excess_risk, variants
from bounds.arithmetic import log, sqrt
from bounds.col_convex_rounds import Call, risk_factor
from bounds.epoch_sum import EpochSum
from bounds.errors import InputError
from bounds.plug_in_family import calls_report, regret_report
from bounds.report import BoundReport
from bounds.symbols import symbol
from bounds.theorems.col_linear import HYPOTHESES as LINEAR
from bounds.variant_row import doubling_sum, root

PROTOCOLS = tuple(col_convex_rounds.PROTOCOLS)
PAPERS = ("fedavg", "scaffold", "fedavg_sgd", "scaffold_sgd")
DEFAULTS = {"delta": 0.5, "local_steps": 10, "server_step": 1.0, "road": 2, "heterogeneous": 0}
SMALLEST_BETA = 3  # beta = 2(1+1/n) <= 3 and 1 + 4/n <= 3 from n = 2 on


def excess_risk(n: int, dimension: int, tolerance: float, road: int, heterogeneous: bool = False) -> float:
    """e(n), solver included: risk_factor times C/(n+1), or C'/n where the agents' laws differ."""
    statistical = own_ridge_excess_risk.mean(float(dimension), n, heterogeneous)
    return risk_factor(tolerance, road) * float(statistical)


def epoch_sum(
    variant: str, agents: int, arms: int, dimension: int, tolerance: float, road: int, heterogeneous: bool
) -> EpochSum:
    row = variants.row(variant)

    def risk(n: int) -> float:
        if row.order_only:
            return float(n) ** -0.5
        return row.clip(excess_risk(n, dimension, tolerance, road, heterogeneous))

    return row.epoch_sum(agents, arms, float(row.in_corollary(arms)), risk)


def closed_form(variant: str, tolerance: float, road: int, heterogeneous: bool) -> Any:
    """First epoch + c_I (2+sqrt2) sqrt(M K T f C); printed: the order (MT)^{3/4}."""
    import sympy

    row, K = variants.row(variant), symbol("K")
    if row.order_only:
        from bounds import plug_in

        return plug_in.closed_form(variant, 1 / sympy.sqrt(symbol("n")), corollary=True)
    coefficient = own_ridge_excess_risk.coefficient(symbol("d"), heterogeneous)
    factor = sympy.nsimplify(sympy.Rational(str(risk_factor(tolerance, road))))
    return row.closed_form(row.in_corollary(K), doubling_sum() * root(factor * coefficient))


def calls(agents: int, dimension: int, horizon: int, **settings: Any) -> list[Call]:
    """The calls by T. settings: tolerance, local_steps, server_step, road."""
    samples = linear_communication.samples_of_calls(agents, horizon)
    return [Call(n, agents, dimension, **settings) for n in samples]


def totals(protocol: str, made: list[Call]) -> tuple[int, int]:
    """(rounds, numbers) over the calls."""
    rounds = [col_convex_rounds.schedule(protocol, call).rounds for call in made]
    sent = [
        sum(col_convex_rounds.numbers(protocol, call.agents, call.dimension, r))
        for call, r in zip(made, rounds, strict=True)
    ]
    return sum(rounds), sum(sent)


def printed_rounds(protocol: str, agents: int, horizon: int, local_steps: int) -> float:
    """The printed order with sigma_b = G_b = beta = mu_f = 1, mu = 1/n, R = 1/sqrt(n), constants 1."""
    if protocol not in PAPERS:
        raise InputError("--protocol", protocol, "the paper bounds only fedavg and scaffold; use repaired")
    drift = protocol.startswith("fedavg")
    return sum(
        n + n**1.5 / (local_steps * agents) + (n**1.25 if drift else 0.0)
        for n in map(float, linear_communication.samples_of_calls(agents, horizon))
    )


def closed_rounds(protocol: str, tolerance: float, road: int) -> Any:
    """A closed bound on the rounds by T.

    With N = MT: sum n_l <= N; eps and n eps are at least their values at N (n/(n+1) >= 2/3 on road 2), beta <= 3.
    """
    import sympy

    M, T, d, steps, server = (symbol(s) for s in ("M", "T", "d", "local_steps", "server_step"))
    N, count, delta = M * T, sympy.floor(sympy.log(T, 2)), sympy.Rational(str(tolerance))
    C = own_ridge_excess_risk.coefficient(d)
    s = sympy.Max(2, sympy.Rational(str(own_ridge_excess_risk.CHERNOFF)) * log(d * (N + 1) / (delta * C)))
    eps = delta**2 * C / (N * (N + 1) if road == 1 else s * (N + 1))
    scaled = delta**2 * C / (N + 1) if road == 1 else sympy.Rational(2, 3) * delta**2 * C / s
    if protocol == "agd":
        return (1 + sympy.sqrt(2)) * sqrt(N) * log(sympy.Rational(5, 4) / eps) + count
    if protocol == "gd":
        return (N + count) / 2 * log(1 / eps) + count
    if protocol == "scaffold":
        return sympy.Rational(32, 13) * (N + count) * log(sympy.Rational(3, 2) / eps) + count
    spread = (sqrt(M) + sqrt(d + 4)) ** 2
    if protocol == "fedavg":
        slow = sympy.Max(SMALLEST_BETA, sqrt(2 * SMALLEST_BETA * spread / scaled) / server)
        return N * slow * log(2 * sympy.sqrt(2) * (1 / sqrt(eps) + sympy.Rational(1, 2))) + count
    averaged = protocol == "fedavg_sgd"
    noise = sympy.Rational(1, 10) if averaged else sympy.Rational(3, 10)
    first = SMALLEST_BETA / steps * (4 / M + noise / server**2) / eps
    drift = sympy.Rational(167, 100) * SMALLEST_BETA * spread / server**2 / scaled
    slowest = (
        sympy.Max(25 * SMALLEST_BETA, 4 * first, sqrt(4 * drift))
        if averaged
        else sympy.Max(26 * SMALLEST_BETA, 2 * first)
    )
    distance = (1 + sqrt(C)) ** 2 + (0 if averaged else sympy.Rational(14, 100))
    return N * slowest * log(1 + 2 * distance / scaled) + count


def communication_form(quantity: str, protocol: str, tolerance: float, road: int) -> Any:
    """A closed bound on the rounds, or on the numbers: 2 M d a round and M d a call."""
    import sympy

    rounds = closed_rounds(protocol, tolerance, road)
    if quantity == "rounds":
        return rounds
    return symbol("M") * symbol("d") * (2 * rounds + sympy.floor(sympy.log(symbol("T"), 2)))


def printed_form(protocol: str, quantity: str) -> Any:
    """The printed order at its largest call, n = MT."""
    M, T, d, steps = (symbol(name) for name in ("M", "T", "d", "local_steps"))
    N = M * T
    rounds = N + N * sqrt(N) / (steps * M) + (N * sqrt(sqrt(N)) if protocol.startswith("fedavg") else 0)
    return rounds if quantity == "rounds" else 2 * M * d * rounds


def remark(
    protocol: str,
    agents: int,
    dimension: int,
    horizon: int,
    rounds: int,
    sent: int,
    direct_method: str = "that method is exact, in one round a call",
) -> tuple[str, ...]:
    """What the direct method needs for the same estimates, where that is less; dimension: of what travels."""
    direct = linear_communication.total_numbers("direct", agents, dimension, horizon, 1.0)
    if sent <= direct:
        return ()
    more = (
        f"the guarantee asks for more rounds ({rounds:.6g}) than the direct method sends numbers ({direct:.6g})"
        if rounds > direct
        else f"the guarantee asks for {sent:.6g} numbers, the direct method sends {direct:.6g}"
    )
    return (f"remark: {more}; {direct_method}; {protocol} may need far fewer rounds",)


@dataclass(frozen=True)
class ConvexRegret:
    """The bounds of col:convex for ridge regression; protocols are the rows of bounds.col_convex_rounds."""

    quantities: tuple[str, ...] = ("regret", "calls", "rounds", "numbers")
    protocols: tuple[str, ...] = PROTOCOLS
    required: tuple[str, ...] = ("M", "K", "T", "d")
    optional: Mapping[str, float] = field(default_factory=lambda: dict(DEFAULTS))

    @property
    def variants(self) -> tuple[str, ...]:
        return variants.with_ridge_risk()

    def evaluate(
        self, variant: str, quantity: str, protocol: str | None, parameters: Mapping[str, Any]
    ) -> BoundReport:
        M, K, T, d = (int(parameters[name]) for name in "MKTd")
        delta, road = float(parameters["delta"]), int(parameters["road"])
        chosen, heterogeneous = protocol or "fedavg", bool(parameters["heterogeneous"])
        settings: dict[str, Any] = {
            "tolerance": delta,
            "local_steps": int(parameters["local_steps"]),
            "server_step": float(parameters["server_step"]),
            "road": road,
        }
        Call(2 * M, M, d, **settings)  # refuses settings that no schedule has
        printed = variants.row(variant).order_only
        if quantity == "calls":
            return calls_report(T)
        if printed:
            rounds = printed_rounds(chosen, M, T, settings["local_steps"])
            sent = 2 * M * d * rounds
        else:
            rounds, sent = totals(chosen, calls(M, d, T, **settings))
        hypotheses = () if printed else hypotheses_of(chosen, settings, heterogeneous)
        hypotheses += () if printed else remark(chosen, M, d, T, int(rounds), int(sent))
        if quantity == "regret":
            bound = epoch_sum(variant, M, K, d, delta, road, heterogeneous)
            formula = partial(closed_form, variant, delta, road, heterogeneous)
            needs = (*(PRINTED if printed else LINEAR), *hypotheses)
            return regret_report(bound, T, formula, needs, printed)
        return BoundReport(
            value=float(rounds if quantity == "rounds" else sent),
            formula=(
                partial(printed_form, chosen, quantity)
                if printed
                else partial(communication_form, quantity, chosen, delta, road)
            ),
            trivial=float(M * T * (2 * d + 1) if quantity == "numbers" else T),
            first_informative_horizon=None,
            hypotheses=(*(PRINTED if printed else LINEAR[1:]), *hypotheses),
            order_only=printed,
        )


PRINTED = (
    "the conditions of lem:error_decompose and of lem:FedAvg_complete or lem:SCAFFOLD_complete,"
    " which contradict each other on R^d (errata E15, E21)",
    "hidden constants, sigma_b, G_b, beta and mu_f taken as 1, mu = 1/n, Rademacher complexity 1/sqrt(n)",
)


def hypotheses_of(protocol: str, settings: Mapping[str, Any], heterogeneous: bool) -> tuple[str, ...]:
    delta, road = settings["tolerance"], settings["road"]
    factor = risk_factor(delta, road)
    law = (
        "(d/4 + 9/4)/n (different laws)" if heterogeneous else "(d/4 + 1)/(n+1) (the same law for all agents)"
    )
    reach = (
        "E gap <= delta^2 C/(n(n+1))"
        if road == 1
        else "E gap <= delta^2 C/(max(2,s)(n+1)), predictions clipped"
    )
    local = (
        f"; local_steps = {settings['local_steps']}, server_step = {settings['server_step']:g}"
        if protocol not in ("agd", "gd")
        else ""
    )
    return (
        f"e(n) = {factor:g} {law}",
        f"{protocol} from 0 with the step and rounds of road {road}: {reach}, delta = {delta:g}{local}",
        "every agent takes part in every round and has n/M of the n samples",
    )
