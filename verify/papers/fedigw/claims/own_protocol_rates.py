"""own:protocol_rates. The implemented FL protocols satisfy the convergence rates that are proved for them.

    printed     F(w_r) - F* <= rate(r) after every round r, for FedAvg and LSGD-PFL (app:local_gradients), SCAFFOLD
                with both options (lem:SCAFFOLD_complete) and FedProx (app:fedprox), on ridge problems whose agents
                differ

F is the objective, F* its minimum and w_r the point after r rounds. The theorems themselves are checked by other
claims, on an independent implementation.
"""

from typing import Any

import numpy as np

from fedigw.channel import Channel
from fedigw.watching import Watching
from linear.ridge import RidgeData, RidgeProblem
from verify.claim import Claim, Evidence, Task, Variant, Verdict
from verify.papers.fedigw.claims.own_any_protocol import AGENTS, DIMENSION, local_methods

claim = Claim(
    title="Gaps below their rates",
    section="FL protocols",
    tags=("fl",),
    depends=("app:local_gradients", "lem:SCAFFOLD_complete", "app:fedprox"),
    variants={
        "printed": Variant(
            r"F(w_r)-F^* \le \text{rate}(r)",
            ("full local gradients or exact solves, all agents, the conditions of each theorem",),
            Verdict.FLOAT,
        )
    },
)


def _problems(task: Task) -> list[Any]:
    found = []
    for seed in task.seed.spawn(8 if task.full else 2):
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


@claim.check("printed", control=dict(shrunk=True), name="gap")
def gaps(task: Task, shrunk: bool = False) -> Evidence:
    """Compare the objective minus its minimum, after every round of every local method, with its proved rate on random
    ridge problems. Negative control, which must fail: rates multiplied by 0.99 times the largest ratio of value to
    rate."""
    worst: dict[str, float] = {}
    rounds = 300 if task.full else 150
    for problem in _problems(task):
        constants = problem.constants()
        for name, method in local_methods(rounds).items():
            rng = np.random.default_rng(0)
            channel = Channel(AGENTS, 1, None, rng)
            measured = Watching(channel, problem.gap, np.zeros(problem.dimension)).gaps
            method.fit(problem, channel, None, rng)
            rate = method.rate(constants)
            if rate.gap is None:
                continue
            # below 1e-14 a gap is rounding
            shown = [gap / rate.gap(r) for r, gap in enumerate(measured) if gap > 1e-14]
            worst[name] = max(worst.get(name, 0.0), *shown)
    limit = 0.99 * max(worst.values()) if shrunk else 1.0
    figures = {"ratio": worst, "rounds": rounds}
    broken = {name: ratio for name, ratio in worst.items() if ratio > limit * (1 + 1e-9)}
    if broken:
        name = max(broken, key=broken.__getitem__)
        said = f"{name}: gap {broken[name]:.4g} of its rate, allowed {limit:.4g}"
        return Evidence(Verdict.REFUTED, said, figures)
    shown_ratios = ", ".join(f"{name} {ratio:.2g}" for name, ratio in worst.items())
    return Evidence(Verdict.FLOAT, f"largest gap over rate in every round: {shown_ratios}", figures)
