"""Processor time of single parts, the least of several repetitions: python benchmarks/bench_parts.py [PART ...]

contexts: agent-steps in continuous contexts, d = K = 10, M = 10, beside only drawing them, and memory
descent: AGD by message passing, and by a spectral jump
rounds: rounds of local methods; wanted: under 5 ms for M = d = 100
networks: local steps of networks on data of the shape of Bibtex, the real table if it is stored; wanted: 1,200 steps a
second without numba, 3,000 with
"""

import resource
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # this checkout, whatever is installed

from fedigw.threads import one_thread

one_thread()

import numpy as np  # noqa: E402
from measures import seconds  # noqa: E402
from race import ARMS, DIMENSION  # noqa: E402

from bounds.errors import InputError  # noqa: E402
from fedigw.channel import Channel  # noqa: E402
from fedigw.interfaces import Acting, Steps  # noqa: E402
from fedigw.protocols.fedavg import FedAvg  # noqa: E402
from fedigw.protocols.fedprox import FedProx  # noqa: E402
from fedigw.protocols.scaffold import Scaffold  # noqa: E402
from fedigw_extensions.neural.datasets import cache  # noqa: E402
from fedigw_extensions.neural.datasets.look_alike import look_alike  # noqa: E402
from fedigw_extensions.neural.fast import available  # noqa: E402
from fedigw_extensions.neural.model import NeuralModel  # noqa: E402
from fedigw_extensions.neural.network import Interactions  # noqa: E402
from linear.contexts.engines.drawn import draw_contexts  # noqa: E402
from linear.contexts.sphere import SphereContexts  # noqa: E402
from linear.environments import sphere  # noqa: E402
from linear.protocols.agd import descend  # noqa: E402
from linear.quadratics import Samples  # noqa: E402
from linear.ridge import RidgeData, RidgeProblem, pooled  # noqa: E402
from linear.spectral import agd_jump  # noqa: E402

STEPS, AGENTS = 1_000_000, 10


def contexts() -> None:
    block, stream = np.empty((ARMS, 1000, DIMENSION - 1), dtype=np.float32), np.random.default_rng(0)
    drawing = seconds(lambda: [draw_contexts(stream, block) for _ in range(STEPS // 1000)], 1)
    print(f"drawing contexts only: {STEPS / drawing / 1e6:.2f} M steps a second")

    def play(engine: str, count: int) -> None:
        rng = np.random.default_rng(0)
        made = sphere.make(rng, DIMENSION, ARMS, AGENTS)
        estimate = made.world.parameter + 0.1 * rng.standard_normal(DIMENSION)
        act, each = Acting(made.model, estimate, made.policy, 30.0), Steps(count // AGENTS, count // AGENTS)
        for _ in range(AGENTS):
            SphereContexts(ARMS, DIMENSION, engine).play(act, each, made.world.parameter, "bernoulli", rng)

    for engine in ("plane", "drawn"):
        taken = seconds(lambda engine=engine: play(engine, STEPS), 1)  # type: ignore[misc]
        print(
            f"{engine}: {STEPS / taken / 1e6:.2f} M steps a second, {taken / drawing:.2f} times the drawing"
        )
    for count in (STEPS // 10, STEPS * 4):
        play("plane", count)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"peak memory after {count:.0e} steps: {peak:.0f} MB")


def datasets(agents: int, dimension: int, samples: int) -> list[RidgeData]:
    rng, found = np.random.default_rng(0), []
    for _ in range(agents):
        phi = rng.standard_normal((samples, dimension))
        phi /= np.maximum(np.linalg.norm(phi, axis=1, keepdims=True), 1)
        rewards = rng.random(samples)
        kept = Samples(phi, rewards, np.ones(samples, dtype=np.int64))
        found.append(RidgeData(samples, phi.T @ phi, phi.T @ rewards, kept))
    return found


def descent() -> None:
    data = datasets(100, 20, 50)
    agents, whole = RidgeProblem(data, 1), pooled(data)
    n = whole.count
    taken = seconds(lambda: descend(agents, Channel(100, 1), 100_000), 1)
    print(f"1e5 AGD rounds by message passing, M = 100, d = 20: {taken:.2f} s")
    jump = seconds(lambda: agd_jump(whole.gram / n, whole.moment / n, n, 100_000))
    print(f"the same by a spectral jump: {1000 * jump:.2f} ms")


def call(method: Any, data: Any, repetitions: int = 5) -> float:
    """Return the processor seconds of one FL call."""

    def work() -> None:
        rng = np.random.default_rng(0)
        method.fit(data, Channel(len(data.local.weights), 1, None, rng), None, rng)

    return seconds(work, repetitions)


def rounds() -> None:
    large = RidgeProblem(datasets(100, 100, 200), 1)
    for method in (FedAvg(50, 10, 0.1), Scaffold(50, 10, 0.1)):
        print(f"{method.name}, M = d = 100, 10 local steps: {1e3 * call(method, large) / 50:.2f} ms a round")
    taken = call(FedAvg(1000, 1, 0.1, batch=64), RidgeProblem(datasets(10, 20, 1000), 1), 3)
    print(f"fedavg, 1000 rounds on minibatches of 64, M = 10, d = 20: {taken:.2f} s")


def networks(samples: int = 4096, batch: int = 64) -> None:
    try:
        data = cache.load("bibtex")
    except InputError:
        data = look_alike("bibtex", 0)
    rng, given = np.random.default_rng(0), []
    for _ in range(AGENTS):
        rows = rng.integers(0, data.rows, samples).astype(np.int32)
        arms = rng.integers(0, data.arms, samples).astype(np.int32)
        given.append(Interactions(data, rows, arms, data.labels[rows, arms].astype(np.float32)))
    for engine in ("numpy", "numba") if available() else ("numpy",):
        found = NeuralModel(data.dimension, data.arms, engine=engine).problem(given, 1)
        for method in (
            FedAvg(rounds=20, batch=batch),
            FedAvg(rounds=2, batch=batch, passes=1),
            FedProx(rounds=20, batch=batch, proximal=0.01, exact=False),
            Scaffold(rounds=20, batch=batch),
        ):
            scheduled = method.scheduled(AGENTS * samples, AGENTS, 1)
            steps = AGENTS * scheduled.rounds * scheduled.local_steps
            words = f"{scheduled.rounds} rounds of {scheduled.local_steps} steps"
            rate = steps / call(method, found)
            print(f"{data.name}, {engine}, {method.name}, {words}: {rate:.0f} agent-steps a second")


PARTS = {"contexts": contexts, "descent": descent, "rounds": rounds, "networks": networks}

if __name__ == "__main__":
    for name in sys.argv[1:] or PARTS:
        PARTS[name]()
