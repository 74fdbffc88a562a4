"""Make tiny finite-class federations whose regret bound is below the trivial one, and compare their exact regret with
this bound."""

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from bounds import lem_epoch_regret_bound
from bounds.best.constant import best, of
from bounds.best.parameters import ANY_SCHEDULE
from bounds.schedules import EpochPlan, asynchrony, epoch_weights
from bounds.theorems import thm_global_regret
from fedigw.applicable import largest_epoch_regret
from fedigw.federation import Federation
from finite_class import neighbours
from finite_class.federations import alike, finite_federation
from finite_class.law import ExactLaw, exact_law
from finite_class.world import Agent, FiniteWorld
from verify.claim import Search

MOVES = (neighbours.value, neighbours.value, neighbours.contexts, neighbours.learning_rate)
NEIGHBOUR = neighbours.neighbour((*MOVES, neighbours.lengths, neighbours.ties, neighbours.rewards))


def random_instance(rng: np.random.Generator) -> Federation:
    """Draw a finite-class federation of one or two agents with three epochs. Mean rewards are 0, 1/2 or 1 and learning
    rates are large, so that the regret bound is often below the trivial one."""
    contexts, arms, functions = int(rng.integers(1, 3)), int(rng.integers(2, 4)), int(rng.integers(2, 4))
    agents = int(rng.integers(1, 3))
    grid = int(rng.choice([1, 2]))
    values = rng.integers(0, grid + 1, size=(functions, contexts, arms))
    members = []
    for _ in range(agents):
        share = Fraction(int(rng.integers(1, 6)), 6) if contexts == 2 else Fraction(1)
        own = tuple(range(arms)) if rng.random() < 0.7 else tuple(range(2))
        members.append(Agent((share, 1 - share)[:contexts] if contexts == 2 else (Fraction(1),), own))
    met = max(len(agent.arms) for agent in members)  # an arm that nobody has is left out
    first = int(rng.integers(1, 5))
    lengths = [[first * int(rng.integers(1, 3)) for _ in range(agents)]]
    for _ in range(2):
        grow = int(rng.integers(1, 3))
        lengths.append([e * grow if rng.random() < 0.8 else e * (grow + 1) for e in lengths[-1]])
    rates = sorted(Fraction(int(v)) for v in rng.integers(5, 400, size=2))
    rows = tuple(tuple(row) for row in lengths)
    table = tuple(tuple(tuple(Fraction(int(v), grid) for v in row) for row in f) for f in values[:, :, :met])
    ties = str(rng.choice(["first", "adversarial", "uniform"]))
    known: dict[str, Any] = {"ties": ties, "rewards": str(rng.choice(["deterministic", "bernoulli"]))}
    plan = EpochPlan(rows, rows)
    return finite_federation(table, 0, tuple(members), plan, learning_rate=tuple(rates), **known)


def nothing_to_learn(arms: int) -> Federation:
    """Return a federation in which one sample is enough to identify the true rewards, so that the excess risk is 0."""
    # a step then has the regret (K-1)/(K + gamma); of a bound C K/gamma times the steps this is the share (1-1/K)/C
    # for large gamma, for every seed
    one, zero = Fraction(1), Fraction(0)
    truth = (one, *([zero] * (arms - 1)))
    functions, rows = ((truth,), (tuple(1 - value for value in truth),)), ((2,), (2,), (4,))
    rates = (Fraction(10**6),) * 2
    return alike(functions, EpochPlan(rows, rows), learning_rate=rates, rewards="deterministic")


def search(variant: str, ratio: Callable[[Federation, bool], float | None]) -> Search:
    return Search(variant, random_instance, NEIGHBOUR, ratio, control_shrink=0.45, quick=20, small=small)


def small(instance: Federation) -> bool:
    return len(FiniteWorld.of(instance).functions) == 2 and max(sum(row) for row in instance.plan.full) <= 12


