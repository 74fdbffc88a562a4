"""Federated ridge regression: the agents' data, their answers to the server, and the exact minimiser as a reference.

The objective on n samples of features phi and rewards r is F(w) = (1/n) sum (phi'w - r)^2 + (Lam/n) norm(w)^2, with Lam
= 1 in the paper. Agent m stores V_m = sum phi phi' and b_m = sum r phi over its samples. The gradient is sum_m
(2/n)(V_m w - b_m) + 2 (Lam/n) w.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from bounds import own_agd_rate
from bounds.compression import Known, known_of_ridge
from bounds.errors import InputError
from fedigw.channel import Channel, finite
from fedigw.local_steps import Constants
from fedigw.running import DataError, SolverError
from linear.problem import EstimateProblem, ToTolerance, check_condition
from linear.quadratics import LocalQuadratics, Samples


@dataclass(frozen=True)
class RidgeData:
    """One agent's dataset, as sums over samples of features phi and rewards r. count: number of samples. gram: sum of
    phi phi' (d, d). moment: sum of r phi (d,). samples: the samples themselves, if they were recorded."""

    count: int
    gram: np.ndarray
    moment: np.ndarray
    samples: Samples | None = None

    def flipped(self) -> RidgeData:
        """Return the data with every reward r reported as 1 - r, as an agent that lies would do. Raise DataError if the
        samples were not recorded."""
        if self.samples is None:
            raise DataError("a dataset without its samples cannot be reported with other rewards")
        flipped = Samples(self.samples.features, 1 - self.samples.rewards, self.samples.counts)
        moment = (flipped.counts * flipped.rewards) @ flipped.features
        return RidgeData(self.count, self.gram, moment, flipped)


def check_regularisation(value: float) -> float:
    if not (np.isfinite(value) and value > 0):
        raise InputError("regularisation", value, "lambda must be positive")
    return float(value)


class AnyRidge(ToTolerance):
    """Base class of ridge problems, of one replication or many. error: proved excess risk of the exact minimiser."""

    regularisation: float

    @property
    def effective_samples(self) -> float:
        return self.samples / self.regularisation


