"""The scalar content of app:sensitivity. a = norm(phi)^2, b = norm(psi)^2, c = phi'psi, k = theta^2, rewards r, s."""

from __future__ import annotations

from functools import cache
from typing import Any


def square(a: Any, b: Any, c: Any, k: Any, r: Any, s: Any) -> Any:
    """norm(phi phi' - psi psi')_F^2 + theta^2 norm(r phi - s psi)^2."""
    return a * a + b * b - 2 * c * c + k * (r * r * a + s * s * b - 2 * r * s * c)


# theta^2 <= 2, and for the bound 2 + 2k + k^2/2 = (2 + k)^2/2 any theta
JOINT = """
    complete the square: -2c^2 - 2k rs c <= k^2 (rs)^2/2
        k >= 0 => -2*c**2 - 2*k*r*s*c <= k**2*r**2*s**2/2
    norms and rewards are at most 1: so are a^2, r^2 a and (rs)^2
        0 <= a <= 1, 0 <= r <= 1, 0 <= s <= 1 => And(a**2 <= 1, r**2*a <= 1, r**2*s**2 <= 1)
    what is left is at most 2 + 2k + k^2/2: u + v + k(x + y) + (k^2/2) z with u, v, x, y, z <= 1
        0 <= u <= 1, 0 <= v <= 1, 0 <= x <= 1, 0 <= y <= 1, 0 <= z <= 1, k >= 0
        => u + v + k*(x + y) + k**2*z/2 <= 2 + 2*k + k**2/2
    2 + 2k + k^2/2 = (2 + k)^2/2
        => 2*(2 + 2*k) + k**2 == (2 + k)**2
    theta^2 >= 2, c >= 0: the terms with c are not positive
        r >= 0, s >= 0, c >= 0, k >= 2 => -2*c**2 - 2*k*r*s*c <= 0
    what is left is then at most 2 + 2k <= 4k: u + v + k(x + y) with u, v, x, y <= 1
        0 <= u <= 1, 0 <= v <= 1, 0 <= x <= 1, 0 <= y <= 1, k >= 2 => u + v + k*(x + y) <= 4*k
    theta^2 >= 2, c = -p < 0: rewards 1 are the worst
        0 <= a <= 1, 0 <= b <= 1, 0 <= r <= 1, 0 <= s <= 1, p > 0, k >= 2
        => square(a, b, -p, k, r, s) <= square(a, b, -p, k, 1, 1)
    it grows with p up to k/2: -2p^2 + 2kp <= -2q^2 + 2kq for p <= q <= 1 <= k/2
        0 <= p <= q <= 1, k >= 2 => -2*p**2 + 2*k*p <= -2*q**2 + 2*k*q
    at p = xy: (x^2 - y^2)^2 + k(x + y)^2
        => square(x**2, y**2, -x*y, k, 1, 1) == (x**2 - y**2)**2 + k*(x + y)**2
    (x + y)^2 ((x - y)^2 + k) <= 4k for x, y in [0,1], k >= 2
        0 <= y <= x <= 1, k >= 2 => (x + y)**2*((x - y)**2 + k) <= 4*k
"""
FALSE_JOINT = """
    theta = 1, unit vectors, rewards 1: the square is at most 9/2 times (99/100)^2
        -1 <= c <= 1 => square(1, 1, c, 1, 1, 1)*20000 <= 9*99*99
"""
ALONE = """
    b alone: r^2 a + s^2 b - 2rs c <= 4
        0 <= x <= 1, 0 <= y <= 1, 0 <= r <= 1, 0 <= s <= 1, c >= -x*y => r**2*x**2 + s**2*y**2 - 2*r*s*c <= 4
    V alone: a^2 + b^2 - 2c^2 <= 2
        0 <= a <= 1, 0 <= b <= 1 => a**2 + b**2 - 2*c**2 <= 2
"""
FALSE_ALONE = """
    V alone: the square is at most 2 times (99/100)^2
        0 <= a <= 1, 0 <= b <= 1, c**2 <= a*b => (a**2 + b**2 - 2*c**2)*5000 <= 9801
"""
# D = norm(phi - psi), X = norm(phi)^2 >= Y = norm(psi)^2; the larger eigenvalue of phi phi' - psi psi' is
# ((X - Y) + D q)/2 with q^2 = 2(X + Y) - D^2, and sin a = D s/2 with s^2 = 4 - D^2 where D = 2 sin(a/2)
GRADIENT = """
    norm(r phi - s psi) <= 3/2: B + 3/2 <= B sin a + 2 sin(a/2) at sin(a/2) = 4/5, sin a = 24/25, for B <= 5/2
        B >= 0, 2*B <= 5 => 50*B + 75 <= 48*B + 80
    an eigenvalue l > 0 of phi phi' - psi psi' is at most norm(phi)^2
        0 <= X <= 1, 0 <= Y <= 1, l > 0, c**2 <= X*Y, l**2 == (X - Y)*l + X*Y - c**2 => l <= X
    q <= s <= D: X, Y <= 1 and D^2 >= 2
        0 <= X <= 1, 0 <= Y <= 1, D >= 0, q >= 0, s >= 0, D**2 >= 2, q**2 == 2*(X + Y) - D**2,
        s**2 == 4 - D**2 => q <= s
    s <= D
        D >= 0, s >= 0, D**2 >= 2, s**2 == 4 - D**2 => s <= D
    D(s - q) >= (s^2 - q^2)/2 where q <= s <= D
        0 <= q <= s <= D => 2*D*(s - q) >= s**2 - q**2
    (s^2 - q^2)/2 = 2 - X - Y >= X - Y: the eigenvalue is at most sin a
        0 <= X <= 1, 0 <= Y <= 1, 2*t == 4 - 2*(X + Y) => t >= X - Y
"""
FALSE_GRADIENT = """
    as if the ball of w could have radius 13/5
        B >= 0, 5*B <= 13 => 50*B + 75 <= 48*B + 80
"""


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
    zero = {
        "norm(phi phi' - psi psi')_F^2 = a^2 + b^2 - 2c^2": frobenius - (a**2 + b**2 - 2 * c**2),
        "norm(r phi - s psi)^2 = r^2 a + s^2 b - 2rs c": moment - (r**2 * a + s**2 * b - 2 * r * s * c),
        "eigenvalues: l (l^2 - (a - b) l - (ab - c^2))": polynomial
        - l * (l**2 - (a - b) * l - (a * b - c**2)),
        "the difference of two gradients is 2((phi phi' - psi psi')w - (r phi - s psi))": gradient - split,
    }
    return {name: sympy.expand(value) in (0, sympy.zeros(3, 1)) for name, value in zero.items()}
