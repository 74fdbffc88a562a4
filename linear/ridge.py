"""Federated ridge regression: what agents keep, what they answer, and the exact minimiser as a reference.

F(w) = (1/n) sum_m sum_i (phi_i'w - r_i)^2 + lambda norm(w)^2, lambda = Lam/n with Lam = 1 in the paper. Agent m keeps
V_m = sum phi phi' and b_m = sum r phi; the gradient is sum_m (2/n)(V_m w - b_m) + 2 lambda w.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bounds.errors import InputError


class DataError(RuntimeError):
    """An agent's local data cannot be learned from: names agent, epoch and field."""


class SolverError(RuntimeError):
    """A solver lost positive definiteness, overflowed or missed its target: reported, never returned."""


@dataclass(frozen=True)
class RidgeData:
    """A local dataset: `count` samples, gram = sum phi phi' (d, d), moment = sum r phi (d,)."""

    count: int
    gram: np.ndarray
    moment: np.ndarray


def check_regularisation(value: float) -> float:
    """Lam = n lambda, which must be positive: without it the system may be singular."""
    if not (np.isfinite(value) and value > 0):
        raise InputError("regularisation", value, "lambda must be positive")
    return float(value)


class Agents:
    """The agents' side of a call. Row m of every answer is computed from agent m's data alone."""

    def __init__(self, datasets: Sequence[RidgeData], epoch: int, regularisation: float = 1.0) -> None:
        dimension = _checked_dimension(datasets, epoch)
        self.count = len(datasets)
        self.dimension = dimension
        self.epoch = epoch
        self.samples = sum(int(data.count) for data in datasets)
        self.regularisation = check_regularisation(regularisation)
        self._grams = np.stack([np.asarray(data.gram, dtype=float) for data in datasets]) * (2 / self.samples)
        self._moments = np.stack([np.asarray(data.moment, dtype=float) for data in datasets]) * (
            2 / self.samples
        )
        check_semidefinite(self._grams, epoch)
        # all rows at once: one matrix-vector product for all agents is the fastest numpy has
        self._flat = self._grams.reshape(self.count * dimension, dimension)

    @property
    def effective_samples(self) -> float:
        """n/Lam: with it every formula for lambda = 1/n holds for lambda = Lam/n."""
        return self.samples / self.regularisation

    def check_condition(self, solver: str) -> None:
        """Solvers that see messages only cannot see a singular system, but they know how large its condition number may
        be: n/Lam + 1, since norm(phi) <= 1. With less regularisation than the paper's Lam = 1, SolverError beyond
        working precision."""
        condition = self.effective_samples + 1
        if self.regularisation < 1 and condition * self.dimension * np.finfo(float).eps >= 1:
            raise SolverError(
                f"epoch {self.epoch}, {solver}: condition number up to {condition:.3g},"
                " the system may be singular to working precision"
            )

    @property
    def shrinkage(self) -> float:
        """2 lambda: the gradient of the regulariser is this times w, added by the server."""
        return 2 * self.regularisation / self.samples

    def products(self, direction: np.ndarray) -> np.ndarray:
        """(M, d): (2/n) V_m p."""
        return (self._flat @ direction).reshape(self.count, self.dimension)

    def gradients(self, point: np.ndarray) -> np.ndarray:
        """(M, d): (2/n)(V_m w - b_m)."""
        return self.products(point) - self._moments

    def moments(self) -> np.ndarray:
        """(M, d): (2/n) b_m."""
        return self._moments

    def gram(self, agent: int) -> np.ndarray:
        """(d, d): (2/n) V_m, for protocols in which the agent sends it."""
        return np.asarray(self._grams[agent])


def _checked_dimension(datasets: Sequence[RidgeData], epoch: int) -> int:
    if not datasets:
        raise DataError(f"epoch {epoch}: no agents")
    dimension = len(np.asarray(datasets[0].moment))
    for agent, data in enumerate(datasets):
        check_fields(data, dimension, f"agent {agent}, epoch {epoch}")
    return dimension


def check_fields(data: RidgeData, dimension: int, where: str) -> None:
    """Samples in the unit ball, finite arrays of the right shapes; DataError names the first field that is wrong."""
    if data.count < 1:
        raise DataError(f"{where}, count: {data.count} samples; every agent needs data in every epoch")
    for field, value, shape in (
        ("gram", data.gram, (dimension, dimension)),
        ("moment", data.moment, (dimension,)),
    ):
        found = np.asarray(value)
        if found.shape != shape:
            raise DataError(f"{where}, {field}: shape {found.shape}, expected {shape}")
        if not np.isfinite(found).all():
            raise DataError(f"{where}, {field}: contains NaN or infinity")
    # sum norm(phi)^2 <= n; 1e-5 for features that were drawn in single precision
    if np.trace(data.gram) > data.count * (1 + 1e-5):
        raise DataError(
            f"{where}, gram: trace {np.trace(data.gram):.6g} of {data.count} samples, features outside the unit ball"
        )


def check_semidefinite(grams: np.ndarray, epoch: int, first: int = 0) -> None:
    """Gram matrices (M, d, d) of agents `first`, `first` + 1, ...: symmetric, no eigenvalue below rounding."""
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
    """matrix^{-1} right, (d,) or (d, k), for a symmetric matrix that must be positive definite; never a pseudo-inverse.

    The eigenvalues decide: Cholesky alone lets a matrix pass that is singular to working precision.
    """
    values, vectors = np.linalg.eigh((matrix + matrix.T) / 2)
    floor = values[-1] * len(values) * np.finfo(float).eps
    if not np.isfinite(values).all() or values[0] <= floor:
        raise SolverError(
            f"{where}: the system is not positive definite to working precision"
            f" (eigenvalues {values[0]:.3g} to {values[-1]:.3g})"
        )
    return np.asarray((vectors / values) @ (vectors.T @ right))


def pooled(datasets: Sequence[RidgeData]) -> RidgeData:
    """All data in one place: for references and simulators, not for protocols."""
    return RidgeData(
        sum(int(data.count) for data in datasets),
        np.sum([data.gram for data in datasets], axis=0),
        np.sum([data.moment for data in datasets], axis=0),
    )


def exact_minimiser(datasets: Sequence[RidgeData], regularisation: float = 1.0) -> np.ndarray:
    """w_S = (V + Lam I)^{-1} b, centrally: the reference that every protocol is measured against."""
    data = pooled(datasets)
    check_regularisation(regularisation)
    system = data.gram + regularisation * np.eye(len(data.moment))
    return solve_positive(system, data.moment, "exact minimiser")


def loss_gap(datasets: Sequence[RidgeData], point: np.ndarray, regularisation: float = 1.0) -> float:
    """F(w) - F* = (w - w_S)'(V + Lam I)(w - w_S)/n."""
    data, away = pooled(datasets), point - exact_minimiser(datasets, regularisation)
    return float(away @ (data.gram @ away + regularisation * away)) / data.count
