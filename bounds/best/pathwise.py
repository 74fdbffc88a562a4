"""The pathwise claim behind variant `best`, in exact arithmetic: one agent, one context, one run.

    gamma_L sum_a p^L_a R_a  <=  max(K-1, K-2+K a) + sum_{l=2}^L Lam_l eps^l,
    eps^l = gamma_l^2 sum_a p^{l-1}_a (fhat^l(a) - f*(a))^2,   p^1 uniform,   gamma_2 <= ... <= gamma_L.

Averaging it over contexts, agents and data gives lem:epoch_regret_bound; a violation breaks the constant.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from bounds.best.parameters import Parameters, derive

Vector = tuple[Fraction, ...]


@dataclass(frozen=True)
class Trajectory:
    """truth: f* per arm (K). estimates: fhat^2..fhat^L (L-1 x K). rates: gamma_2..gamma_L, non-decreasing."""

    truth: Vector
    estimates: tuple[Vector, ...]
    rates: Vector

    def __post_init__(self) -> None:
        if len(self.truth) < 2 or not self.estimates:
            raise ValueError("a run has at least 2 arms and 2 epochs")
        if any(len(row) != len(self.truth) for row in self.estimates) or len(self.rates) != len(
            self.estimates
        ):
            raise ValueError("one estimate per arm and one learning rate per epoch from 2 on")
        if any(r <= 0 for r in self.rates) or any(
            x > y for x, y in zip(self.rates, self.rates[1:], strict=False)
        ):
            raise ValueError("learning rates are positive and non-decreasing (H5)")


@dataclass(frozen=True)
class Kernel:
    """One inverse-gap-weighting kernel: greedy arm (lowest index on ties), probabilities, scaled gaps v_a."""

    greedy: int
    probabilities: Vector
    gaps: Vector


def kernel(estimate: Sequence[Fraction], rate: Fraction) -> Kernel:
    """p_a = 1/(K + rate (fhat(ahat) - fhat(a))) off the greedy arm ahat, the rest on it."""
    arms = len(estimate)
    greedy = max(range(arms), key=lambda a: (estimate[a], -a))
    gaps = tuple(rate * (estimate[greedy] - value) for value in estimate)
    weights = [1 / (arms + gap) if a != greedy else Fraction(0) for a, gap in enumerate(gaps)]
    weights[greedy] = 1 - sum(weights, Fraction(0))
    return Kernel(greedy, tuple(weights), gaps)


def kernels(run: Trajectory) -> tuple[Kernel, ...]:
    """p^1 (uniform), then p^2..p^L."""
    arms = len(run.truth)
    uniform = Kernel(0, (Fraction(1, arms),) * arms, (Fraction(0),) * arms)
    return (uniform, *(kernel(row, rate) for row, rate in zip(run.estimates, run.rates, strict=True)))


def scaled_regret(run: Trajectory) -> Fraction:
    """gamma_L sum_a p^L_a R_a."""
    top = max(run.truth)
    last = kernels(run)[-1].probabilities
    return run.rates[-1] * sum((p * (top - f) for p, f in zip(last, run.truth, strict=True)), Fraction(0))


def scaled_risks(run: Trajectory) -> Vector:
    """eps^2, ..., eps^L."""
    used = kernels(run)
    return tuple(
        rate**2
        * sum(
            (p * (f - t) ** 2 for p, f, t in zip(used[i].probabilities, row, run.truth, strict=True)),
            Fraction(0),
        )
        for i, (row, rate) in enumerate(zip(run.estimates, run.rates, strict=True))
    )


def multipliers(parameters: Parameters, epochs: int) -> Vector:
    """Lam_2, ..., Lam_L: lam at L, lam' at L-1, kap n th^j/(4 th) at L-2-j."""
    first = parameters.spread * derive(parameters).n / (4 * parameters.decay)
    down = [
        parameters.last,
        parameters.previous,
        *(first * parameters.decay**j for j in range(max(epochs - 3, 0))),
    ]
    return tuple(reversed(down[: epochs - 1]))


def slack(run: Trajectory, parameters: Parameters) -> Fraction:
    """Right side minus left side of the pathwise claim; negative is a counterexample."""
    arms = len(run.truth)
    weights = multipliers(parameters, len(run.rates) + 1)
    risk = sum((w * e for w, e in zip(weights, scaled_risks(run), strict=True)), Fraction(0))
    return max(Fraction(arms - 1), arms - 2 + arms * derive(parameters).a) + risk - scaled_regret(run)
