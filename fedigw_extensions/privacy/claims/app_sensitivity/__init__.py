"""app:sensitivity. How far the agents' sums move if one sample is replaced by another.

A sample is a feature phi with norm(phi) <= 1 and a reward r in [0,1]; it is replaced by another, (psi, s). The sums
V = sum phi phi' (in the Frobenius norm) and b = sum r phi, and the sum of gradients 2(phi'w - r)phi at a point w
with norm(w) <= B <= 2.5, move by at most (theta: any weight of b against V)

    b                      2
    V                      sqrt2
    (V, theta b) jointly   (2 + theta^2)/sqrt2 for theta^2 <= 2,   2 theta for theta^2 >= 2
    sum of gradients       max over angles a of 2(B sin a + 2 sin(a/2)),   for B = 1: 3 sqrt3
    the same, clipped      2G if every gradient is clipped at norm G

All are attained. At theta = 1 the joint sensitivity is 3/sqrt2.

Proof. Let a = norm(phi)^2, b = norm(psi)^2, c = phi'psi and k = theta^2. The squared distance is a^2 + b^2 - 2c^2 +
k(r^2 a + s^2 b - 2rs c), and -2c^2 - 2k rs c <= k^2 (rs)^2/2 leaves 2 + 2k + k^2/2. For k >= 2 and c >= 0 it is at
most 2 + 2k <= 4k. For c < 0 it is largest at rewards 1 and grows with abs(c) up to xy, the product of the norms, and
(x+y)^2((x-y)^2 + k) <= 4k.

Gradients: half the difference is (phi phi' - psi psi')w - (r phi - s psi). Its second part is convex in (r, s), so
it is at most 1 or D = norm(phi - psi). If D <= 3/2, the sum is at most B + 3/2, which is at most B sin a + 2
sin(a/2) at sin(a/2) = 4/5, because B <= 2.5. If D = 2 sin(a/2) is larger, the eigenvalues of phi phi' - psi psi'
have absolute values of at most ((X-Y) + D q)/2 <= sin a, where X >= Y are the squared norms and q^2 = 2(X+Y) - D^2.
Clipping is a projection.
"""

import math
from fractions import Fraction
from functools import cache, partial
from typing import Any

import numpy as np

from bounds import app_sensitivity as formulas
from verify.claim import Claim, Evidence, Task, Variant, Verdict
from verify.experiments.ratios import at_most_one
from verify.formal.scalar_steps import check_steps, written

THETAS = (0.0, 0.5, 1.0, 1.4, math.sqrt(2), 2.0, 5.0)
RADII = (0.25, 1.0, 2.0, 2.5)
ROUNDING = 1e-9

BALL = "norm(phi) <= 1, rewards in [0,1]; one sample (phi, r) replaced"


def square(a: Any, b: Any, c: Any, k: Any, r: Any, s: Any) -> Any:
    """Return norm(phi phi' - psi psi')_F^2 + k norm(r phi - s psi)^2: the squared distance by which the sums of phi
    phi' and sqrt(k) r phi together move if (phi, r) is replaced by (psi, s). a, b, c: norm(phi)^2, norm(psi)^2,
    phi'psi."""
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
    """Check by sympy, for vectors with three coordinates, the identities that turn the proof of the sensitivities into
    inequalities between numbers. Return each identity in words with whether it holds."""
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


claim = Claim(
    title="How far one sample moves what is summed",
    section="Privacy",
    tags=("privacy",),
    variants={
        "joint": Variant(
            r"\|(\Delta V, \theta\,\Delta b)\| \le \begin{cases}(2+\theta^2)/\sqrt2 & \theta^2\le2\\"
            r" 2\theta & \theta^2\ge2\end{cases}",
            (BALL,),
            Verdict.COQ,
            tight=True,
        ),
        "alone": Variant(r"\|\Delta b\| \le 2,\ \|\Delta V\|_F \le \sqrt2", (BALL,), Verdict.COQ, tight=True),
        "gradient": Variant(
            r"\|\Delta \textstyle\sum\nabla\ell(w)\| \le \max_a 2(B\sin a + 2\sin\tfrac a2)",
            (BALL, "norm(w) <= B <= 2.5"),
            Verdict.Z3,
            tight=True,
        ),
    },
)


@claim.check(
    "gradient",
    control=dict(text=FALSE_GRADIENT),
    given=dict(text=GRADIENT),
    name="gradient_proof",
    about="every step for all reals; control: a ball of radius 2.6",
)
def proof(task: Task, text: str) -> Evidence:
    """Prove, for all reals, the inequalities between numbers in the proof of the gradients' sensitivity, and the
    identities that reduce vectors to numbers. Control, which must fail: a larger ball of points than the statement
    allows."""
    found = check_steps(written(text, square=square))
    if found.kind is not Verdict.Z3:
        return found
    known = identities()
    wrong = [name for name, holds in known.items() if not holds]
    if wrong:
        return Evidence(Verdict.REFUTED, f"not an identity: {wrong[0]}")
    return Evidence(
        Verdict.Z3, f"{found.summary}; {len(known)} identities of vectors by sympy", found.figures
    )


