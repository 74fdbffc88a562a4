"""Check the bound on the excess risk of regularised maximum likelihood (own:logistic_excess_risk): exactly on data of
a few samples, by measured means on larger ones."""

import math
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations_with_replacement, product

import numpy as np

from bounds import own_logistic_excess_risk as theorem
from verify.claim import Evidence, Task, Verdict
from verify.experiments.logistic_runs import minimisers, sigma
from verify.experiments.ratios import at_most_one
from verify.statistics import regrets
from verify.statistics.measurement import Comparison, measure, until_refuted

PAIRS = ((5, 1.0), (2, 1.0), (1, 1.0), (5, 3.0), (10, 1.0))  # d, B
AT_ONCE = 500_000  # numbers of features
Draw = Callable[[tuple[int, ...]], np.ndarray]  # features (*shape, d)


def laws(rng: np.random.Generator, d: int, n: int) -> dict[str, Draw]:
    """Return four distributions of features in the unit ball, by name. A distribution is a function that draws
    features. In the one called `rare`, directions other than the first appear about once in n samples."""

    def sphere(shape: tuple[int, ...]) -> np.ndarray:
        drawn = rng.standard_normal((*shape, d))
        return np.asarray(drawn / np.linalg.norm(drawn, axis=-1, keepdims=True))

    def rare(shape: tuple[int, ...]) -> np.ndarray:
        return np.eye(d)[np.where(rng.random(shape) < 1 / n, rng.integers(d, size=shape), 0)]

    return {
        "sphere": sphere,
        "axes": lambda shape: np.eye(d)[rng.integers(d, size=shape)],
        "rare": rare,
        "cube": lambda shape: rng.choice([-1.0, 1.0], (*shape, d)) / math.sqrt(d),
    }


def measured(
    task: Task, different: bool, shrink: float = 1.0, pairs: tuple[tuple[int, float], ...] = PAIRS
) -> Evidence:
    """Compare the measured mean excess risk of regularised maximum likelihood with its bound at the best
    regularisation, for five pairs of dimension d and largest norm B of the parameter, and four distributions of
    features. Negative control, which must fail: three quarters of a measured excess risk as the bound.

    The bound after n samples is C/(n+1) with a constant C or, for three agents with `different` distributions and
    unequal numbers of samples, C/n.
    """
    rng = task.rng()
    sizes = (10, 50, 400) if task.full else (100,)
    cases = [(d, B, n, name) for d, B in pairs for n in sizes for name in laws(rng, d, n)]
    found = until_refuted(_compared(task, rng, different, shrink, len(cases), *case) for case in cases)
    telling = [one for one in found if not one.vacuous]
    reached = max(one.mean / one.bound * shrink for one in telling)
    return regrets.judged(task, found, "excess risk", "worlds", largest_ratio=reached)


