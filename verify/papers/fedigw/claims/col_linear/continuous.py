"""Regret with continuous contexts at T up to 2^20: replications through the federation loop, contexts streamed.

A sample of R values in [0,1] cannot tell a small mean from a rare disaster of probability log(1/level)/R: two dozen
runs decide about a bound that is half of what the world can lose, hundreds about one that is 4 % of it. So the worlds
that are decided here have their contrast, the slope of the mean reward, set so that the bound is that half. At full
contrast, where regret comes nearer to its bound, a few runs are reported beside them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from bounds.epoch_sum import EpochSum
from bounds.theorems import col_linear
from fedigw.applicable import largest_regret
from fedigw.federation import Federation
from fedigw.replications import by_messages
from linear.environments import sphere
from linear.federations import changed
from linear.world import LinearWorld
from verify.claim import Evidence, Task
from verify.statistics.measurement import Comparison, compare, overall

SHARE = 0.5


@dataclass(frozen=True)
class Design:
    dimension: int
    arms: int
    agents: int
    horizon: int
    replications: int

    @property
    def name(self) -> str:
        return f"sphere, M = {self.agents}, K = {self.arms}, d = {self.dimension}, T = {self.horizon}"

    @property
    def epochs(self) -> EpochSum:
        return col_linear.epoch_sum("sharpened", self.agents, self.arms, self.dimension)

    @property
    def bound(self) -> float:
        return self.epochs.value(self.horizon)


# 21 runs decide when regret is 9 % of the largest, as it is here, 25 when it is twice that
QUICK = (Design(5, 5, 2, 2**14, 26),)
FULL = (Design(5, 5, 4, 2**18, 24), Design(10, 10, 1, 2**20, 24))  # some 25 seconds of one core
CONTROL = (Design(5, 5, 2, 64, 26),)  # a bound that is too small is refuted soonest while losses are large


def with_contrast(rng: np.random.Generator, design: Design) -> Federation:
    """The sphere's world whose largest possible regret is bound/SHARE, or as large as it can be if that is less."""
    full = sphere.make(rng, design.dimension, design.arms, design.agents, design.horizon)
    contrast = min(1.0, design.bound / (SHARE * largest_regret(full)))
    parameter = LinearWorld.of(full).parameter
    return changed(full, parameter=np.concatenate([parameter[:1], contrast * parameter[1:]]))


def streamed_regret(task: Task, shrink: float = 1.0) -> Evidence:
    """Continuous contexts against the sharpened bound, every design decided at its share of the level."""
    designs = CONTROL if shrink < 1 else FULL if task.full else QUICK
    comparisons, rows = [], []
    for design in designs:
        instance = with_contrast(task.rng(), design)
        comparison = compare(
            design.name,
            _runs(task, instance, design.replications),
            largest_regret(instance),
            shrink * design.bound,
            design.epochs.trivial(design.horizon),
            task.level / len(designs),
        )
        comparisons.append(comparison)
        rows.append(
            comparison.json()
            | {
                "replications": design.replications,
                "T": design.horizon,
                "largest": largest_regret(instance),
                "share_of_trivial": comparison.bound / comparison.trivial,
            }
        )
    figures: dict[str, Any] = {"rows": rows}
    text = "; ".join(_sentence(c, d) for c, d in zip(comparisons, designs, strict=True))
    if task.full and shrink == 1:
        # beside them, without a test: the same world at full contrast
        plain = sphere.make(task.rng(), *_shape(designs[0]))
        sample = _runs(task, plain, 3)
        figures["full_contrast"] = {
            "T": designs[0].horizon,
            "regret": sample.tolist(),
            "bound": designs[0].bound,
            "factor": designs[0].bound / float(sample.mean()),
        }
        text += f"; at full contrast (3 runs, no test) factor {figures['full_contrast']['factor']:.1f}"
    return Evidence(overall(comparisons), text, figures, level=task.level)


def _shape(design: Design) -> tuple[int, int, int, int]:
    return design.dimension, design.arms, design.agents, design.horizon


def _sentence(comparison: Comparison, design: Design) -> str:
    return (
        f"{comparison.where}: regret {comparison.mean:.4g} in [{comparison.low:.4g}, {comparison.high:.4g}]"
        f" ({design.replications} runs), bound {comparison.bound:.4g}"
        f" ({comparison.bound / comparison.trivial:.2g} of the trivial), factor {comparison.factor:.1f}"
    )


def _runs(task: Task, instance: Federation, replications: int) -> np.ndarray:
    """(R,): total regret of further runs of the direct method through the federation loop, on a stream of their own."""
    seed = int(task.seed.spawn(1)[0].generate_state(1)[0])
    return by_messages(instance, replications, seed).total_regret
