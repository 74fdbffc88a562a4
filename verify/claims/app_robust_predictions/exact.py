"""The excess risk under the worst liars, in rationals over all sample paths of tiny worlds.

d arms with the unit vectors as features: an agent's prediction for an arm is (sum of its rewards)/(times played + 1), a
liar may say anything for every arm, and median and trimmed mean are monotone in the lies. So the worst liars say plus
or minus infinity, whichever is worse for what the honest agents happen to predict: the supremum over all attacks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb, factorial, prod, sqrt

from bounds import app_robust_mean
from bounds.theorems import app_robust_predictions
from verify.claim import Evidence, Task
from verify.verdict import Verdict

CONTROL = Fraction(1, 5)
WORLDS: tuple[
    tuple[tuple[Fraction, ...], tuple[Fraction, ...]], ...
] = (  # means of the arms, their probabilities
    ((Fraction(1),), (Fraction(1),)),
    ((Fraction(1, 2),), (Fraction(1),)),
    ((Fraction(4, 5), Fraction(3, 5)), (Fraction(1, 2), Fraction(1, 2))),
    ((Fraction(1), Fraction(0)), (Fraction(1, 2), Fraction(1, 2))),
    ((Fraction(1, 2), Fraction(1, 2)), (Fraction(3, 4), Fraction(1, 4))),
)
QUICK = ((3, 1), (4, 1), (5, 2))
FULL = (*QUICK, (5, 1), (6, 2), (7, 3))
RULES = {"trimmed_mean": app_robust_mean.least, "median": app_robust_mean.median}


def predictions(mean: Fraction, chance: Fraction, samples: int) -> dict[Fraction, Fraction]:
    """value -> probability of one agent's prediction for an arm of this mean, played with this chance."""
    found: dict[Fraction, Fraction] = {}
    for n in range(samples + 1):
        played = comb(samples, n) * chance**n * (1 - chance) ** (samples - n)
        for s in range(n + 1):
            weight = played * comb(n, s) * mean**s * (1 - mean) ** (n - s)
            if weight:
                value = Fraction(s, n + 1)
                found[value] = found.get(value, Fraction(0)) + weight
    return found


def worst_error(rule: str, honest: Sequence[Fraction], lying: int, truth: Fraction) -> Fraction:
    """The largest (A - f*)^2 over all lies: all of them below everybody, or all above. honest: sorted."""
    found = []
    for low in (lying, 0):  # lies below; the others are above
        if rule == "trimmed_mean":  # cut = lying: what is left are honest values
            kept = honest[lying - low : len(honest) - low]
            found.append(sum(kept, Fraction(0)) / len(kept))
        else:
            count = len(honest) + lying
            middle = [(count - 1) // 2 - low, count // 2 - low]
            found.append((honest[middle[0]] + honest[middle[1]]) / 2)
    return max((value - truth) ** 2 for value in found)


def risk(
    rule: str, agents: int, lying: int, samples: int, means: Sequence[Fraction], kernel: Sequence[Fraction]
) -> Fraction:
    """sum_a p_a E max over lies (A_a - mean_a)^2."""
    total, honest = Fraction(0), agents - lying
    for mean, chance in zip(means, kernel, strict=True):
        law = predictions(mean, chance, samples)
        for drawn in combinations_with_replacement(sorted(law), honest):
            ways = factorial(honest) // prod(factorial(c) for c in Counter(drawn).values())
            weight = ways * prod((law[value] for value in drawn), start=Fraction(1))
            total += chance * weight * worst_error(rule, drawn, lying, mean)
    return total


def below(value: Fraction, first: Fraction, second: Fraction) -> bool:
    """value <= (sqrt(first) + sqrt(second))^2, without a root."""
    rest = value - first - second
    return rest <= 0 or rest * rest <= 4 * first * second


def worst_liars(task: Task, share: Fraction = Fraction(1)) -> Evidence:
    """The risk under the worst liars, in rationals over all sample paths; control: a fifth of the bound.

    The risk against share times C_rob/(E+1): both sides exact, the roots by squaring.
    """
    largest, where, tried = 0.0, "", 0
    for means, kernel in WORLDS:
        d = Fraction(len(means))
        for agents, lying in FULL if task.full else QUICK:
            for rule, constant in RULES.items():
                kappa = constant(agents, lying)
                assert kappa is not None
                first = app_robust_predictions.mean_coefficient(d, agents - lying)
                second = kappa * app_robust_predictions.own_coefficient(d)
                for samples in (1, 2, 4) if task.full else (1, 3):
                    scaled = (samples + 1) * risk(rule, agents, lying, samples, means, kernel)
                    tried += 1
                    ratio = float(scaled) / (sqrt(first) + sqrt(second)) ** 2
                    place = (
                        f"{rule}, M = {agents}, f = {lying}, E = {samples}, means {[str(m) for m in means]}"
                    )
                    if not below(scaled / share, first, second):
                        text = f"{place}: {ratio:.4f} of the bound, claimed {float(share):.4f}"
                        return Evidence(Verdict.REFUTED, text, {"ratio": ratio, "where": place})
                    if ratio > largest:
                        largest, where = ratio, place
    return Evidence(
        Verdict.EXACT,
        f"{tried} worlds, the worst liars: at most {largest:.4f} of the bound ({where})",
        {"worlds": tried, "worst_ratio": largest, "where": where},
    )
