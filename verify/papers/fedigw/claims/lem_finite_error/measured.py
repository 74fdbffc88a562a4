"""Measure the mean excess risk against the number of samples, and how often it exceeds the tail bound of
lem:finite_error."""

import math
from fractions import Fraction
from typing import Any

import numpy as np

from bounds import lem_finite_error
from fedigw.federation import Federation
from fedigw.replications import pooled as replicate
from verify.claim import Evidence, Task, Verdict
from verify.papers.fedigw.claims.lem_finite_error import exact_laws
from verify.statistics.confidence import share_within
from verify.statistics.measurement import Comparison, compare
from verify.statistics.regrets import judged


def curve(task: Task) -> Evidence:
    """Compare the measured mean excess risk over a class of ten nearly equal functions with the sharpened bound, for
    2^5 to 2^23 samples and three gaps between the functions. Negative control, which must fail: nine tenths of an
    exact mean."""
    size, replications = 10, 4000 if task.full else 1000
    grid = [2**k for k in range(5, 25, 3)]
    level = task.level / (3 * len(grid))
    worst, verdicts = [], []
    for n in grid:
        bound, found = float(lem_finite_error.MEAN["sharpened"](size, n)), []
        for factor in (1, 2, 4):
            # at a gap of about factor/sqrt(n) the sample hardly distinguishes the functions
            gap = min(Fraction(1, 2), Fraction(max(1, round(1000 * factor / math.sqrt(n))), 1000))
            instance = exact_laws.one_epoch(exact_laws.spread_class(gap, size), n)
            found.append(_compared(task, instance, f"n = {n}, gap {gap}", bound, replications, level))
        worst.append(max(found, key=lambda comparison: comparison.mean))
        verdicts += found
    figures: dict[str, Any] = {key: [getattr(one, key) for one in worst] for key in ("mean", "low", "high")}
    stated = {name: mean for name, mean in lem_finite_error.MEAN.items() if name != "repaired"}
    figures["bounds"] = {name: [float(mean(size, n)) for n in grid] for name, mean in stated.items()}
    return judged(task, verdicts, "excess risk", "comparisons", n=grid, **figures)


def false_curve(task: Task) -> Evidence:
    """Run the negative control of `curve`, which must fail: compare the measured mean excess risk over two functions
    with nine tenths of its exact value."""
    instance = exact_laws.one_epoch(exact_laws.spread_class(Fraction(1, 4), 2), 64)
    where = "n = 64, |F| = 2, nine tenths of the exact mean"
    bound = 0.9 * exact_laws.law_of(instance, where, rational=False).mean
    return judged(task, [_compared(task, instance, where, bound, 80_000, task.level)], "excess risk")


def _sample(task: Task, instance: Federation, replications: int) -> np.ndarray:
    models = replicate(instance, replications, task.seed.spawn(1)[0]).models
    return exact_laws.squared_errors(instance)[np.array([row[1] for row in models], dtype=int)]


def _compared(
    task: Task, instance: Federation, where: str, bound: float, replications: int, level: float
) -> Comparison:
    sample, largest = _sample(task, instance, replications), float(exact_laws.squared_errors(instance).max())
    return compare(where, sample, largest, bound, 1.0, level)


def tail(task: Task, below: float | None = None) -> Evidence:
    """Check by exact binomial intervals that the excess risk over a finite class exceeds the sharpened tail bound with
    at most the probability delta that the bound allows. Negative control, which must fail: 0.95 times the exact (1 -
    delta)-quantiles of a class of two functions in place of the bounds."""
    size, n, replications = (6 if below is None else 2), 256, 20000 if task.full else 4000
    gap = Fraction(1, 2) if below is None else Fraction(1, 16)
    instance = exact_laws.one_epoch(exact_laws.spread_class(gap, size), n)
    sample = _sample(task, instance, replications)
    known = None if below is None else exact_laws.law_of(instance, "two functions", rational=False)
    level, rows = task.level / (2 * len(exact_laws.DELTAS)), []
    for delta in exact_laws.DELTAS:
        limit = float(lem_finite_error.TAIL["sharpened"](size, n, delta))
        if known is not None and below is not None:
            limit = below * known.quantile(delta)
        above = int((sample > limit).sum())
        kind, _, high = share_within(above, replications, delta, level)
        row: dict[str, Any] = {"delta": delta, "limit": limit, "frequency": above / replications}
        rows.append(row | {"high": high, **kind.fields})
    worst = max(rows, key=lambda row: float(row["high"] / row["delta"]))
    said = (
        f"P(excess > bound({worst['delta']})) is {worst['frequency']:.4g}, at most {worst['high']:.3g} with"
    )
    kind = max((Verdict.of(row) for row in rows), key=list(Verdict).index)
    return Evidence(kind, f"{said} confidence", {"n": n, "F": size, "rows": rows}, level=task.level)
