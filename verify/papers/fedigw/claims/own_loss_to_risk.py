"""own:loss_to_risk. A bound on the excess risk by the loss gap without a factor n, for ridge regression with lambda
= 1/n.

F is the loss on n independent samples, w_S its minimiser and F* its minimum. The features phi_i in R^d have norm at
most 1, and may have different laws; phi~_i is a fresh copy of phi_i, and G = sum_i phi_i phi_i'. For every v, also one
that was computed from the data,

    (1/n) sum_i E (phi~_i'v)^2 <= T (F(w_S + v) - F*),   T = sum_i E phi~_i'(G+I)^{-1} phi~_i,   and E T <= d.

T depends on the features only. So E (phi'(w - w_S))^2 <= d eps if the expected gap F(w) - F* is at most eps for every
choice of the features. A bound by way of the distance would have a factor n: norm(v)^2 <= n (F(w_S + v) - F*).

Proof. (phi'v)^2 <= phi'(G+I)^{-1}phi v'(G+I)v, and v'(G+I)v = n (F(w_S + v) - F*). Let B be G+I without phi_i. Then
phi~_i'(G+I)^{-1}phi~_i <= phi~_i'B^{-1}phi~_i, in which phi~_i and phi_i may be exchanged. Since B + e I >= G + e I for
every e > 0, phi_i'B^{-1}phi_i is at most 1 + e times phi_i'(G + e I)^{-1}phi_i, and these numbers sum to at most d. In
Coq: proofs/RidgeGap.v, for finite laws.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import factorial, prod

from verify.claim import Claim, Evidence, Task, Variant, Verdict
from verify.experiments.ratios import at_most_one

claim = Claim(
    title="From loss error to excess risk without a factor n",
    section="Linear class",
    tags=("excess-risk", "linear"),
    variants={
        "inequality": Variant(
            r"\tfrac1n\textstyle\sum_i\mathbb E(\tilde\phi_i^\top v)^2 \le T\,(F(w_S+v)-F^*)\ \forall v,"
            r"\quad \mathbb E\,T \le d",
            ("norm(phi) <= 1, n independent samples",),
            Verdict.COQ,
        ),
    },
)

Feature = tuple[Fraction, ...]
Law = dict[Feature, Fraction]


def _laws() -> list[tuple[str, list[tuple[Law, int]]]]:
    half, one, none = Fraction(1, 2), Fraction(1), Fraction(0)
    axes: Law = {(one, none): half, (none, one): half}
    slanted: Law = {
        (Fraction(3, 5), Fraction(4, 5)): half,
        (one, none): Fraction(1, 4),
        (half, half): Fraction(1, 4),
    }
    rare: Law = {(one, none): Fraction(9, 10), (none, one): Fraction(1, 10)}
    line: Law = {(one,): half, (half,): half}
    return [
        ("two directions", [(axes, 30)]),
        ("a rare direction", [(rare, 12)]),
        ("three slanted features", [(slanted, 8)]),
        ("one dimension", [(line, 20)]),
        ("agents with different laws", [(axes, 3), (slanted, 4)]),
    ]


def _counts(law: Law, n: int) -> Iterator[tuple[Fraction, list[tuple[Feature, int]]]]:
    for counts in product(range(n + 1), repeat=len(law)):
        if sum(counts) == n:
            ways = factorial(n) // prod(map(factorial, counts))
            chance = Fraction(ways)
            for q, k in zip(law.values(), counts, strict=True):
                chance *= q**k
            yield chance, list(zip(law, counts, strict=True))


def _determinant(samples: list[tuple[Feature, int]]) -> Fraction:
    d = len(samples[0][0])
    matrix = [
        [sum((k * p[i] * p[j] for p, k in samples), Fraction(i == j)) for j in range(d)] for i in range(d)
    ]
    return matrix[0][0] if d == 1 else matrix[0][0] * matrix[1][1] - matrix[0][1] ** 2


def mean_leverage(laws: list[tuple[Law, int]]) -> Fraction:
    """Return E T in rationals, for T = sum_i E phi~_i'(G+I)^{-1} phi~_i, where G is the Gram matrix of the samples and
    phi~_i a fresh copy of the i-th feature. The quadratic forms are computed by phi'A^{-1}phi = det(A + phi phi')/det A
    - 1."""
    total = Fraction(0)
    for drawn in product(*(list(_counts(law, n)) for law, n in laws)):
        samples = [pair for _, some in drawn for pair in some]
        least = _determinant(samples)
        fresh = (
            n * q * (_determinant([*samples, (p, 1)]) / least - 1) for law, n in laws for p, q in law.items()
        )
        total += prod(chance for chance, _ in drawn) * sum(fresh)
    return total


@claim.check("inequality", control=dict(share=Fraction(9, 10)))
def exact(task: Task, share: Fraction = Fraction(1)) -> Evidence:
    """Compare E T, the factor between excess risk and loss gap in own:loss_to_risk, with the dimension d, in rationals,
    on five small distributions of features. Negative control, which must fail: 0.9 d."""
    found = [(mean_leverage(laws) / (share * len(next(iter(laws[0][0])))), name) for name, laws in _laws()]
    return at_most_one(found, "E T over d", Verdict.EXACT, "all samples enumerated")
