"""app:capped. If epochs stop growing, as in the paper's experiments (at 4096 steps), the regret of FedIGW is linear.

M agents have K arms each, and all epochs after step tau have `cap` steps. Every later model is learned from M cap
samples, so its excess risk e and the learning rate gamma = g sqrt(K/e) stay the same; g is a constant. After step tau
the regret of all agents together grows in each step

    upper   by at most M min(1, (C/g) sqrt(K e)), where C/g is the constant of thm:global_regret
    lower   by at least M (K-1)/(K + gamma), if in every context one arm has mean reward 1 and all others 0

Both numbers are positive constants, so the regret is of order T, not sqrt T, whatever is learned. For ridge
regression in dimension d = 5 with cap 4096 the upper slope of one agent is 0.1153 (K = 2, M = 1), 0.0365 (K = 2, M =
10), 0.0992 (K = 10, M = 10) and 0.0314 (K = 10, M = 100).
"""

from fractions import Fraction

import numpy as np

from bounds import app_capped, own_lower_bound
from bounds.schedules import capped_lengths, doubling_plan, synchronous_plan
from bounds.theorems import thm_global_regret
from fedigw.replications import simulate
from finite_class.federations import alike
from finite_class.law import exact_law
from verify.claim import Claim, Evidence, Task, Variant, Verdict
from verify.statistics.regrets import regret_against_bound

SLOPES = {(2, 1): 0.1153, (2, 10): 0.0365, (10, 10): 0.0992, (10, 100): 0.0314}  # (K, M), d = 5
DIMENSION = 5
CAP = 8  # of the exact runs
CONTROL = Fraction(101, 100)

claim = Claim(
    title="Epochs that stop growing cost linear regret",
    section="Ways to alternate",
    tags=("general", "regret", "schedule"),
    depends=("thm:global_regret", "own:lower_bound"),
    variants={
        "upper": Variant(
            r"\mathrm{Reg}(T) \le B_\tau + M (T-\tau)\min\bigl(1,\,(C/g)\sqrt{K\,e(M\,\mathrm{cap})}\bigr)",
            (*thm_global_regret.HYPOTHESES, "agents in step, epochs of `cap` steps from tau on"),
            Verdict.FLOAT,
        ),
        "lower": Variant(
            r"\mathrm{Reg}(T) \ge M (T-\tau)\,\frac{K-1}{K+\gamma}",
            (
                "gap 1: in every context one arm has mean 1 and all others mean 0",
                "the FL routine returns estimates in [0,1]",
                "gamma^l = gamma in every capped epoch",
            ),
            Verdict.EXACT,
            tight=True,
        ),
    },
)


@claim.check("upper", control=dict(cap=2 * app_capped.PAPERS_CAP))
def slopes(task: Task, cap: int = app_capped.PAPERS_CAP) -> Evidence:
    """Check that the regret bound of thm:global_regret grows by min(1, (C/g) sqrt(K e)) per step of an agent in each of
    the last 20 epochs, if epochs stop growing at `cap` steps. K is the number of arms, e the excess risk and C/g the
    bound's constant. Negative control, which must fail: a cap twice as large."""
    rows = []
    for (arms, agents), stated in SLOPES.items():
        risk = app_capped.ridge_risk(DIMENSION, agents, cap)
        plan = synchronous_plan(capped_lengths(cap), 40 * cap, agents)
        risks = [app_capped.ridge_risk(DIMENSION, agents, row[0]) for row in plan.full]
        terms = thm_global_regret.epoch_terms(
            "sharpened", plan, (arms,) * agents, [min(1.0, e) for e in risks]
        )
        later = {round(term / sum(row), 12) for term, row in zip(terms[-20:], plan.played[-20:], strict=True)}
        found = float(app_capped.slope(arms, risk))
        rows.append({"K": arms, "M": agents, "slope": found, "stated": stated, "one": len(later) == 1})
        if len(later) != 1 or abs(later.pop() - found) > 1e-9 or round(found, 4) != stated:
            said = f"K = {arms}, M = {agents}: slope {found:.4f}, stated {stated}"
            return Evidence(Verdict.REFUTED, said, {"rows": rows})
    said = ", ".join(f"{row['slope']:.4f}" for row in rows)
    return Evidence(Verdict.FLOAT, f"slopes {said}: the same in each of 20 capped epochs", {"rows": rows})


