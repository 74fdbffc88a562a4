"""Check for finite classes, with learning rates chosen from the data, that the regret of each simulation is at most
the bounds computed from its own data."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from bounds import own_adaptive, variants
from bounds.best.constant import best
from bounds.theorems import col_finite
from fedigw.adapting import Observed
from fedigw.federation import Federation
from fedigw.rates import AdaptiveRates
from fedigw.record import RunRecord
from fedigw.replications import pooled
from finite_class.environments import gap_one, heterogeneous, near_ties, random_table, rare_context
from finite_class.world import FiniteWorld
from verify.claim import Evidence, Task, Verdict
from verify.statistics.confidence import share_within

RUNS = {"quick": 80, "full": 500}  # on each instance
DELTA = {"quick": 0.5, "full": 0.1}  # the larger one is decided by fewer runs
HORIZON = 1024
GAPS = (Fraction(1, 4), Fraction(1, 10), Fraction(1, 30), Fraction(1, 100))
EQUAL = 1e-9  # relative: with one function left the bound is the regret itself, summed in another order
PRACTICAL = 8  # g of a fixed rate with a small regret in all these environments (docs/rates.md)


def instances(rng: np.random.Generator, horizon: int = HORIZON) -> dict[str, Federation]:
    """Return 32 federations by name: nearly equal arms with four gaps, a gap of 1, random tables of rewards, a rare
    context, and agents with different arms, each with 2 and 5 arms and with 1 and 10 agents."""
    found: dict[str, Federation] = {}
    for arms, agents in product((2, 5), (1, 10)):
        size: dict[str, Any] = {"arms": arms, "agents": agents, "horizon": horizon}
        where = f"K = {arms}, M = {agents}"
        for gap in GAPS:
            found[f"near ties {gap}, {where}"] = near_ties.make(rng, gap, contexts=2, **size)
        found[f"gap 1, {where}"] = gap_one.make(rng, **size)
        found[f"random table, {where}"] = random_table.make(rng, functions=20, **size)
        found[f"rare context, {where}"] = rare_context.make(rng, **size)
        found[f"different agents, {where}"] = heterogeneous.make(rng, **size)
    return found


def adaptive(federation: Federation, delta: float) -> Federation:
    return replace(federation, rates=AdaptiveRates(delta))


def exceeded(record: RunRecord, shrink: float = 1.0) -> int:
    assert record.observed is not None
    return int(np.sum(record.total_regret > (1 + EQUAL) * shrink * record.observed.bound))


def failures(task: Task, shrink: float = 1.0, shrunk: int | None = None) -> Evidence:
    """Check in each of 32 simulated environments that at most a share delta of the simulations has a regret above the
    bound computed from their own data. delta is the allowed probability of failure. Negative control, which must fail:
    0.9 times the bound in two environments.

    shrink: a factor on the bound in the first `shrunk` environments, by default in all.
    """
    runs, delta, chosen = RUNS[task.profile], DELTA[task.profile], instances(task.rng())

    def rows() -> Iterator[dict[str, Any]]:
        for place, (name, instance) in enumerate(chosen.items()):
            share = shrink if shrunk is None or place < shrunk else 1.0
            failed = exceeded(pooled(adaptive(instance, delta), runs, task.seed.spawn(1)[0]), share)
            yield {"instance": name, "runs": runs, "exceeded": failed}

    return judged(rows(), len(chosen), runs, delta, task.level, f"of {len(chosen)} instances")


def judged(
    found: Iterable[dict[str, Any]], instances: int, runs: int, delta: float, level: float, where: str
) -> Evidence:
    """Return the verdict on "in each environment at most a share delta of the simulations exceeds its bound". found:
    for each environment its name (`instance`) and how many of its `runs` simulations `exceeded` the bound. Each of the
    `instances` environments has an equal part of the error level; the first one that refutes is the last examined.
    where: words for the environments."""
    kind, high, rows = Verdict.MEASURED, 0.0, list[dict[str, Any]]()
    for row in found:
        rows.append(row)
        one, _, upper = share_within(row["exceeded"], runs, delta, level / instances)
        kind, high = max(kind, one, key=list(Verdict).index), max(high, upper)
        if kind is Verdict.REFUTED:
            break
    worst = max(rows, key=lambda row: float(row["exceeded"]))
    return Evidence(
        kind,
        f"on each {where} at most a share {high:.4f} of the runs loses more than the bound that it observed (exact"
        f" binomial, {runs} runs each), delta = {delta:g}; most often, {worst['exceeded']} times: {worst['instance']}",
        {"rows": rows, "runs": runs, "high": high, "delta": delta},
        level=level,
    )


def practical(federation: Federation) -> Federation:
    """Return the federation with the learning rates 8 sqrt(arms/excess risk). The excess risk is the one proved for the
    model in use."""
    risks = [min(1.0, risk) for risk in federation.risks("best")]
    arms = max(federation.arms)
    return federation.with_rates([PRACTICAL * math.sqrt(arms / risk) for risk in risks[:-1]])


def practical_bound(agents: int, arms: int, functions: int, horizon: int) -> float:
    """Return the regret bound of col:finite at the learning rates 8 sqrt(arms/excess risk). For ten arms it is about 6
    times the smallest bound, which a factor below 1 in place of 8 gives."""
    constant = float(best(arms, doubling=False).over(Fraction(PRACTICAL)))
    risk = variants.row("best").finite.mean
    bound = variants.row("best").epoch_sum(agents, arms, constant, lambda n: float(risk(functions, n)))
    return bound.value(horizon)


def compare(task: Task, horizon: int = 8192, replications: int = 30) -> Iterator[dict[str, Any]]:
    """Yield the mean regret and the bound at three learning rates, for every environment whose agents have the same
    number of arms. The first (`guarantee`) has the smallest bound, the second (`practical`) is g = 8, and the third
    (`adaptive`) is chosen from the data. `error` is the standard error of a mean regret."""
    for name, instance in instances(task.rng(), horizon).items():
        agents, arms = len(instance.arms), max(instance.arms)
        if min(instance.arms) != arms:
            continue  # the fixed rates of variant best are for agents with one number of arms
        size = len(FiniteWorld.of(instance).functions)
        run = pooled(adaptive(instance, 0.001), replications, task.seed.spawn(1)[0])
        seen = run.observed
        assert isinstance(seen, Observed)
        row: dict[str, Any] = {"instance": name, "M": agents, "K": arms, "F": size, "T": horizon}
        row |= {"trivial": float(agents * horizon)}
        for rate, one, bound in (
            (
                "guarantee",
                instance.with_rates("best"),
                col_finite.epoch_sum("best", agents, arms, size).value(horizon),
            ),
            ("practical", practical(instance), practical_bound(agents, arms, size, horizon)),
        ):
            row[rate] = mean(pooled(one, replications, task.seed.spawn(1)[0])) | {"bound": bound}
        means = mean(run) | {"bound": float(seen.bound.mean())}
        yield row | {"adaptive": means | {"exceeded": exceeded(run)}}


def mean(run: RunRecord) -> dict[str, float]:
    """Return the mean regret of the replications of a run (`regret`), and its standard error (`error`)."""
    lost = run.total_regret
    return {"regret": float(lost.mean()), "error": float(lost.std(ddof=1) / math.sqrt(len(lost)))}


def three_rates(task: Task, shrink: float = 1.0) -> Evidence:
    """Compare the mean regret with its bound at three learning rates, in 32 simulated environments. The first rate has
    the smallest bound, the second is g = 8, and the third is chosen from the data. Negative control, which must fail:
    0.9 times the bounds."""
    rows = []
    for row in compare(task, *((8192, 100) if task.full else (2048, 8))):
        rows.append(row)
        for rate in ("guarantee", "practical", "adaptive"):
            if row[rate]["regret"] > shrink * row[rate]["bound"] * (1 + EQUAL):
                said = f"{row['instance']}: the mean regret at the rate {rate} is above its bound"
                return Evidence(Verdict.REFUTED, said, {"rows": rows})
    regret = sorted(row["guarantee"]["regret"] / row["adaptive"]["regret"] for row in rows)
    bound = sorted(row["guarantee"]["bound"] / row["adaptive"]["bound"] for row in rows)
    return Evidence(
        Verdict.FLOAT,
        f"adaptive against the rate of the smallest guarantee on {len(rows)} instances: regret {regret[0]:.2g} to"
        f" {regret[-1]:.3g} times smaller, bound {bound[0]:.2g} to {bound[-1]:.3g} times",
        {"rows": rows},
    )


def leaving_probability(gap: float, share: float, delta: float) -> float:
    """Return the probability that data ever exclude the true function, for a class of two functions, 1/2 and 1/2 + gap,
    and Bernoulli rewards. The threshold for excluding a function is `share` times the one for error probability
    delta."""
    # it leaves when the random walk gap (2k - n) - n gap^2, k the number of rewards 1 in n samples, exceeds the
    # threshold; by dynamic programming in floating point up to n = 40/gap^2
    b = share * own_adaptive.threshold(2, delta)
    law, first, left = np.array([1.0]), 0, 0.0
    for n in range(1, int(40 / gap**2) + 1):
        after = np.zeros(len(law) + 1)
        after[:-1] += law / 2
        after[1:] += law / 2
        heads = np.arange(first, first + len(after))
        out = gap * (2 * heads - n) - n * gap**2 > b
        left += float(after[out].sum())
        after[out] = 0.0
        kept = np.flatnonzero(after > 1e-18)  # what is dropped weighs less than 1e-13 in all
        first, law = first + int(kept[0]), after[kept[0] : kept[-1] + 1]
    return left


def version_space(task: Task, share: float = 1.0) -> Evidence:
    """Check that the data ever exclude the true function with at most the allowed probability, for two functions near
    1/2, the worst case. Negative control, which must fail: 0.9 times the threshold for excluding a function."""
    rows = [
        {"gap": gap, "delta": delta, "leaves": leaving_probability(gap, share, delta)}
        for gap in ((0.2, 0.1, 0.05) if task.full else (0.2,))
        for delta in (0.1, 0.01)
    ]
    worst = max(rows, key=lambda row: row["leaves"] / row["delta"])
    said = f"f* leaves with probability {worst['leaves']:.4f} at gap {worst['gap']:g}, delta = {worst['delta']:g},"
    said += f" {share:g} of the threshold (the walk's exact law)"
    return Evidence(
        Verdict.FLOAT.unless(worst["leaves"] > worst["delta"]), said, {"rows": rows, "share": share}
    )
