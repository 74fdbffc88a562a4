"""The scalar inequalities behind app:robust_gd, for all reals."""

from __future__ import annotations

from verify.claim import Evidence, Task
from verify.formal.scalar_steps import ScalarStep, check_steps

STEPS = (
    ScalarStep(
        "one step, beta eta <= 1, s = norm(g+e)^2: -2 eta<g,g+e> + beta eta^2 s <= eta(norm(e)^2 - norm(g)^2)",
        "eta beta g2 e2 s inner",
        lambda eta, beta, g2, e2, s, inner: (
            [eta > 0, beta > 0, beta * eta <= 1, g2 >= 0, e2 >= 0, s >= 0, 2 * inner == g2 + s - e2],
            -2 * eta * inner + beta * eta * eta * s <= eta * (e2 - g2),
        ),
    ),
    ScalarStep(
        "norm(a+b)^2 <= 2 a^2 + 2 b^2, coordinate by coordinate",
        "a b",
        lambda a, b: ([], (a + b) * (a + b) <= 2 * a * a + 2 * b * b),
    ),
    ScalarStep(
        "gap+ <= gap - eta mu gap + (eta/2) kappa (4 d2 gap + 2 z) <= (1 - eta mu/2) gap + eta kappa z",
        "gap after eta mu kd z k",  # kd: kappa d2, z: zeta*^2
        lambda gap, after, eta, mu, kd, z, k: (
            [
                *(gap >= 0, eta > 0, mu > 0, k >= 0, z >= 0, kd >= 0, 4 * kd <= mu),
                after <= gap - eta * mu * gap + eta * (2 * kd * gap + k * z),
            ],
            2 * after <= (2 - eta * mu) * gap + 2 * eta * k * z,
        ),
    ),
    ScalarStep(
        "the series: gap <= q b + c, c = 2 k z/mu, gives (1 - eta mu/2) gap + eta k z <= (1 - eta mu/2) q b + c",
        "gap qb c eta mu kz",
        lambda gap, qb, c, eta, mu, kz: (
            [mu > 0, eta > 0, eta * mu <= 1, c * mu == 2 * kz, gap <= qb + c],
            (2 - eta * mu) * gap + 2 * eta * kz <= (2 - eta * mu) * qb + 2 * c,
        ),
    ),
)


def scalar(task: Task, false: bool = False) -> Evidence:
    """Scalar inequalities by z3; control: the third without its condition on kappa d2."""
    return check_steps(false_steps() if false else STEPS)


def false_steps() -> tuple[ScalarStep, ...]:
    """The third step without its condition on kappa d2, which is false: the control."""
    return (
        ScalarStep(
            "one step with kappa d2 as large as mu",
            "gap after eta mu kd z k",
            lambda gap, after, eta, mu, kd, z, k: (
                [
                    *(gap >= 0, eta > 0, mu > 0, k >= 0, z >= 0, kd >= 0, kd <= mu),
                    after <= gap - eta * mu * gap + eta * (2 * kd * gap + k * z),
                ],
                2 * after <= (2 - eta * mu) * gap + 2 * eta * k * z,
            ),
        ),
    )
