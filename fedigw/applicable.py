"""Which regret bounds hold for a federation: computed from all of its parts, never declared by one of them.

H2 is the plan, H3 the protocol's guarantee, H4 and H5 the learning rates, and the policy must be inverse gap weighting.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise

from bounds import own_relaxed_rates, thm_global_regret
from bounds.schedules import uncut_asynchrony
from fedigw.federation import Federation
from fedigw.ledger import Traffic
from fedigw.policies.igw import InverseGapWeighting
from fedigw.rates import TheoremRates


@dataclass(frozen=True)
class Applicable:
    """values: variant -> bound on the expected regret. claim: the statement behind them. missing: why there is none.
    trivial: variant -> what is known without learning, every epoch at its cap; a bound not below it is vacuous.
    rests_on: further statements, (claim, variant), that the values rest on. remarks: what to know of them."""

    values: dict[str, float]
    claim: str | None
    missing: tuple[str, ...]
    trivial: dict[str, float] = field(default_factory=dict)
    rests_on: tuple[tuple[str, str], ...] = ()
    remarks: tuple[str, ...] = ()

    def vacuous(self, variant: str) -> bool:
        return self.values[variant] >= self.trivial[variant]


def applicable(federation: Federation) -> Applicable:
    """A bound holds for its own learning rates: printed and repaired for gamma = sqrt(Kbar/e), the others each for its
    own g; for any other rates that do not decrease the sharpened theorem gives C(g) S^l/gamma^l."""
    promised = federation.guarantee()
    if promised is None:
        return Applicable({}, None, (f"protocol {federation.protocol.name} has no guarantee (H3)",))
    missing = [*promised.missing, *federation.link.missing]
    if not isinstance(federation.policy, InverseGapWeighting):
        missing.append(f"policy {federation.policy.name}: the theorem is about inverse gap weighting")
    if federation.plan.cumulative:
        missing += _missing_for_all_data(federation)
    elif federation.plan.lag != 1:
        missing.append("the theorem is about epochs that use what the epoch before has taught")
    rates = [float(rate) for rate in federation.learning_rates()]
    falls = any(after < before for before, after in pairwise(rates[1:]))
    if falls and not (
        all(rates) and own_relaxed_rates.fall(rates) < own_relaxed_rates.largest(federation.plan)
    ):
        missing.append("learning rates decrease by a factor of 4c or more (H5)")
    by_rule = isinstance(federation.rates, TheoremRates)
    if not by_rule and not all(rates):
        missing.append("a learning rate is 0 (H4)")
    if missing:
        return Applicable({}, promised.claim, tuple(missing))
    plan, arms = federation.plan, federation.arms
    if falls:
        relaxed = own_relaxed_rates.epoch_terms(plan, arms, rates, federation.risks("sharpened"))
        behind = (*promised.rests_on, ("own:relaxed_rates", "relaxed"))
        values, said = {"sharpened": sum(relaxed)}, (own_relaxed_rates.words(rates),)
        return Applicable(values, promised.claim, (), _trivial(federation, values), behind, said)
    if plan.cumulative:
        terms = thm_global_regret.epoch_terms("sharpened", plan, arms, federation.risks("sharpened"))
        values, behind = {"sharpened": sum(terms)}, (*promised.rests_on, ("app:cumulative", "finite"))
        said = ("calls learn from all data so far: the bound is that of app:cumulative",)
        return Applicable(values, promised.claim, (), _trivial(federation, values), behind, said)
    if isinstance(federation.rates, TheoremRates):
        values = {
            variant: sum(thm_global_regret.epoch_terms(variant, plan, arms, federation.risks(variant)))
            for variant in promised.variants[federation.rates.variant]
        }
        return Applicable(values, promised.claim, (), _trivial(federation, values), promised.rests_on)
    terms = thm_global_regret.regret_given_learning_rates(plan, arms, rates, federation.risks("sharpened"))
    values = {"sharpened": sum(terms)}
    return Applicable(values, promised.claim, (), _trivial(federation, values), promised.rests_on)


def _missing_for_all_data(federation: Federation) -> list[str]:
    """What app:cumulative asks for beyond the theorem: it is about a finite class, agents in step, sharpened rates."""
    plan, found = federation.plan, []
    if plan.lag != 1:
        found.append("no bound is known for playing while a stream of all data is learned from")
    if federation.kind != "finite_class":
        found.append("learning from all data: proved for a finite class alone (app:cumulative)")
    if uncut_asynchrony(plan) != 1 or len(set(federation.arms)) > 1:
        found.append(
            "learning from all data: proved for agents in step with equally many arms (app:cumulative)"
        )
    if getattr(federation.rates, "variant", None) != "sharpened":
        found.append("learning from all data: proved for the sharpened learning rates (app:cumulative)")
    return found


def _trivial(federation: Federation, variants: Iterable[str]) -> dict[str, float]:
    plan, arms = federation.plan, federation.arms
    return {variant: thm_global_regret.trivial(variant, plan, arms) for variant in variants}


def declared_cost(federation: Federation) -> tuple[Traffic, ...] | None:
    """What its protocol declares to send at most, epoch by epoch; None where nothing is declared about this link."""
    promised = federation.guarantee()
    if promised is None or federation.link.missing:
        return None
    plan = federation.plan
    return tuple(
        promised.cost(sum(full)) if plan.learns(epoch) else Traffic() for epoch, full in enumerate(plan.full)
    )


def applicable_bounds(federation: Federation) -> dict[str, float]:
    """Variant -> bound on the expected regret; empty where a hypothesis fails."""
    return applicable(federation).values


def largest_regret(federation: Federation) -> float:
    """The most that a run can lose in expectation given its models: what is known without any bound."""
    if hasattr(federation.world, "largest_epoch_regret"):
        return float(sum(largest_epoch_regret(federation)))
    rows = federation.plan.played
    return float(sum(loss for played in rows for loss in federation.world.largest_losses(played)))


def regret_range(federation: Federation) -> tuple[float, float]:
    """The least and the most that a run can lose in expectation given its models, epoch by epoch: the support of a bet
    on its mean. A world that says nothing of its epochs can lose from 0 to "every step the worst arm"."""
    if hasattr(federation.world, "epoch_regret_range"):
        epochs = federation.world.epoch_regret_range(federation)
        return float(sum(least for least, _ in epochs)), float(sum(most for _, most in epochs))
    return 0.0, largest_regret(federation)


def largest_epoch_regret(federation: Federation) -> list[float]:
    """Per epoch; a world that knows which models can be in use says more than "every step the worst arm"."""
    world = federation.world
    if hasattr(world, "largest_epoch_regret"):
        return list(world.largest_epoch_regret(federation))
    return [float(sum(world.largest_losses(played))) for played in federation.plan.played]
