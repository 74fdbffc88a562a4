"""What federated ridge regression communicates under tau^l = 2^l: rounds and numbers of every protocol, exactly.

Per call, over M agents in d dimensions with k rounds (up / down):

    direct           M(d(d+1)/2 + d) / Md          one round, minimal messages
    direct_printed   M(d^2 + d) / M(d^2 + d)       one round, as alg:fedlinear prints it
    agd              Mdk / Md(k+1)                 k = ceil(sqrt(n+1) ln(1.25 n/eps)), eps = delta^2 e(n)
    agd_convex       Mdk / Md(k+1)                 k = ceil(sqrt n)
    chebyshev        Mdk / Md(k+1)                 k = ceil(sqrt(n+1)/4 ln(4n/eps))
    cg               Md(k+1) / Md(k+1)             k <= min(d, n)
"""

from __future__ import annotations

from itertools import islice
from typing import Any

from bounds import own_agd_convex, own_ridge_excess_risk
from bounds.arithmetic import log, sqrt
from bounds.own_agd_rate import chebyshev_rounds_for_distance, rounds_for_distance
from bounds.schedules import doubling_lengths
from bounds.symbols import symbol

PROTOCOLS = ("direct", "direct_printed", "agd", "agd_convex", "chebyshev", "cg")
ITERATIVE = ("agd", "chebyshev")  # to a tolerance delta
DEFAULT_TOLERANCE = 0.1


def calls(horizon: int) -> int:
    """FL calls executed by T: floor(log2 T)."""
    return horizon.bit_length() - 1


def used_calls(horizon: int) -> int:
    """FL calls whose result is used before T: ceil(log2 T) - 1 (0 at T = 1)."""
    return max(0, (horizon - 1).bit_length() - 1)


def samples_of_calls(agents: int, horizon: int) -> list[int]:
    """n_l = M E^l of every executed call."""
    return [agents * length for length in islice(doubling_lengths(), calls(horizon))]


def target(n: int, dimension: int, tolerance: float, heterogeneous: bool = False) -> float:
    """eps = delta^2 e(n): the squared distance to w_S that keeps the excess risk within (1+delta)^2 e(n)."""
    return tolerance**2 * float(own_ridge_excess_risk.mean(float(dimension), n, heterogeneous))


def rounds_of_call(
    protocol: str, n: int, dimension: int, tolerance: float, heterogeneous: bool = False
) -> int:
    """Rounds of one call on n samples; for cg the most it can take."""
    if protocol == "agd":
        return rounds_for_distance(n, target(n, dimension, tolerance, heterogeneous))
    if protocol == "chebyshev":
        return chebyshev_rounds_for_distance(n, target(n, dimension, tolerance, heterogeneous))
    if protocol == "agd_convex":
        return own_agd_convex.rounds(n)
    return min(dimension, n) if protocol == "cg" else 1


def numbers_of_call(protocol: str, agents: Any, dimension: Any, rounds: Any) -> tuple[Any, Any]:
    """(up, down) of one call with `rounds` rounds."""
    one = agents * dimension
    if protocol == "direct":
        return agents * (dimension * (dimension + 1) // 2 + dimension), one
    if protocol == "direct_printed":
        return agents * (dimension**2 + dimension), agents * (dimension**2 + dimension)
    if protocol == "cg":
        return one * (rounds + 1), one * (rounds + 1)
    return one * rounds, one * (rounds + 1)


def total_rounds(
    protocol: str, agents: int, dimension: int, horizon: int, tolerance: float, heterogeneous: bool = False
) -> int:
    """The exact sum of the schedule (for cg: of the most it can take)."""
    samples = samples_of_calls(agents, horizon)
    return sum(rounds_of_call(protocol, n, dimension, tolerance, heterogeneous) for n in samples)


def total_numbers(
    protocol: str, agents: int, dimension: int, horizon: int, tolerance: float, heterogeneous: bool = False
) -> int:
    """Numbers up and down over all calls by T, exactly (for cg: at most)."""
    total = 0
    for n in samples_of_calls(agents, horizon):
        rounds = rounds_of_call(protocol, n, dimension, tolerance, heterogeneous)
        total += sum(numbers_of_call(protocol, agents, dimension, rounds))
    return total


def closed_rounds(protocol: str, heterogeneous: bool = False) -> Any:
    """A closed bound on the rounds by T, as sympy.

    AGD: sum_l sqrt(n_l + 1) <= (1+sqrt2) sqrt(MT) under doubling (sqrt(n+1) <= sqrt n + 1/(2 sqrt n); the geometric
    sum leaves -2 sqrt M, which pays for the rest), n_l(n_l+1) <= MT(MT+1), and one for each ceiling.
    Convex AGD: sum_l sqrt(n_l) <= sqrt M ((1+sqrt2) sqrt T - 2), and one for each ceiling.
    """
    import sympy

    M, T, d, delta = (symbol(name) for name in ("M", "T", "d", "delta"))
    count = sympy.floor(sympy.log(T, 2))
    if protocol == "agd_convex":
        return sqrt(M) * ((1 + sympy.sqrt(2)) * sqrt(T) - 2) + count
    if protocol not in ITERATIVE:
        return count * (d if protocol == "cg" else 1)
    constant = own_ridge_excess_risk.coefficient(d, heterogeneous)
    root, inside = (1 + sympy.sqrt(2)) * sqrt(M * T), M * T * (M * T + 1) / (delta**2 * constant)
    if protocol == "agd":
        return root * log(1 + sympy.Rational(5, 4) * inside) + count
    return root / 4 * log(1 + 4 * inside) + count


def closed_numbers(protocol: str, heterogeneous: bool = False) -> Any:
    """A closed bound on the numbers by T, as sympy."""
    import sympy

    M, T, d = (symbol(name) for name in "MTd")
    count = sympy.floor(sympy.log(T, 2))
    if protocol == "direct":
        return M * (d * (d + 1) / 2 + 2 * d) * count
    if protocol == "direct_printed":
        return 2 * M * (d**2 + d) * count
    rounds = closed_rounds(protocol, heterogeneous)
    return 2 * M * d * (rounds + count) if protocol == "cg" else M * d * (2 * rounds + count)


def printed_numbers(protocol: str, agents: Any, dimension: Any, horizon: Any) -> Any:
    """What stands inside the printed O(.): M d^2 log T (direct), d log(d) sqrt(M^3 T) (AGD)."""
    if protocol == "agd":
        return dimension * log(dimension) * sqrt(agents**3 * horizon)
    return agents * dimension**2 * log(horizon)


def printed_sum(agents: int, dimension: int, horizon: int) -> float:
    """The paper's sum over calls of Md sqrt(M 2^l) log(d/(M 2^l)): negative once M 2^l > d (erratum E14)."""
    exponents = range(1, calls(horizon) + 1)
    return sum(
        float(agents * dimension * sqrt(agents * 2**l) * log(dimension / (agents * 2**l))) for l in exponents
    )


def corrected_order(agents: Any, dimension: Any, horizon: Any) -> Any:
    """d sqrt(M^3 T) log(MT): the order of the schedule that AGD for strongly convex functions needs."""
    return dimension * sqrt(agents**3 * horizon) * log(agents * horizon)
