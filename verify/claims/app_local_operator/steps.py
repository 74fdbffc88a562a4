"""The scalar inequalities behind app:local_operator, app:local_gradients and app:fedprox. h is an eigenvalue."""

from __future__ import annotations

from verify.formal.scalar_steps import ScalarStep

STEPS = (
    ScalarStep(
        "Bernoulli, induction step: (1-x)^j >= 1 - j x gives (1-x)^{j+1} >= 1 - (j+1) x",
        "x j power",
        lambda x, j, power: (
            [x >= 0, x <= 1, j >= 0, power >= 1 - j * x],
            (1 - x) * power >= 1 - (j + 1) * x,
        ),
    ),
    ScalarStep(
        "mean of 1 - j x over j < K: with the sum of j, K(K-1)/2, it is 1 - (K-1) x/2",
        "x K total",
        lambda x, K, total: (
            [K >= 1, 2 * total == K * (K - 1)],
            2 * (K - x * total) == K * (2 - (K - 1) * x),
        ),
    ),
    ScalarStep(
        "(h-psi)^2/(h^2 psi) <= ((K-1) eta)^2 beta/(4(1-s/2)) for r = psi/h >= 1 - (K-1) eta h/2",
        "r h beta k",  # k: (K-1) eta, so s = k beta
        lambda r, h, beta, k: (
            [h > 0, h <= beta, k >= 0, k * beta <= 1, r <= 1, 2 * r >= 2 - k * h],
            4 * (1 - r) * (1 - r) * (1 - k * beta / 2) <= k * k * beta * r * h,
        ),
    ),
    ScalarStep(
        "h/psi <= 1/(1-s/2)",
        "r h beta k",
        lambda r, h, beta, k: (
            [h > 0, h <= beta, k >= 0, k * beta <= 1, 2 * r >= 2 - k * h],
            r >= 1 - k * beta / 2,
        ),
    ),
    ScalarStep(
        "testing with v: a^2 <= a b gives a^2 <= b^2",
        "a b",
        lambda a, b: ([a >= 0, b >= 0, a * a <= a * b], a * a <= b * b),
    ),
    ScalarStep(
        "FedProx: h/psi = (h+m)/m <= (beta+m)/m",
        "h beta m",
        lambda h, beta, m: ([h > 0, h <= beta, m > 0], h + m <= beta + m),
    ),
    ScalarStep(
        "FedProx: (h-psi)^2/(h^2 psi) = h/(m(h+m)) <= beta/(m(beta+m))",
        "h beta m",
        lambda h, beta, m: ([h > 0, h <= beta, m > 0], h * (beta + m) <= beta * (h + m)),
    ),
    ScalarStep(
        "contraction: an eigenvalue e of Pi psi Pi with a mu <= e <= 1/h0 has 0 <= 1 - h0 e <= 1 - h0 a mu",
        "e h0 a mu",
        lambda e, h0, a, mu: (
            [h0 > 0, a > 0, mu > 0, a * mu <= e, h0 * e <= 1],
            (1 - h0 * e) * (1 - h0 * e) <= (1 - h0 * a * mu) * (1 - h0 * a * mu),
        ),
    ),
)


def false_steps() -> tuple[ScalarStep, ...]:
    """The third step with 16/3 for 4, which is false: the control."""
    return (
        ScalarStep(
            "(h-psi)^2/(h^2 psi) with three quarters of its constant",
            "r h beta k",
            lambda r, h, beta, k: (
                [h > 0, h <= beta, k >= 0, k * beta <= 1, r <= 1, 2 * r >= 2 - k * h],
                16 * (1 - r) * (1 - r) * (1 - k * beta / 2) <= 3 * k * k * beta * r * h,
            ),
        ),
    )
