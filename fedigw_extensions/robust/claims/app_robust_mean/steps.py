"""The scalar inequalities behind app:robust_mean, for all reals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from verify.claim import Evidence, Task
from verify.formal.scalar_steps import ScalarStep, check_steps


def _integers(a: Any, k: Any, M: Any, h: Any) -> tuple[Sequence[Any], Any]:
    import z3

    whole = [z3.Or(2 * h == M, 2 * h + 1 == M), z3.Or(k <= h, k >= h + 1)]
    return [*whole, h >= 0, a <= k, a <= M - k], a <= h


STEPS = (
    ScalarStep(
        "subset lemma: s^2 <= k q and s^2 <= (N-k) p with q + p = N v give s^2 <= k(N-k) v",
        "s k N q p v",
        lambda s, k, N, q, p, v: (
            [k > 0, k < N, v >= 0, s * s <= k * q, s * s <= (N - k) * p, q + p == N * v],
            s * s <= k * (N - k) * v,
        ),
    ),
    ScalarStep(
        "trimmed mean: (M-2f) t <= s and s^2 <= f(M-2f) v give (M-2f) t^2 <= f v",
        "s t f r v",  # r = M-2f = N-f
        lambda s, t, f, r, v: (
            [t >= 0, f > 0, r > 0, v >= 0, r * t <= s, s * s <= f * r * v],
            r * t * t <= f * v,
        ),
    ),
    ScalarStep(
        "median: k t <= s and s^2 <= k(N-k) v give k t^2 <= (N-k) v",
        "s t k c v",  # c = N-k
        lambda s, t, k, c, v: (
            [t >= 0, k > 0, c >= 0, v >= 0, k * t <= s, s * s <= k * c * v],
            k * t * t <= c * v,
        ),
    ),
    ScalarStep(
        "median of an even number: k values >= y, one >= z, y >= z, median at most (y+z)/2: sum >= (k+1) median",
        "k y z m total",
        lambda k, y, z, m, total: (
            [k >= 1, y >= z, 2 * m <= y + z, total >= k * y + z],
            total >= (k + 1) * m,
        ),
    ),
    ScalarStep(
        "geometric median: N^2 t^2 <= N(t^2+v) b with b < N gives (N-b) t^2 <= b v",
        "N t v b",
        lambda N, t, v, b: (
            [b < N, b >= 0, v >= 0, N * N * t * t <= N * (t * t + v) * b],
            (N - b) * t * t <= b * v,
        ),
    ),
    ScalarStep(
        "geometric median: a = sum of positive c_i <= k, a - b <= f, b <= N-k: a <= M-k",
        "a b f k N",
        lambda a, b, f, k, N: ([a <= k, a - b <= f, b <= N - k], a <= N + f - k),
    ),
    ScalarStep(
        "geometric median: a <= k and a <= M-k with k, M whole: a <= floor(M/2)", "a k M h", _integers
    ),
    ScalarStep(
        "weighted median: P t <= s, s^2 <= P(1-P) v, P(1-phi) >= 1/2 - phi give (1-2 phi) t^2 <= v",
        "s t P phi v",
        lambda s, t, P, phi, v: (
            [
                *(t >= 0, v >= 0, phi >= 0, 2 * phi < 1, P <= 1, 2 * P * (1 - phi) >= 1 - 2 * phi),
                *(P * t <= s, s * s <= P * (1 - P) * v),
            ],
            (1 - 2 * phi) * t * t <= v,
        ),
    ),
    ScalarStep(
        "weighted geometric median: a <= w, a - b <= phi, b <= 1-phi-w give a <= 1/2",
        "a b w phi",
        lambda a, b, w, phi: ([a <= w, a - b <= phi, b <= 1 - phi - w], 2 * a <= 1),
    ),
    ScalarStep(
        "weighted geometric median: (1-phi) t^2 <= (t^2+v)/2 gives (1-2 phi) t^2 <= v",
        "t v phi",
        lambda t, v, phi: (
            [phi >= 0, 2 * phi < 1, v >= 0, 2 * (1 - phi) * t * t <= t * t + v],
            (1 - 2 * phi) * t * t <= v,
        ),
    ),
    ScalarStep(
        "every rule: a^2 <= 0 and ((M-f) a - f)^2 <= kappa f(M-2f) give kappa (M-2f) >= f",
        "a f M kappa",
        lambda a, f, M, kappa: (
            [f > 0, 2 * f < M, a * a <= 0, ((M - f) * a - f) * ((M - f) * a - f) <= kappa * f * (M - 2 * f)],
            kappa * (M - 2 * f) >= f,
        ),
    ),
)


def scalar(task: Task, false: bool = False) -> Evidence:
    """Scalar inequalities by z3; control: a false one."""
    return check_steps(false_steps() if false else STEPS)


def false_steps() -> tuple[ScalarStep, ...]:
    """The second step with a constant 1 % smaller, which is false: the control."""
    return (
        ScalarStep(
            "trimmed mean with 99 % of its constant",
            "s t f r v",
            lambda s, t, f, r, v: (
                [t >= 0, f > 0, r > 0, v >= 0, r * t <= s, s * s <= f * r * v],
                100 * r * t * t <= 99 * f * v,
            ),
        ),
    )
