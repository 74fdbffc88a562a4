"""own:ridge_held_out. The mean squared error of ridge regression at points that were left out has an explicit bound,
without a logarithm.

There are any n+1 points phi_i of norm at most 1 in d dimensions. Rewards are r_j = phi_j'w* + e_j with uncorrelated
noise e_j of mean 0 and variance at most v. The weight on the squared norm is 1/n. If w_{-i} is fitted to all n points
but phi_i, then

    sharpened   (1/(n+1)) sum_i E (phi_i'(w_{-i} - w*))^2 <= (v d + |w*|^2)/(n+1)

with equality at n = 0, v = 0. If the n+1 points are exchangeable, as for agents with the same law, every term is the
excess risk of n samples at a new point, which col:linear needs.
"""

from fractions import Fraction

from verify.claim import Claim, Evidence, Task, Variant, Verdict
from verify.experiments.ratios import at_most_one

Vector = tuple[Fraction, ...]

claim = Claim(
    title="Held-out excess risk of ridge regression",
    section="Linear class",
    tags=("linear",),
    variants={
        "sharpened": Variant(
            r"\tfrac1{n+1}\textstyle\sum_i \mathbb E(\phi_i'(w_{-i}-w^*))^2 \le (s^2 d + |w^*|^2)/(n+1)",
            ("norm(phi) <= 1", "uncorrelated noise of variance at most s2", "lambda n = 1"),
            Verdict.EXACT,
            tight=True,
        )
    },
)


def dot(left: Vector, right: Vector) -> Fraction:
    return sum((a * b for a, b in zip(left, right, strict=True)), Fraction(0))


def solve(rows: tuple[Vector, ...], target: Vector) -> Vector:
    """Return (sum_j phi_j phi_j' + I)^{-1} target in rationals, by a rank-one update for each row phi_j."""
    if not rows:
        return target
    solved, direction = solve(rows[:-1], target), solve(rows[:-1], rows[-1])
    factor = dot(rows[-1], solved) / (1 + dot(rows[-1], direction))
    return tuple(s - factor * t for s, t in zip(solved, direction, strict=True))


def held_out_risk(design: tuple[Vector, ...], parameter: Vector, noise: Fraction) -> Fraction:
    """Return the mean squared prediction error of ridge regression at a point of `design` that was left out of the fit,
    averaged over these points, in rationals. noise: the variance of the rewards' noise."""
    total = Fraction(0)
    for i, point in enumerate(design):
        others = design[:i] + design[i + 1 :]
        direction = solve(others, point)  # phi_i'A^{-1}
        total += noise * sum(dot(direction, other) ** 2 for other in others) + dot(direction, parameter) ** 2
    return total / len(design)


@claim.check("sharpened", control=dict(shrink=Fraction(9, 10)), name="designs")
def exact(task: Task, shrink: Fraction = Fraction(1)) -> Evidence:
    """Compare the mean squared error of ridge regression at points that were left out with (v d + |w|^2)/n for n points
    in d dimensions, noise variance v and true parameter w. Sets of points are random rationals; for a single point both
    sides are equal. Negative control, which must fail: 0.9 times the bound."""
    rng, one = task.rng(), Fraction(1)
    found = [(held_out_risk(((one,),), (one,), Fraction(0)) / shrink, "n = 0: nothing is learned")]
    for _ in range(200 if task.full else 25):
        n, d = int(rng.integers(1, 7)), int(rng.integers(1, 4))
        grid = 2 * d  # entries at most 1/d in size keep |phi|^2 <= 1/d
        design = tuple(tuple(Fraction(int(k), grid) for k in rng.integers(-2, 3, size=d)) for _ in range(n))
        parameter = tuple(Fraction(int(k), 4) for k in rng.integers(-4, 5, size=d))
        noise = Fraction(int(rng.integers(0, 2)), 4)
        bound = (noise * d + dot(parameter, parameter)) / n
        if bound:
            risk = held_out_risk(design, parameter, noise)
            found.append((risk / (shrink * bound), f"n = {n - 1}, d = {d}"))
    return at_most_one(found, "the risk", Verdict.EXACT, "designs")
