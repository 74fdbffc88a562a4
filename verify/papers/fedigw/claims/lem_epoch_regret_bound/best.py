"""Check numerically the smallest constant of lem:epoch_regret_bound (variant `best`): the side conditions of its
proof, and the worst known instance.

The proof is in Coq (proofs/, docs/proof_best.md); these checks are independent of it.
"""

import dataclasses
import math
from fractions import Fraction
from typing import Any

from bounds.best import barrier
from bounds.best.constant import best
from bounds.best.parameters import ANY_SCHEDULE, DOUBLING, TUNED, derive, side_conditions, violated
from bounds.best.regret import IN_STEP
from bounds.theorems import thm_global_regret
from verify.claim import Claim, Evidence, Task, Variant, Verdict

HYPOTHESES = (*thm_global_regret.HYPOTHESES, IN_STEP)
VARIANT = Variant(
    r"\mathbb{E}\,\mathrm{Reg}^L \le C(g)\,S^L/\gamma^L,\quad C(g) = 1-\tfrac2K+0.44284+2.51493\,g^2"
    r"\ (K\ge3),\quad \tfrac12+\tfrac94 g^2\ (K=2);\quad C/g \le 3.8098",
    HYPOTHESES,
    Verdict.COQ,
)


def enter_side_conditions(claim: Claim) -> None:
    claim.check("best", control=dict(absorbed=Fraction(1, 5)), name="best-side-conditions")(numbers)


def numbers(task: Task, absorbed: Fraction | None = None) -> Evidence:
    """Check in rationals the conditions on seven free numbers on which the proof of the smallest constant rests (E1
    to E12 of docs/proof_best.md), at three choices of these numbers. Negative control, which must fail: another value
    of one of them."""
    sets = {"any schedule": ANY_SCHEDULE, "tuned": TUNED, "doubling": DOUBLING}
    if absorbed is not None:
        sets = {"changed": dataclasses.replace(ANY_SCHEDULE, absorbed=absorbed)}
    figures: dict[str, Any] = {}
    for name, parameters in sets.items():
        broken = violated(parameters)
        if broken:
            said = f"{broken[0]} fails by {float(-side_conditions(parameters)[broken[0]]):.4g}"
            return Evidence(Verdict.REFUTED, said, {"violated": broken})
        found = derive(parameters)
        over_g = math.sqrt(4 * (1 + found.a) * found.b)
        figures[name] = {"a": float(found.a), "b": float(found.b), "C/g": over_g}
    values = ", ".join(f"{figures[name]['C/g']:.4f} ({name})" for name in figures)
    return Evidence(Verdict.CERTIFICATE, f"E1-E12 hold in exact rationals; C/g = {values}", figures)


def barrier_instance(task: Task, shrink: Fraction = Fraction(1)) -> Evidence:
    """Compare the smallest proved constant in the bound on an epoch's regret with the constant that a known bandit
    instance with 10^6 arms requires. Negative control, which must fail: 0.98 times the proved constant."""
    arms, figures = 10**6, {}
    for name, saved in barrier.saved_barriers().items():
        proved = best(arms, doubling=name == "doubling")
        found = barrier.evaluate(saved, arms)
        measured, bound = float(found.over_g), float(proved.over(saved.multiplier) * shrink)
        figures[name] = {"measured": measured, "bound": bound}
        if barrier.refutes(saved, arms, proved.arms * shrink, proved.risk * shrink):
            return Evidence(Verdict.REFUTED, f"{name}: C/g >= {measured:.4f} on an exact instance", figures)
        if found.worst_risk > 1:
            said = f"{name}: the saved instance exceeds its excess risk"
            return Evidence(Verdict.UNDECIDED, said, figures)
    shown = "; ".join(f"{k}: {v['measured']:.4f} of {v['bound']:.4f}" for k, v in figures.items())
    return Evidence(Verdict.EXACT, f"C/g of the worst known instance, K = 10^6: {shown}", figures)
