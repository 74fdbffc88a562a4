"""Make federations whose agents differ in clocks, arms and distributions of contexts, at horizons up to 10^6."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from fedigw.clocks.bursts import Bursts
from fedigw.clocks.late import Late
from fedigw.clocks.leaving import Leaving
from fedigw.clocks.listed import Listed
from fedigw.clocks.periodic import Periodic
from fedigw.clocks.poisson import Poisson
from fedigw.federation import Federation
from fedigw.timing import Timing, ends_until
from finite_class.federations import finite_federation
from finite_class.world import Agent
from linear.contexts.finite import FiniteContexts
from linear.environments.finite_contexts import ball, direction, with_intercept
from linear.federations import linear_federation

FIRST = 64  # global times of epochs 1 and 2, then doubling: every clock below has a step in each
GRID = 20
Clocks = Callable[[np.random.Generator, int, int], Any]  # (rng, agent, start of the last epoch) -> a clock


def _leaving(rng: np.random.Generator, agent: int, last: int) -> Any:
    if agent % 4:
        return Periodic(1 + agent % 2)
    return Leaving(last + int(rng.integers(last // 8, last // 2)), 1 + agent % 3)


def _listed(rng: np.random.Generator, agent: int, last: int) -> Any:
    times = np.flatnonzero(rng.random(2 * last) < 2 / 3) + 1
    return Listed(tuple(int(time) for time in times))


def _mixed(rng: np.random.Generator, agent: int, last: int) -> Any:
    kinds = list(MIXES.values())[:5]
    return kinds[agent % len(kinds)](rng, agent // len(kinds) * 4, last)


MIXES: dict[str, Clocks] = {
    "periods": lambda rng, agent, last: Periodic(1 + agent % 5, int(rng.integers(1, 9))),
    "poisson": lambda rng, agent, last: Poisson((0.3, 0.7, 1.5, 4.0)[agent % 4], int(rng.integers(2**31))),
    "bursts": lambda rng, agent, last: Bursts(
        1 + agent % 7, int(rng.integers(0, 20)), int(rng.integers(1, 9))
    ),
    "late joiners": lambda rng, agent, last: (
        Periodic(1 + agent % 2) if agent % 4 else Late(int(rng.integers(2, 40)))
    ),
    "leaving": _leaving,
    "mixed": _mixed,
}


def timed(federation: Federation, clocks: Clocks, horizon: int, rng: np.random.Generator) -> Federation:
    """Return the federation with a clock for each agent, and epochs that end at the global times 64, 128, 256 and so
    on. clocks(rng, agent, start) returns the clock of an agent; `start` is the start of the last epoch."""
    ends = ends_until([FIRST, *(FIRST << l for l in range(50))], horizon)
    last = ends[-2] if len(ends) > 1 else 1
    found = tuple(clocks(rng, agent, last) for agent in range(len(federation.arms)))
    timing = Timing(horizon, ends, found)
    return replace(federation, plan=timing.plan(), timing=timing)


def finite(
    rng: np.random.Generator, agents: int, arms: int, functions: int = 10, contexts: int = 4
) -> Federation:
    """Draw a federation with a finite class of functions. Each agent has its own distribution of contexts, and between
    2 and `arms` arms."""
    values = rng.integers(0, GRID + 1, size=(functions, contexts, arms))
    members = []
    for _ in range(agents):
        weights = rng.integers(1, 10, size=contexts)
        law = tuple(Fraction(int(w), int(weights.sum())) for w in weights)
        own = sorted(rng.choice(arms, size=int(rng.integers(2, arms + 1)), replace=False).tolist())
        members.append(Agent(law, tuple(own)))
    table = tuple(tuple(tuple(Fraction(int(v), GRID) for v in row) for row in one) for one in values)
    return finite_federation(table, 0, tuple(members), _any_plan(agents))


def linear(rng: np.random.Generator, agents: int, arms: int, dimension: int = 4) -> Federation:
    laws = []
    for own in range(2, arms + 1):
        features = with_intercept(ball(rng, (6, own), dimension - 1))
        laws.append(FiniteContexts(features, rng.dirichlet(np.ones(6))))
    members = tuple(laws[int(rng.integers(len(laws)))] for _ in range(agents))
    return linear_federation(members, with_intercept(direction(rng, dimension - 1)), _any_plan(agents))


def _any_plan(agents: int) -> Any:
    return Timing(2, (2,), (Periodic(),) * agents).plan()


# (world, agents, arms, horizon): with six mixes of clocks each these are 54
WORLDS: tuple[tuple[str, int, int, int], ...] = (
    ("finite", 10, 2, 65536),
    ("finite", 40, 3, 65536),
    ("finite", 40, 5, 10**6),
    ("finite", 10, 10, 10**6),
    ("finite", 100, 4, 300_000),
    ("finite", 20, 6, 777_777),
    ("linear", 30, 3, 10**6),
    ("linear", 60, 4, 500_000),
    ("linear", 100, 2, 65536),
)
QUICK = (("finite", 40, 3, 65536), ("linear", 60, 3, 300_000))


def configurations(rng: np.random.Generator, full: bool) -> dict[str, Federation]:
    """Return federations by name, for every combination of an environment and a mix of clocks. full: add a federation
    whose agents act at listed times; otherwise there are only two environments, and each mix is used in one of them."""
    found = {}
    for number, (world, agents, arms, horizon) in enumerate(WORLDS if full else QUICK):
        for mix, clocks in MIXES.items():
            if not full and (mix in ("periods", "late joiners")) == (number == 0):
                continue  # the quick profile splits the mixes over its two worlds
            made = (finite if world == "finite" else linear)(rng, agents, arms)
            name = f"{world}, {mix}, M = {agents}, K_m <= {arms}, T = {horizon}"
            found[name] = timed(made, clocks, horizon, rng)
    if full:
        name = "finite, listed times, M = 20, K_m <= 3, T = 65536"
        found[name] = timed(finite(rng, 20, 3), _listed, 65536, rng)
    return found


def tiny(rng: np.random.Generator) -> Federation:
    made = finite(rng, 2, 3, functions=2, contexts=1)
    ends = (8, 16, 32)
    timing = Timing(30, ends, (Periodic(2), Bursts(3, 1)))
    return replace(made, plan=timing.plan(), timing=timing)
