"""Bound regret and communication of FedIGW with federated ridge regression (col:linear).

M agents with K arms and features in d dimensions play epochs l = 1, 2, ... of E^l steps, which end at steps 2, 4, 8,
.... e_{l-1} is the excess risk of the model learned from the n = M E^{l-1} samples of epoch l-1, with weight 1/n on
the squared norm. delta is the tolerance of the solver, 0 for an exact one. Variants of the regret bound:

* printed: 2M + 44 sum_l sqrt(K d/n_{l-1}) M E^l, where n_{l-1} = M E^{l-1} and the hidden constant of e = O~(d/n) is
  taken as 1
* repaired: 2M + 11 sum_l (1+delta) sqrt(K e_{l-1}) M E^l with e = C/(n+1) and C = d/4 + 1
* sharpened: 2M(1-1/K) + sum_l M E^l min(1, B (1+delta) sqrt(K e_{l-1})), B the constant of thm:global_regret
* best: the same with B <= 3.6981 and e = C/n

If the agents' distributions differ (heterogeneous = 1), e = (d/4 + 9/4)/n. Learning rates are computed from e as it
is, also where it exceeds 1.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from bounds import linear_communication, own_ridge_excess_risk, variants
from bounds.arithmetic import Value, log
from bounds.epoch_sum import EpochSum
from bounds.errors import InputError
from bounds.linear_communication import PROTOCOLS, solver_tolerance
from bounds.quantities import Counted
from bounds.theorem import Case, DoublingTheorem, Statement
from bounds.variant_row import Variant

HYPOTHESES = (
    "H1 rewards in [0,1] with mean phi'omega*, norm(phi) <= 1, norm(omega*) <= 1",
    "H2 synchronous agents with K arms each, tau^l = 2^l, lengths independent of the data",
    "ridge regression on each epoch's n = M E^l samples with lambda = 1/n",
)


def excess_risk(
    variant: str,
    dimension: int,
    n: int,
    tolerance: float = 0.0,
    heterogeneous: bool = False,
    norm_squared: int = 1,
) -> float:
    """Return the mean excess risk of ridge regression after n samples that a variant of the regret bound uses,
    including the error of a solver of this relative `tolerance`. `heterogeneous`: whether the agents' distributions
    differ. `norm_squared`: bound on the squared norm of the true parameter."""
    ridge = variants.row(variant).ridge
    return float(ridge.with_solver(ridge.mean(dimension, n, heterogeneous, norm_squared), tolerance))


class RidgeTheorem(DoublingTheorem):
    """The base class of bounds on regret and communication of FedIGW with ridge regression."""

    def variant_row(self, case: Case) -> Variant:
        """Return the constants of the bound's variant, with learning rates from the excess risk without clipping it at
        1. The regret bound is capped at one per step instead."""
        return replace(case.row, clipped=False)

    def law(self, case: Case) -> tuple[Value, bool, Value]:
        """Return the quantities that determine the excess risk: the dimension of the pooled problem, whether the
        agents' distributions differ, and a bound on the squared norm of the true parameter."""
        raise NotImplementedError

    def tolerance(self, case: Case) -> Value:
        """Return the tolerance of the solver that the regret bound assumes."""
        return case["delta"]

    def risk(self, case: Case, n: int) -> float:
        dimension, heterogeneous, norm = self.law(case)
        return excess_risk(case.variant, dimension, n, float(self.tolerance(case)), heterogeneous, norm)

    def coefficient(self, case: Case) -> Value:
        ridge = variants.row(case.variant).ridge
        return ridge.with_solver(ridge.coefficient(*self.law(case)), self.tolerance(case))

    def regret_order_only(self, case: Case) -> bool:
        return case.order_only

    def every_step(self, case: Case) -> Counted:
        M, T, d = case["M"], case["T"], self.travelling(case)
        return Counted(T, T, M * T * (d + 1), M * T * d)

    def travelling(self, case: Case) -> Value:
        """Return the number of coordinates that agents and server send each other."""
        raise NotImplementedError


class SolverTheorem(RidgeTheorem):
    """The base class of bounds for ridge regression solved by a protocol whose messages
    bounds/linear_communication.py counts."""

    def tolerance(self, case: Case) -> Value:
        return _tolerance(case.asked, case["delta"])

    def closed_counts(self, case: Case) -> Counted:
        if case.order_only:
            return self._printed(case)
        coefficient, delta = (
            own_ridge_excess_risk.coefficient(*self.law(case)),
            _tolerance(case.protocol, case["delta"]),
        )
        M, d, T = case["M"], self.travelling(case), case["T"]
        return linear_communication.closed_total(str(case.protocol), M, d, T, delta, coefficient)

    def _printed(self, case: Case) -> Counted:
        raise NotImplementedError


