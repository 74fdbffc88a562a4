"""Which regret bounds hold for a federation: computed from all of its parts, never declared by one of them.

H2 is the plan, H3 the protocol's guarantee, H4 and H5 the learning rates, and the policy must be inverse gap weighting
(or epsilon-greedy with the shares of its own theorem). Interleaved runs are charged one by one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import pairwise

from bounds.schedules import EpochPlan, uncut_asynchrony
from bounds.theorems import (
    app_epsilon_greedy,
    app_interleaved,
    own_lower_bound,
    own_relaxed_rates,
    thm_global_regret,
)
from fedigw.adapting import adapts, rates_sent
from fedigw.federation import Federation
from fedigw.interfaces import Guarantee
from fedigw.ledger import Traffic
from fedigw.policies.igw import InverseGapWeighting
from fedigw.policies.tuned_epsilon_greedy import TunedEpsilonGreedy
from fedigw.rates import TheoremRates

THEOREM = "thm:global_regret"


@dataclass(frozen=True)
class Applicable:
    """values: variant -> bound on the expected regret. claim: the statement behind them. missing: why there is none.
    trivial: variant -> what is known without learning, every epoch at its cap; a bound not below it is vacuous.
    rests_on: further statements, (claim, variant), that the values rest on. theorem: what makes a bound on the regret
    of an excess risk. remarks: what to know of the values."""

    values: dict[str, float]
    claim: str | None
    missing: tuple[str, ...]
    trivial: dict[str, float] = field(default_factory=dict)
    rests_on: tuple[tuple[str, str], ...] = ()
    theorem: str = THEOREM
    remarks: tuple[str, ...] = ()

    def vacuous(self, variant: str) -> bool:
        return self.values[variant] >= self.trivial[variant]


def applicable(federation: Federation) -> Applicable:
    """A bound holds for its own learning rates: printed and repaired for gamma = sqrt(Kbar/e), the others each for its
    own g; for any other rates that do not decrease the sharpened theorem gives C(g) S^l/gamma^l."""
    promised = federation.guarantee()
    if promised is None:
        none = (f"protocol {federation.protocol.name} has no guarantee (H3)",)
        return Applicable({}, None, (*none, *breakdown(federation)))
    missing = [*promised.missing, *federation.link.unmet(promised.robust), *breakdown(federation)]
    epsilon = isinstance(federation.policy, TunedEpsilonGreedy)
    if not epsilon and not isinstance(federation.policy, InverseGapWeighting):
        missing.append(f"policy {federation.policy.name}: the theorem is about inverse gap weighting")
    if adapts(federation):
        missing.append(
            "learning rates from the data: the bound is that of each run, with probability 1 - delta"
        )
        return Applicable({}, promised.claim, tuple(missing))
    plan, arms = federation.plan, federation.arms
    if epsilon and plan.lag != 1:
        missing.append("epsilon-greedy has no theorem for interleaved epochs")
    if plan.cumulative:
        missing += _missing_for_all_data(federation, promised)
    if plan.floor > 1:
        missing.append("epochs below the floor teach nothing: the theorem is about a call after every epoch")
    rates = [float(rate) for rate in federation.learning_rates()]
    falls = not epsilon and any(
        after < before
        for start in range(plan.lag)
        for before, after in pairwise(rates[start :: plan.lag][1:])
    )
    if falls and plan.lag != 1:
        missing.append("learning rates decrease (H5)")
    elif falls and not (all(rates) and own_relaxed_rates.fall(rates) < own_relaxed_rates.largest(plan)):
        missing.append("learning rates decrease by a factor of 4c or more (H5)")
    by_rule = isinstance(federation.rates, TheoremRates)
    if not by_rule and not all(rates):
        missing.append("a learning rate is 0 (H4)")
    if missing:
        return Applicable({}, promised.claim, tuple(missing))
    plan, arms = counted(federation)
    if epsilon:
        shares = [1.0, *(min(1.0, rate) for rate in rates[1:])]
        terms = app_epsilon_greedy.epoch_terms(plan, arms, shares, federation.risks("sharpened"))
        known = {"tuned": thm_global_regret.trivial("sharpened", plan, arms)}
        rest = promised.rests_on
        return Applicable({"tuned": sum(terms)}, promised.claim, (), known, rest, "app:epsilon_greedy")
    theorem = THEOREM if plan.lag == 1 else "app:interleaved"
    trivial = _trivial(federation, ("sharpened",))
    if falls:
        relaxed = own_relaxed_rates.epoch_terms(plan, arms, rates, federation.risks("sharpened"))
        behind = (*promised.rests_on, ("own:relaxed_rates", "relaxed"))
        said = (own_relaxed_rates.words(rates),)
        return Applicable({"sharpened": sum(relaxed)}, promised.claim, (), trivial, behind, remarks=said)
    if plan.cumulative:
        terms = thm_global_regret.epoch_terms("sharpened", plan, arms, federation.risks("sharpened"))
        behind = (*promised.rests_on, *promised.on_all_data)
        said = (f"calls learn from all data so far: the bound is that of {promised.on_all_data[-1][0]}",)
        return Applicable({"sharpened": sum(terms)}, promised.claim, (), trivial, behind, remarks=said)
    if isinstance(federation.rates, TheoremRates):
        values = {
            variant: sum(app_interleaved.terms(variant, plan, arms, federation.risks(variant)))
            for variant in promised.variants[federation.rates.variant]
        }
        return Applicable(
            values, promised.claim, (), _trivial(federation, values), promised.rests_on, theorem
        )
    risks, total = federation.risks("sharpened"), 0.0
    for start, one in enumerate(plan.runs):
        own = slice(start, None, plan.lag)
        total += sum(thm_global_regret.regret_given_learning_rates(one, arms, rates[own], risks[own]))
    values = {"sharpened": total}
    return Applicable(values, promised.claim, (), _trivial(federation, values), promised.rests_on, theorem)


def breakdown(federation: Federation) -> tuple[str, ...]:
    """That half of the agents or more lie, which no aggregator survives."""
    agents, liars = len(federation.arms), len(federation.link.liars)
    if 2 * liars < agents:
        return ()
    return (f"{liars} of {agents} agents lie: from one half on no rule has any guarantee (app:breakdown)",)


def counted(federation: Federation) -> tuple[EpochPlan, tuple[int, ...]]:
    """The plan and the arms of the agents whose regret is counted: the honest ones."""
    plan, honest = federation.plan, federation.honest
    if len(honest) == len(federation.arms):
        return plan, federation.arms
    full, played = (tuple(tuple(row[m] for m in honest) for row in rows) for rows in (plan.full, plan.played))
    return replace(plan, full=full, played=played), tuple(federation.arms[m] for m in honest)


def _missing_for_all_data(federation: Federation, promised: Guarantee) -> list[str]:
    """What app:cumulative asks for beyond the theorem: a risk that is proved for such data, agents in step, sharpened
    rates."""
    plan, found = federation.plan, []
    if plan.lag != 1:
        found.append("no bound is known for playing while a stream of all data is learned from")
    if not promised.on_all_data:
        found.append(
            "learning from all data: proved for a finite class (app:cumulative) and for posterior means"
            f" (app:posterior_mean), not for protocol {federation.protocol.name}"
        )
    if uncut_asynchrony(plan) != 1 or len(set(federation.arms)) > 1:
        found.append(
            "learning from all data: proved for agents in step with equally many arms (app:cumulative)"
        )
    if federation.rates != TheoremRates("sharpened"):
        found.append("learning from all data: proved for the sharpened learning rates (app:cumulative)")
    return found


def known_without_learning(federation: Federation) -> float:
    """Epoch 1 played uniformly, and every further step the worst: a bound that is not below it says nothing."""
    return _trivial(federation, ("sharpened",))["sharpened"]


def _trivial(federation: Federation, variants: Iterable[str]) -> dict[str, float]:
    plan, arms = counted(federation)
    return {variant: app_interleaved.trivial(variant, plan, arms) for variant in variants}


def declared_cost(federation: Federation) -> tuple[Traffic, ...] | None:
    """What its protocol declares to send at most, epoch by epoch; None where nothing is declared about this link."""
    promised = federation.guarantee()
    if promised is None or federation.link.unmet(promised.robust):
        return None
    plan, more = federation.plan, rates_sent(federation) if adapts(federation) else Traffic()
    return tuple(
        promised.cost(sum(full)) + more if plan.learns(epoch) else Traffic()
        for epoch, full in enumerate(plan.full)
    )


def lower_bound(federation: Federation) -> float | None:
    """own:lower_bound for this very federation: gap 1, inverse gap weighting, estimates in [0,1]; else None."""
    if not federation.world.gap_one or federation.policy != InverseGapWeighting():
        return None
    if adapts(federation):  # the theorem fixes the rates beforehand
        return None
    plan = federation.plan
    rates = [
        float(rate) if segment.uses is not None else 0.0
        for rate, segment in zip(federation.learning_rates(), plan.segments, strict=True)
    ]
    return float(own_lower_bound.regret(plan.played, federation.arms, rates))


def applicable_bounds(federation: Federation) -> dict[str, float]:
    """Variant -> bound on the expected regret; empty where a hypothesis fails."""
    return applicable(federation).values


def largest_regret(federation: Federation) -> float:
    """The most that a run's honest agents can lose in expectation given its models: what is known without any bound."""
    return float(sum(largest_epoch_regret(federation)))


def regret_range(federation: Federation) -> tuple[float, float]:
    """The least and the most that a run can lose in expectation given its models, epoch by epoch: the support of a bet
    on its mean. A world that says nothing of its epochs can lose from 0 to "every step the worst arm"."""
    known = not federation.link.liars and not adapts(federation)
    epochs = federation.world.epoch_regret_range(federation) if known else None
    if epochs is not None:
        return float(sum(least for least, _ in epochs)), float(sum(most for _, most in epochs))
    return 0.0, largest_regret(federation)


def largest_epoch_regret(federation: Federation) -> list[float]:
    """Per epoch; a world that knows which models can be in use says more than "every step the worst arm"."""
    world, honest = federation.world, federation.honest
    known = not federation.link.liars and not adapts(federation)
    largest = world.largest_epoch_regret(federation) if known else None
    if largest is not None:
        return largest
    losses = (world.largest_losses(played) for played in federation.plan.played)
    return [float(sum(lost[m] for m in honest)) for lost in losses]
