"""Agent-steps a second of CPU, one thread, in one FL call of ten agents on data of the shape of Bibtex, batch 64.

python benchmarks/bench_neural.py [bibtex|delicious]; the real table if it is kept, else its look-alike.
Wanted on Bibtex: 1,200 without numba, 3,000 with.
"""

from __future__ import annotations

import sys
import time

from fedigw.threads import one_thread

one_thread()

import numpy as np  # noqa: E402

from bounds.errors import InputError  # noqa: E402
from bounds.schedules import capped_lengths, synchronous_plan  # noqa: E402
from fedigw.channel import Channel  # noqa: E402
from fedigw.protocols.fedavg import FedAvg  # noqa: E402
from fedigw.protocols.fedprox import FedProx  # noqa: E402
from fedigw.protocols.scaffold import Scaffold  # noqa: E402
from fedigw_extensions.neural.datasets import cache  # noqa: E402
from fedigw_extensions.neural.datasets.look_alike import look_alike  # noqa: E402
from fedigw_extensions.neural.fast import available  # noqa: E402
from fedigw_extensions.neural.federations import neural_federation  # noqa: E402
from fedigw_extensions.neural.network import Interactions  # noqa: E402

AGENTS, SAMPLES, BATCH, ATTEMPTS = 10, 4096, 64, 5
PROTOCOLS = {
    "FedAvg, 20 rounds of 5 steps": FedAvg(rounds=20, batch=BATCH),
    "FedAvg, 2 rounds of one pass": FedAvg(rounds=2, batch=BATCH, passes=1),
    "FedProx, 20 rounds of 5 steps": FedProx(rounds=20, batch=BATCH, proximal=0.01, exact=False),
    "SCAFFOLD, 20 rounds of 5 steps": Scaffold(rounds=20, batch=BATCH),
}


def main(name: str) -> None:
    try:
        data = cache.load(name)
    except InputError:
        data = look_alike(name, 0)
    print(
        f"{data.name}: {data.dimension} features, {data.arms} arms, width 256, {AGENTS} agents, batch {BATCH}"
    )
    rng = np.random.default_rng(0)
    samples = []
    for _ in range(AGENTS):
        rows = rng.integers(0, data.rows, SAMPLES).astype(np.int32)
        arms = rng.integers(0, data.arms, SAMPLES).astype(np.int32)
        samples.append(Interactions(data, rows, arms, data.labels[rows, arms].astype(np.float32)))
    plan = synchronous_plan(capped_lengths(SAMPLES), SAMPLES, AGENTS)
    for engine in ("numpy", "numba") if available() else ("numpy",):
        for title, protocol in PROTOCOLS.items():
            played = neural_federation(data, AGENTS, plan, 7000, engine=engine, protocol=protocol)
            problem = played.model.problem(samples, 1)
            scheduled = protocol.scheduled(AGENTS * SAMPLES, AGENTS, 1)
            steps = AGENTS * scheduled.rounds * scheduled.local_steps
            best = float("inf")
            for _ in range(ATTEMPTS):
                start = time.process_time()
                protocol.fit(problem, Channel(AGENTS, 1, None, rng), None, rng)
                best = min(best, time.process_time() - start)
            print(f"  {engine:6} {title:32} {steps / best:8.0f} agent-steps a second of CPU")
    if not available():
        print("  numba is not installed (extra `fast`)")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "bibtex")
