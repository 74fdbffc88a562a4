"""col:convex for ridge regression: rounds, step and numbers of one FL call with a proved accuracy (lambda = 1/n).

One call has n samples in d dimensions, n/M of each of M agents; features and the true parameter have norm at most 1,
rewards are in [0,1]. F is the mean of the agents' objectives f_m, w_S the ridge estimate, which minimises F, and gap
is F above its minimum; gap_0 and d_0 = norm(w_S)^2 are gap and squared distance at the start x^0 = 0. sigma*^2 is
the variance of one sample's gradient and zeta*^2 the mean of norm(grad f_m)^2, both at w_S. Then mu = 2/n, beta =
2(1+1/n), and in the mean over the data, with zero control variates at the start,

    gap_0 <= 1,  d_0 <= (1+sqrt C)^2,  sigma*^2 <= 1 + 4/n,  zeta*^2 <= zbar^2 = (sqrt M + sqrt(d+4))^2/n.

A tolerance delta of the solver gives the excess risk e in two ways, C = d/4 + 1:

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

SCAFFOLD with full gradients has c1 = c2 = 0: ln(Psi_0/tol) and ln(1 + Psi_0/(n eps)). On path 1 its Psi_0 is at
least what the bounds for all data give, d_0 <= n/4 and zeta*^2 <= 4, so it reaches tol in every run.
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
    """The quantities that determine the rounds of one call: numbers, or symbols at their worst over all calls.

    n: samples. path: 1 or 2, as above. gap: eps. reach: n eps, on path 1 the required squared distance. beta:
    smoothness. noise: sigma*^2. spread: n zeta*^2. distance: norm(w_S)^2, as methods start at 0. share: 1/M if noise
    averages over the agents, else 1.
    """

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
    """Return the quantities of one call on n samples, equally many of each agent. tolerance: delta. local_steps,
    server_step: number of local steps and size of the server's step, which gd and agd do not have."""
    check(tolerance, server_step, path)
    gap, beta = target_gap(n, dimension, tolerance, path), float(smoothness(float(n)))
    distance = (1 + math.sqrt(float(coefficient(float(dimension))))) ** 2  # (1 + sqrt C)^2
    at_best = 1 + 4 / n, zeta_spread(agents, dimension)
    return Worst(n, path, gap, n * gap, beta, *at_best, distance, 1 / agents, local_steps, server_step)


def check(tolerance: float, server_step: float, path: int = 2) -> None:
    """Raise InputError for settings for which no number of rounds is known."""
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
    """Step and length of one call. step: h (for AGD 1/beta). rounds: enough to reach the required accuracy."""

    step: float
    rounds: int


def chernoff_factor(n: Any, dimension: Any, tolerance: Any) -> Any:
    """Return max(2, s). By matrix Chernoff E (phi'v)^2 <= max(2, s) (F(w_S + v) - F*) for all v, except with
    probability delta'."""
    failure = tolerance * coefficient(1 * dimension) / (n + 1)
    return largest(2, ratio(CHERNOFF.numerator, CHERNOFF.denominator, failure) * log(dimension / failure))


def target_gap(n: Any, dimension: Any, tolerance: Any, path: int) -> Any:
    """Return eps, the mean of F - F* that the solver must reach on this path."""
    spare = n if path == 1 else chernoff_factor(n, dimension, tolerance)
    return tolerance**2 * coefficient(dimension) / (spare * (n + 1))


def risk_factor(tolerance: Any, path: int) -> Any:
    """Return the factor by which a solver of tolerance delta increases the excess risk: (1+delta)^2 on path 1,
    (1+delta)^2 + delta on path 2."""
    return (1 + tolerance) ** 2 + (tolerance if path == 2 else 0)


class Row:
    """One FL protocol: the step and rounds of a call, and the numbers that a call sends."""

    averaged = False  # on both paths one more message goes down at the end of a call

    def schedule(self, call: Worst) -> Rounds:
        """Return the step and the number of rounds of one call with these quantities."""
        raise NotImplementedError

    def closed(self, worst: Worst) -> Any:
        """Return a closed bound on the rounds of all calls up to step T, as sympy. Every call is taken at its worst,
        plus one round for rounding up."""
        raise NotImplementedError

    def counted(self, agents: Any, dimension: Any, rounds: Any, times: Any = 1, path: int = 2) -> Counted:
        """Return what `times` calls with `rounds` rounds in all send: M d numbers per round each way, and M d more per
        call if the output is an average of iterates. SCAFFOLD sends the same, because the server computes its control
        variate from the models."""
        one, more = agents * dimension, self.averaged or (isinstance(self, LocalRow) and path == 2)
        return Counted(times, rounds, one * rounds, one * (rounds + (times if more else 0)))


@dataclass(frozen=True)
class Descent(Row):
    """Gradient descent or AGD, which need ceil(growth(n) ln(start/eps)) rounds to bring F - F* below eps. summed(N,
    calls): a bound on the sum of growth(n) over all calls of M agents up to step T, where N = MT."""

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
    """A method with local steps (Theorem G of bounds.local_steps). With a step h of a whole round it takes ceil((n/h)
    length(call)) rounds, h = 1/slowness(call). noisy: whether local steps use minibatches."""

    method: local_steps.Method
    noisy: bool

    def slowness(self, call: Worst) -> Any:
        """Return 1/h for the largest step h of a round whose error is small enough: c1 h + c2 h^2 <= mu tol/2 on
        path 1, <= eps/2 on path 2. c1 and c2 are the noise and drift constants of Theorem G."""
        allowed = call.reach / call.n / call.path
        noise = (call.share * call.noise, call.noise) if self.noisy else (0, 0)
        steps, zeta2 = (call.local_steps, call.server_step), call.heterogeneity
        return local_steps.slowness(self.method, call.beta, allowed, *steps, noise, zeta2)

    def length(self, call: Worst) -> Any:
        """Return the number of rounds times h/n, where h is the step of a whole round: the logarithm of initial over
        required error. In the initial error, SCAFFOLD's control variates are weighted as for the largest h that
        Theorem G allows."""
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
    """Return the step and the number of rounds of one call of the protocol. FedAvg with one local step has no drift,
    so it is scheduled as gradient descent."""
    choose("protocol", protocol, PROTOCOLS)
    row = ONE_STEP if protocol == "fedavg" and call.local_steps == 1 else PROTOCOLS[protocol]
    return row.schedule(call)