def epoch_constants(instance: Federation, variant: str) -> Callable[[float], float] | None:
    """Return a function of g^2 that gives the constant C in the bound C S/gamma on an epoch's regret, or None if the
    proof of this variant does not apply. S is the sum over agents of steps times arms. gamma = g sqrt(K/e) is the
    learning rate for K arms and a model of excess risk e."""
    c, most = asynchrony(instance.plan), max(instance.arms)
    if variant == "repaired":
        # For gamma larger than H4 allows, the proof with e' = g^2 e multiplies a part of the constant by g^2
        return lambda g2: lem_epoch_regret_bound.paper(c) * max(g2, 1.0)
    if variant == "best":
        # the proof needs c < 10/3 and agents with at least two arms
        if c >= 10 / 3 or min(instance.arms) < 2:
            return None
        proved = best(most) if c == 1 else of(ANY_SCHEDULE, most, Fraction(c))
        return lambda g2: float(proved.arms) + float(proved.risk) * g2
    return lambda g2: float(lem_epoch_regret_bound.sharpened(c, 1 - 1 / most, g2))


def _epoch_terms(instance: Federation) -> list[float]:
    plan, rates = instance.plan, instance.learning_rates()
    terms = []
    for l in range(1, plan.epochs):
        weights = epoch_weights(plan, l)
        terms.append(sum(weights) * thm_global_regret.mean_arms(weights, instance.arms) / float(rates[l]))
    return terms


def epoch_bounds(instance: Federation, variant: str, rational: bool = True) -> tuple[ExactLaw, list[float]]:
    """Return the exact law of a federation (in fractions if `rational`), and the bounds on the regret of each epoch
    from the second on, computed with the true excess risks. The list of bounds is empty if the proof of this variant
    does not apply."""
    # gamma^l <= g sqrt(Kbar^{l-1}/e_{l-1}), Kbar the mean number of arms, holds with g = max_l gamma^l
    # sqrt(e_{l-1}/Kbar^{l-1}); the repaired theorem is stated for g = 1, so its bound is multiplied by max(g, 1)^2
    law, plan, arms = exact_law(instance, rational), instance.plan, instance.arms
    rates = [float(rate) for rate in instance.learning_rates()]
    assert all(after >= before for before, after in pairwise(rates[1:])), "H5"
    g2 = max(
        rates[l] ** 2
        * float(law.epochs[l - 1].excess_risk or 0)
        / thm_global_regret.mean_arms(plan.full[l - 1], arms)
        for l in range(1, plan.epochs)
    )
    constant = epoch_constants(instance, variant)
    return law, [constant(g2) * term for term in _epoch_terms(instance)] if constant else []


def epoch_ratios(instance: Federation, variant: str, rational: bool = True) -> list[tuple[float, bool]]:
    """Return two values for each epoch from the second on: its expected regret divided by its bound, and whether the
    bound is below the largest possible regret of the epoch. The list is empty if no epoch can have such a bound."""
    largest = largest_epoch_regret(instance)
    constant = epoch_constants(instance, variant)
    if constant is None or not any(
        constant(0.0) * term < most for term, most in zip(_epoch_terms(instance), largest[1:], strict=True)
    ):
        return []
    law, bounds = epoch_bounds(instance, variant, rational)
    return [
        (float(law.epochs[l].regret) / bound, bound < largest[l]) for l, bound in enumerate(bounds, start=1)
    ]


def worst_epoch(instance: Federation, rational: bool) -> float | None:
    """Return the largest ratio of an epoch's expected regret to its sharpened bound; None if there is none. Epochs
    whose bound is not below their largest possible regret are left out."""
    return max((r for r, telling in epoch_ratios(instance, "sharpened", rational) if telling), default=None)


def total_ratio(instance: Federation, rational: bool) -> float | None:
    """Return the expected regret after epoch 1 divided by the sharpened bound on it; None if this bound is trivial in
    each epoch. Epoch 1 is left out because uniform play always attains its bound."""
    law, bounds = epoch_bounds(instance, "sharpened", rational)
    trivial = [float(sum(epoch_weights(instance.plan, l))) for l in range(1, instance.plan.epochs)]
    if all(bound >= most for bound, most in zip(bounds, trivial, strict=True)):
        return None
    later = sum(min(bound, most) for bound, most in zip(bounds, trivial, strict=True))
    return float(sum(epoch.regret for epoch in law.epochs[1:])) / later
