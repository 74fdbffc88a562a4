"""Prove bounds on the rounds of accelerated gradient descent (AGD), and on the numbers that it sends, for all
numbers of agents M, dimensions d and steps T.

The proof is by induction over epochs; each ends with a call of the protocol, which learns a model. Epoch l ends at
step 2^l, so it has E^l steps with E^1 = 2 and E^{l+1} = 2^l, and sqrt(E^{l+1}) = x_l with x_l = 2^{l/2}. There are L
= floor(log2 T) calls, and x_L <= sqrt T. Variables of the scalar steps:

    s, m, q, r   sqrt2, sqrt M, sqrt T, sqrt n for a call on n samples
    x            x_L
    k            the rounds of a call
    S, R         the sums over calls of sqrt(E^l) and of 1/sqrt(E^l)
"""

from collections.abc import Callable
from functools import cache
from itertools import islice

from bounds import linear_communication, own_agd_convex, schedules
from bounds.schedules import doubling_lengths
from verify.claim import Evidence, Task, Verdict
from verify.formal.scalar_steps import ScalarStep, check_steps, written

ROOT = "s > 0, s*s == 2"  # s is the square root of 2
SUM = f"{ROOT}, x >= s, (1+s)*x - 2 == S"
INVERSE = f"{ROOT}, x >= s, x*s*R == x + (1+s)*s*(x-s)"


def roots_steps(share: int) -> tuple[ScalarStep, ...]:
    """Return scalar inequalities that prove sum_l sqrt(E^l) <= (1+sqrt2) sqrt T over the epochs completed by step T,
    where epoch l has E^l = 2, 2, 4, 8, ... steps. share: for a control, by how many tenths the bound is reduced."""
    return written(f"""
        one call: sqrt(E^1) = (1+s) s - 2
            {ROOT} => s == (1+s)*s - 2
        one more call adds x and turns x into s x
            {SUM} => S + x == (1+s)*(s*x) - 2
        by T: x <= sqrt T
            {SUM}, q >= x => (10 - {share})*(1+s)*q - 20 >= 10*S
    """)


def convex_steps(share: int = 0) -> tuple[ScalarStep, ...]:
    """Return scalar inequalities that prove two bounds on the numbers sent by accelerated gradient descent (AGD) for
    convex functions, for M agents in d dimensions that learn L models up to step T: Md(2 sqrt M ((1+sqrt2) sqrt T - 2)
    + 3L), and the larger (2(1+sqrt2) + 9/(2 sqrt2)) d sqrt(M^3 T). share: for a control, by how many tenths a bound is
    reduced."""
    return roots_steps(share) + written(f"""
        a call: 2k + 1 <= 2r + 3, k = ceil(r)
            r >= 1, k < r+1, k >= r => 2*k + 1 <= 2*r + 3
        all calls: sum 2k + 1 <= 2 m S + 3L, one call more
            m >= 1, L >= 1, x >= 1, k < m*x + 1, t <= 2*m*S + 3*L => t + 2*k + 1 <= 2*m*(S+x) + 3*(L+1)
        L = 1 calls: 2 s L <= 3 x, x^2 = 2^L
            {ROOT}, x > 0, x*x == 2 => 2*s <= 3*x
        L = 2 calls: 2 s L <= 3 x, x^2 = 2^L
            {ROOT}, x > 0, x*x == 4 => 4*s <= 3*x
        L = 3 calls: 2 s L <= 3 x, x^2 = 2^L
            {ROOT}, x > 0, x*x == 8 => 6*s <= 3*x
        from the third call on: 2 s L <= 3 x stays so
            {ROOT}, L >= 3, 2*s*L <= 3*x => 2*s*(L+1) <= 3*(s*x)
        together: 2 m ((1+s) q - 2) + 3L <= (2(1+s) + 9/(2s)) m q
            {ROOT}, m >= 1, x >= s, q >= x, L >= 1, 2*s*L <= 3*x
                => 2*s*(2*m*((1+s)*q - 2) + 3*L) <= (4*s*(1+s) + 9)*m*q
    """)


