"""Draw random tiny learning problems, whose excess risk and Rademacher complexity can be computed by enumeration."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from finite_class.lemmas.lem_error_decompose import Loss, Problem, quartic, squared
from verify.experiments.random_worlds import law, strings

LOSSES: tuple[Loss, ...] = (squared, quartic)


def problem(rng: np.random.Generator, most_samples: int = 3) -> Problem:
    """Draw a learning problem with one or two agents, one or two pairs of context and arm, and up to `most_samples`
    samples. Rewards are deterministic in a third of the draws, because the excess risk can then equal its bound."""
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
    laws = tuple(law(rng, cells) for _ in range(agents))
    norms = tuple(Fraction(int(k), 2) for k in rng.integers(0, 5, size))
    lam, loss = Fraction(int(rng.integers(0, 3)), 4), LOSSES[int(rng.integers(len(LOSSES)))]
    found = Problem(laws, tuple(samples), tuple(functions), norms, tuple(spreads), lam, loss)
    if rng.random() < 0.5:  # any learning rule in place of the minimiser; half of them ignore the data
        count = 1 if rng.random() < 0.5 else len(found.datasets)
        found = replace(found, choices=tuple(int(k) for k in rng.integers(0, size, count)))
    return found


def describe(problem: Problem) -> dict[str, Any]:
    found: dict[str, Any] = {"laws": strings(problem.laws), "samples": list(problem.samples)}
    found |= {"functions": strings(problem.functions)}
    found |= {"norms": [str(v) for v in problem.norms], "spreads": [str(v) for v in problem.spreads]}
    found |= {"lam": str(problem.lam), "loss": problem.loss.__name__}
    return found | {"rule": list(problem.choices) or "exact minimiser"}