class RidgeProblem(AnyRidge, EstimateProblem):
    """The ridge problem that a protocol solves in one call. In every answer, row m is computed from the data of agent m
    only. error: proved excess risk of the exact minimiser, which sets where solvers may stop. norm: bound on the norm
    of the true parameter."""

    norm: float = 1.0

    def __init__(
        self,
        datasets: Sequence[RidgeData],
        epoch: int,
        regularisation: float = 1.0,
        error: float = np.nan,
        tolerance: float = np.nan,
        unit_ball: bool = True,
    ) -> None:
        self.error, self.tolerance = error, tolerance
        dimension = checked_dimension(datasets, epoch, unit_ball)
        self.within_ball = unit_ball or all(in_unit_ball(data) for data in datasets)
        self.count = len(datasets)
        self.dimension = dimension
        self.epoch = epoch
        self.sizes = tuple(int(data.count) for data in datasets)  # n_m
        self._samples = sum(self.sizes)
        self._datasets = tuple(datasets)
        self.regularisation = check_regularisation(regularisation)
        scale = 2 / self.samples
        self._grams = np.stack([np.asarray(data.gram, dtype=float) for data in datasets]) * scale
        self._moments = np.stack([np.asarray(data.moment, dtype=float) for data in datasets]) * scale
        check_semidefinite(self._grams, epoch)
        # all rows at once: one matrix-vector product for all agents is the fastest numpy has
        self._flat = self._grams.reshape(self.count * dimension, dimension)

    @property
    def samples(self) -> int:
        return self._samples

    def minimiser(self) -> np.ndarray:
        return self._minimiser

    @cached_property
    def _minimiser(self) -> np.ndarray:
        where = f"epoch {self.epoch}, exact minimiser"
        return solve_positive(self.hessian(), self._moments.sum(axis=0), where)

    def hessian(self) -> np.ndarray:
        return np.asarray(self._grams.sum(axis=0) + self.shrinkage * np.eye(self.dimension))

    def gap(self, parameters: np.ndarray) -> float:
        away = np.asarray(parameters) - self.minimiser()
        return float(self.mean(((away @ self.hessian()) * away).sum(axis=-1))) / 2

    def known(self) -> Known:
        """Return bounds on this learning problem that follow from the numbers of samples, agents and coordinates only,
        so that rounds and step sizes may depend on them."""
        equal = len(set(self.sizes)) == 1
        return known_of_ridge(self.samples, self.count, self.dimension, self.regularisation, equal)

    @cached_property
    def local(self) -> LocalQuadratics:
        counts = np.array(self.sizes, dtype=float)
        inflated = self.samples / np.maximum(counts, 1)  # an agent without samples has weight 0
        kept = [None if data.samples is None else data.samples.or_zero() for data in self._datasets]
        return LocalQuadratics(
            hessians=self._grams * inflated[:, None, None] + self.shrinkage * np.eye(self.dimension),
            linear=self._moments * inflated[:, None],
            weights=counts / self.samples,
            regulariser=np.full((self.count, self.dimension), self.shrinkage),
            shared=self.dimension,
            strong_convexity=self.shrinkage,
            samples=None if any(s is None for s in kept) else [s for s in kept if s is not None],
        )

    def constants(self) -> Constants:
        """Return the constants in convergence rates of local methods such as FedAvg, computed from these data."""
        local = self.local
        return Constants(
            smoothness=local.smoothness(None),
            strong_convexity=float(np.linalg.eigvalsh(self.hessian())[0]),
            heterogeneity=float(local.weights @ (local.gradients(self.minimiser()) ** 2).sum(axis=1)),
            start=self.gap(np.zeros(self.dimension)),
            distance=self.distance(np.zeros(self.dimension)),
        )

    @property
    def smoothness(self) -> float:
        return float(own_agd_rate.smoothness(self.effective_samples))

    @property
    def shrinkage(self) -> float:
        return 2 * self.regularisation / self.samples

    def products(self, direction: np.ndarray, who: np.ndarray | None = None) -> np.ndarray:
        """Return (2/n) V_m p for the direction p and each agent m in `who` (all by default), shape (P, d). V_m is the
        agent's Gram matrix, n the number of all agents' samples."""
        found = (self._flat @ direction).reshape(self.count, self.dimension)
        return found if who is None or len(who) == self.count else found[who]

    def gradients(self, point: np.ndarray, who: np.ndarray | None = None) -> np.ndarray:
        found = self.products(point) - self._moments
        return found if who is None or len(who) == self.count else found[who]

    def own_estimates(self, who: np.ndarray) -> np.ndarray:
        """Return the ridge estimates of the agents `who`, each from its own data only, shape (P, d)."""
        system = self._grams[who] + self.shrinkage * np.eye(self.dimension)
        values = np.linalg.eigvalsh(system)
        singular = values[:, 0] <= values[:, -1] * self.dimension * np.finfo(float).eps
        if singular.any():
            raise SolverError(
                f"agent {who[int(np.argmax(singular))]}, epoch {self.epoch}, own estimate:"
                " the system is singular to working precision"
            )
        return np.asarray(np.linalg.solve(system, self._moments[who][..., None])[..., 0])

    def moments(self) -> np.ndarray:
        return self._moments

    def gram(self, agent: int) -> np.ndarray:
        """Return 2/n times the Gram matrix of one agent, shape (d, d), where n is the number of all agents' samples."""
        return np.asarray(self._grams[agent])

    def statistics(self, who: Sequence[int] | np.ndarray) -> np.ndarray:
        """Return the message of each agent in `who` for solving the problem in one round, shape (P, d(d+1)/2 + d): 2/n
        times the upper triangle of its Gram matrix, then 2/n times its sum of reward x features; n is the number of all
        agents' samples."""
        upper = triangle(self.dimension)
        return np.stack([np.concatenate([self._grams[m][upper], self._moments[m]]) for m in who])

    def own_statistics(self) -> np.ndarray:
        upper = triangle(self.dimension)
        return np.concatenate([(self.shrinkage * np.eye(self.dimension))[upper], np.zeros(self.dimension)])


