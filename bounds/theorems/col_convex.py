"""Bound regret and communication of FedIGW with ridge regression solved by local methods: FedAvg, SCAFFOLD, ...
(col:convex).

M agents with K arms and features in d dimensions play T steps, E^l of them in epoch l. e_{l-1} is the excess risk of
the model learned from the n = M E^{l-1} samples of epoch l-1, delta the tolerance of the solver, kappa the number of
local steps. The weight on the squared norm is 1/n. Variants of the bounds:

* printed: orders with constant 1. e = 1/sqrt(n); rounds n + n^{3/2}/(kappa M), and n^{5/4} more for FedAvg.
* repaired: regret 2M + 11 sum_l sqrt(K e_{l-1}) M E^l with e = f (d/4 + 1)/(n+1) and f = (1+delta)^2. Rounds:
  bounds/col_convex_rounds.py, summed over epochs.
* sharpened: regret 2M(1-1/K) + sum_l M E^l min(1, C sqrt(K e_{l-1})), C the constant of thm:global_regret.

If the agents' distributions differ (heterogeneous = 1), e = f (d/4 + 9/4)/n. The direct method solves the same
problem exactly in one round. Where a local method needs more rounds than the direct method sends numbers, the
hypotheses end with a remark that says so.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bounds import col_convex_rounds, linear_communication, own_ridge_excess_risk, variants
from bounds.arithmetic import ratio, sqrt
from bounds.col_convex_rounds import (
    Row,
    Worst,
    call_on,
    target_gap,
    zeta_spread,
)
from bounds.errors import InputError
from bounds.quantities import Counted
from bounds.schedules import calls, closed_calls, samples_of_calls
from bounds.theorem import Case, Statement
from bounds.theorems.col_linear import HYPOTHESES as LINEAR
from bounds.theorems.col_linear import RidgeTheorem

PROTOCOLS = tuple(col_convex_rounds.PROTOCOLS)
PAPERS = ("fedavg", "scaffold", "fedavg_sgd", "scaffold_sgd")
DEFAULTS = {"delta": 0.5, "local_steps": 10, "server_step": 1.0, "path": 2, "heterogeneous": 0}
LARGEST_BETA = 3  # beta = 2(1+1/n) <= 3 and 1 + 4/n <= 3 from n = 2 on


class LocalTheorem(RidgeTheorem):
    """The base class of regret and communication bounds for ridge regression solved by methods with local steps. The
    variant `printed` evaluates the paper's orders with constant 1, at the excess risk 1/sqrt(n) after n samples."""

    def risk(self, case: Case, n: int) -> float:
        return float(n) ** -0.5 if case.order_only else super().risk(case, n)

    def closed_regret(self, case: Case) -> Any:
        if not case.order_only:
            return super().closed_regret(case)
        from bounds import plug_in
        from bounds.symbols import symbol

        return plug_in.closed_form(case.variant, 1 / sqrt(symbol("n")), corollary=True)

    def counts_order_only(self, case: Case, quantity: str) -> bool:
        return case.order_only and quantity != "calls"

    def row(self, case: Case) -> Row:
        raise NotImplementedError

    def rounds(self, case: Case) -> list[int]:
        """Return the number of communication rounds in which each model up to step T is learned."""
        raise NotImplementedError

    def path(self, case: Case) -> int:
        """Return how the excess risk is derived: 1 from the distance to the minimiser, 2 from the objective's gap."""
        return int(case["path"])

    def worst(self, case: Case) -> Worst:
        """Return the quantities that determine how many rounds a model takes, at their worst over all epochs, as
        sympy expressions."""
        raise NotImplementedError

    def counts(self, case: Case) -> Counted:
        M, T = int(case["M"]), int(case["T"])
        if case.order_only:
            return self._printed(case, calls(T), [float(n) for n in samples_of_calls(M, T)])
        rounds = self.rounds(case)
        return self.row(case).counted(
            M, int(self.travelling(case)), sum(rounds), len(rounds), self.path(case)
        )

    def closed_counts(self, case: Case) -> Counted:
        N = case["M"] * case["T"]
        if case.order_only:  # at its largest call
            return self._printed(case, closed_calls(), [N])
        row = self.row(case)
        closed = row.closed(self.worst(case))
        # an upper bound in any case: an averaged output, or AGD's last point
        return row.counted(case["M"], self.travelling(case), closed, closed_calls())

    def _printed(self, case: Case, count: Any, samples: list[Any]) -> Counted:
        rounds = sum(self.printed_rounds(case, n) for n in samples)
        one = case["M"] * self.travelling(case) * rounds
        return Counted(count, rounds, one, one)

    def printed_rounds(self, case: Case, n: Any, drift: bool = True) -> Any:
        quarter = ratio(1, 4, n)
        return (
            n + n ** (6 * quarter) / (case["local_steps"] * case["M"]) + (n ** (5 * quarter) if drift else 0)
        )