@dataclass(frozen=True)
class LinearRegret(SolverTheorem):
    """The bounds on regret and communication of FedIGW with ridge regression (col:linear). delta: the solver's
    tolerance. If it is 0, solvers are exact, except accelerated gradient descent and Chebyshev iteration, which use
    their default 0.1."""

    label: str = "col:linear"
    hypotheses: tuple[str, ...] = HYPOTHESES
    counted: tuple[str, ...] | None = None
    protocols: tuple[str, ...] = tuple(PROTOCOLS)
    required: tuple[str, ...] = ("M", "K", "T", "d")
    optional: Mapping[str, float] = field(default_factory=lambda: {"delta": 0.0, "heterogeneous": 0})
    shapes: tuple[str, ...] = ("delta", "heterogeneous")

    def law(self, case: Case) -> tuple[Value, bool, Value]:
        return case["d"], bool(case["heterogeneous"]), 1

    def travelling(self, case: Case) -> Value:
        return case["d"]

    def used(self, case: Case, quantity: str) -> Mapping[str, Value]:
        protocol = case.asked if quantity in ("regret", "calls") else case.protocol
        return {**case.parameters, "delta": _tolerance(protocol, case["delta"])}

    def risk(self, case: Case, n: int) -> float:
        if own := self._own(case):
            return own.risk(int(case["d"]), n, bool(case["heterogeneous"]))
        return super().risk(case, n)

    def coefficient(self, case: Case) -> Value:
        if own := self._own(case):
            return own.coefficient(case["d"], bool(case["heterogeneous"]))
        return super().coefficient(case)

    def halves(self, case: Case) -> bool:
        return self._own(case) is None  # its risk is not of the form C/n

    def _own(self, case: Case) -> linear_communication.OwnRisk | None:
        return None if case.asked is None or case.order_only else PROTOCOLS[case.asked].own_risk

    def counts(self, case: Case) -> Counted:
        if case.order_only:
            return self._printed(case)
        M, d, T = (int(case[name]) for name in "MdT")
        delta = float(_tolerance(case.protocol, case["delta"])) or 1.0
        return linear_communication.total(str(case.protocol), M, d, T, delta, bool(case["heterogeneous"]))

    def _printed(self, case: Case) -> Counted:
        M, d, T = case.each("MdT")
        inside = PROTOCOLS[str(case.protocol)].printed
        if inside is None:
            said = "the paper bounds only direct and agd; use repaired"
            raise InputError("--protocol", str(case.protocol), said)
        return Counted(log(T), *inside(M, d, T))

    def regret_needs(self, case: Case) -> tuple[str, ...]:
        """Return the hypotheses of the regret bound, as sentences. One of them is the rule for the policy's learning
        rate; the excess risk in it includes the solver's error."""
        details = _details(case.variant, case.asked, self.tolerance(case), self.law(case)[1])
        risk = "d/n (constant 1)" if case.order_only else f"{_factor(self.tolerance(case))}e(n)"
        return (
            *HYPOTHESES,
            *details,
            self.variant_row(case).rate_words(risk, int(case["K"]), self.halves(case)),
        )

    def counted_needs(self, case: Case) -> tuple[str, ...]:
        delta = _tolerance(case.protocol, case["delta"])
        return (*HYPOTHESES[1:], *_details(case.variant, case.protocol, delta, self.law(case)[1]))

    def rests_on(self, case: Case) -> tuple[Statement, ...]:
        risk = ("own:ridge_excess_risk", "different_laws" if case["heterogeneous"] else "same_law")
        return (risk, *(PROTOCOLS[case.asked].rests_on if case.asked else ()))


def _tolerance(protocol: str | None, given: Value) -> Value:
    delta = solver_tolerance(protocol, given)
    if isinstance(given, float) or not isinstance(delta, float):
        return delta
    import sympy

    return sympy.Rational(str(delta))


def _factor(tolerance: float) -> str:
    return f"{(1 + float(tolerance)) ** 2:g} " if tolerance else ""


def _details(variant: str, protocol: str | None, tolerance: float, heterogeneous: bool) -> list[str]:
    ridge = variants.row(variant).ridge
    proved = "(d/4 + 9/4)/n" if heterogeneous else "(d/4 + 1)/(n+1)"
    risk = proved.replace("(n+1)", "n") if ridge.halves else proved
    lines = [
        "agents' laws of features may differ" if heterogeneous else "the same law of features for all agents"
    ]
    if protocol is not None and PROTOCOLS[protocol].own_risk:
        lines.append(f"e(n) of ceil(sqrt n) rounds, of order d times {risk}")
    elif ridge.stated:
        lines.append(f"e(n) = {risk}")
    if tolerance:
        least = proved if ridge.halves else "e(n)"
        lines.append(
            f"{protocol or 'solver'} stops at squared distance delta^2 {least}, delta = {tolerance:g}"
        )
    return lines


THEOREM = LinearRegret()


def epoch_sum(
    variant: str,
    agents: int,
    arms: int,
    dimension: int,
    tolerance: float = 0.0,
    heterogeneous: bool = False,
    protocol: str | None = None,
) -> EpochSum:
    """Return the regret bound of FedIGW with ridge regression (col:linear) as a sum over epochs. `tolerance`: of the
    solver, relative to the statistical error. `heterogeneous`: whether the agents' distributions differ."""
    given = {"M": agents, "K": arms, "d": dimension, "delta": tolerance, "heterogeneous": heterogeneous}
    return THEOREM.regret(Case(variant, protocol, protocol, given))
