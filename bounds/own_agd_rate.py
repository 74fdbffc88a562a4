"""Bound the error of accelerated gradient descent on ridge regression, which gives its number of rounds.

The objective is F(w) = (1/n) sum (phi'w - r)^2 + norm(w)^2/n over n samples with features norm(phi) <= 1 and rewards
r in [0,1]. Its curvature is between 2/n and 2(1+1/n), so the condition number is at most n+1. Let w_S be the
minimiser and w_k the point after k rounds, starting at 0. For all data

    F(w_k) - F(w_S) <= 1.25 exp(-k/sqrt(n+1)),   norm(w_k - w_S)^2 <= 1.25 n exp(-k/sqrt(n+1))

because F(0) - F(w_S) <= mean r^2 <= 1 and norm(w_S)^2/n <= 1/4. Chebyshev iteration and conjugate gradients (CG) have
F(w_k) - F(w_S) <= 4 exp(-4k/sqrt(n+1)).
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
    """Return the momentum of accelerated gradient descent on n samples: (sqrt kappa - 1)/(sqrt kappa + 1) at
    condition number kappa = n+1."""
    root = sqrt(n + 1)
    return (root - 1) / (root + 1)


def start(n: Value) -> Value:
    """Return 1.25, a bound on the initial value of the quantity that accelerated gradient descent decreases: the
    objective minus its minimum, plus half the least curvature times a squared distance from the minimiser."""
    return ratio(5, 4, n)


def loss_gap(n: Value, rounds: Value) -> Value:
    """Bound the ridge objective minus its minimum after `rounds` rounds of accelerated gradient descent on n
    samples."""
    return start(n) * exp(-rounds / sqrt(n + 1))


def distance_squared(n: Value, rounds: Value) -> Value:
    """Bound the squared distance from the ridge estimate after `rounds` rounds of accelerated gradient descent: n
    times the bound on the objective gap."""
    return n * loss_gap(n, rounds)


@dataclass(frozen=True)
class Geometric:
    """A solver of ridge regression whose squared distance from the minimiser after k rounds on n samples is at most
    `start` x n x exp(-k/(`scale` x sqrt(n+1)))."""

    scale: Fraction
    start: Fraction

    def rounds(self, n: float, target: float) -> int:
        """Return the fewest rounds on n samples after which the bound on the squared distance is at most `target`."""
        longest = float(self.scale) * math.sqrt(n + 1)
        return max(0, math.ceil(longest * (math.log(float(self.start) * n) - math.log(target))))

    def closed(self, agents: Value, horizon: Value, tolerance: Value, coefficient: Value) -> Value:
        """Return a closed-form bound, a sympy expression, on the rounds of all epochs up to step `horizon`. After an
        epoch of n samples the solver stops at squared distance tolerance^2 coefficient/(n+1) from the ridge estimate.
        """
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
    """Bound the ridge objective minus its minimum after `rounds` rounds of Chebyshev iteration or CG on n samples."""
    return 4 * exp(-4 * rounds / sqrt(n + 1))
