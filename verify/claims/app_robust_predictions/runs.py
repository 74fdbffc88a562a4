"""Whole FedIGW runs with 2 of 10 agents lying, against the bound on the honest agents' regret."""

from __future__ import annotations

from typing import Any

import numpy as np

from bounds.schedules import doubling_plan
from fedigw.aggregators.mean import Mean
from fedigw.aggregators.median import Median
from fedigw.aggregators.trimmed_mean import TrimmedMean
from fedigw.applicable import applicable, declared_cost, largest_regret
from fedigw.attacks.inner_product import InnerProduct
from fedigw.attacks.label_flip import LabelFlip
from fedigw.attacks.large_norm import LargeNorm
from fedigw.attacks.sign_flip import SignFlip
from fedigw.attacks.witness import Witness
from fedigw.channel import Link
from fedigw.federation import Federation
from fedigw.interfaces import Attack
from fedigw.ledger import COUNTERS
from fedigw.replications import by_messages
from linear.contexts.finite import FiniteContexts
from linear.federations import linear_federation
from linear.protocols.robust_predictions import RobustPredictions
from verify.claim import Evidence, Task
from verify.statistics.measurement import compare, overall
from verify.verdict import Verdict

AGENTS, LIARS = 10, (0, 3)
RULES: dict[str, Any] = {"trimmed_mean": TrimmedMean(2), "median": Median()}
ATTACKS: tuple[Attack, ...] = (
    SignFlip(LIARS, 10.0),
    Witness(LIARS),
    InnerProduct(LIARS, 10.0),
    LargeNorm(LIARS),
    LabelFlip(LIARS),
)
HORIZON = 2**12
# 26 runs decide about a bound that is half of what the world can lose (col:linear, continuous), 40 at smaller levels
REPLICATIONS = {"quick": 26, "full": 40}


def federation(
    horizon: int,
    rule: Any,
    attack: Attack | None,
    tolerates: int = 2,
    means: tuple[float, float] = (0.9, 0.1),
    learning_rate: Any = "sharpened",
    agents: int = AGENTS,
) -> Federation:
    """One context, two arms whose features are the unit vectors, agents in step."""
    contexts = FiniteContexts(np.eye(2)[None], np.ones(1))
    return linear_federation(
        agents=(contexts,) * agents,
        parameter=np.array(means),
        plan=doubling_plan(horizon, agents),
        learning_rate=learning_rate,
        protocol=RobustPredictions(tolerates),
        link=Link(aggregator=rule, attack=attack),
    )


def regret(task: Task, rule: str = "") -> Evidence:
    """Every rule and attack against its own bound; rule, for the control: the mean, held to the trimmed mean's bound
    and played with its learning rates."""
    pairs = [(name, attack) for name in RULES for attack in ATTACKS]
    if rule == "mean":
        pairs = [("trimmed_mean", ATTACKS[0])]
    elif not task.full:
        pairs = [("trimmed_mean", ATTACKS[1]), ("median", ATTACKS[0])]
    comparisons, rows = [], []
    for (name, attack), seed in zip(pairs, task.seed.spawn(len(pairs)), strict=True):
        promised = federation(HORIZON, RULES[name], attack)
        bounds, played = applicable(promised), promised
        assert not bounds.missing
        if rule == "mean":
            rates = [float(rate) for rate in promised.learning_rates()[1:]]
            played = federation(HORIZON, Mean(), attack, 0, learning_rate=rates)
        sample = by_messages(played, REPLICATIONS[task.profile], seed).total_regret
        comparison = compare(
            f"{rule or name}, {attack.name}, 2 of 10 lying, T = {HORIZON}",
            sample,
            largest_regret(played),
            bounds.values["sharpened"],
            bounds.trivial["sharpened"],
            task.level / len(pairs),
        )
        comparisons.append(comparison)
        rows.append(comparison.json() | {"replications": len(sample)})
    text = "; ".join(
        f"{c.where}: regret {c.mean:.5g} of the honest, bound {c.bound:.5g}, at most {c.trivial:.5g} anyway"
        for c in comparisons
    )
    return Evidence(
        overall(comparisons),
        text,
        {"rows": rows},
        vacuous=all(c.vacuous for c in comparisons),
        level=task.level,
    )


def ledger(task: Task, error: int = 0) -> Evidence:
    """M d numbers up and M^2 d down, one round, every call; error, for the control: so many numbers fewer."""
    made = federation(64, Median(), ATTACKS[0])
    counted = by_messages(made, 1, task.seed).traffic[0]
    declared = declared_cost(made)
    assert declared is not None
    for name in ("rounds", "numbers_up", "numbers_down"):
        sent = int(counted[:, COUNTERS.index(name)].sum())
        allowed = sum(getattr(call, name) for call in declared) - error
        if sent != allowed:
            return Evidence(Verdict.REFUTED, f"{name}: counted {sent}, claimed {allowed}", {"counted": sent})
    total = int(
        counted[:, COUNTERS.index("numbers_up")].sum() + counted[:, COUNTERS.index("numbers_down")].sum()
    )
    calls = int(counted[:, COUNTERS.index("calls")].sum())
    return Evidence(
        Verdict.EXACT if total == calls * AGENTS * 2 * (AGENTS + 1) else Verdict.REFUTED,
        f"{calls} calls of {AGENTS} agents, d = 2: {total} numbers, Md(M+1) a call",
        {"calls": calls, "numbers": total},
    )