@dataclass(frozen=True)
class ConvexRegret(LocalTheorem):
    """The bounds on regret and communication of FedIGW with ridge regression solved by FedAvg, SCAFFOLD or gradient
    descent (col:convex)."""

    label: str = "col:convex"
    counted: tuple[str, ...] | None = None
    protocols: tuple[str, ...] = PROTOCOLS
    required: tuple[str, ...] = ("M", "K", "T", "d")
    optional: Mapping[str, float] = field(default_factory=lambda: dict(DEFAULTS))
    shapes: tuple[str, ...] = ("delta", "path", "heterogeneous")

    def check(self, case: Case, quantity: str) -> None:
        col_convex_rounds.check(float(case["delta"]), float(case["server_step"]), int(case["path"]))
        if case.order_only and quantity != "calls" and case.protocol not in PAPERS:
            said = "the paper bounds only fedavg and scaffold; use repaired"
            raise InputError("--protocol", str(case.protocol), said)

    def law(self, case: Case) -> tuple[Any, bool, Any]:
        return case["d"], bool(case["heterogeneous"]), 1

    def travelling(self, case: Case) -> Any:
        return case["d"]

    def risk(self, case: Case, n: int) -> float:
        """Return the excess risk after `n` samples, including the solver's error."""
        if case.order_only:
            return super().risk(case, n)
        ridge = variants.row(case.variant).ridge  # best has C/n, which halves
        statistical = ridge.mean(float(case["d"]), n, bool(case["heterogeneous"]), 1)
        return float(own_ridge_excess_risk.with_solver_error(float(statistical), float(case["delta"])))

    def coefficient(self, case: Case) -> Any:
        exact = own_ridge_excess_risk.coefficient(case["d"], bool(case["heterogeneous"]))
        return own_ridge_excess_risk.with_solver_error(exact, case["delta"])

    def row(self, case: Case) -> Row:
        return col_convex_rounds.PROTOCOLS[str(case.protocol)]

    def settings(self, case: Case) -> dict[str, Any]:
        return {
            "tolerance": float(case["delta"]),
            "local_steps": int(case["local_steps"]),
            "server_step": float(case["server_step"]),
            "path": int(case["path"]),
        }

    def rounds(self, case: Case) -> list[int]:
        M, T, d = (int(case[name]) for name in "MTd")
        made = [call_on(n, M, d, **self.settings(case)) for n in samples_of_calls(M, T)]
        return [col_convex_rounds.schedule(str(case.protocol), call).rounds for call in made]

    def worst(self, case: Case) -> Worst:
        M, T, d, delta = case.each(("M", "T", "d", "delta"))
        constant, path = own_ridge_excess_risk.coefficient(d), int(case["path"])
        gap, distance = target_gap(M * T, d, delta, path), (1 + sqrt(constant)) ** 2
        reach = delta**2 * constant / (M * T + 1)
        if path == 2:
            reach = ratio(2, 3, d) * delta**2 * constant / d
        spread, beta = zeta_spread(M, d), LARGEST_BETA
        local, server = case["local_steps"], case["server_step"]
        return Worst(M * T, path, gap, reach, beta, beta, spread, distance, 1 / M, local, server)

    def printed_rounds(self, case: Case, n: Any, drift: bool = True) -> Any:
        return super().printed_rounds(case, n, str(case.protocol).startswith("fedavg"))

    def rests_on(self, case: Case) -> tuple[Statement, ...]:
        law = "different_laws" if case["heterogeneous"] else "same_law"
        descent = case.protocol == "gd" or (case.protocol == "fedavg" and case["local_steps"] == 1)
        exact: Statement = ("own:ridge_excess_risk", law)
        if case.protocol == "agd":
            transfer: tuple[Statement, ...] = (("own:loss_to_risk", "inequality"),)
            return (exact, ("own:agd_rate", "rate"), *transfer[: self.path(case) - 1])
        by_distance = descent and self.path(case) == 1
        return (exact, ("own:agd_rate", "descent") if by_distance else (self.label, "schedule"))

    def needs(self, case: Case, quantity: str) -> tuple[str, ...]:
        if quantity == "calls":
            return ("epoch lengths 2, 2, 4, 8, ...",)
        if case.order_only:
            return PRINTED
        ridge = variants.row(case.variant).ridge
        laws = bool(case["heterogeneous"])
        own = hypotheses_of(str(case.protocol), self.settings(case), laws, ridge.halves)
        if quantity == "regret":
            own += (self.variant_row(case).rate_words("e(n)", int(case["K"])),)
        found, (M, d, T) = self.counts(case), (int(case[name]) for name in "MdT")
        own += remark(str(case.protocol), M, d, T, found.rounds, int(found.numbers))
        return (*LINEAR[0 if quantity == "regret" else 1 :], *own)


