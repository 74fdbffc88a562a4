"""Distributed accelerated gradient descent on ridge regression with lambda = 1/n: its rate and its number of rounds.

Over n samples (phi, r) with norm(phi) <= 1 and r in [0,1] the objective F(w) = (1/n) sum (phi'w - r)^2 + norm(w)^2/n
is 2(1+1/n)-smooth and 2/n-strongly convex, so its condition number is at most n+1. w_S is its minimiser, F* its
minimum, w_k the point after k rounds and gap_k = F(w_k) - F*. From w_0 = 0, for all data,

    gap_k <= 1.25 exp(-k/sqrt(n+1)),   norm(w_k - w_S)^2 <= 1.25 n exp(-k/sqrt(n+1))

because gap_0 <= mean r^2 <= 1 and lambda norm(w_S)^2 <= 1/4. Chebyshev iteration and conjugate gradients (CG) have
gap_k <= 4 exp(-4k/sqrt(n+1)).
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
    """Return the momentum (sqrt kappa - 1)/(sqrt kappa + 1) of AGD for the condition number kappa = n+1."""
    root = sqrt(n + 1)
    return (root - 1) / (root + 1)


def start(n: Value) -> Value:
    """Return 1.25, a bound on F(0) - F* + (mu/2) norm(w_S)^2, the value at the start of the potential that AGD
    decreases."""
    return ratio(5, 4, n)


def loss_gap(n: Value, rounds: Value) -> Value:
    """Return the bound 1.25 exp(-k/sqrt(n+1)) on the loss gap after k = `rounds` rounds."""
    return start(n) * exp(-rounds / sqrt(n + 1))


def distance_squared(n: Value, rounds: Value) -> Value:
    """Return the bound on norm(w_k - w_S)^2 after k = `rounds` rounds: that on the loss gap divided by lambda = 1/n."""
    return n * loss_gap(n, rounds)


@dataclass(frozen=True)
class Geometric:
    """A solver whose squared distance from the ridge estimate after k rounds on n samples is at most start n
    exp(-k/(scale sqrt(n+1)))."""

    scale: Fraction
    start: Fraction

    def rounds(self, n: float, target: float) -> int:
        """Return the fewest rounds after which the bound on the squared distance is at most `target`: ceil(scale
        sqrt(n+1) ln(start n/target))."""
        longest = float(self.scale) * math.sqrt(n + 1)
        return max(0, math.ceil(longest * (math.log(float(self.start) * n) - math.log(target))))

    def closed(self, agents: Value, horizon: Value, tolerance: Value, coefficient: Value) -> Value:
        """Return a closed bound on the rounds of all calls up to step T as sympy. A call on n samples stops at
        squared distance delta^2 C/(n+1), delta = tolerance, C = coefficient."""
        # sum_l sqrt(n_l + 1) <= (1+sqrt2) sqrt(MT) for doubling epochs, since sqrt(n+1) <= sqrt n + 1/(2 sqrt n) and
        # the geometric sum leaves -2 sqrt M; n_l(n_l+1) <= MT(MT+1); rounding up adds at most one round per call
        import sympy

        n = agents * horizon
        scale, start = (ratio(x.numerator, x.denominator, n) for x in (self.scale, self.start))
        inside = start * n * (n + 1) / (tolerance**2 * coefficient)
        return scale * (1 + sympy.sqrt(2)) * sqrt(n) * log(1 + inside) + closed_calls()


AGD = Geometric(Fraction(1), Fraction(5, 4))
CHEBYSHEV = Geometric(Fraction(1, 4), Fraction(4))  # a quarter of AGD's leading term


def polynomial_loss_gap(n: Value, rounds: Value) -> Value:
    """Return the bound on the loss gap of Chebyshev iteration and CG after k rounds: 4 rho^{2k} gap_0, where gap_0
    <= 1 and rho <= exp(-2/sqrt(n+1))."""
    return 4 * exp(-4 * rounds / sqrt(n + 1))
