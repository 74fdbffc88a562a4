"""own:one_agent. FedIGW's Corollary 4.2, which Coq has checked for every number M of agents, bounds FALCON at M = 1.

With F functions, K arms, epochs of E^l steps that end at 2, 4, 8, ..., the excess risk e_l of the model learned from
epoch l, q = 1 - 1/K and kappa = 1 - e^{-1/2} the mean regret is

    one-agent  at most 2q + sum_{l>=2} E^l min(1, (14/9) sqrt(2(3q+1)) sqrt(K e_{l-1})), e_l = min(1, ln F/(kappa E^l))

The sum is written here from this formula and compared with the corollary's own program at M = 1.
"""

import math

from bounds.theorems.col_finite import THEOREM
from verify.claim import Claim, Evidence, Task, Variant, Verdict
from verify.statistics.compared import at_most

claim = Claim(
    title="A corollary for one agent with explicit constants",
    section="Regret",
    variants={
        "one-agent": Variant(
            r"2q + \sum_{l\ge2} E^l \min(1, \tfrac{14}{9}\sqrt{2(3q+1)}\sqrt{K e_{l-1}})",
            ("the truth is in the class", "rewards in [0,1]", "the exact minimiser of the squared loss"),
            Verdict.FLOAT,
        )
    },
    depends=("fedigw:col:finite/sharpened",),
)


def one_agent(functions: int, arms: int, horizon: int) -> float:
    q = 1 - 1 / arms
    constant, total, ended, before = 14 / 9 * math.sqrt(2 * (3 * q + 1)), 2 * q, 2, 2
    while ended < horizon:
        risk = min(1.0, math.log(functions) / ((1 - math.exp(-0.5)) * before))
        total += min(ended, horizon - ended) * min(1.0, constant * math.sqrt(arms * risk))
        before, ended = ended, 2 * ended
    return total


@claim.check("one-agent", control=dict(agents=2))
def same_number(task: Task, agents: int = 1) -> Evidence:
    """Compare FALCON's regret bound, by the formula written out in this file, with FedIGW's Corollary 4.2 for one
    agent as the program computes it, at random sizes. The negative control, which must fail, takes the corollary for
    two agents."""
    rng, cases = task.rng(), []
    for _ in range(100):
        sizes = {
            "F": int(rng.integers(2, 500)),
            "K": int(rng.integers(2, 12)),
            "T": int(2 ** rng.uniform(2, 24)),
        }
        theirs = float(THEOREM.evaluate("sharpened", "regret", None, {**sizes, "M": agents}).value)
        ours = one_agent(sizes["F"], sizes["K"], sizes["T"])
        cases += [(ours, theirs, f"{sizes}"), (theirs, ours, f"{sizes}, the other way")]
    return at_most(cases, "bound")
