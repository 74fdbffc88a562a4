"""Whole runs on both sides of one half: mirrored worlds, and regret by the number of lying agents."""

from __future__ import annotations

from typing import Any

import numpy as np

from fedigw.aggregators.mean import Mean
from fedigw.aggregators.median import Median
from fedigw.aggregators.trimmed_mean import TrimmedMean
from fedigw.applicable import applicable, largest_regret
from fedigw.attacks.label_flip import LabelFlip
from fedigw.attacks.sign_flip import SignFlip
from fedigw.federation import Federation
from fedigw.replications import by_messages
from verify.claim import Evidence, Task
from verify.claims.app_robust_predictions.runs import AGENTS, federation
from verify.statistics.confidence import mean_is_above, mean_is_below
from verify.statistics.measurement import mean_against, within_unit
from verify.verdict import Verdict

HORIZON = 4096
FEW = 4  # agents of the mirrored worlds
ASKED = 0.7  # of the sum of both regrets, which is whole
THIRD = 1 / 3  # of what can be lost
RUNS = {"mirrored": 60, "below": 60, "above": 40}  # what the tests need to decide, and a third more


def mirrored(task: Task, liars: int = FEW // 2) -> Evidence:
    """Is Reg_mu + Reg_{1-mu} at least 0.7 M_h T (max mu - min mu)? Both worlds, liars reporting 1 - r, the median."""
    attack, samples, most = LabelFlip(tuple(range(liars))), [], 0.0
    for means, seed in zip(((0.9, 0.1), (0.1, 0.9)), task.seed.spawn(2), strict=True):
        made = federation(HORIZON, Median(), attack, 1, means, agents=FEW)
        samples.append(by_messages(made, RUNS["mirrored"], seed).total_regret)
        most += largest_regret(made)
    total = samples[0] + samples[1]
    # X is above m where 1 - X is below 1 - m
    answer = mean_against(1 - within_unit(total, most), 1 - ASKED / 2, task.level)
    figures = {"liars": liars, "sum": float(total.mean()), "whole": most / 2, "runs": RUNS["mirrored"]}
    return Evidence(
        answer,
        f"{liars} of {FEW} report 1 - r: the regrets of both worlds add up to {total.mean():.5g},"
        f" M_h T (max - min) = {most / 2:.5g}",
        figures,
        level=task.level,
    )


def by_share(task: Task, rule: str = "") -> Evidence:
    """Regret by the number of lying agents, 0 to 9 of 10: small before one half, large from there on; control: the
    mean, which one liar ruins.

    f of 10 agents flip the sign of what they send, twentyfold; f drawn below one half, the mean regret is below
    a third of what can be lost; drawn from one half on, above. Median or trimmed mean, drawn too; rule, for the
    control: the mean in their place. Rows by f are for the picture.
    """
    rng = task.rng()
    names = ("mean",) if rule == "mean" else ("median", "trimmed_mean")
    found: dict[tuple[str, int], list[float]] = {}
    samples: dict[str, list[float]] = {}
    for side, (low, high) in {"below": (0, AGENTS // 2), "above": (AGENTS // 2, AGENTS)}.items():
        count = (
            RUNS[side] if rule != "mean" else 40 if side == "below" else 5
        )  # one liar is enough for the control
        for seed in task.seed.spawn(count):
            drawn = str(rng.choice(names)), int(rng.integers(low, high))
            value = _one_run(*drawn, seed)
            found.setdefault(drawn, []).append(value)
            samples.setdefault(side, []).append(value)
    below, above = (np.clip(samples[side], 0, 1) for side in ("below", "above"))
    half = task.level / 2
    holds = mean_is_below(below, THIRD, half) and mean_is_above(above, THIRD, half)
    fails = mean_is_above(below, THIRD, half / 2) or mean_is_below(above, THIRD, half / 2)
    if rule != "mean":
        for liars, seed in enumerate(task.seed.spawn(AGENTS)):
            found["mean", liars] = [_one_run("mean", liars, seed)]
    rows = [
        {
            "rule": name,
            "liars": liars,
            "share": liars / AGENTS,
            "regret": float(np.mean(values)),
            "runs": len(values),
            "bound": _bound(name, liars),
        }
        for (name, liars), values in sorted(found.items())
    ]
    return Evidence(
        Verdict.REFUTED if fails else Verdict.SUPPORTED if holds else Verdict.INCONCLUSIVE,
        f"{' and '.join(names)}: {below.mean():.3f} of what can be lost with fewer than half of {AGENTS} lying,"
        f" {above.mean():.3f} with half or more",
        {"rows": rows, "agents": AGENTS, "horizon": HORIZON},
        level=task.level,
    )


def attacked(rule: str, liars: int) -> Federation:
    """Learning rates and trimmed mean are made for the liars that there are, as long as a rule can bear them."""
    bearable = min(liars, (AGENTS - 1) // 2)
    rules: dict[str, Any] = {"median": Median(), "trimmed_mean": TrimmedMean(bearable), "mean": Mean()}
    attack = SignFlip(tuple(range(liars)), 20.0) if liars else None
    return federation(HORIZON, rules[rule], attack, 0 if rule == "mean" else bearable)


def _one_run(rule: str, liars: int, seed: np.random.SeedSequence) -> float:
    """Regret of the honest agents as a share of the largest."""
    made = attacked(rule, liars)
    return float(by_messages(made, 1, seed).total_regret[0]) / largest_regret(made)


def _bound(rule: str, liars: int) -> float | None:
    """The bound as such a share, where one holds and says something."""
    made = attacked(rule, liars)
    values = applicable(made).values
    share = values["sharpened"] / largest_regret(made) if values else 1.0
    return share if share < 1 else None
