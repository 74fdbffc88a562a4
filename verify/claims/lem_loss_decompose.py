"""lem:loss_decompose. The expected regret of an epoch's kernel is the Q-average of the regret of policies:

E_{x, a ~ p}[f*(x, pi*(x)) - f*(x, a)] = sum_pi Q(pi) Reg(pi).
"""

from __future__ import annotations

from functools import partial
from typing import Any

from finite_class.lemmas import lem_loss_decompose
from finite_class.lemmas.sides import Sides, arm_probabilities
from verify.claim import Check, Claim, Evidence, Task, Variant
from verify.experiments import random_worlds
from verify.verdict import Verdict


def exact(task: Task, wrong_kernel: bool = False) -> Evidence:
    """Both sides by enumeration of all policies; the control plays another kernel than Q mixes."""
    rng = task.rng()
    cases: list[tuple[Sides, Any]] = []
    for _ in range(300 if task.full else 100):
        contexts, estimate, rate, _ = random_worlds.one_agent(rng)
        truth = random_worlds.table(rng, len(estimate), len(estimate[0]), unit=True)
        kernels = [arm_probabilities(row, rate) for row in estimate]
        error = lem_loss_decompose.decomposition_error(contexts, kernels, truth)
        if wrong_kernel:
            other = [arm_probabilities(row, 2 * rate) for row in estimate]
            gap = lem_loss_decompose.expected_regret(
                contexts, other, truth
            ) - lem_loss_decompose.expected_regret(contexts, kernels, truth)
            error += abs(gap)
        cases.append((Sides(error, error * 0), {"gamma": str(rate)}))
    return random_worlds.verdict(cases, "difference of the two sides")


CLAIM = Claim(
    label="lem:loss_decompose",
    title="The regret of a kernel is a mixture of regrets",
    section="General theorem",
    statement=__doc__ or "",
    tags=("general", "kernel"),
    depends=("lem:q_distribution",),
    variants={
        "printed": Variant(
            r"\mathbb E_{x,a\sim p}[f^*(x,\pi^*(x)) - f^*(x,a)] = \sum_\pi Q(\pi)\,\mathrm{Reg}(\pi)",
            ("finitely many contexts and arms",),
            Verdict.PROVED,
            tight=True,
        )
    },
    checks=(Check("exact", "printed", exact, partial(exact, wrong_kernel=True), "all policies enumerated"),),
)
