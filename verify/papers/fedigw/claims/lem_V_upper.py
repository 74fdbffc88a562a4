"""lem:V_upper. How small inverse gap weighting can make the probabilities of the arms that a policy chooses, in the
mean.

For one agent with K arms let p(a|x) be the arm probabilities of inverse gap weighting with learning rate gamma, pi a
policy, and Reghat(pi) its regret if the estimate were true. V(p, pi) = E_x 1/p(pi(x)|x) is the mean inverse
probability of its arms:

    printed     V(p, pi) <= K + gamma Reghat(pi)
    sharpened   equality at every context where pi does not choose the greedy arm; at the greedy arm 1/p <= K
"""

from fractions import Fraction

import numpy as np

from finite_class.lemmas.one_agent import v_upper
from finite_class.lemmas.sides import Sides, arm_probabilities
from verify.claim import Claim, Evidence, Task, Variant, Verdict
from verify.experiments import random_worlds

claim = Claim(
    title="Inverse probabilities against estimated regret",
    section="General theorem",
    tags=("general", "kernel"),
    variants={
        "printed": Variant(
            r"V(p,\pi) \le K + \gamma\,\widehat{\mathrm{Reg}}(\pi)", ("gamma >= 0",), Verdict.Z3
        ),
        "sharpened": Variant(
            r"1/p(a\mid x) = K + \gamma(\hat f(x,\hat a)-\hat f(x,a))\ (a\ne\hat a),\quad 1/p(\hat a\mid x)\le K",
            ("gamma >= 0",),
            Verdict.Z3,
            tight=True,
        ),
    },
)


@claim.check("printed", control=dict(saving=Fraction(1, 8)))
def exact(task: Task, saving: Fraction = Fraction(0)) -> Evidence:
    """Compare the mean of 1/p over a policy's arms, where p are the arm probabilities of inverse gap weighting, with K
    + gamma x (estimated regret of the policy) for K arms and learning rate gamma. Estimates, learning rates and
    policies are random rationals. Negative control, which must fail: a bound smaller by 1/8."""

    def one(rng: np.random.Generator) -> random_worlds.Case:
        contexts, estimate, rate, policy = random_worlds.one_agent(rng)
        sides = v_upper(contexts, estimate, rate, policy)
        witness = {"gamma": str(rate), "estimate": str(estimate), "policy": list(policy)}
        return Sides(sides.left, sides.right - saving), witness

    return random_worlds.exact(task, one, (100, 1000), "V against K + gamma Reghat")


@claim.check("sharpened", control=dict(greedy=True))
def equality(task: Task, greedy: bool = False) -> Evidence:
    """Check in rationals that inverse gap weighting gives the greedy arm at least the probability 1/K, and every other
    arm exactly 1/(K + gamma gap), for K arms, learning rate gamma and the arm's estimated gap. Negative control, which
    must fail: equality for the greedy arm too."""
    rng, checked = task.rng(), 0
    for _ in range(1000 if task.full else 60):
        _, estimate, rate, _ = random_worlds.one_agent(rng)
        for row in estimate:
            played = arm_probabilities(row, rate)
            best = max(range(len(row)), key=lambda a: (row[a], -a))
            for a, p in enumerate(played):
                if a == best and not greedy:
                    if 1 / p > len(row):
                        return Evidence(Verdict.REFUTED, f"1/p = {1 / p} > K at the greedy arm")
                    continue
                checked += 1
                if 1 / p != len(row) + rate * (row[best] - row[a]):
                    figures = {"row": [str(v) for v in row], "gamma": str(rate)}
                    return Evidence(Verdict.REFUTED, f"1/p = {float(1 / p):.6g} at arm {a}", figures)
    return Evidence(Verdict.EXACT, f"equality at {checked} non-greedy arms, 1/p <= K at the greedy ones")
