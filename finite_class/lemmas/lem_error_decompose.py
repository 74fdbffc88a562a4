"""Compute both sides of lem:error_decompose and lem:rademacher, which bound errors of learning, in exact rationals: for
tiny problems, over every possible dataset.

A problem has a few cells (pairs of context and arm), agents with their own distributions over cells and numbers of
samples, a finite class of functions with a squared norm each, and a rule that maps every dataset to a function.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from operator import mul

from finite_class.lemmas.sides import Row, Sides

Sample = tuple[int, int]  # (cell, which reward)
Dataset = tuple[Sample, ...]
Loss = Callable[[Fraction, Fraction], Fraction]


def squared(y: Fraction, r: Fraction) -> Fraction:
    return (y - r) ** 2


def quartic(y: Fraction, r: Fraction) -> Fraction:
    """Return the loss (y - r)^2 + (y - r)^4 of prediction y and reward r. Its second derivative in y is at least 2.
    Rewards here are symmetric around the true value, so the true value minimises the mean loss given the cell."""
    return (y - r) ** 2 + (y - r) ** 4


CURVATURE = 2  # mu_f of both losses


@dataclass(frozen=True)
class Problem:
    """A tiny learning problem with M agents and F functions. A cell is a pair of context and arm.

    laws        (M, cells): the agents' probability distributions over cells
    samples     (M,): their numbers of samples
    functions   (F, cells): values; the first function is the true one
    norms       (F,): squared norms, on which the objective has a penalty
    spreads     (cells,): rewards are the true value - spread or + spread, each with probability 1/2
    lam         weight of the squared norm in the objective
    choices     index of the function learned from each dataset, in the order of `datasets`; empty for the exact
                minimiser
    """

    laws: tuple[Row, ...]
    samples: tuple[int, ...]
    functions: tuple[Row, ...]
    norms: Row
    spreads: Row
    lam: Fraction
    loss: Loss = squared
    choices: tuple[int, ...] = ()

    @cached_property
    def owners(self) -> tuple[int, ...]:
        return tuple(agent for agent, count in enumerate(self.samples) for _ in range(count))

    @cached_property
    def datasets(self) -> tuple[tuple[Dataset, Fraction], ...]:
        """Return every possible dataset with its probability."""
        cells = [tuple(product(range(len(law)), (0, 1))) for law in self.laws]
        found = []
        for data in product(*(cells[agent] for agent in self.owners)):
            chance = Fraction(1)
            for agent, (cell, _) in zip(self.owners, data, strict=True):
                chance *= self.laws[agent][cell] / 2
            found.append((data, chance))
        return tuple(found)

    @cached_property
    def table(self) -> tuple[tuple[tuple[Fraction, Fraction], ...], ...]:
        """Return the loss of every function in every cell (context, arm) at each of its two rewards, (F, cells, 2)."""
        truth = self.functions[0]
        return tuple(
            tuple(
                (self.loss(f[c], truth[c] - self.spreads[c]), self.loss(f[c], truth[c] + self.spreads[c]))
                for c in range(len(truth))
            )
            for f in self.functions
        )

    @cached_property
    def whole(self) -> tuple[int, tuple[tuple[tuple[int, int], ...], ...]]:
        scale = math.lcm(*(loss.denominator for row in self.table for pair in row for loss in pair))
        return scale, tuple(tuple((int(a * scale), int(b * scale)) for a, b in row) for row in self.table)

    def empirical(self, function: int, data: Dataset) -> Fraction:
        scale, losses = self.whole
        return Fraction(sum(losses[function][cell][which] for cell, which in data), scale * len(data))

    def objective(self, function: int, data: Dataset) -> Fraction:
        return self.empirical(function, data) + self.lam * self.norms[function]

    def expected(self, values: tuple[Fraction, ...]) -> Fraction:
        """Return the mean of values[cell] for a random sample: an agent is drawn in proportion to its number of
        samples, then a cell from its distribution."""
        total = Fraction(0)
        for law, count in zip(self.laws, self.samples, strict=True):
            total += count * sum((p * v for p, v in zip(law, values, strict=True)), Fraction(0))
        return total / len(self.owners)

    def population(self, function: int) -> Fraction:
        return self.expected(tuple((low + high) / 2 for low, high in self.table[function]))

    def learned(self, position: int, data: Dataset) -> int:
        if self.choices:
            return self.choices[position % len(self.choices)]
        return min(range(len(self.functions)), key=lambda f: (self.objective(f, data), -f))


@dataclass(frozen=True)
class Errors:
    """Three errors of the function that is learned, averaged over datasets.

    risk             excess risk: mean squared distance from the true function
    optimisation     regularised objective on the dataset minus its minimum
    generalisation   expected loss minus mean loss on the dataset
    """

    risk: Fraction
    optimisation: Fraction
    generalisation: Fraction


def errors(problem: Problem) -> Errors:
    risk = optimisation = generalisation = Fraction(0)
    everyone = range(len(problem.functions))
    populations = [problem.population(f) for f in everyone]
    deviations = [
        problem.expected(tuple((a - b) ** 2 for a, b in zip(f, problem.functions[0], strict=True)))
        for f in problem.functions
    ]
    for position, (data, chance) in enumerate(problem.datasets):
        chosen = problem.learned(position, data)
        risk += chance * deviations[chosen]
        best = min(problem.objective(f, data) for f in everyone)
        optimisation += chance * (problem.objective(chosen, data) - best)
        generalisation += chance * (populations[chosen] - problem.empirical(chosen, data))
    return Errors(risk, optimisation, generalisation)


def decomposition(problem: Problem, shrink: Fraction = Fraction(1), regulariser: bool = True) -> Sides:
    """Return both sides of lem:error_decompose, which bounds the excess risk by 2/mu_f times (optimisation error +
    generalisation error + penalty at the true function), with mu_f = 2 the least curvature of the loss. For negative
    controls, `shrink` multiplies the right side, and regulariser=False omits its last term."""
    found = errors(problem)
    extra = problem.lam * problem.norms[0] if regulariser else Fraction(0)
    right = Fraction(2, CURVATURE) * (found.optimisation + found.generalisation + extra)
    return Sides(found.risk, shrink * right)


def rademacher(problem: Problem) -> Fraction:
    """Return the Rademacher complexity of the losses: the mean, over all datasets and all random signs, of the largest
    value over functions of (1/n) sum_i sign_i loss_i. Datasets and signs are enumerated."""
    n, (scale, losses), total = len(problem.owners), problem.whole, Fraction(0)
    for data, chance in problem.datasets:
        rows = [[row[cell][which] for cell, which in data] for row in losses]
        patterns = product((-1, 1), repeat=n)
        total += chance * sum(max(sum(map(mul, signs, row)) for row in rows) for signs in patterns)
    return total / (scale * 2**n * n)


def symmetrisation(problem: Problem, shrink: Fraction = Fraction(1)) -> Sides:
    """Return both sides of lem:rademacher: the generalisation error is at most twice the Rademacher complexity. shrink:
    factor on the right side, for negative controls."""
    return Sides(errors(problem).generalisation, shrink * 2 * rademacher(problem))
