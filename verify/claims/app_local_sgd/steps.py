"""The scalar content of app:local_sgd, in units with h = 1: b = h beta, k = 1/K, g = 1/eta_g^2, p = p_max.

sigma2 stands for sigma^2/K, zeta2 for zeta*^2, D for the mean squared drift.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from verify.formal.scalar_steps import ScalarStep


def rational(*factors: str) -> str:
    """The product of some decimals as a fraction, which z3 takes as it is; a float would be rounded first."""
    return str(math.prod(map(Fraction, factors)))


def ranges(b: Any, k: Any, g: Any, p: Any, limit: int) -> list[Any]:
    """0 < b <= 1/limit, and K >= 1, eta_g >= 1, p_max <= 1."""
    return [b > 0, limit * b <= 1, k > 0, k <= 1, g > 0, g <= 1, p > 0, p <= 1]


# what the steps of this theorem and of app:scaffold_sgd share
VECTOR_STEPS = (
    ScalarStep("2 x y <= 2 x^2 + y^2/2", "x y", lambda x, y: ([], 2 * x * y <= 2 * x * x + y * y / 2)),
    ScalarStep(
        "(x+y)^2 <= 2 x^2 + 2 y^2", "x y", lambda x, y: ([], (x + y) * (x + y) <= 2 * x * x + 2 * y * y)
    ),
    ScalarStep(
        "cross term: -4 gap + 2(beta D) + (1/2)(2 gap) = -3 gap + 2 beta D",
        "gap b D",
        lambda gap, b, D: ([gap >= 0, D >= 0, b > 0], -4 * gap + 2 * b * D + gap == -3 * gap + 2 * b * D),
    ),
    ScalarStep(
        "noise: 2 sigma^2 + 2 beta (2 beta D + 4 gap) = 2 sigma^2 + 4 beta^2 D + 8 beta gap",
        "s b D gap",
        lambda s, b, D, gap: (
            [],
            2 * s + 2 * b * (2 * b * D + 4 * gap) == 2 * s + 4 * b * b * D + 8 * b * gap,
        ),
    ),
    ScalarStep(
        "mean of j^2 over j < K, (K-1)(2K-1)/6, is at most K^2/3",
        "K",
        lambda K: ([K >= 1], (K - 1) * (2 * K - 1) <= 2 * K * K),
    ),
    ScalarStep("mean of j over j < K, (K-1)/2, is at most K/2", "K", lambda K: ([K >= 1], K - 1 <= K)),
)

STEPS = (
    *VECTOR_STEPS,
    ScalarStep(
        "D: 2 + 4b + 8bkp <= 2.48",
        "b k g p",
        lambda b, k, g, p: (ranges(b, k, g, p, 25), 2 + 4 * b + 8 * b * k * p <= "2.48"),
    ),
    ScalarStep(
        "drift: D <= X + 4 b^2 k g D gives D <= 1.0065 X",
        "b k g p D X",
        lambda b, k, g, p, D, X: (
            [*ranges(b, k, g, p, 25), D >= 0, X >= 0, X + 4 * b * b * k * g * D >= D],
            X * rational("1.0065") >= D,
        ),
    ),
    ScalarStep(
        "gap in the squared step: 8b + 16bkp <= 0.96",
        "b k g p",
        lambda b, k, g, p: (ranges(b, k, g, p, 25), 8 * b + 16 * b * k * p <= "0.96"),
    ),
    ScalarStep(
        "gap in the drift: 2.48 x 1.0065 b^2 g (4/3 + 4k) <= 0.022",
        "b k g p",
        lambda b, k, g, p: (
            ranges(b, k, g, p, 25),
            b * b * g * (4 + 12 * k) * rational("2.48", "1.0065") <= rational("3", "0.022"),
        ),
    ),
    ScalarStep(
        "noise in the drift: 2.48 x 1.0065 b <= 0.10",
        "b k g p",
        lambda b, k, g, p: (ranges(b, k, g, p, 25), b * rational("2.48", "1.0065") <= "0.10"),
    ),
    ScalarStep(
        "heterogeneity: 2.48 x 1.0065 x 2/3 <= 1.67",
        "x",
        lambda x: ([x > 0], x * rational("2", "2.48", "1.0065") <= x * rational("3", "1.67")),
    ),
    ScalarStep(
        "together: d+ <= (1 - mu/2) d - gap + c1 + c2",
        "d mu gap noise drift after",
        lambda d, mu, gap, noise, drift, after: (
            [
                d >= 0,
                mu > 0,
                gap >= mu * d / 2,
                noise >= 0,
                drift >= 0,
                after <= d - 3 * gap + gap * "0.96" + gap * "0.022" + noise + drift,
            ],
            after <= (1 - mu / 2) * d - gap + noise + drift,
        ),
    ),
)


def false_steps() -> tuple[ScalarStep, ...]:
    """0.095 where 0.10 is stated: false at b = 1/25, the control."""
    return (
        ScalarStep(
            "noise in the drift: 2.48 x 1.0065 b <= 0.095",
            "b k g p",
            lambda b, k, g, p: (ranges(b, k, g, p, 25), b * rational("2.48", "1.0065") <= "0.095"),
        ),
    )


def telescoping() -> bool:
    """The sum of q^{-(r+1)} over r < R is (q^{-R} - 1)/(1 - q), so d_0 over h times it is (mu/2) d_0 q^R/(1-q^R) at
    q = 1 - mu h/2: the identity, by sympy, from its induction step."""
    import sympy

    q, R = sympy.symbols("q R", positive=True)
    total = (q**-R - 1) / (1 - q)
    grows = sympy.simplify(total.subs(R, R + 1) - total - q ** -(R + 1))
    mu, h = sympy.symbols("mu h", positive=True)
    bound = 1 / (h * total.subs(q, 1 - mu * h / 2))
    stated = mu / 2 * (1 - mu * h / 2) ** R / (1 - (1 - mu * h / 2) ** R)
    return bool(total.subs(R, 0) == 0 and grows == 0 and sympy.simplify(bound - stated) == 0)
