"""Compute single rounds of the compressed methods on quadratics, averaged over random rounding, in closed form or by
enumeration.

This file shares no code with the protocols and encoders, so it checks them independently.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

import numpy as np

from linear.quadratics import Quadratics
from verify.claim import Evidence, Task, Verdict
from verify.experiments.local_methods import random_problem
from verify.experiments.ratios import at_most_one


@dataclass(frozen=True)
class Start:
    """The state of a protocol with compressed messages before a round: the agents' quadratic objectives (problem), the
    bits per number, the server's point (d,) and the agents' reference vectors (M, d)."""

    problem: Quadratics
    bits: int
    point: np.ndarray
    references: np.ndarray

    @property
    def om(self) -> float:
        return len(self.point) / (2**self.bits - 1) ** 2

    @property
    def share(self) -> float:
        return float(self.problem.weights.max())

    @property
    def slopes(self) -> np.ndarray:
        return self.problem.gradients(np.tile(self.point, (len(self.problem.weights), 1)))

    @property
    def away(self) -> np.ndarray:
        return np.asarray(self.point - self.problem.best[0])

    @property
    def where(self) -> str:
        agents, d = self.problem.minimisers.shape
        return f"M = {agents}, d = {d}, b = {self.bits}, beta/mu = {self.problem.beta / self.problem.mu:.3g}"


def rounding_variance(vectors: np.ndarray, bits: int) -> np.ndarray:
    """Return the mean squared error of random rounding for each vector, shape (M,). Each number is rounded without bias
    to one of 2^bits equally spaced levels between -s and s, where s is the vector's largest absolute value."""
    scale = np.abs(vectors).max(axis=1, keepdims=True)
    step = 2 * scale / (2**bits - 1)
    place = np.divide(vectors + scale, step, out=np.zeros_like(vectors), where=step > 0)
    part = place - np.floor(place)
    return np.asarray((step**2 * part * (1 - part)).sum(axis=1))


def top_k(vectors: np.ndarray, keep: int) -> np.ndarray:
    """Return the vectors (M, d) with all but their `keep` largest coordinates set to 0."""
    order = np.argsort(-np.abs(vectors), axis=1, kind="stable")
    kept = np.zeros_like(vectors)
    np.put_along_axis(kept, order[:, :keep], np.take_along_axis(vectors, order[:, :keep], axis=1), axis=1)
    return kept


def mean_step(start: Start, step: float, learning: float) -> tuple[float, float]:
    """Return two means over the random rounding in one round of a compressed method: the squared distance of the point
    from the minimiser, and the weighted squared distance between the agents' reference vectors and their gradients at
    the minimiser. learning: the share of a message added to a reference vector; 0 without references."""
    problem, weights = start.problem, start.problem.weights
    references = start.references if learning else np.zeros_like(start.references)
    slopes = start.slopes
    variance = rounding_variance(slopes - references, start.bits)
    moved = start.away - step * weights @ slopes
    distance = float(moved @ moved + step**2 * weights**2 @ variance)
    after = references + learning * (slopes - references) - problem.gradients(problem.best)
    return distance, float(weights @ ((after**2).sum(axis=1) + learning**2 * variance))


def starts(rng: np.random.Generator, count: int) -> Iterator[Start]:
    """Yield two states before a round that come closest to equality in the bounds, then `count` random ones."""
    yield flat()
    yield _spiky(12, 4)
    for _ in range(count):
        problem = random_problem(rng)
        agents, d = problem.minimisers.shape
        best = problem.best[0]
        flattest = np.linalg.eigh(problem.hessian)[1][:, 0]
        away = rng.choice([0.0, 1.0]) * flattest + rng.choice([0.0, 1e-3, 1.0]) * rng.standard_normal(d)
        kind, stars = rng.integers(3), problem.gradients(problem.best)
        point = best + 10 ** rng.uniform(-2, 2) * away
        references = [np.zeros((agents, d)), stars, stars + rng.standard_normal((agents, d))][kind]
        yield Start(problem, int(rng.choice([1, 2, 3, 4, 8])), point, np.asarray(references))


def flat(condition: float = 50.0) -> Start:
    """Return a state with one agent, whose loss has two curvatures in the ratio `condition`. The point is displaced
    along the flatter direction, where gradient methods are slowest."""
    problem = Quadratics.around(np.diag([1.0, condition])[None], np.ones(1), np.zeros((1, 2)), 2)
    return Start(problem, 8, np.array([1.0, 0.0]), np.zeros((1, 2)))


def _spiky(d: int, agents: int) -> Start:
    minimisers = np.zeros((agents, d))
    minimisers[:, 0] = np.resize([1.0, -1.0], agents)
    problem = Quadratics.around(
        np.tile(np.eye(d), (agents, 1, 1)), np.full(agents, 1 / agents), minimisers, d
    )
    return Start(problem, 1, np.zeros(d), np.zeros((agents, d)))


