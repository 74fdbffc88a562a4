"""Base classes of the learning problems that protocols see if all agents share one estimate (d,): the requests about
the agents' data that do not depend on the loss.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

import numpy as np

from bounds import own_agd_rate
from fedigw.channel import Channel
from fedigw.interfaces import Problem
from fedigw.local_problem import ProblemWithLocal
from fedigw.running import SolverError


class ToTolerance(Problem):
    """Base class of learning problems that are solved to a tolerance. tolerance: the model's. error: the squared
    distance from the minimiser that a tolerance of 1 allows; for linear rewards the minimiser's proved excess risk."""

    error: float
    tolerance: float

    def target(self, tolerance: float | None) -> float:
        """Return the squared distance from the minimiser at which a solver may stop: tolerance^2 times `error`. The
        excess risk is then at most (1+tolerance)^2 times the minimiser's. None stands for the model's tolerance."""
        return (self.tolerance if tolerance is None else tolerance) ** 2 * self.error


class EstimateProblem(ToTolerance, ProblemWithLocal):
    """Base class of learning problems with one estimate for all agents: minimise the mean of the losses over all
    samples plus (shrinkage/2) times the squared norm."""

    descent: own_agd_rate.Geometric = own_agd_rate.AGD  # how fast accelerated gradient descent comes near

    if TYPE_CHECKING:  # fields or properties
        epoch: int
        dimension: int
        regularisation: float
        within_ball: bool

        @property
        def effective_samples(self) -> float:
            """Return L n/(regularisation x weight) for n samples, where L is the largest curvature of the loss and
            `weight` the loss's own constant. Formulas stated for ridge regression with regularisation 1 hold with this
            in place of n."""

        @property
        def shrinkage(self) -> float:
            """Return the curvature of the penalty on the squared norm. The server adds the penalty's gradient."""

        @property
        def smoothness(self) -> float:
            """Return an upper bound on the curvature of the objective, for features in the unit ball."""

    @abstractmethod
    def minimiser(self) -> np.ndarray:
        """Return the exact minimiser (d,) of the objective, for audits. Protocols must not use it."""

    @abstractmethod
    def gradients(self, point: np.ndarray, who: np.ndarray | None = None) -> np.ndarray:
        """Return, for each agent in `who` (all by default), the gradient of its mean loss at `point` times its share of
        the samples, shape (P, d)."""

    def distance(self, parameters: np.ndarray) -> float:
        return float(self.mean(((np.asarray(parameters) - self.minimiser()) ** 2).sum(axis=-1)))

    def mean(self, values: np.ndarray) -> float:
        """Return a scalar unchanged, or the mean of values (M,), one per agent, weighted by numbers of samples."""
        return float(self.local.weights @ values if values.ndim else values)

    def parameters(self, shared: np.ndarray, personal: np.ndarray) -> np.ndarray:
        """Return `shared` (d,): the point with which a local method ends is the estimate of all agents. There are no
        personal coordinates."""
        return shared

    def check_condition(self, solver: str) -> None:
        """Raise SolverError if the linear system may be numerically singular, or if features lie outside the unit ball.
        solver: the protocol's name, for the message."""
        if not self.within_ball:
            raise SolverError(f"epoch {self.epoch}, {solver}: its steps are for features in the unit ball")
        check_condition(self.effective_samples, self.regularisation, self.dimension, self.epoch, solver)

    def exchange(self, channel: Channel, point: np.ndarray) -> np.ndarray:
        """Make one round: send the point, sum the agents' gradients, and return the gradient (d,) of the objective."""
        who, shape = channel.begin_round(), (self.dimension,)
        asked = channel.broadcast("point", point, shape)
        total = channel.total("gradient", self.gradients(asked, who), shape)
        return np.asarray(total + self.shrinkage * point)

    def sent(self, channel: Channel, name: str, estimate: np.ndarray) -> np.ndarray:
        """Send the estimate (d,) to the agents and return it as it arrives. Raise SolverError if it has overflowed.
        name: the protocol's, for the message."""
        if not np.isfinite(estimate).all():
            raise SolverError(f"epoch {channel.epoch}, {name}: the iterates overflow")
        return channel.broadcast("estimate", estimate, (self.dimension,))


def check_condition(
    effective_samples: float, regularisation: float, dimension: int, epoch: int, solver: str
) -> None:
    """Raise SolverError if the linear system may be singular to working precision, that is, if the regularisation is
    below 1 and the largest possible condition number is too large. Solvers that only see messages cannot detect a
    singular system, but features in the unit ball bound the condition number. epoch, solver: for the message."""
    condition = effective_samples + 1
    if regularisation < 1 and condition * dimension * np.finfo(float).eps >= 1:
        raise SolverError(
            f"epoch {epoch}, {solver}: condition number up to {condition:.3g},"
            " the system may be singular to working precision"
        )
