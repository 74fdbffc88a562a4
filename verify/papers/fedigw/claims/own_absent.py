"""own:absent. The regret bound also holds if agents are absent from some epochs, provided that all agents are alike.

Absent means that agent m has E^l_m = 0 steps in some epoch l; hypothesis H2 of thm:global_regret excludes that. But
if all agents have the same distribution of contexts, the same arms and the same mean rewards, the federation's run
has the same distribution as a run of a single agent that plays sum_m E^l_m steps in epoch l. So every bound for that
agent holds, with c = 1.

Proof. Given the model and the learning rate, the samples of an epoch are independent and identically distributed,
whichever agent holds them. The bound on the excess risk is for that many samples of one distribution, so it holds for
the model of the epoch; an agent without samples has weight 0. The regret of an epoch is the number of its steps times
the mean regret of a step given the model. By induction over epochs, models and regrets have the same distribution.

If the distributions differ, nothing is claimed: the data of an epoch say nothing about the contexts of an agent that
is absent from it, and the theorem's proof compares E^l_m with E^{l-1}_m. The negative control shows that the
statement is then false.
"""

from fractions import Fraction

import numpy as np

from bounds.schedules import EpochPlan
from fedigw.applicable import applicable_bounds
from fedigw.federation import Federation
from finite_class.federations import finite_federation
from finite_class.law import exact_law
from finite_class.world import Agent, FiniteWorld
from verify.claim import Claim, Evidence, Task, Variant, Verdict

claim = Claim(
    title="Agents that are absent from epochs",
    section="General theorem",
    tags=("general", "regret"),
    depends=("thm:global_regret",),
    variants={
        "alike": Variant(
            r"\mathrm{Reg}(E^l_m \ge 0) \overset{d}{=} \mathrm{Reg}\bigl(\textstyle\sum_m E^l_m\bigr)",
            (
                "all agents have one law of contexts, the same arms and one truth",
                "lengths fixed before the run; epochs in which nobody has a step are left out",
            ),
            Verdict.EXACT,
        )
    },
)


def drawn(rng: np.random.Generator, differ: bool) -> Federation:
    """Draw a federation of two agents and three short epochs in which each agent is absent from one epoch. differ:
    whether the agents have different distributions of contexts."""
    values = rng.integers(0, 3, size=(2, 2, 2))
    functions = tuple(tuple(tuple(Fraction(int(v), 2) for v in row) for row in f) for f in values)
    shares = [Fraction(int(rng.integers(1, 6)), 6)] * 2
    if differ:
        shares = [Fraction(1, 6), Fraction(5, 6)]
    agents = tuple(Agent((share, 1 - share), (0, 1)) for share in shares)
    lengths = rng.integers(1, 4, size=(3, 2))
    lengths[int(rng.integers(0, 3)), 0] = 0
    absent = int(rng.integers(0, 3))
    lengths[absent, 1] = 0 if lengths[absent, 0] else lengths[absent, 1]
    rows = tuple(tuple(map(int, row)) for row in lengths)
    rates = tuple(sorted(Fraction(int(v)) for v in rng.integers(1, 60, size=2)))
    rewards = str(rng.choice(["deterministic", "bernoulli"]))
    return finite_federation(
        functions, 0, agents, EpochPlan(rows, rows), learning_rate=rates, rewards=rewards
    )


def one_agent(federation: Federation) -> Federation:
    """Return a federation in which the first agent makes the steps of all agents."""
    world = FiniteWorld.of(federation)
    return finite_federation(
        world.functions,
        world.truth,
        world.agents[:1],
        federation.plan.merged,
        learning_rate=federation.rates.describe(),
        rewards=world.rewards,
    )


@claim.check("alike", control=dict(differ=True))
def merged(task: Task, differ: bool = False) -> Evidence:
    """Compare the exact expected regret of every epoch, if agents are absent from some epochs, with the regret of one
    agent that makes the steps of all, in rationals, and with the bound. Negative control, which must fail: agents with
    different distributions of contexts."""
    rng, count = task.rng(), 60 if task.full else 15
    for place in range(count):
        federation = drawn(rng, differ)
        together, alone = exact_law(federation), exact_law(one_agent(federation))
        for epoch, (one, other) in enumerate(zip(together.epochs, alone.epochs, strict=True)):
            if one.regret != other.regret:
                said = (
                    f"instance {place}, epoch {epoch + 1}: regret {one.regret}, of one agent {other.regret}"
                )
                return Evidence(Verdict.REFUTED, said)
        bounds = applicable_bounds(federation)
        if min(bounds.values()) < float(together.total_regret):
            return Evidence(Verdict.REFUTED, f"instance {place}: the regret exceeds the bound {bounds}")
    said = (
        f"on {count} random federations of two agents, each absent from an epoch, regret of every epoch equal"
    )
    return Evidence(Verdict.EXACT, f"{said} to that of one agent with their steps, in rationals")
