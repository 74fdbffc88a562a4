"""Which regret bounds hold for a federation: computed from all of its parts, never declared by one of them.

H2 is the plan, H3 the protocol's guarantee, H4 and H5 the learning rates, and the policy must be inverse gap weighting.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise

from bounds import thm_global_regret
from fedigw.federation import Federation
from fedigw.ledger import Traffic
from fedigw.policies.igw import InverseGapWeighting
from fedigw.rates import TheoremRates


@dataclass(frozen=True)
class Applicable:
    """values: variant -> bound on the expected regret. claim: the statement behind them. missing: why there is none.
    trivial: variant -> what is known without learning, every epoch at its cap; a bound not below it is vacuous."""

    values: dict[str, float]
    claim: str | None
    missing: tuple[str, ...]
    trivial: dict[str, float] = field(default_factory=dict)

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
    if federation.plan.lag != 1 or federation.plan.floor > 1:
        missing.append("the theorem is about epochs that use what the epoch before has taught")
    rates = [float(rate) for rate in federation.learning_rates()]
    if any(after < before for before, after in pairwise(rates[1:])):
        missing.append("learning rates decrease (H5)")
    by_rule = isinstance(federation.rates, TheoremRates)
    if not by_rule and not all(rates):
        missing.append("a learning rate is 0 (H4)")
    if missing:
        return Applicable({}, promised.claim, tuple(missing))
    plan, arms = federation.plan, federation.arms
    if isinstance(federation.rates, TheoremRates):
        values = {
            variant: sum(thm_global_regret.epoch_terms(variant, plan, arms, federation.risks(variant)))
            for variant in promised.variants[federation.rates.variant]
        }
        return Applicable(values, promised.claim, (), _trivial(federation, values))
    terms = thm_global_regret.regret_given_learning_rates(plan, arms, rates, federation.risks("sharpened"))
    values = {"sharpened": sum(terms)}
    return Applicable(values, promised.claim, (), _trivial(federation, values))


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
    on its mean. A world that does not know which models can be in use says 0 and "every step the worst arm"."""
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
