"""rmk:gen_linear. The analysis extends to other reward functions as long as their excess risks can be provided.

An excess risk of order 1/n after n samples gives regret and rounds that are sublinear in the number M of agents and T
of steps. The remark refers to other papers for the risks of neural networks, which are not checked here. Checked are
logistic rewards, whose excess risk is C/n (own:logistic_excess_risk): the regret bound grows as sqrt(MT) and the rounds
of accelerated gradient descent as sqrt(MT) ln(MT). A model takes k = ceil(sqrt(kappa) ln(2 F(0)/(mu tol))) rounds to
come within a squared distance tol of the minimiser, where F is the loss, mu its strong convexity, Lam the
regularisation and kappa = 1 + n/(4 Lam).
"""

import math

from bounds.schedules import samples_of_calls
from bounds.theorem import Case
from bounds.theorems.own_logistic_excess_risk import THEOREM
from linear.generalised import generalised
from linear.losses.logistic import Logistic
from verify.claim import Claim, Evidence, Task, Variant, Verdict
from verify.experiments.ratios import at_most_one

TOLERANCE = 0.1  # delta

claim = Claim(
    title="Beyond linear reward functions",
    section="FL protocols",
    tags=("regret", "communication", "logistic"),
    depends=("own:logistic_excess_risk", "own:agd_rate"),
    variants={
        "logistic": Variant(
            r"\mathrm{Reg}(T) = O(\sqrt{MKTC}),\ O(\sqrt{MT}\log(MT))\ \text{rounds}",
            (
                "logistic rewards, norm(omega*) <= B, tau^l = 2^l, agents in step",
                "AGD to tolerance delta = 0.1",
            ),
            Verdict.FLOAT,
        )
    },
)


def sizes(agents: int, horizon: int) -> tuple[float, float]:
    """Return two numbers for logistic rewards, 5 arms and 5 dimensions: the regret bound (variant best), and (rounds of
    accelerated gradient descent up to the horizon)/ln(agents x horizon)."""
    given = {"M": agents, "K": 5, "d": 5.0, "B": 1.0, "delta": TOLERANCE, "heterogeneous": 0}
    model = generalised(5, Logistic(), None, TOLERANCE, False)
    rounds = sum(
        model.descent.rounds(model.effective_samples(n), model.reach(n, TOLERANCE))
        for n in samples_of_calls(agents, horizon)
    )
    regret = THEOREM.regret(Case("best", None, None, given)).value(horizon)
    return regret, rounds / math.log(agents * horizon)


@claim.check("logistic", control=dict(power=0.4))
def sublinear(task: Task, power: float = 0.5) -> Evidence:
    """Check that 16 times as many steps, or as many agents, multiply the regret bound by at most 16^(1/2), and the same
    for the number of rounds divided by ln(MT). Ten per cent more are allowed for the first epoch, ceilings and
    constants inside the logarithm. Negative control, which must fail: 16^(2/5)."""
    found = []
    for agents, horizon in ((4, 2**14), (16, 2**16), (100, 2**20)):
        before = sizes(agents, horizon)
        for what, after in (("T", sizes(agents, 16 * horizon)), ("M", sizes(16 * agents, horizon))):
            for name, one, other in zip(("regret", "rounds"), before, after, strict=True):
                place = f"{name}, 16 {what}, M = {agents}, T = {horizon}"
                found.append((other / (one * 16**power) / 1.1, place))
    return at_most_one(found, "growth", cases="comparisons")
