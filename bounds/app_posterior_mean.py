"""Bound the excess risk of the posterior mean over a convex class, on samples that may depend on earlier ones
(app:posterior_mean).

The class is {f_w : w in W} with W bounded and convex in d dimensions. w -> f_w is affine, its values are in [0,1], and
the true function f* is in the class. The posterior on W has a density proportional to exp(-theta times the sum of
squared losses), and its mean predicts. Q is the sum, over n samples, of this mean's expected squared error given the
earlier samples. Let s bound the average of (f_w - f*)^2 over uniformly drawn w, and x = 2 theta n s/d. Then

    E Q <= (d/(2 kappa)) (1 + ln x) if x >= 1,    E Q <= (theta/kappa) s n if x <= 1

in two variants:

    stated       theta = 1,     kappa = 1 - e^{-1/2},              s = 1
    sharpened    theta = 1.04,  kappa = 0.46368 (proved in Coq),   s = d/(d+2)
"""

import math
from dataclasses import dataclass

from bounds.best.regret import KAPPA, KAPPA_EXPONENT
from bounds.errors import choose


@dataclass(frozen=True)
class Posterior:
    """The constants of one variant of the bound on the squared error of the posterior mean.

    exponent        theta: the posterior density is proportional to exp(-theta times the sum of squared losses)
    kappa           constant in E exp(-theta l) <= 1 - kappa D^2, where l is the loss of f minus that of the true f* on
                    one sample, and D = f - f* at this sample
    convex_spread   whether the mean of (f_w - f*)^2 over uniform w is bounded by d/(d+2), d the dimension, instead of 1
    """

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
    """Bound the expected squared error of the posterior mean over a convex class of functions, summed over `n`
    samples. `variant`: "stated" or "sharpened". `dimension`: dimension of the class."""
    row = POSTERIORS[choose("variant", variant, POSTERIORS)]
    x = 2 * row.exponent * n * row.spread(dimension) / dimension
    return dimension / (2 * row.kappa) * (x if x <= 1 else 1 + math.log(x))


def risk(variant: str, dimension: int, n: float) -> float:
    """Return the excess risk of the posterior mean over a convex class after `n` samples: the bound of `total`
    divided by n, at most 1. It never increases with n. `variant`: "stated" or "sharpened"."""
    return min(1.0, total(variant, dimension, n) / n)
