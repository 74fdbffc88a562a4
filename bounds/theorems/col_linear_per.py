"""Bound regret and communication of FedIGW with ridge regression whose parameters are partly shared (col:linear_per).

M agents with K arms share da coordinates, and each has db of its own: D = da + M db in all. The squared norm of all
true parameters together is at most M. There are T steps. Variants of the bounds:

* printed: O~(sqrt(MK D T)) regret, O(da log(da) sqrt(M^3 T)) numbers sent
* others: the regret bound of col:linear with the excess risk e = (D/4 + 9M/4)/n after n samples. For one model,
  accelerated gradient descent to the tolerance delta sends M da (2k+1) numbers with
  k = ceil(sqrt(n+1) ln(1.25 n/(delta^2 e))). Conjugate gradients on the Schur complement send at most
  2 M da (min(da, n)+1).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from bounds import linear_communication, own_ridge_excess_risk
from bounds.arithmetic import Value, log, sqrt
from bounds.epoch_sum import EpochSum
from bounds.quantities import Counted
from bounds.schedules import samples_of_calls
from bounds.theorem import Case
from bounds.theorems.col_linear import SolverTheorem, _factor, _tolerance

PROTOCOLS = ("agd", "cg")
HYPOTHESES = (
    "H1 rewards in [0,1] with mean phi'omega_m, norm(phi) <= 1, norm(omega_m) <= 1, d^a coordinates shared",
    "H2 synchronous agents with K arms each, tau^l = 2^l, lengths independent of the data",
    "ridge regression on the lifted features of each epoch's n = M E^l samples with lambda = 1/n",
)


def excess_risk(lifted_dimension: Value, agents: Value, n: Value) -> Value:
    """Return the mean excess risk (lifted_dimension/4 + 9 agents/4)/n of ridge regression with partly shared
    parameters. `lifted_dimension` counts the coordinates of all agents."""
    return own_ridge_excess_risk.mean(1.0 * lifted_dimension, n, heterogeneous=True, norm_squared=agents)


def rounds_of_call(protocol: str, n: int, agents: int, shared: int, own: int, tolerance: float) -> int:
    """Return the number of rounds in which the named protocol learns one model from `n` samples, to a squared distance
    from the exact estimate of tolerance^2 times `excess_risk`. `shared`, `own`: numbers of shared and personal
    coordinates of an agent."""
    target = tolerance**2 * excess_risk(shared + agents * own, agents, n)
    return linear_communication.PROTOCOLS[protocol].rounds(n, shared, target)


def total(protocol: str, agents: int, shared: int, own: int, horizon: int, tolerance: float) -> Counted:
    """Return the exact counts of calls of the protocol, rounds and numbers sent up to the horizon. `shared`, `own`:
    numbers of shared and personal coordinates of an agent; only the shared ones are sent."""
    samples = samples_of_calls(agents, horizon)
    rounds = (rounds_of_call(protocol, n, agents, shared, own, tolerance) for n in samples)
    return linear_communication.summed(protocol, agents, shared, rounds)


@dataclass(frozen=True)
class PersonalisedRegret(SolverTheorem):
    """The bounds on regret and communication of FedIGW with ridge regression, for agents with da shared and db
    personal coordinates each (col:linear_per). Only the shared ones are sent."""

    label: str = "col:linear_per"
    hypotheses: tuple[str, ...] = HYPOTHESES
    counted: tuple[str, ...] | None = None
    protocols: tuple[str, ...] = PROTOCOLS
    required: tuple[str, ...] = ("M", "K", "T", "da", "db")
    optional: Mapping[str, float] = field(default_factory=lambda: {"delta": 0.0})
    shapes: tuple[str, ...] = ("delta",)

    def law(self, case: Case) -> tuple[Value, bool, Value]:
        return case["da"] + case["M"] * case["db"], True, case["M"]

    def travelling(self, case: Case) -> Value:
        return case["da"]

    def counts(self, case: Case) -> Counted:
        if case.order_only:
            return self._printed(case)
        M, T, da, db = (int(case[name]) for name in ("M", "T", "da", "db"))
        delta = float(_tolerance(case.protocol, case["delta"])) or 1.0
        return total(str(case.protocol), M, da, db, T, delta)

    def _printed(self, case: Case) -> Counted:
        M, T, shared = case.each(("M", "T", "da"))
        return Counted(log(T), sqrt(M * T), linear_communication.printed_numbers("agd", M, shared, T))

    def regret_needs(self, case: Case) -> tuple[str, ...]:
        delta = self.tolerance(case)
        risk = "dtilde/n (constant 1)" if case.order_only else f"{_factor(delta)}(dtilde/4 + 9M/4)/n"
        rate = self.variant_row(case).rate_words(risk + ", dtilde = da + M db", int(case["K"]))
        return (*HYPOTHESES, *([f"delta = {delta:g}"] if delta else []), rate)

    def counted_needs(self, case: Case) -> tuple[str, ...]:
        delta = self.tolerance(case) if case.order_only else _tolerance(case.protocol, case["delta"])
        return (*HYPOTHESES, *([f"delta = {delta:g}"] if delta else []))


THEOREM = PersonalisedRegret()


def epoch_sum(
    variant: str, agents: int, arms: int, lifted_dimension: int, tolerance: float = 0.0
) -> EpochSum:
    """Return the regret bound of FedIGW with partly shared parameters (col:linear_per) as a sum over epochs.
    `lifted_dimension` counts the coordinates of all agents, `tolerance` is that of the solver."""
    given = {"M": agents, "K": arms, "da": lifted_dimension, "db": 0, "delta": tolerance}
    return THEOREM.regret(Case(variant, None, None, given))
