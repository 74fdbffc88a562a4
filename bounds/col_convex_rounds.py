"""Compute how many rounds and messages a federated protocol needs to solve ridge regression to a proved accuracy
(col:convex).

A call of the protocol learns one model from n samples in d dimensions, n/M of each of M agents, with weight 1/n on
the squared norm. Features and the true parameter have norm at most 1; rewards are in [0,1].

    F, w_S     the objective (the mean of the agents' objectives f_m) and its minimiser, the ridge estimate
    gap        F minus its minimum; gap_0 is its value at the start, which is the zero vector
    d_0        norm(w_S)^2, the squared distance of the start from the minimiser
    sigma^2    variance of the gradient of one sample at w_S
    zeta^2     mean of norm(grad f_m)^2 at w_S: how much the agents differ
    C          d/4 + 1: the excess risk of w_S is at most C/(n+1)

F has curvature at least mu = 2/n and at most beta = 2(1+1/n). In the mean over the data

    gap_0 <= 1,   d_0 <= (1+sqrt C)^2,   sigma^2 <= 1 + 4/n,   zeta^2 <= zbar^2 = (sqrt M + sqrt(d+4))^2/n

A solver of tolerance delta ends at some w near w_S. There are two ways to bound the excess risk e of w:

    path 1, from the distance   E norm(w - w_S)^2 <= tol = delta^2 C/(n+1)   gives e <= (1+delta)^2 C/(n+1)
    path 2, from the gap        E gap <= eps = delta^2 C/(d(n+1))            gives the same, by own:loss_to_risk

On path 1 it also suffices that E gap <= eps = tol/n. Rounds that suffice:

    agd           ceil(sqrt(n+1) ln(1.25/eps))
    gd            path 1: ceil(((n+1)/2) ln(1/eps)); this is FedAvg with one full local step
    the others    let h be the step of a whole round. Theorem G of bounds/local_steps.py has constants c1, c2 and a,
                  and an error measure Psi_0 <= d_0 + a zbar^2 at the start. Then
                  path 1, last point: the largest h with c1 h + c2 h^2 <= mu tol/2, then ceil((n/(2h)) ln(2
                  Psi_0/tol))
                  path 2, average point: the largest h with c1 h + c2 h^2 <= eps/2, then ceil((n/h) ln(1 + 2
                  Psi_0/(n eps)))

SCAFFOLD with full gradients, and gradient descent, have c1 = c2 = 0 and no factor 2 in their logarithms. On path 1
SCAFFOLD reaches tol on every dataset, because its Psi_0 uses what holds for all data: d_0 <= n/4 and zeta^2 <= 4.
With batches of B samples sigma^2 is divided by B.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from bounds import local_steps
from bounds.arithmetic import largest, log, ratio, sqrt
from bounds.errors import InputError, choose
from bounds.own_agd_rate import smoothness
from bounds.own_ridge_excess_risk import coefficient
from bounds.quantities import Counted
from bounds.schedules import closed_calls

LABEL = "col:convex"
PATHS = (1, 2)


@dataclass(frozen=True)
class Worst:
    """The quantities that determine how many rounds a protocol needs to solve ridge regression: numbers for one
    execution of it, or symbols that bound them over all executions of a run.

    n            samples
    path         1 if the distance to the minimiser is bounded, 2 if the gap (objective minus its minimum) is
    gap          required bound on the gap
    reach        n times `gap`; on path 1 the required squared distance
    beta         largest curvature of the objective
    noise        variance of one batch's gradient at the minimiser
    spread       n times the mean squared norm of the agents' gradients at the minimiser
    distance     squared norm of the minimiser, as methods start at 0
    share        1/M if gradient noise averages over M agents, else 1
    local_steps, server_step   number of local steps of a round, and size of the server's step
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
    batch: int = 1,
) -> Worst:
    """Return the quantities that determine how many rounds a protocol needs to solve ridge regression on `n` samples,
    equally many of each agent. `tolerance`: allowed error of the solver relative to the statistical error. `path`: 1
    to bound the distance to the minimiser, 2 to bound the objective. `local_steps` and `server_step` are ignored by
    gradient descent and accelerated gradient descent. `batch`: samples of a minibatch."""
    check(tolerance, server_step, path)
    gap, beta = target_gap(n, dimension, tolerance, path), float(smoothness(float(n)))
    distance = (1 + math.sqrt(float(coefficient(float(dimension))))) ** 2  # (1 + sqrt C)^2
    at_best = (1 + 4 / n) / batch, zeta_spread(agents, dimension)
    return Worst(n, path, gap, n * gap, beta, *at_best, distance, 1 / agents, local_steps, server_step)


def check(tolerance: float, server_step: float, path: int = 2) -> None:
    """Raise InputError unless `tolerance` is positive, `server_step` at least 1 and `path` 1 (accuracy as distance to
    the minimiser) or 2 (as gap of the objective). Only then is a number of rounds known."""
    if path not in PATHS:
        raise InputError("path", path, "must be 1 (by the distance) or 2 (by the gap)")
    if not tolerance > 0:
        raise InputError("delta", tolerance, "must be positive: no number of rounds is exact")
    if server_step < 1:
        raise InputError("server_step", server_step, "must be at least 1")


def zeta_spread(agents: Any, dimension: Any) -> Any:
    """Return a bound on n times the mean squared norm of the agents' gradients at the minimiser: (sqrt M +
    sqrt(d+4))^2 for M agents in d dimensions."""
    return (sqrt(agents) + sqrt(dimension + 4)) ** 2


