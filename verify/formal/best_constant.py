"""Evidence for the variant `best` of lem:epoch_regret_bound (and of what follows from it), ready for a claim file.

variants={..., "best": best_constant.VARIANT}, checks=(..., *best_constant.checks())

Every step is proved and every part is imported by a link that compares hypotheses, sums and the starts of inductions.
What would be put together by hand is a hypothesis of kind "composition": evidence that rests on one is certified, not
proved, and names it. So it is where an interval certificate is used: kappa of the finite class.
"""

from __future__ import annotations

import dataclasses
import math
from fractions import Fraction
from functools import partial
from random import Random
from typing import Any

from bounds import thm_global_regret
from bounds.best import barrier
from bounds.best.adversary import climb, random_run, tightness
from bounds.best.constant import best
from bounds.best.parameters import ANY_SCHEDULE, DOUBLING, TUNED, derive, side_conditions, violated
from bounds.best.regret import IN_STEP, KAPPA, KAPPA_EXPONENT
from bounds.best.replay import replay
from bounds.best.two_arms import two_arms_slack
from verify.claim import Check, Evidence, Task, Variant
from verify.formal import steps as proof_evidence
from verify.verdict import Verdict

HYPOTHESES = (
    *thm_global_regret.HYPOTHESES,
    IN_STEP,
)
NUMBERS = ("best: any schedule", "best: any schedule, two arms")
CHAINS = (
    "best: pathwise claim",
    "best: two arms",
    "best: average",
    "best: epoch regret",
    "best: epoch regret, two arms",
    "best: side conditions",
    "best: doubling",
    *NUMBERS,
)
THEOREM = ("best: theorem", "best: theorem, two arms", *NUMBERS)
COROLLARY = ("best: corollary", "best: corollary, two arms")
FINITE_ERROR = ("best: exponential moment", "best: mean excess risk")
VARIANT = Variant(
    r"\mathbb{E}\,\mathrm{Reg}^L \le C(g)\,S^L/\gamma^L,\quad C(g) = 1-\tfrac2K+0.44284+2.51493\,g^2"
    r"\ (K\ge3),\quad \tfrac12+\tfrac94 g^2\ (K=2);\quad C/g \le 3.8098",
    HYPOTHESES,
    Verdict.PROVED,
)


def checks(variant: str = "best") -> tuple[Check, ...]:
    """Every check with its negative control."""
    return (
        Check(
            "best-steps",
            variant,
            proof_steps,
            partial(proof_steps, deleted="E1 eta >= rbar s"),
            "every step of the proof, for all parameters, arms and epochs",
        ),
        Check(
            "best-side-conditions",
            variant,
            numbers,
            partial(numbers, absorbed=Fraction(1, 5)),
            "E1-E12 in exact rationals",
        ),
        Check(
            "best-replay",
            variant,
            runs,
            partial(runs, absorbed=Fraction(1, 10)),
            "the whole proof built on random exact runs",
        ),
        Check(
            "best-adversary",
            variant,
            adversary,
            partial(adversary, shrink=Fraction(7, 10)),
            "hill-climbed runs, judged exactly",
        ),
        Check(
            "best-barrier",
            variant,
            barrier_instance,
            partial(barrier_instance, shrink=Fraction(98, 100)),
            "the worst instance known, in exact rationals",
        ),
    )


def theorem_checks(variant: str = "best") -> tuple[Check, ...]:
    """thm:global_regret from lem:epoch_regret_bound: the steps, and the constant in exact rationals."""
    constant = Check(
        "best-side-conditions",
        variant,
        numbers,
        partial(numbers, absorbed=Fraction(1, 5)),
        "the constant of lem:epoch_regret_bound in exact rationals",
    )
    return (_steps_check(variant, *THEOREM), constant)


def kappa_checks(variant: str = "best") -> tuple[Check, ...]:
    """lem:finite_error: the steps for any certified kappa, and the certificate."""
    certified = Check(
        "best-kappa",
        variant,
        kappa,
        partial(kappa, value=Fraction("0.4638")),
        "kappa of the finite class by interval arithmetic",
    )
    return (_steps_check(variant, *FINITE_ERROR), certified)