def summed(
    problem: RidgeProblem, channel: Channel, ridge: bool = True, returned: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """Sum the agents' statistics in one round, and return the matrix (d, d) and the right side (d,) of the linear
    system for the estimate. ridge: whether to include the regularisation. returned: whether the server sends the sums
    back. If the link may change messages, eigenvalues of the matrix below the regularisation (or 0) are raised to it.
    """
    channel.observe(np.zeros(problem.dimension))
    messages = problem.statistics(channel.begin_round())
    # the regulariser is the server's own message: it is added first
    own = problem.own_statistics() if ridge else None
    total = channel.total("gram and moment", messages, messages[0].shape, own)
    if returned:
        total = channel.broadcast("gram and moment", total, total.shape)
    system, moment = unpacked(total, problem.dimension)
    if channel.link.missing:
        system = at_least(system, problem.shrinkage if ridge else 0.0)
    return system, moment


triangle = cache(np.triu_indices)  # of all dimensions in use


def unpacked(statistics: np.ndarray, dimension: int) -> tuple[np.ndarray, np.ndarray]:
    """Return a symmetric matrix (d, d) and a vector (d,) from a message of the matrix's upper triangle, then the
    vector."""
    rows, columns = triangle(dimension)
    matrix = np.zeros((dimension, dimension))
    matrix[rows, columns] = matrix[columns, rows] = statistics[: len(rows)]
    return matrix, statistics[len(rows) :]


@dataclass(frozen=True)
class PooledRidge(AnyRidge):
    """The ridge problems of R replications at once, each on `samples` samples of all agents together, with features phi
    and rewards r. gram: (R, d, d), sums of phi phi'. moment: (R, d), sums of r phi."""

    samples: int
    gram: np.ndarray
    moment: np.ndarray
    epoch: int
    regularisation: float
    error: float
    tolerance: float

    def check_condition(self, solver: str) -> None:
        d = self.moment.shape[-1]
        check_condition(self.effective_samples, self.regularisation, d, self.epoch, solver)

    def minimiser(self) -> np.ndarray:
        """Return the exact minimiser of every replication, shape (R, d)."""
        self.check_condition("direct method")
        system = self.gram + self.regularisation * np.eye(self.moment.shape[-1])
        try:
            estimate = np.linalg.solve(system, self.moment[..., None])[..., 0]
        except np.linalg.LinAlgError:
            raise SolverError("the ridge system is singular") from None
        if not np.isfinite(estimate).all():
            raise SolverError("the ridge system is singular to working precision")
        return np.asarray(estimate)

    def distance(self, parameters: np.ndarray) -> np.ndarray:
        values, vectors = np.linalg.eigh(self.gram)
        coordinates = np.einsum("rij,ri->rj", vectors, self.moment) / (values + self.regularisation)
        best = np.einsum("rij,rj->ri", vectors, coordinates)
        return np.asarray(((parameters - best) ** 2).sum(axis=-1))


def checked_dimension(datasets: Sequence[RidgeData], epoch: int, unit_ball: bool = True) -> int:
    """Return the dimension of the agents' datasets. Raise DataError, which names the first agent and field that is
    wrong. unit_ball: whether features must lie in the unit ball."""
    if not datasets:
        raise DataError(f"epoch {epoch}: no agents")
    dimension = len(np.asarray(datasets[0].moment))
    for agent, data in enumerate(datasets):
        check_fields(data, dimension, f"agent {agent}, epoch {epoch}", unit_ball)
    return dimension


def in_unit_ball(data: RidgeData) -> bool:
    """Return whether all features lie in the unit ball. A tolerance of 1e-5 allows for features drawn in single
    precision. If samples were not recorded, check only that the mean squared norm is at most 1."""
    if data.samples is not None:
        return bool((data.samples.features**2).sum(axis=1).max(initial=0.0) <= 1 + 1e-5)
    return bool(np.asarray(data.gram).trace() <= data.count * (1 + 1e-5))


def check_fields(data: RidgeData, dimension: int, where: str, unit_ball: bool = True) -> None:
    """Raise DataError, naming the first wrong field, unless the arrays are finite and of the right shape, and (if
    `unit_ball`) the features in the unit ball. where: agent and epoch, for the message."""
    if data.count < 0 or (data.count == 0 and (np.any(data.gram) or np.any(data.moment))):
        raise DataError(f"{where}, count: {data.count} samples, but sums that are not 0")
    for field, value, shape in (
        ("gram", data.gram, (dimension, dimension)),
        ("moment", data.moment, (dimension,)),
    ):
        found = np.asarray(value)
        if found.shape != shape:
            raise DataError(f"{where}, {field}: shape {found.shape}, expected {shape}")
        if not finite(found):
            raise DataError(f"{where}, {field}: contains NaN or infinity")
    if unit_ball and not in_unit_ball(data):
        raise DataError(
            f"{where}, gram: trace {np.trace(data.gram):.6g} of {data.count} samples, features outside the unit ball"
        )


def check_semidefinite(grams: np.ndarray, epoch: int, first: int = 0) -> None:
    """Raise DataError unless all Gram matrices (M, d, d) are symmetric and positive semidefinite. first: index of the
    first agent, for the message."""
    skew = np.abs(grams - grams.transpose(0, 2, 1)).max(axis=(1, 2))
    values = np.linalg.eigvalsh(grams)
    allowed = 1e-9 * np.abs(values).max(axis=1)
    for bad, says in ((skew > allowed, "is not symmetric"), (values[:, 0] < -allowed, "is indefinite")):
        if bad.any():
            agent = int(np.argmax(bad))
            raise DataError(
                f"agent {first + agent}, epoch {epoch}, gram: {says}, so no sum of phi phi'"
                f" (asymmetry {skew[agent]:.3g}, smallest eigenvalue {values[agent, 0]:.3g})"
            )


def solve_positive(matrix: np.ndarray, right: np.ndarray, where: str) -> np.ndarray:
    """Return matrix^{-1} right, (d,) or (d, k). Raise SolverError, with a message that begins with `where`, unless the
    symmetric matrix is positive definite. This is decided by its eigenvalues, because Cholesky's method accepts some
    matrices that are singular to working precision."""
    values, vectors = np.linalg.eigh((matrix + matrix.T) / 2)
    floor = values[-1] * len(values) * np.finfo(float).eps
    if not np.isfinite(values).all() or values[0] <= floor:
        raise SolverError(
            f"{where}: the system is not positive definite to working precision"
            f" (eigenvalues {values[0]:.3g} to {values[-1]:.3g})"
        )
    return np.asarray((vectors / values) @ (vectors.T @ right))


def at_least(matrix: np.ndarray, floor: float) -> np.ndarray:
    """Return the symmetric matrix (d, d) nearest to `matrix` whose eigenvalues are at least `floor`."""
    values, vectors = np.linalg.eigh((matrix + matrix.T) / 2)
    return np.asarray((vectors * np.maximum(values, floor)) @ vectors.T)


def pooled(datasets: Sequence[RidgeData]) -> RidgeData:
    """Return the sum of all agents' data, for reference computations and simulators. Protocols must not use it."""
    return RidgeData(
        sum(int(data.count) for data in datasets),
        np.sum([data.gram for data in datasets], axis=0),
        np.sum([data.moment for data in datasets], axis=0),
    )


def together(before: RidgeData, after: RidgeData) -> RidgeData:
    """Return the union of two datasets. Single samples are kept only if both datasets have them."""
    kept = None
    if before.samples is not None and after.samples is not None:
        one, other = before.samples, after.samples
        kept = Samples(
            np.concatenate([one.features, other.features]),
            np.concatenate([one.rewards, other.rewards]),
            np.concatenate([one.counts, other.counts]),
        )
    return RidgeData(before.count + after.count, before.gram + after.gram, before.moment + after.moment, kept)


def exact_minimiser(datasets: Sequence[RidgeData], regularisation: float = 1.0) -> np.ndarray:
    """Return the ridge estimate (d,) from the data of all agents in one place, as a reference for every protocol."""
    data = pooled(datasets)
    check_regularisation(regularisation)
    system = data.gram + regularisation * np.eye(len(data.moment))
    return solve_positive(system, data.moment, "exact minimiser")


def loss_gap(datasets: Sequence[RidgeData], point: np.ndarray, regularisation: float = 1.0) -> float:
    """Return the ridge objective of all agents' data at `point` (d,) minus its minimum."""
    data, away = pooled(datasets), point - exact_minimiser(datasets, regularisation)
    return float(away @ (data.gram @ away + regularisation * away)) / data.count
