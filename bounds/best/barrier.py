"""Instances that limit every proof from the hypotheses H1-H5: their epoch regret is C* S/gamma, in exact rationals.

C* is thus a lower limit on the constant C of lem:epoch_regret_bound, epoch regret <= C S/gamma, where S is the sum
over agents of steps times arms and gamma the learning rate. One agent, one context, K arms: a few named arms, and
very bad arms for the rest, which are estimated without error. All regrets, errors and gaps are in units of
K/gamma_L, gamma_L the learning rate of the last epoch. An error at an arm that was greedy in the epoch before would
cost K times as much as elsewhere, so there is none. In these units the condition on the excess risk eps^l of epoch
l, eps^l <= g^2 K with gamma = g sqrt(K/e), does not depend on K.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

SAVED = Path(__file__).with_name("barrier.json")


@dataclass(frozen=True)
class Barrier:
    """A bandit instance of a few named arms and many bad ones, with chosen estimates. regrets: of each named arm; arm
    0 is best. estimates: fhat^l - f*(best arm) for each epoch l = 2..L and each named arm. bad: the regret of each
    other arm. multiplier: g in gamma = g sqrt(K/e). ratio: gamma_{l-1}/gamma_l, the same for every epoch l."""

    multiplier: Fraction
    ratio: Fraction
    bad: Fraction
    regrets: tuple[Fraction, ...]
    estimates: tuple[tuple[Fraction, ...], ...]


@dataclass(frozen=True)
class Evaluated:
    """The regret of an instance. over_g: gamma regret/(g K) in the last epoch; a constant C of
    lem:epoch_regret_bound is refuted if C/g is smaller. worst_risk: the largest excess risk of an epoch, divided by
    the allowed one; the instance is valid if it is at most 1. greedy: the greedy arm of each epoch."""

    over_g: Fraction
    worst_risk: Fraction
    greedy: tuple[int, ...]


def evaluate(barrier: Barrier, arms: int) -> Evaluated:
    """Return the regret of the instance with K = `arms` arms: inverse gap weighting is computed exactly through all
    epochs. The bad arms have equal probabilities, so they are treated as one."""
    named, epochs = len(barrier.regrets), len(barrier.estimates) + 1
    count = arms - named
    if count < 0 or barrier.regrets[0] != 0 or min(barrier.regrets) < 0:
        raise ValueError(f"arms = {arms}: at least the {named} named arms, arm 0 without regret")
    probabilities = [Fraction(1, arms)] * named
    bad = Fraction(1, arms)
    worst, greedy = Fraction(0), []
    for index, estimate in enumerate(barrier.estimates):
        unit = arms * barrier.ratio ** (epochs - 2 - index)  # gamma_l in units of gamma_L/K
        # The bad arms have no error, so they add nothing to the risk.
        risk = sum(
            (
                p * (unit * (f + r)) ** 2
                for p, f, r in zip(probabilities, estimate, barrier.regrets, strict=True)
            ),
            Fraction(0),
        )
        worst = max(worst, risk / (barrier.multiplier**2 * arms))
        best = max(range(named), key=lambda a: (estimate[a], -a))
        if estimate[best] < -barrier.bad:
            raise ValueError("a bad arm would be greedy")
        greedy.append(best)
        probabilities = [1 / (arms + unit * (estimate[best] - f)) for f in estimate]
        bad = 1 / (arms + unit * (estimate[best] + barrier.bad))
        probabilities[best] += 1 - sum(probabilities) - count * bad
    regret = count * bad * barrier.bad + sum(
        p * r for p, r in zip(probabilities, barrier.regrets, strict=True)
    )
    return Evaluated(regret / barrier.multiplier, worst, tuple(greedy))


def refutes(barrier: Barrier, arms: int, claimed_arms: Fraction, claimed_risk: Fraction) -> bool:
    """Return whether this instance shows that the constant C(g) = claimed_arms + claimed_risk g^2 of
    lem:epoch_regret_bound is too small, at the g of the instance."""
    found = evaluate(barrier, arms)
    claimed = claimed_arms + claimed_risk * barrier.multiplier**2
    return found.worst_risk <= 1 and found.over_g * barrier.multiplier > claimed


def saved_barriers() -> Mapping[str, Barrier]:
    """Return the recorded instances by name: rounded solutions of a cone program (docs/proof_best.md, section 10)."""
    stored = json.loads(SAVED.read_text(encoding="utf-8"))
    return {
        name: Barrier(
            Fraction(entry["multiplier"]),
            Fraction(entry["ratio"]),
            Fraction(entry["bad"]),
            tuple(Fraction(x) for x in entry["regrets"]),
            tuple(tuple(Fraction(x) for x in row) for row in entry["estimates"]),
        )
        for name, entry in stored.items()
    }
