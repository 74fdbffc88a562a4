"""app:posterior_mean: excess risk of the posterior mean over a convex class of dimension d. The samples may be chosen
depending on earlier ones.

W is bounded and convex in R^d, w -> f_w is affine with values in [0,1], and f* is in the class. fhat is the mean of
the posterior proportional to exp(-theta times the sum of squared losses) on W. Q(f) is the sum over the n samples of
E (f - f*)^2 given the past of each. s bounds the mean of (f_w - f*)^2 over uniform w. With x = 2 theta n s/d,

    E Q(fhat) <= (d/(2 kappa)) (1 + ln x) for x >= 1,    (theta/kappa) s n for x <= 1 (the prior itself)

    stated       theta = 1,     kappa = 1 - e^{-1/2},              s = 1
    sharpened    theta = 1.04,  kappa = 0.46368 (proved in Coq),   s = d/(d+2)
"""

import math
from dataclasses import dataclass

from bounds.best.regret import KAPPA, KAPPA_EXPONENT
from bounds.errors import choose


@dataclass(frozen=True)
class Posterior:
    """The constants of one variant of the bound. exponent: theta in the posterior density, proportional to exp(-theta
    times the sum of losses). kappa: a number with E exp(-theta l) <= 1 - kappa D^2, where l is the loss of f minus
    that of f* on a sample and D = f - f* there. convex_spread: whether the mean of (f_w - f*)^2 over uniform w is
    bounded by d/(d+2) instead of 1."""

    exponent: float
    kappa: float
    convex_spread: bool

    def spread(self, dimension: int) -> float:
        return dimension / (dimension + 2) if self.convex_spread else 1.0


POSTERIORS = {
    "stated": Posterior(1.0, 1 - math.exp(-1 / 2), False),
    "sharpened": Posterior(float(KAPPA_EXPONENT), float(KAPPA), True),
}


def total(variant: str, dimension: int, n: float) -> float:
    """Return the bound on E Q(fhat), the squared error of the posterior mean summed over n samples."""
    row = POSTERIORS[choose("variant", variant, POSTERIORS)]
    x = 2 * row.exponent * n * row.spread(dimension) / dimension
    return dimension / (2 * row.kappa) * (x if x <= 1 else 1 + math.log(x))


def risk(variant: str, dimension: int, n: float) -> float:
    """Return the excess risk e(n) of the posterior mean: the bound of `total` divided by n, at most 1. It never
    increases with n."""
    return min(1.0, total(variant, dimension, n) / n)
