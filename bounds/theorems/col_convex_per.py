"""Bound regret and communication of FedIGW with LSGD-PFL, for ridge regression with shared and personal coordinates
(col:convex_per).

M agents share da coordinates, and each has db of its own. Together they form one ridge problem in D = da + M db
dimensions, whose true parameter has squared norm at most M. On n samples, n/M of each agent, the excess risk of the
exact estimate w_S is at most C/n with C = D/4 + 9M/4. In the norm in which each agent's own coordinates have weight
1/M, the objective F has curvature between mu = 2/n and beta = 2(1 + M/n). In the mean over the data

    gap_0 <= 1                              F minus its minimum at the start 0
    d_0 <= (1+sqrt(D/4+M))^2                squared distance of the start from w_S
    sigma^2 <= 1 + 4M/n                     variance of a sample's gradient at w_S
    zeta^2 <= (sqrt M + sqrt(D+4M))^2/n     mean squared norm of the agents' gradients at w_S

The variants:

* printed: the orders with constant 1, as for col:convex
* repaired: excess risk (1+delta)^2 C/n, where delta is the tolerance of the solver: its last point w has E norm(w -
  w_S)^2 <= delta^2 C/n. 2 M da numbers a round; rounds by Theorem G (bounds/local_steps.py). Noise in personal
  coordinates does not average over agents. lsgd_pfl takes full local gradients, lsgd_pfl_sgd batches.
* sharpened: the same with the constants of that variant
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bounds import col_convex_rounds
from bounds.arithmetic import sqrt
from bounds.col_convex_rounds import Rounds, Row, Worst
from bounds.errors import choose
from bounds.schedules import samples_of_calls
from bounds.theorem import Case, Statement
from bounds.theorems.col_convex import LARGEST_BETA, LocalTheorem, remark
from bounds.theorems.col_linear_per import HYPOTHESES

PROTOCOLS = {name: col_convex_rounds.LOCAL[name] for name in ("lsgd_pfl", "lsgd_pfl_sgd")}
ELIMINATION = "agents that eliminate their personal blocks first make it exact, in one round a call"
DEFAULTS = {"delta": 0.5, "local_steps": 10, "server_step": 1.0}


def lifted(agents: Any, shared: Any, own: Any) -> Any:
    return shared + agents * own


def constant(agents: Any, lifted_dimension: Any) -> Any:
    """Return C = (lifted_dimension + 9 agents)/4. The excess risk of ridge regression with personal coordinates from
    n samples is at most C/n. `lifted_dimension` counts the coordinates of all agents."""
    return (lifted_dimension + 9 * agents) / 4


def _worst(
    n: Any, agents: Any, dimension: Any, tolerance: Any, beta: Any, noise: Any, *local: Any, path: int = 1
) -> Worst:
    reach = tolerance**2 * constant(agents, dimension) / (n if path == 1 else dimension)
    spread = (sqrt(agents) + sqrt(dimension + 4 * agents)) ** 2
    distance = (1 + sqrt(dimension / 4 + agents)) ** 2
    return Worst(n, path, reach / n, reach, beta, noise, spread, distance, 1, *local)


def schedule(
    protocol: str,
    n: int,
    agents: int,
    lifted_dimension: int,
    tolerance: float,
    local_steps: int = 1,
    server_step: float = 1.0,
    path: int = 1,
    batch: int = 1,
) -> Rounds:
    """Return the step and the number of rounds with which LSGD-PFL learns one model from `n` samples, equally many of
    each agent. `path` 1: the last point is in expectation within squared distance tolerance^2 C/n of the minimiser,
    where C/n is the minimiser's excess risk. `path` 2: the objective at the average point is in expectation within
    tolerance^2 C/(n lifted_dimension) of its minimum. `lifted_dimension`: coordinates of all agents. `batch`: samples
    of a minibatch."""
    choose("protocol", protocol, PROTOCOLS)
    col_convex_rounds.check(tolerance, server_step)
    beta, noise = 2 * (1 + agents / n), (1 + 4 * agents / n) / batch
    given = (n, agents, lifted_dimension, tolerance, beta, noise, local_steps, server_step)
    return PROTOCOLS[protocol].schedule(_worst(*given, path=path))


@dataclass(frozen=True)
class ConvexPersonalisedRegret(LocalTheorem):
    """The bounds on regret and communication of FedIGW with LSGD-PFL, for ridge regression with partly shared
    parameters (col:convex_per). Only the shared coordinates are sent."""

    label: str = "col:convex_per"
    counted: tuple[str, ...] | None = None
    protocols: tuple[str, ...] = tuple(PROTOCOLS)
    required: tuple[str, ...] = ("M", "K", "T", "da", "db")
    optional: Mapping[str, float] = field(default_factory=lambda: dict(DEFAULTS))
    shapes: tuple[str, ...] = ("delta",)

    def check(self, case: Case, quantity: str) -> None:
        col_convex_rounds.check(float(case["delta"]), float(case["server_step"]))

    def law(self, case: Case) -> tuple[Any, bool, Any]:
        return lifted(*case.each(("M", "da", "db"))), True, case["M"]

    def path(self, case: Case) -> int:
        return 1

    def travelling(self, case: Case) -> Any:
        return case["da"]

    def row(self, case: Case) -> Row:
        return PROTOCOLS[str(case.protocol)]

    def rounds(self, case: Case) -> list[int]:
        M, T, dimension = int(case["M"]), int(case["T"]), int(self.law(case)[0])
        more = (float(case["delta"]), int(case["local_steps"]), float(case["server_step"]))
        return [schedule(str(case.protocol), n, M, dimension, *more).rounds for n in samples_of_calls(M, T)]

    def worst(self, case: Case) -> Worst:
        M, T, delta, local, server = case.each(("M", "T", "delta", "local_steps", "server_step"))
        return _worst(M * T, M, self.law(case)[0], delta, LARGEST_BETA, LARGEST_BETA, local, server)

    def rests_on(self, case: Case) -> tuple[Statement, ...]:
        return (("own:ridge_excess_risk", "different_laws"), (self.label, "schedule"))

    def needs(self, case: Case, quantity: str) -> tuple[str, ...]:
        if quantity == "calls":
            return ("epoch lengths 2, 2, 4, 8, ...",)
        steps, server, delta = int(case["local_steps"]), float(case["server_step"]), float(case["delta"])
        found: tuple[str, ...] = (
            *HYPOTHESES[0 if quantity == "regret" else 1 :],
            f"{case.protocol} from 0, local_steps = {steps}, server_step = {server:g},"
            f" E norm(w - w_S)^2 <= delta^2 C~/n, C~ = (da + M db)/4 + 9M/4, delta = {delta:g}",
            "every agent takes part in every round and has n/M of the n samples",
        )
        if quantity == "regret":
            risk = "1/sqrt(n) (constant 1)" if case.order_only else f"{(1 + delta) ** 2:g} C~/n"
            found = (*found, self.variant_row(case).rate_words(risk, int(case["K"]), not case.order_only))
        if case.order_only:
            return found
        counted = self.counts(case)
        M, da, T = (int(case[name]) for name in ("M", "da", "T"))
        more = remark(str(case.protocol), M, da, T, counted.rounds, int(counted.numbers), ELIMINATION)
        return (*found, *more)


THEOREM = ConvexPersonalisedRegret()
