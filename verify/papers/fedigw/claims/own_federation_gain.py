"""own:federation_gain. What an agent gains by learning together with M - 1 others, measured in one simulated
environment.

The environment has 5 dimensions, 5 arms, eight contexts and T = 2^14 steps; FedIGW plays with ridge regression by the
direct method.

    falls       the regret of an agent falls like M^{-1/2}: the fitted exponent is at most -1/2 + 1/10, where 1/10
                allows for arms that are not yet resolved
    break_even  at a price c per number an agent's cost is its regret plus c times the numbers it sends and
                receives; a single agent sends nothing. The break-even M(c) is the smallest M >= 2 at which the cost
                is below the cost at M = 1. It does not fall as c rises, and above some price it does not exist

The interval of the exponent is asymptotic; break-even points are computed from the measured means.
"""

from typing import Any

import numpy as np

from fedigw.replications import pooled
from linear.environments import finite_contexts
from verify.claim import Claim, Evidence, Task, Variant, Verdict
from verify.pictures import SPARE, Figures, logarithmic, times
from verify.statistics.confidence import slope_interval, within

SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256)
HORIZON = 2**14
PRICES = (0.01, 0.1, 1.0, 2.0, 4.0, 8.0)
BEND = 0.1

SETTING = ("one law of contexts for all agents", "FedIGW by the direct method, sharpened learning rates")

claim = Claim(
    title="What an agent gains by joining, and what it may cost",
    section="Linear class",
    tags=("communication", "linear", "regret"),
    depends=("col:linear",),
    variants={
        "falls": Variant(r"\mathrm{Reg}_m(T) \propto M^{-1/2}", SETTING, Verdict.MEASURED),
        "break_even": Variant(r"M(c) \text{ does not fall with } c", SETTING, Verdict.FLOAT),
    },
)


def measured(task: Task) -> list[dict[str, Any]]:
    """Simulate federations with increasing numbers of agents. Return for each the number of agents (M), the regret of
    an agent in every replication (`samples`) and its mean (`regret`), and how many `numbers` an agent sends and
    receives."""
    rows = []
    for agents in SIZES:
        federation = finite_contexts.make(np.random.default_rng(1), 5, 8, 5, agents, HORIZON)
        record = pooled(federation, 60 if task.full else 30, task.seed.spawn(1)[0])
        sent = record.total_traffic("numbers_up") + record.total_traffic("numbers_down")
        each = record.total_regret / agents
        row = {"M": agents, "regret": float(each.mean()), "samples": [float(v) for v in each]}
        rows.append(row | {"numbers": 0.0 if agents == 1 else float(sent.mean()) / agents})
    return rows


@claim.check("falls", control=dict(stated=-1.0), statistical=True)
def falls(task: Task, stated: float = -0.5) -> Evidence:
    """Check that an agent's measured regret falls at least as fast as M^{-1/2 + 1/10} in the number M of agents, for M
    >= 8. Negative control, which must fail: at least as fast as M^{-1 + 1/10}."""
    rows = measured(task)
    late = [row for row in rows if row["M"] >= 8]
    x = np.log([row["M"] for row in late])
    slope, low, high = slope_interval(x, np.array([row["samples"] for row in late]), task.level)
    limit = stated + BEND
    said = f"{slope:.3f} in [{low:.3f}, {high:.3f}] (asymptotic), permitted {limit:.2f}; an agent loses"
    said += f" {rows[0]['regret']:.4g} alone and {rows[-1]['regret']:.4g} among {rows[-1]['M']}"
    figures = {"rows": rows, "slope": slope, "low": low, "high": high, "limit": limit}
    return Evidence(within(low, high, limit), said, figures)


@claim.check("break_even", control=dict(upside_down=True))
def break_even(task: Task, upside_down: bool = False) -> Evidence:
    """Check that the smallest number of agents for which learning together pays, computed from measured means, never
    decreases as the price of a number sent rises through six values. At the lowest price such a number must exist, at
    the highest not. Negative control, which must fail: that it never increases."""
    rows = measured(task)
    found = [smallest(rows, price) for price in PRICES]
    order = [np.inf if m is None else float(m) for m in found]
    ordered = order == sorted(order, reverse=upside_down) and (order[0] < np.inf) != (order[-1] < np.inf)
    said = ", ".join(f"c = {c:g}: {'never' if m is None else m}" for c, m in zip(PRICES, found, strict=True))
    summary = f"break-even M at a price per number of {said}"
    figures = {"rows": rows, "prices": list(PRICES), "break_even": found}
    return Evidence(Verdict.FLOAT if ordered else Verdict.REFUTED, summary, figures)


def smallest(rows: list[dict[str, Any]], price: float) -> int | None:
    """Return the smallest number of agents at which an agent's cost, regret + `price` x numbers, is below that of an
    agent alone; None if there is none. rows: from `measured`, one agent first."""
    alone = rows[0]["regret"]
    return next((row["M"] for row in rows[1:] if row["regret"] + price * row["numbers"] < alone), None)


@claim.plot("Regret and communication of an agent against M", "break-even")
def cost(axes: Any, figures: Figures) -> None:
    """The picture shows that the regret of an agent falls with the number M of agents that learn together, while the
    numbers that each of them sends hardly change."""
    rows = next(iter(figures.values()))["rows"]
    sizes = [row["M"] for row in rows]
    for colour, price in zip(SPARE, (0.0, *PRICES[2:]), strict=False):
        values = [row["regret"] + price * row["numbers"] for row in rows]
        look = {"markersize": 3, "linewidth": 1, "label": f"price {price:g} per number"}
        axes.plot(sizes, values, "o-", color=colour, **look)
    axes.axhline(rows[0]["regret"], color="black", linewidth=0.8, linestyle="--", label="alone")
    logarithmic(axes, "agents M", "an agent's regret + price of its numbers")
    less = times([rows[0]["regret"] / rows[-1]["regret"]])
    axes.set_title(f"With {sizes[-1]} agents each loses {less} less than alone; what it sends has a price")
