"""Find the regret theorem that applies to a federation, and compute what is known about its regret and its messages.

The policy names the theorem. The theorem says which of its hypotheses (docs/hypotheses.md) the federation lacks. They
are about the lengths of epochs, the protocol's guarantee and the learning rates.
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

ABSENT = ("own:absent", "alike")  # the statement by which agents may be absent from epochs


def applicable(federation: Federation) -> Applied:
    """Return the bounds on the expected regret of the federation; if a hypothesis of its regret theorem does not hold,
    the result names this hypothesis and has no bounds."""
    promised = federation.guarantee()
    if promised is None:
        none = (f"protocol {federation.protocol.name} has no guarantee (H3)",)
        return Applied({}, None, (*none, *breakdown(federation)))
    return theorems.applicable(setting_of(federation, promised))


def setting_of(federation: Federation, promised: Guarantee, rates: Rates | None = None) -> Setting:
    """Return the properties of the federation on which its regret theorem may depend. promised: what the protocol
    guarantees. rates: learning rates to use instead of the federation's own."""
    chosen, rational = rates or federation.rates, federation.rational and rates is None
    plan, arms = federation.in_theory
    merged = plan is not federation.plan
    found = () if adapts(federation) else chosen.of(plan, arms, promised, rational)
    return Setting(
        plan=plan,
        arms=arms,
        honest=(0,) if merged else federation.honest,
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
        unmet=(
            *promised.missing,
            *federation.link.unmet(promised.robust),
            *breakdown(federation),
            *_absent(plan),
        ),
        rests_on=(*promised.rests_on, *federation.world.rests_on, *([ABSENT] if merged else [])),
        on_all_data=promised.on_all_data,
    )


def _absent(plan: EpochPlan) -> tuple[str, ...]:
    if plan.absent is None:
        return ()
    epoch, agent = plan.absent
    said = "its contexts are not among the data of that epoch, and a bound is known only for agents that are all alike"
    return (f"agents[{agent}] has no step in epoch {epoch + 1} (H2): {said}",)


def theorem_of(policy: Policy) -> Theorem | str:
    """Return the regret theorem that the policy's own class declares, or "". A theorem inherited from a base class does
    not count, because it is about another policy."""
    found: Theorem | str = vars(type(policy)).get("theorem", "")
    return found


def breakdown(federation: Federation) -> tuple[str, ...]:
    """Return (sentence,) if at least half of the agents lie, so that no aggregator has a guarantee; else ()."""
    agents, liars = len(federation.arms), len(federation.link.liars)
    if 2 * liars < agents:
        return ()
    return (f"{liars} of {agents} agents lie: from one half on no rule has any guarantee (app:breakdown)",)


def counted(federation: Federation) -> tuple[EpochPlan, tuple[int, ...]]:
    honest = federation.honest
    return federation.plan.of(honest), tuple(federation.arms[m] for m in honest)


def known_without_learning(federation: Federation) -> float:
    """Return the regret bound that needs no learning: uniform play in epoch 1, and a loss of 1 in every later step."""
    plan, arms = counted(federation)
    return sum(thm_global_regret.trivial("sharpened", run, arms) for run in plan.runs)


def declared_cost(federation: Federation) -> tuple[Traffic, ...] | None:
    """Return, for each epoch, the most messages and numbers that the protocol declares to send; None if it declares
    nothing for this federation."""
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
    """Return a proved lower bound on the expected regret of the honest agents, or None if none applies. It applies if
    every context has one arm of mean 1 and all others of mean 0, the policy is inverse gap weighting, learning rates
    are fixed before the run, and estimates lie in [0,1] (own:lower_bound)."""
    if not federation.world.gap_one or federation.policy != InverseGapWeighting():
        return None
    # rates must be fixed beforehand, and estimates lie in [0,1]
    if adapts(federation) or not federation.model.unit_scores:
        return None
    return lower_bounds(federation)[-1]


def lower_bounds(federation: Federation) -> list[float]:
    """Return, for each epoch, the proved lower bound on the regret from step 1 to the end of the epoch
    (own:lower_bound). The caller must check that the bound applies, as `lower_bound` does."""
    plan, arms = counted(federation)
    rates = [
        float(rate) if segment.uses is not None else 0.0
        for rate, segment in zip(federation.learning_rates(), federation.plan.segments, strict=True)
    ]
    ends = range(1, plan.epochs + 1)
    return [float(own_lower_bound.regret(plan.played[:end], arms, rates[:end])) for end in ends]


def applicable_bounds(federation: Federation) -> dict[str, float]:
    return applicable(federation).values


def largest_regret(federation: Federation) -> float:
    """Return the largest expected regret that the honest agents can have, whatever they learn. No theorem is used."""
    return float(sum(largest_epoch_regret(federation)))


def regret_range(federation: Federation) -> tuple[float, float]:
    """Return the least and the largest expected regret that a run of this federation can have, whatever is learned. If
    the world cannot bound single epochs, the range is from 0 to the worst arm in every step."""
    known = not federation.link.liars and not adapts(federation)
    epochs = federation.world.epoch_regret_range(federation) if known else None
    if epochs is not None:
        return float(sum(least for least, _ in epochs)), float(sum(most for _, most in epochs))
    return 0.0, largest_regret(federation)


def largest_epoch_regret(federation: Federation) -> list[float]:
    """Return the largest possible expected regret of the honest agents in each epoch. It is computed from the worst
    possible model if the world knows which models are possible, else from the worst arm in every step."""
    world, honest = federation.world, federation.honest
    known = not federation.link.liars and not adapts(federation)
    largest = world.largest_epoch_regret(federation) if known else None
    if largest is not None:
        return largest
    losses = (world.largest_losses(played) for played in federation.plan.played)
    return [float(sum(lost[m] for m in honest)) for lost in losses]
