"""Bound the regret of FedIGW with any FL routine of known excess risk, any epoch lengths and any numbers of arms
(thm:global_regret).

    E^l_m, K_m   length of epoch l for agent m, and number of arms of agent m
    W^l, S^l     sum over the agents m of E^l_m, and of E^l_m K_m; Kbar^l = S^l/W^l is the mean number of arms
    e_{l-1}      excess risk of the model learned in epoch l-1
    c_l          largest growth E^l_m/E^{l-1}_m of an agent, divided by the smallest
    g, C         the learning rate is gamma^l = g sqrt(Kbar^{l-1}/e_{l-1}); the regret of one epoch is at most C
                 S^l/gamma^l

The bound, in four variants:

    printed     W^1 + 11 c^{5/2} sum_{l>=2} sqrt(Kbar^l e_{l-1}) W^l, with c as the paper defines it
    repaired    W^1 + 11 c^2 sum_{l>=2} S^l sqrt(e_{l-1}/Kbar^{l-1}), with c = max_l c_l
    sharpened   sum_m (1-1/K_m) E^1_m + sum_{l>=2} min(W^l, (C/g) S^l sqrt(e_{l-1}/Kbar^{l-1}))
    best        the same with the smallest proved C/g, for agents whose epochs grow alike. An epoch that the horizon
                cuts unequally has the C/g of its own c_l, or the bound of the whole epoch if that is less
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise

from bounds import lem_epoch_regret_bound, variants
from bounds.arithmetic import Value, is_symbolic, sqrt
from bounds.epoch_charges import mean_arms
from bounds.epoch_sum import EpochSum
from bounds.errors import InputError
from bounds.schedules import EpochPlan, asynchrony, epoch_weights, uncut_asynchrony
from bounds.theorem import Applied, Case, DoublingTheorem, Risk, Setting, Theorem

VARIANTS = tuple(name for name, row in variants.VARIANTS.items() if not row.in_step)  # for any c

INFINITE_RATE = "is infinite for a class of one function"
HYPOTHESES = (
    "H1 rewards in [0,1], realizability",
    "H2 epoch lengths independent of the data, at least 1",
    "H3 e_{l-1} known with E[Err^{l-1}] <= W^{l-1} e_{l-1}, for every sampling kernel",
    "H4 gamma^l = g sqrt(Kbar^{l-1}/e_{l-1}) for l >= 2",
    "H5 gamma^{l-1} <= gamma^l for l >= 3",
)


def multiplier_squared(variant: str, plan: EpochPlan, arms: Sequence[int], risks: Sequence[float]) -> float:
    """Return g^2 in the policy's learning rate g sqrt(mean number of arms/excess risk), as the variant prescribes it
    from the full epoch lengths in `plan`. risks[l]: the excess risk of the model learned in epoch l."""
    return variants.row(variant).learning_rate.multiplier_squared(plan, arms, risks)


def learning_rate(multiplier_squared: float, risk: float, mean: float) -> float:
    """Return the learning rate of inverse gap weighting, sqrt(multiplier_squared mean/risk). `mean`: the mean number
    of arms in the epoch before. `risk`: the excess risk of the model learned in it."""
    return float(sqrt(multiplier_squared * mean / risk))


def epoch_terms(variant: str, plan: EpochPlan, arms: Sequence[int], risks: Sequence[float]) -> list[float]:
    """Return the bound on the regret of each epoch; their sum bounds the regret. `plan`: epoch lengths of each agent.
    risks[l]: the excess risk of the model learned in epoch l. In the epoch that the horizon cuts, only the steps
    before the horizon count."""
    row = variants.row(variant)
    charge = row.charges(plan, arms, risks)
    terms = [first_epoch(variant, plan.played[0], arms)]
    for epoch in range(1, plan.epochs):
        term = charge(epoch)
        terms.append(min(float(sum(plan.played[epoch])), term) if row.capped else term)
    return terms


def trivial(variant: str, plan: EpochPlan, arms: Sequence[int]) -> float:
    """Return the regret bound known without learning: one per step of every agent with more than one arm. In the
    variants `sharpened` and `best` a step of epoch 1 counts 1 - 1/K for K arms, as play is uniform."""
    choosing = [m for m, k in enumerate(arms) if k > 1]
    row, played = variants.row(variant), [sum(steps[m] for m in choosing) for steps in plan.played]
    first = first_epoch(variant, plan.played[0], arms) if row.capped else float(played[0])
    return sum([first, *map(float, played[1:])])


def first_epoch(variant: str, played: Sequence[int], arms: Sequence[int]) -> float:
    """Return the bound on the regret of epoch 1, where play is uniform. played[m], arms[m]: steps and arms of agent m.
    The bound is one per step, or 1 - 1/K for K arms in the variants `sharpened` and `best`."""
    first_step = variants.row(variant).first_step
    return float(sum(e * first_step(float(k)) for e, k in zip(played, arms, strict=True)))


def explored_terms(plan: EpochPlan, arms: Sequence[int], lost: Callable[[int], float]) -> list[float]:
    """Return the bound on the regret of each epoch, at most one per step, given bounds on single steps. `lost(l)`:
    the bound on one step of the 0-based epoch l >= 1. Epoch 0 is uniform."""
    terms = [first_epoch("sharpened", plan.played[0], arms)]
    for epoch in range(1, plan.epochs):
        terms.append(min(float(sum(plan.played[epoch])), lost(epoch) * sum(epoch_weights(plan, epoch))))
    return terms


def regret_given_learning_rates(
    plan: EpochPlan,
    arms: Sequence[int],
    rates: Sequence[float],
    risks: Sequence[float],
    constant: Callable[[float, float, float], float] = lem_epoch_regret_bound.sharpened,
) -> list[float]:
    """Return the bound on the regret of each epoch, for learning rates of inverse gap weighting that follow no rule.

    An epoch counts C S/(learning rate), at most one per step: S is the sum over agents of steps times arms, and C =
    constant(c, q, g^2).

    c   how unequally the agents' epochs grow (1 if alike)
    q   1 - 1/K for the largest number K of arms
    g   the least number such that no rate exceeds g sqrt(mean number of arms/excess risk of the model in use)

    rates[l], risks[l]: the learning rate of the 0-based epoch l, and the excess risk of the model learned in it. The
    default constant is valid if rates never decrease (hypothesis H5).
    """
    g2 = max(
        (
            rates[epoch] ** 2 * risks[epoch - 1] / mean_arms(plan.full[epoch - 1], arms)
            for epoch in range(1, plan.epochs)
        ),
        default=1.0,
    )
    factor = float(constant(asynchrony(plan), 1 - 1 / max(arms), g2))
    terms = [first_epoch("sharpened", plan.played[0], arms)]
    for epoch in range(1, plan.epochs):
        weights = epoch_weights(plan, epoch)
        scale = sum(weights) * mean_arms(weights, arms) / rates[epoch]
        terms.append(min(float(sum(plan.played[epoch])), factor * scale))
    return terms


@dataclass(frozen=True)
class GeneralRegret(DoublingTheorem):
    """The regret theorem thm:global_regret. At given parameters it is for epochs that end at steps 2, 4, 8, ... and
    excess risk A/n; for a federation, for its own epoch lengths, learning rates and excess risks."""

    label: str = "thm:global_regret"
    policies: tuple[str, ...] = ("igw", "falcon")
    rules: tuple[str, ...] = ("printed", "sharpened", "best")
    hypotheses: tuple[str, ...] = HYPOTHESES
    required: tuple[str, ...] = ("M", "K", "T", "A")
    optional: Mapping[str, float] = field(default_factory=lambda: {"c": 1.0})

    def factor(self, case: Case) -> Value:
        arms = case["K"] if is_symbolic(case["K"]) else float(case["K"])
        return case.row.in_theorem(case.row.c.under_doubling * case["c"], arms)

    def risk(self, case: Case, n: int) -> float:
        return float(case["A"]) / n

    def coefficient(self, case: Case) -> Value:
        return case["A"]

    def regret(self, case: Case) -> EpochSum:
        in_step = float(case["c"]) == 1  # else g may depend on how agents differ
        M, K = int(case["M"]), int(case["K"])
        return case.row.epoch_sum(M, K, self.factor(case), partial(self.risk, case), None if in_step else 0.0)

    def regret_needs(self, case: Case) -> tuple[str, ...]:
        c = case.row.c.under_doubling * float(case["c"])
        return (*HYPOTHESES, *case.row.hypotheses(case.row, int(case["K"]), c))

    def rates(self, rule: str, plan: EpochPlan, arms: Sequence[int], risk: Risk) -> list[float]:
        if variants.row(rule).in_step:
            refuse_out_of_step(rule, plan, arms)
        if plan.lag != 1:  # interleaved runs have each its own g
            own = [self.rates(rule, run, arms, risk) for run in plan.runs]
            return [own[epoch % plan.lag][epoch // plan.lag] for epoch in range(plan.epochs)]
        risks = [risk(rule, plan.taught(epoch)) for epoch in range(plan.epochs)]
        g2, found = multiplier_squared(rule, plan, arms, risks), [1.0]
        for segment in plan.segments[1:]:
            if segment.uses is None:
                found.append(1.0)
                continue
            if risks[segment.uses] == 0:
                raise InputError("learning_rate", rule, f"{INFINITE_RATE}; give a list")
            found.append(learning_rate(g2, risks[segment.uses], mean_arms(plan.full[segment.uses], arms)))
        return found

    def missing(self, setting: Setting) -> tuple[str, ...]:
        return (*common(setting), *(["learning rates decrease (H5)"] if falls(setting) else []))

    def applied(self, setting: Setting) -> Applied:
        """Return the regret bounds that hold for the federation's learning rates. If the rates follow the rule of a
        variant, these are the bounds of all variants with this rule, else that of `regret_given_learning_rates`."""
        plan, arms = setting.counted
        if setting.rule is None:
            assert setting.rates is not None
            own = regret_given_learning_rates(plan, arms, setting.rates, setting.risks("sharpened"))
            terms = {"sharpened": own}
        else:
            terms = {
                name: epoch_terms(name, plan, arms, setting.risks(name))
                for name in setting.bounds[setting.rule]
            }
        return apply(self, setting, terms)


def refuse_out_of_step(rule: str, plan: EpochPlan, arms: Sequence[int]) -> None:
    if (c := max(uncut_asynchrony(run) for run in plan.runs)) != 1:
        raise InputError("learning_rate", rule, f"is for agents in step, c = 1; here c = {c:.6g}")
    if 1 in arms:
        single = f"agents[{list(arms).index(1)}] has 1"
        raise InputError("learning_rate", rule, f"is for agents with at least two arms each; {single}")


def common(setting: Setting) -> tuple[str, ...]:
    """Return, in words, the hypotheses of all theorems about fixed learning rates that the federation lacks."""
    found = list(setting.unmet)
    if not setting.theorem:
        found.append(f"policy {setting.policy}: the theorem is about inverse gap weighting")
    if setting.rates is None:
        found.append(
            "learning rates from the data: the bound is that of each run, with probability 1 - delta"
        )
        return tuple(found)
    if setting.plan.floor > 1:
        found.append("epochs below the floor teach nothing: the theorem is about a call after every epoch")
    if setting.rule is None and not all(setting.rates):
        found.append("a learning rate is 0 (H4)")
    return tuple(found)


def falls(setting: Setting) -> bool:
    """Return whether the policy's learning rates decrease somewhere. If odd and even epochs are separate runs, each
    run is looked at separately."""
    lag, rates = setting.plan.lag, setting.rates or ()
    return any(after < before for start in range(lag) for before, after in pairwise(rates[start::lag][1:]))


def apply(
    theorem: Theorem,
    setting: Setting,
    terms: Mapping[str, Sequence[float]],
    more: tuple[tuple[str, str], ...] = (),
    remarks: tuple[str, ...] = (),
    known: Mapping[str, str] | None = None,
) -> Applied:
    """Return the theorem's conclusions for a federation. `terms`: variant -> the bound of each epoch. `more`:
    statements behind these bounds, besides those of the excess risk. `remarks`: notes on them. `known`: for a variant
    that is not in bounds/variants.py, the variant there that has the same trivial bound."""
    plan, arms = setting.counted
    rows = known or {name: name for name in terms}
    values = {name: sum(found) for name, found in terms.items()}
    without = {name: sum(trivial(row, run, arms) for run in plan.runs) for name, row in rows.items()}
    behind = (*setting.rests_on, *more)
    risks = {name: (setting.risk_claim or setting.claim, row) for name, row in rows.items()}
    return Applied(values, setting.claim, (), without, behind, theorem.label, remarks, risks, terms)


THEOREM = GeneralRegret()
