"""Whole FedIGW runs of a few agents: what every call delivered and sent, beside what its protocol promised."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from fedigw.interfaces import RiskModel
from verify.claim import Claim, Evidence, Task, Verdict

if TYPE_CHECKING:
    from fedigw.federation import Federation


@dataclass(frozen=True)
class Delivered:
    """Of one protocol over some runs. worst: the largest squared distance from the minimiser over what was promised in
    the run or in the mean; ledger: whether every call sent exactly what is declared; risk: the largest excess risk
    over the proved one; regret and bits: means."""

    worst: float
    ledger: bool
    risk: float
    regret: float
    bits: float
    calls: int


def federations(seed: int, horizon: int, personal: bool = True, slow: bool = False) -> list[Federation]:
    """One law, different laws, and partially shared parameters; slow: one tiny world far from 0, for long schedules."""
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


def delivered(worlds: list[Federation], protocol: Any, seed: int, promised_by: Any = None) -> Delivered:
    """Every world once. promised_by: whose promise is looked at, if not the protocol's own (for controls)."""
    from fedigw.applicable import declared_cost
    from fedigw.running import run

    worst, ledger, risk, regret, bits, calls = 0.0, True, 0.0, [], [], 0
    for number, world in enumerate(worlds):
        federation = replace(world, protocol=protocol)
        judge = replace(world, protocol=promised_by or protocol)
        promise = judge.guarantee()
        assert promise is not None
        found = run(
            federation.with_rates(judge.learning_rates()[1:]),
            np.random.default_rng([seed, number]),
            audit=True,
        )
        cost = declared_cost(judge)
        plan = federation.plan
        delta = getattr(judge.protocol, "tolerance", None) or RiskModel.of(judge).tolerance
        for p in found.promises:
            target = (delta / (1 + delta)) ** 2 * judge.risks()[p.epoch - 1]  # delta^2 e(n)
            worst = max(worst, p.delivered / target)
            calls += 1
        ledger = ledger and cost is not None and tuple(found.traffic) == tuple(cost)
        if found.excess_risk is not None:
            for epoch in range(len(plan.full)):
                measured = found.excess_risk[0, epoch]
                if np.isfinite(measured):
                    risk = max(risk, float(measured) / judge.risks()[epoch])
        regret.append(float(found.regret.sum()))
        bits.append(float(sum(t.bits_up + t.bits_down for t in found.traffic)))
    return Delivered(worst, ledger, risk, float(np.mean(regret)), float(np.mean(bits)), calls)


def promises_kept(
    task: Task, protocol: Any, spoiled: Any, false: bool = False, personal: bool = True, slow: bool = False
) -> Evidence:
    """Runs of FedIGW: every call within its promise and its ledger equal to the declared cost, bit by bit.
    spoiled: for the control, a protocol that does too little and is held to the same promise (not to the ledger: that
    it sends less is not what must be noticed)."""
    seed = int(task.rng().integers(2**31))
    rounds, horizon = 3 if task.full else 1, 8 if slow else 16
    results = [
        delivered(
            federations(seed + 10 * k, horizon if slow or not task.full else 2 * horizon, personal, slow),
            spoiled if false else protocol,
            seed + k,
            protocol if false else None,
        )
        for k in range(rounds)
    ]
    worst, calls = max(r.worst for r in results), sum(r.calls for r in results)
    ledger = false or all(r.ledger for r in results)
    figures = {"calls": calls, "worst_ratio": worst, "ledger": ledger, "risk": max(r.risk for r in results)}
    if worst > 1 or not ledger:
        said = f"{worst:.3g} times the promise" if worst > 1 else "the ledger differs from the declared cost"
        return Evidence(Verdict.REFUTED, f"FedIGW with {protocol.name}, {calls} calls: {said}", figures)
    return Evidence(
        Verdict.FLOAT,
        f"FedIGW with {protocol.name}: in {calls} calls the squared distance from the minimiser is at most"
        f" {worst:.2g} of the promise, every ledger equals the declared cost, and the excess risk is at most"
        f" {figures['risk']:.2g} of the proved mean",
        figures,
    )


def enter_promises(
    claim: Claim, variant: str, protocol: Any, spoiled: Any, what: str, **worlds: bool
) -> None:
    """Enter the check `runs` of promises_kept; in its control `spoiled`, in words `what`, is held to the promise."""
    claim.check(
        variant,
        name="runs",
        about=f"Whole FedIGW runs; control: {what} held to the same promise",
        given=dict(protocol=protocol, spoiled=spoiled, **worlds),
        control=dict(false=True),
    )(promises_kept)
