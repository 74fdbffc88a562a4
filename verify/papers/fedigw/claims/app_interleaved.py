"""app:interleaved. The regret if every epoch uses the model learned two epochs earlier, so that learning may last a
whole epoch.

Epochs 1 and 2 are uniform. M agents have K arms each. Epoch l has E^l steps and ends at step 2^l, and e_l = A/n is
the excess risk of the model learned from the n = M E^l samples of epoch l. For T >= 3

    Reg(T) <= M(E^1 + E^2)(1-1/K) + (C/g) sum_{l>=3} M E^l sqrt(K e_{l-2}) <= 4M(1-1/K) + (C/g)(2+2 sqrt2) sqrt(MKAT)

where C/g is the constant of any variant of thm:global_regret.

Proof: the odd epochs form a run, the even epochs another. Neither uses the data of the other, so they are distributed
as two ordinary runs, and their expected regrets add up.
"""

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from bounds.symbols import symbol
from bounds.theorems import app_interleaved
from fedigw.federation import Federation
from fedigw.replications import by_messages, pooled
from finite_class.environments import gap_one, near_ties
from finite_class.federations import alike
from finite_class.law import exact_law
from linear.environments import finite_contexts
from verify.claim import Claim, Evidence, Task, Variant, Verdict
from verify.experiments.ratios import at_most_one
from verify.statistics.confidence import SURE, seen_by_chi_square
from verify.statistics.regrets import on_worlds

HORIZON = 4096
SHRINK = {"sharpened": 0.21, "best": 0.4}  # the largest measured shares are 0.23 and 0.44
PARAMETERS = ((1, 2, 1.0), (10, 5, 4.0), (100, 10, 30.0))  # (M, K, A)


def variant_of(name: str) -> Variant:
    return Variant(
        r"\mathrm{Reg}(T) \le 4M(1-1/K) + \tfrac{C}{g}(2+2\sqrt2)\sqrt{MKAT}",
        (*app_interleaved.HYPOTHESES, f"C/g and g of thm:global_regret, {name}, for any schedule"),
        Verdict.COQ,
    )


claim = Claim(
    title="Two interleaved runs",
    section="General theorem",
    tags=("regret", "general", "schedule"),
    depends=("thm:global_regret",),
    variants={name: variant_of(name) for name in ("sharpened", "best")},
)


@claim.check("sharpened", control=dict(lag_one=True), name="closed-sharpened")
@claim.check("best", control=dict(lag_one=True), name="closed-best")
def closed(task: Task, variant: str, lag_one: bool = False) -> Evidence:
    """Compare two forms of the regret bound of interleaved epochs, a sum over epochs and the closed form, at every T
    from 3 to 70 and around powers of two up to 2^40. Negative control, which must fail: the factor 2 + sqrt2 of runs
    that are not interleaved, in place of 2 + 2 sqrt2."""
    import sympy

    form = app_interleaved.closed_form(variant)
    names = [symbol(name) for name in "MKTA"]
    evaluate = sympy.lambdify(names, form, "math")
    horizons = [*range(3, 70), *(2**k + j for k in range(7, 41, 3) for j in (-1, 0, 1))]
    found = []
    for m, k, a in PARAMETERS:
        first = float(4 * m * (1 if variant == "repaired" else 1 - 1 / k))
        for t in horizons:
            right = float(evaluate(m, k, t, a))
            if lag_one:
                right = first + (right - first) * (2 + math.sqrt(2)) / (2 + 2 * math.sqrt(2))
            found.append((app_interleaved.value(variant, m, k, t, a) / right, f"M = {m}, T = {t}"))
    return at_most_one(found, "epoch sum", cases="horizons", rounding=1e-12)


def worlds(variant: str) -> dict[str, Federation]:
    """Return federations with interleaved epochs, by name of the environment. Each has a regret bound below the trivial
    one."""
    rng, plan = np.random.default_rng(0), app_interleaved.interleaved_plan(HORIZON, 10)
    rate = {"repaired": "printed"}.get(variant, variant)
    found = {
        "gap 1": gap_one.make(rng, arms=2, agents=10),
        "near ties": near_ties.make(rng, Fraction(1, 10), contexts=1, arms=2, agents=10),
    }
    if variant == "sharpened":
        found["linear"] = finite_contexts.make(rng, dimension=2, arms=2, agents=10)
    return {name: world.with_plan(plan).with_rates(rate) for name, world in found.items()}


@claim.check("sharpened", control=dict(shrink=SHRINK["sharpened"]), name="regret-sharpened", statistical=True)
@claim.check("best", control=dict(shrink=SHRINK["best"]), name="regret-best", statistical=True)
def regret(task: Task, variant: str, shrink: float = 1.0) -> Evidence:
    """Compare the measured regret of federations with interleaved epochs with the bound that the command `simulate`
    prints. Negative control, which must fail: a smaller bound."""
    return on_worlds(task, worlds(variant), variant, shrink, HORIZON, "interleaved worlds")


def tiny(lag: int = 2) -> Federation:
    half, quarter = Fraction(1, 2), Fraction(1, 4)
    plan = app_interleaved.interleaved_plan(10, 2)
    return alike((((half, quarter),), ((quarter, half),)), replace(plan, lag=lag))


@claim.check("sharpened", control=dict(lag=1), statistical=True)
def two_runs(task: Task, lag: int = 2) -> Evidence:
    """Compare a federation with interleaved epochs (odd and even epochs learn separately) with two ordinary ones. Each
    epoch must have the same regret, in rationals. In simulations the functions learned for epochs 3 and 4 must be
    independent, by a chi-square test. Negative control, which must fail: epochs that are not interleaved."""
    from scipy.special import chdtrc

    run = tiny(lag)
    basic = [exact_law(run.with_plan(plan)).epochs for plan in tiny().plan.runs]
    apart = [basic[epoch % 2][epoch // 2].regret for epoch in range(run.plan.epochs)]
    together = [epoch.regret for epoch in exact_law(run).epochs]
    if together != apart:
        return Evidence(Verdict.REFUTED, f"epoch regrets {together} are not those of two runs, {apart}")
    third, fourth = (basic[i][1].law for i in (0, 1))
    assert third is not None
    assert fourth is not None
    rows = []
    for path, count in (("pooled", 20_000), ("messages", 2000 if task.full else 100)):
        simulate = pooled if path == "pooled" else by_messages
        models = simulate(run, count, task.seed.spawn(1)[0]).models
        seen: dict[tuple[Any, Any], int] = {}
        for row in models:
            seen[(row[2], row[3])] = seen.get((row[2], row[3]), 0) + 1
        expected = {(a, b): float(p * q) * count for a, p in third.items() for b, q in fourth.items()}
        statistic = sum((seen.get(cell, 0) - n) ** 2 / n for cell, n in expected.items() if n)
        rows.append({"path": path, "p": float(chdtrc(len(expected) - 1, statistic)), "cells": len(expected)})
        rows[-1]["seen"] = seen_by_chi_square(len(expected), count, task.level / 2)
    worst = min(rows, key=lambda row: float(str(row["p"])))
    fits = float(str(worst["p"])) >= task.level / len(rows)
    said = "the exact epoch regrets are those of two basic runs, and both simulators use their functions independently:"
    said += (
        f" least p = {worst['p']:.3g} ({worst['path']}); a joint law at total variation {rows[0]['seen']:.2g}"
    )
    said += f" ({rows[1]['seen']:.2g} by messages) would have been rejected with probability {SURE}"
    figures = {"rows": rows, "regret": [str(r) for r in apart]}
    return Evidence(Verdict.MEASURED.unless(not fits), said, figures, level=task.level)
