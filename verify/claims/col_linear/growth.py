"""The printed communication order of AGD against the schedule it is about: a ratio that grows (E14, E16)."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from bounds import linear_communication
from bounds.symbols import symbol
from verify.claim import Evidence, Task
from verify.verdict import Verdict

AGENTS, DIMENSION, ACCURACY = 10, 5, 0.1
HORIZONS = tuple(2**k for k in (10, 20, 30, 40))


def order(dimension: int, horizon: int, corrected: bool) -> float:
    if corrected:
        return float(linear_communication.corrected_order(AGENTS, dimension, horizon))
    return float(linear_communication.printed_numbers("agd", AGENTS, dimension, horizon))


def printed_order(task: Task, corrected: bool = False) -> Evidence:
    """Is the AGD schedule's total O(order)? The printed d log(d) sqrt(M^3 T): no, the ratio grows like log T and the
    order is 0 at d = 1. Corrected, d sqrt(M^3 T) log(MT): yes, the closed bound's ratio has a finite limit in MT."""
    import sympy

    d = symbol("d")
    name = "d sqrt(M^3 T) log(MT)" if corrected else "d log(d) sqrt(M^3 T)"

    def ratio(horizon: int, played: int) -> float:
        return linear_communication.total_numbers("agd", AGENTS, DIMENSION, played, ACCURACY) / order(
            DIMENSION, horizon, corrected
        )

    ratios = [ratio(t, t) for t in HORIZONS]
    used = [
        ratio(t, t - 1) for t in HORIZONS
    ]  # without the call at T itself, which comes too late to be used
    # the closed bound is Md(2 root log(1 + 5/4 MT(MT+1)/(delta^2 C)) + 3 log2 T): the limit of its leading term's ratio
    leading = linear_communication.closed_numbers("agd").subs(symbol("delta"), sympy.Rational(1, 10))
    x = sympy.Symbol("x", positive=True)  # MT
    logarithm = sympy.log(1 + sympy.Rational(125) * x * (x + 1) / (d / 4 + 1))
    limit = sympy.limit(logarithm / (sympy.log(x) if corrected else sympy.log(d)), x, sympy.oo)
    figures = {
        "T": list(HORIZONS),
        "ratio": ratios,
        "ratio_of_used_calls": used,
        "closed": str(leading),
        "limit_of_logarithms": str(limit),
        "at_d_1": order(1, 2**20, corrected),
    }
    shown = ", ".join(f"{r:.3g}" for r in ratios)
    if not corrected:
        growing = all(after > before + 10 for before, after in pairwise(ratios))
        zero = figures["at_d_1"] == 0
        return Evidence(
            Verdict.REFUTED if growing and zero else Verdict.INCONCLUSIVE,
            f"true count / {name} at d = 5, M = 10, T = 2^10, 2^20, 2^30, 2^40: {shown}; the order is 0 at d = 1",
            figures,
            replay="python -m verify run erratum:E14",
        )
    bounded = limit == 2 and max(ratios) <= 4 * float(1 + sympy.sqrt(2)) * 2
    return Evidence(
        Verdict.PROVED if bounded else Verdict.REFUTED,
        f"closed bound / {name} tends to 4(1+sqrt2) = 9.66 as MT grows; true count / it: {shown}",
        figures,
    )


def first_epoch(task: Task, kept: bool = False) -> Evidence:
    """col:linear's O~(sqrt(MKdT)) drops the first epoch as col:finite's order does (E9): d = 1, K = 2, T = 2, features
    1 and 0, w* = 1. Regret M, by the simulator's closed form, against the order times log(MT)^2; kept: with M added."""
    from bounds.schedules import doubling_plan
    from fedigw.replications import pooled
    from linear.contexts.finite import FiniteContexts
    from linear.federations import linear_federation

    contexts = FiniteContexts(np.array([[[1.0], [0.0]]]), np.ones(1))
    few = linear_federation((contexts,) * 3, np.ones(1), doubling_plan(2, 3))
    each = float(pooled(few, 1, 0).total_regret[0]) / 3
    rows = []
    for agents in (10**3, 10**6, 10**9, 10**12):
        stated = math.sqrt(agents * 2 * 1 * 2) * math.log(2 * agents) ** 2 + (agents if kept else 0)
        rows.append({"M": agents, "regret": each * agents, "order": stated, "ratio": each * agents / stated})
    ratios = [row["ratio"] for row in rows]
    if ratios[-1] > 100 and ratios == sorted(ratios):
        return Evidence(
            Verdict.REFUTED,
            f"d = 1, K = 2, T = 2: regret M, {ratios[-1]:.0f} times sqrt(MKdT) log(MT)^2 at M = 10^12, growing",
            {"rows": rows},
        )
    return Evidence(
        Verdict.COMPUTED,
        f"with M E^1 kept the ratio stays below {max(ratios):.3g} up to M = 10^12",
        {"rows": rows},
    )


def closed_form(task: Task, shrink: float = 1.0) -> Evidence:
    """The closed bound on AGD's numbers against the exact sum of its schedule, over a grid of M, d, T, delta."""
    import sympy

    names = [symbol(name) for name in ("M", "T", "d", "delta")]
    worst, where, count = 0.0, "", 0
    for heterogeneous in (False, True):
        formula = sympy.lambdify(names, linear_communication.closed_numbers("agd", heterogeneous), "math")
        for agents in (1, 2, 10, 1000):
            for dimension in (1, 5, 50):
                for exponent in (1, 2, 3, 7, 20, 40):
                    for accuracy in (0.01, 0.1, 1.0):
                        horizon = 2**exponent
                        exact = linear_communication.total_numbers(
                            "agd", agents, dimension, horizon, accuracy, heterogeneous
                        )
                        ratio = exact / (shrink * formula(agents, horizon, dimension, accuracy))
                        count += 1
                        if ratio > worst:
                            worst, where = ratio, f"M = {agents}, d = {dimension}, T = 2^{exponent}"
    return Evidence(
        Verdict.COMPUTED if worst <= 1 else Verdict.REFUTED,
        f"the sum of the schedule is at most {worst:.3f} of the closed bound on {count} cases ({where})",
        {"cases": count, "worst_ratio": worst, "where": where},
    )