# --- in rationals -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Tiny:
    """A quadratic problem of M agents in d dimensions and a state before a round, in Fractions. curvatures (M, d): the
    diagonals of the agents' Hessians. weights (M,), minimisers (M, d): weights and minimisers of the agents'
    objectives. point (d,): the server's point. references (M, d): the agents' reference vectors. bits: of each rounded
    number."""

    curvatures: np.ndarray
    weights: np.ndarray
    minimisers: np.ndarray
    point: np.ndarray
    references: np.ndarray
    bits: int

    @property
    def om(self) -> Fraction:
        return Fraction(len(self.point), (2**self.bits - 1) ** 2)

    @property
    def best(self) -> np.ndarray:
        return np.asarray(
            self.weights @ (self.curvatures * self.minimisers) / (self.weights @ self.curvatures)
        )

    @property
    def away(self) -> np.ndarray:
        return np.asarray(self.point - self.best)

    @property
    def beta(self) -> Fraction:
        return Fraction(self.curvatures.max())

    @property
    def mu(self) -> Fraction:
        return Fraction((self.weights @ self.curvatures).min())

    def slopes(self, point: np.ndarray) -> np.ndarray:
        return np.asarray(self.curvatures * (point - self.minimisers))

    def mean_square(self, rows: np.ndarray) -> Fraction:
        """Return the mean of the squared norms of `rows` (M, d), weighted by the agents' weights."""
        return Fraction(self.weights @ (rows**2).sum(axis=1))


def tiny(rng: np.random.Generator) -> Tiny:
    agents, d = int(rng.integers(1, 3)), int(rng.integers(1, 3))

    def some(low: int, high: int, *shape: int) -> np.ndarray:
        return np.asarray(rng.integers(low, high, size=shape).astype(object) * Fraction(1, 4))

    cut = Fraction(int(rng.integers(1, 6)), 6)
    return Tiny(
        curvatures=some(1, 9, agents, d),
        weights=np.array([cut, 1 - cut] if agents == 2 else [Fraction(1)]),
        minimisers=some(-8, 9, agents, d),
        point=some(-8, 9, d),
        references=some(-8, 9, agents, d),
        bits=int(rng.integers(1, 4)),
    )


def roundings(vector: np.ndarray, bits: int) -> list[tuple[Fraction, np.ndarray]]:
    """Return every outcome (probability, vector) of the random rounding of a vector to `bits` bits per number."""
    scale = max(abs(vector))
    if not scale:
        return [(Fraction(1), vector)]
    step = 2 * scale / (2**bits - 1)
    choices = []
    for v in vector:
        low, part = divmod((v + scale) / step, 1)
        ends = [(1 - part, low * step - scale), (part, (low + 1) * step - scale)]
        choices.append([(p, value) for p, value in ends if p])
    return [(prod(p for p, _ in o), np.array([value for _, value in o])) for o in product(*choices)]


def exact_means(case: Tiny, step: Fraction, learning: Fraction) -> tuple[Fraction, Fraction]:
    """Return two means over all messages of one round: the squared distance from the minimiser, and the weighted
    squared error of the reference vectors. learning: the share of a message added to a reference vector; 0 without
    references."""
    references = case.references if learning else 0 * case.references
    slopes, stars = case.slopes(case.point), case.slopes(case.best)
    distance, error = Fraction(0), Fraction(0)
    for outcome in product(*(roundings(row, case.bits) for row in slopes - references)):
        chance, sent = prod(p for p, _ in outcome), np.array([value for _, value in outcome])
        moved = case.away - step * (case.weights @ (references + sent))
        distance += chance * (moved @ moved)
        error += chance * case.mean_square(references + learning * sent - stars)
    return distance, error


def stepped(task: Task, formulas: Any) -> Iterator[tuple[Start, float]]:
    """Yield random states before a round, each with a step size that the protocol's theorem allows, mostly the largest.
    formulas: the protocol's module, whose largest_step is used."""
    rng = task.rng()
    for start in starts(rng, 4000 if task.full else 40):
        largest = formulas.largest_step(start.problem.beta, start.om, start.share)
        yield start, float(rng.choice([1.0, 1.0, 0.1])) * largest


def enumerated(task: Task, what: str, one: Callable[[Tiny], tuple[Fraction, Fraction] | None]) -> Evidence:
    """Compare a mean after one round of a compressed method with its bound on tiny random problems, in exact rational
    numbers. what: the name of the mean. one(case): returns the mean and its bound, or None to skip the problem."""
    rng, count = task.rng(), 400 if task.full else 12
    ratios = []
    for case in (tiny(rng) for _ in range(count)):
        measured, bound = one(case) or (0, 1)
        ratio = measured / bound if bound else Fraction(2 * (measured > 0))
        ratios.append((ratio, f"{measured} of {bound}" + (f" at {case}" if ratio > 1 else "")))
    return at_most_one(
        ratios, f"{what}, every outcome of the rounding in rationals,", Verdict.EXACT, "instances"
    )
