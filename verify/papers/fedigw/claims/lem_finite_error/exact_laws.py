"""Compare the exact mean and quantiles of the excess risk over small classes of functions with the bounds of
lem:finite_error."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from bounds import lem_finite_error, variants
from bounds.schedules import EpochPlan
from fedigw.federation import Federation
from finite_class.federations import alike
from finite_class.law import exact_law
from finite_class.world import FiniteWorld
from verify.claim import Evidence, Task, Verdict

DELTAS = (0.5, 0.2, 0.05)


def one_epoch(functions: Any, n: int, rewards: str = "bernoulli", ties: str = "adversarial") -> Federation:
    """Return a federation of one agent that plays n steps uniformly, then one step with the function learned from them.
    rewards, ties: as in finite_federation."""
    plan = EpochPlan(((n,), (1,)), ((n,), (1,)))
    return alike(functions, plan, ties=ties, learning_rate=(Fraction(1),), rewards=rewards)


def spread_class(gap: Fraction, functions: int) -> Any:
    """Return functions on one context with two arms: the true one, 1/2, and others that differ from it by at most
    `gap`."""
    half = Fraction(1, 2)
    table = [((half, half),)]
    for i in range(1, functions):
        sign = 1 if i % 2 else -1
        table.append(
            ((half + sign * gap * Fraction(i, functions), half - sign * gap * Fraction(i, functions)),)
        )
    return tuple(table)


def squared_errors(instance: Federation) -> np.ndarray:
    """Return the mean squared distance of each function from the true one under uniform play, shape (F,)."""
    values = np.array(FiniteWorld.of(instance).functions, dtype=float)
    return ((values - values[0]) ** 2).mean(axis=(1, 2))


@dataclass(frozen=True)
class Law:
    """The exact distribution of the excess risk after one epoch of n samples. where: name of the case. functions:
    size of the class. chances: pairs (excess risk, probability), the largest risk first."""

    where: str
    functions: int
    n: int
    mean: float
    chances: tuple[tuple[float, float], ...]

    @property
    def largest(self) -> float:
        return self.chances[0][0]

    def quantile(self, delta: float) -> float:
        """Return the smallest number that the excess risk exceeds with probability at most delta."""
        above = 0.0
        for risk, chance in self.chances:
            above += chance
            if above > delta:
                return risk
        return 0.0


def law_of(instance: Federation, where: str, rational: bool = True) -> Law:
    found, errors = exact_law(instance, rational), squared_errors(instance)
    if rational and found.arithmetic != "rational":
        raise RuntimeError(f"not rational: {where}")
    chances = [(float(errors[f]), float(p)) for f, p in (found.epochs[1].law or {}).items()]
    chances.append((float(errors.max()), 0.0))
    mean, n = float(found.epochs[0].excess_risk or 0), instance.plan.full[0][0]
    return Law(where, len(errors), n, mean, tuple(sorted(chances, reverse=True)))


@cache
def small_laws(ties: str) -> tuple[Law, ...]:
    return tuple(
        law_of(one_epoch(spread_class(gap, size), n, ties=ties), f"gap {gap}, |F| = {size}, n = {n}")
        for gap in (Fraction(1), Fraction(1, 2), Fraction(1, 4))
        for size in (2, 3)
        for n in ((8, 16, 32) if size == 3 else (8, 32, 64, 256, 1024))
    )


def _ratios(variant: str, what: str, ties: str) -> list[tuple[float, float, Law]]:
    if what == "mean":
        stated = variants.row(variant).finite.mean
        return [(law.mean, float(stated(law.functions, law.n)), law) for law in small_laws(ties)]
    return [
        (law.quantile(delta), float(lem_finite_error.TAIL[variant](law.functions, law.n, delta)), law)
        for law in small_laws(ties)
        for delta in DELTAS
    ]


def exact(
    task: Task, variant: str, what: str, below: float | None = None, ties: str = "adversarial"
) -> Evidence:
    """Compare the exact mean excess risk, or its exact (1 - delta)-quantiles if `what` is not "mean", with the bound of
    lem:finite_error over small classes of functions. Negative control, which must fail: a bound reduced until one of
    these classes exceeds it by 5 %."""
    rows = _ratios(variant, what, ties)
    shrink = 1.0 if below is None else below * max(value / bound for value, bound, _ in rows)
    value, bound, law = max(rows, key=lambda row: row[0] / row[1])
    could = sum(shrink * bound < law.largest for _, bound, law in rows)
    ratio = value / (shrink * bound)
    figures = {"laws": len(rows), "could_fail": could, "worst_ratio": ratio, "worst": law.where}
    if ratio > 1:
        text = f"{law.where}: exact {what} {value:.4g} > {shrink * bound:.4g}"
        return Evidence(Verdict.REFUTED, text, figures)
    said = f"exact {what} at most {ratio:.3g} of the bound ({law.where}) in {len(rows)} cases; {could} could fail"
    return Evidence(Verdict.FLOAT if could else Verdict.UNDECIDED, said, figures)
