"""Runs that try to break the pathwise claim: random ones, and ones climbed towards equality, judged exactly.

The climb is done in floats; what it finds is rounded to rationals and only then compared with the claim.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from fractions import Fraction
from random import Random
from typing import Any

from bounds.arithmetic import Value
from bounds.best.parameters import Parameters, derive
from bounds.best.pathwise import Trajectory, multipliers, scaled_regret, scaled_risks

SCALES = (Fraction(1), Fraction(3), Fraction(10), Fraction(40))


def random_trajectory(random: Random, arms: int, epochs: int, ratio: Fraction = Fraction(1)) -> Trajectory:
    """Rational truths and estimates of several sizes, ties included; the last two rates differ by `ratio` at least."""
    unit, scale = random.choice((1, 2, 12)), random.choice(SCALES)

    def number() -> Fraction:
        return scale * Fraction(random.randint(-unit * 4, unit * 4), 4 * unit)

    truth = tuple(number() for _ in range(arms))
    noise = random.choice((Fraction(1, 20), Fraction(1, 3), Fraction(1)))
    free = random.random() < 0.3  # estimates that have nothing to do with the truth
    rows = tuple(tuple(number() if free else f + noise * number() for f in truth) for _ in range(epochs - 1))
    rates = [Fraction(random.randint(1, 40), random.choice((1, 4, 16)))]
    for _ in range(epochs - 2):
        rates.append(rates[-1] * random.choice((Fraction(1), Fraction(1), Fraction(5, 4), Fraction(4))))
    if len(rates) > 1 and rates[-2] > ratio * rates[-1]:
        rates[-1] = rates[-2] / ratio
    return Trajectory(truth, rows, tuple(rates))


def tightness(run: Trajectory, parameters: Parameters, shrink: Value = 1) -> Value:
    """Left side over shrink times the right side of the pathwise claim: above 1 is a counterexample."""
    arms, d = len(run.truth), derive(parameters)
    weights = multipliers(parameters, len(run.rates) + 1)
    risk = sum(w * e for w, e in zip(weights, scaled_risks(run), strict=True))
    return scaled_regret(run) / (max(arms - 1, arms - 2 + arms * d.a) + risk) / shrink


@dataclass(frozen=True)
class Climb:
    """The tightest run found and its exact tightness."""

    run: Trajectory
    tightness: Fraction
    evaluations: int


def climb(
    parameters: Parameters,
    random: Random,
    arms: int,
    epochs: int,
    evaluations: int,
    shrink: Fraction = Fraction(1),
) -> Climb:
    """Coordinate moves of shrinking size that keep what is tighter, from the tightest of a few random starts.

    shrink < 1 claims a smaller constant, which a good adversary breaks.
    """
    starts = [random_trajectory(random, arms, epochs, parameters.ratio) for _ in range(20)]
    best = [_flat(run) for run in sorted(starts, key=lambda r: tightness(r, parameters))][-1]
    approximate = Parameters(*map(float, astuple(parameters)))
    value = float(tightness(_run(best, arms, epochs, parameters.ratio), approximate))
    step = 1.0
    for count in range(evaluations):
        if count % 200 == 199:
            step *= 0.8
        moved = list(best)
        for _ in range(random.choice((1, 1, 2, 4))):
            i = random.randrange(len(moved))
            moved[i] += random.gauss(0, 1) * step * (abs(moved[i]) + 0.5)
        found = float(tightness(_run(moved, arms, epochs, parameters.ratio), approximate))
        if found >= value:
            best, value = moved, found
    exact = _run([Fraction(x).limit_denominator(10**6) for x in best], arms, epochs, parameters.ratio)
    return Climb(exact, Fraction(tightness(exact, parameters, shrink)), evaluations)


def _flat(run: Trajectory) -> list[Value]:
    growth = [b / a for a, b in zip(run.rates, run.rates[1:], strict=False)]
    return [float(x) for x in (*run.truth, *(f for row in run.estimates for f in row), *growth)]


def _run(flat: Sequence[Value], arms: int, epochs: int, ratio: Fraction) -> Trajectory:
    """Truth, estimates and growth factors of the learning rate (at least 1; the last at least 1/ratio); gamma_2 = 1."""
    one = Fraction(1) if isinstance(flat[0], Fraction) else 1.0
    rows = [tuple(flat[arms * i : arms * (i + 1)]) for i in range(epochs)]
    rates: list[Any] = [one]
    for i, growth in enumerate(flat[arms * epochs :]):
        least = 1 / ratio if i == epochs - 3 else Fraction(1)
        rates.append(rates[-1] * max(abs(growth), least if isinstance(one, Fraction) else float(least)))
    return Trajectory(rows[0], tuple(rows[1:]), tuple(rates))
