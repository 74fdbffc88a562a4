"""Run FedIGW with private protocols and agents that all draw contexts from one law, and compare excess risk and
regret with their bounds."""

import math
from typing import Any

import numpy as np

from bounds.app_noisy_statistics import PLACES
from bounds.schedules import doubling_plan
from fedigw.applicable import applicable, largest_regret
from fedigw.replications import simulate
from linear.contexts.finite import FiniteContexts
from linear.federations import linear_federation
from verify.claim import Evidence, Task, Verdict
from verify.statistics.confidence import binomial_lower, binomial_upper
from verify.statistics.measurement import Comparison, compare, measure, overall

PARAMETER = np.array([0.9, 0.1])
# two contexts; in each one arm of mean 0.9 and one of mean 0.1
FEATURES = np.array([[[1.0, 0.0], [0.0, 1.0]], [[0.0, 1.0], [1.0, 0.0]]])


def federation(protocol: Any, agents: int, horizon: int) -> Any:
    """Return a federation with one law of contexts for all agents, two arms, dimension 2 and Bernoulli rewards."""
    contexts = FiniteContexts(FEATURES, np.array([0.5, 0.5]))
    plan = doubling_plan(horizon, agents)
    return linear_federation((contexts,) * agents, PARAMETER, plan, protocol=protocol)


def regret(
    task: Task,
    protocol: Any,
    agents: int,
    horizon: int,
    level: float,
    shrink: float = 1.0,
    budget: int = 4096,
) -> tuple[Comparison, dict[str, Any]]:
    """Compare the measured regret of FedIGW with a private protocol with `shrink` times its bound. Runs are added
    until the comparison is decided, at most `budget`. Return the comparison, and its numbers for plots."""
    made = federation(protocol, agents, horizon)
    found = applicable(made)
    assert not found.missing
    # a seed of its own for every configuration
    place = PLACES.index(protocol.where)
    seeds = np.random.SeedSequence([*_entropy(task), agents, horizon, int(1000 * protocol.epsilon), place])

    def draw(count: int) -> np.ndarray:
        return np.asarray(simulate(made, count, seeds.spawn(1)[0]).total_regret)

    bound = shrink * found.values["sharpened"]
    where = f"{protocol.name} ({protocol.where}), epsilon = {protocol.epsilon:g}, M = {agents}, T = {horizon}"
    comparison = measure(where, draw, largest_regret(made), bound, found.trivial["sharpened"], level, budget)
    row = {
        "protocol": protocol.name,
        "where": protocol.where,
        "epsilon": protocol.epsilon,
        "M": agents,
        "T": horizon,
        "regret": comparison.mean,
        "low": comparison.low,
        "high": comparison.high,
        "bound": bound,
        "largest": largest_regret(made),
        "vacuous": comparison.vacuous,
        **comparison.verdict.fields,
    }
    return comparison, row


def risks(
    task: Task, protocol: Any, agents: int, horizon: int, replications: int, bound: Any = None
) -> list[tuple[int, np.ndarray, float]]:
    """Return (n, risks, bound) for every execution of the protocol whose bound is below 0.9: the number of samples,
    the excess risks (R,) in R runs, and the bound on their mean. bound: a function of n that replaces the proved
    bound in negative controls."""
    made = federation(protocol, agents, horizon)
    promised = made.guarantee()
    assert promised is not None
    assert not promised.missing
    entropy = [*_entropy(task), agents, horizon, int(1000 * protocol.epsilon), PLACES.index(protocol.where)]
    record = simulate(made, replications, np.random.SeedSequence(entropy), audit=True)
    assert record.excess_risk is not None
    found = []
    for epoch, full in enumerate(record.full):
        n = sum(full)
        stated = promised.risk("sharpened", n) if bound is None else bound(n)
        if not np.isnan(record.excess_risk[:, epoch]).any() and stated < 0.9:
            found.append((n, record.excess_risk[:, epoch], float(stated)))
    return found


def judge_risks(rows: list[tuple[str, int, np.ndarray, float]], level: float) -> list[Comparison]:
    return [
        compare(f"{name}, n = {n}", sample, 1.0, bound, 1.0, level / len(rows))
        for name, n, sample, bound in rows
    ]


def judged(comparisons: list[Comparison], what: str, level: float, rows: Any = None) -> Evidence:
    """Return the joint verdict of all comparisons. Its summary names the comparison closest to its bound, vacuous
    bounds left out. what: a name for the things compared. rows: numbers for plots."""
    telling = [c for c in comparisons if not c.vacuous]
    if not telling:
        return Evidence(Verdict.UNDECIDED, "every bound is vacuous", vacuous=True, level=level)
    worst = min(telling, key=lambda c: c.factor)
    said = f"{len(telling)} {what} below the bound by a factor of at least {worst.factor:.2f} ({worst.where})"
    figures = {"rows": rows or [c.json() for c in comparisons]}
    return Evidence(overall(comparisons), said, figures, level=level)


def least_epsilon(hits: tuple[int, int], runs: int, delta: float, level: float) -> float:
    """Return a lower confidence bound on the epsilon of an (epsilon, delta)-private algorithm, which ran `runs` times
    on each of two datasets that differ in one sample; an event occurred hits[0] and hits[1] times. Epsilon is at least
    ln((p - delta)/q) for the event's probabilities p and q, bounded by Clopper-Pearson intervals."""
    least, most = binomial_lower(hits[0], runs, level), binomial_upper(hits[1], runs, level)
    return max(0.0, math.log((least - delta) / most)) if least > delta else 0.0


def _entropy(task: Task) -> list[int]:
    return [int(word) for word in task.seed.generate_state(4)]
