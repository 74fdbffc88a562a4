"""own:one_agent. FedIGW's Corollary 4.2, which Coq has checked for every number M of agents, bounds FALCON at M = 1.

With F functions, K arms, epochs of E^l steps that end at 2, 4, 8, ..., the excess risk e_l of the model learned from
epoch l, q = 1 - 1/K, kappa = 1 - e^{-1/2} and C = (14/9) sqrt(2(3q+1)) the corollary is

    2q + sum_{l>=2} E^l min(1, C sqrt(K e_{l-1})), e_l = min(1, ln F/(kappa E^l))

    closed    at most 2q + C (2 + sqrt 2) sqrt(K T ln F/kappa) if T is a power of 2; proofs/one_agent.v bounds the sum
"""

import math

from bounds.theorems.col_finite import THEOREM
from verify.claim import Claim, Evidence, Task, Variant, Verdict
from verify.formal.proof_files import proof
from verify.statistics.compared import at_most

claim = Claim(
    title="A corollary for one agent with explicit constants",
    section="Regret",
    variants={
        "closed": Variant(
            r"2q + \tfrac{14}{9}\sqrt{2(3q+1)} (2+\sqrt2) \sqrt{K T \ln F/\kappa}",
            (
                "the truth is in the class",
                "rewards in [0,1]",
                "the exact minimiser of the squared loss",
                "T = 2^n",
            ),
            Verdict.FLOAT,
        )
    },
    depends=("fedigw:col:finite/sharpened",),
)


@claim.check("closed", control=dict(agents=2))
def closed_form(task: Task, agents: int = 1) -> Evidence:
    """Compare the corollary's number at random sizes with the closed form. The negative control takes two agents."""
    rng, cases = task.rng(), []
    for _ in range(200):
        functions, arms = int(rng.integers(2, 500)), int(rng.integers(2, 12))
        sizes = {"F": functions, "K": arms, "T": 2 ** int(rng.integers(2, 31))}
        left = float(THEOREM.evaluate("sharpened", "regret", None, {**sizes, "M": agents}).value)
        q = 1 - 1 / arms
        root = math.sqrt(arms * sizes["T"] * math.log(functions) / (1 - math.exp(-0.5)))
        right = 2 * q + 14 / 9 * math.sqrt(2 * (3 * q + 1)) * (2 + math.sqrt(2)) * root
        cases.append((left, right, f"{sizes}"))
    return at_most(cases, "sum")


@claim.check("closed", control=dict(stronger=True))
def by_coq(task: Task, stronger: bool = False) -> Evidence:
    """Ask Coq for the theorem `closed` in proofs/one_agent.v. The control asks whether it proves a stronger one."""
    return proof("one_agent.v", "closed", stronger)
