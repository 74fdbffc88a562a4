"""col:convex for ridge regression: rounds, step and numbers of one FL call with a proved accuracy (lambda = 1/n).

One call has n samples, n/M of each agent; features and omega* have norm at most 1, rewards are in [0,1]. Then
mu = 2/n, beta = 2(1+1/n), and in the mean over the data, from x^0 = 0 with zero control variates,

    gap_0 <= 1,  d_0 <= (1+sqrt C)^2,  Ev_0 <= 4,  sigma*^2 <= 1 + 4/n,  zeta*^2 <= zbar^2 = (sqrt M + sqrt(d+4))^2/n.

Accuracy, C = d/4 + 1:

    road 1 (distance)  E gap <= delta^2 C/(n(n+1))                      gives e <= (1+delta)^2 C/(n+1)
    road 2 (gap)       E gap <= delta^2 C/(max(2,s)(n+1))               gives e <= ((1+delta)^2 + delta) C/(n+1),
                       s = 6.52 ln(d/delta'), delta' = delta C/(n+1)

Rounds for E gap <= eps; h = local_steps step_size server_step is the step of a whole round (K local steps, server g):

    agd           ceil(sqrt(n+1) ln(1.25/eps))
    gd            ceil(((n+1)/2) ln(1/eps))                              FedAvg with one full local step
    scaffold      ceil((32/13)(n+1) ln(1.5/eps))                         option II, full local gradients, h = 1/(2 beta)
    fedavg        h = min(1/beta, g sqrt(eps/(2 beta zbar^2))),          full local gradients, last iterate
                  ceil((n/h) ln(2 sqrt2 (1+sqrt(eps)/2)/sqrt(eps)))
    fedavg_sgd    h = min(1/(25 beta), eps/(4 c1), sqrt(eps/(4 c2))),    batches with replacement, weighted average
                  ceil((n/h) ln(1 + 2(1+sqrt C)^2/(n eps)))
    scaffold_sgd  h = min(1/(26 beta), eps/(2 c1)),
                  ceil((n/h) ln(1 + 2((1+sqrt C)^2 + 0.14 h^2)/(n eps)))

c1 = (sigma*^2/K)(4/M + 0.10/g^2) (0.30 for scaffold_sgd), c2 = 1.67 beta zbar^2/g^2, g >= 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from bounds.arithmetic import largest, log, ratio, sqrt
from bounds.errors import InputError, choose
from bounds.own_agd_rate import smoothness
from bounds.own_ridge_excess_risk import CHERNOFF, coefficient
from bounds.quantities import Counted
from bounds.schedules import closed_calls

ROADS = (1, 2)


@dataclass(frozen=True)
class Worst:
    """What the rounds of one call are computed from: the accuracy `gap`, n times it (`scaled`), beta, the noise and
    the heterogeneity (n zeta*^2, `spread`) at the minimiser, d_0 (`distance`), and 1/M where noise averages out over
    the agents (`share`). Numbers of one call, or symbols for all of them: each at its worst. step: h, at most 1."""

    gap: Any
    scaled: Any
    beta: Any
    noise: Any
    spread: Any
    distance: Any
    share: Any
    local_steps: Any
    server_step: Any
    step: Any = 1


@dataclass(frozen=True)
class Call:
    """One FL call: n samples in all, equally many of each of `agents` agents, in `dimension` dimensions.

    tolerance: delta, what the solver may add to the statistical error. local_steps, server_step: the paper's kappa and
    eta_g; gd and agd have neither. road: from the gap to the excess risk by the distance (1) or directly (2).
    """

    n: int
    agents: int
    dimension: int
    tolerance: float
    local_steps: int = 1
    server_step: float = 1.0
    road: int = 2

    def __post_init__(self) -> None:
        check(self.tolerance, self.server_step, self.road)

    @property
    def constant(self) -> float:
        """C = d/4 + 1."""
        return float(coefficient(float(self.dimension)))

    @property
    def gap(self) -> float:
        """eps: the mean gap F - F* to be reached."""
        return target_gap(self.n, self.dimension, self.tolerance, self.road)

    @property
    def beta(self) -> float:
        return float(smoothness(float(self.n)))

    @property
    def start_distance(self) -> float:
        """(1 + sqrt C)^2: bounds E norm(x^0 - w_S)^2."""
        return (1 + math.sqrt(self.constant)) ** 2

    @property
    def noise(self) -> float:
        """1 + 4/n: bounds E sigma*^2, the variance of one sample's gradient at the minimiser."""
        return 1 + 4 / self.n

    @property
    def heterogeneity(self) -> float:
        """zbar^2: bounds E zeta*^2, the mean squared gradient of an agent's own objective at the minimiser."""
        return float(_spread(self.agents, self.dimension)) / self.n

    @property
    def worst(self) -> Worst:
        return Worst(
            self.gap,
            self.n * self.gap,
            self.beta,
            self.noise,
            _spread(self.agents, self.dimension),
            self.start_distance,
            1 / self.agents,
            self.local_steps,
            self.server_step,
        )


def check(tolerance: float, server_step: float, road: int = 2) -> None:
    """Refuse settings that no schedule has."""
    if road not in ROADS:
        raise InputError("road", road, "must be 1 (by the distance) or 2 (by the gap)")
    if not tolerance > 0:
        raise InputError("delta", tolerance, "must be positive: no number of rounds is exact")
    if server_step < 1:
        raise InputError("server_step", server_step, "must be at least 1")


def _spread(agents: Any, dimension: Any) -> Any:
    """(sqrt M + sqrt(d+4))^2."""
    return (sqrt(agents) + sqrt(dimension + 4)) ** 2


