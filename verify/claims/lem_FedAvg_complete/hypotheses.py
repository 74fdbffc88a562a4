"""The hypotheses of the printed convergence lemmas, "for any omega", on a small ridge problem in rationals.

Two agents with two samples each in one dimension, (feature, reward); regularisation lambda = 1/4.
"""

from __future__ import annotations

from fractions import Fraction

from verify.claim import Evidence, Task
from verify.formal.scalar_steps import ScalarStep, check_steps
from verify.verdict import Verdict

Half = Fraction(1, 2)
AGENTS = (
    ((Fraction(1), Fraction(1)), (Half, Fraction(0))),
    ((Half, Fraction(1)), (Fraction(-1), Half)),
)
RIDGE = Fraction(1, 4)
LIMITS = (Fraction(1), Fraction(10**3), Fraction(10**6), Fraction(10**12))


def gradients(point: Fraction) -> list[list[Fraction]]:
    """Per agent and sample."""
    return [[2 * f * (f * point - r) + 2 * RIDGE * point for f, r in agent] for agent in AGENTS]


def dissimilarity(point: Fraction) -> Fraction:
    """(1/M) sum_m norm(grad f_m)^2, which the paper bounds by G_b^2."""
    means = [sum(agent, Fraction(0)) / len(agent) for agent in gradients(point)]
    return sum((g * g for g in means), Fraction(0)) / len(means)


def variance(point: Fraction) -> Fraction:
    """The largest variance of an agent's stochastic gradient, which the paper bounds by sigma_b^2."""
    found = []
    for agent in gradients(point):
        mean = sum(agent, Fraction(0)) / len(agent)
        found.append(sum(((g - mean) ** 2 for g in agent), Fraction(0)) / len(agent))
    return max(found)


QUANTITIES = {"dissimilarity": dissimilarity, "variance": variance}


def minimiser() -> Fraction:
    curvature = sum((f * f for agent in AGENTS for f, _ in agent), Fraction(0)) / 4 + RIDGE
    return sum((f * r for agent in AGENTS for f, r in agent), Fraction(0)) / 4 / curvature


def bounded(task: Task, what: str, everywhere: bool = True) -> Evidence:
    """Is the quantity bounded for any omega? Printed: everywhere. Repaired: only its value at the minimiser is used."""
    quantity, best = QUANTITIES[what], minimiser()
    if not everywhere:
        value = quantity(best)
        return Evidence(
            Verdict.EXACT,
            f"the {what} at the minimiser is {value}: a number, nothing to assume",
            {what: str(value)},
        )
    # with curvature at least mu = 2 lambda, a point at distance (G+1)/mu of every minimiser has gradients above G
    points = [best + 2 * (limit + 1) / RIDGE for limit in LIMITS]
    values = [quantity(point) for point in points]
    beyond = all(value > limit**2 for value, limit in zip(values, LIMITS, strict=True))
    shown = f"the {what} at omega = {float(points[0]):.4g} is {float(values[0]):.4g} > 1, at {float(points[1]):.4g}"
    return Evidence(
        Verdict.REFUTED if beyond else Verdict.INCONCLUSIVE,
        f"no bound holds for any omega: {shown} it is {float(values[1]):.4g} > 10^6, and so on",
        {
            "limits": [str(v) for v in LIMITS],
            "points": [str(v) for v in points],
            what: [str(v) for v in values],
        },
    )


def contradiction(beyond: bool) -> tuple[ScalarStep, ...]:
    """Strong convexity against bounded gradients; beyond: at a point farther than G/mu from every w_m."""
    return (
        ScalarStep(
            "strong convexity: norm(grad f_m(w)) >= mu norm(w - w_m), from <grad, w - w_m> >= mu norm(w - w_m)^2",
            "gradient mu distance",
            lambda gradient, mu, distance: (
                [mu > 0, distance > 0, gradient * distance >= mu * distance * distance],
                gradient >= mu * distance,
            ),
        ),
        ScalarStep(
            "beyond distance G/mu of every w_m the mean of norm(grad f_m)^2 exceeds G^2",
            "gradient mu distance G",
            lambda gradient, mu, distance, G: (
                [
                    mu > 0,
                    G > 0,
                    distance > 0,
                    gradient >= mu * distance,
                    mu * distance > G if beyond else mu * distance <= G,
                ],
                gradient * gradient > G * G,
            ),
        ),
    )


def contradictory(task: Task, beyond: bool = True) -> Evidence:
    """Bounded dissimilarity against strong convexity on R^d. Control: on a ball of radius G/mu, where both can hold."""
    found = check_steps(contradiction(beyond))
    if found.kind is Verdict.PROVED:
        return Evidence(
            Verdict.REFUTED,
            "no problem on R^d meets the hypotheses: strong convexity makes gradients unbounded (proved by z3), so the "
            "lemma says nothing",
            found.figures,
        )
    if found.kind is Verdict.REFUTED:
        return Evidence(Verdict.EXACT, f"both can hold: {found.summary}", found.figures)
    return found