@dataclass(frozen=True)
class Rounds:
    """The length of one execution of a federated protocol. rounds: a number that suffices for the required accuracy.
    step: the step size of a whole round; for accelerated gradient descent 1/(largest curvature)."""

    step: float
    rounds: int


def target_gap(n: Any, dimension: Any, tolerance: Any, path: int) -> Any:
    """Return how close to its minimum the solver must bring the ridge objective, in the mean over the data. `n`:
    samples. `tolerance`: allowed error relative to the statistical error. `path`: 1 if the excess risk is derived
    from the distance to the minimiser, 2 if from the objective."""
    return tolerance**2 * coefficient(dimension) / ((n if path == 1 else dimension) * (n + 1))


class Row:
    """Base class of FL protocols for ridge regression: how many rounds an execution needs, with which step, and how
    many numbers it sends."""

    averaged = False  # on both paths one more message goes down at the end of a call

    def schedule(self, call: Worst) -> Rounds:
        """Return the step and the number of rounds that one execution needs on a problem with these quantities."""
        raise NotImplementedError

    def closed(self, worst: Worst) -> Any:
        """Return a closed-form bound, a sympy expression, on the rounds of all executions of the protocol up to the
        horizon. `worst`: the largest values of the quantities over all executions."""
        raise NotImplementedError

    def counted(self, agents: Any, dimension: Any, rounds: Any, times: Any = 1, path: int = 2) -> Counted:
        """Return the counts of calls, rounds and numbers of `times` executions of the protocol with `rounds` rounds in
        all. A round takes `agents` x `dimension` numbers each way. An execution whose result is an average of iterates
        (always so if `path` is 2, accuracy of the objective) sends as many down once more. SCAFFOLD sends no more than
        FedAvg, because the server computes its control variate from the models."""
        one, more = agents * dimension, self.averaged or path == 2
        return Counted(times, rounds, one * rounds, one * (rounds + (times if more else 0)))


@dataclass(frozen=True)
class Descent(Row):
    """Gradient descent, plain or accelerated. It takes ceil(growth(n) ln(start/gap)) rounds to bring the objective on
    n samples within `gap` of its minimum.

    start        a rational (numerator, denominator): bounds the error at the start
    growth       maps n to the factor of the logarithm
    summed       summed(N, calls) bounds the sum of growth(n) over all executions up to the horizon; N is agents x
                 horizon
    averaged     whether the result is an average of iterates
    """

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
    """A method with local steps, whose number of rounds comes from the convergence theorem of bounds/local_steps.py.
    noisy: whether local steps use minibatches."""

    method: local_steps.Method
    noisy: bool

    def slowness(self, call: Worst) -> Any:
        """Return 1/h, where h is the largest step of a whole round that still reaches the required accuracy."""
        allowed = call.reach / call.n / call.path
        noise = (call.share * call.noise, call.noise) if self.noisy else (0, 0)
        steps, zeta2 = (call.local_steps, call.server_step), call.heterogeneity
        return local_steps.slowness(self.method, call.beta, allowed, *steps, noise, zeta2)

    def length(self, call: Worst) -> Any:
        """Return the factor ln(initial error/required error) in the number of rounds. The number is n/h times this
        factor, for n samples and the step h of a whole round."""
        corrected = self.method is local_steps.SCAFFOLD
        exact = corrected or (call.local_steps == 1 and not self.noisy)
        weight = self.method.weight(ratio(*self.method.limit, call.reach) / 2, call.server_step, 2)
        start = call.distance + call.spread * weight
        if corrected and call.path == 1:
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


class GradientDescent(Descent):
    """Gradient descent. If accuracy is measured by the objective (path 2), it is treated as FedAvg with one full
    local step, whose points are averaged."""

    def schedule(self, call: Worst) -> Rounds:
        return LOCAL["fedavg"].schedule(_one_step(call)) if call.path == 2 else super().schedule(call)

    def closed(self, worst: Worst) -> Any:
        return LOCAL["fedavg"].closed(_one_step(worst)) if worst.path == 2 else super().closed(worst)


def _one_step(call: Worst) -> Worst:
    return replace(call, local_steps=1, server_step=1)


PROTOCOLS: dict[str, Row] = {
    "fedavg": LOCAL["fedavg"],
    "scaffold": LOCAL["scaffold"],
    "agd": Descent(
        (5, 4),
        lambda n: math.sqrt(n + 1),
        lambda n, calls: (1 + sqrt(2 * ratio(1, 1, n))) * sqrt(n),
        averaged=True,
    ),
    "gd": GradientDescent((1, 1), lambda n: (n + 1) / 2, lambda n, calls: (n + calls) / 2),
    "scaffold_sgd": LOCAL["scaffold_sgd"],
    "fedavg_sgd": LOCAL["fedavg_sgd"],
}


def schedule(protocol: str, call: Worst) -> Rounds:
    """Return the step and the number of rounds that the named protocol needs for one execution on a problem with these
    quantities. FedAvg with one local step is treated as gradient descent, because its agents cannot drift apart."""
    choose("protocol", protocol, PROTOCOLS)
    one_step = protocol == "fedavg" and call.local_steps == 1
    return PROTOCOLS["gd" if one_step else protocol].schedule(call)
