"""Measured over proved for local methods: the largest ratio over many problems, as evidence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import wraps
from typing import Any

import numpy as np

from bounds import app_local_sgd
from verify.claim import Claim, Evidence, Task
from verify.experiments.local_moments import Moments, Samples, random_samples
from verify.verdict import Verdict

ROUNDING = 1e-6  # equality is attained (one local step, slowest direction): rounding of mu, amplified over the rounds


@dataclass(frozen=True)
class Ratio:
    """measured <= bound at one configuration."""

    measured: float
    bound: float
    where: str

    @property
    def value(self) -> float:
        return self.measured / self.bound if self.bound else (0.0 if self.measured <= 0 else float("inf"))


One = Callable[[np.random.Generator], Ratio | None]  # one configuration at random; None: it compares nothing


def sampled(task: Task, one: One, count: int, hardest: tuple[int, ...] = ()) -> Iterator[Ratio]:
    """The hardest configurations known, each by the seed that draws it, then `count` more by chance."""
    for seed in hardest:
        if (known := one(np.random.default_rng(seed))) is not None:
            yield known
    rng = task.rng()
    while count:
        if (ratio := one(rng)) is not None:
            count -= 1
            yield ratio


def worst(ratios: Iterable[Ratio]) -> Ratio | None:
    """The largest of one configuration's comparisons, its rounds say."""
    return max(ratios, key=lambda ratio: ratio.value, default=None)


def cut(largest: float) -> float:
    """What a control multiplies a bound by, of which measurements reach the share `largest`.

    Its slack is 1 - largest. A control takes away the slack and a tenth of it more; where the slack is larger than what
    is reached, the slack and a tenth of what is left (largest/1.1); where there is none, 1/10000. What remains is false
    at the hardest configuration known, and a check that cannot say so does not see the constant.
    """
    return min(max(largest - (1 - largest) / 10, largest / 1.1), (1 - 1e-4) * largest)


def judged(ratios: Iterable[Ratio], what: str, shrink: float = 1.0) -> Evidence:
    """Refuted by the first measurement that exceeds `shrink` times its bound, else computed; says how many
    configurations there were and the largest ratio. shrink, for controls: cut() of the largest ratio known."""
    found = []
    for ratio in ratios:
        found.append(ratio)
        if ratio.value / shrink > 1 + ROUNDING:
            break
    largest = max(found, key=lambda ratio: ratio.value)
    value = largest.value / shrink
    figures = {
        "configurations": len(found),
        "worst_ratio": value,
        "median_ratio": float(np.median([ratio.value for ratio in found])) / shrink,
        "where": largest.where,
    }
    if value > 1 + ROUNDING:
        return Evidence(Verdict.REFUTED, f"{what}: {value:.4g} times the bound at {largest.where}", figures)
    return Evidence(
        Verdict.FLOAT,
        f"{what}: at most {value:.4g} of the bound in {len(found)} configurations, in floating point"
        f" (largest at {largest.where})",
        figures,
    )


def judging(what: str) -> Callable[[Callable[..., Iterable[Ratio]]], Callable[..., Evidence]]:
    """Make a check of a function that yields ratios: they are judged."""

    def decorate(function: Callable[..., Iterable[Ratio]]) -> Callable[..., Evidence]:
        @wraps(function)
        def check(task: Task, **parameters: Any) -> Evidence:
            return judged(function(task, **parameters), what)

        return check

    return decorate


@dataclass(frozen=True)
class Setting:
    """One configuration of stochastic local steps. step: h = steps x step size x server step."""

    data: Samples
    steps: int
    server_step: float
    step: float

    @property
    def step_size(self) -> float:
        return self.step / (self.steps * self.server_step)

    @property
    def where(self) -> str:
        agents, size = self.data.mean.minimisers.shape
        return (
            f"M = {agents}, d = {size} ({self.data.shared} shared), K = {self.steps}, "
            f"server step {self.server_step:g}, h beta = {self.step * self.data.beta:.3g}"
        )


def random_setting(
    rng: np.random.Generator, limit: float, personal: bool, small: bool = False, noisy: bool = True
) -> Setting:
    """Local steps, server step and step up to the edge h = 1/(limit beta) of the conditions."""
    data = random_samples(rng, personal and rng.random() < 0.6, small, noisy)
    steps, server = int(rng.choice([1, 2, 3, 8, 20])), float(rng.choice([1.0, 1.0, 1.5, 4.0]))
    return Setting(data, steps, server, float(rng.choice([1.0, 1.0, 0.3])) / (limit * data.beta))


def start_distance(data: Samples) -> float:
    """d_0 of a run from 0."""
    return data.mean.distance(np.zeros_like(data.mean.minimisers))


def weighted(setting: Setting, moments: Moments, rounds: int) -> float:
    """E gap's weighted mean over the rounds, exactly through second moments."""
    return moments.weighted_gap(rounds, 1 - setting.data.mean.mu * setting.step / 2)


def noise_and_drift(setting: Setting) -> tuple[float, float]:
    """(c1, c2) of app:local_sgd."""
    data = setting.data
    c1 = app_local_sgd.noise(setting.steps, setting.server_step, float(data.weights.max()), *data.variances)
    return c1, app_local_sgd.drift(setting.server_step, data.beta, data.mean.heterogeneity)


def moments(task: Task, one: One, what: str, hardest: int, shrink: float = 1.0) -> Evidence:
    """Exact second moments: E gap of the weighted mean over its bound, in random runs and in the
    one of seed `hardest`."""
    return judged(sampled(task, one, 1000 if task.full else 80, (hardest,)), what, shrink)


def enter_moments(claim: Claim, one: One, what: str, hardest: int, largest: float) -> None:
    """Enter the check `moments`; its control cuts the bound below what the run of seed `hardest` reaches of it."""
    given = dict(one=one, what=what, hardest=hardest)
    claim.check("repaired", control=dict(shrink=cut(largest)), given=given)(moments)