def remark(
    protocol: str,
    agents: int,
    dimension: int,
    horizon: int,
    rounds: int,
    sent: int,
    direct_method: str = "that method is exact, in one round a call",
) -> tuple[str, ...]:
    """Return a remark for the user, in a tuple, if the direct method (send sums, solve on the server) sends fewer
    numbers for the same estimates; else (). `dimension`: number of coordinates that are sent. `rounds`, `sent`: of
    `protocol`. `direct_method`: end of the remark, about the direct method."""
    direct = linear_communication.total_numbers("direct", agents, dimension, horizon, 1.0)
    if sent <= direct:
        return ()
    more = (
        f"the guarantee asks for more rounds ({rounds:.6g}) than the direct method sends numbers ({direct:.6g})"
        if rounds > direct
        else f"the guarantee asks for {sent:.6g} numbers, the direct method sends {direct:.6g}"
    )
    return (f"remark: {more}; {direct_method}; {protocol} may need far fewer rounds",)


PRINTED = (
    "the conditions of lem:error_decompose and of lem:FedAvg_complete or lem:SCAFFOLD_complete,"
    " which contradict each other on R^d (errata E15, E21)",
    "hidden constants, sigma_b, G_b, beta and mu_f taken as 1, mu = 1/n, Rademacher complexity 1/sqrt(n)",
)


def hypotheses_of(
    protocol: str, settings: Mapping[str, Any], heterogeneous: bool, halves: bool
) -> tuple[str, ...]:
    delta, path = settings["tolerance"], settings["path"]
    factor = (1 + delta) ** 2
    same = f"(d/4 + 1)/{'n' if halves else '(n+1)'} (the same law for all agents)"
    law = "(d/4 + 9/4)/n (different laws)" if heterogeneous else same
    reach = (
        "E gap <= delta^2 C/(n(n+1))"
        if path == 1
        else "E gap <= delta^2 C/(d(n+1)) at the weighted average of the points"
    )
    local = (
        f"; local_steps = {settings['local_steps']}, server_step = {settings['server_step']:g}"
        if protocol not in ("agd", "gd")
        else ""
    )
    return (
        f"e(n) = {factor:g} {law}",
        f"{protocol} from 0 with the step and rounds of path {path}: {reach}, delta = {delta:g}{local}",
        "every agent takes part in every round and has n/M of the n samples",
    )


THEOREM = ConvexRegret()
