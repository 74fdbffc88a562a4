"""Step and rounds of every row reach the gap that they are for, and the gap gives the excess risk: scalar inequalities.

The theorems on convergence (1A, 1B, S1, S2, own:agd_rate), T1 and T2 are assumptions here, as stated. growth is the
number that the rows choose: 1/growth bounds the R-th power of a round's contraction, (1-x)^R <= e^{-xR}.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

from verify.claim import Claim, Evidence, Task
from verify.formal.scalar_steps import ScalarStep, check_steps, refute_steps

NINE_TENTHS = Fraction(9, 10)


def _ratio(share: Fraction, smaller: Any, larger: Any) -> Any:
    """Return smaller <= share * larger without a division."""
    return share.denominator * smaller <= share.numerator * larger


def linear_rows(share: Fraction = Fraction(1)) -> list[ScalarStep]:
    """Return the rows with gap_R <= power start: gradient descent, AGD, SCAFFOLD with gradients, from 0."""

    def descent(gap: Any, eps: Any, power: Any, growth: Any, first: Any) -> Any:
        rounds = [eps > 0, power >= 0, growth > 0, power * growth <= 1, growth * eps >= 1]
        return [*rounds, first >= 0, first <= 1, gap <= power * first], _ratio(share, gap, eps)

    def accelerated(gap: Any, eps: Any, power: Any, growth: Any, first: Any) -> Any:
        rounds = [eps > 0, power >= 0, growth > 0, power * growth <= 1, 4 * growth * eps >= 5]
        # (mu/2) norm(w_S)^2 <= 1/4
        return [*rounds, first >= 0, first <= 1, 4 * gap <= power * (4 * first + 1)], _ratio(share, gap, eps)

    def scaffold(*variables: Any) -> Any:
        gap, eps, power, growth, first, controls, beta, n = variables
        rounds = [eps > 0, power >= 0, growth > 0, power * growth <= 1, 2 * growth * eps >= 3]
        ridge = [n > 0, beta * n == 2 * (n + 1)]
        starts = [first >= 0, first <= 1, controls >= 0, controls <= 4]
        theorem = 4 * beta * gap <= power * (4 * beta * first + controls)
        return [*rounds, *ridge, *starts, theorem], _ratio(share, gap, eps)

    names = "gap eps power growth gap_0"
    return [
        ScalarStep("((n+1)/2) ln(1/eps) rounds of gradient descent", names, descent),
        ScalarStep("sqrt(n+1) ln(1.25/eps) rounds of AGD", names, accelerated),
        ScalarStep("(32/13)(n+1) ln(1.5/eps) rounds of SCAFFOLD", f"{names} Ev_0 beta n", scaffold),
    ]


def local_bias() -> list[ScalarStep]:
    """Return the parts of a row with local gradients: with u = sqrt(eps), bias w and decay take a half each.

    1A: sqrt(gap) <= w + sqrt2 power (1 + w), 8 a^2 w^2 <= k^2 beta spread, a >= 1/2, k = (K-1) eta <= h/server.
    """

    def bias(*variables: Any) -> Any:
        w, u, a, k, h, beta, spread, server = variables
        signs = [beta > 0, spread > 0, server > 0, k >= 0, u > 0, w >= 0, 2 * a >= 1, k * server <= h]
        step = 2 * beta * spread * h * h <= server * server * u * u
        return [*signs, step, 8 * a * a * w * w <= k * k * beta * spread], 2 * w <= u

    def decay(u: Any, power: Any, growth: Any, root: Any) -> Any:
        signs = [u > 0, power >= 0, growth > 0, root > 0, root * root == 2, power * growth <= 1]
        return [*signs, growth * u >= root * (2 + u)], root * power * (2 + u) <= u

    return [
        ScalarStep("the bias of local steps is at most sqrt(eps)/2", "w u a k h beta spread server", bias),
        ScalarStep("and so is what is left of the start", "u power growth root", decay),
    ]


def local_row(share: Fraction = Fraction(1)) -> list[ScalarStep]:
    """Return the row with local gradients, from the two halves."""

    def reached(v: Any, w: Any, u: Any, power: Any, root: Any) -> Any:
        halves = [2 * w <= u, root * power * (2 + u) <= u, w >= 0, v >= 0, u > 0, power >= 0, root > 0]
        return [*halves, root * root == 2, v <= w + root * power * (1 + w)], _ratio(share, v * v, u * u)

    return [ScalarStep("step and rounds with local gradients", "v w u power root", reached)]


def stochastic_row(share: Fraction = Fraction(1)) -> list[ScalarStep]:
    """Return the rows of 1B and S2: E gap <= (mu/2) d_0/(q^{-R} - 1) + c1 h + c2 h^2, a half and a half."""

    def reached(*variables: Any) -> Any:
        gap, eps, mu, distance, growth, start, first, second, h = variables
        signs = [mu > 0, eps > 0, h > 0, distance >= 0, first >= 0, second >= 0, growth > 1]
        choice = [2 * (first * h + second * h * h) <= eps, (growth - 1) * eps >= mu * distance]
        theorem = [2 * start * (growth - 1) == mu * distance, gap <= start + first * h + second * h * h]
        return [*signs, *choice, *theorem], _ratio(share, gap, eps)

    names = "gap eps mu d_0 growth start c1 c2 h"
    return [ScalarStep("step and rounds of a stochastic row", names, reached)]


def by_distance(share: Fraction = Fraction(1)) -> list[ScalarStep]:
    """Return T1: n eps = delta^2 a^2 gives e <= (1 + delta)^2 a^2, where a^2 is the risk of the exact minimiser."""

    def risk(e: Any, a: Any, b: Any, delta: Any, gap: Any, eps: Any, n: Any) -> Any:
        signs = [n > 0, eps > 0, delta > 0, a >= 0, b >= 0, gap <= eps, eps * n == delta * delta * a * a]
        bound = (1 + delta) * (1 + delta) * a * a
        return [*signs, e <= (a + b) * (a + b), b * b <= n * gap], _ratio(share, e, bound)

    return [ScalarStep("excess risk by the distance", "e a b delta gap eps n", risk)]


def by_gap(share: Fraction = Fraction(1)) -> list[ScalarStep]:
    """Return T2: max(2,s) eps = delta^2 a^2 and delta' = delta a^2 give e <= ((1 + delta)^2 + delta) a^2."""

    def risk(e: Any, a: Any, b: Any, delta: Any, gap: Any, eps: Any, factor: Any) -> Any:
        signs = [factor >= 2, eps > 0, delta > 0, a >= 0, b >= 0, gap <= eps]
        accuracy = eps * factor == delta * delta * a * a
        theorem = [e <= (a + b) * (a + b) + delta * a * a, b * b <= factor * gap]
        bound = ((1 + delta) * (1 + delta) + delta) * a * a
        return [*signs, accuracy, *theorem], _ratio(share, e, bound)

    return [ScalarStep("excess risk by the gap", "e a b delta gap eps factor", risk)]


ROWS = (linear_rows, local_row, stochastic_row, by_distance, by_gap)
PERSONALISED = (local_row, stochastic_row, by_distance)


def suffices(task: Task, rows: Any) -> Evidence:
    """Every row as a scalar inequality for all parameters; control: nine tenths of each bound."""
    return check_steps([*local_bias(), *(step for row in rows for step in row())])


def nine_tenths(task: Task, rows: Any) -> Evidence:
    """Refute nine tenths of every bound: nothing is left over in any row."""
    return refute_steps([step for row in rows for step in row(NINE_TENTHS)])


def enter(claim: Claim, rows: Any) -> None:
    """Enter the check of a claim's variant `schedule`."""
    false = partial(nine_tenths, rows=rows)
    claim.check("schedule", control=false, given=dict(rows=rows), name="steps")(suffices)
