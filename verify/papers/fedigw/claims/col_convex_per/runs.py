"""Check that the regret of FedIGW with LSGD-PFL, with as many rounds as col:convex_per asks for, stays below its
bound."""

from dataclasses import replace
from typing import Any

import numpy as np

from bounds.schedules import doubling_plan
from bounds.theorems import col_linear_per
from bounds.theorems.col_convex_per import THEOREM
from fedigw.federation import Federation
from fedigw.protocols.lsgd_pfl import LocalPersonal
from fedigw.running import run
from linear.personalised.environments.opposite_arms import make
from verify.claim import Evidence, Task, Verdict
from verify.papers.fedigw.claims.col_convex.runs import against_bounds, draw_numbers, draw_regret
from verify.papers.fedigw.claims.col_linear_per import worlds
from verify.pictures import Figures

AGENTS, ARMS, SHARED, OWN, TOLERANCE = 2, 2, 2, 1, 0.5
METHOD = LocalPersonal(tolerance=TOLERANCE)


def world(agents: int = AGENTS, shared: int = SHARED, own: int = OWN) -> Federation:
    return replace(make(np.random.default_rng(0), shared, own, 4, ARMS, agents, 4), protocol=METHOD)


def scheduled_regret(task: Task) -> Evidence:
    """Check that the measured regret of FedIGW with LSGD-PFL is below the sharpened bound after 2^12 steps, if calls
    make the rounds that ensure the tolerance 1/2. The full profile has 2^13 steps, and thirteen further environments.
    Negative control, which must fail: a bound a tenth below the exact regret of one agent."""
    horizons = (2**7, 2**10, 2**13) if task.full else (2**6, 2**9, 2**12)
    others = worlds(task.rng(), METHOD) if task.full else ()
    return against_bounds(task, {METHOD.name: world()}, horizons, stated_numbers, others)


def stated_numbers(
    protocol: str, horizon: int, agents: int = AGENTS, shared: int = SHARED, own: int = OWN
) -> int:
    given = {"M": agents, "K": ARMS, "T": horizon, "da": shared, "db": own, "delta": TOLERANCE}
    given |= {"local_steps": METHOD.local_steps}
    return int(THEOREM.evaluate("sharpened", "numbers", protocol, {**THEOREM.optional, **given}).value)


def ledger(task: Task, lifted: bool = True) -> Evidence:
    """Check that LSGD-PFL sends exactly the numbers that col:convex_per states, in three simulated environments at
    three horizons. Negative control, which must fail: the rounds of a problem without personal coordinates."""
    rows: list[dict[str, Any]] = []
    for sizes in ((2, 2, 1), (3, 2, 0), (4, 1, 2)):
        agents, shared, own = sizes
        for horizon in (2**3, 2**6, 2**9):
            instance = world(*sizes).with_plan(doubling_plan(horizon, agents))
            sent = sum(traffic.numbers for traffic in run(instance, task.rng()).traffic)
            known = sizes if lifted else (agents, shared, 0)
            stated = stated_numbers(METHOD.name, horizon, *known)
            rows.append({"M": agents, "da": shared, "db": own, "T": horizon, "sent": sent, "stated": stated})
    apart = [row for row in rows if row["sent"] != row["stated"]]
    said = f"numbers in the ledgers of {len(rows)} runs equal those stated"
    if apart:
        said = f"{len(apart)} of {len(rows)} runs send other numbers than stated: {apart[0]}"
    return Evidence(Verdict.FLOAT.unless(bool(apart)), said, {"rows": rows})


def regret_picture(axes: Any, figures: Figures) -> None:
    """The picture shows that the measured regret of FedIGW with LSGD-PFL stays below its bound if agents share a part
    of their parameters, and the protocol makes as many rounds as its theorem asks for."""
    draw_regret(axes, next(iter(figures.values()))["series"], AGENTS, "bound, sharpened")


def numbers_picture(axes: Any, figures: Figures) -> None:
    """The picture shows that LSGD-PFL sends as many numbers in simulations (dots) as the corollary states (line). For
    the same regret bound, conjugate gradients send far fewer if agents first eliminate their personal coordinates."""
    horizons = [2**k for k in range(4, 17)]
    cg = [int(col_linear_per.total("cg", AGENTS, SHARED, OWN, t, TOLERANCE).numbers) for t in horizons]
    stated = {"lsgd_pfl": [stated_numbers("lsgd_pfl", t) for t in horizons], "cg": cg}
    draw_numbers(axes, next(iter(figures.values()))["series"], horizons, stated)
    more = stated["lsgd_pfl"][-1] / cg[-1]
    axes.set_title(f"The rounds proved to suffice send {more:.0e} times what conjugate gradients send")
