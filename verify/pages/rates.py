"""docs/rates.md: which learning rate? Three of them side by side, measured over families with hard instances included.

python -m verify.pages.rates > docs/rates.md          the page
python -m verify.pages.rates picture docs/rates.svg   its picture
"""

import math
import sys
from fractions import Fraction
from typing import Any

import numpy as np

from bounds.best.constant import best
from fedigw.applicable import applicable_bounds, known_without_learning
from fedigw.federation import Federation
from fedigw.replications import pooled, simulate
from linear.environments import sphere
from verify.claim import Task
from verify.papers.fedigw.claims.own_adaptive import linear, pictures, runs
from verify.pictures import complete, finish
from verify.pictures import picture as blank
from verify.report.grid import grid

SEED, HORIZON, REPLICATIONS = 0, 8192, 20
MULTIPLIERS = (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), 1, 2, 4, 8, 16, 64, 256)
HARD = ("near ties 1/10", "near ties 1/30", "gap 1", "rare context", "random table")
TEXT = """# Which learning rate?

gamma^l = g sqrt(K/e_(l-1)) has one free number, g, and there are three good answers. They answer different questions.

* **Smallest guarantee**, `learning_rate = "best"`: the smallest bound that is proved before anything is played,
  g = 0.47 (two arms) to 0.79. It explores most: nearly everywhere the largest regret of the three.
* **Smallest measured regret**, a list with g = 8: a small regret over all of these families at once. No fixed g is best
  everywhere: near ties of 1/10 are best at g = 2 to 8 and turn up beyond, gap 1 with ten agents still falls at 256.
  Its price is a proved bound {price:.1f} times larger for ten arms:
  C(g)/g is {practical:.1f} at g = 8, {least:.2f} at best.
* **Adaptive**, `learning_rate = "adaptive"` with `delta`: small regret and, after the run, a bound on that very run
  which holds with probability 1 - delta. There is none before the run. Finite classes and linear rewards.

Bound-optimal is not regret-optimal: at gap 1 the regret falls as 1/g (own:lower_bound), while the guarantee
C(g)/g = a/g + b g grows from g = sqrt(a/b) on. The larger g relies on estimates being better than the worst case.

![regret and bound of the three rates]({picture})

## Regret by multiplier

Mean regret, T = {horizon}, ten agents or one, {replications} replications; the last line is the proved C(g)/g for ten
arms.

{sweep}

Near ties and one agent (gap 1, K = 5) show the other side: a rate that large commits to a wrong function early.

## Three rates on every instance

Regret / bound, T = {horizon}; `vacuous` where the bound is not below M T. Adaptive: delta = 0.001, mean of the bounds
that the runs observed.

{table}

## Linear rewards

d = K = 5, delta = 0.1; fixed is `learning_rate = "sharpened"`. Adaptive rates are 16 sqrt(K n)/b with b the radius of
the ellipsoid that the data give; the bound sums over the contexts what the ellipsoids allow (`own:adaptive`, linear).
The bound holds whatever the rates are, so `learning_rate = {{name = "adaptive", multiplier = 1024}}` has one too. It
explores 64 times less: less regret where contexts are diverse ([benchmarks](benchmarks.md)), but where arms that
look bad are hardly played again the data say little of them, and the bound may stay near the trivial one (gap_one).
`vacuous`: the bound is not below what is known without learning, epoch 1 uniform and every further step lost.

{linear}

These numbers: `python -m verify.pages.rates`, seed {seed}; a test holds the page to them.
"""


def task() -> Task:
    return Task("quick", np.random.SeedSequence(SEED), 0.01)


def at(federation: Federation, g: Any) -> Federation:
    """gamma^l = g sqrt(K/e_{l-1}), e of variant best."""
    arms = max(federation.arms)
    risks = [min(1.0, risk) for risk in federation.risks("best")]
    return federation.with_rates([float(g) * math.sqrt(arms / risk) for risk in risks[:-1]])


