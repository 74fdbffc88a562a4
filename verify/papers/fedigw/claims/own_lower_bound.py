"""own:lower_bound. FedIGW loses at least the cost of its exploration, whatever it learns, on every instance with gap 1.

Gap 1 means that in every context one arm has mean reward 1 and all others 0. Estimates must lie in [0,1]. In epoch l
agent m has E^l_m steps, K_m arms and the learning rate gamma^l:

    Reg(T) >= sum_m E^1_m (1 - 1/K_m) + sum_{l>=2} sum_m E^l_m (K_m - 1)/(K_m + gamma^l)

So no analysis of these learning rates can give a smaller upper bound. The bound is attained if the estimate is the true
function from epoch 2 on.
"""

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from bounds import own_lower_bound
from bounds.schedules import doubling_plan
from bounds.theorems import col_finite
from fedigw.federation import Federation
from fedigw.replications import pooled
from finite_class.environments import gap_one
from finite_class.federations import alike
from finite_class.law import exact_law
from finite_class.world import FiniteWorld
from verify.claim import Claim, Evidence, Task, Variant, Verdict
from verify.pictures import BOUND, LOWER, Figures, colours, logarithmic, times

CONTROL = Fraction(101, 100)  # a bound larger by 1 %, which the instances that attain it refute
TIES = ("adversarial", "first")

claim = Claim(
    title="What FedIGW loses at least",
    section="General theorem",
    tags=("general", "regret"),
    variants={
        "gap_one": Variant(
            r"\mathrm{Reg}(T) \ge \sum_m E^1_m(1-1/K_m) + \sum_{l\ge2}\sum_m E^l_m \frac{K_m-1}{K_m+\gamma^l}",
            (
                "gap 1: in every context one arm has mean 1 and all others mean 0",
                "H2 epoch lengths independent of the data, at least one epoch",
                "the FL routine returns estimates in [0,1]",
                "gamma^l >= 0, fixed in advance",
            ),
            Verdict.COQ,
            tight=True,
            covers=(("gap_one", "regret"),),
        )
    },
)


def instances(rng: np.random.Generator, count: int) -> list[Federation]:
    """Draw federations of a few steps with 2 to 4 arms, of which one has mean reward 1 and all others 0, with
    deterministic or Bernoulli rewards."""
    found = []
    for number in range(count):
        arms, size = int(rng.integers(2, 5)), int(rng.integers(1, 4))
        truth = tuple(Fraction(int(arm == 0)) for arm in range(arms))
        others = [tuple(Fraction(int(v), 4) for v in rng.integers(0, 5, size=arms)) for _ in range(size)]
        if number % 3 == 0:  # F = {f*, 1 - f*}: one sample identifies f*, so the bound is attained
            others = [tuple(1 - value for value in truth)]
        agents = int(rng.integers(1, 4))
        functions = tuple((values,) for values in (truth, *others))
        plan, rewards = (
            doubling_plan(int(rng.integers(3, 9)), agents),
            ("bernoulli", "deterministic")[number % 2],
        )
        found.append(alike(functions, plan, ties=TIES[number % 2], rewards=rewards))
    return found


@claim.check("gap_one", control=dict(factor=CONTROL))
def exact(task: Task, factor: Fraction = Fraction(1)) -> Evidence:
    """Compare the exact regret of random federations of a few steps with the lower bound on what exploration costs, in
    rationals. One arm has mean reward 1 and all others 0. Negative control, which must fail: a bound larger by 1 %."""
    rows: list[dict[str, Any]] = []
    for instance in instances(task.rng(), 60 if task.full else 9):
        law = exact_law(instance)
        least = own_lower_bound.regret(instance.plan.played, instance.arms, instance.learning_rates())
        bound = factor * least
        found = {"instance": instance.describe(), "regret": float(law.total_regret), "bound": float(bound)}
        found |= {"arithmetic": law.arithmetic, "equal": bool(law.total_regret == bound)}
        rows.append(found | {"holds": bool(law.total_regret >= bound)})
    broken = [row for row in rows if not row["holds"]]
    if broken:
        worst = min(broken, key=lambda row: float(row["regret"]) / float(row["bound"]))
        said = f"exact regret {worst['regret']:.6g} < {worst['bound']:.6g}"
        return Evidence(Verdict.REFUTED, said, {"rows": rows}, instance=worst["instance"])
    rational = all(row["arithmetic"] == "rational" for row in rows)
    attained = sum(row["equal"] for row in rows)
    said = f"exact regret at least the bound on {len(rows)} instances with gap 1, equal on {attained}"
    figures = {"rows": rows, "attained": attained}
    return Evidence(Verdict.EXACT if rational else Verdict.UNDECIDED, said, figures)


