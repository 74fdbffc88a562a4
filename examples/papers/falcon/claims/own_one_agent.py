"""own:one_agent. FedIGW's Corollary 4.2, which Coq has checked for every number M of agents, bounds FALCON at M = 1.

With F functions, K arms, epochs of E^l steps that end at 2, 4, 8, ..., the excess risk e_l of the model learned from
epoch l, q = 1 - 1/K and kappa = 1 - e^{-1/2} the mean regret is

    one-agent  at most 2q + sum_{l>=2} E^l min(1, C sqrt(K e_{l-1})), C = (14/9) sqrt(2(3q+1)), e_l = min(1, ln F/(kappa
               E^l))
    closed     at most 2q + C (2 + sqrt 2) sqrt(K T ln F/kappa) if T is a power of 2: proofs/one_agent.v proves it from
               the sum

The sum is written here from this formula and compared with the corollary's own program at M = 1.
"""

import math

from bounds.theorems.col_finite import THEOREM
from verify.claim import Claim, Evidence, Task, Variant, Verdict
from verify.formal.proof_files import proof
from verify.statistics.compared import at_most

HYPOTHESES = ("the truth is in the class", "rewards in [0,1]", "the exact minimiser of the squared loss")
claim = Claim(
    title="A corollary for one agent with explicit constants",
    section="Regret",
    variants={
        "one-agent": Variant(
            r"2q + \sum_{l\ge2} E^l \min(1, \tfrac{14}{9}\sqrt{2(3q+1)}\sqrt{K e_{l-1}})",
            HYPOTHESES,
            Verdict.FLOAT,
        ),
        "closed": Variant(
            r"2q + \tfrac{14}{9}\sqrt{2(3q+1)} (2+\sqrt2) \sqrt{K T \ln F/\kappa}",
            (*HYPOTHESES, "T = 2^n"),
            Verdict.FLOAT,
        ),
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


@claim.check("closed", control=dict(factor=1.5))
def closed_form(task: Task, factor: float = 2 + math.sqrt(2)) -> Evidence:
    """Compare the sum with its closed form at random sizes. The negative control has 1.5 in the place of 2 + sqrt 2."""
    rng, cases = task.rng(), []
    for _ in range(100):
        functions, arms, horizon = (
            int(rng.integers(2, 500)),
            int(rng.integers(2, 12)),
            2 ** int(rng.integers(1, 31)),
        )
        q = 1 - 1 / arms
        constant = 14 / 9 * math.sqrt(2 * (3 * q + 1))
        right = 2 * q + constant * factor * math.sqrt(
            arms * horizon * math.log(functions) / (1 - math.exp(-0.5))
        )
        cases.append(
            (one_agent(functions, arms, horizon), right, f"F = {functions}, K = {arms}, T = {horizon}")
        )
    return at_most(cases, "sum")


@claim.check("closed", control=dict(stronger=True))
def by_coq(task: Task, stronger: bool = False) -> Evidence:
    """Ask Coq for the theorem `closed` in proofs/one_agent.v. The negative control asks whether it proves a stronger
    one."""
    return proof("one_agent.v", "closed", stronger)
