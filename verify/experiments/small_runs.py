"""Run FedIGW with a few agents, and compare the accuracy and the messages of each call of the FL protocol with what the
protocol declares."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from fedigw.interfaces import RiskModel
from verify.claim import Claim, Evidence, Task, Verdict

if TYPE_CHECKING:
    from fedigw.federation import Federation


def federations(seed: int, horizon: int, personal: bool = True, slow: bool = False) -> list[Federation]:
    """Return small linear federations: one whose agents have the same distribution of contexts, one with different
    distributions and, if `personal`, one with partly shared parameters. slow: return only one tiny federation, for
    protocols that need many rounds."""
    from bounds.schedules import doubling_plan
    from linear.contexts.finite import FiniteContexts
    from linear.environments import different_laws, finite_contexts
    from linear.federations import linear_federation
    from linear.personalised.environments import opposite_arms

    if slow:
        contexts = FiniteContexts(np.eye(2)[None], np.ones(1))
        return [linear_federation((contexts,) * 2, np.full(2, 0.7), doubling_plan(horizon, 2))]
    sizes: dict[str, Any] = {"agents": 4, "horizon": horizon, "arms": 3, "contexts": 4}
    made = [
        finite_contexts.make(np.random.default_rng(seed), dimension=3, **sizes),
        different_laws.make(np.random.default_rng(seed + 1), dimension=3, **sizes),
    ]
    if personal:
        made.append(opposite_arms.make(np.random.default_rng(seed + 2), shared=2, own=1, **sizes))
    return made


def delivered(
    world: Federation, protocol: Any, promised_by: Any, seed: list[int]
) -> tuple[list[float], bool, list[float]]:
    """Run FedIGW with `protocol`, and compare the outcome with what the protocol `promised_by` declares; in negative
    controls it is another one.

    Return three things: for each call, the squared distance from the exact minimiser divided by the declared one;
    whether the run sent exactly the declared numbers; and, for each epoch, the excess risk divided by its proved bound.
    """
    from fedigw.applicable import declared_cost
    from fedigw.running import run

    judge = replace(world, protocol=promised_by)
    federation = replace(world, protocol=protocol).with_rates(judge.learning_rates()[1:])
    found = run(federation, np.random.default_rng(seed), audit=True)
    cost, risks = declared_cost(judge), judge.risks()
    delta = getattr(promised_by, "tolerance", None) or RiskModel.of(judge).tolerance
    targets = [(delta / (1 + delta)) ** 2 * risks[p.epoch - 1] for p in found.promises]  # delta^2 e(n)
    distances = [p.delivered / target for p, target in zip(found.promises, targets, strict=True)]
    measured = () if found.excess_risk is None else found.excess_risk[0]
    over = [float(value) / risk for value, risk in zip(measured, risks, strict=False) if np.isfinite(value)]
    return distances, cost is not None and tuple(found.traffic) == tuple(cost), over


def promises_kept(
    task: Task, protocol: Any, spoiled: Any, false: bool = False, personal: bool = True, slow: bool = False
) -> Evidence:
    """Check that each call of a protocol by FedIGW ends within the declared distance from the minimiser, and that the
    protocol sends what it declares.

    spoiled: a protocol that computes too little. The negative control (`false`) runs it instead, and must find too
    large a distance. personal: include a federation with partly shared parameters. slow: use only one tiny federation.
    """
    seed = int(task.rng().integers(2**31))
    horizon = (8 if slow else 32) if task.full else (4 if slow else 16)
    runs = [
        delivered(world, spoiled if false else protocol, protocol, [seed + k, number])
        for k in range(3 if task.full else 1)
        for number, world in enumerate(federations(seed + 10 * k, horizon, personal, slow))
    ]
    distances = [distance for found, _, _ in runs for distance in found]
    worst, calls = max(distances, default=0.0), len(distances)
    ledger = false or all(same for _, same, _ in runs)
    risk = max((ratio for _, _, found in runs for ratio in found), default=0.0)
    figures = {"calls": calls, "worst_ratio": worst, "ledger": ledger, "risk": risk}
    if worst > 1 or not ledger:
        said = f"{worst:.3g} times the promise" if worst > 1 else "the ledger differs from the declared cost"
        return Evidence(Verdict.REFUTED, f"FedIGW with {protocol.name}, {calls} calls: {said}", figures)
    said = f"FedIGW with {protocol.name}: in {calls} calls the squared distance from the minimiser is at most"
    said += (
        f" {worst:.2g} of the promise, every ledger equals the declared cost, and the excess risk is at most"
    )
    return Evidence(Verdict.FLOAT, f"{said} {risk:.2g} of the proved mean", figures)


def enter_promises(
    claim: Claim, variant: str, protocol: Any, spoiled: Any, what: str, **worlds: bool
) -> None:
    """Add a check to a claim: that a protocol, run by FedIGW, reaches the accuracy and sends the numbers that it
    declares. spoiled: a protocol that computes too little, for the negative control. what: that protocol in words.
    worlds: the options `personal` and `slow` of promises_kept."""
    claim.check(
        variant,
        name="runs",
        about=f"Compare every FL call of FedIGW runs with what its protocol promises; control: {what}",
        given=dict(protocol=protocol, spoiled=spoiled, **worlds),
        control=dict(false=True),
    )(promises_kept)
