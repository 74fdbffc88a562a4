"""Communication of federated ridge regression with epochs that end at steps 2, 4, 8, ...: exact rounds and numbers
sent.

Numbers per call, over M agents in d dimensions with k rounds (up / down):

    direct           M(d(d+1)/2 + d) / Md          one round, minimal messages
    direct_printed   M(d^2 + d) / M(d^2 + d)       one round, as alg:fedlinear prints it
    agd              Mdk / Md(k+1)                 k = ceil(sqrt(n+1) ln(1.25 n/eps)), eps = delta^2 e(n)
    agd_convex       Mdk / Md(k+1)                 k = ceil(sqrt n)
    chebyshev        Mdk / Md(k+1)                 k = ceil(sqrt(n+1)/4 ln(4n/eps))
    cg               Md(k+1) / Md(k+1)             k <= min(d, n)

n: samples of the call. e(n): excess risk of the exact ridge estimate. delta: tolerance of the solver, which stops at
squared distance eps from that estimate.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from bounds import own_agd_convex, own_ridge_excess_risk
from bounds.arithmetic import Value, half, log, sqrt
from bounds.own_agd_rate import AGD, CHEBYSHEV
from bounds.quantities import Counted
from bounds.schedules import calls, closed_calls, samples_of_calls
from bounds.symbols import symbol

DEFAULT_TOLERANCE = 0.1


@dataclass(frozen=True)
class OwnRisk:
    """The excess risk of a protocol whose output is not near the exact ridge estimate. risk(d, n, heterogeneous): its
    excess risk e(n). coefficient(d, largest, heterogeneous): at least n e(n) for all n up to `largest`."""

    risk: Callable[[int, int, bool], float]
    coefficient: Callable[[Value, Value, bool], Value]


@dataclass(frozen=True)
class Protocol:
    """What a protocol for ridge regression sends.

    sent(d, rounds, calls): numbers that one agent sends and receives. rounds(n, d, eps): the most rounds of one call
    on n samples, to squared distance eps. messages(rounds): messages that one agent sends and receives in a call; by
    default the estimate comes down after the rounds. closed(M, T, d, delta, C): a bound on the rounds of all calls
    up to step T as sympy, for eps = delta^2 C/(n+1), where C/(n+1) bounds the excess risk. iterative: whether it
    stops at a tolerance delta. printed(M, d, T): rounds and numbers inside the paper's O(.). rests_on: the
    statements, (claim, variant), that prove its accuracy. own_risk: its excess risk, if it is not that of the exact
    ridge estimate.
    """

    sent: Callable[[Value, Value, Value], tuple[Value, Value]]
    rounds: Callable[[float, int, float], int]
    closed: Callable[[Value, Value, Value, Value, Value], Value]
    messages: Callable[[int], tuple[int, int]] = lambda rounds: (rounds, rounds + 1)
    iterative: bool = False
    printed: Callable[[Value, Value, Value], tuple[Value, Value]] | None = None
    rests_on: tuple[tuple[str, str], ...] = ()
    own_risk: OwnRisk | None = None

    def counted(self, agents: Value, dimension: Value, rounds: Value, times: Value = 1) -> Counted:
        """Return what all agents send and receive in `times` calls, with `rounds` rounds in all."""
        up, down = self.sent(dimension, rounds, times)
        return Counted(times, rounds, agents * up, agents * down)


def _gradients(d: Value, rounds: Value, times: Value) -> tuple[Value, Value]:
    return d * rounds, d * (rounds + times)


def _one_round(n: float, d: int, target: float) -> int:
    return 1


def _one_each(agents: Value, horizon: Value, d: Value, tolerance: Value, coefficient: Value) -> Value:
    return closed_calls()


def _printed_direct(M: Value, d: Value, T: Value) -> tuple[Value, Value]:
    return log(T), M * d**2 * log(T)


def _printed_agd(M: Value, d: Value, T: Value) -> tuple[Value, Value]:
    return sqrt(M * T), d * log(d) * sqrt(M**3 * T)


PROTOCOLS: dict[str, Protocol] = {
    "direct": Protocol(
        lambda d, k, times: ((half(d * (d + 1)) + d) * times, d * times),
        _one_round,
        _one_each,
        messages=lambda k: (k, k),
        printed=_printed_direct,
    ),
    "direct_printed": Protocol(
        lambda d, k, times: ((d**2 + d) * times,) * 2,
        _one_round,
        _one_each,
        messages=lambda k: (2 * k, 2 * k),  # a matrix and a vector
        printed=_printed_direct,
    ),
    "agd": Protocol(
        _gradients,
        lambda n, d, target: AGD.rounds(n, target),
        lambda M, T, d, delta, C: AGD.closed(M, T, delta, C),
        iterative=True,
        printed=_printed_agd,
        rests_on=(("own:agd_rate", "rate"),),
    ),
    "agd_convex": Protocol(
        _gradients,
        lambda n, d, target: own_agd_convex.rounds(n),
        lambda M, T, d, delta, C: own_agd_convex.closed_rounds(M, T),
        rests_on=(("own:agd_convex", "risk"),),
        own_risk=OwnRisk(own_agd_convex.excess_risk, own_agd_convex.coefficient),
    ),
    "chebyshev": Protocol(
        _gradients,
        lambda n, d, target: CHEBYSHEV.rounds(n, target),
        lambda M, T, d, delta, C: CHEBYSHEV.closed(M, T, delta, C),
        iterative=True,
        # a theorem of the literature: no claim here is about it, and that is what is printed with a bound that needs it
        rests_on=(("own:agd_rate", "chebyshev"),),
    ),
    "cg": Protocol(
        lambda d, k, times: (d * (k + times),) * 2,
        lambda n, d, target: min(d, int(n)),
        lambda M, T, d, delta, C: closed_calls() * d,
        messages=lambda k: (k + 1, k + 1),
        rests_on=(("own:certificate", "distance"),),
    ),
}


def solver_tolerance(protocol: str | None, given: float) -> float:
    """Return the solver's tolerance delta: 0 for an exact protocol; for an iterative one the given number, or the
    default if that is 0; the given number if no protocol is named."""
    if protocol is not None and PROTOCOLS[protocol].iterative:
        return given or DEFAULT_TOLERANCE
    return given if protocol is None else 0.0


def target(n: int, dimension: int, tolerance: float, heterogeneous: bool = False) -> float:
    """Return eps = delta^2 e(n), delta = tolerance. A solver within squared distance eps of the exact estimate has
    an excess risk of at most (1+delta)^2 e(n)."""
    return tolerance**2 * float(own_ridge_excess_risk.mean(float(dimension), n, heterogeneous))


def rounds_of_call(
    protocol: str, n: int, dimension: int, tolerance: float, heterogeneous: bool = False
) -> int:
    """Return the rounds of one call on n samples; for cg, the most it can take."""
    return PROTOCOLS[protocol].rounds(n, dimension, target(n, dimension, tolerance, heterogeneous))


def numbers_of_call(protocol: str, agents: Value, dimension: Value, rounds: Value) -> tuple[Value, Value]:
    """Return how many numbers all agents send and receive, (up, down), in one call with `rounds` rounds."""
    found = PROTOCOLS[protocol].counted(agents, dimension, rounds)
    return found.numbers_up, found.numbers_down


def total(
    protocol: str, agents: int, dimension: int, horizon: int, tolerance: float, heterogeneous: bool = False
) -> Counted:
    """Return the exact counts of calls, rounds and numbers up to step T = `horizon`; for cg, with the most rounds it
    can take."""
    samples = samples_of_calls(agents, horizon)
    return summed(
        protocol,
        agents,
        dimension,
        (rounds_of_call(protocol, n, dimension, tolerance, heterogeneous) for n in samples),
    )


def summed(protocol: str, agents: int, dimension: int, rounds: Iterable[int]) -> Counted:
    each = list(rounds)
    return PROTOCOLS[protocol].counted(agents, dimension, sum(each), len(each))


def total_rounds(*case: Any) -> int:
    return int(total(*case).rounds)


def total_numbers(*case: Any) -> int:
    found = total(*case)
    return int(found.numbers_up + found.numbers_down)


def closed_total(
    protocol: str, agents: Value, dimension: Value, horizon: Value, tolerance: Value, coefficient: Value
) -> Counted:
    """Return closed bounds on calls, rounds and numbers up to step T, as sympy. An iterative solver stops at squared
    distance delta^2 C/(n+1), delta = tolerance, C = coefficient."""
    found = PROTOCOLS[protocol]
    rounds = found.closed(agents, horizon, dimension, tolerance, coefficient)
    return found.counted(agents, dimension, rounds, closed_calls())


def closed_rounds(protocol: str, heterogeneous: bool = False) -> Value:
    return _closed(protocol, heterogeneous).rounds


def closed_numbers(protocol: str, heterogeneous: bool = False) -> Value:
    found = _closed(protocol, heterogeneous)
    return found.numbers_up + found.numbers_down


def _closed(protocol: str, heterogeneous: bool) -> Counted:
    M, T, d, delta = (symbol(name) for name in ("M", "T", "d", "delta"))
    return closed_total(protocol, M, d, T, delta, own_ridge_excess_risk.coefficient(d, heterogeneous))


def printed_numbers(protocol: str, agents: Value, dimension: Value, horizon: Value) -> Value:
    """Return the numbers sent up to step T, as inside the paper's O(.): M d^2 log T for the direct method, d log(d)
    sqrt(M^3 T) for AGD."""
    inside = PROTOCOLS[protocol].printed
    assert inside is not None
    return inside(agents, dimension, horizon)[1]


def printed_sum(agents: int, dimension: int, horizon: int) -> float:
    """Return the paper's sum over calls of M d sqrt(M 2^l) log(d/(M 2^l)), its count of the numbers that AGD sends.
    The logarithm is misprinted: terms are negative once M 2^l > d."""
    exponents = range(1, calls(horizon) + 1)
    return sum(
        float(agents * dimension * sqrt(agents * 2**l) * log(dimension / (agents * 2**l))) for l in exponents
    )