def corollary_checks(variant: str = "best") -> tuple[Check, ...]:
    """col:finite from the theorem and lem:finite_error: the steps, the constant, kappa."""
    steps = _steps_check(variant, *THEOREM, *COROLLARY, *FINITE_ERROR)
    return (steps, theorem_checks(variant)[1], kappa_checks(variant)[1])


def _steps_check(variant: str, *chains: str) -> Check:
    """As every proof check, but what is composed by hand counts."""
    return dataclasses.replace(
        proof_evidence.proof_check(variant, *chains), run=partial(composed, chains=chains)
    )


def by_hand(chains: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Chain -> its hypotheses that are put together by hand, for these chains and all whose lemmas they use."""
    known = proof_evidence.known_chains()
    found = {
        name: tuple(h.name for h in known[name].hypotheses if h.kind == "composition")
        for name in (*chains, *proof_evidence.imported(chains))
    }
    return {name: names for name, names in found.items() if names}


def composed(task: Task, chains: tuple[str, ...]) -> Evidence:
    """Every step of the chains; proved only if nothing is put together by hand, otherwise certified."""
    found, hand = proof_evidence.proof(task, chains), by_hand(chains)
    intervals = bool(
        set(chains) & set(FINITE_ERROR)
    )  # their hypothesis `certificate` is an interval certificate
    if found.kind is not Verdict.PROVED or not (hand or intervals):
        return found
    summary = found.summary + ("; kappa by intervals" if intervals else "")
    if hand:
        named = "; ".join(f"{name} ({', '.join(names)})" for name, names in hand.items())
        summary += f"; joints read, not checked: {named}"
    figures = {**found.figures, "composition_by_hand": {name: list(names) for name, names in hand.items()}}
    return Evidence(Verdict.CERTIFIED, summary, figures)


def proof_steps(task: Task, deleted: str | None = None) -> Evidence:
    """Every chain of the proof; the control deletes a side condition, which a step must answer with a model."""
    if deleted is None:
        return composed(task, CHAINS)
    from bounds.proofs import Outcome, without
    from bounds.proofs.engine.chain import check_step

    for chain in (c for c in proof_evidence.known_chains().values() if c.name in CHAINS):
        users = {step.name for step in chain.steps if deleted in step.assumes}
        fewer = without(chain, deleted) if users else chain
        for step in (s for s in fewer.steps if s.name in users):
            found = check_step(step, fewer)
            if found.outcome is Outcome.REFUTED:
                summary = f"without {deleted}: {chain.name}, {step.name} is false"
                return Evidence(Verdict.REFUTED, summary, {"model": dict(found.model)})
    return Evidence(Verdict.INCONCLUSIVE, f"no step noticed that {deleted} was deleted")


def numbers(task: Task, absorbed: Fraction | None = None) -> Evidence:
    """The side conditions at every parameter set, and the constants they give for many arms."""
    sets = {"any schedule": ANY_SCHEDULE, "tuned": TUNED, "doubling": DOUBLING}
    if absorbed is not None:
        sets = {"changed": dataclasses.replace(ANY_SCHEDULE, absorbed=absorbed)}
    figures: dict[str, Any] = {}
    for name, parameters in sets.items():
        broken = violated(parameters)
        if broken:
            slack = side_conditions(parameters)[broken[0]]
            return Evidence(
                Verdict.REFUTED, f"{broken[0]} fails by {float(-slack):.4g}", {"violated": broken}
            )
        found = derive(parameters)
        figures[name] = {
            "a": float(found.a),
            "b": float(found.b),
            "C/g": math.sqrt(4 * (1 + found.a) * found.b),
        }
    values = ", ".join(f"{figures[name]['C/g']:.4f} ({name})" for name in figures)
    return Evidence(Verdict.CERTIFIED, f"E1-E12 hold in exact rationals; C/g = {values}", figures)


def runs(task: Task, absorbed: Fraction | None = None) -> Evidence:
    """Build the proof on random runs in exact arithmetic; a negative slack names the broken step."""
    random = Random(int(task.rng().integers(2**32)))
    parameters = ANY_SCHEDULE if absorbed is None else dataclasses.replace(ANY_SCHEDULE, absorbed=absorbed)
    count, worst = (5000 if task.full else 150), Fraction(0)
    for i in range(count):
        p = DOUBLING if absorbed is None and i % 2 else parameters
        run = random_run(random, random.choice((2, 3, 4, 6)), random.choice((3, 4, 6)), p.ratio)
        broken = replay(run, p).broken
        if broken or (len(run.truth) == 2 and two_arms_slack(run) < 0):
            return Evidence(
                Verdict.REFUTED,
                f"{broken or 'two arms'} fails on a run",
                {"run": str(dataclasses.asdict(run))},
            )
        worst = max(worst, tightness(run, p))
    return Evidence(
        Verdict.EXACT,
        f"every inequality of the proof holds on {count} exact runs, claim at most {float(worst):.3f} of its bound",
        {"runs": count, "worst_ratio": float(worst)},
    )


def adversary(task: Task, shrink: Fraction = Fraction(1)) -> Evidence:
    """Climb towards equality and judge the rounded run exactly."""
    seed = int(task.rng().integers(2**32))
    effort = 6000 if task.full else 800
    found = [climb(ANY_SCHEDULE, Random(seed), K, L, effort, shrink) for K, L in ((2, 3), (3, 4), (5, 5))]
    worst = max(found, key=lambda c: c.tightness)
    figures = {"worst_ratio": float(worst.tightness), "run": str(dataclasses.asdict(worst.run))}
    if worst.tightness > 1:
        return Evidence(Verdict.REFUTED, f"a run reaches {float(worst.tightness):.4f} of the bound", figures)
    return Evidence(
        Verdict.EXACT, f"the tightest climbed run reaches {float(worst.tightness):.4f} of the bound", figures
    )


def barrier_instance(task: Task, shrink: Fraction = Fraction(1)) -> Evidence:
    """How close the worst known instance comes to the constant, with the true kernel and K = 10^6 arms."""
    arms, figures = 10**6, {}
    for name, saved in barrier.saved_barriers().items():
        proved = best(arms, doubling=name == "doubling")
        found = barrier.evaluate(saved, arms)
        figures[name] = {
            "measured": float(found.over_g),
            "bound": float(proved.over(saved.multiplier) * shrink),
        }
        if barrier.refutes(saved, arms, proved.arms * shrink, proved.risk * shrink):
            return Evidence(
                Verdict.REFUTED, f"{name}: C/g >= {float(found.over_g):.4f} on an exact instance", figures
            )
        if found.worst_risk > 1:
            return Evidence(
                Verdict.INCONCLUSIVE, f"{name}: the saved instance exceeds its excess risk", figures
            )
    shown = "; ".join(f"{k}: {v['measured']:.4f} of {v['bound']:.4f}" for k, v in figures.items())
    return Evidence(Verdict.EXACT, f"C/g of the worst known instance, K = 10^6: {shown}", figures)


def kappa(task: Task, value: Fraction = KAPPA) -> Evidence:
    """E e^{-th l} <= 1 - kappa D^2 by intervals; control: value=Fraction("0.4638")."""
    from bounds.constants.kappa import certify_kappa

    found = certify_kappa(value, KAPPA_EXPONENT)
    figures = {"kappa": float(value), "exponent": float(KAPPA_EXPONENT), "intervals": found.intervals}
    if found.proved:
        return Evidence(Verdict.CERTIFIED, f"kappa >= {float(value)} by {found.intervals} intervals", figures)
    if found.witness is None:
        return Evidence(Verdict.INCONCLUSIVE, "no certificate within the budget", figures)
    return Evidence(
        Verdict.REFUTED,
        f"fails at D = {float(found.witness):.5f}, Bernoulli(1 - D)",
        {**figures, "D": float(found.witness)},
    )
