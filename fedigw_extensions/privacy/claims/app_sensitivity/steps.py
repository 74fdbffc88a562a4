"""The scalar content of app:sensitivity. a = norm(phi)^2, b = norm(psi)^2, c = phi'psi, k = theta^2, rewards r, s."""

from __future__ import annotations

from functools import cache
from typing import Any

from verify.formal.scalar_steps import ScalarStep


def unit(*values: Any) -> list[Any]:
    return [condition for value in values for condition in (value >= 0, value <= 1)]


def both(*parts: Any) -> Any:
    import z3

    return z3.And(*parts)


def square(a: Any, b: Any, c: Any, k: Any, r: Any, s: Any) -> Any:
    """norm(phi phi' - psi psi')_F^2 + theta^2 norm(r phi - s psi)^2."""
    return a * a + b * b - 2 * c * c + k * (r * r * a + s * s * b - 2 * r * s * c)


# theta^2 <= 2, and for the bound 2 + 2k + k^2/2 = (2 + k)^2/2 any theta
JOINT = (
    ScalarStep(
        "complete the square: -2c^2 - 2k rs c <= k^2 (rs)^2/2",
        "c k r s",
        lambda c, k, r, s: ([k >= 0], -2 * c * c - 2 * k * r * s * c <= k * k * r * r * s * s / 2),
    ),
    ScalarStep(
        "norms and rewards are at most 1: so are a^2, r^2 a and (rs)^2",
        "a r s",
        lambda a, r, s: (unit(a, r, s), both(a * a <= 1, r * r * a <= 1, r * r * s * s <= 1)),
    ),
    ScalarStep(
        "what is left is at most 2 + 2k + k^2/2: u + v + k(x + y) + (k^2/2) z with u, v, x, y, z <= 1",
        "u v x y z k",
        lambda u, v, x, y, z, k: (
            [*unit(u, v, x, y, z), k >= 0],
            u + v + k * (x + y) + k * k * z / 2 <= 2 + 2 * k + k * k / 2,
        ),
    ),
    ScalarStep(
        "2 + 2k + k^2/2 = (2 + k)^2/2", "k", lambda k: ([], 2 * (2 + 2 * k) + k * k == (2 + k) * (2 + k))
    ),
    ScalarStep(
        "theta^2 >= 2, c >= 0: at most 2 + 2k <= 4k",
        "a b c k r s",
        lambda a, b, c, k, r, s: ([*unit(a, b, r, s), c >= 0, k >= 2], square(a, b, c, k, r, s) <= 4 * k),
    ),
    ScalarStep(
        "theta^2 >= 2, c = -p < 0: rewards 1 are the worst",
        "a b p k r s",
        lambda a, b, p, k, r, s: (
            [*unit(a, b, r, s), p > 0, k >= 2],
            square(a, b, -p, k, r, s) <= square(a, b, -p, k, 1, 1),
        ),
    ),
    ScalarStep(
        "it grows with p up to k/2: -2p^2 + 2kp <= -2q^2 + 2kq for p <= q <= 1 <= k/2",
        "p q k",
        lambda p, q, k: ([p >= 0, p <= q, q <= 1, k >= 2], -2 * p * p + 2 * k * p <= -2 * q * q + 2 * k * q),
    ),
    ScalarStep(
        "at p = xy: (x^2 - y^2)^2 + k(x + y)^2",
        "x y k",
        lambda x, y, k: (
            [],
            square(x * x, y * y, -x * y, k, 1, 1)
            == (x * x - y * y) * (x * x - y * y) + k * (x + y) * (x + y),
        ),
    ),
    ScalarStep(
        "(x + y)^2 ((x - y)^2 + k) <= 4k for x, y in [0,1], k >= 2",
        "x y k",
        lambda x, y, k: (
            [*unit(x, y), k >= 2, x >= y],
            (x + y) * (x + y) * ((x - y) * (x - y) + k) <= 4 * k,
        ),
    ),
)
ALONE = (
    ScalarStep(
        "b alone: r^2 a + s^2 b - 2rs c <= 4",
        "x y c r s",
        lambda x, y, c, r, s: (
            [*unit(x, y, r, s), c >= -x * y],
            r * r * x * x + s * s * y * y - 2 * r * s * c <= 4,
        ),
    ),
    ScalarStep(
        "V alone: a^2 + b^2 - 2c^2 <= 2",
        "a b c",
        lambda a, b, c: (unit(a, b), a * a + b * b - 2 * c * c <= 2),
    ),
)
# D = norm(phi - psi), X = norm(phi)^2 >= Y = norm(psi)^2; the larger eigenvalue of phi phi' - psi psi' is
# ((X - Y) + D q)/2 with q^2 = 2(X + Y) - D^2, and sin a = D s/2 with s^2 = 4 - D^2 where D = 2 sin(a/2)
GRADIENT = (
    ScalarStep(
        "norm(r phi - s psi) <= 3/2: B + 3/2 <= B sin a + 2 sin(a/2) at sin(a/2) = 4/5, sin a = 24/25, for B <= 5/2",
        "B",
        lambda B: ([B >= 0, 2 * B <= 5], 50 * B + 75 <= 48 * B + 80),
    ),
    ScalarStep(
        "an eigenvalue l > 0 of phi phi' - psi psi' is at most norm(phi)^2",
        "l X Y c",
        lambda l, X, Y, c: (
            [*unit(X, Y), l > 0, c * c <= X * Y, l * l == (X - Y) * l + X * Y - c * c],
            l <= X,
        ),
    ),
    ScalarStep(
        "q <= s <= D: X, Y <= 1 and D^2 >= 2",
        "D q s X Y",
        lambda D, q, s, X, Y: (
            [
                *unit(X, Y),
                D >= 0,
                q >= 0,
                s >= 0,
                D * D >= 2,
                q * q == 2 * (X + Y) - D * D,
                s * s == 4 - D * D,
            ],
            q <= s,
        ),
    ),
    ScalarStep(
        "s <= D",
        "D s",
        lambda D, s: ([D >= 0, s >= 0, D * D >= 2, s * s == 4 - D * D], s <= D),
    ),
    ScalarStep(
        "D(s - q) >= (s^2 - q^2)/2 where q <= s <= D",
        "D s q",
        lambda D, s, q: ([q >= 0, q <= s, s <= D], 2 * D * (s - q) >= s * s - q * q),
    ),
    ScalarStep(
        "(s^2 - q^2)/2 = 2 - X - Y >= X - Y: the eigenvalue is at most sin a",
        "X Y t",
        lambda X, Y, t: ([*unit(X, Y), 2 * t == 4 - 2 * (X + Y)], t >= X - Y),
    ),
)


