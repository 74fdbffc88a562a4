"""user:squarecb. What inverse gap weighting costs for any true reward function: SquareCB's inequality and its sharp
form.

Foster and Rakhlin (arXiv 2312.16730). There are A arms with estimates fhat_a, gaps gap_a = max fhat - fhat_a and
probabilities p_a with 1/p_a = lambda + s g gap_a, where lambda makes them sum to 1. For every truth f on the arms

    max f - sum_a p_a f_a <= price + g sum_a p_a (fhat_a - f_a)^2

    squarecb    s = 2, price A/g
    sharp       s = 4, price (A-1)/(4g), which no rule improves
    printed     s = 8, price (A-1)/(4g), Proposition 14 there: false, because the parameter is twice too large

The worst truth is known. For the best arm b it costs (1/p_b - 1)/(4g) - gap_b + sum_a p_a gap_a (complete the square
for each arm), so every check below compares fractions.
"""

from fractions import Fraction

from verify.claim import Claim, Evidence, Task, Variant, Verdict
from verify.statistics.compared import at_most

SHARP_PRICE = Fraction(1, 4)  # of (A - 1)/g

claim = Claim(
    title="The inequality behind SquareCB",
    section="Worked examples",
    variants={
        "squarecb": Variant(
            r"\max f - \sum_a p_a f_a \le A/g + g \sum_a p_a (\hat f_a - f_a)^2", (), Verdict.EXACT
        ),
        "sharp": Variant(
            r"\ldots \le (A-1)/(4g) + g \sum_a p_a (\hat f_a - f_a)^2", ("s = 4",), Verdict.EXACT
        ),
        "printed": Variant(r"\ldots \le (A-1)/(4g) + \ldots", ("s = 8",), Verdict.REFUTED),
    },
)


def worst(p: list[Fraction], g: Fraction, s: int) -> Fraction:
    """Return max f - sum_a p_a f_a - g sum_a p_a (fhat_a - f_a)^2 at the worst truth f."""
    gaps = [(1 / q - 1 / max(p)) / (s * g) for q in p]
    mean = sum(q * gap for q, gap in zip(p, gaps, strict=True))
    return max((1 / q - 1) / (4 * g) - gap + mean for q, gap in zip(p, gaps, strict=True))


def price(form: str, arms: int, g: Fraction) -> Fraction:
    return arms / g if form == "squarecb" else SHARP_PRICE * (arms - 1) / g


@claim.check(
    "squarecb", control=dict(share=Fraction(1, 5)), given=dict(form="squarecb", s=2), name="squarecb"
)
@claim.check("sharp", control=dict(share=Fraction(9, 10)), given=dict(form="sharp", s=4), name="sharp")
def on_instances(task: Task, form: str, s: int, share: Fraction = Fraction(1)) -> Evidence:
    """Compare the worst cost with the price on random and skewed probabilities. The control multiplies the price by
    `share`."""
    rng, cases = task.rng(), []
    for _ in range(500):
        arms = int(rng.integers(2, 6))
        whole = [int(w) for w in rng.integers(1, 50, arms)]
        p = [Fraction(w, sum(whole)) for w in whole]
        g = Fraction(int(rng.integers(1, 40)), 8)
        cases.append((worst(p, g, s), share * price(form, arms, g), f"weights {whole}, g = {g}"))
    return at_most(cases, "pays")


@claim.check("printed", control=dict(s=4))
def witness(task: Task, s: int = 8) -> Evidence:
    """Refute the printed form at A = 2, fhat = (0, -3/2), g = 1/8, p = (2/3, 1/3), f = (-4, 13/2) from the
    definition."""
    g, p, f = Fraction(1, 8), (Fraction(2, 3), Fraction(1, 3)), (Fraction(-4), Fraction(13, 2))
    estimate = (Fraction(0), -(1 / p[1] - 1 / p[0]) / (s * g))
    pays = max(f) - sum(q * v for q, v in zip(p, f, strict=True))
    pays -= g * sum(q * (e - v) ** 2 for q, e, v in zip(p, estimate, f, strict=True))
    return at_most([(pays, price("sharp", 2, g), f"fhat = (0, {estimate[1]})")], "pays")
