"""Evaluate bandit instances that show how large the constant of the bound on an epoch's regret must be, in exact
rationals.

The bound (lem:epoch_regret_bound) says: the regret of an epoch is at most C S/gamma, with a constant C, S the sum over
agents of steps times arms, and gamma the learning rate of inverse gap weighting. The instances here meet its hypotheses
(docs/hypotheses.md), and have regret C* S/gamma for some number C*. So no proof from these hypotheses can have a
constant C below C*.

An instance has one agent, one context and K arms: a few named arms, and very bad ones that are estimated without error.
Regrets, errors and gaps are in units of K/gamma, with gamma of the last epoch. In these units the condition on the
excess risk, e <= g^2 K with g the factor in gamma = g sqrt(K/e), does not depend on K. The arm that was greedy in the
epoch before is estimated without error, because an error there would cost K times as much as elsewhere.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

SAVED = Path(__file__).with_name("barrier.json")


@dataclass(frozen=True)
class Barrier:
    """A bandit instance with a few named arms and many bad ones, and with chosen estimates in every epoch. Regrets
    and estimates are in units of K/gamma, for K arms and the learning rate gamma of the last epoch.

    multiplier   g in the learning rate gamma = g sqrt(K/e), for excess risk e
    ratio        (gamma of an epoch)/(gamma of the next one), the same for every epoch
    bad          the regret of each arm that is not named
    regrets      the regret of each named arm; arm 0 is the best and has none
    estimates    for each epoch from the second, the estimate of each named arm minus the mean of the best arm
    """

    multiplier: Fraction
    ratio: Fraction
    bad: Fraction
    regrets: tuple[Fraction, ...]
    estimates: tuple[tuple[Fraction, ...], ...]


@dataclass(frozen=True)
class Evaluated:
    """The result of `evaluate` for a bandit instance: the regret of its last epoch, and whether the instance meets the
    hypotheses of the bound C S/gamma on an epoch's regret.

    over_g       the regret divided by g K/gamma, for K arms and learning rate gamma = g sqrt(K/excess risk); no
                 bound with a smaller C/g is true
    worst_risk   the largest excess risk of an epoch divided by the allowed one; the instance is valid if it is at
                 most 1
    greedy       the greedy arm of each epoch from the second
    """

    over_g: Fraction
    worst_risk: Fraction
    greedy: tuple[int, ...]


def evaluate(barrier: Barrier, arms: int) -> Evaluated:
    """Compute the regret of a bandit instance with `arms` arms in its last epoch: inverse gap weighting is carried
    out exactly, epoch by epoch. The bad arms have equal probabilities, so they are treated as one."""
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
    """Return whether this instance shows that a claimed constant C in the bound C x steps x arms/gamma on an epoch's
    regret is too small. The claimed constant is C = claimed_arms + claimed_risk g^2, where the policy's learning rate
    is gamma = g sqrt(arms/excess risk)."""
    found = evaluate(barrier, arms)
    claimed = claimed_arms + claimed_risk * barrier.multiplier**2
    return found.worst_risk <= 1 and found.over_g * barrier.multiplier > claimed


def saved_barriers() -> Mapping[str, Barrier]:
    """Return the recorded bandit instances that limit the constant of the bound on an epoch's regret, by name. They
    are rounded solutions of a cone program (docs/proof_best.md, section 10)."""
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
