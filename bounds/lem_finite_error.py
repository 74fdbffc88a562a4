"""Return the excess risk over a finite class that each variant of the regret bound uses (lem:finite_error).

e(n) is the mean excess risk of least squares over |F| functions after n samples:

    printed, repaired   e(n) = (25 ln(|F| n) + 1)/n
    sharpened           e(n) = min(1, ln|F|/(kappa n)),   kappa = 1 - e^{-1/2}
    best                the same with kappa = 0.46368
"""

from bounds import variants
from bounds.finite_excess_risk import (
    MEAN,
    TAIL,
    kappa,
    own_algebra_tail,
    printed_mean,
    sharpened_mean,
)

__all__ = ["MEAN", "TAIL", "kappa", "mean", "own_algebra_tail", "printed_mean", "sharpened_mean"]


def mean(variant: str, functions: int, n: int) -> float:
    """Return the bound on the mean excess risk after `n` samples over a class of `functions` functions that a variant
    of the regret bound uses ("printed", "repaired", "sharpened" or "best"). The last two clip it at 1."""
    risk = float(variants.row(variant).finite.mean(functions, n))
    return variants.row(variant).clip(risk)
