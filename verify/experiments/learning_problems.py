"""Random tiny learning problems for lem:error_decompose and lem:rademacher, from a seeded generator."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from finite_class.lemmas.lem_error_decompose import Loss, Problem, quartic, squared
from verify.experiments.random_worlds import law

LOSSES: tuple[Loss, ...] = (squared, quartic)


def problem(rng: np.random.Generator, most_samples: int = 3) -> Problem:
    """One or two agents, one or two cells; a third of them with deterministic rewards, where equality is met."""
    cells = int(rng.integers(1, 3))
    agents = int(rng.integers(1, 3))
    samples = [1] * agents
    samples[0] += int(rng.integers(0, most_samples - agents + 1))
    size = int(rng.integers(2, 5))
    grid = int(rng.choice([1, 2, 6]))
    functions = [tuple(Fraction(int(v), grid) for v in rng.integers(0, grid + 1, cells)) for _ in range(size)]
    spreads = [Fraction(int(k), 4) for k in rng.integers(0, 3, cells)]
    if rng.random() < 1 / 3:
        spreads = [Fraction(0)] * cells
    found = Problem(
        laws=tuple(law(rng, cells) for _ in range(agents)),
        samples=tuple(samples),
        functions=tuple(functions),
        norms=tuple(Fraction(int(k), 2) for k in rng.integers(0, 5, size)),
        spreads=tuple(spreads),
        lam=Fraction(int(rng.integers(0, 3)), 4),
        loss=LOSSES[int(rng.integers(len(LOSSES)))],
    )
    if rng.random() < 0.5:  # any rule, not only the minimiser; sometimes one function whatever the data
        count = 1 if rng.random() < 0.5 else len(found.datasets)
        found = replace(found, choices=tuple(int(k) for k in rng.integers(0, size, count)))
    return found


def describe(problem: Problem) -> dict[str, Any]:
    """Return the problem as JSON."""
    return {
        "laws": [[str(p) for p in row] for row in problem.laws],
        "samples": list(problem.samples),
        "functions": [[str(v) for v in row] for row in problem.functions],
        "norms": [str(v) for v in problem.norms],
        "spreads": [str(v) for v in problem.spreads],
        "lam": str(problem.lam),
        "loss": problem.loss.__name__,
        "rule": list(problem.choices) or "exact minimiser",
    }