AGENTS, ARMS, RATES = 10, (2, 10), ("sharpened", "best")
ROUNDING = 1e-9  # runs round their learning rates down to a grid of 1e-6, and so lose a little more
REPLICATIONS = 50


@claim.check("gap_one", control=dict(factor=float(CONTROL)))
def measured(task: Task, factor: float = 1.0) -> Evidence:
    """Compare the regret of every replication with the lower bound on what exploration costs, and the mean regret with
    the upper bound of col:finite. There are 2 or 10 arms, of which one has mean reward 1 and all others 0. Negative
    control, which must fail: a lower bound larger by 1 %."""
    rows: list[dict[str, Any]] = []
    exponents = range(4, 29, 2 if task.full else 6)
    for arms, variant, exponent in product(ARMS, RATES, exponents):
        horizon = 2**exponent
        sizes: dict[str, Any] = dict(arms=arms, agents=AGENTS, horizon=horizon, learning_rate=variant)
        world = gap_one.make(np.random.default_rng(0), **sizes)
        total = pooled(world, REPLICATIONS, task.seed.spawn(1)[0]).total_regret
        bound = col_finite.epoch_sum(variant, AGENTS, arms, len(FiniteWorld.of(world).functions))
        beside = bound.lower(horizon)
        assert beside is not None
        lower = factor * beside.value
        row = {"K": arms, "rate": variant, "T": horizon, "lower": lower, "upper": bound.value(horizon)}
        row |= {"least": float(total.min()), "mean": float(total.mean()), "most": float(total.max())}
        rows.append(row | {"ratio": beside.ratio, "limit": beside.limit})
    below = [row for row in rows if row["least"] < (1 - ROUNDING) * row["lower"]]
    above = [row for row in rows if row["mean"] > row["upper"]]
    if below or above:
        worst = (below or above)[0]
        said = (
            f"K = {worst['K']}, T = {worst['T']}: regret {worst['least']:.6g} to {worst['most']:.6g} leaves"
        )
        said += f" [{worst['lower']:.6g}, {worst['upper']:.6g}]"
        return Evidence(Verdict.REFUTED, said, {"rows": rows})
    last = {(row["K"], row["rate"]): row["ratio"] for row in rows}
    shown = ", ".join(f"K = {k}, {rate}: {ratio:.2f}" for (k, rate), ratio in last.items())
    said = f"every replication of {len(rows)} runs at least the bound, every mean below the upper one;"
    said += f" upper over lower at T = {rows[-1]['T']}: {shown}"
    return Evidence(Verdict.FLOAT, said, {"rows": rows, "M": AGENTS})


@claim.plot("Regret at gap 1 between its bounds (M = 10)", "measured", name="between")
def between_the_bounds(axes: Any, figures: Figures) -> None:
    """The picture shows that the measured regret (dots) lies on or above the dashed lower bound and below the solid
    upper bound. At every horizon the two bounds differ by a small factor."""
    shown = figures["measured"]
    agents, rows = shown["M"], [row for row in shown["rows"] if row["rate"] == "best"] or shown["rows"]
    many = sorted({row["K"] for row in rows})
    for arms, colour in colours({}, many).items():
        mine = [row for row in rows if row["K"] == arms]
        horizons = [row["T"] for row in mine]
        least, mean, most = (
            [row[key] / (agents * row["T"]) for row in mine] for key in ("lower", "mean", "upper")
        )
        axes.plot(horizons, most, color=colour, label=f"bound, K = {arms}", **BOUND)
        axes.plot(horizons, mean, "o", color=colour, markersize=6, label=f"measured, K = {arms}")
        axes.plot(horizons, least, color=colour, label=f"lower bound, K = {arms}", **LOWER)
        axes.fill_between(horizons, least, most, color=colour, alpha=0.08, linewidth=0)
    logarithmic(axes, "horizon T", "regret / (M T)")
    apart = times(row["ratio"] for row in rows)
    axes.set_title(f"At gap 1 the upper bound is {apart} the lower bound; runs lie between them")
