"""Prove the scalar inequalities of col:convex: the stated step and number of rounds of each protocol reach the required
accuracy, and this accuracy gives the excess risk.

The convergence theorems (Theorem G of bounds/local_steps.py, own:agd_rate) are assumed. So are two bounds on the excess
risk: T1 by the distance from the minimiser, and T2 by the objective minus its minimum. In the inequalities below,
`power` is the factor by which all R rounds multiply an error, and `growth` satisfies power*growth <= 1, because (1-x)^R
<= e^{-xR}.
"""

from fractions import Fraction
from functools import partial

from verify.claim import Claim, Evidence, Task
from verify.formal.scalar_steps import check_steps, refute_steps
from verify.papers.fedigw.claims.lem_FedAvg_complete.checks import AVERAGE, LAST, shared

NINE_TENTHS = Fraction(9, 10)

DESCENT = """
    ((n+1)/2) ln(1/eps) rounds of gradient descent
        eps > 0, power >= 0, growth > 0, power*growth <= 1, growth*eps >= 1, 0 <= first, first <= 1,
        gap <= power*first => gap <= share*eps
    sqrt(n+1) ln(1.25/eps) rounds of AGD; (mu/2) norm(w_S)^2 <= 1/4
        eps > 0, power >= 0, growth > 0, power*growth <= 1, 4*growth*eps >= 5, 0 <= first, first <= 1,
        4*gap <= power*(4*first + 1) => gap <= share*eps
    2(n+1) ln(Psi_0/tol) rounds of SCAFFOLD with gradients, no error
        tol > 0, start > 0, power >= 0, growth > 0, power*growth <= 1, growth*tol >= start,
        d <= power*start => d <= share*tol
"""
BY_DISTANCE = """
    T1: tol = delta^2 a^2 gives e <= (1 + delta)^2 a^2, where a^2 is the risk of the exact minimiser
        delta > 0, a >= 0, b >= 0, tol == delta**2*a**2, b**2 <= tol, e <= (a + b)**2
        => e <= share*(1 + delta)**2*a**2
"""
BY_GAP = """
    T2: d eps = delta^2 a^2 gives e <= (1 + delta)^2 a^2
        d >= 1, eps > 0, delta > 0, a >= 0, b >= 0, gap <= eps, eps*d == delta**2*a**2,
        e <= (a + b)**2, b**2 <= d*gap => e <= share*(1 + delta)**2*a**2
"""
ROWS = DESCENT + LAST + AVERAGE + BY_DISTANCE + BY_GAP
PERSONALISED = LAST + BY_DISTANCE


def suffices(task: Task, rows: str) -> Evidence:
    """Prove the inequalities in the text `rows` for all parameters, by z3. They say that the stated step and number of
    rounds of each protocol reach the required accuracy. Negative control, which must fail: nine tenths of the allowed
    error."""
    return check_steps(shared(rows))


def nine_tenths(task: Task, rows: str) -> Evidence:
    return refute_steps(shared(rows, NINE_TENTHS))


def enter(claim: Claim, rows: str) -> None:
    """Add to a claim the check `steps` of its variant `schedule`, which proves the scalar inequalities in the text
    `rows`."""
    false = partial(nine_tenths, rows=rows)
    claim.check("schedule", control=false, given=dict(rows=rows), name="steps")(suffices)
