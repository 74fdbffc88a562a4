"""Compute exact expectations, in floating point, for a short bandit run in which every step learns from all earlier
ones.

There are one context and two arms, whose Bernoulli rewards have means f_w(a) = w phi_a with one parameter w and
features phi_a. Inverse gap weighting chooses each arm by the posterior mean given all earlier steps. A state counts
how often arm 1 was played and how often each arm had reward 1; expectations of other functions of the past are stored
with each state.
"""

from dataclasses import dataclass

import numpy as np

from bounds.app_posterior_mean import Posterior
from fedigw.policies.igw import InverseGapWeighting
from linear.posterior import box_mean, interval_mean


@dataclass(frozen=True)
class Tiny:
    """A short bandit run with two arms and one parameter. features: those of the arms. truth: the true parameter.
    steps: number of steps. rate: the learning rate of inverse gap weighting; 0 gives uniform play."""

    features: tuple[float, float]
    truth: float
    steps: int
    rate: float


@dataclass(frozen=True)
class Found:
    """Exact expectations at the end of a short bandit run.

    total        E of the summed squared error of the posterior mean
    energy       E of minus the logarithm of the posterior's normalising integral, relative to the true function
    paths        the largest difference between two ways to compute a posterior mean
    martingale   (W,): the expectation that the proof needs to be at most 1 (check `martingale`), at W parameters
    """

    total: float
    energy: float
    paths: float
    martingale: np.ndarray


def exact(tiny: Tiny, row: Posterior, points: np.ndarray, kappa: float | None = None) -> Found:
    """Compute the exact expectations of a short bandit run that learns after every step. row: the posterior's exponent
    and the constant kappa of its error bound. points: the parameters at which the martingale in the proof of this bound
    is computed. kappa: replaces the constant in the martingale."""
    k = row.kappa if kappa is None else kappa
    phi = np.array(tiny.features)
    away = (points - tiny.truth)[:, None] * phi  # f_w - f* by arm, (W, 2)
    # (arm 1 played, arm 0 paid, arm 1 paid) -> chance, E[sum of E_p phi^2; state], E[martingale; state] (W,)
    states: dict[tuple[int, int, int], list] = {(0, 0, 0): [1.0, 0.0, np.ones(len(points))]}
    for step in range(tiny.steps):
        keys = list(states)
        mean, _, _ = _means(keys, step, phi, row.exponent)
        scores = mean[:, None] * phi if step else np.zeros((len(keys), 2))
        played = InverseGapWeighting().probabilities(scores, tiny.rate)
        after: dict[tuple[int, int, int], list] = {}
        for (second, paid, paid_second), p in zip(keys, played, strict=True):
            chance, squares, weight = states[second, paid, paid_second]
            squares = squares + chance * float(p @ phi**2)
            shrunk = weight / (1 - k * (p * away**2).sum(axis=1))
            for arm, reward in ((0, 0), (0, 1), (1, 0), (1, 1)):
                high = tiny.truth * phi[arm]
                share = float(p[arm]) * (high if reward else 1 - high)
                if share == 0.0:
                    continue
                loss = away[:, arm] ** 2 + 2 * away[:, arm] * (high - reward)
                key = (second + arm, paid + (reward and not arm), paid_second + (reward and arm))
                into = after.setdefault(key, [0.0, 0.0, np.zeros(len(points))])
                into[0] += chance * share
                into[1] += squares * share
                into[2] = into[2] + shrunk * share * np.exp(-row.exponent * loss)
        states = after
    keys = list(states)
    mean, logarithm, (curve, moment) = _means(keys, tiny.steps, phi, row.exponent)
    other = [interval_mean(float(g), float(b), row.exponent) for g, b in zip(curve, moment, strict=True)]
    chance, squares = (np.array([states[key][i] for key in keys]) for i in (0, 1))
    energy = -logarithm - row.exponent * (curve * tiny.truth - 2 * moment) * tiny.truth
    return Found(
        total=float(squares @ (mean - tiny.truth) ** 2),
        energy=float(chance @ energy),
        paths=float(np.abs(mean - np.array(other)).max()),
        martingale=np.sum([states[key][2] for key in keys], axis=0),
    )


def one_arm(truth: float, steps: int, row: Posterior) -> Found:
    """Compute the exact expectations for `steps` samples of one arm with feature 1 and mean reward `truth`. row: the
    posterior's exponent and the constant kappa of its error bound."""
    from scipy.stats import binom

    paid = np.arange(steps + 1.0)
    chance = binom.pmf(paid, steps, truth)
    mean, logarithm = box_mean(np.full((len(paid), 1, 1), float(steps)), paid[:, None], row.exponent)
    other = [interval_mean(float(steps), float(b), row.exponent) for b in paid]
    energy = -logarithm - row.exponent * (steps * truth - 2 * paid) * truth
    return Found(
        total=float(steps * (chance @ (mean[:, 0] - truth) ** 2)),
        energy=float(chance @ energy),
        paths=float(np.abs(mean[:, 0] - np.array(other)).max()),
        martingale=np.ones(1),
    )


def _means(
    keys: list[tuple[int, int, int]], step: int, phi: np.ndarray, exponent: float
) -> tuple[np.ndarray, np.ndarray, tuple[np.ndarray, np.ndarray]]:
    second, paid, paid_second = np.array(keys, dtype=float).T
    curve = (step - second) * phi[0] ** 2 + second * phi[1] ** 2
    moment = paid * phi[0] + paid_second * phi[1]
    mean, logarithm = box_mean(curve[:, None, None], moment[:, None], exponent)
    return mean[:, 0], logarithm, (curve, moment)


def regret_of_two_epochs(tiny: Tiny, played: int, exponent: float) -> float:
    """Return the expected regret of two epochs: tiny.steps steps of uniform play, then `played` steps of inverse gap
    weighting with the posterior mean of the first epoch's data. exponent: the posterior's exponent."""
    from scipy.stats import binom

    phi, n = np.array(tiny.features), tiny.steps
    keys = [(s, a, b) for s in range(n + 1) for a in range(n - s + 1) for b in range(s + 1)]
    second, paid, paid_second = np.array(keys).T
    chance = (
        binom.pmf(second, n, 0.5)
        * binom.pmf(paid, n - second, tiny.truth * phi[0])
        * binom.pmf(paid_second, second, tiny.truth * phi[1])
    )
    mean, _, _ = _means(keys, n, phi, exponent)
    chosen = InverseGapWeighting().probabilities(mean[:, None] * phi, tiny.rate)
    lost = tiny.truth * (phi.max() - phi)
    return float(n * lost.mean() + played * (chance @ chosen @ lost))
