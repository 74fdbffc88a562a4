"""Excess risk of the exact minimiser over a class of finite covering number: col:finite beyond finite classes.

If N functions with values in [0,1] come within eps of every f in F (uniformly), f* in F, rewards and F in [0,1], then

    e(n) <= (sqrt((ln N + 2 n eps)/(kappa n)) + eps)^2,     kappa = 1 - e^{-1/2};      eps = 0: ln|F|/(kappa n).

Proof: the minimiser fhat has empirical excess loss at most 0, so its neighbour g has at most 2 n eps (one sample
changes by (g - f)(g + f - 2r) <= 2 eps). P(neighbour = g) <= e^{2 n eps} E e^{-Z_g} <= e^{2 n eps - kappa n risk(g)},
that is risk(g) <= (ln(1/P_g) + 2 n eps)/(kappa n); the mean of ln(1/P_g) is an entropy, at most ln N. Then Minkowski.

A linear class in d dimensions, norms at most 1, has ln N <= d ln(1 + 2/eps); evaluated at eps = 1/n.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from bounds import plug_in, variants
from bounds.arithmetic import exp, log, ratio, sqrt
from bounds.plug_in_family import calls_report, regret_report
from bounds.report import BoundReport
from bounds.symbols import symbol
from bounds.theorems.col_finite import HYPOTHESES


def kappa(like: Any) -> Any:
    """1 - e^{-1/2} in the arithmetic of `like`."""
    return 1 - exp(-ratio(1, 2, like))


def mean(n: Any, log_covering: Any, radius: Any) -> Any:
    """(sqrt((ln N + 2 n eps)/(kappa n)) + eps)^2."""
    return (sqrt((log_covering + 2 * n * radius) / (kappa(n) * n)) + radius) ** 2


def linear_mean(n: Any, dimension: Any) -> Any:
    """At eps = 1/n with ln N <= d ln(1 + 2n): of order d log(n)/n."""
    return mean(n, dimension * log(1 + 2 * n), 1 / n)


def closed_form(variant: str) -> Any:
    """The regret for T >= 3: n e(n) = (sqrt((d ln(1+2n) + 2)/kappa) + n^{-1/2})^2, its parts at n = MT and n = 2M."""
    import sympy

    M, K, T, d = (symbol(name) for name in "MKTd")
    row = variants.row(variant)
    largest = (
        sqrt((d * log(1 + 2 * M * T) + 2) / (1 - sympy.exp(-sympy.Rational(1, 2)))) + 1 / sqrt(2 * M)
    ) ** 2
    factor = plug_in.constant(variant, K, 1, inverse=False, corollary=True)
    return row.closed_form(factor, (2 + sympy.sqrt(2)) * sqrt(K * M * T * largest))


def covering_number(functions: list[tuple[Any, ...]], radius: Any) -> int:
    """The size of a net of the finite class, chosen greedily from it: an upper bound of its covering number."""
    left, size = list(functions), 0
    while left:
        centre = left[0]
        left = [f for f in left if max(abs(a - b) for a, b in zip(f, centre, strict=True)) > radius]
        size += 1
    return size


@dataclass(frozen=True)
class CoveringRegret:
    """Regret with the exact minimiser over a linear class of dimension d, by its covering number."""

    quantities: tuple[str, ...] = ("regret", "calls")
    protocols: tuple[str, ...] = ()
    required: tuple[str, ...] = ("M", "K", "T", "d")
    optional: Mapping[str, float] = field(default_factory=dict)

    @property
    def variants(self) -> tuple[str, ...]:
        return tuple(name for name in variants.VARIANTS if not variants.row(name).order_only)

    def evaluate(
        self, variant: str, quantity: str, protocol: str | None, parameters: Mapping[str, Any]
    ) -> BoundReport:
        M, K, T, d = (int(parameters[name]) for name in "MKTd")
        if quantity == "calls":
            return calls_report(T)
        bound = plug_in.epoch_sum(
            variant, M, K, lambda n: float(linear_mean(float(n), float(d))), inverse=False, corollary=True
        )
        needs = (
            *HYPOTHESES,
            "ln N(eps) <= d ln(1 + 2/eps) at eps = 1/n, n = M E^l",
            "H4 with e = (sqrt((d ln(1+2n) + 2)/(kappa n)) + 1/n)^2, kappa = 1 - e^{-1/2}, which does not increase",
        )
        return regret_report(bound, T, partial(closed_form, variant), needs)
