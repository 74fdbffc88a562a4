"""What every protocol sends and reaches: ledgers, gaps by round, regret inside FedIGW."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import numpy as np

from verify.claim import Evidence, Task
from verify.statistics.measurement import compare, overall
from verify.verdict import Verdict

AGENTS, ARMS, DIMENSION = 4, 3, 3
# 20 decide the quick profile and 22 the full one: regrets of one protocol differ by a hundredth
REPLICATIONS = 28


def local_methods(rounds: int) -> dict[str, Any]:
    """Every local method with steps for which its rate, if any, holds: h = K eta eta_g <= 1/(2 beta), beta <= 4."""
    from fedigw.protocols.fedavg import FedAvg
    from fedigw.protocols.fedopt import FedOpt
    from fedigw.protocols.fedprox import FedProx
    from fedigw.protocols.lsgd_pfl import LocalPersonal
    from fedigw.protocols.scaffold import Scaffold

    steps: dict[str, Any] = {"rounds": rounds, "local_steps": 5, "step_size": 0.02}
    return {
        "fedavg": FedAvg(**steps),
        "gradient descent": FedAvg(rounds, 1, 0.1),
        "scaffold": Scaffold(**steps),
        "scaffold, option 1": Scaffold(**steps, option=1),
        "fedprox": FedProx(rounds),
        "fedopt, yogi": FedOpt(**steps, server="yogi"),
        "lsgd_pfl": LocalPersonal(**steps),
    }


def ledgers(task: Task, forgotten: int = 0) -> Evidence:
    """Every protocol of every kind on a grid of agents, dimensions, rounds and participants; the control declares
    `forgotten` numbers too few."""
    from fedigw.conformance import ledger_problems

    calls, adaptive = 0, 0
    for federation in _federations():
        chosen = _forgetful(federation, forgotten) if forgotten else federation
        if problems := ledger_problems(chosen):
            name = federation.protocol.name
            return Evidence(Verdict.REFUTED, f"{name}: {problems[0]}", {"calls": calls, "protocol": name})
        calls += 1
        adaptive += bool(getattr(federation.protocol, "adaptive", False))
    return Evidence(
        Verdict.EXACT,
        f"ledgers of {calls} calls of every protocol equal their declared cost ({adaptive} of them, which stop when"
        " the gradient tells them to, are at most that)",
        {"calls": calls, "adaptive": adaptive},
    )


def _federations() -> list[Any]:
    """Federations of two epochs with every protocol that can learn there, every combination of sizes."""
    from fedigw.parts import protocols, suits
    from finite_class.environments import random_table
    from finite_class.kind import KIND as FINITE
    from linear.environments import different_laws
    from linear.kind import KIND as LINEAR
    from linear.personalised.environments import opposite_arms
    from linear.personalised.kind import KIND as PERSONALISED

    rng, found = np.random.default_rng(0), []
    for agents in (1, 3, 8):
        for size in (1, 2, 5):
            worlds = (
                (FINITE, random_table.make(rng, size + 1, 2, 2, agents, 4)),
                (LINEAR, different_laws.make(rng, size, 2, 2, agents, 4)),
                (PERSONALISED, opposite_arms.make(rng, size + 1, 1, 2, 2, agents, 4)),
            )
            for kind, made in worlds:
                fitting = (p for p in protocols(kind.protocols).values() if suits(p(), made.model))
                for protocol in fitting:
                    for changes in _variants(protocol, agents):
                        found.append(replace(made, protocol=replace(protocol(), **changes)))
    return found


def _variants(protocol: Any, agents: int) -> list[dict[str, Any]]:
    if "rounds" not in protocol.__dataclass_fields__:
        return [{}]
    found: list[dict[str, Any]] = [{"rounds": 1}, {"rounds": 4}]
    if "participants" in protocol.__dataclass_fields__:
        found.append({"rounds": 3, "participants": max(1, agents // 2)})
    return found


def _forgetful(federation: Any, numbers: int) -> Any:
    """The same federation with a protocol that declares a few numbers too few."""
    original = federation.protocol

    class Forgetful(type(original)):  # type: ignore[misc]
        def guarantee(self, setting: Any) -> Any:
            promised = super().guarantee(setting)
            return replace(promised, cost=lambda n: _less(promised.cost(n), numbers))

    values = {field.name: getattr(original, field.name) for field in fields(original)}
    return replace(federation, protocol=Forgetful(**values))


def _less(cost: Any, numbers: int) -> Any:
    return replace(cost, numbers_up=cost.numbers_up - numbers)


def _problems(task: Task) -> list[Any]:
    """Ridge problems of different agents: own sizes, features and parameters."""
    from linear.ridge import RidgeData, RidgeProblem

    found = []
    for seed in task.seed.spawn(8 if task.full else 3):
        rng = np.random.default_rng(seed)
        datasets = []
        for _ in range(AGENTS):
            n = int(rng.integers(10, 30))
            phi = rng.standard_normal((n, DIMENSION)) * rng.uniform(0.2, 1, DIMENSION)
            phi /= np.maximum(1, np.linalg.norm(phi, axis=1, keepdims=True))
            rewards = np.clip(0.5 + phi @ rng.standard_normal(DIMENSION) / 2, 0, 1)
            datasets.append(RidgeData(n, phi.T @ phi, phi.T @ rewards))
        found.append(RidgeProblem(datasets, 1))
    return found


def gaps(task: Task, shrunk: bool = False) -> Evidence:
    """The gap of every local method after every round over its rate; the control puts each rate one per cent below
    the largest gap that its method shows at that round."""
    from fedigw.watching import WatchingChannel

    worst: dict[str, float] = {}
    curves: dict[str, Any] = {}
    rounds = 300
    for number, problem in enumerate(_problems(task)):
        constants = problem.constants()
        for name, method in local_methods(rounds).items():
            rng = np.random.default_rng(0)
            channel = WatchingChannel(AGENTS, 1, None, rng, problem.gap, np.zeros(problem.dimension))
            method.fit(problem, channel, None, rng)
            rate = method.rate(constants)
            bound = None if rate.gap is None else [rate.gap(r) for r in range(rounds + 1)]
            if number == 0 and name != "lsgd_pfl":  # with nothing personal it is FedAvg: one curve is enough
                curves[name] = {"gap": channel.gaps, "rate": bound, "claim": rate.claim}
            if bound is None:
                continue
            # below 1e-14 a gap is rounding
            shown = [g / b for g, b in zip(channel.gaps, bound, strict=True) if g > 1e-14]
            worst[name] = max(worst.get(name, 0.0), *shown)
    limit = 0.99 * max(worst.values()) if shrunk else 1.0
    figures = {"ratio": worst, "curves": curves, "rounds": rounds}
    broken = {name: ratio for name, ratio in worst.items() if ratio > limit * (1 + 1e-9)}
    if broken:
        name = max(broken, key=broken.__getitem__)
        return Evidence(
            Verdict.REFUTED, f"{name}: gap {broken[name]:.4g} of its rate, allowed {limit:.4g}", figures
        )
    shown_ratios = ", ".join(f"{name} {ratio:.2g}" for name, ratio in worst.items())
    return Evidence(Verdict.COMPUTED, f"largest gap over rate in every round: {shown_ratios}", figures)


def false_regret(task: Task) -> Evidence:
    """The control of `regret`: a bound a tenth below the truth, which the exact law of a small world knows."""
    from fedigw.applicable import largest_regret
    from fedigw.replications import by_messages
    from verify.claims.col_linear.runs import BELOW_TRUTH, known_regret, known_world

    world = known_world()
    comparison = compare(
        f"direct, two axes, T = 64, a bound {1 - BELOW_TRUTH:.0%} below the exact regret",
        by_messages(world, 400, task.seed.spawn(1)[0]).total_regret,
        largest_regret(world),
        BELOW_TRUTH * known_regret(world),
        64.0,
        task.level,
    )
    text = f"{comparison.where}: regret {comparison.mean:.4g}, bound {comparison.bound:.4g}"
    return Evidence(comparison.verdict, text, comparison.json(), level=task.level)


def regret(task: Task) -> Evidence:
    """FedIGW with each protocol, message by message, at three horizons; at the last against the sharpened bound of the
    exact minimiser."""
    from bounds.schedules import doubling_plan
    from fedigw.applicable import applicable_bounds, largest_regret
    from fedigw.replications import by_messages
    from linear.environments import finite_contexts
    from linear.protocols.agd import AcceleratedGradient
    from linear.protocols.cg import ConjugateGradient
    from linear.protocols.direct import Direct

    world = finite_contexts.make(np.random.default_rng(1), DIMENSION, 4, ARMS, AGENTS, 4)
    # at the last the bound is 0.58 of what this world can lose, and REPLICATIONS runs decide
    horizons = (2**5, 2**8, 2**11)
    chosen: dict[str, Any] = {"direct": Direct(), "agd": AcceleratedGradient(early_stopping=True)}
    chosen |= {"cg": ConjugateGradient()} | local_methods(20)
    if not task.full:
        chosen = {name: chosen[name] for name in ("direct", "cg", "fedavg", "scaffold", "fedprox")}
    rows, comparisons = [], []
    for name, protocol in chosen.items():
        for horizon in horizons:
            plan = doubling_plan(horizon, AGENTS)
            exact = world.with_plan(plan)
            federation = replace(exact, protocol=protocol)
            last = horizon == horizons[-1]
            record = by_messages(federation, REPLICATIONS if last else 5, task.seed.spawn(1)[0])
            sent = record.total_traffic("numbers_up") + record.total_traffic("numbers_down")
            rows.append(
                {
                    "protocol": name,
                    "T": horizon,
                    "regret": float(record.total_regret.mean()),
                    "numbers": float(sent.mean()),
                }
            )
            if last:
                bound = applicable_bounds(exact)["sharpened"]
                comparison = compare(
                    f"{name}, T = {horizon}",
                    record.total_regret,
                    largest_regret(federation),
                    bound,
                    float(AGENTS * horizon),
                    task.level / len(chosen),
                )
                comparisons.append(comparison)
    worst = min(comparisons, key=lambda c: c.factor)
    return Evidence(
        overall(comparisons),
        f"{len(chosen)} protocols: regret below the bound of the exact minimiser by a factor of at least"
        f" {worst.factor:.1f} ({worst.where})",
        {"rows": rows, "M": AGENTS, "K": ARMS, "d": DIMENSION},
        level=task.level,
    )
