"""Measure the processor time of named pieces of work, and the memory of large simulations, for `make bench`.

Each time is processor time and the smallest of several repetitions, because other programs run on the same machine.
Memory is the peak of a separate process.
"""

import json
import math
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from race import ARMS, DIMENSION

from fedigw.channel import Channel
from fedigw.federation import Federation
from fedigw.protocols.fedavg import FedAvg
from fedigw.replications import simulate
from finite_class.environments import heterogeneous, random_table
from linear.environments import different_laws, finite_contexts, sphere
from linear.generalised import generalised
from linear.losses.logistic import Logistic
from linear.personalised.environments import opposite_arms
from linear.quadratics import Samples
from linear.ridge import RidgeData, RidgeProblem

ROOT = Path(__file__).resolve().parents[1]
REPETITIONS = 3


def seconds(work: Callable[[], object], repetitions: int = REPETITIONS) -> float:
    """Call `work` several times and return the smallest processor time of a call, in seconds."""
    found = []
    for _ in range(repetitions):
        start = time.process_time()
        work()
        found.append(time.process_time() - start)
    return max(min(found), 1e-6)


def exponent(sizes: Sequence[float], taken: Sequence[float]) -> float:
    """Return the exponent a of the power law, time proportional to size^a, that fits the measured times best: the slope
    of log time against log size, by least squares."""
    return float(np.polyfit(np.log(sizes), np.log(taken), 1)[0])


