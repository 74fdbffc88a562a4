"""Generate docs/rates.md: which learning rates of the policy to use, with three choices measured on families of worlds.

python -m verify.pages.rates > docs/rates.md          the page
python -m verify.pages.rates picture docs/rates.svg   its picture
"""

import math
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from bounds.best.constant import best, proved_over
from fedigw.applicable import applicable_bounds, known_without_learning
from fedigw.federation import Federation
from fedigw.replications import pooled, simulate
from linear.environments import sphere
from verify.claim import Task
from verify.papers.fedigw.claims.own_adaptive import linear, rates, runs
from verify.pictures import complete, finish
from verify.pictures import picture as blank
from verify.report.grid import grid

SEED, HORIZON, REPLICATIONS = 0, 8192, 20
MULTIPLIERS = (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), 1, 2, 4, 8, 16, 64, 256)
HARD = ("near ties 1/10", "near ties 1/30", "gap 1", "rare context", "random table")
TEXT = Path(__file__).with_suffix(".txt")


LINEAR_DELTA = 0.1


def task() -> Task:
    return Task("quick", np.random.SeedSequence(SEED), 0.01)


def at(federation: Federation, g: Any) -> Federation:
    """Return the federation with the policy's learning rates g sqrt(K/e) for K arms, where e is the proved excess risk
    of the model in use."""
    arms = max(federation.arms)
    risks = [min(1.0, risk) for risk in federation.risks("best")]
    return federation.with_rates([float(g) * math.sqrt(arms / risk) for risk in risks[:-1]])


def sweep() -> list[list[str]]:
    """Return rows of texts: a head, the mean regret of each instance at several factors g of the learning rate, and the
    proved constant at each g."""
    seeds = np.random.SeedSequence(SEED)
    rows = [["instance", *(f"g = {float(g):g}" for g in MULTIPLIERS), "error"]]
    for name, instance in runs.instances(np.random.default_rng(SEED), HORIZON).items():
        if name.startswith(HARD):
            found = [runs.mean(pooled(at(instance, g), REPLICATIONS, seeds.spawn(1)[0])) for g in MULTIPLIERS]
            rows.append([name, *(f"{row['regret']:.0f}" for row in found), _largest_error(found)])
    rows.append(["proved C(g)/g, K = 10", *(f"{proved_over(10, Fraction(g)):.2f}" for g in MULTIPLIERS), ""])
    return rows


def _largest_error(found: list[dict[str, Any]]) -> str:
    return f"{max(row['error'] / row['regret'] for row in found):.0%}"


def table(rows: list[dict[str, Any]]) -> list[list[str]]:
    found = [["instance", "smallest guarantee", "g = 8", "adaptive", "error"]]
    for row in rows:
        cells = [row["instance"]]
        for rate in ("guarantee", "practical", "adaptive"):
            bound = row[rate]["bound"]
            shown = "vacuous" if bound >= row["trivial"] - 2 * row["M"] / row["K"] else f"{bound:.0f}"
            cells.append(f"{row[rate]['regret']:.0f} / {shown}")
        found.append([*cells, _largest_error([row[rate] for rate in ("guarantee", "practical", "adaptive")])])
    return found


def linear_table() -> list[list[str]]:
    found = [["instance", "fixed: regret / bound", "adaptive: regret / observed bound"]]
    for row in linear.failures(task(), delta=LINEAR_DELTA, fixed=True).figures["rows"]:
        trivial = row["trivial"]
        fixed = _beside(row["fixed_regret"], row["fixed_bound"], trivial)
        found.append([row["instance"], fixed, _beside(row["regret"], row["bound"], trivial)])
    race = sphere.make(np.random.default_rng(3), dimension=10, arms=10, agents=10, horizon=1000)
    trivial = known_without_learning(race)
    cells = [
        _beside(simulate(race, 5, SEED).total_regret.mean(), applicable_bounds(race)["sharpened"], trivial)
    ]
    for name, one in (("", race), (", all data", linear.on_all_data(race))):
        run = simulate(one.with_rates("adaptive"), 5, SEED)
        assert run.observed is not None
        adapted = _beside(run.total_regret.mean(), run.observed.bound.mean(), trivial)
        found.append([f"sphere{name}, d = K = 10, M = 10, T = 1000 (delta = 0.05)", *cells, adapted])
    return found


def _beside(regret: float, bound: float, trivial: float) -> str:
    return f"{regret:.0f} / " + ("vacuous" if bound >= (1 - 1e-9) * trivial else f"{bound:.0f}")


def markdown(rows: list[list[str]]) -> str:
    return "\n".join(grid(rows[0], rows[1:]))


def page() -> str:
    practical, least = proved_over(10, Fraction(runs.PRACTICAL)), best(10, doubling=True).over_g
    return TEXT.read_text(encoding="utf-8").format(
        price=practical / least,
        practical=practical,
        least=least,
        most=math.sqrt(best(None, doubling=True).best_multiplier_squared),
        picture="rates.svg",
        horizon=HORIZON,
        replications=REPLICATIONS,
        sweep=markdown(sweep()),
        table=markdown(table(list(runs.compare(task(), HORIZON, REPLICATIONS)))),
        linear=markdown(linear_table()),
        delta=LINEAR_DELTA,
        seed=SEED,
    )


def picture(path: str) -> None:
    from matplotlib import rc_context

    with rc_context({"svg.hashsalt": "rates", "svg.fonttype": "path"}):
        figure, (axes,) = blank()
        rates(axes, {"rates": {"rows": runs.compare(task(), HORIZON, REPLICATIONS)}})
        finish(axes, "")
        complete(figure).savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    if sys.argv[1:2] == ["picture"]:
        picture(sys.argv[2])
    else:
        sys.stdout.write(page())