def strongly_convex_steps(share: int = 0) -> tuple[ScalarStep, ...]:
    """Return scalar inequalities that bound the rounds of accelerated gradient descent (AGD) to a tolerance delta, for
    M agents up to step T.

    The bound has two factors: the sum over epochs of sqrt(n+1), at most (1+sqrt2) sqrt(MT), and the logarithm u = ln(1
    + (5/4) MT(MT+1)/(delta^2 C)), where C/n is the excess risk after the n samples of an epoch. Variables: v = ln(MT)
    >= ln 2, w = ln(1/delta) >= 0. share: for a control, by how many tenths a bound is reduced.
    """
    return roots_steps(share) + written(f"""
        sqrt(n+1) <= sqrt n + 1/(2 sqrt n)
            r >= 1, a > 0, a*a == r*r + 1 => 2*r*a <= 2*r*r + 1
        R = sum 1/sqrt(E^l), one call: x s R = x + (1+s) s (x - s) with x = s, R = 1/s
            {ROOT}, x == s, R*s == 1 => x*s*R == x + (1+s)*s*(x-s)
        one call more adds 1/x: x s R = x + (1+s) s (x - s) is kept
            {INVERSE} => (s*x)*s*(R + 1/x) == s*x + (1+s)*s*(s*x - s)
        S m + R/(2m) <= (1+s) q m: the -2m pays for R/(2m)
            {INVERSE}, q >= x, m >= 1, (1+s)*x - 2 == S => 2*m*m*S + R <= 2*m*m*(1+s)*q
        1 + (5/4) y(y+1)/(delta^2 C) <= 2 y^2/delta^2 for y = MT >= 2, C >= 5/4, delta <= 1
            y >= 2, b > 0, b <= 1, 4*c >= 5 => 4*b*b*c + 5*y*(y+1) <= 8*c*y*y
        so u <= ln 2 + 2v + 2w <= 3v + 2w
            h > 0, v >= h, w >= 0, u <= h + 2*v + 2*w => u <= 3*v + 2*w
    """)


def follows_schedule(task: Task) -> str | None:
    """Return in words the first difference between the program and the assumptions of the proofs here about epochs,
    rounds and numbers; None if there is none."""
    lengths = list(islice(doubling_lengths(), 60))
    if lengths != [2, *(2**l for l in range(1, 60))]:
        return "epoch lengths are not 2, 2, 4, 8, ..."
    rng = task.rng()
    for n in [*range(1, 2000), *(int(v) for v in rng.integers(1, 2**62, size=500))]:
        k = own_agd_convex.rounds(n)
        if not (k - 1) ** 2 < n <= k**2:
            return f"{k} rounds on {n} samples, not ceil(sqrt n)"
    for agents, d, horizon in ((1, 1, 2), (3, 4, 100), (10, 5, 2**20), (7, 2, 2**31 - 1)):
        calls = schedules.samples_of_calls(agents, horizon)
        rounds = [own_agd_convex.rounds(n) for n in calls]
        if len(calls) != horizon.bit_length() - 1 or calls != [agents * e for e in lengths[: len(calls)]]:
            return f"the calls by T = {horizon} are not those of the schedule"
        stated = linear_communication.total_numbers("agd_convex", agents, d, horizon, 0.1)
        if stated != sum(agents * d * (2 * k + 1) for k in rounds):
            return f"the numbers by T = {horizon} are not the sum of M d (2k+1)"
    return None


@cache
def decided(of: Callable[[int], tuple[ScalarStep, ...]], share: int) -> Evidence:
    return check_steps(of(share))


RATIOS = tuple(2**k for k in (10, 16, 20, 30, 40))


def convex_order(task: Task, share: int = 0) -> Evidence:
    """Prove by z3 that accelerated gradient descent for convex functions sends at most 8.02 d sqrt(M^3 T) numbers, for
    any number of agents M, dimension d >= 1 and number of steps T >= 2. For d >= 2 the printed order follows. Negative
    control, which must fail: a bound a tenth smaller."""
    if wrong := follows_schedule(task):
        return Evidence(Verdict.REFUTED, wrong)
    found = decided(convex_steps, share)
    if found.kind is not Verdict.Z3:
        return found
    shown = {
        t: linear_communication.total_numbers("agd_convex", 10, 5, t, 0.1)
        / float(linear_communication.printed_numbers("agd", 10, 5, t))
        for t in RATIOS
    }
    ratios = ", ".join(f"{value:.2f}" for value in shown.values())
    said = "with ceil(sqrt n) rounds a call the numbers by T are at most (2(1+sqrt2) + 9/(2 sqrt2)) d sqrt(M^3 T)"
    said += f" < 8.02 d sqrt(M^3 T) for all M, d, T ({len(found.figures['steps'])} steps); the sum of the schedule over"
    said += f" d log(d) sqrt(M^3 T) is {ratios} at M = 10, d = 5, T = 2^10, 2^16, 2^20, 2^30, 2^40"
    return Evidence(Verdict.Z3, said, dict(found.figures) | {"T": list(shown), "ratio": list(shown.values())})


def tolerance_order(task: Task, share: int = 0) -> Evidence:
    found = decided(strongly_convex_steps, share)
    if found.kind is not Verdict.Z3:
        return found
    said = "rounds by T at most (1+sqrt2) sqrt(MT) (3 ln(MT) + 2 ln(1/delta)) + log2 T for all M, T >= 2, d >= 1,"
    said += f" delta <= 1 ({len(found.figures['steps'])} steps; ln is increasing)"
    return Evidence(Verdict.Z3, said, dict(found.figures))
