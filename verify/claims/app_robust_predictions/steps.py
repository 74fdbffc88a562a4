"""The scalar inequalities behind app:robust_predictions, for all reals."""

from __future__ import annotations

from verify.claim import Evidence, Task
from verify.formal.scalar_steps import ScalarStep, check_steps

STEPS = (
    ScalarStep(
        "Minkowski: E x^2 = A <= a^2, E y^2 = B <= b^2, (E xy)^2 <= AB give E (x+y)^2 <= (a+b)^2",
        "A B p a b",
        lambda A, B, p, a, b: (
            [A >= 0, B >= 0, a >= 0, b >= 0, a * a >= A, b * b >= B, p * p <= A * B],
            A + 2 * p + B <= (a + b) * (a + b),
        ),
    ),
    ScalarStep(
        "N independent noises of variance at most s: their mean has at most s/N",
        "N s total",
        lambda N, s, total: ([N > 0, total <= N * s], total * N <= s * N * N),
    ),
    ScalarStep(
        "bias of a mean, induction step of Jensen: n m^2 <= q gives (n m + u)^2 <= (n+1)(q + u^2)",
        "n m q u",
        lambda n, m, q, u: ([n > 0, n * m * m <= q], (n * m + u) * (n * m + u) <= (n + 1) * (q + u * u)),
    ),
    ScalarStep(
        "honest variance: v = q - (z - f)^2 with q = mean (p_i - f)^2 is at most q",
        "v q z f",
        lambda v, q, z, f: ([v == q - (z - f) * (z - f)], v <= q),
    ),
    ScalarStep(
        "a rule that is monotone in the lies errs most where all lies are on one side: (x-f)^2 <= max of the ends",
        "x low high f",
        lambda x, low, high, f: (
            [low <= x, x <= high, (high - f) * (high - f) >= (low - f) * (low - f)],
            (x - f) * (x - f) <= (high - f) * (high - f),
        ),
    ),
)


def scalar(task: Task, false: bool = False) -> Evidence:
    """Scalar inequalities by z3; control: a false one."""
    return check_steps(false_steps() if false else STEPS)


def false_steps() -> tuple[ScalarStep, ...]:
    """Minkowski without the cross term, which is false: the control."""
    return (
        ScalarStep(
            "E (x+y)^2 <= a^2 + b^2",
            "A B p a b",
            lambda A, B, p, a, b: (
                [A >= 0, B >= 0, a >= 0, b >= 0, a * a >= A, b * b >= B, p * p <= A * B],
                A + 2 * p + B <= a * a + b * b,
            ),
        ),
    )
