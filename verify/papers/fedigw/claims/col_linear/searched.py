"""Make linear federations with a few samples, and compare their regret or excess risk with its bound; searches for
worst cases use them."""

import math
from fractions import Fraction
from functools import partial
from typing import Any, cast

import numpy as np

from bounds.schedules import EpochPlan
from bounds.theorems import thm_global_regret
from fedigw.federation import Federation
from fedigw.rewards import LAWS
from linear import counts, neighbours
from linear.contexts.finite import FiniteContexts
from linear.federations import linear_federation
from linear.law import exact_law, mean_excess_risk
from linear.world import LinearWorld
from verify.claim import Evidence, Search, Task, Verdict
from verify.experiments.ratios import at_most_one

MOST_OUTCOMES = 500  # compositions that a rational sum of a search may have
MOST_SAMPLES = 256  # of a tiny world


def contexts(rng: np.random.Generator, parameter: np.ndarray, size: int, arms: int) -> FiniteContexts:
    """Draw one or two contexts (`size`) with their probabilities, and features in the unit ball whose entries are
    multiples of 1/16. A feature whose mean reward for the parameter is outside [0,1], or whose norm exceeds 1, is
    replaced by 0."""
    features = np.zeros((size, arms, len(parameter)))
    for x in range(size):
        for a in range(arms):
            trial = rng.integers(-16, 17, size=len(parameter)) / 16
            trial = trial if rng.random() < 0.5 else np.eye(len(parameter))[int(rng.integers(len(parameter)))]
            if np.linalg.norm(trial) <= 1 and 0 <= trial @ parameter <= 1:
                features[x, a] = trial
    share = int(rng.integers(1, 16)) / 16
    return FiniteContexts(features, np.array([1.0]) if size == 1 else np.array([share, 1 - share]))


def parameters(rng: np.random.Generator, dimension: int) -> np.ndarray:
    """Draw a true parameter in the unit ball whose entries are multiples of 1/16."""
    while True:
        found = rng.integers(0, 17, size=dimension) / 16
        if np.linalg.norm(found) <= 1:
            return np.asarray(found)


def two_epochs(rng: np.random.Generator) -> Federation:
    arms, parameter = int(rng.integers(2, 7)), parameters(rng, 1)
    length = 24 * arms + int(rng.integers(0, 30))
    rows = ((length,), (length,))
    world = contexts(rng, parameter, 1, arms)
    return linear_federation((world,), parameter, EpochPlan(rows, rows), rewards=str(rng.choice(LAWS)))


def second_epoch_ratio(instance: Federation, rational: bool) -> float | None:
    """Return the expected regret of epoch 2 divided by the sharpened bound on it. Return None if the bound is not below
    the number of steps, or there are too many samples. Epoch 1 is left out because uniform play attains its bound."""
    term = thm_global_regret.epoch_terms("sharpened", instance.plan, instance.arms, instance.risks())[1]
    if term >= sum(instance.plan.played[1]) or sum(instance.plan.full[0]) > MOST_SAMPLES:
        return None
    return float(exact_law(instance, rational, last_risk=False).epochs[1].regret) / term


def one_epoch(rng: np.random.Generator, heterogeneous: bool) -> Federation:
    parameter = parameters(rng, int(rng.integers(1, 4)))
    size, arms = int(rng.integers(1, 3)), int(rng.integers(1, 3))
    agents = [contexts(rng, parameter, size, arms) for _ in range(2 if heterogeneous else 1)]
    row = tuple(int(rng.integers(1, 6)) for _ in agents)
    return linear_federation(
        tuple(agents), parameter, EpochPlan((row,), (row,)), rewards=str(rng.choice(LAWS))
    )


def excess_risk_ratio(instance: Federation, rational: bool, heterogeneous: bool) -> float | None:
    found = excess_risk_sides(instance, rational, heterogeneous)
    return None if found is None else float(found[0] / found[1])


