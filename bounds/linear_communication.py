"""Count exactly the numbers that federated ridge regression sends, with epochs that end at steps 2, 4, 8, ....

One call of the protocol fits one model. These are the numbers that all M agents send in it (up) and receive (down),
in d dimensions and k rounds:

    protocol         numbers                           rounds
    direct           up M(d(d+1)/2 + d), down Md       one round, minimal messages
    direct_printed   M(d^2 + d) both ways              one round, as the paper's alg:fedlinear prints it
    agd              up Mdk, down Md(k+1)              k = ceil(sqrt(n+1) ln(1.25 n/eps)), eps = delta^2 e(n)
    agd_convex       up Mdk, down Md(k+1)              k = ceil(sqrt n)
    chebyshev        up Mdk, down Md(k+1)              k = ceil(sqrt(n+1)/4 ln(4n/eps))
    cg               Md(k+1) both ways                 k <= min(d, n)

n is the number of samples of the call, and e(n) the excess risk of the exact ridge estimate. delta is the tolerance
of the solver, which stops at squared distance eps from that estimate.
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
    """The excess risk of a protocol for ridge regression whose result is not near the exact estimate.

    risk          maps (dimension, number n of samples, whether agents' distributions differ) to the excess risk
    coefficient   maps (dimension, whether agents' distributions differ) to an upper bound of n times the excess risk
    """

    risk: Callable[[int, int, bool], float]
    coefficient: Callable[[Value, bool], Value]


@dataclass(frozen=True)
class Protocol:
    """The counts of rounds, messages and numbers of a protocol for ridge regression. One call fits one model to n
    samples of M agents in d dimensions; T is the horizon.

    sent        maps (d, rounds, calls) to the numbers that one agent sends and receives
    rounds      maps (n, d, eps) to an upper bound on the rounds of a call that ends within squared distance eps of
                the exact estimate
    closed      maps (M, T, d, delta, C) to a sympy bound on the rounds of all calls, for eps = delta^2 C/(n+1); the
                excess risk is C/(n+1), delta the solver's tolerance
    messages    maps rounds to the messages that one agent sends and receives in a call
    iterative   whether the solver stops at a tolerance delta
    printed     maps (M, d, T) to the orders of rounds and of numbers that the paper states in O(.)
    rests_on    the statements, as (claim, variant), that prove the protocol's accuracy
    own_risk    its excess risk, if that is not the one of the exact ridge estimate
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
        """Return the counts of `times` calls of the protocol with `rounds` rounds in all, for all agents."""
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
    """Return the relative tolerance of a protocol's solver: 0 for an exact protocol; for an iterative one `given`, or
    the default 0.1 if that is 0. Without a protocol return `given`."""
    if protocol is not None and PROTOCOLS[protocol].iterative:
        return given or DEFAULT_TOLERANCE
    return given if protocol is None else 0.0


def target(n: int, dimension: int, tolerance: float, heterogeneous: bool = False) -> float:
    """Return the squared distance from the exact ridge estimate at which a solver may stop: tolerance^2 times the
    excess risk of that estimate on `n` samples. The excess risk where the solver stops is then at most
    (1+tolerance)^2 times as large. `heterogeneous`: whether the agents' distributions differ."""
    return tolerance**2 * float(own_ridge_excess_risk.mean(float(dimension), n, heterogeneous))


def rounds_of_call(
    protocol: str, n: int, dimension: int, tolerance: float, heterogeneous: bool = False
) -> int:
    """Return the number of rounds in which the named protocol fits one ridge estimate to `n` samples; for conjugate
    gradients (cg) the most that it can take. `tolerance`: the solver's error relative to the statistical error.
    `heterogeneous`: whether the agents' distributions differ."""
    return PROTOCOLS[protocol].rounds(n, dimension, target(n, dimension, tolerance, heterogeneous))


def numbers_of_call(protocol: str, agents: Value, dimension: Value, rounds: Value) -> tuple[Value, Value]:
    """Return how many numbers all agents send and receive, (up, down), while the named protocol fits one ridge
    estimate in `rounds` rounds."""
    found = PROTOCOLS[protocol].counted(agents, dimension, rounds)
    return found.numbers_up, found.numbers_down


def total(
    protocol: str, agents: int, dimension: int, horizon: int, tolerance: float, heterogeneous: bool = False
) -> Counted:
    """Return the exact counts of calls of the protocol, rounds and numbers sent up to step `horizon`; for conjugate
    gradients (cg) with the most rounds that it can take. `tolerance`: the solver's error relative to the statistical
    error. `heterogeneous`: whether the agents' distributions differ."""
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
    """Return closed-form bounds, sympy expressions, on the calls of a protocol, its rounds and the numbers sent up to
    step `horizon`. An iterative solver stops at squared distance tolerance^2 coefficient/(n+1) from the ridge estimate
    on n samples, where coefficient/(n+1) is the excess risk."""
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
    """Return the paper's count of numbers sent, without its O(.): M d^2 log T for the direct method, d log(d)
    sqrt(M^3 T) for AGD, with M agents, d dimensions and T steps."""
    inside = PROTOCOLS[protocol].printed
    assert inside is not None
    return inside(agents, dimension, horizon)[1]


def printed_sum(agents: int, dimension: int, horizon: int) -> float:
    """Return the paper's count of the numbers that accelerated gradient descent sends: the sum over epochs l = 1, 2,
    ... of M d sqrt(M 2^l) log(d/(M 2^l)), with M = `agents` and d = `dimension`. The argument of the logarithm is
    misprinted (upside down), so terms are negative once M 2^l > d."""
    exponents = range(1, calls(horizon) + 1)
    return sum(
        float(agents * dimension * sqrt(agents * 2**l) * log(dimension / (agents * 2**l))) for l in exponents
    )
