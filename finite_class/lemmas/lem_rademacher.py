"""Compute the Rademacher complexity of one-dimensional linear models with the squared loss, in exact rationals, and
compare it with bounds (lem:rademacher).

For given data (features phi_i, rewards r_i) it is the mean over random signs s_i of the largest value of (1/n) sum_i
s_i (phi_i w - r_i)^2 over |w| <= B. The maximum is explicit for each choice of signs. Over all real w it is infinite.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import comb

from finite_class.lemmas.sides import Sides


def largest(curvature: Fraction, slope: Fraction, radius: Fraction) -> Fraction:
    """Return the largest value of curvature w^2 - 2 slope w over |w| <= radius."""
    ends = [curvature * radius**2 - 2 * slope * w for w in (radius, -radius)]
    if curvature < 0 and abs(slope) <= -curvature * radius:
        ends.append(-(slope**2) / curvature)  # at w = slope/curvature
    return max(ends)


def complexity(features: Sequence[Fraction], rewards: Sequence[Fraction], radius: Fraction) -> Fraction:
    """Return the Rademacher complexity of the squared loss for these samples, over linear models with |w| <= radius."""
    n, total = len(features), Fraction(0)
    for signs in product((-1, 1), repeat=n):
        curvature = sum((s * f**2 for s, f in zip(signs, features, strict=True)), Fraction(0))
        slope = sum((s * f * r for s, f, r in zip(signs, features, rewards, strict=True)), Fraction(0))
        total += largest(curvature, slope, radius)  # sum sigma_i r_i^2 has mean 0
    return total / (n * 2**n)


def ball(
    features: Sequence[Fraction],
    rewards: Sequence[Fraction],
    radius: Fraction,
    shrink: Fraction = Fraction(1),
) -> Sides:
    """Return both sides of n R^2 <= (2B(B+1))^2, where R is the Rademacher complexity of the squared loss for these n
    samples over |w| <= B. radius: B. shrink: factor on 2B(B+1), for negative controls."""
    found = complexity(features, rewards, radius)
    return Sides(len(features) * found**2, (shrink * 2 * radius * (radius + 1)) ** 2)


def unit_complexity(n: int) -> Fraction:
    """Return the Rademacher complexity of the squared loss for n samples with feature 1 and reward 0 over |w| <= 1,
    about 0.399/sqrt(n). It is the mean of max(0, sum of n random signs), divided by n."""
    return sum((Fraction(comb(n, k) * max(0, 2 * k - n), n * 2**n) for k in range(n + 1)), Fraction(0))