def _compared(
    task: Task,
    rng: np.random.Generator,
    different: bool,
    shrink: float,
    parts: int,
    d: int,
    B: float,
    n: int,
    name: str,
) -> Comparison:
    lam, constant = (float(v) for v in theorem.logistic(float(d), B, different))
    features = laws(rng, d, n)[name]
    truth = rng.standard_normal(d)
    truth *= B / np.linalg.norm(truth)
    agents = 3 if different else 1
    seen = (rng.random((agents, d)) < 0.6) | (rng.integers(d, size=(agents, 1)) == np.arange(d))
    shares = [n - 2 * (n // 5) - 1, n // 5, n // 5 + 1] if different else [n]
    masks = np.repeat(seen, shares, axis=0) if different else np.ones((n, d))

    def draw(count: int) -> np.ndarray:
        if (most := max(1, AT_ONCE // (n * d))) < count:
            return np.concatenate([draw(min(most, count - start)) for start in range(0, count, most)])
        phi = features((count, n)) * masks
        mean = sigma(phi @ truth, B)
        rewards = (rng.random(mean.shape) < mean).astype(float)
        estimates = minimisers(phi, np.ones_like(rewards), rewards, B, lam)
        fresh = features((count, n)) * masks  # of each sample's own law
        error = sigma(np.einsum("rnd,rd->rn", fresh, estimates), B) - sigma(fresh @ truth, B)
        return np.asarray((error**2).mean(axis=1))

    most = (1 / (1 + math.exp(-B)) - 1 / (1 + math.exp(B))) ** 2
    bound = shrink * constant / (n if different else n + 1)
    where = f"d = {d}, B = {B:g}, n = {n}, {name}"
    return measure(where, draw, most, bound, most, task.level / parts, 8000)


def designs(different: bool, full: bool) -> Iterator[tuple[str, list[np.ndarray], list[int], np.ndarray]]:
    """Yield logistic problems with a few samples: a name, the feature vectors of each agent (all equally likely), the
    number of samples of each agent, and the true parameter divided by its largest norm."""
    atoms = {
        "one feature": np.array([[1.0]]),
        "a feature and nothing": np.array([[1.0], [0.0]]),
        "two sizes": np.array([[1.0], [-0.5]]),
        "axes": np.eye(2),
        "three directions": np.array([[1.0, 0.0], [0.6, 0.8], [-0.6, 0.8]]),
    }
    for (name, one), n in product(atoms.items(), (1, 2, 4) if full else (1, 3)):
        for truth in ([1.0, 0.0], [0.6, -0.8], [0.0, 0.0]):
            parameter = np.array(truth[: one.shape[1]])
            if different:
                yield f"{name} and its first, n = {n} + 1", [one, one[:1]], [n, 1], parameter
            else:
                yield f"{name}, n = {n}", [one], [n], parameter


def enumerated(task: Task, different: bool, shrink: float = 1.0) -> Evidence:
    """Compare two exact expectations with their bounds: the expected loss of regularised maximum likelihood above its
    minimum, and the excess risk. All outcomes of a few samples with Bernoulli rewards are enumerated, for several norms
    of the parameter and regularisations. Negative control, which must fail: 95 % of the largest value reached."""
    problems = _excesses(different, task.full)
    risks = [(2 * risk / loss, where) for where, loss, risk, _ in problems]
    found = [(loss / bound / shrink, where) for where, loss, _, bound in problems]
    of_risk = at_most_one(risks, "excess risk", rounding=1e-9)
    if of_risk.kind is Verdict.REFUTED:
        return of_risk
    worst = of_risk.figures["worst_ratio"]
    return at_most_one(found, "excess of the loss", cases="problems", rounding=1e-9, risk_over_loss=worst)


@cache
def _excesses(different: bool, full: bool) -> list[tuple[str, float, float, float]]:
    found = []
    for (name, atoms, counts, unit), B in product(designs(different, full), (0.3, 1.0, 3.0)):
        c = float(theorem.least_curvature(B))
        d, n, floor = len(unit), sum(counts), float(theorem.threshold(c, 0.25, different))
        for lam in (1.2 * floor, 2 * floor, float(theorem.logistic(float(d), B, different)[0])):
            bound = (
                2 * theorem.coefficient(float(d), B, c, 0.25, lam, different) / (n if different else n + 1)
            )
            where = f"{name}, B = {B:g}, Lam = {lam:.3g}, omega*/B = {unit.tolist()}"
            found.append((where, *excesses(atoms, counts, B * unit, B, lam), bound))
    return found


def excesses(
    atoms: list[np.ndarray], counts: list[int], truth: np.ndarray, B: float, lam: float
) -> tuple[float, float]:
    """Return two exact expectations for regularised maximum likelihood on a few samples: the expected loss above its
    minimum, and the excess risk. Agent m draws counts[m] samples; each row of atoms[m] is an equally likely feature
    vector. truth: the true parameter. B: its largest norm. lam: the regularisation."""
    cells = np.concatenate(atoms)
    rows: list[tuple[float, list[int], list[int]]] = [(1.0, [], [])]
    for features, count in zip(atoms, counts, strict=True):
        means, outcomes = sigma(features @ truth, B), []
        for drawn in combinations_with_replacement(range(2 * len(features)), count):  # cell 2i + r
            number = np.bincount(drawn, minlength=2 * len(features))
            chance = float(math.factorial(count))
            for cell, times in enumerate(number):
                p = means[cell // 2] if cell % 2 else 1 - means[cell // 2]
                chance *= (p / len(features)) ** int(times) / math.factorial(int(times))
            met = (number[::2] + number[1::2]).tolist()
            outcomes.append((chance, met, number[1::2].tolist()))
        rows = [(p * q, a + b, s + t) for p, a, s in rows for q, b, t in outcomes]
    chances = np.array([row[0] for row in rows])
    estimates = minimisers(cells, np.array([r[1] for r in rows]), np.array([r[2] for r in rows]), B, lam)
    shares = np.concatenate(
        [np.full(len(a), k / sum(counts) / len(a)) for a, k in zip(atoms, counts, strict=True)]
    )
    scores, true = estimates @ cells.T, cells @ truth
    inside, c = np.clip(scores, -B, B), float(theorem.least_curvature(B))
    psi = np.logaddexp(0, inside) + (scores - inside) * (sigma(scores, B) + c / 2 * (scores - inside))
    loss = psi - np.logaddexp(0, true) - sigma(true, B) * (scores - true)
    risk = (sigma(scores, B) - sigma(true, B)) ** 2
    return float(chances @ loss @ shares), float(chances @ risk @ shares)
