"""Measure the regret of linear federations with continuous contexts in up to 2^20 steps, by simulating every message.

Statistics limit what simulations can decide: from R values in [0,1] one cannot exclude a rare large value of
probability log(1/level)/R. So two dozen simulations can decide about a bound that is half of the largest possible
regret, but hundreds are needed for one that is 4 % of it. The environments tested here have a contrast (slope of the
mean reward) for which the bound is half of the largest possible regret. A few simulations at full contrast, where the
regret is nearer to its bound, are reported without a test.
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
    """Return the federation `full` with the contrast (slope of the mean reward) reduced until the regret `bound` is
    half of the largest possible regret. The contrast is unchanged if the bound is at least that half already."""
    contrast = min(1.0, bound / (SHARE * largest_regret(full)))
    parameter = LinearWorld.of(full).parameter
    return changed(full, parameter=np.concatenate([parameter[:1], contrast * parameter[1:]]))


def streamed_regret(task: Task, shrink: float = 1.0) -> Evidence:
    """Check that the measured regret for contexts on a sphere is below the regret bound of col:linear, in its
    variants sharpened and best. Negative control, which must fail: 0.12 times the bounds, at T = 64."""
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
        if task.full and shrink == 1 and not figures:  # at full contrast, without a test
            lost = _runs(task, plain, 3)
            figures = {"T": horizon, "regret": lost.tolist(), "factor": bound / float(lost.mean())}
    return judged(task, comparisons, runs="designs", full_contrast=figures)


def _runs(task: Task, instance: Federation, replications: int) -> np.ndarray:
    seed = int(task.seed.spawn(1)[0].generate_state(1)[0])
    return by_messages(instance, replications, seed).total_regret
