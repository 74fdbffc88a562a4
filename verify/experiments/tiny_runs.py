"""Tiny finite-class runs in which the general theorem is not vacuous, and what share of its bounds they reach."""

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise

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

NEIGHBOUR = neighbours.neighbour(
    (
        neighbours.value,
        neighbours.value,
        neighbours.contexts,
        neighbours.learning_rate,
        neighbours.lengths,
        neighbours.ties,
        neighbours.rewards,
    )
)


def random_instance(rng: np.random.Generator) -> Federation:
    """A tiny instance in which the theorem is not vacuous: near-deterministic rewards and large learning rates."""
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
    return finite_federation(
        functions=tuple(
            tuple(tuple(Fraction(int(v), grid) for v in row) for row in table) for table in values[:, :, :met]
        ),
        truth=0,
        agents=tuple(members),
        plan=EpochPlan(rows, rows),
        ties=str(rng.choice(["first", "adversarial", "uniform"])),
        learning_rate=tuple(rates),
        rewards=str(rng.choice(["deterministic", "bernoulli"])),
    )


def nothing_to_learn(arms: int) -> Federation:
    """Every sample tells f* from its rival, so e = 0, and gamma is large: regret (K-1)/(K + gamma) a step.

    With a constant C at g = 0 that is (1-1/K)/C of the bound in the limit: known beforehand, whatever the seed is.
    """
    one, zero = Fraction(1), Fraction(0)
    truth = (one, *([zero] * (arms - 1)))
    functions, rows = ((truth,), (tuple(1 - value for value in truth),)), ((2,), (2,), (4,))
    rates = (Fraction(10**6),) * 2
    return alike(functions, EpochPlan(rows, rows), learning_rate=rates, rewards="deterministic")


def search(variant: str, ratio: Callable[[Federation, bool], float | None]) -> Search:
    """Return the search for the worst ratio over tiny runs."""
    return Search(variant, random_instance, NEIGHBOUR, ratio, control_shrink=0.45, quick=20, small=small)


def small(instance: Federation) -> bool:
    """Two functions and short epochs: a law in a few milliseconds."""
    return len(FiniteWorld.of(instance).functions) == 2 and max(sum(row) for row in instance.plan.full) <= 12


def epoch_constants(instance: Federation, variant: str) -> Callable[[float], float] | None:
    """Return g^2 -> the constant C of the epoch bound C S^l/gamma^l; None where the variant's proof does not reach."""
    c, most = asynchrony(instance.plan), max(instance.arms)
    if variant == "repaired":
        # larger gamma than H4 allows: the proof with e' = g^2 e multiplies its error term, at most the whole, by g^2
        return lambda g2: lem_epoch_regret_bound.paper(c) * max(g2, 1.0)
    if variant == "best":
        # beyond what the chain of the best proof can absorb; an agent without a choice
        if c >= 10 / 3 or min(instance.arms) < 2:
            return None
        proved = best(most) if c == 1 else of(ANY_SCHEDULE, most, Fraction(c))
        return lambda g2: float(proved.arms) + float(proved.risk) * g2
    return lambda g2: float(lem_epoch_regret_bound.sharpened(c, 1 - 1 / most, g2))


def _epoch_terms(instance: Federation) -> list[float]:
    """S^l/gamma^l of each epoch l >= 2."""
    plan, rates = instance.plan, instance.learning_rates()
    terms = []
    for l in range(1, plan.epochs):
        weights = epoch_weights(plan, l)
        terms.append(sum(weights) * thm_global_regret.mean_arms(weights, instance.arms) / float(rates[l]))
    return terms


def epoch_bounds(instance: Federation, variant: str, rational: bool = True) -> tuple[ExactLaw, list[float]]:
    """The exact law, and the bound on E regret of each epoch l >= 2 (none where the variant's proof does not reach).

    The true excess risks serve as e: H3 holds with equality, so nothing is given away. H4 then holds with
    g = max_l gamma^l sqrt(e_{l-1}/Kbar^{l-1}); the repaired theorem needs g <= 1, so it is scaled by max(g, 1)^2.
    """
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
    """(E regret / bound, informative) of each epoch l >= 2; informative: the bound is below what the epoch can lose.

    None at all where no epoch can be informative: the bound grows with g, so it is enough to look at g = 0.
    """
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
    """Return the largest ratio among the epochs where the sharpened bound says something."""
    return max((r for r, telling in epoch_ratios(instance, "sharpened", rational) if telling), default=None)


def total_ratio(instance: Federation, rational: bool) -> float | None:
    """Return regret after the first epoch over the sharpened theorem's sum of min(W^l, C S^l/gamma^l).

    The first epoch, uniform play, meets its bound with equality and would hide the rest. None if all is vacuous.
    """
    law, bounds = epoch_bounds(instance, "sharpened", rational)
    trivial = [float(sum(epoch_weights(instance.plan, l))) for l in range(1, instance.plan.epochs)]
    if all(bound >= most for bound, most in zip(bounds, trivial, strict=True)):
        return None
    later = sum(min(bound, most) for bound, most in zip(bounds, trivial, strict=True))
    return float(sum(epoch.regret for epoch in law.epochs[1:])) / later
