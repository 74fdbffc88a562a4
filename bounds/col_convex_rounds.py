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
from dataclasses import dataclass

from bounds import linear_communication
from bounds.errors import InputError, choose
from bounds.own_agd_rate import smoothness, start
from bounds.own_ridge_excess_risk import CHERNOFF, coefficient

ROADS = (1, 2)


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
        if self.road not in ROADS:
            raise InputError("road", self.road, "must be 1 (by the distance) or 2 (by the gap)")
        if not self.tolerance > 0:
            raise InputError("delta", self.tolerance, "must be positive: no number of rounds is exact")
        if self.server_step < 1:
            raise InputError("server_step", self.server_step, "must be at least 1")

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
        return (math.sqrt(self.agents) + math.sqrt(self.dimension + 4)) ** 2 / self.n


@dataclass(frozen=True)
class Rounds:
    """step: h = local_steps step_size server_step of the schedule (for AGD 1/beta); rounds: how many reach the gap."""

    step: float
    rounds: int


def chernoff_factor(n: float, dimension: int, tolerance: float) -> float:
    """max(2, s): norm(v)^2_Sigma <= max(2, s) gap, except with probability delta' = delta C/(n+1)."""
    failure = tolerance * float(coefficient(float(dimension))) / (n + 1)
    return max(2.0, CHERNOFF * math.log(dimension / failure))


def target_gap(n: float, dimension: int, tolerance: float, road: int) -> float:
    """eps: the mean gap that makes the excess risk at most risk_factor(delta, road) C/(n+1)."""
    constant = float(coefficient(float(dimension)))
    if road == 1:
        return tolerance**2 * constant / (n * (n + 1))
    return tolerance**2 * constant / (chernoff_factor(n, dimension, tolerance) * (n + 1))


def risk_factor(tolerance: float, road: int) -> float:
    """What the solver makes of the excess risk: (1+delta)^2, on road 2 also + delta."""
    return (1 + tolerance) ** 2 + (tolerance if road == 2 else 0.0)


def agd(call: Call) -> Rounds:
    return Rounds(1 / call.beta, _up(math.sqrt(call.n + 1) * math.log(start(1.0) / call.gap)))


def gd(call: Call) -> Rounds:
    return Rounds(1 / call.beta, _up((call.n + 1) / 2 * math.log(1 / call.gap)))


def scaffold(call: Call) -> Rounds:
    return Rounds(1 / (2 * call.beta), _up(32 / 13 * (call.n + 1) * math.log(1.5 / call.gap)))


def fedavg(call: Call) -> Rounds:
    if call.local_steps == 1:
        return gd(call)  # no local drift, so no bias: any server step gives the same h
    root = math.sqrt(call.gap)
    step = min(1 / call.beta, call.server_step * root / math.sqrt(2 * call.beta * call.heterogeneity))
    return Rounds(step, _up(call.n / step * math.log(2 * math.sqrt(2) * (1 + root / 2) / root)))


def fedavg_sgd(call: Call) -> Rounds:
    first = call.noise / call.local_steps * (4 / call.agents + 0.10 / call.server_step**2)
    second = 1.67 * call.beta * call.heterogeneity / call.server_step**2
    step = min(1 / (25 * call.beta), call.gap / (4 * first), math.sqrt(call.gap / (4 * second)))
    return Rounds(step, _averaged(call, step, call.start_distance))


def scaffold_sgd(call: Call) -> Rounds:
    first = call.noise / call.local_steps * (4 / call.agents + 0.30 / call.server_step**2)
    step = min(1 / (26 * call.beta), call.gap / (2 * first))
    return Rounds(step, _averaged(call, step, call.start_distance + 0.14 * step**2))


PROTOCOLS: dict[str, Callable[[Call], Rounds]] = {
    "fedavg": fedavg,
    "scaffold": scaffold,
    "agd": agd,
    "gd": gd,
    "scaffold_sgd": scaffold_sgd,
    "fedavg_sgd": fedavg_sgd,
}
AVERAGED = ("scaffold_sgd", "fedavg_sgd")  # the server sends the weighted average at the end


def schedule(protocol: str, call: Call) -> Rounds:
    """Step and rounds of the row `protocol`."""
    return PROTOCOLS[choose("protocol", protocol, PROTOCOLS)](call)


def numbers(protocol: str, agents: int, dimension: int, rounds: int) -> tuple[int, int]:
    """(up, down) of one call: M d a round each way, and M d for an averaged output (AGD: for its last broadcast).

    SCAFFOLD with all clients too: the server's control variate is computed from the models.
    """
    if protocol == "agd":
        up, down = linear_communication.numbers_of_call("agd", agents, dimension, rounds)
        return int(up), int(down)
    one = agents * dimension
    return one * rounds, one * (rounds + (protocol in AVERAGED))


def _averaged(call: Call, step: float, distance: float) -> int:
    """ceil((2/(mu h)) ln(1 + mu d_0/eps)), mu = 2/n."""
    return _up(call.n / step * math.log1p(2 * distance / (call.n * call.gap)))


def _up(rounds: float) -> int:
    return max(1, math.ceil(rounds))
