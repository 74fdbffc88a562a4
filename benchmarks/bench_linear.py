"""Speed and memory of the linear world: python benchmarks/bench_linear.py

Continuous contexts, d = K = 10, M = 10, beside the time of only drawing them; AGD by message passing and by jump.
Rates per second of wall clock on two lanes, and per second of processor time, which a busy machine disturbs less.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Callable

import numpy as np

from fedigw.channel import Channel
from fedigw.interfaces import Acting, Steps
from linear.contexts.engines.drawn import draw_contexts
from linear.contexts.sphere import SphereContexts
from linear.environments import sphere
from linear.protocols.agd import descend
from linear.ridge import RidgeData, RidgeProblem, pooled
from linear.spectral import agd_jump

STEPS = 1_000_000
AGENTS, ARMS, DIMENSION = 10, 10, 10


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """(wall, processor) seconds."""
    wall, processor = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - wall, time.process_time() - processor


def contexts_only() -> None:
    """Every coordinate of every arm drawn, and thrown away."""
    size = 1333
    block = np.empty((ARMS, size, DIMENSION - 1), dtype=np.float32)
    stream = np.random.default_rng(0)
    for _ in range(STEPS // size):
        draw_contexts(stream, block)


def steps(engine: str, count: int = STEPS) -> None:
    """`count` agent-steps of an epoch, shared by the agents."""
    rng = np.random.default_rng(0)
    instance = sphere.make(rng, DIMENSION, ARMS, AGENTS)
    estimate = instance.world.parameter + 0.1 * rng.standard_normal(DIMENSION)
    contexts = SphereContexts(ARMS, DIMENSION, engine)
    act = Acting(instance.model, estimate, instance.policy, 30.0)
    each = Steps(count // AGENTS, count // AGENTS)
    for _ in range(AGENTS):
        contexts.play(act, each, instance.world.parameter, "bernoulli", rng)


def continuous() -> None:
    wall, processor = timed(contexts_only)
    print(
        f"drawing contexts only     {STEPS / wall / 1e6:5.2f} M/s, {STEPS / processor / 1e6:5.2f} M per cpu second"
    )
    for engine in ("plane", "drawn"):
        steps(engine, 10 * AGENTS)  # warm up
        taken, used = timed(lambda engine=engine: steps(engine))  # type: ignore[misc]
        print(
            f"agent-steps, {engine:10}   {STEPS / taken / 1e6:5.2f} M/s, {STEPS / used / 1e6:5.2f} M per cpu second,"
            f" {used / processor:.2f} times the drawing"
        )
    peaks = []
    for count in (STEPS // 10, STEPS * 4):
        steps("plane", count)
        peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    print(f"peak memory {peaks[0]:.0f} MB after 1e5 steps, {peaks[1]:.0f} MB after 4e6")


def gradient_descent() -> None:
    rng = np.random.default_rng(0)
    datasets = []
    for _ in range(100):
        phi = rng.standard_normal((50, 20))
        phi /= np.maximum(np.linalg.norm(phi, axis=1, keepdims=True), 1)
        datasets.append(RidgeData(50, phi.T @ phi, phi.T @ rng.random(50)))
    agents, data = RidgeProblem(datasets, 1), pooled(datasets)
    wall, processor = timed(lambda: descend(agents, Channel(100, 1), 100_000))
    print(f"1e5 AGD rounds by message passing, M = 100, d = 20: {wall:.2f} s, {processor:.2f} cpu seconds")
    n = data.count
    jump, _ = timed(lambda: agd_jump(data.gram / n, data.moment / n, n, 100_000))
    print(f"the same by a spectral jump: {1000 * jump:.2f} ms")


if __name__ == "__main__":
    continuous()
    gradient_descent()
