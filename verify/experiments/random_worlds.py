"""Draw random instances of the paper's lemmas in rational numbers, and compare both sides of an inequality on them."""

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

import numpy as np

from finite_class.lemmas.sides import Row, Sides, Table
from finite_class.lemmas.two_epochs import AgentCells, TwoEpochs
from verify.claim import Evidence, Task, Verdict

Case = tuple[Sides, Any]  # an inequality at one instance, and the instance as JSON


def law(rng: np.random.Generator, size: int) -> Row:
    weights = [int(w) for w in rng.integers(1, 10, size)]
    return tuple(Fraction(w, sum(weights)) for w in weights)


def table(rng: np.random.Generator, contexts: int, arms: int, unit: bool = False) -> Table:
    """Draw a (contexts, arms) table of rational values in [-3, 4], or in [0, 1] if `unit`. Ties occur often, because
    many tables take values on a coarse grid."""
    grid = int(rng.choice([1, 2, 12, 1000]))
    low, high = (0, grid) if unit else (-3 * grid, 4 * grid)
    values = rng.integers(low, high + 1, size=(contexts, arms))
    return tuple(tuple(Fraction(int(v), grid) for v in row) for row in values)


def learning_rate(rng: np.random.Generator) -> Fraction:
    return Fraction(int(rng.integers(1, 1000)), 100) * Fraction(10) ** int(rng.integers(-6, 12))


def one_agent(rng: np.random.Generator) -> tuple[Row, Table, Fraction, tuple[int, ...]]:
    """Draw one agent: its distribution of contexts, an estimate of the mean rewards, a learning rate, and a policy that
    gives an arm for each context."""
    contexts, arms = int(rng.integers(1, 4)), int(rng.integers(2, 6))
    policy = tuple(int(a) for a in rng.integers(0, arms, contexts))
    return law(rng, contexts), table(rng, contexts, arms), learning_rate(rng), policy


def two_epochs(rng: np.random.Generator) -> TwoEpochs:
    """Draw two consecutive epochs of 1 to 3 agents: the true mean rewards in [0,1] and, for each epoch, an estimate of
    them and a learning rate. The second learning rate is at least the first."""
    # in half of the draws the first estimate is the truth and the second differs from it in one entry, because the
    # lemmas are then nearly tight
    agents = []
    for _ in range(int(rng.integers(1, 4))):
        contexts, arms = int(rng.integers(1, 3)), int(rng.integers(2, 5))
        truth = table(rng, contexts, arms, unit=True)
        before, now = table(rng, contexts, arms), table(rng, contexts, arms)
        if rng.random() < 0.5:
            before, now = truth, _changed(rng, truth)
        length = int(rng.integers(1, 6))
        agents.append(
            AgentCells(law(rng, contexts), truth, before, now, length, length * int(rng.integers(1, 4)))
        )
    first, second = sorted((learning_rate(rng), learning_rate(rng)))
    return TwoEpochs(tuple(agents), first, second)


def misjudged(split: Fraction) -> TwoEpochs:
    """Return two epochs with two equally good arms. The estimate in the second epoch is too large for one arm and too
    small for the other, by 4 split/gamma each, where gamma is the learning rate. The sharpened inequality
    between true and estimated regret, for one data set, is then an equality at t = `split`."""
    half, rate = Fraction(1, 2), Fraction(100)
    worth, away = (half, half), 4 * split / rate
    agent = AgentCells((Fraction(1),), (worth,), (worth,), ((half + away, half - away),), 1, 1)
    return TwoEpochs((agent,), rate, rate)


def known(arms: int) -> TwoEpochs:
    """Return two epochs with exact estimates, in which one of K = `arms` arms has mean reward 1 and all others 0. Each
    step of inverse gap weighting with learning rate gamma then has the regret (K-1)/(K + gamma)."""
    row = ((Fraction(1), *([Fraction(0)] * (arms - 1))),)
    agent = AgentCells((Fraction(1),), row, row, row, 1, 1)
    return TwoEpochs((agent,), Fraction(10**6), Fraction(10**6))


def _changed(rng: np.random.Generator, truth: Table) -> Table:
    x, a = int(rng.integers(len(truth))), int(rng.integers(len(truth[0])))
    rows = [list(row) for row in truth]
    rows[x][a] = Fraction(int(rng.integers(0, 13)), 12)
    return tuple(tuple(row) for row in rows)


def describe(world: TwoEpochs) -> dict[str, Any]:
    agents = []
    for agent in world.agents:
        tables = {key: strings(getattr(agent, key)) for key in ("truth", "before", "now")}
        lengths = [agent.length_before, agent.length]
        agents.append({"contexts": [str(p) for p in agent.contexts], **tables, "lengths": lengths})
    return {"gamma_before": str(world.rate_before), "gamma": str(world.rate), "agents": agents}


def strings(values: Table) -> list[list[str]]:
    return [[str(v) for v in row] for row in values]


def exact(
    task: Task, one: Callable[[np.random.Generator], Case], sizes: tuple[int, int], what: str
) -> Evidence:
    """Test an inequality on random instances in rational numbers: sizes[0] of them in the quick profile, sizes[1] in
    the full one. one(rng) draws an instance and returns both sides. what: the inequality in words."""
    rng = task.rng()
    return verdict((one(rng) for _ in range(sizes[task.full])), what)


def verdict(cases: Iterable[Case], what: str) -> Evidence:
    """Return the verdict on an inequality from cases, pairs of its two sides and an instance as JSON. It is refuted at
    the first case whose left side is larger, else checked exactly. what: the inequality in words."""
    seen = []
    for sides, witness in cases:
        if not sides.holds:
            said = f"{what}: {float(sides.left):.6g} > {float(sides.right):.6g}"
            figures = {"left": str(sides.left), "right": str(sides.right), "witness": witness}
            return Evidence(Verdict.REFUTED, said, figures)
        seen.append((sides.ratio, witness))
    largest, worst = max(seen, key=lambda case: case[0])
    said = f"{what}: {len(seen)} exact instances, largest left/right {largest:.6f}"
    return Evidence(Verdict.EXACT, said, {"instances": len(seen), "largest_ratio": largest, "worst": worst})
