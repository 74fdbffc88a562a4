"""Which theorem a federation meets, and what is known of its regret and its messages: computed from all of its parts.

H2 is the plan, H3 the protocol's guarantee, H4 and H5 the learning rates; the policy names the theorem. Each theorem of
bounds/theorems says by itself which of its hypotheses are missing.
"""

from bounds import own_lower_bound, theorems
from bounds.schedules import EpochPlan
from bounds.theorem import Applied, Setting, Theorem
from bounds.theorems import thm_global_regret
from fedigw.adapting import adapts, closing, rates_sent
from fedigw.federation import Federation
from fedigw.interfaces import Guarantee, Policy, Rates
from fedigw.ledger import Traffic
from fedigw.policies.igw import InverseGapWeighting


def applicable(federation: Federation) -> Applied:
    """Return the bounds on the expected regret, or which hypotheses are missing."""
    promised = federation.guarantee()
    if promised is None:
        none = (f"protocol {federation.protocol.name} has no guarantee (H3)",)
        return Applied({}, None, (*none, *breakdown(federation)))
    return theorems.applicable(setting_of(federation, promised))


def setting_of(federation: Federation, promised: Guarantee, rates: Rates | None = None) -> Setting:
    """Return what a theorem may ask of the federation, whose protocol promises this; rates: others than its own, in
    floats."""
    chosen, rational = rates or federation.rates, federation.rational and rates is None
    found = () if adapts(federation) else chosen.of(federation.plan, federation.arms, promised, rational)
    return Setting(
        plan=federation.plan,
        arms=federation.arms,
        honest=federation.honest,
        policy=federation.policy.name,
        theorem=theorem_of(federation.policy),
        share=federation.policy.fixed_share,
        temperature=federation.policy.fixed_temperature,
        unit_scores=federation.model.unit_scores,
        risk_claim=promised.risk_claim,
        protocol=federation.protocol.name,
        rates=tuple(map(float, found)) or None,
        rule=chosen.rule,
        risk=promised.risk,
        claim=promised.claim,
        bounds=promised.variants,
        unmet=(*promised.missing, *federation.link.unmet(promised.robust), *breakdown(federation)),
        rests_on=(*promised.rests_on, *federation.world.rests_on),
        on_all_data=promised.on_all_data,
    )


def theorem_of(policy: Policy) -> Theorem | str:
    """Return the theorem that the policy's own class declares: one that it inherits is about another rule."""
    found: Theorem | str = vars(type(policy)).get("theorem", "")
    return found


def breakdown(federation: Federation) -> tuple[str, ...]:
    """That half of the agents or more lie, which no aggregator survives."""
    agents, liars = len(federation.arms), len(federation.link.liars)
    if 2 * liars < agents:
        return ()
    return (f"{liars} of {agents} agents lie: from one half on no rule has any guarantee (app:breakdown)",)


def counted(federation: Federation) -> tuple[EpochPlan, tuple[int, ...]]:
    """Return the plan and the arms of the agents whose regret is counted: the honest ones."""
    honest = federation.honest
    return federation.plan.of(honest), tuple(federation.arms[m] for m in honest)


def known_without_learning(federation: Federation) -> float:
    """Epoch 1 played uniformly, and every further step the worst: a bound that is not below it says nothing."""
    plan, arms = counted(federation)
    return sum(thm_global_regret.trivial("sharpened", run, arms) for run in plan.runs)


def declared_cost(federation: Federation) -> tuple[Traffic, ...] | None:
    """What its protocol declares to send at most, epoch by epoch; None where nothing is declared about this link."""
    promised = federation.guarantee()
    undeclared = federation.stop is not None and federation.protocol.guarantee(federation.setting) is None
    if promised is None or federation.link.unmet(promised.robust) or undeclared:
        return None
    plan, more = federation.plan, rates_sent(federation) if adapts(federation) else Traffic()
    calls = [
        promised.cost(plan.taught(epoch)) + more if plan.learns(epoch) else Traffic()
        for epoch in range(plan.epochs)
    ]
    return (*calls[:-1], calls[-1] + closing(federation))


def lower_bound(federation: Federation) -> float | None:
    """Return own:lower_bound for the agents whose regret is counted, where it applies: gap 1, inverse gap weighting,
    estimates in [0,1], rates fixed beforehand; else None."""
    if not federation.world.gap_one or federation.policy != InverseGapWeighting():
        return None
    if adapts(federation):  # the theorem fixes the rates beforehand
        return None
    return lower_bounds(federation)[-1]


def lower_bounds(federation: Federation) -> list[float]:
    """Return own:lower_bound after every epoch, where it applies."""
    plan, arms = counted(federation)
    rates = [
        float(rate) if segment.uses is not None else 0.0
        for rate, segment in zip(federation.learning_rates(), federation.plan.segments, strict=True)
    ]
    ends = range(1, plan.epochs + 1)
    return [float(own_lower_bound.regret(plan.played[:end], arms, rates[:end])) for end in ends]


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
    """Return the largest regret of each epoch; less than a step each where a world knows the models in use."""
    world, honest = federation.world, federation.honest
    known = not federation.link.liars and not adapts(federation)
    largest = world.largest_epoch_regret(federation) if known else None
    if largest is not None:
        return largest
    losses = (world.largest_losses(played) for played in federation.plan.played)
    return [float(sum(lost[m] for m in honest)) for lost in losses]
