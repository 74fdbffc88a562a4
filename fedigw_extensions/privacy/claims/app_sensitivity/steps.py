"""The scalar content of app:sensitivity. a = norm(phi)^2, b = norm(psi)^2, c = phi'psi, k = theta^2, rewards r, s."""

from functools import cache
from typing import Any


def square(a: Any, b: Any, c: Any, k: Any, r: Any, s: Any) -> Any:
    """norm(phi phi' - psi psi')_F^2 + theta^2 norm(r phi - s psi)^2."""
    return a * a + b * b - 2 * c * c + k * (r * r * a + s * s * b - 2 * r * s * c)


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
