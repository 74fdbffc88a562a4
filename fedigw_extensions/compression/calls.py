"""Run the compressed protocols and measure three things: the distance from the minimiser, the bits sent, and the
regret of FedIGW that uses them."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from bounds.compression import rounding_bits, top_k_bits
from fedigw.channel import Channel
from fedigw.replications import by_messages
from fedigw_extensions.compression.protocols.compressed_gradients import CompressedGradients
from fedigw_extensions.compression.protocols.diana import Diana
from fedigw_extensions.compression.protocols.ef21 import Ef21
from fedigw_extensions.compression.protocols.error_feedback import ErrorFeedback
from linear.environments import different_laws
from linear.ridge import RidgeData, RidgeProblem
from verify.claim import Evidence, Task, Verdict

NEAR = 1e-8
DIMENSION, AGENTS, EACH = 8, 5, 8


@dataclass(frozen=True)
class Forgetful(Ef21):
    """A faulty EF21 protocol, a negative control: it never updates its reference vectors, so agents send the largest
    coordinates of their gradients. It does not converge."""

    name: ClassVar[str] = "forgetful"

    def learning(self, width: int) -> float:
        return 0.0


def problem(rng: np.random.Generator) -> RidgeProblem:
    """Draw a random ridge regression problem. The agents' data differ, so their gradients at the common minimiser are
    not 0."""
    data = []
    for m in range(AGENTS):
        features = rng.standard_normal((EACH, DIMENSION)) * np.where(
            np.arange(DIMENSION) % AGENTS == m, 3.0, 1.0
        )
        features /= np.linalg.norm(features, axis=1, keepdims=True)
        rewards = rng.random(EACH)
        data.append(RidgeData(EACH, features.T @ features, features.T @ rewards))
    return RidgeProblem(data, 1, 1.0, 1.0, 0.1)


def reaches(task: Task, protocol: Any, bits: Callable[[int], int]) -> Evidence:
    """Check that one execution of the protocol ends within 1e-8 of the minimiser, and that each agent sends the stated
    number of bits per round. bits(d): the stated number in d dimensions."""
    given, rng = problem(task.rng()), np.random.default_rng(task.seed.spawn(1)[0])
    channel = Channel(AGENTS, 1, rng=rng)
    found = protocol.fit(given, channel, None, rng).parameters
    away = float(np.sqrt(given.distance(found)))
    counted, formula = channel.traffic.bits_up, AGENTS * protocol.rounds * bits(DIMENSION)
    each = counted / channel.traffic.numbers_up
    figures = {"distance": away, "bits_up": counted, "formula": formula, "bits_a_number": each}
    return Evidence(
        Verdict.FLOAT.unless(away > NEAR or counted != formula),
        f"{protocol.name}: {away:.2g} from the minimiser after {protocol.rounds} rounds, d = {DIMENSION},"
        f" {each:g} bits a number, {counted} bits up, {formula} by the formula",
        figures | {"rounds": protocol.rounds},
    )


ROUNDS = (2, 8, 32)


def bits_and_regret(task: Task, false: bool = False) -> Evidence:
    """Run FedIGW with several compressed protocols and fixed numbers of rounds, record the mean regret, and compare
    the bits that agents send with their formula.

    false: use a wrong formula, the negative control, which omits the 32 bits for the scale of a message."""
    seed = int(task.rng().integers(2**31))
    replications, horizon = (20, 256) if task.full else (1, 64)
    world = different_laws.make(
        np.random.default_rng(seed), dimension=8, contexts=6, arms=4, agents=4, horizon=horizon
    ).with_rates(20)
    methods: dict[str, tuple[Callable[[int], Any], int]] = {
        "64 bits a number": (lambda k: Ef21(rounds=k, keep=8), 64 * 8),
        "compressed_gradients, b = 4": (
            lambda k: CompressedGradients(rounds=k, bits_each=4),
            rounding_bits(8, 4),
        ),
        "diana, b = 4": (lambda k: Diana(rounds=k, bits_each=4), rounding_bits(8, 4)),
        "diana, b = 1": (lambda k: Diana(rounds=k, bits_each=1), rounding_bits(8, 1)),
        "ef21, k = 1": (lambda k: Ef21(rounds=k, keep=1), top_k_bits(8, 1)),
        "error_feedback, k = 1": (lambda k: ErrorFeedback(rounds=k, keep=1), top_k_bits(8, 1)),
    }
    series: dict[str, Any] = {}
    for name, (make, each) in methods.items():
        points = []
        for k in ROUNDS:
            federation = replace(world, protocol=make(k))
            record = by_messages(federation, replications, seed)
            calls = sum(federation.plan.learns(e) for e in range(len(federation.plan.full)))
            counted = int(record.total_traffic("bits_up")[0])
            formula = 4 * k * calls * (each - (32 if false and "b =" in name else 0))
            if counted != formula:
                return Evidence(
                    Verdict.REFUTED, f"{name}: {counted} bits, the formula says {formula}", {"series": series}
                )
            points.append({"rounds": k, "bits": counted, "regret": float(record.total_regret.mean())})
        series[name] = points
    record = by_messages(replace(world, protocol=world.protocol), replications, seed)
    direct = {"bits": int(record.total_traffic("bits_up")[0]), "regret": float(record.total_regret.mean())}
    count = sum(map(len, series.values()))
    return Evidence(
        Verdict.FLOAT,
        f"{count} settings of FedIGW: the ledger's bits are those of the formula, scales and places included",
        {"series": series, "direct": direct, "agents": 4, "dimension": 8, "horizon": horizon},
    )
