"""app:robust_mean. If f of M agents lie, an aggregate A satisfies norm(A(x) - z)^2 <= kappa v (Theorem 3.1).

z is the mean of the honest messages x_i, and v = mean norm(x_i - z)^2 over them. For 0 <= f < M/2, in any dimension:

    trimmed mean, cut = f   f/(M-2f)                                  attained; no rule has less
    coordinate median       (ceil(M/2)-1)/(floor(M/2)+1-f)            attained
    geometric median        floor(M/2)/(ceil(M/2)-f)                  attained for odd M; even M, d >= 2: a supremum
    weighted median, weighted geometric median    1/(1-2 phi), phi < 1/2 the weight of the lying agents

For f >= M/2 no rule has a finite constant (app:breakdown), and these functions return None.
"""

from fractions import Fraction

PAIRS = tuple((m, f) for m in range(3, 13) for f in range(1, (m + 1) // 2))  # the 30 with M <= 12


def bearable(agents: int, lying: int) -> bool:
    return 0 <= 2 * lying < agents


def least(agents: int, lying: int) -> Fraction | None:
    """Return kappa = f/(M-2f), None if f is M/2 or more: if f of M agents lie, the trimmed mean's squared distance
    from the mean of the honest messages is at most kappa times their variance. No aggregation rule has a smaller one.
    """
    return Fraction(lying, agents - 2 * lying) if bearable(agents, lying) else None


def median(agents: int, lying: int) -> Fraction | None:
    if not bearable(agents, lying):
        return None
    return Fraction(-(-agents // 2) - 1, agents // 2 + 1 - lying)


def geometric_median(agents: int, lying: int) -> Fraction | None:
    if not bearable(agents, lying):
        return None
    return Fraction(agents // 2, -(-agents // 2) - lying)


def weighted(phi: float) -> float | None:
    """Return kappa = 1/(1-2 phi), or None if phi >= 1/2. When lying agents have total weight phi, a weighted median's
    squared distance from the mean of the honest messages is at most kappa times their variance."""
    return 1 / (1 - 2 * phi) if 0 <= phi < 0.5 else None
