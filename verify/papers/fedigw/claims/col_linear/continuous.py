"""Regret with continuous contexts at T up to 2^20: replications through the federation loop, contexts streamed.

A sample of R values in [0,1] cannot tell a small mean from a rare disaster of probability log(1/level)/R: two dozen
runs decide about a bound that is half of what the world can lose, hundreds about one that is 4 % of it. So the worlds
that are decided here have their contrast, the slope of the mean reward, set so that the bound is that half. At full
contrast, where regret comes nearer to its bound, a few runs are reported next to them.
"""

from itertools import product
from typing import Any

import numpy as np

from bounds.theorems import col_linear
from fedigw.applicable import largest_regret
from fedigw.federation import Federation
from fedigw.replications import by_messages
from linear.environments import sphere
from linear.federations import changed
from linear.world import LinearWorld
from verify.claim import Evidence, Task
from verify.statistics.measurement import compare
from verify.statistics.regrets import judged

SHARE = 0.5
# (d, K, M, T, runs): 21 runs decide when regret is 9 % of the largest, as it is here, 25 when it is twice that
QUICK = ((5, 5, 2, 2**14, 26),)
FULL = ((5, 5, 4, 2**18, 24), (10, 10, 1, 2**20, 24))  # some 25 seconds of one core
CONTROL = ((5, 5, 2, 64, 26),)  # a bound that is too small is refuted soonest while losses are large


def with_contrast(full: Federation, bound: float) -> Federation:
    """Return the sphere's world whose largest possible regret is bound/SHARE, or as large as it can be."""
    contrast = min(1.0, bound / (SHARE * largest_regret(full)))
    parameter = LinearWorld.of(full).parameter
    return changed(full, parameter=np.concatenate([parameter[:1], contrast * parameter[1:]]))


def streamed_regret(task: Task, shrink: float = 1.0) -> Evidence:
    """Continuous contexts against the sharpened and the best bound, each design decided at its share of the level."""
    designs = CONTROL if shrink < 1 else FULL if task.full else QUICK
    comparisons, figures = [], dict[str, Any]()
    for variant, (dimension, arms, agents, horizon, runs) in product(("sharpened", "best"), designs):
        epochs = col_linear.epoch_sum(variant, agents, arms, dimension)
        bound, trivial = epochs.value(horizon), epochs.trivial(horizon)
        plain = sphere.make(task.rng(), dimension, arms, agents, horizon)
        instance = with_contrast(plain, bound).with_rates(variant)
        where = f"{variant}, sphere, M = {agents}, K = {arms}, d = {dimension}, T = {horizon}, {runs} runs"
        sample, level = _runs(task, instance, runs), task.level / (2 * len(designs))
        comparisons.append(compare(where, sample, largest_regret(instance), shrink * bound, trivial, level))
        if (
            task.full and shrink == 1 and not figures
        ):  # next to them, without a test: the world at full contrast
            lost = _runs(task, plain, 3)
            figures = {"T": horizon, "regret": lost.tolist(), "factor": bound / float(lost.mean())}
    return judged(task, comparisons, runs="designs", full_contrast=figures)


def _runs(task: Task, instance: Federation, replications: int) -> np.ndarray:
    """(R,): total regret of further runs of the direct method through the federation loop, on a stream of their own."""
    seed = int(task.seed.spawn(1)[0].generate_state(1)[0])
    return by_messages(instance, replications, seed).total_regret