def excess_risk_sides(instance: Federation, rational: bool, heterogeneous: bool) -> tuple[Any, Any] | None:
    """Return the mean excess risk of ridge regression and its bound; None if the bound is 0 or the exact sum has too
    many terms. The bound is (v d + norm(w*)^2)/(n+1) if the contexts of all agents have one distribution, else (v d +
    9/4 norm(w*)^2)/n. v is the largest variance of a reward, n the number of samples in d dimensions, w* the true
    parameter."""
    outcomes, spread, n = 1, Fraction(0), sum(instance.plan.full[0])
    if n > MOST_SAMPLES:
        return None
    exact = [Fraction(float(w)) for w in LinearWorld.of(instance).parameter]
    for agent, steps in zip(LinearWorld.of(instance).agents, instance.plan.full[0], strict=True):
        world = cast(FiniteContexts, agent)
        rows = {tuple(row) for row in world.cells.tolist()}
        outcomes *= math.comb(steps + len(rows) - 1, len(rows) - 1)
        for row in rows:
            mean = sum((Fraction(phi) * w for phi, w in zip(row, exact, strict=True)), Fraction(0))
            spread = max(spread, counts.variance(mean, LinearWorld.of(instance).rewards))
    norm = sum((w * w for w in exact), Fraction(0))
    bias = Fraction(9, 4) if heterogeneous else Fraction(1)
    bound = (spread * LinearWorld.of(instance).dimension + bias * norm) / (n if heterogeneous else n + 1)
    if outcomes > MOST_OUTCOMES or bound == 0:
        return None
    return mean_excess_risk(instance, rational), bound if rational else float(bound)


LATER = (neighbours.rewards, neighbours.first_length)
TWO_EPOCH_MOVES = neighbours.neighbour((neighbours.feature, neighbours.parameter, neighbours.arms, *LATER))
SIZES: dict[str, Any] = dict(quick=6, full=80, small=lambda instance: max(instance.arms) == 2)
REGRET = Search("epoch", two_epochs, TWO_EPOCH_MOVES, second_epoch_ratio, control_shrink=0.12, **SIZES)
MOVES = neighbours.neighbour(
    (neighbours.feature, neighbours.feature, neighbours.parameter, neighbours.law, *LATER)
)
EXCESS_RISK = {
    variant: Search(
        variant,
        partial(one_epoch, heterogeneous=heterogeneous),
        MOVES,
        partial(excess_risk_ratio, heterogeneous=heterogeneous),
        control_shrink=0.3 if heterogeneous else 0.55,
        quick=20,
        full=400,
        exact_bound=True,
    )
    for variant, heterogeneous in (("same_law", False), ("different_laws", True))
}


def one_sample(heterogeneous: bool) -> Federation:
    axis = FiniteContexts(np.ones((1, 1, 1)), np.ones(1))
    agents = (axis, axis) if heterogeneous else (axis,)
    row = (1,) * len(agents)
    return linear_federation(agents, np.array([0.5]), EpochPlan((row,), (row,)))


def every_path(task: Task, heterogeneous: bool, below: Fraction | None = None) -> Evidence:
    """Compare the mean excess risk of ridge regression, over all sequences of samples, with its bound in rationals,
    on one fixed example and on random ones with one to three dimensions. Negative control, which must fail: a bound
    below the excess risk of the fixed example."""
    rng, wanted = task.rng(), 150 if task.full else 12
    found: list[tuple[Any, str]] = []
    known = excess_risk_sides(one_sample(heterogeneous), True, heterogeneous)
    assert known is not None
    shrink = Fraction(1) if below is None else below * known[0] / known[1]
    while len(found) < wanted:
        instance = one_epoch(rng, heterogeneous) if found else one_sample(heterogeneous)
        if sides := excess_risk_sides(instance, True, heterogeneous):
            where = f"d = {LinearWorld.of(instance).dimension}, lengths {instance.plan.full[0]}"
            found.append((sides[0] / (shrink * sides[1]), where))
    return at_most_one(found, "excess risk over all sample paths", Verdict.EXACT, "rational worlds")
