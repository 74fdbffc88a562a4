"""lem:q_distribution. Drawing an arm in each context is the same as drawing a whole policy from some distribution.

Given the past, let p^l_m(a|x) be the arm probabilities of agent m in epoch l. There is a probability measure Q^l_m on
policies with

    p^l_m(a|x) = sum over policies pi with pi(x) = a of Q^l_m(pi)    for every context x and arm a

For finitely many contexts the product measure Q(pi) = prod_x p(pi(x)|x) has this property.
"""

from fractions import Fraction

from finite_class.lemmas.one_agent import mixture
from finite_class.lemmas.sides import Sides, arm_probabilities
from verify.claim import Claim, Evidence, Task, Variant, Verdict
from verify.experiments import random_worlds

claim = Claim(
    title="A kernel is a mixture of deterministic policies",
    section="General theorem",
    tags=("general", "kernel"),
    variants={
        "printed": Variant(
            r"p(a\mid x) = \sum_{\pi} \mathbf 1\{\pi(x)=a\}\, Q(\pi),\quad Q(\pi) = \prod_x p(\pi(x)\mid x)",
            ("finitely many contexts and arms",),
            Verdict.Z3,
            tight=True,
        )
    },
)


@claim.check("printed", control=dict(broken=True))
def exact(task: Task, broken: bool = False) -> Evidence:
    """Check that drawing a policy from the product measure gives every arm its probability in each context, for random
    estimates, in rationals. Negative control, which must fail: probabilities that sum to 1/2 in one context."""
    rng, cases = task.rng(), []
    for _ in range(300 if task.full else 40):
        contexts, estimate, rate, _ = random_worlds.one_agent(rng)
        kernels = [arm_probabilities(row, rate) for row in estimate]
        used = [tuple(p / 2 for p in kernels[0]), *kernels[1:]] if broken else kernels
        weights = mixture(contexts, used)
        x = len(kernels) - 1
        for a in range(len(kernels[0])):
            got = sum((q for policy, q in weights.items() if policy[x] == a), Fraction(0))
            cases.append((Sides(abs(got - kernels[x][a]), Fraction(0)), {"gamma": str(rate)}))
    return random_worlds.verdict(cases, "marginal minus kernel")