def floors() -> dict[str, float]:
    """Return two speeds, in steps of an agent per processor second, that no simulation exceeds if it draws every
    coordinate of every feature vector: that of the drawing alone, and that of the matrix product alone that gives the
    mean rewards."""
    steps = 200_000
    rng = np.random.Generator(np.random.SFC64(0))
    block = np.empty((2000, ARMS, DIMENSION - 1), dtype=np.float32)
    features, parameter = rng.random((2000 * ARMS, DIMENSION)), rng.random(DIMENSION)

    def draw() -> None:
        for _ in range(steps // 2000):
            rng.standard_normal(out=block, dtype=np.float32)

    def product() -> None:
        for _ in range(steps // 2000):
            features @ parameter

    return {"drawing the contexts": steps / seconds(draw), "one matrix product": steps / seconds(product)}


# rounds of local methods


def rounds() -> dict[str, dict[str, float]]:
    """Return, for each loss, the milliseconds of one round of FedAvg in this package, which also counts messages
    (`ours`), and of the same matrix products in bare numpy (`numpy`). A round has 10 local steps with full gradients.
    """
    rng, steps, size = np.random.default_rng(0), 10, 0.1
    features = rng.standard_normal((100, 100, 100))
    features /= np.linalg.norm(features, axis=2, keepdims=True)
    rewards = (rng.random((100, 100)) < 0.5).astype(float)
    samples = [Samples(phi, r, np.ones(100, dtype=int)) for phi, r in zip(features, rewards, strict=True)]
    data = [RidgeData(100, s.features.T @ s.features, s.features.T @ s.rewards, s) for s in samples]
    hessians = 2 * (np.stack([one.gram for one in data]) / 100 + np.eye(100) / 10_000)
    linear = 2 * np.stack([one.moment for one in data]) / 100
    logistic = generalised(100, Logistic(), None, 0.1, False)
    ridge, radius = logistic.regularisation / 10_000, logistic.loss.radius
    curvature = logistic.loss.curvatures[0]

    def squared(points: np.ndarray) -> np.ndarray:
        return np.asarray((hessians @ points[..., None])[..., 0] - linear)

    def continued(points: np.ndarray) -> np.ndarray:
        scores = np.matmul(features, points[..., None])[..., 0]
        inside = np.clip(scores, -radius, radius)
        slopes = (1 / (1 + np.exp(-inside)) + curvature * (scores - inside) - rewards) / 100
        return np.asarray(np.matmul(slopes[:, None, :], features)[:, 0] + ridge * points)

    def bare(gradient: Callable[[np.ndarray], np.ndarray], count: int) -> np.ndarray:
        point = np.zeros(100)
        for _ in range(count):
            local = np.tile(point, (100, 1))
            for _ in range(steps):
                local -= size * gradient(local)
            point = local.mean(axis=0)
        return point

    def ours(problem: Any, count: int) -> np.ndarray:
        fitted = FedAvg(count, steps, size).fit(problem, Channel(100, 1), None, rng)
        return np.asarray(fitted.parameters)

    def each(work: Callable[[int], object]) -> float:
        """Return the milliseconds of one round: the time of 120 rounds minus that of 20, divided by 100."""
        return 10 * (seconds(lambda: work(120), 5) - seconds(lambda: work(20), 5))

    found = {}
    for name, problem, gradient in (
        ("squared", RidgeProblem(data, 1), squared),
        ("logistic", logistic.problem(data, 1), continued),
    ):
        if np.abs(ours(problem, 20) - bare(gradient, 20)).max() > 1e-9:
            raise ArithmeticError(f"{name}: both must compute the same point")
        plain, engine = partial(bare, gradient), partial(ours, problem)
        found[name] = {"ours": each(engine), "numpy": each(plain)}
    return found


# growth


def growth(quick: bool = False, only: Sequence[str] = ()) -> dict[str, dict[str, Any]]:
    """Measure how the processor time of simulations grows with agents, steps, arms and so on, one at a time. Return, by
    name of the measurement, its sizes, seconds, the exponent of growth and the largest exponent allowed, `at most`
    (None: no limit). only: the names of the measurements to make; by default all."""
    rng = np.random.default_rng
    # below, what does not grow hides the slope
    classes = [3000, 10_000] if quick else [10_000, 30_000, 100_000]
    # the fourth of a row: how many replications are run; None if their number is what grows
    series: list[tuple[str, Sequence[int], int | None, float | None, Callable[[int], Federation]]] = [
        ("T, finite contexts", [10**4, 10**6, 10**8, 10**10, 10**12], 100, 0.1,
         lambda t: random_table.make(rng(0), 10, 20, 5, 10, t)),
        ("M, finite contexts, one law", [1000, 3000, 10_000], 1, 1.05,
         lambda m: random_table.make(rng(0), 10, 50, 10, m, 10**6)),
        ("M, finite contexts, different laws", [300, 1000, 3000], 1, 1.05,
         lambda m: heterogeneous.make(rng(0), 10, 20, 10, m, 10**6)),
        ("M, linear, different laws", [100, 300, 1000], 1, 1.05,
         lambda m: different_laws.make(rng(0), 5, 4, 5, m, 10**5)),
        ("K, finite contexts", [5, 20, 80], 50, None,
         lambda k: random_table.make(rng(0), 10, 20, k, 10, 10**6)),
        ("|X|, finite contexts", [20, 80, 320], 50, 1.05,
         lambda x: random_table.make(rng(0), 10, x, 5, 10, 10**6)),
        ("|X|, linear", [40, 160, 640], 20, 1.05,
         lambda x: finite_contexts.make(rng(0), 10, x, 5, 10, 10**6)),
        ("M, personalised", [10, 30, 100], 1, 1.05,
         lambda m: opposite_arms.make(rng(0), 3, 2, 4, 5, m, 10**4)),
        ("T, linear", [10**4, 10**8, 10**12], 20, 0.1, lambda t: finite_contexts.make(rng(0), 5, 8, 5, 10, t)),
        ("K, linear", [5, 20, 80], 20, 1.05, lambda k: finite_contexts.make(rng(0), 5, 8, k, 10, 10**6)),
        ("T, personalised", [10**3, 10**4, 10**5], 1, 0.2, lambda t: opposite_arms.make(rng(0), 3, 2, 4, 5, 4, t)),
        ("T, logistic", [64, 512, 4096], 1, 1.05,
         lambda t: finite_contexts.make(rng(0), 3, 4, 3, 4, t, loss="logistic")),
        ("M, logistic", [4, 16, 64], 1, 1.05,
         lambda m: finite_contexts.make(rng(0), 3, 4, 3, m, 256, loss="logistic")),
        ("d, linear", [10, 30, 90], 2, None, lambda d: finite_contexts.make(rng(0), d, 10, 5, 10, 10**6)),
        ("|F|, finite contexts", classes, 20, 1.05, lambda f: random_table.make(rng(0), f, 2, 2, 10, 10**6)),
        ("d, personalised", [4, 16, 64], 2, 3.0, lambda d: opposite_arms.make(rng(0), d, d, 4, 5, 4, 10**4)),
        ("K, personalised", [4, 16, 64], 4, 1.05, lambda k: opposite_arms.make(rng(0), 3, 2, 4, k, 4, 10**4)),
        ("d, logistic", [3, 12, 48], 1, 3.0, lambda d: finite_contexts.make(rng(0), d, 4, 3, 4, 256, loss="logistic")),
        ("K, logistic", [3, 12, 48], 1, 1.05, lambda k: finite_contexts.make(rng(0), 3, 4, k, 4, 256, loss="logistic")),
        ("replications, finite contexts", [100, 1000, 10_000], None, 1.05,
         lambda _: random_table.make(rng(0), 10, 20, 5, 10, 10**6)),
        ("replications, linear", [100, 1000, 10_000], None, 1.05,
         lambda _: finite_contexts.make(rng(0), 5, 8, 5, 10, 10**6)),
        ("replications, linear, continuous contexts", [2, 8, 32], None, 1.05,
         lambda _: sphere.make(rng(0), 5, 5, 10, 1024)),
        ("replications, personalised", [1, 8, 64], None, 1.05,
         lambda _: opposite_arms.make(rng(0), 3, 2, 4, 5, 4, 10**4)),
        ("replications, logistic", [1, 4, 16], None, 1.05,
         lambda _: finite_contexts.make(rng(0), 3, 4, 3, 4, 256, loss="logistic")),
    ]  # fmt: skip
    found = {}
    for name, sizes, replications, limit, make in series:
        if only and name not in only:
            continue
        taken = []
        for size in sizes:
            federation = make(size)
            simulate(federation, 1, 0)  # tables are made once
            taken.append(seconds(partial(simulate, federation, replications or size, 0), 2))
        found[name] = {
            "sizes": list(sizes),
            "seconds": taken,
            "exponent": exponent(sizes, taken),
            "at most": limit,
        }
    return found


# scale: each in a process of its own, for its memory

SCALES = {
    "10,000 agents, |X| = 50, K = 10, T = 1e6, one law": "random_table.make(rng, 10, 50, 10, 10_000, 10**6)",
    "10,000 agents, |X| = 50, K = 10, T = 1e6, different laws": "heterogeneous.make(rng, 10, 50, 10, 10_000, 10**6)",
    "linear, different laws, M = 10,000, d = K = 10, |X| = 4": "different_laws.make(rng, 10, 4, 10, 10_000, 10**4)",
    "linear, different laws, M = 10,000, d = K = 10, |X| = 10": "different_laws.make(rng, 10, 10, 10, 10_000, 10**4)",
    "T = 1e12, M = 10, |X| = 20, K = 5": "random_table.make(rng, 10, 20, 5, 10, 10**12)",
    "|F| = 100,000, |X| = K = 2, M = 10, T = 1e6": "random_table.make(rng, 100_000, 2, 2, 10, 10**6)",
}
HEAD = """
import json, sys, time
sys.path.insert(0, {root!r})
from fedigw.threads import one_thread
one_thread()
import numpy as np
from fedigw.replications import simulate
from finite_class.environments import heterogeneous, random_table
from finite_class.law import exact_law
from linear.environments import different_laws, finite_contexts, sphere
from linear.personalised.environments import opposite_arms
def memory():  # the most ever held, in MB; getrusage would count what the parent held before
    status = open("/proc/self/status").read()
    return int(status.split("VmHWM:")[1].split()[0]) / 1024
rng = np.random.default_rng(0)
start = time.process_time()
"""
PROGRAM = (
    HEAD
    + """
federation = {make}
made = time.process_time()
taken = []
for _ in range({repetitions}):
    begin = time.process_time()
    record = simulate(federation, 1, 0)
    taken.append(time.process_time() - begin)
    if sum(taken) > 5:
        break
print(json.dumps({{"make": made - start, "run": min(taken), "memory": memory(),
    "steps": sum(map(sum, record.played)), "regret": float(record.total_regret[0])}}))
"""
)


def scale(repetitions: int = 2) -> dict[str, dict[str, float]]:
    """Run each of the large simulations SCALES in a process of its own. Return, by name, the processor seconds to build
    and to run it, peak memory in MB, the steps of all agents, and the regret."""
    found = {}
    for name, make in SCALES.items():
        text = PROGRAM.format(root=str(ROOT), make=make, repetitions=repetitions)
        answer = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
        found[name] = json.loads(answer.stdout)
    return found


# the largest sizes within a time and a memory

MOST_SECONDS, MOST_MEMORY = 10.0, 1000.0  # of processor time, MB
LARGEST: dict[str, tuple[int, str]] = {  # the size that is tried first, and the work
    "agents M, one law, |X| = 50, K = 10, T = 1e6": (
        100_000, "simulate(random_table.make(rng, 10, 50, 10, size, 10**6), 1, 0)"),
    "agents M, different laws, |X| = 50, K = 10, T = 1e6": (
        10_000, "simulate(heterogeneous.make(rng, 10, 50, 10, size, 10**6), 1, 0)"),
    "functions |F|, |X| = K = 2, M = 10, T = 1e6": (
        100_000, "simulate(random_table.make(rng, size, 2, 2, 10, 10**6), 1, 0)"),
    "agents M, linear, different laws, d = K = 10, |X| = 4, T = 1e4": (
        10_000, "simulate(different_laws.make(rng, 10, 4, 10, size, 10**4), 1, 0)"),
    "dimension d, linear, |X| = 10, K = 5, M = 10, T = 1e6": (
        500, "simulate(finite_contexts.make(rng, size, 10, 5, 10, 10**6), 1, 0)"),
    "steps T, linear, continuous contexts, d = K = 10, M = 10": (
        100_000, "simulate(sphere.make(rng, 10, 10, 10, size), 1, 0)"),
    "agents M, personalised, d = 5, |X| = 4, K = 5, T = 1e4": (
        300, "simulate(opposite_arms.make(rng, 3, 2, 4, 5, size, 10**4), 1, 0)"),
    "agents M, logistic, d = 3, |X| = 4, K = 3, T = 256": (
        300, "simulate(finite_contexts.make(rng, 3, 4, 3, size, 256, loss='logistic'), 1, 0)"),
    "steps T, exact law, |F| = K = 2, |X| = 1, M = 2": (
        256, "exact_law(random_table.make(rng, 2, 1, 2, 2, size))"),
    "steps T, exact law, |F| = 3, K = 2, |X| = 2, M = 2": (
        16, "exact_law(random_table.make(rng, 3, 2, 2, 2, size))"),
    "functions |F|, exact law, |X| = 1, K = 2, M = 2, T = 16": (
        4, "exact_law(random_table.make(rng, size, 1, 2, 2, 16))"),
}  # fmt: skip


WITHIN = (
    """
import resource
resource.setrlimit(resource.RLIMIT_CPU, (15, 15))  # with the imports
resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
"""
    + HEAD
    + """
size = {size}
{work}
print(json.dumps({{"seconds": time.process_time() - start, "memory": memory()}}))
"""
)


def largest() -> dict[str, dict[str, float]]:
    """Return, for each kind of simulation in LARGEST, the largest size tried within 10 s of processor time and 1 GB,
    its seconds and memory, and the smallest size tried beyond these limits, `too large`."""
    return {name: _largest(start, work) for name, (start, work) in LARGEST.items()}


def _largest(size: int, work: str) -> dict[str, float]:
    """Find the largest size at which the program text `work` stays within the limits of time and memory. size: the
    first one tried. Each further size is a power of 2 times the last one; the first powers are estimated from the time
    and memory used."""
    known: dict[str, float] = {}
    beyond = math.inf
    while known.get("size", 0) < size < beyond:
        found = _within(size, work)
        if found is None:
            beyond = size
            size = 2 * int(known["size"]) if known else size // 2
            continue
        known = {"size": size, **found}
        left = min(MOST_SECONDS / found["seconds"], MOST_MEMORY / found["memory"])
        size *= 2 ** max(1, int(math.log2(left)))
        if size >= beyond:
            size = 2 * int(known["size"])
    return known | {"too large": beyond}


def _within(size: int, work: str) -> dict[str, float] | None:
    text = WITHIN.format(root=str(ROOT), size=size, work=work)
    answer = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True)
    found: dict[str, float] = json.loads(answer.stdout or "null") or {"seconds": math.inf, "memory": math.inf}
    return found if found["seconds"] <= MOST_SECONDS and found["memory"] <= MOST_MEMORY else None
