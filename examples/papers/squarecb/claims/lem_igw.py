"""lem:igw. Inverse gap weighting costs at most 2K/gamma and a multiple of the squared error, whatever the true
function is.

There are K arms with estimates fhat_a and gaps gap_a = max fhat - fhat_a. The paper plays a with probability p_a =
1/(K + gamma gap_a), and the arm with the best estimate with the rest. For every true function f on the arms

    max f - sum_a p_a f_a - (gamma/4) sum_a p_a (fhat_a - f_a)^2 <= 2K/gamma

    sharpened       (K-1)/gamma, if 1/p_a = lambda + gamma gap_a, where lambda makes the p_a sum to 1; no rule has less
    lecture-notes   (K-1)/gamma with 1/p_a = lambda + 2 gamma gap_a, Proposition 14 of the authors' lecture notes
                    (arXiv 2312.16730): false, because the parameter is twice too large

The worst true function is known. For the arm b with the best estimate it costs (1/p_b - 1)/gamma - gap_b + sum_a p_a
gap_a (complete the square for each arm), so every check below compares fractions.
"""

from fractions import Fraction

from verify.claim import Claim, Evidence, Task, Variant, Verdict
from verify.statistics.compared import at_most

PRINTED_PRICE, SHARP_PRICE = Fraction(2), Fraction(1)  # of K/gamma and of (K - 1)/gamma
LEFT = r"\max f - \sum_a p_a f_a - \frac{\gamma}{4} \sum_a p_a (\hat f_a - f_a)^2 \le "

claim = Claim(
    title="What inverse gap weighting costs",
    section="The inequality",
    variants={
        "printed": Variant(LEFT + r"2K/\gamma", ("the best estimate gets the rest",), Verdict.EXACT),
        "sharpened": Variant(LEFT + r"(K-1)/\gamma", ("lambda normalises",), Verdict.EXACT, tight=True),
        "lecture-notes": Variant(LEFT + r"(K-1)/\gamma", ("gaps weighted by 2 gamma",), Verdict.REFUTED),
    },
)


def worst(p: list[Fraction], gaps: list[Fraction], gamma: Fraction) -> Fraction:
    """Return the largest cost of arm probabilities p over all true functions, for given gaps between the best
    estimate and the others. The cost is the regret minus gamma/4 times the squared error of the estimate."""
    mean = sum(q * gap for q, gap in zip(p, gaps, strict=True))
    return max((1 / q - 1) / gamma - gap + mean for q, gap in zip(p, gaps, strict=True))


@claim.check("printed", control=dict(price=Fraction(1, 3)))
def the_rest(task: Task, price: Fraction = PRINTED_PRICE) -> Evidence:
    """Compare the largest cost of inverse gap weighting (regret minus gamma/4 times squared error) with price x
    K/gamma on random gaps, for K arms and learning rate gamma, where the best estimate gets the rest of the
    probability. Negative control, which must fail: price 1/3."""
    rng, cases = task.rng(), []
    for _ in range(500):
        arms, gamma = int(rng.integers(2, 7)), Fraction(int(rng.integers(1, 400)), 4)
        gaps = [Fraction(0), *(Fraction(int(n), 20) for n in rng.integers(0, 21, arms - 1))]
        p = [1 / (arms + gamma * gap) for gap in gaps[1:]]
        p = [1 - sum(p), *p]
        cases.append(
            (worst(p, gaps, gamma), price * arms / gamma, f"gaps {[*map(str, gaps)]}, gamma = {gamma}")
        )
    return at_most(cases, "pays")


@claim.check("sharpened", control=dict(price=Fraction(9, 10)))
def normalised(task: Task, price: Fraction = SHARP_PRICE) -> Evidence:
    """Compare the largest cost of inverse gap weighting (regret minus gamma/4 times squared error) with price x
    (K-1)/gamma on random probabilities, from which the gaps follow, for K arms and learning rate gamma. Negative
    control, which must fail: price 9/10."""
    rng, cases = task.rng(), []
    for _ in range(500):
        whole = [int(w) for w in rng.integers(1, 50, int(rng.integers(2, 7)))]
        p, gamma = [Fraction(w, sum(whole)) for w in whole], Fraction(int(rng.integers(1, 400)), 4)
        gaps = [(1 / q - 1 / max(p)) / gamma for q in p]
        cases.append(
            (worst(p, gaps, gamma), price * (len(p) - 1) / gamma, f"weights {whole}, gamma = {gamma}")
        )
    return at_most(cases, "pays")


@claim.check("lecture-notes", control=dict(times=1))
def witness(task: Task, times: int = 2) -> Evidence:
    """Refute the lecture notes' inequality, whose parameter is twice too large, by an example of two arms, from the
    definition: learning rate gamma = 1/2, estimates (0, -3/2), arm probabilities (2/3, 1/3), true function (-4,
    13/2)."""
    gamma, p, f = Fraction(1, 2), (Fraction(2, 3), Fraction(1, 3)), (Fraction(-4), Fraction(13, 2))
    estimate = (Fraction(0), -(1 / p[1] - 1 / p[0]) / (times * gamma))
    pays = max(f) - sum(q * v for q, v in zip(p, f, strict=True))
    pays -= gamma / 4 * sum(q * (e - v) ** 2 for q, e, v in zip(p, estimate, f, strict=True))
    return at_most([(pays, SHARP_PRICE / gamma, f"fhat = (0, {estimate[1]})")], "pays")