def sweep() -> list[list[str]]:
    """A row per instance: mean regret at every multiplier."""
    seeds = np.random.SeedSequence(SEED)
    rows = [["instance", *(f"g = {float(g):g}" for g in MULTIPLIERS)]]
    for name, instance in runs.instances(np.random.default_rng(SEED), HORIZON).items():
        if not name.startswith(HARD):
            continue
        found = [
            pooled(at(instance, g), REPLICATIONS, seeds.spawn(1)[0]).total_regret.mean() for g in MULTIPLIERS
        ]
        rows.append([name, *(f"{value:.0f}" for value in found)])
    constant = best(10, doubling=True)
    rows.append(["proved C(g)/g, K = 10", *(f"{float(constant.over(Fraction(g))):.2f}" for g in MULTIPLIERS)])
    return rows


def table(rows: list[dict[str, Any]]) -> list[list[str]]:
    found = [["instance", "smallest guarantee", "g = 8", "adaptive"]]
    for row in rows:
        cells = [row["instance"]]
        for rate in ("guarantee", "practical", "adaptive"):
            bound = row[rate]["bound"]
            shown = "vacuous" if bound >= row["trivial"] - 2 * row["M"] / row["K"] else f"{bound:.0f}"
            cells.append(f"{row[rate]['regret']:.0f} / {shown}")
        found.append(cells)
    return found


def linear_table() -> list[list[str]]:
    found = [["instance", "fixed: regret / bound", "adaptive: regret / observed bound"]]
    for row in linear.failures(task()).figures["rows"]:
        trivial = row["trivial"]
        fixed = _beside(row["fixed_regret"], row["fixed_bound"], trivial)
        found.append([row["instance"], fixed, _beside(row["regret"], row["bound"], trivial)])
    streamed = sphere.make(np.random.default_rng(SEED), dimension=10, arms=10, agents=10, horizon=1000)
    fixed_run, run = (simulate(one, 1, SEED) for one in (streamed, streamed.with_rates("adaptive")))
    assert run.observed is not None
    trivial = known_without_learning(streamed)
    fixed = _beside(fixed_run.total_regret[0], applicable_bounds(streamed)["sharpened"], trivial)
    adapted = _beside(run.total_regret[0], run.observed.bound[0], trivial)
    found.append(["sphere, d = K = 10, M = 10, T = 1000 (delta = 0.05, one run)", fixed, adapted])
    return found


def _beside(regret: float, bound: float, trivial: float) -> str:
    """Regret / bound; a bound that is not below what is known without learning, but for rounding, is vacuous."""
    return f"{regret:.0f} / " + ("vacuous" if bound >= (1 - 1e-9) * trivial else f"{bound:.0f}")


def markdown(rows: list[list[str]]) -> str:
    return "\n".join(grid(rows[0], rows[1:]))


def page() -> str:
    constant = best(10, doubling=True)
    practical, least = float(constant.over(Fraction(runs.PRACTICAL))), constant.over_g
    return TEXT.format(
        price=practical / least,
        practical=practical,
        least=least,
        picture="rates.svg",
        horizon=HORIZON,
        replications=REPLICATIONS,
        sweep=markdown(sweep()),
        table=markdown(table(list(runs.compare(task(), HORIZON, REPLICATIONS)))),
        linear=markdown(linear_table()),
        seed=SEED,
    )


def picture(path: str) -> None:
    from matplotlib import rc_context

    with rc_context({"svg.hashsalt": "rates", "svg.fonttype": "path"}):
        figure, (axes,) = blank()
        pictures.rates(axes, {"rates": {"rows": runs.compare(task(), HORIZON, REPLICATIONS)}})
        finish(axes, "")
        complete(figure).savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    if sys.argv[1:2] == ["picture"]:
        picture(sys.argv[2])
    else:
        sys.stdout.write(page())
