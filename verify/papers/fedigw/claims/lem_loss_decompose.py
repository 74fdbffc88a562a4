"""lem:loss_decompose. The expected regret of a step is a mean of the regrets of policies.

Arm a has the probability p(a|x) in context x, and Q is a measure on policies under which the chosen arm has these
probabilities (lem:q_distribution). f* is the true function, pi* the best policy and Reg(pi) the regret of a policy pi:

    E_{x, a ~ p}[f*(x, pi*(x)) - f*(x, a)] = sum_pi Q(pi) Reg(pi)
"""

import numpy as np

from finite_class.lemmas.one_agent import decomposition_error
from finite_class.lemmas.sides import Sides, arm_probabilities, gaps, mixed
from verify.claim import Claim, Evidence, Task, Variant, Verdict
from verify.experiments import random_worlds

claim = Claim(
    title="The regret of a kernel is a mixture of regrets",
    section="General theorem",
    tags=("general", "kernel"),
    depends=("lem:q_distribution",),
    variants={
        "printed": Variant(
            r"\mathbb E_{x,a\sim p}[f^*(x,\pi^*(x)) - f^*(x,a)] = \sum_\pi Q(\pi)\,\mathrm{Reg}(\pi)",
            ("finitely many contexts and arms",),
            Verdict.Z3,
            tight=True,
        )
    },
)


@claim.check("printed", control=dict(wrong_kernel=True))
def exact(task: Task, wrong_kernel: bool = False) -> Evidence:
    """Check that the expected regret of a step equals the mean of the regrets of all policies under the product
    measure, in rationals, for random estimates and true rewards. Negative control, which must fail: arm probabilities
    and the measure on policies made with different learning rates."""

    def one(rng: np.random.Generator) -> random_worlds.Case:
        contexts, estimate, rate, _ = random_worlds.one_agent(rng)
        truth = random_worlds.table(rng, len(estimate), len(estimate[0]), unit=True)
        kernels = [arm_probabilities(row, rate) for row in estimate]
        error = decomposition_error(contexts, kernels, truth)
        if wrong_kernel:
            other, lost = [arm_probabilities(row, 2 * rate) for row in estimate], [gaps(row) for row in truth]
            error += abs(mixed(contexts, other, lost) - mixed(contexts, kernels, lost))
        return Sides(error, error * 0), {"gamma": str(rate)}

    return random_worlds.exact(task, one, (40, 300), "difference of the two sides")
