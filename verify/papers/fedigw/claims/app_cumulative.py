"""app:cumulative. The regret of FedIGW over a finite class F if every model is learned from all data so far, not only
from the last epoch.

M agents with the same epochs have K arms each. Epoch l has E^l steps and ends at step tau^l = E^1 + ... + E^l. Its
learning rate is gamma^l = g sqrt(K/e_{l-1}), where g is a constant and e_{l-1} = ln|F|/(kappa M tau^{l-1}) the proved
excess risk of the model in use:

    Reg(T) <= M E^1 (1-1/K) + sum_{l>=2} M E^l min(1, C sqrt(K ln|F|/(kappa M tau^{l-1})))
    C = (14/9) sqrt(2(3q+1)),   q = 1-1/K,   kappa = 1 - e^{-1/2}

For tau^l = 2^l the sum of E^l/sqrt(tau^{l-1}) is at most (1 + sqrt2) sqrt T; with the data of one epoch only it is (2
+ sqrt2) sqrt T.

Why it holds. Let D = f - f* at a sample and l (here no epoch) its squared loss under f minus that under the true
function f*. The sum over the class of exp(sum_i (-l_i + kappa E[D_i^2 | past])) is a supermartingale also when past
data choose the arms. So the mean of kappa sum_i E[D_i^2 | past] at the minimiser is at most ln|F|. The induction of
thm:global_regret is then applied to the mixture of the arm probabilities of all past epochs. That induction is not
machine-checked; the bound is measured here.
"""

import math
from dataclasses import replace
from fractions import Fraction
from functools import cache

import numpy as np

from bounds.schedules import doubling_plan
from fedigw.federation import Federation
from finite_class.environments import near_ties, random_table
from finite_class.law import exact_law
from verify.claim import Claim, Evidence, Task, Variant, Verdict
from verify.statistics.regrets import below_truth, judged, regret_against_bound

AGENTS = 10

claim = Claim(
    title="FL calls that learn from all data so far",
    section="Ways to alternate",
    tags=("finite", "regret", "schedule"),
    depends=("thm:global_regret", "lem:finite_error"),
    variants={
        "finite": Variant(
            r"\mathrm{Reg}(T) \le ME^1(1-1/K) + c_I\sum_{l\ge2} ME^l\sqrt{K\ln|\mathcal F|/(\kappa M\tau^{l-1})}",
            (
                "H1 rewards in [0,1], realizability, |F| functions in [0,1]",
                "H2 epoch lengths independent of the data, agents in step, K arms each",
                "gamma^l = g sqrt(K/e_{l-1}), e_{l-1} = min(1, ln|F|/(kappa M tau^{l-1})), g^2 = (3q+1)/8",
            ),
            Verdict.MEASURED,
        ),
        "doubling": Variant(
            r"\sum_{l\ge2} E^l_{\mathrm{cut}}/\sqrt{\tau^{l-1}} \le (1+\sqrt2)\sqrt T",
            ("tau^l = 2^l, the last epoch cut at T >= 3",),
            Verdict.FLOAT,
        ),
    },
)


def federations(rng: np.random.Generator, full: bool) -> list[tuple[str, Federation]]:
    found = []
    for horizon in (4096, 2**16, 2**20) if full else (4096, 2**16):
        for arms in (2, 4):
            made = random_table.make(rng, 10, 4, arms, AGENTS, horizon)
            found.append((f"random table, K = {arms}, T = {horizon}", made))
        found.append((f"near ties, T = {horizon}", near_ties.make(rng, agents=AGENTS, horizon=horizon)))
    return [(name, on_all_data(one)) for name, one in found]


def on_all_data(federation: Federation) -> Federation:
    return replace(federation, plan=replace(federation.plan, cumulative=True))


def false_regret(task: Task) -> Evidence:
    """Run the negative control of `regret`, which must fail: the measured regret of two epochs is compared with a
    bound a tenth below its exact mean."""
    federation = near_ties.make(np.random.default_rng(0), Fraction(1, 2), 1, 2, AGENTS, horizon=4)
    truth = float(exact_law(federation, rational=False).total_regret)
    name = "two epochs, a bound a tenth below the exact regret"
    found = below_truth(task, name, on_all_data(federation), truth, 4000, 0)
    return judged(task, [found], exact=truth)


@claim.check("finite", control=false_regret, statistical=True)
def regret(task: Task) -> Evidence:
    """Compare the measured regret with the bound if every model is learned from all data so far, for random tables of
    mean rewards and for nearly equal arms. Negative control, which must fail: a bound a tenth below an exact regret."""
    chosen = federations(task.rng(), task.full)
    found = [regret_against_bound(task, *one, "sharpened", parts=len(chosen), least=64) for one in chosen]
    return judged(task, found)


HORIZONS = [*range(3, 2**14), *(2**k + j for k in range(14, 45) for j in (0, 1))]


@cache
def _largest_sum() -> float:
    worst = 0.0
    for horizon in HORIZONS:
        plan, start, total = doubling_plan(horizon), 0, 0.0
        for played, full in zip(plan.played, plan.full, strict=True):
            total += played[0] / math.sqrt(start) if start else 0.0
            start += full[0]
        worst = max(worst, total / math.sqrt(horizon))
    return worst


@claim.check("doubling", control=dict(shrink=0.99))
def sums(task: Task, shrink: float = 1.0) -> Evidence:
    """Compare sum_{l>=2} E^l/sqrt(tau^{l-1}) with its bound (1 + sqrt2) sqrt T at many T. Epochs have E^l steps and end
    at tau^l = 2^l; the last one ends at T. Negative control, which must fail: a bound 1 % smaller."""
    worst, limit = _largest_sum(), shrink * (1 + math.sqrt(2))
    said = f"largest sum {worst:.6f} sqrt T against {limit:.6f} sqrt T at {len(HORIZONS)} horizons"
    return Evidence(Verdict.FLOAT.unless(worst > limit), said, {"worst": worst, "limit": limit})
