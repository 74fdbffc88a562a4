"""Which proved bounds apply to a finite-class run, and the scale of its regret."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from bounds import thm_global_regret
from finite_class.instance import FiniteClassInstance
from finite_class.tables import merged, tables


def applicable_bounds(instance: FiniteClassInstance) -> dict[str, float]:
    """Variant -> bound on the expected regret, for the learning rates that the instance uses.

    A bound holds for its own learning rate: printed and repaired for gamma = sqrt(Kbar/e) with the printed e, sharpened
    and best each for its own; for an explicit list the sharpened theorem gives C(g) S^l/gamma^l. None holds if rates
    decrease (H5).
    """
    plan, arms = instance.plan, instance.arms
    rates = [float(rate) for rate in instance.learning_rates()]
    if any(after < before for before, after in pairwise(rates[1:])) or not all(rates):
        return {}
    if isinstance(instance.learning_rate, str):
        rate = instance.learning_rate
        variants = ("printed", "repaired") if rate == "printed" else (rate,)
        return {v: sum(thm_global_regret.epoch_terms(v, plan, arms, instance.risks(v))) for v in variants}
    terms = thm_global_regret.regret_given_learning_rates(plan, arms, rates, instance.risks("sharpened"))
    return {"sharpened": sum(terms)}


def largest_regret(instance: FiniteClassInstance) -> float:
    """The most that a run can lose in expectation given its models."""
    return sum(largest_epoch_regret(instance))


def largest_epoch_regret(instance: FiniteClassInstance) -> list[float]:
    """Per epoch, the expected regret of the worst function that can be in use: what is known without any bound."""
    arrays, (rows,) = merged(tables(instance, exact=False), instance.plan.played)
    largest = []
    for epoch, (played, rate) in enumerate(zip(rows, instance.learning_rates(), strict=True)):
        per_state: np.ndarray = np.zeros(arrays.initial + 1)
        for agent, steps in enumerate(played):
            per_state = per_state + steps * arrays.regret_rate(
                agent, arrays.kernel(arrays.arms[agent], float(rate))
            )
        largest.append(float(per_state[arrays.initial] if epoch == 0 else per_state[: arrays.initial].max()))
    return largest
