"""col:convex_per for ridge regression with shared and personal blocks: FedIGW with LSGD-PFL (lambda = 1/n).

dtilde = d^a + M d^b coordinates, norm(omega~*)^2 <= M, C~ = dtilde/4 + 9M/4. In the norm
norm(alpha)^2 + sum p_m norm(beta_m)^2 the objective has mu = 2/n, beta = 2(1 + M/n) (n/M samples of each agent), and

    gap_0 <= 1,  d_0 <= (1+sqrt(dtilde/4+M))^2,  sigma^2 <= 1 + 4M/n,
    zeta*^2 <= zbar^2 = (sqrt M + sqrt(dtilde+4M))^2/n.

printed     the orders with constant 1, as col:convex
repaired    e = (1+delta)^2 C~/n from E gap <= eps = delta^2 C~/n^2 (by the distance); numbers 2 M d^a a round
    lsgd_pfl      full local gradients, last iterate: h = min(1/beta, g sqrt(eps/(2 beta zbar^2))), as FedAvg
    lsgd_pfl_sgd  batches with replacement, weighted average: h = min(1/(25 beta), eps/(4 c1), sqrt(eps/(4 c2))),
                  c1 = (sigma^2/K)(4 + 0.10/g^2), c2 = 1.67 beta zbar^2/g^2: the personal noise does not average out
sharpened   the same with the constants of that variant
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from bounds import linear_communication, variants
from bounds.arithmetic import log, sqrt
from bounds.col_convex_rounds import Call, Rounds
from bounds.errors import choose
from bounds.plug_in_family import calls_report, regret_report
from bounds.report import BoundReport
from bounds.symbols import symbol
from bounds.theorems import col_convex
from bounds.theorems.col_linear_per import HYPOTHESES, closed_form, epoch_sum

PROTOCOLS = ("lsgd_pfl", "lsgd_pfl_sgd")
ELIMINATION = "agents that eliminate their personal blocks first make it exact, in one round a call"
DEFAULTS = {"delta": 0.5, "local_steps": 10, "server_step": 1.0}


def lifted(agents: Any, shared: Any, own: Any) -> Any:
    """dtilde."""
    return shared + agents * own


def constant(agents: Any, lifted_dimension: Any) -> Any:
    """C~ = dtilde/4 + 9M/4."""
    return (lifted_dimension + 9 * agents) / 4


def schedule(
    protocol: str,
    n: int,
    agents: int,
    lifted_dimension: int,
    tolerance: float,
    local_steps: int = 1,
    server_step: float = 1.0,
) -> Rounds:
    """Step h and rounds of one call on n samples, n/M of each agent, for E gap <= delta^2 C~/n^2."""
    choose("protocol", protocol, PROTOCOLS)
    Call(n, agents, 1, tolerance, local_steps, server_step)  # the same settings are refused
    gap = tolerance**2 * constant(agents, lifted_dimension) / n**2
    beta = 2 * (1 + agents / n)
    spread = (math.sqrt(agents) + math.sqrt(lifted_dimension + 4 * agents)) ** 2 / n
    if protocol == "lsgd_pfl":
        if local_steps == 1:  # no local drift: gradient descent, gap_r <= (1 - mu/beta)^r
            return Rounds(1 / beta, _up(n * beta / 2 * math.log(1 / gap)))
        step = min(1 / beta, server_step * math.sqrt(gap / (2 * beta * spread)))
        length = math.log(2 * math.sqrt(2) * (1 / math.sqrt(gap) + 0.5))
        return Rounds(step, _up(n / step * length))
    first = (1 + 4 * agents / n) / local_steps * (4 + 0.10 / server_step**2)
    second = 1.67 * beta * spread / server_step**2
    step = min(1 / (25 * beta), gap / (4 * first), math.sqrt(gap / (4 * second)))
    distance = (1 + math.sqrt(lifted_dimension / 4 + agents)) ** 2
    return Rounds(step, _up(n / step * math.log1p(2 * distance / (n * gap))))


def totals(
    protocol: str,
    agents: int,
    shared: int,
    own: int,
    horizon: int,
    tolerance: float,
    local_steps: int,
    server_step: float,
) -> tuple[int, int]:
    """(rounds, numbers) by T: 2 M d^a a round, and M d^a a call for the averaged shared block."""
    dimension = lifted(agents, shared, own)
    rounds = [
        schedule(protocol, n, agents, dimension, tolerance, local_steps, server_step).rounds
        for n in linear_communication.samples_of_calls(agents, horizon)
    ]
    last = len(rounds) if protocol == "lsgd_pfl_sgd" else 0
    return sum(rounds), agents * shared * (2 * sum(rounds) + last)


def closed_rounds(protocol: str, tolerance: float) -> Any:
    """A closed bound on the rounds by T: sum n_l <= N = MT, eps and n eps at N; M/n <= 1/2, so beta, sigma^2 <= 3."""
    import sympy

    M, T, steps, server = (symbol(name) for name in ("M", "T", "local_steps", "server_step"))
    N, dimension = M * T, lifted(M, symbol("da"), symbol("db"))
    scaled = sympy.Rational(str(tolerance)) ** 2 * constant(M, dimension) / N  # n eps
    spread = (sqrt(M) + sqrt(dimension + 4 * M)) ** 2
    count = sympy.floor(sympy.log(T, 2))
    if protocol == "lsgd_pfl":
        slow = sympy.Max(3, sqrt(6 * spread / scaled) / server)
        return N * slow * log(2 * sympy.sqrt(2) * (sqrt(N / scaled) + sympy.Rational(1, 2))) + count
    first = 3 / steps * (4 + sympy.Rational(1, 10) / server**2) * N / scaled
    drift = sympy.Rational(501, 100) * spread / server**2 / scaled
    distance = (1 + sqrt(dimension / 4 + M)) ** 2
    return N * sympy.Max(75, 4 * first, sqrt(4 * drift)) * log(1 + 2 * distance / scaled) + count


def formula(variant: str, quantity: str, protocol: str, tolerance: float) -> Any:
    """The closed form of regret, rounds or numbers."""
    import sympy

    M, T, da, steps = (symbol(name) for name in ("M", "T", "da", "local_steps"))
    if quantity == "regret" and variants.row(variant).order_only:
        return col_convex.closed_form(variant, tolerance, 1, True)
    if quantity == "regret":
        return closed_form(variant).subs(symbol("delta"), sympy.Rational(str(tolerance)))
    if variants.row(variant).order_only:
        rounds = M * T + (M * T) ** sympy.Rational(3, 2) / (steps * M) + (M * T) ** sympy.Rational(5, 4)
        return rounds if quantity == "rounds" else 2 * M * da * rounds
    rounds = closed_rounds(protocol, tolerance)
    return rounds if quantity == "rounds" else M * da * (2 * rounds + sympy.floor(sympy.log(T, 2)))


@dataclass(frozen=True)
class ConvexPersonalisedRegret:
    """The bounds of col:convex_per for ridge regression."""

    quantities: tuple[str, ...] = ("regret", "calls", "rounds", "numbers")
    protocols: tuple[str, ...] = PROTOCOLS
    required: tuple[str, ...] = ("M", "K", "T", "da", "db")
    optional: Mapping[str, float] = field(default_factory=lambda: dict(DEFAULTS))

    @property
    def variants(self) -> tuple[str, ...]:
        return variants.with_ridge_risk()

    def evaluate(
        self, variant: str, quantity: str, protocol: str | None, parameters: Mapping[str, Any]
    ) -> BoundReport:
        M, K, T, da, db = (int(parameters[name]) for name in self.required)
        delta, server = float(parameters["delta"]), float(parameters["server_step"])
        steps, chosen = int(parameters["local_steps"]), protocol or "lsgd_pfl"
        printed = variants.row(variant).order_only
        schedule(
            chosen, 2 * M, M, lifted(M, da, db), delta, steps, server
        )  # refuses settings that no schedule has
        if quantity == "calls":
            return calls_report(T)
        needs: tuple[str, ...] = (
            *HYPOTHESES,
            f"{chosen} from 0, local_steps = {steps}, server_step = {server:g},"
            f" E gap <= delta^2 C~/n^2, delta = {delta:g}",
            "every agent takes part in every round and has n/M of the n samples",
        )
        closed = partial(formula, variant, quantity, chosen, delta)
        if printed:
            samples = map(float, linear_communication.samples_of_calls(M, T))
            rounds: float = sum(n + n**1.5 / (steps * M) + n**1.25 for n in samples)
            sent: float = 2 * M * da * rounds
        else:
            rounds, sent = totals(chosen, M, da, db, T, delta, steps, server)
            needs += col_convex.remark(chosen, M, da, T, int(rounds), int(sent), ELIMINATION)
        if quantity == "regret":
            bound = (
                col_convex.epoch_sum(variant, M, K, 1, delta, 1, True)
                if printed
                else epoch_sum(variant, M, K, lifted(M, da, db), delta)
            )
            return regret_report(bound, T, closed, needs, printed)
        return BoundReport(
            value=float(rounds if quantity == "rounds" else sent),
            formula=closed,
            trivial=float(M * T * (2 * da + 1) if quantity == "numbers" else T),
            first_informative_horizon=None,
            hypotheses=needs[1:],
            order_only=printed,
        )


def _up(rounds: float) -> int:
    return max(1, math.ceil(rounds))
