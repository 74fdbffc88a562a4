"""Learn ridge regression by distributed conjugate gradient, in at most min(dimension, samples) rounds.

First agent m sends (2/n) b_m, where b_m is the sum of reward x features over its samples and n the number of all
samples. In each round the server sends a direction p and every agent answers (2/n) V_m p, where V_m is its Gram matrix;
at the end the server sends the estimate. The method stops as soon as the norm of the gradient proves that the required
distance from the minimiser is reached. With M agents in d dimensions k rounds send M d (k+1) numbers to the server and
as many back. Against rounding, the server makes each residual orthogonal to all earlier ones again.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fedigw.channel import Channel
from fedigw.interfaces import Fitted, Memory, Parameters
from linear.model import Solver
from linear.ridge import RidgeProblem, SolverError

# Residuals are only known to rounding: a relative residual below this is as small as a direct solve leaves it.
ROUNDING = 1e-13
EXACT = 1e-6  # the default tolerance: its error is negligible next to the statistical one


@dataclass(frozen=True)
class ConjugateGradient(Solver):
    """Conjugate gradient. tolerance: the result's squared distance from the minimiser is at most tolerance^2 times the
    minimiser's proved excess risk. The default makes this error negligible."""

    tolerance: float | None = EXACT
    name: ClassVar[str] = "cg"
    needs: ClassVar[tuple[str, ...]] = ("products", "moments")
    adaptive: ClassVar[bool] = True  # ends when the gradient certifies the target

    def fit(
        self, problem: RidgeProblem, channel: Channel, memory: Memory, rng: np.random.Generator
    ) -> Fitted:
        problem.check_condition(self.name)
        enough = 2 * math.sqrt(problem.target(self.tolerance)) / problem.effective_samples
        return Fitted(solve(problem, channel, enough))


def solve(
    problem: RidgeProblem,
    channel: Channel,
    enough: float,
    reorthogonalise: bool = True,
    whole: Callable[[np.ndarray], Parameters] = np.asarray,
) -> np.ndarray:
    """Make rounds of conjugate gradient until the norm of the gradient is at most `enough`, or at rounding level;
    return the estimate. Raise SolverError if min(dimension, samples) rounds do not suffice. whole: makes of an estimate
    the parameters that whoever watches the call sees."""
    shape, where = (problem.dimension,), f"epoch {channel.epoch}, conjugate gradient"
    residual = channel.total("moment", problem.moments()[channel.participants], shape)  # -grad F(0)
    enough = max(enough, ROUNDING * math.sqrt(residual @ residual))
    most = min(problem.dimension, problem.samples)
    estimate: np.ndarray = np.zeros(problem.dimension)
    basis: np.ndarray = np.zeros((most, problem.dimension))
    direction, size, rounds = residual, float(residual @ residual), 0
    channel.observe(whole(estimate))
    while math.sqrt(residual @ residual) > enough:
        if rounds == most:
            left = math.sqrt(residual @ residual)
            raise SolverError(f"{where}: gradient {left:.3g} after {rounds} rounds, target {enough:.3g}")
        basis[rounds] = direction_free = _unit(residual, basis[:rounds], reorthogonalise)
        free = float(direction_free @ residual) * direction_free
        direction = free if rounds == 0 else free + (float(free @ free) / size) * direction
        size = float(free @ free)
        who = channel.begin_round()
        asked = channel.broadcast("direction", direction, shape)
        total = channel.total("product", problem.products(asked, who), shape)
        product = total + problem.shrinkage * direction
        curvature = float(direction @ product)
        if not (math.isfinite(curvature) and curvature > 0):
            raise SolverError(f"{where}: curvature {curvature:.3g}, positive definiteness is lost")
        length = float(direction @ residual) / curvature
        estimate = estimate + length * direction
        channel.observe(whole(estimate))
        residual = residual - length * product
        rounds += 1
    return channel.broadcast("estimate", estimate, shape)


def _unit(residual: np.ndarray, basis: np.ndarray, reorthogonalise: bool) -> np.ndarray:
    """Return the normalised residual, made orthogonal to the earlier ones in `basis`, as it is in exact arithmetic. Two
    passes suffice (Kahan, Parlett); one may leave errors from cancellation."""
    free = residual
    if reorthogonalise:
        for _ in range(2):
            free = free - basis.T @ (basis @ free)
    return free / math.sqrt(free @ free)
