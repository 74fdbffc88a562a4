"""Simulate many independent replications of a federation, and record them."""

import math
from typing import Any

import numpy as np

from bounds.errors import InputError
from fedigw.adapting import Observed
from fedigw.federation import Federation
from fedigw.progress import turns
from fedigw.record import RunRecord
from fedigw.running import Messages, Pooled, Run, SolverError, carry_out, pools, run

CHUNK_NUMBERS = 4_000_000  # replications x cells held at once
MOST_NUMBERS = 10**11  # replications x epochs x (cells + agents): hours
Seed = int | np.random.SeedSequence


def simulate(federation: Federation, replications: int, seed: Seed, audit: bool = False) -> RunRecord:
    """Simulate all replications of a federation and return their record: all at once as arrays if the federation allows
    it, else one by one with every message. audit: also compare the accuracy that each call of the protocol delivers
    with the one that it promises."""
    refuse_endless(federation, replications)
    if pools(federation):
        return pooled(federation, replications, seed, audit)
    return by_messages(federation, replications, seed, audit)


def refuse_endless(federation: Federation, replications: int) -> None:
    plan = federation.plan
    cells = federation.world.cells if pools(federation) else 1
    work = replications * plan.epochs * (len(plan.full[0]) + cells)
    if not federation.world.finite:  # contexts are drawn one by one
        work += replications * sum(map(sum, plan.full)) * max(federation.arms)
    if work > MOST_NUMBERS:
        most = max(1, replications * MOST_NUMBERS // work)
        reason = f"about {work:.1e} numbers to be drawn, over {MOST_NUMBERS:.0e}; {most} replications are the most here"
        raise InputError("--replications", replications, reason)
    if pools(federation):
        taught = [sum(row) for epoch, row in enumerate(plan.full) if plan.learns(epoch)]
        federation.world.check_lengths(max(taught, default=0))


def pooled(federation: Federation, replications: int, seed: Seed, audit: bool = False) -> RunRecord:
    """Simulate all replications at once as arrays, in chunks that fit the memory. Results have the same distribution as
    with simulated messages. audit: also compare promised and delivered accuracy of each call."""
    if not pools(federation):
        said = "has no array form on this world; go by messages"
        raise InputError("protocol", federation.protocol.name, said)
    sequence = _sequence(seed)
    rng = np.random.default_rng(sequence)
    chunk = max(1, CHUNK_NUMBERS // federation.world.cells)
    starts = range(0, replications, chunk)
    try:
        runs = [
            carry_out(federation, Pooled(federation, rng, min(chunk, replications - start)), audit)
            for start in turns(starts, len(starts), "parts of the replications")
        ]
    except SolverError as error:
        raise InputError("simulation", federation.protocol.name, f"cannot go on: {error}") from None
    return _record(federation, runs, sequence, shared_traffic=True)


def by_messages(federation: Federation, replications: int, seed: Seed, audit: bool = False) -> RunRecord:
    """Simulate the replications one by one, and count every message. audit: also compare promised with delivered
    accuracy."""
    sequence = _sequence(seed)
    check_rounds(federation)
    streams = (sequence.spawn(1)[0] for _ in range(replications))  # a million at once would take seconds
    played = turns(streams, replications, "replications")
    runs = [run(federation, np.random.default_rng(stream), audit) for stream in played]
    return _record(federation, runs, sequence)


MOST_ROUNDS = 10**7


def check_rounds(federation: Federation) -> None:
    promised = federation.guarantee()
    protocol = federation.protocol
    if promised is None or protocol.adaptive or protocol.leaps or federation.stop is not None:
        return
    plan = federation.plan
    samples = [sum(row) for epoch, row in enumerate(plan.full) if plan.learns(epoch)]
    rounds = max((promised.cost(n).rounds for n in samples), default=0)
    if rounds > MOST_ROUNDS:
        said = f'a call needs {rounds:.3g} rounds, over {MOST_ROUNDS:.0e}: give a larger tolerance, or protocol = "agd"'
        raise InputError("protocol", protocol.name, said)


def _sequence(seed: Seed) -> np.random.SeedSequence:
    return seed if isinstance(seed, np.random.SeedSequence) else np.random.SeedSequence(seed)


def _record(
    federation: Federation, runs: list[Run], sequence: np.random.SeedSequence, shared_traffic: bool = False
) -> RunRecord:
    counted = [[tuple(vars(t).values()) for t in r.traffic] for r in runs]
    risks = [r.excess_risk for r in runs if r.excess_risk is not None]
    entropy: Any = sequence.entropy
    return RunRecord(
        describe=federation.describe,
        protocol=federation.protocol.name,
        seed=entropy if isinstance(entropy, int) else 0,
        full=federation.plan.full,
        played=federation.plan.played,
        learning_rates=_rates(federation, runs),
        regret=np.concatenate([r.regret for r in runs]),
        traffic=np.array(counted[:1] if shared_traffic else counted, dtype=np.int64),
        models=tuple(row for r in runs for row in r.models),
        promises=tuple(p for r in runs for p in r.promises if math.isfinite(p.promised)),
        excess_risk=np.concatenate(risks) if len(risks) == len(runs) else None,
        per_agent=_per_agent(runs),
        observed=_observed(runs),
        uncertified=tuple(epoch for r in runs for epoch in r.uncertified),
    )


def _rates(federation: Federation, runs: list[Run]) -> tuple[float, ...]:
    observed = _observed(runs)
    if observed is None:
        return tuple(float(rate) for rate in federation.learning_rates())
    return tuple(float(rate) for rate in observed.rates.mean(axis=0))


def _observed(runs: list[Run]) -> Observed | None:
    found = [run.observed for run in runs if run.observed is not None]
    if not found:
        return None
    starts = np.cumsum([0, *(len(one.bound) for one in found)])
    arrays = {
        name: np.concatenate([vars(one)[name] for one in found])
        for name in ("bound", "pathwise", "any_law", "left", "rates")
    }
    empty = [(int(s) + r, n) for s, one in zip(starts, found, strict=False) for r, n in one.empty]
    return Observed(delta=found[0].delta, empty=tuple(empty), **arrays)


def _per_agent(runs: list[Run]) -> tuple[float, ...]:
    shares = [(r.regret.shape[0], r.by_agent) for r in runs if r.by_agent is not None]
    if len(shares) < len(runs):
        return ()
    total = sum(replications for replications, _ in shares)
    return tuple(float(value) for value in sum(count / total * mean for count, mean in shares))


__all__ = ["Messages", "by_messages", "pooled", "simulate"]
