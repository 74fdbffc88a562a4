"""own:high_probability. The regret bound for a finite class F also holds with probability at least 1 - delta, at the
price of a logarithm.

For T >= 3 steps

    Reg(T) <= 2M(1-1/K) + (C/g)(2 + sqrt2) sqrt(K M T ln((|F|-1) L/delta)/kappa),   L = ceil(log2 T) - 1

M agents with the same epochs have K arms each, epoch l ends at step 2^l, kappa = 0.46368, and C/g <= 3.8098 (3/sqrt2
for two arms) is the constant of thm:global_regret. In the bound on the mean, which is the one in the paper, ln|F|
stands in place of ln((|F|-1) L/delta). The derivation is in bounds/theorems/own_high_probability.py.
"""

from fractions import Fraction
from typing import Any

import numpy as np

from bounds.theorems import own_high_probability
from fedigw.federation import Federation
from fedigw.replications import pooled
from finite_class.environments import gap_one, near_ties, random_table
from finite_class.world import FiniteWorld
from verify.claim import Claim, Evidence, Task, Variant, Verdict
from verify.statistics.confidence import shares_within

DELTA, HORIZON, AGENTS = 0.1, 4096, 10
SHRINK = 0.4  # at gap 1 with two arms exploration alone costs 0.413 of the bound, on all other instances less

claim = Claim(
    title="The finite class with high probability",
    section="Finite class",
    tags=("regret", "finite", "high-probability"),
    depends=("lem:finite_error", "lem:epoch_regret_bound"),
    variants={
        "best": Variant(
            r"\mathrm{Reg}(T) \le 2M(1-1/K) + \tfrac{C}{g}(2+\sqrt2)\sqrt{KMT\ln((|\mathcal F|-1)L/\delta)/\kappa}",
            (*own_high_probability.HYPOTHESES, "T >= 3 in the closed form"),
            Verdict.COQ,
        )
    },
)


def worlds() -> dict[str, Federation]:
    """Return federations by name: one arm of mean 1 and all others 0, nearly equal arms or random tables of rewards,
    each with 2 and 5 arms, at the learning rates for which the bound with high probability is stated."""
    rng, found = np.random.default_rng(0), {}
    for arms in (2, 5):
        size: dict[str, Any] = {"arms": arms, "agents": AGENTS, "horizon": HORIZON}
        made = {
            f"gap 1, K = {arms}": gap_one.make(rng, **size),
            f"near ties 1/10, K = {arms}": near_ties.make(rng, Fraction(1, 10), **size),
            f"near ties 1/50, K = {arms}": near_ties.make(rng, Fraction(1, 50), **size),
            f"random table, K = {arms}": random_table.make(rng, **size),
        }
        for name, world in made.items():
            rates = own_high_probability.learning_rates(
                AGENTS, arms, len(FiniteWorld.of(world).functions), HORIZON, DELTA
            )
            found[name] = world.with_rates(rates)
    return found


@claim.check("best", control=dict(shrink=SHRINK), name="runs", statistical=True)
def failures(task: Task, shrink: float = 1.0) -> Evidence:
    """Check that at most a tenth of the simulations, in each of eight environments, have a regret above the bound that
    must hold with probability 0.9. Negative control, which must fail: 0.4 times the bound."""
    rows: list[dict[str, Any]] = []
    each = 250
    for name, world in worlds().items():
        arms, size = max(world.arms), len(FiniteWorld.of(world).functions)
        bound = own_high_probability.epoch_sum(AGENTS, arms, size, HORIZON, DELTA)
        total, value = pooled(world, each, task.seed.spawn(1)[0]).total_regret, bound.value(HORIZON)
        row = {"instance": name, "bound": value, "vacuous": bound.vacuous(HORIZON)}
        row |= {"mean": float(total.mean()), "largest": float(total.max())}
        rows.append(row | {"exceeded": int(np.sum(total > shrink * value))})
    telling = [row for row in rows if not row["vacuous"]]
    kind, high = shares_within([row["exceeded"] for row in telling], each, DELTA, task.level)
    nearest = max(row["largest"] / row["bound"] for row in telling)
    said = f"on each of {len(telling)} instances at most a share {high:.4f} of the runs is above the bound ({each} runs"
    said += f" each), delta = {DELTA:g}; the worst run lost {nearest:.3f} of it"
    return Evidence(kind, said, {"rows": rows, "high": high}, level=task.level)
