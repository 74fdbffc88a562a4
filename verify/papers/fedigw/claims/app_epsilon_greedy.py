"""app:epsilon_greedy. The regret if FedIGW's agents play epsilon-greedy in place of inverse gap weighting.

M agents with the same epochs have K arms each; epoch l has E^l steps. Epoch 1 is uniform. A step of epoch l >= 2
plays uniformly with probability eps_l = min(1, (K e_{l-1}/2)^{1/3}), else the arm with the largest estimate. Here
e_{l-1} is the excess risk of the model learned from epoch l-1, which must not increase in l:

    Reg(T) <= M E^1 (1-1/K) + sum_{l>=2} M E^l min(1, 3 (K e_{l-1}/2)^{1/3}) <= 2M(1-1/K) + 5.11 (KA)^{1/3} (MT)^{2/3}

The second inequality assumes that epoch l ends at step 2^l, the excess risk is min(1, A/n) after n samples, and T >=
3. With any other eps_l, a step of epoch l loses at most eps_l + sqrt(2 c K e_{l-1}/eps_{l-1}) in expectation, where c
is the paper's constant for unequal epochs (1 here). bounds/theorems/app_epsilon_greedy.py has the proof. The bound is
of larger order than that of inverse gap weighting, (MT)^{1/2}.
"""

from dataclasses import replace
from fractions import Fraction

import numpy as np

from bounds.schedules import doubling_plan
from bounds.theorems import app_epsilon_greedy
from fedigw.federation import Federation
from fedigw.policies.tuned_epsilon_greedy import TunedEpsilonGreedy
from fedigw.rates import TheoremRates
from finite_class.environments import gap_one, near_ties
from linear.environments import finite_contexts
from verify.claim import Claim, Evidence, Task, Variant, Verdict
from verify.experiments.ratios import at_most_one
from verify.statistics.regrets import on_worlds

HORIZON = 2**14

claim = Claim(
    title="Epsilon-greedy",
    section="General theorem",
    tags=("regret", "general", "policy"),
    variants={
        "tuned": Variant(
            r"\mathrm{Reg}(T) \le 2M(1-1/K) + 5.11\,(KA)^{1/3}(MT)^{2/3}",
            app_epsilon_greedy.HYPOTHESES,
            Verdict.COQ,
            covers=(("tuned", "regret"),),
        )
    },
)


@claim.check("tuned", control=dict(constant=5.0))
def closed(task: Task, constant: float | None = None) -> Evidence:
    """Compare two forms of the regret bound of epsilon-greedy play: a sum over epochs, and the closed form with the
    constant 5.11. Every T from 3 to 600 and numbers around powers of two up to 2^60 are tested. Negative control, which
    must fail: the constant 5.0."""
    chosen = app_epsilon_greedy.closed_constant() if constant is None else constant
    horizons = [*range(3, 600), *(2**k + j for k in range(10, 61) for j in (-1, 0, 1))]
    found = []
    for m, k, a in ((1, 2, 1.0), (10, 5, 4.0), (100, 10, 30.0)):
        bound = app_epsilon_greedy.epoch_sum(m, k, a)
        for t in horizons:
            right = 2 * m * (1 - 1 / k) + chosen * (k * a) ** (1 / 3) * (m * t) ** (2 / 3)
            found.append((bound.value(t) / right, f"M = {m}, T = {t}"))
    return at_most_one(found, f"epoch sum with {chosen:.4f}", cases="horizons", rounding=1e-12)


def tuned(federation: Federation) -> Federation:
    plan = doubling_plan(HORIZON, len(federation.arms))
    return replace(
        federation, plan=plan, timing=None, rates=TheoremRates("tuned"), policy=TunedEpsilonGreedy()
    )


def worlds() -> dict[str, Federation]:
    rng = np.random.default_rng(0)
    found = {
        "gap 1": gap_one.make(rng, arms=5, agents=20),
        "near ties": near_ties.make(rng, Fraction(1, 5), contexts=1, arms=2, agents=20),
        "linear": finite_contexts.make(rng, dimension=2, arms=2, agents=20),
    }
    return {name: tuned(world) for name, world in found.items()}


@claim.check("tuned", control=dict(shrink=0.26), statistical=True)
def regret(task: Task, shrink: float = 1.0) -> Evidence:
    """Compare the measured regret of epsilon-greedy play in three simulated environments with the bound that the
    command `simulate` prints. Negative control, which must fail: 0.26 times this bound."""
    return on_worlds(task, worlds(), "tuned", shrink, HORIZON)