def false_steps() -> tuple[ScalarStep, ...]:
    """The joint sensitivity 1 % smaller, at theta = 1: 9/2 times (99/100)^2 is exceeded."""
    return (
        ScalarStep(
            "theta = 1: the square is at most 9/2 times (99/100)^2",
            "a b c r s",
            lambda a, b, c, r, s: (
                [*unit(a, b, r, s), c * c <= a * b],
                square(a, b, c, 1, r, s) * 20000 <= 9 * 99 * 99,
            ),
        ),
    )


def false_alone() -> tuple[ScalarStep, ...]:
    """V alone, 1 % smaller."""
    return (
        ScalarStep(
            "V alone: the square is at most 2 times (99/100)^2",
            "a b c",
            lambda a, b, c: ([*unit(a, b), c * c <= a * b], (a * a + b * b - 2 * c * c) * 5000 <= 9801),
        ),
    )


def false_gradient() -> tuple[ScalarStep, ...]:
    """As if the ball of w could have radius 2.6."""
    return (ScalarStep("B <= 13/5", "B", lambda B: ([B >= 0, 5 * B <= 13], 50 * B + 75 <= 48 * B + 80)),)


@cache
def identities() -> dict[str, bool]:
    """From vectors of R^3 to a, b, c, by sympy; and the characteristic polynomial of phi phi' - psi psi'."""
    import sympy

    phi, psi = (sympy.Matrix(sympy.symbols(f"{name}1:4", real=True)) for name in ("phi", "psi"))
    r, s, l = sympy.symbols("r s l", real=True)
    a, b, c = phi.dot(phi), psi.dot(psi), phi.dot(psi)
    difference = phi * phi.T - psi * psi.T
    frobenius = sum(entry**2 for entry in difference)
    moment = (r * phi - s * psi).dot(r * phi - s * psi)
    polynomial = (l * sympy.eye(3) - difference).det()
    gradient = (
        2 * (phi.dot(psi) - r) * phi - 2 * (psi.dot(psi) - s) * psi
    )  # at w = psi, as an example of any w
    split = 2 * (difference * psi - (r * phi - s * psi))
    return {
        "norm(phi phi' - psi psi')_F^2 = a^2 + b^2 - 2c^2": sympy.expand(frobenius - (a**2 + b**2 - 2 * c**2))
        == 0,
        "norm(r phi - s psi)^2 = r^2 a + s^2 b - 2rs c": sympy.expand(
            moment - (r**2 * a + s**2 * b - 2 * r * s * c)
        )
        == 0,
        "eigenvalues: l (l^2 - (a - b) l - (ab - c^2))": sympy.expand(
            polynomial - l * (l**2 - (a - b) * l - (a * b - c**2))
        )
        == 0,
        "the difference of two gradients is 2((phi phi' - psi psi')w - (r phi - s psi))": sympy.expand(
            gradient - split
        )
        == sympy.zeros(3, 1),
    }
