"""Learn ridge regression by Chebyshev semi-iteration: the messages of accelerated gradient descent, with about a
quarter of its rounds.

The eigenvalues of the Hessian lie in a known interval. In k rounds the errors in all directions are multiplied by the
values of a polynomial of degree k, and the Chebyshev polynomial is the best for all eigenvalues of the interval. On n
samples the objective minus its minimum then falls by the factor 4 exp(-4k/sqrt(n+1)). With M agents in d dimensions k
rounds send M d k numbers to the server and M d (k+1) back.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bounds import own_agd_rate
from fedigw.channel import Channel
from fedigw.interfaces import Fitted, Memory
from linear.model import Solver
from linear.ridge import RidgeProblem


@dataclass(frozen=True)
class Chebyshev(Solver):
    """Chebyshev iteration. tolerance: the result's squared distance from the minimiser is at most tolerance^2 times the
    minimiser's proved excess risk; if not set, the model's tolerance is used."""

    name: ClassVar[str] = "chebyshev"
    needs: ClassVar[tuple[str, ...]] = ("gradients", "products")

    def fit(
        self, problem: RidgeProblem, channel: Channel, memory: Memory, rng: np.random.Generator
    ) -> Fitted:
        problem.check_condition(self.name)
        rounds = own_agd_rate.CHEBYSHEV.rounds(problem.effective_samples, problem.target(self.tolerance))
        return Fitted(iterate(problem, channel, rounds))


def iterate(problem: RidgeProblem, channel: Channel, rounds: int) -> np.ndarray:
    """Make `rounds` rounds of Chebyshev iteration from 0 by messages (three-term recurrence: Saad, Iterative Methods,
    alg. 12.1), and return the estimate (d,)."""
    n = problem.effective_samples
    largest, smallest = own_agd_rate.smoothness(n), own_agd_rate.strong_convexity(n)
    # an interval somewhat wider than [mu, L] serves as well, and keeps the radius positive where they round to one
    centre = (largest + smallest) / 2
    radius = max((largest - smallest) / 2, 1e-9 * centre)
    ratio = centre / radius
    point, move, weight = np.zeros(problem.dimension), np.zeros(problem.dimension), 1 / ratio
    channel.observe(point)
    for index in range(1, rounds + 1):
        gradient = problem.exchange(channel, point)
        if index == 1:
            move = -gradient / centre
        else:
            following = 1 / (2 * ratio - weight)
            move = following * weight * move - 2 * following / radius * gradient
            weight = following
        point = point + move
        channel.observe(point)
    return problem.sent(channel, Chebyshev.name, point)
