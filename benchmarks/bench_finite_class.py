"""Speed and memory of the finite class: python benchmarks/bench_finite_class.py

Ratios, since machines are noisy: T = 10^12 against T = 10^6, any-horizon against step by step.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from fedigw.federation import Federation
from fedigw.replications import pooled
from fedigw.running import run
from finite_class.environments import heterogeneous, random_table


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def large(horizon: int, module: object = random_table) -> Federation:
    make = module.make  # type: ignore[attr-defined]
    return make(np.random.default_rng(0), functions=50, contexts=20, arms=5, agents=10, horizon=horizon)  # type: ignore[no-any-return]


def main() -> None:
    short, long = large(10**6), large(10**12)
    ratios = [
        seconds(lambda: pooled(long, 200, 0)) / seconds(lambda: pooled(short, 200, 0)) for _ in range(3)
    ]
    print(f"T = 1e12 costs {sorted(ratios)[1]:.2f} times T = 1e6 (median of 3)")
    for module in (random_table, heterogeneous):
        world = large(10**9, module)
        taken = seconds(lambda world=world: pooled(world, 1000, 0))  # type: ignore[misc]
        name = module.__name__.rpartition(".")[2]
        print(f"{name}: 1,000 replications, |X|=20 K=5 |F|=50 M=10 T=1e9: {taken:.2f} s")
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    small = large(512)
    slow, fast = (
        seconds(lambda world=world: run(replace(small, world=world), np.random.default_rng(0)))  # type: ignore[misc]
        for world in (small.world.step_by_step(), small.world)
    )
    print(f"step by step takes {slow / fast:.0f} times the any-horizon loop at T = 512, M = 10")


if __name__ == "__main__":
    main()
