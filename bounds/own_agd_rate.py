"""Distributed accelerated gradient descent on ridge regression with lambda = 1/n: its rate and its schedule.

F(w) = (1/n) sum (phi'w - r)^2 + norm(w)^2/n is 2(1+1/n)-smooth and 2/n-strongly convex: kappa <= n+1. From w_0 = 0,

    F(w_k) - F* <= 1.25 exp(-k/sqrt(n+1)),   norm(w_k - w_S)^2 <= 1.25 n exp(-k/sqrt(n+1))      (surely)

because gap_0 <= mean r^2 <= 1 and lambda norm(w_S)^2 <= 1/4. Chebyshev and CG: gap_k <= 4 exp(-4k/sqrt(n+1)).
"""

import math
from dataclasses import dataclass
from fractions import Fraction

from bounds.arithmetic import Value, exp, log, ratio, sqrt
from bounds.schedules import closed_calls


def smoothness(n: Value) -> Value:
    return 2 * (1 + ratio(1, 1, n) / n)


def strong_convexity(n: Value) -> Value:
    return 2 * ratio(1, 1, n) / n


def momentum(n: Value) -> Value:
    """Return the momentum (sqrt kappa - 1)/(sqrt kappa + 1), kappa = n+1."""
    root = sqrt(n + 1)
    return (root - 1) / (root + 1)


def start(n: Value) -> Value:
    """Return 1.25, a bound on gap_0 + (mu/2) norm(w_S)^2 at w_0 = 0."""
    return ratio(5, 4, n)


def loss_gap(n: Value, rounds: Value) -> Value:
    """Return the bound on F(w_k) - F* after k rounds."""
    return start(n) * exp(-rounds / sqrt(n + 1))


def distance_squared(n: Value, rounds: Value) -> Value:
    """Return the bound gap/lambda on norm(w_k - w_S)^2 after k rounds, which term (A) of the paper needs."""
    return n * loss_gap(n, rounds)


@dataclass(frozen=True)
class Geometric:
    """A solver whose squared distance from w_S is at most start n exp(-k/(scale sqrt(n+1))) after k rounds."""

    scale: Fraction
    start: Fraction

    def rounds(self, n: float, target: float) -> int:
        """Return ceil(scale sqrt(n+1) ln(start n/target)), the fewest rounds that bound the distance by `target`."""
        longest = float(self.scale) * math.sqrt(n + 1)
        return max(0, math.ceil(longest * (math.log(float(self.start) * n) - math.log(target))))

    def closed(self, agents: Value, horizon: Value, tolerance: Value, coefficient: Value) -> Value:
        """Return a closed bound on the rounds of all calls by T as sympy, to the target delta^2 C/(n+1), C =
        `coefficient`. Under doubling sum_l sqrt(n_l + 1) <= (1+sqrt2) sqrt(MT), since sqrt(n+1) <= sqrt n + 1/(2 sqrt
        n) and the geometric sum leaves -2 sqrt M. Further n_l(n_l+1) <= MT(MT+1), and every ceiling adds at most one.
        """
        import sympy

        n = agents * horizon
        scale, start = (ratio(x.numerator, x.denominator, n) for x in (self.scale, self.start))
        inside = start * n * (n + 1) / (tolerance**2 * coefficient)
        return scale * (1 + sympy.sqrt(2)) * sqrt(n) * log(1 + inside) + closed_calls()


AGD = Geometric(Fraction(1), Fraction(5, 4))
CHEBYSHEV = Geometric(Fraction(1, 4), Fraction(4))  # a quarter of AGD's leading term


def polynomial_loss_gap(n: Value, rounds: Value) -> Value:
    """Return the bound of Chebyshev and CG on F(w_k) - F*: 4 rho^{2k} gap_0, rho <= exp(-2/sqrt kappa), gap_0 <= 1."""
    return 4 * exp(-4 * rounds / sqrt(n + 1))
