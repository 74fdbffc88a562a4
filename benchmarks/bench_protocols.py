"""What an FL round costs: CPU milliseconds of the local methods, the least of several repetitions."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np

from fedigw.channel import Channel
from fedigw.protocols.fedavg import FedAvg
from fedigw.protocols.scaffold import Scaffold
from linear.quadratics import Samples
from linear.ridge import RidgeData, RidgeProblem


def problem(agents: int, dimension: int, samples: int) -> RidgeProblem:
    rng = np.random.default_rng(0)
    datasets = []
    for _ in range(agents):
        phi = rng.standard_normal((samples, dimension))
        phi /= np.linalg.norm(phi, axis=1, keepdims=True)
        rewards = rng.random(samples)
        kept = Samples(phi, rewards, np.ones(samples, dtype=np.int64))
        datasets.append(RidgeData(samples, phi.T @ phi, phi.T @ rewards, kept))
    return RidgeProblem(datasets, 1)


def seconds(method: Any, data: RidgeProblem, repetitions: int = 5) -> float:
    taken = []
    for _ in range(repetitions):
        rng = np.random.default_rng(0)
        start = time.process_time()
        method.fit(data, Channel(data.count, 1, None, rng), None, rng)
        taken.append(time.process_time() - start)
    return min(taken)


def main() -> None:
    large = problem(100, 100, 200)
    for method in (FedAvg(50, 10, 0.1), Scaffold(50, 10, 0.1)):
        print(
            f"{method.name}: M = d = 100, 10 local steps: {1e3 * seconds(method, large) / 50:.2f} ms a round"
        )
    small = problem(10, 20, 1000)
    call = FedAvg(1000, 1, 0.1, batch=64)
    print(f"fedavg: 1000 rounds on minibatches of 64, M = 10, d = 20: {seconds(call, small, 3):.2f} s")


if __name__ == "__main__":
    main()
