"""lem:VE. The error of an estimate on a policy is bounded by its mean squared error under the arm probabilities that
were played.

For one agent, given the data, let p(a|x) > 0 be the arm probabilities in context x, fhat any estimate of the true
function f*, and pi any policy. Then

    |Rhat(pi) - R(pi)| <= sqrt(V(p, pi)) sqrt(E_{x, a ~ p}(fhat - f*)^2)

where R(pi) and Rhat(pi) are the mean rewards of pi under f* and fhat, and V(p, pi) = E_x 1/p(pi(x)|x). Equality holds
if fhat - f* is proportional to 1/p on the arms of pi and 0 elsewhere.
"""

from fractions import Fraction

from finite_class.lemmas.one_agent import ve
from verify.claim import Claim, Evidence, Task, Variant, Verdict
from verify.experiments import random_worlds

claim = Claim(
    title="Estimation error of a policy's value",
    section="General theorem",
    tags=("general",),
    variants={
        "printed": Variant(
            r"|\hat R(\pi) - R(\pi)| \le \sqrt{V(p,\pi)}\sqrt{\mathbb E_{x,a\sim p}(\hat f - f^*)^2}",
            ("every arm has positive probability",),
            Verdict.COQ,
            tight=True,
        )
    },
)


@claim.check("printed", control=dict(shrink=Fraction(9, 10)))
def exact(task: Task, shrink: Fraction = Fraction(1)) -> Evidence:
    """Compare the squared error of a policy's estimated value with its bound: the mean of 1/p over the policy's arms
    times the mean squared error of the estimate under the arm probabilities p. Probabilities, estimates and policies
    are random rationals; in every tenth case both sides are equal. Negative control, which must fail: 0.9 times the
    bound."""
    rng, cases = task.rng(), []
    for number in range(1000 if task.full else 100):
        contexts, arms = int(rng.integers(1, 4)), int(rng.integers(2, 5))
        law, *kernels = (random_worlds.law(rng, size) for size in (contexts, *[arms] * contexts))
        policy = [int(a) for a in rng.integers(0, arms, contexts)]
        deviation = random_worlds.table(rng, contexts, arms)
        if number % 10 == 0:  # the extremal deviation: 1/p on the policy's arms, 0 elsewhere
            deviation = tuple(
                tuple(1 / p if a == policy[x] else Fraction(0) for a, p in enumerate(kernels[x]))
                for x in range(contexts)
            )
        cases.append((ve(law, kernels, deviation, policy).shrunk(shrink), {"policy": policy}))
    return random_worlds.verdict(cases, "(Rhat - R)^2 against V Err")
