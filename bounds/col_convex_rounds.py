"""col:convex for ridge regression: rounds, step and numbers of one FL call with a proved accuracy (lambda = 1/n).

One call has n samples, n/M of each agent; features and omega* have norm at most 1, rewards are in [0,1]. Then
mu = 2/n, beta = 2(1+1/n), and in the mean over the data, from x^0 = 0 with zero control variates,

    gap_0 <= 1,  d_0 <= (1+sqrt C)^2,  sigma*^2 <= 1 + 4/n,  zeta*^2 <= zbar^2 = (sqrt M + sqrt(d+4))^2/n.

Accuracy, C = d/4 + 1:

    path 1 (distance)  E norm(w - w_S)^2 <= tol = delta^2 C/(n+1)       gives e <= (1+delta)^2 C/(n+1)
                       also from E gap <= eps = tol/n
    path 2 (gap)       E gap <= eps = delta^2 C/(max(2,s)(n+1))         gives e <= ((1+delta)^2 + delta) C/(n+1),
                       s = 6.52 ln(d/delta'), delta' = delta C/(n+1)

Rounds; h = local_steps step_size server_step is the step of a whole round:

    agd           ceil(sqrt(n+1) ln(1.25/eps))
    gd            ceil(((n+1)/2) ln(1/eps))                              FedAvg with one full local step
    the others    by Theorem G (bounds.local_steps), its c1 and c2 at the bounds above, Psi_0 <= d_0 + a zbar^2:
                  path 1, the last point: c1 h + c2 h^2 <= mu tol/2, ceil((n/(2h)) ln(2 Psi_0/tol))
                  path 2, the average point: c1 h + c2 h^2 <= eps/2, ceil((n/h) ln(1 + 2 Psi_0/(n eps)))

SCAFFOLD with full gradients has c1 = c2 = 0: ln(Psi_0/tol) and ln(1 + Psi_0/(n eps)). On path 1 its Psi_0 is at least
what holds for all data, d_0 <= n/4 and zeta*^2 <= 4, so it reaches tol in every run.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bounds import local_steps
from bounds.arithmetic import largest, log, ratio, sqrt
from bounds.errors import InputError, choose
from bounds.own_agd_rate import smoothness
from bounds.own_ridge_excess_risk import CHERNOFF, coefficient
from bounds.quantities import Counted
from bounds.schedules import closed_calls

PATHS = (1, 2)


@dataclass(frozen=True)
class Worst:
    """The quantities that determine the rounds of one call, as numbers, or as symbols at their worst over all calls.
    n: samples. path: 1 or 2. gap: the accuracy eps. reach: n eps, on path 1 the squared distance. noise: the gradient
    noise at the minimiser. spread: n zeta*^2 there. distance: d_0. share: 1/M where noise averages over the agents,
    else 1."""

    n: Any
    path: int
    gap: Any
    reach: Any
    beta: Any
    noise: Any
    spread: Any
    distance: Any
    share: Any
    local_steps: Any
    server_step: Any

    @property
    def heterogeneity(self) -> Any:
        """Return zbar^2, a bound on E zeta*^2, the mean squared gradient of an agent's objective at the minimiser."""
        return self.spread / self.n


def call_on(
    n: int,
    agents: int,
    dimension: int,
    tolerance: float,
    local_steps: int = 1,
    server_step: float = 1.0,
    path: int = 2,
) -> Worst:
    """Return the quantities of one call on n samples, equally many of each of `agents` agents, in `dimension`
    dimensions. tolerance: delta, the relative error that the solver may add. local_steps, server_step: the paper's
    kappa and eta_g, which gd and agd do not have. path: derive the excess risk from the distance (1) or from the gap
    (2)."""
    check(tolerance, server_step, path)
    gap, beta = target_gap(n, dimension, tolerance, path), float(smoothness(float(n)))
    distance = (1 + math.sqrt(float(coefficient(float(dimension))))) ** 2  # (1 + sqrt C)^2
    at_best = 1 + 4 / n, zeta_spread(agents, dimension)
    return Worst(n, path, gap, n * gap, beta, *at_best, distance, 1 / agents, local_steps, server_step)


def check(tolerance: float, server_step: float, path: int = 2) -> None:
    """Raise InputError for settings for which there is no schedule."""
    if path not in PATHS:
        raise InputError("path", path, "must be 1 (by the distance) or 2 (by the gap)")
    if not tolerance > 0:
        raise InputError("delta", tolerance, "must be positive: no number of rounds is exact")
    if server_step < 1:
        raise InputError("server_step", server_step, "must be at least 1")


def zeta_spread(agents: Any, dimension: Any) -> Any:
    """Return (sqrt M + sqrt(d+4))^2, a bound on n E zeta*^2."""
    return (sqrt(agents) + sqrt(dimension + 4)) ** 2


@dataclass(frozen=True)
class Rounds:
    """A schedule. step: h = local_steps step_size server_step (for AGD 1/beta). rounds: enough to reach the gap."""

    step: float
    rounds: int


def chernoff_factor(n: Any, dimension: Any, tolerance: Any) -> Any:
    """Return max(2, s): norm(v)^2_Sigma <= max(2, s) gap, except with probability delta' = delta C/(n+1)."""
    failure = tolerance * coefficient(1 * dimension) / (n + 1)
    return largest(2, ratio(CHERNOFF.numerator, CHERNOFF.denominator, failure) * log(dimension / failure))


