"""What a federated-learning protocol may ask of the agents' data if it learns one estimate (d,): the part that is the
same for all losses.
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
    """A problem that is solved to a tolerance. tolerance: of the model, relative to the statistical error. error: the
    squared distance from the minimiser that a tolerance of 1 allows; it is the minimiser's excess risk where
    predictions are linear."""

    error: float
    tolerance: float

    def target(self, tolerance: float | None) -> float:
        """Return the squared distance from the minimiser at which a solver may stop: tolerance^2 times `error`. The
        excess risk then grows by at most (1+tolerance)^2. `tolerance=None` stands for the model's."""
        return (self.tolerance if tolerance is None else tolerance) ** 2 * self.error


class EstimateProblem(ToTolerance, ProblemWithLocal):
    """The agents' side of minimising the mean of the losses plus (shrinkage/2) times the squared norm."""

    descent: own_agd_rate.Geometric = own_agd_rate.AGD  # how fast accelerated gradient descent comes near

    if TYPE_CHECKING:  # fields or properties
        epoch: int
        dimension: int
        regularisation: float
        within_ball: bool

        @property
        def effective_samples(self) -> float:
            """Return L n/regularisation for n samples, where L is the largest curvature of the loss, 1 for the
            squared one. It takes the place of n in formulas that are stated for the regularisation 1 and the
            squared loss."""

        @property
        def shrinkage(self) -> float:
            """Return the curvature of the regulariser. The server adds the regulariser's gradient."""

        @property
        def smoothness(self) -> float:
            """Return an upper bound on the curvature of the objective, for features in the unit ball."""

    @abstractmethod
    def minimiser(self) -> np.ndarray:
        """Return the exact minimiser of the objective, for audits. Protocols do not see it."""

    @abstractmethod
    def gradients(self, point: np.ndarray, who: np.ndarray | None = None) -> np.ndarray:
        """Return each agent's share of the samples times the gradient of its mean loss, for the agents `who` (all by
        default), shape (P, d)."""

    def distance(self, parameters: np.ndarray) -> float:
        return float(self.mean(((np.asarray(parameters) - self.minimiser()) ** 2).sum(axis=-1)))

    def mean(self, values: np.ndarray) -> float:
        """Return `values` itself if it is a scalar, else the mean of its M values weighted by the agents' samples."""
        return float(self.local.weights @ values if values.ndim else values)

    def parameters(self, shared: np.ndarray, personal: np.ndarray) -> np.ndarray:
        """Return the shared point as the model's parameters: local methods end with one estimate for all agents."""
        return shared

    def check_condition(self, solver: str) -> None:
        """Raise SolverError if the linear system may be numerically singular, or if features lie outside the unit
        ball."""
        if not self.within_ball:
            raise SolverError(f"epoch {self.epoch}, {solver}: its steps are for features in the unit ball")
        check_condition(self.effective_samples, self.regularisation, self.dimension, self.epoch, solver)

    def exchange(self, channel: Channel, point: np.ndarray) -> np.ndarray:
        """Make one round: send the point, sum the agents' gradients, and return the gradient (d,) of the
        objective."""
        who, shape = channel.begin_round(), (self.dimension,)
        asked = channel.broadcast("point", point, shape)
        total = channel.total("gradient", self.gradients(asked, who), shape)
        return np.asarray(total + self.shrinkage * point)

    def sent(self, channel: Channel, name: str, estimate: np.ndarray) -> np.ndarray:
        """Send the estimate and return it as it arrives. Raise SolverError, naming the protocol, if its iterates
        overflowed."""
        if not np.isfinite(estimate).all():
            raise SolverError(f"epoch {channel.epoch}, {name}: the iterates overflow")
        return channel.broadcast("estimate", estimate, (self.dimension,))


def check_condition(
    effective_samples: float, regularisation: float, dimension: int, epoch: int, solver: str
) -> None:
    """Raise SolverError if the linear system may be singular to working precision. That is so if the regularisation
    is below 1 and the largest possible condition number exceeds working precision. Solvers that only see messages
    cannot detect a singular system, but features in the unit ball bound the condition number."""
    condition = effective_samples + 1
    if regularisation < 1 and condition * dimension * np.finfo(float).eps >= 1:
        raise SolverError(
            f"epoch {epoch}, {solver}: condition number up to {condition:.3g},"
            " the system may be singular to working precision"
        )