@dataclass(frozen=True)
class Rounds:
    """step: h = local_steps step_size server_step of the schedule (for AGD 1/beta); rounds: how many reach the gap."""

    step: float
    rounds: int


def chernoff_factor(n: Any, dimension: Any, tolerance: Any) -> Any:
    """max(2, s): norm(v)^2_Sigma <= max(2, s) gap, except with probability delta' = delta C/(n+1)."""
    failure = tolerance * coefficient(1 * dimension) / (n + 1)
    return largest(2, ratio(CHERNOFF.numerator, CHERNOFF.denominator, failure) * log(dimension / failure))


def target_gap(n: Any, dimension: Any, tolerance: Any, road: int) -> Any:
    """eps: the mean gap that makes the excess risk at most risk_factor(delta, road) C/(n+1)."""
    spare = n if road == 1 else chernoff_factor(n, dimension, tolerance)
    return tolerance**2 * coefficient(dimension) / (spare * (n + 1))


def risk_factor(tolerance: Any, road: int) -> Any:
    """What the solver makes of the excess risk: (1+delta)^2, on road 2 also + delta."""
    return (1 + tolerance) ** 2 + (tolerance if road == 2 else 0)


@dataclass(frozen=True)
class Row:
    """rounds = ceil((n/h) length), h = 1/slowness; slowness and length of what a call is at its worst. growth(n): what
    stands in place of n/h, and summed(N, calls) a bound on its sum over the calls by T, N = MT.
    averaged: the server sends the weighted average, or AGD's last point, at the end."""

    slowness: Callable[[Worst], Any]
    length: Callable[[Worst], Any]
    growth: Callable[[Any], Any] | None = None
    summed: Callable[[Any, Any], Any] | None = None
    averaged: bool = False

    def schedule(self, n: int, call: Worst) -> Rounds:
        """Return step and rounds of one call."""
        step = 1 / float(self.slowness(call))
        many = n / step if self.growth is None else self.growth(n)
        length = self.length(replace(call, step=step))
        return Rounds(step, max(1, math.ceil(float(many * length))))

    def closed(self, n: Any, worst: Worst) -> Any:
        """A closed bound on the rounds by T, as sympy: every call at its worst, and one for each ceiling."""
        count = closed_calls()
        many = n * self.slowness(worst) if self.summed is None else self.summed(n, count)
        return many * self.length(worst) + count

    def counted(self, agents: Any, dimension: Any, rounds: Any, times: Any = 1) -> Counted:
        """M d a round each way, and M d a call for an averaged output. SCAFFOLD with all clients too: the server's
        control variate is computed from the models."""
        one = agents * dimension
        return Counted(times, rounds, one * rounds, one * (rounds + (times if self.averaged else 0)))


def _noise(call: Worst, own: Any) -> Any:
    """c_1/eps of the stochastic rows: (sigma*^2/K)(4/M + own/g^2)/eps."""
    return call.noise / call.local_steps * (4 * call.share + own / call.server_step**2) / call.gap


def _full_gradients(call: Worst) -> Any:
    return largest(call.beta, sqrt(2 * call.beta * call.spread / call.scaled) / call.server_step)


def _drift(call: Worst) -> Any:
    half = ratio(1, 2, call.gap)
    return log(2 * sqrt(4 * half) * (1 / sqrt(call.gap) + half))


def _batches(call: Worst) -> Any:
    drift = ratio(167, 100, call.gap) * call.beta * call.spread / call.server_step**2 / call.scaled
    return largest(25 * call.beta, 4 * _noise(call, ratio(1, 10, call.gap)), sqrt(4 * drift))


def _controlled(call: Worst) -> Any:
    return largest(26 * call.beta, 2 * _noise(call, ratio(3, 10, call.gap)))


def _averaged(call: Worst, more: Any = 0) -> Any:
    """ln(1 + mu d_0/eps), mu = 2/n."""
    return log(1 + 2 * (call.distance + more) / call.scaled)


FULL = Row(_full_gradients, _drift)
BATCHES = Row(_batches, _averaged, averaged=True)
ONE_STEP = Row(
    lambda call: call.beta,
    lambda call: log(1 / call.gap),
    lambda n: (n + 1) / 2,
    lambda n, calls: (n + calls) / 2,
)
PROTOCOLS: dict[str, Row] = {
    "fedavg": FULL,
    "scaffold": Row(
        lambda call: 2 * call.beta,
        lambda call: log(ratio(3, 2, call.gap) / call.gap),
        lambda n: 32 / 13 * (n + 1),
        lambda n, calls: ratio(32, 13, n) * (n + calls),
    ),
    "agd": Row(
        lambda call: call.beta,
        lambda call: log(ratio(5, 4, call.gap) / call.gap),
        lambda n: math.sqrt(n + 1),
        lambda n, calls: (1 + sqrt(2 * ratio(1, 1, n))) * sqrt(n),
        averaged=True,
    ),
    "gd": ONE_STEP,
    "scaffold_sgd": Row(
        _controlled, lambda call: _averaged(call, ratio(14, 100, call.gap) * call.step**2), averaged=True
    ),
    "fedavg_sgd": BATCHES,
}
AVERAGED = ("scaffold_sgd", "fedavg_sgd")


def schedule(protocol: str, call: Call) -> Rounds:
    """Step and rounds of the row `protocol`. FedAvg with one local step has no drift, and so is gradient descent."""
    choose("protocol", protocol, PROTOCOLS)
    row = ONE_STEP if protocol == "fedavg" and call.local_steps == 1 else PROTOCOLS[protocol]
    return row.schedule(call.n, call.worst)
