"""Attack every robust aggregation rule and compare how far its result moves with the proved bound, for all 30 pairs
of M <= 12 agents and f < M/2 liars."""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from fedigw_extensions.robust.aggregators.geometric_median import GeometricMedian
from fedigw_extensions.robust.aggregators.median import Median
from fedigw_extensions.robust.aggregators.trimmed_mean import TrimmedMean
from fedigw_extensions.robust.attacks.witness import worst_messages
from fedigw_extensions.robust.bounds import app_robust_mean as formulas
from verify.claim import Evidence, Task
from verify.experiments.ratios import at_most_one

EACH = 334  # attacks a pair: 10,020 in all
ROUNDING = 1e-6  # of a ratio, at messages up to 1e6 variances away
SIZE = 3


def drawn(rng: np.random.Generator, agents: int, lying: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return random honest messages (M - lying, count, 3) and lies (lying, count, 3). Honest messages are normal,
    heavy-tailed or in two groups. Lies are random, all equal, enlarged copies of an honest message, or far away on
    the line through the groups."""
    honest = rng.standard_normal((agents - lying, count, SIZE))
    honest = np.where(rng.random((1, count, 1)) < 0.4, honest**3, honest)
    camps = np.zeros_like(honest)
    camps[..., 0] = np.arange(agents - lying)[:, None] < rng.integers(1, agents - lying, count)
    camped = rng.random(count) < 0.4
    honest[:, camped] = (
        camps[:, camped] + 1e-3 * rng.integers(0, 2, camped.sum())[:, None] * honest[:, camped]
    )
    scale = 10.0 ** rng.integers(0, 7, (1, count, 1))
    apart = scale * rng.standard_normal((lying, count, SIZE))
    together = np.broadcast_to(apart[:1], apart.shape)
    copied = np.broadcast_to(scale * honest[rng.integers(agents - lying)][None], apart.shape)
    along = np.zeros_like(apart)
    along[..., :1] = scale * np.where(rng.random((1, count, 1)) < 0.5, 1, -1)
    kind = rng.integers(0, 4, count)
    return honest, np.choose(kind[None, :, None], [apart, together, copied, along])


def largest(task: Task, rule: str, share: float = 1.0) -> Evidence:
    """Compare the squared distance of the aggregate from the mean of the honest messages with its bound, for random
    and structured attacks on all 30 pairs of agents and liars. Control, which must fail: a constant that is 1 %
    smaller.

    There are 10,020 attacks, the worst messages of the rule among them; the quick profile has 1,020 on the geometric
    median.
    """
    each = EACH if rule != "geometric_median" or task.full else EACH // 20 + 1
    return _evidence(_ratios(task.rng(), rule, share, each), each * len(formulas.PAIRS))


def _ratios(rng: np.random.Generator, rule: str, share: float, each: int) -> Iterator[tuple[float, str]]:
    for agents, lying in formulas.PAIRS:
        rules: dict[str, Any] = {"trimmed_mean": TrimmedMean(lying), "median": Median()}
        aggregator = rules.get(rule, GeometricMedian())
        constant = float(aggregator.constant(agents, lying))
        honest, lies = drawn(rng, agents, lying, each - 1)
        points = [np.array(part, dtype=float) for part in worst_messages(rule, agents, lying)]
        flat = [np.pad(part, ((0, 0), (0, SIZE - 2)))[:, None] for part in points]
        honest, lies = np.concatenate([honest, flat[0]], axis=1), np.concatenate([lies, flat[1]], axis=1)
        messages, weights = np.concatenate([honest, lies]), np.full(agents, 1 / agents)
        if aggregator.coordinatewise:
            combined = aggregator.combine(messages, weights)
        else:
            combined = np.stack([aggregator.combine(messages[:, i], weights) for i in range(each)])
        centre = honest.mean(axis=0)
        variance = ((honest - centre) ** 2).sum(axis=2).mean(axis=0)
        ratios = ((combined - centre) ** 2).sum(axis=1) / (constant * variance)
        yield float(ratios.max()) / share, f"M = {agents}, f = {lying}"


def weighted(task: Task, share: float = 1.0) -> Evidence:
    """Compare the squared distance of weighted medians from the mean of the honest messages with its bound, for random
    weights and for messages that come arbitrarily close to the bound. The control, which must fail, claims `share` of
    the bound."""
    rng, found = task.rng(), []
    for _ in range(2000 if task.full else 80):
        agents = int(rng.integers(3, 13))
        lying = int(rng.integers(1, agents - 1))
        weights = rng.dirichlet(np.ones(agents))
        if rng.random() < 0.3:  # honest weight 1/2 - phi at one point and 1/2 at another
            phi, agents, lying = float(rng.uniform(0.05, 0.45)), 3, 1
            weights = np.array([0.5 - phi + 1e-6, 0.5 - 1e-6, phi])
        phi = float(weights[agents - lying :].sum())
        constant = formulas.weighted(phi)
        if constant is None or phi > 0.49:
            continue
        honest, lies = drawn(rng, agents, lying, 1)
        if agents == 3:
            honest, lies = np.zeros((2, 1, SIZE)), np.full((1, 1, SIZE), 0.0)
            honest[0, 0, 0], lies[0, 0, 0] = 1.0, 1e6
        own = weights[: agents - lying] / (1 - phi)
        centre = own @ honest[:, 0]
        variance = float(own @ ((honest[:, 0] - centre) ** 2).sum(axis=1))
        for aggregator in (Median(), GeometricMedian()):
            combined = aggregator.combine(np.concatenate([honest, lies])[:, 0], weights)
            value = float(((combined - centre) ** 2).sum()) / (constant * variance)
            found.append((value / share, f"{aggregator.name}, phi = {phi:.3g}"))
    return _evidence(found, len(found))


def _evidence(found: Iterable[tuple[float, str]], tried: int) -> Evidence:
    what = f"{tried} attacks move an aggregate by"
    return at_most_one(found, what, cases="settings", rounding=ROUNDING, attacks=tried)