def target_gap(n: Any, dimension: Any, tolerance: Any, path: int) -> Any:
    """Return eps, the mean gap at which the excess risk is at most risk_factor(delta, path) C/(n+1)."""
    spare = n if path == 1 else chernoff_factor(n, dimension, tolerance)
    return tolerance**2 * coefficient(dimension) / (spare * (n + 1))


def risk_factor(tolerance: Any, path: int) -> Any:
    """Return the factor by which the solver increases the excess risk: (1+delta)^2, on path 2 plus delta."""
    return (1 + tolerance) ** 2 + (tolerance if path == 2 else 0)


class Row:
    """One protocol: the step and rounds of a call, and what it sends."""

    averaged = False  # on both paths one more message goes down at the end of a call

    def schedule(self, call: Worst) -> Rounds:
        """Return step and rounds of one call."""
        raise NotImplementedError

    def closed(self, worst: Worst) -> Any:
        """Return a closed bound on the rounds by T as sympy: every call at its worst, plus one for its ceiling."""
        raise NotImplementedError

    def counted(self, agents: Any, dimension: Any, rounds: Any, times: Any = 1, path: int = 2) -> Counted:
        """Return what is sent: M d numbers per round each way, and M d more per call for an averaged output. This
        includes SCAFFOLD with all clients, because the server computes its control variate from the models."""
        one, more = agents * dimension, self.averaged or (isinstance(self, LocalRow) and path == 2)
        return Counted(times, rounds, one * rounds, one * (rounds + (times if more else 0)))


@dataclass(frozen=True)
class Descent(Row):
    """Gradient descent and AGD, with ceil(growth(n) ln(start/eps)) rounds. summed(N, calls): a bound on the sum of the
    growth over the calls by T, N = MT."""

    start: tuple[int, int]
    growth: Callable[[Any], Any]
    summed: Callable[[Any, Any], Any]
    averaged: bool = False

    def length(self, call: Worst) -> Any:
        return log(ratio(*self.start, call.gap) / call.gap)

    def schedule(self, call: Worst) -> Rounds:
        return Rounds(1 / float(call.beta), max(1, math.ceil(float(self.growth(call.n) * self.length(call)))))

    def closed(self, worst: Worst) -> Any:
        count = closed_calls()
        return self.summed(worst.n, count) * self.length(worst) + count


@dataclass(frozen=True)
class LocalRow(Row):
    """A method of Theorem G, with ceil((n/h) length) rounds, h = 1/slowness. noisy: whether it uses minibatches."""

    method: local_steps.Method
    noisy: bool

    def slowness(self, call: Worst) -> Any:
        """Return 1/h for c1 h + c2 h^2 <= mu tol/2 (path 1) or eps/2 (path 2)."""
        allowed = call.reach / call.n / call.path
        noise = (call.share * call.noise, call.noise) if self.noisy else (0, 0)
        steps, zeta2 = (call.local_steps, call.server_step), call.heterogeneity
        return local_steps.slowness(self.method, call.beta, allowed, *steps, noise, zeta2)

    def length(self, call: Worst) -> Any:
        """Return h/n times the rounds. The term a C_0 is taken at h = u/beta, beta >= 2."""
        exact = self.method is local_steps.SCAFFOLD
        weight = self.method.weight(ratio(*self.method.limit, call.reach) / 2, call.server_step, 2)
        start = call.distance + call.spread * weight
        if exact and call.path == 1:
            start = largest(start, call.n / 4 + 4 * weight)
        if call.path == 1:
            return log((1 if exact else 2) * start / call.reach) / 2
        return log(1 + (1 if exact else 2) * start / call.reach)

    def schedule(self, call: Worst) -> Rounds:
        step = 1 / float(self.slowness(call))
        return Rounds(step, max(1, math.ceil(float(call.n / step * self.length(call)))))

    def closed(self, worst: Worst) -> Any:
        return worst.n * self.slowness(worst) * self.length(worst) + closed_calls()


LOCAL = {name: LocalRow(method, name.endswith("_sgd")) for name, method in local_steps.METHODS.items()}
ONE_STEP = Descent((1, 1), lambda n: (n + 1) / 2, lambda n, calls: (n + calls) / 2)
PROTOCOLS: dict[str, Row] = {
    "fedavg": LOCAL["fedavg"],
    "scaffold": LOCAL["scaffold"],
    "agd": Descent(
        (5, 4),
        lambda n: math.sqrt(n + 1),
        lambda n, calls: (1 + sqrt(2 * ratio(1, 1, n))) * sqrt(n),
        averaged=True,
    ),
    "gd": ONE_STEP,
    "scaffold_sgd": LOCAL["scaffold_sgd"],
    "fedavg_sgd": LOCAL["fedavg_sgd"],
}


def schedule(protocol: str, call: Worst) -> Rounds:
    """Return step and rounds of the protocol. FedAvg with one local step has no drift, so it is gradient descent."""
    choose("protocol", protocol, PROTOCOLS)
    row = ONE_STEP if protocol == "fedavg" and call.local_steps == 1 else PROTOCOLS[protocol]
    return row.schedule(call)