@claim.check("joint", control=dict(share=Fraction(99, 100)))
def witness(task: Task, share: Fraction = Fraction(1)) -> Evidence:
    """Find pairs of samples whose exchange moves the sums of phi phi' and theta r phi together (features phi, rewards
    r) as far as stated, in exact rational numbers. Control, which must fail: 99 % of the sensitivity."""
    rows = []
    for k in (Fraction(0), Fraction(1, 4), Fraction(1), Fraction(3, 2), Fraction(2), Fraction(4)):
        c = -min(k / 2, Fraction(1))
        reached = Fraction(square(Fraction(1), Fraction(1), c, k, Fraction(1), Fraction(1)))
        stated = share**2 * ((2 + k) ** 2 / 2 if k <= 2 else 4 * k)
        rows.append({"theta_squared": str(k), "reached": str(reached), "stated": str(stated)})
        if reached > stated:
            said = f"theta^2 = {k}: phi'psi = {c}, rewards 1 move (V, theta b) by sqrt({reached}) > sqrt({stated})"
            return Evidence(Verdict.REFUTED, said, {"rows": rows})
        if reached < stated:
            return Evidence(Verdict.UNDECIDED, f"theta^2 = {k}: not reached", {"rows": rows})
    said = f"reached in rationals at {len(rows)} values of theta^2, 0 (V alone) and 4 among them"
    return Evidence(Verdict.EXACT, said, {"rows": rows})


def moved(theta: float, one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Return how far the sums of phi phi' and theta r phi move together if sample `one` is replaced by `other`, for
    P pairs of samples, shape (P,). A sample (d+1,) is a feature phi and, in the last column, its reward r."""
    phi, psi, r, s = one[:, :-1], other[:, :-1], one[:, -1], other[:, -1]
    gram = np.einsum("pi,pj->pij", phi, phi) - np.einsum("pi,pj->pij", psi, psi)
    moment = theta * (r[:, None] * phi - s[:, None] * psi)
    return np.asarray(np.sqrt((gram**2).sum(axis=(1, 2)) + (moment**2).sum(axis=1)))


def moved_gradient(radius: float, one: np.ndarray, other: np.ndarray, point: np.ndarray) -> np.ndarray:
    gradients = [
        2 * (np.einsum("pi,pi->p", sample[:, :-1], radius * point) - sample[:, -1])[:, None] * sample[:, :-1]
        for sample in (one, other)
    ]
    return np.asarray(np.linalg.norm(gradients[0] - gradients[1], axis=1))


@claim.check("joint", control=dict(share=0.99), about="pairs improved by small moves")
@claim.check(
    "gradient",
    control=dict(share=0.99),
    given=dict(gradients=True),
    name="gradient_search",
    about="pairs and points w improved by small moves",
)
def search(task: Task, share: float = 1.0, gradients: bool = False) -> Evidence:
    """Search for a pair of samples whose exchange moves the sums of phi phi' and theta r phi, or the sum of gradients
    (`gradients`), by more than stated: random pairs, improved by small moves. Control, which must fail: 99 % of the
    bound."""
    rng, rows = task.rng(), []
    pairs, moves = (400, 400) if task.full else (40, 40)
    for value in RADII if gradients else THETAS:
        bound = share * (formulas.gradient(value) if gradients else formulas.joint(value))
        measure = partial(moved_gradient if gradients else moved, value)
        for d in (2, 4):
            best = [_admissible(rng.standard_normal((pairs, d + 1))) for _ in range(2)]
            best += [_ball(rng.standard_normal((pairs, d)))] if gradients else []
            reached = measure(*best)
            for move in range(moves):
                width = 0.5 * 0.97**move
                tried = [one + width * rng.standard_normal(one.shape) for one in best]
                tried = [*(_admissible(one) for one in tried[:2]), *(_ball(one) for one in tried[2:])]
                found = measure(*tried)
                better = found > reached
                reached = np.where(better, found, reached)
                best = [np.where(better[:, None], new, old) for new, old in zip(tried, best, strict=True)]
            rows.append({"value": value, "d": d, "largest": float(reached.max()), "bound": bound})
    name = "B" if gradients else "theta"
    ratios = [(row["largest"] / row["bound"], f"{name} = {row['value']:.4g}, d = {row['d']}") for row in rows]
    return at_most_one(
        ratios, "a pair moves it by", cases=f"searches of {pairs}", rounding=ROUNDING, rows=rows
    )


def _admissible(samples: np.ndarray) -> np.ndarray:
    return np.concatenate([_ball(samples[:, :-1]), np.clip(samples[:, -1:], 0, 1)], axis=1)


def _ball(points: np.ndarray) -> np.ndarray:
    return np.asarray(points / np.maximum(1, np.linalg.norm(points, axis=1, keepdims=True)))


@claim.check("gradient", control=dict(share=0.99), name="gradient_witness")
def gradient_witness(task: Task, share: float = 1.0) -> Evidence:
    """Find samples whose exchange moves the sum of gradients of the squared loss as far as the stated sensitivity
    allows. Control, which must fail: 99 % of the sensitivity."""
    rows = []
    for radius in (0.0, *RADII):
        c = (math.sqrt(1 + 8 * radius**2) - 1) / (4 * radius) if radius else 0.0
        phi, psi = np.array([math.sqrt(1 - c * c), c]), np.array([-math.sqrt(1 - c * c), c])
        w = np.array([0.0, -radius])
        reached = float(np.linalg.norm(2 * (phi @ w - 1) * phi - 2 * (psi @ w - 1) * psi))
        rows.append({"B": radius, "reached": reached, "stated": share * formulas.gradient(radius)})
    off = max(abs(row["reached"] / row["stated"] - 1) for row in rows)
    verdict = Verdict.FLOAT if off < ROUNDING else Verdict.UNDECIDED
    return Evidence(
        verdict.unless(any(row["reached"] > row["stated"] * (1 + ROUNDING) for row in rows)),
        f"reached to {max(off, 1e-16):.0e} at {len(rows)} radii; B = 1: {formulas.gradient():.6g} = 3 sqrt3",
        {"rows": rows},
    )
