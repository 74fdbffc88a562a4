"""lem:finite_error. Excess risk of the exact minimiser over a finite class, enumerated in rationals: mean and tail.

The losses of all functions on a sample are a vector; the law of their sum over the agents' samples is a convolution.
Ties go to the function with the largest excess risk.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from finite_class.lemmas.sides import Row, Sides, Table


@dataclass(frozen=True)
class Sampling:
    """truth (C,): the mean of a Bernoulli reward in each cell. functions (F, C): the class, the truth first.

    agents: (samples, law over the cells (C,)) of each agent.
    """

    functions: Table
    agents: tuple[tuple[int, Row], ...]

    @property
    def samples(self) -> int:
        return sum(count for count, _ in self.agents)

    @property
    def risks(self) -> Row:
        """(F,): sum_m (n_m/n) E(f - f*)^2."""
        truth = self.functions[0]
        return tuple(
            sum(
                (
                    Fraction(count, self.samples) * p * (f[cell] - truth[cell]) ** 2
                    for count, law in self.agents
                    for cell, p in enumerate(law)
                ),
                Fraction(0),
            )
            for f in self.functions
        )


def excess_law(sampling: Sampling) -> dict[Fraction, Fraction]:
    """Excess risk of the minimiser -> its probability. Losses and probabilities are integers over common denominators:
    adding fractions would be most of the work."""
    truth = sampling.functions[0]
    unit = math.lcm(*(v.denominator for f in sampling.functions for v in f))
    sums, whole = {(0,) * len(sampling.functions): 1}, 1
    for count, law in sampling.agents:
        chances: dict[tuple[int, ...], Fraction] = {}
        for cell, p in enumerate(law):
            for reward, chance in ((1, truth[cell]), (0, 1 - truth[cell])):
                loss = tuple(int((f[cell] - reward) * unit) ** 2 for f in sampling.functions)
                chances[loss] = chances.get(loss, Fraction(0)) + p * chance
        parts = math.lcm(*(p.denominator for p in chances.values()))
        possible = [(loss, int(p * parts)) for loss, p in chances.items() if p]
        for _ in range(count):
            following: dict[tuple[int, ...], int] = {}
            for total, weight in sums.items():
                for loss, share in possible:
                    key = tuple(map(int.__add__, total, loss))
                    following[key] = following.get(key, 0) + weight * share
            sums = following
        whole *= parts**count
    risks, found = sampling.risks, dict[Fraction, int]()
    for total, weight in sums.items():
        least = min(total)
        worst = max(risk for risk, loss in zip(risks, total, strict=True) if loss == least)
        found[worst] = found.get(worst, 0) + weight
    return {risk: Fraction(weight, whole) for risk, weight in found.items()}


def log_below(value: Fraction | int) -> Fraction:
    """A rational below ln(value), by more than a float's error."""
    return Fraction(math.log(value)) - Fraction(1, 10**12)


# Rationals below 1/kappa for kappa = 1 - e^{-1/2} and below (2 + 4/sqrt3)^2
SHARPENED = Fraction(25414, 10_000)
OWN_ALGEBRA = Fraction(18570, 1000)


def mean_sides(sampling: Sampling, variant: str) -> Sides:
    """n E excess against n times the bound, rounded down. Variants: printed (also repaired), sharpened, best."""
    n, size = sampling.samples, len(sampling.functions)
    left = sum((risk * p for risk, p in excess_law(sampling).items()), Fraction(0))
    if variant == "printed":
        return Sides(n * left, 25 * log_below(size * n) + 1)
    factor = {"sharpened": SHARPENED, "best": Fraction(10_000, 4637)}[variant]  # 1/0.46368 > 1/0.4637
    return Sides(n * left, factor * log_below(size))


def tail_sides(sampling: Sampling, variant: str, delta: Fraction, shrink: Fraction = Fraction(1)) -> Sides:
    """P(excess > shrink times the tail bound) against delta. Variants: printed, repaired, sharpened."""
    n, size = sampling.samples, len(sampling.functions)
    limit = {
        "printed": lambda: 25 * log_below(size / delta),
        "repaired": lambda: OWN_ALGEBRA * log_below(size / delta),
        "sharpened": lambda: SHARPENED * log_below((size - 1) / delta),
    }[variant]()
    chance = sum((p for risk, p in excess_law(sampling).items() if n * risk > shrink * limit), Fraction(0))
    return Sides(chance, delta)