@claim.check("lower", control=dict(factor=CONTROL))
def exact(task: Task, factor: Fraction = Fraction(1)) -> Evidence:
    """Compare the exact regret of an epoch of `cap` steps with the lower bound M cap (K-1)/(K + gamma), for M agents, K
    arms and learning rate gamma. There are three bandit instances, whose best arm has mean reward 1 and all others 0.
    On these both are equal, because one sample identifies the true rewards. Negative control, which must fail: a lower
    bound 1 % larger."""
    rows = []
    for arms, agents in ((2, 1), (3, 2), (5, 3)):
        truth = (Fraction(1), *([Fraction(0)] * (arms - 1)))
        rival = tuple(1 - value for value in truth)
        plan = synchronous_plan(capped_lengths(CAP), 20 * CAP, agents)
        rate = Fraction(7 * arms)
        rates = (rate,) * plan.epochs
        federation = alike(((truth,), (rival,)), plan, learning_rate=rates, rewards="deterministic")
        law = exact_law(federation)
        wanted = factor * agents * CAP * own_lower_bound.step(arms, rate)
        lost = {epoch.regret for epoch in law.epochs[4:]}
        rows.append({"K": arms, "M": agents, "epoch": str(min(lost)), "bound": str(wanted)})
        if min(lost) < wanted:
            said = f"K = {arms}: an epoch loses {float(min(lost)):.6g} < {float(wanted):.6g}"
            return Evidence(Verdict.REFUTED, said, {"rows": rows})
    said = f"each capped epoch loses exactly M cap (K-1)/(K + gamma) on {len(rows)} instances with gap 1"
    return Evidence(Verdict.EXACT, said, {"rows": rows})


@claim.check("upper", control=dict(capped=False), statistical=True)
def measured(task: Task, capped: bool = True) -> Evidence:
    """Compare the measured regret after T = 2^20 steps with its upper bound, and with T times the lower bound on the
    regret of a step, if epochs stop growing at the paper's 4096 steps. Negative control, which must fail: epochs that
    double without end, whose regret is below this lower bound."""
    arms, agents, horizon = 4, 10, 1 << 20
    rng = np.random.default_rng(0)
    truth = tuple(Fraction(int(a == 0)) for a in range(arms))
    others = [tuple(Fraction(int(v), 10) for v in row) for row in rng.integers(0, 11, size=(9, arms))]
    lengths = synchronous_plan(capped_lengths(app_capped.PAPERS_CAP), horizon, agents)
    plan = lengths if capped else doubling_plan(horizon, agents)
    federation = alike(tuple((values,) for values in (truth, *others)), plan)
    rates = federation.learning_rates()
    risk = federation.guarantee().risk("sharpened", agents * app_capped.PAPERS_CAP)  # type: ignore[union-attr]
    least = own_lower_bound.step(arms, app_capped.learning_rate(arms, risk)) * agents * horizon
    record = simulate(federation, 32, task.seed)
    mean = float(record.total_regret.mean())
    name = f"cap {app_capped.PAPERS_CAP}, T = 2^20"
    found = regret_against_bound(task, name, federation, "sharpened", budget=512, least=256)
    figures = found.json() | dict(least=least, per_step=mean / (agents * horizon), rate=float(rates[-1]))
    if float(record.total_regret.min()) < least:  # surely, not only in the mean
        said = f"regret {mean:.5g} is below {least:.5g}, the lower slope times T = 2^20"
        return Evidence(Verdict.REFUTED, said, figures, level=task.level)
    said = f"regret {mean:.5g} at T = 2^20: above {least:.5g}, linear in T, and below the bound {found.bound:.5g}"
    return Evidence(found.verdict, said, figures, vacuous=found.vacuous, level=task.level)
