"""Show that two hypotheses of the printed convergence lemmas fail on a small ridge problem, in rationals: bounds on
the agents' gradients, and on the variance of stochastic gradients, at every point.

There are two agents with two samples (feature, reward) each in one dimension; the weight on the squared norm is 1/4.
"""

from dataclasses import replace
from fractions import Fraction

from verify.claim import Claim, Evidence, Task, Verdict
from verify.formal.scalar_steps import check_steps, written

Half = Fraction(1, 2)
AGENTS = (
    ((Fraction(1), Fraction(1)), (Half, Fraction(0))),
    ((Half, Fraction(1)), (Fraction(-1), Half)),
)
RIDGE = Fraction(1, 4)
LIMITS = (Fraction(1), Fraction(10**3), Fraction(10**6), Fraction(10**12))


def gradients(point: Fraction) -> list[list[Fraction]]:
    return [[2 * f * (f * point - r) + 2 * RIDGE * point for f, r in agent] for agent in AGENTS]


def dissimilarity(point: Fraction) -> Fraction:
    """Return the mean squared norm of the agents' gradients at a point of this module's ridge problem. The paper
    assumes that G_b^2 bounds it."""
    means = [sum(agent, Fraction(0)) / len(agent) for agent in gradients(point)]
    return sum((g * g for g in means), Fraction(0)) / len(means)


def variance(point: Fraction) -> Fraction:
    """Return the largest variance of an agent's stochastic gradient at a point of this module's ridge problem. The
    paper assumes that sigma_b^2 bounds it."""
    found = []
    for agent in gradients(point):
        mean = sum(agent, Fraction(0)) / len(agent)
        found.append(sum(((g - mean) ** 2 for g in agent), Fraction(0)) / len(agent))
    return max(found)


QUANTITIES = {"dissimilarity": dissimilarity, "variance": variance}


def minimiser() -> Fraction:
    curvature = sum((f * f for agent in AGENTS for f, _ in agent), Fraction(0)) / 4 + RIDGE
    return sum((f * r for agent in AGENTS for f, r in agent), Fraction(0)) / 4 / curvature


def unbounded(task: Task, what: str, everywhere: bool = True) -> Evidence:
    """Prove that a quantity (`what`), the dissimilarity of the agents' gradients or the variance of stochastic
    gradients, exceeds every bound at some point. Negative control, which must fail: the minimiser as this point."""
    # the variance is at least norm(g_i - g_j)^2/n^2 for the gradients of any two of n samples; on a line omega = t u
    # a component of their difference is D t + E, with D not 0 for some u unless phi_i = +-phi_j; for the
    # dissimilarity take the gradient of an agent's loss in place of the difference
    quantity, best = QUANTITIES[what], minimiser()
    # with curvature at least mu = 2 lambda, a point at distance (G+1)/mu of every minimiser has gradients above G
    points = [best + 2 * (limit + 1) / RIDGE if everywhere else best for limit in LIMITS]
    values = [quantity(point) for point in points]
    named = {"limits": LIMITS, "points": points, what: values}
    figures = {name: [str(v) for v in numbers] for name, numbers in named.items()}
    if any(value <= limit**2 for value, limit in zip(values, LIMITS, strict=True)):
        return Evidence(Verdict.REFUTED, f"at the minimiser the {what} is {values[0]}: bounded", figures)
    found = check_steps(written(GROWTH))
    where = " where an agent's features differ by more than a sign" if what == "variance" else ""
    said = (
        f"no number bounds the {what} for any omega{where}: on a line it is at least the square of a linear"
    )
    said += " function, which exceeds every number (by z3); in rationals on one ridge problem at omega ="
    said += f" {float(points[0]):.4g} it is {float(values[0]):.4g} > 1, at {float(points[1]):.4g} it is"
    return Evidence(
        found.kind, f"{said} {float(values[1]):.4g} > 10^6, and so on", figures | dict(found.figures)
    )


GROWTH = """
    (D t + E)^2 exceeds S where D > 0 and D t >= S + 1 - E
        D > 0, S > 0, D*t >= S + 1 - E => (D*t + E)**2 > S
"""
CONVEXITY = """
    strong convexity: norm(grad f_m(w)) >= mu norm(w - w_m), from <grad, w - w_m> >= mu norm(w - w_m)^2
        mu > 0, distance > 0, gradient*distance >= mu*distance**2 => gradient >= mu*distance
    beyond distance G/mu of every w_m the mean of norm(grad f_m)^2 exceeds G^2
        mu > 0, G > 0, distance > 0, gradient >= mu*distance, mu*distance {relation} G => gradient**2 > G**2
"""


def _said(text: str, said: str) -> Evidence:
    found = check_steps(written(text))
    return replace(found, summary=said) if found.kind is Verdict.Z3 else found


def contradictory(task: Task, beyond: bool = True) -> Evidence:
    """Prove by z3 that strong convexity on the whole space contradicts a bound G^2 on the mean squared norm of the
    agents' gradients. Negative control, which must fail: a ball of radius G/mu in place of the space, where mu is the
    strong convexity; there both can hold."""
    said = "no problem on R^d meets the hypotheses: strong convexity makes gradients unbounded (the inequalities by z3)"
    return _said(CONVEXITY.format(relation=">" if beyond else "<="), said)


# a convex loss that is not constant, on a line: g(t) from g(0) < g(1); then the mean over the signs
GROWING = """
    g(t) >= g(0) + t (g(1) - g(0)) for t >= 1, by convexity at 0, 1, t
        t >= 1, one > start{convexity} => far >= start + t*(one - start)
    all signs are + with probability p > 0, the other signs give at least `rest`: the mean exceeds S
        0 < p <= 1, rise > 0, far >= start + t*rise, p*rise*t > S - rest - p*start => p*far + rest > S
"""


def infinite_complexity(task: Task, convex: bool = True) -> Evidence:
    """Prove by z3 that the Rademacher complexity of a convex loss is infinite on the whole space: the supremum of the
    mean of n losses with random signs is infinite with probability at least 2^-n. Negative control, which must
    fail: a loss that need not be convex."""
    said = "the Rademacher complexity of a convex loss on R^d that is not constant is infinite, and so is the printed"
    said += " bound (the inequalities by z3): with probability 2^-n all signs are +, and a convex function has no upper"
    said += " bound on R^d"
    return _said(GROWING.format(convexity=", t*one <= (t - 1)*start + far" if convex else ""), said)


def enter_unmet(claim: Claim, what: str) -> None:
    """Add a check to a claim: that a quantity which the printed lemma assumes to be bounded is unbounded. what: the
    quantity, "dissimilarity" of the agents' gradients or "variance" of stochastic ones."""
    claim.check("printed", control=dict(everywhere=False), given=dict(what=what), name=what)(unbounded)
