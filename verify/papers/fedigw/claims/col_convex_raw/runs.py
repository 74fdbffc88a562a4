"""Check that FedIGW with a protocol of known optimisation error, over models of bounded norm, stays below its regret
bound.

The class is the ball norm(w) <= 1, of Rademacher complexity R with 2R = 8/sqrt(n) after n samples. Projected gradient
descent on the objective F from 0 with step 1/L, L = 2(1+1/n), has after k rounds

    F(w_k) - min_{norm(w) <= 1} F <= L/(2k) = (1+1/n)/k

so for every delta > 0, k = ceil((1+1/n) sqrt(n)/(8 delta)) rounds give an optimisation error of at most delta 2R.
"""

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from bounds.own_agd_rate import smoothness
from bounds.schedules import doubling_plan
from bounds.theorems.col_convex_raw import DEFAULTS, THEOREM, ball_risk, rademacher
from fedigw.applicable import applicable
from fedigw.channel import Channel
from fedigw.interfaces import Fitted, FLProtocol, Guarantee, Memory, Setting
from fedigw.ledger import one_call
from linear.environments import gap_one
from linear.model import Ridge
from linear.ridge import PooledRidge, RidgeData, RidgeProblem
from verify.claim import Evidence, Task, Verdict
from verify.experiments.ratios import at_most_one
from verify.pictures import (
    BOUND,
    BOUND_COLOUR,
    MEASURED,
    PROTOCOL_COLOUR,
    WITHOUT,
    Figures,
    logarithmic,
    stays_below,
)
from verify.statistics import regrets
from verify.statistics.measurement import Comparison

AGENTS, ARMS, DIMENSION, SHARE = 4, 2, 3, 0.5
HORIZONS = (2**14, 2**18, 2**22)


def curvature(n: int) -> float:
    return float(smoothness(float(n)))


def rounds(n: int, share: float = SHARE) -> int:
    """Return the number of rounds of projected gradient descent after which the optimisation error is at most 2 share
    R, for the Rademacher complexity R of the unit ball after n samples."""
    return math.ceil(curvature(n) / 2 / (share * 2 * float(rademacher(float(n), 1.0))))


def projected(point: np.ndarray) -> np.ndarray:
    return np.asarray(point / np.maximum(np.linalg.norm(point, axis=-1, keepdims=True), 1.0))


@dataclass(frozen=True)
class ProjectedGradient(FLProtocol):
    """Federated gradient descent in which the server projects its point on the unit ball. share: optimisation error
    divided by twice the Rademacher complexity of the ball."""

    share: float = SHARE
    name: ClassVar[str] = "projected gradient"
    needs: ClassVar[tuple[str, ...]] = ("gradients",)
    pools: ClassVar[bool] = True

    def fit(
        self, problem: RidgeProblem, channel: Channel, memory: Memory, rng: np.random.Generator
    ) -> Fitted:
        point, step = np.zeros(problem.dimension), 1 / curvature(problem.samples)
        for _ in range(rounds(problem.samples, self.share)):
            point = projected(point - step * problem.exchange(channel, point))
        return Fitted(problem.sent(channel, self.name, point))

    def pooled(self, problem: PooledRidge, rng: np.random.Generator) -> np.ndarray:
        step = 2 / (curvature(problem.samples) * problem.samples)
        system, moment = step * (problem.gram + np.eye(problem.gram.shape[-1])), step * problem.moment
        point = np.zeros_like(moment)
        for _ in range(rounds(problem.samples, self.share)):
            point = projected(point - np.einsum("rij,rj->ri", system, point) + moment)
        return point

    def guarantee(self, setting: Setting) -> Guarantee:
        agents, d = setting.agents, Ridge.of(setting).dimension

        def cost(n: int) -> Any:
            k = rounds(n, self.share)
            return one_call(agents, k, (k, k * d), (k + 1, (k + 1) * d))

        return Guarantee(
            claim="col:convex_raw",
            risk=lambda variant, n: float(ball_risk(variant, float(n), 2.0, 1.0, self.share, 1.0)),
            distance=None,
            cost=cost,
        )


def scheduled_regret(task: Task) -> Evidence:
    """Check that the measured regret of FedIGW with projected gradient descent, whose optimisation error is as large
    as the Rademacher complexity, is below its sharpened bound. The bound computed for the simulated federation must
    also equal the formula of col:convex_raw. Negative control, which must fail: a bound a tenth below the exact
    regret of a small example."""
    world = gap_one.make(np.random.default_rng(1), DIMENSION, ARMS, AGENTS, 4)
    world = replace(world, protocol=ProjectedGradient())
    comparisons: list[Comparison] = []
    series: list[dict[str, Any]] = []
    for horizon in HORIZONS:
        federation, last = world.with_plan(doubling_plan(horizon, AGENTS)), horizon == HORIZONS[-1]
        found = applicable(federation)
        bound, formula = found.values["sharpened"], stated_bound(horizon)
        if not math.isclose(bound, formula, rel_tol=1e-9):  # two sums of some 40 terms
            said = f"T = {horizon}: the bound of the run is {bound:.6g}, that of the formula {formula:.6g}"
            return Evidence(Verdict.REFUTED, said, {"series": series})
        where, trivial = f"T = {horizon}", found.trivial["sharpened"]
        runs = dict(budget=200, least=24) if last else dict(budget=4, least=4)
        compared = regrets.regret_against(task, where, federation, bound, trivial, 2 if last else 4, **runs)
        comparisons += [compared] if last else []
        series.append(compared.json() | {"T": horizon})
    return regrets.judged(task, comparisons, series=series)


def stated_bound(horizon: int) -> float:
    given = DEFAULTS | {"M": AGENTS, "K": ARMS, "T": horizon, "delta": SHARE, "Lam": 1.0}
    return float(THEOREM.evaluate("sharpened", "regret", None, given).value)


def optimisation_error(task: Task, part: float = 1.0) -> Evidence:
    """Check that the optimisation error of projected gradient descent, after (1+1/n) sqrt(n)/4 rounds on n samples, is
    at most the Rademacher complexity of the class. Data are random, or have one small curvature, the worst case for
    gradient descent. Negative control, which must fail: an eighth of the rounds."""
    rng, found = task.rng(), []
    for n in (64, 1024, 2**14):
        k = max(1, int(part * rounds(n)))
        slow = 1 / math.sqrt(2 * (rounds(n) // 8) + 1)  # a curvature that k/8 rounds hardly reduce
        drawn = rng.standard_normal((16, 3))
        drawn /= np.maximum(np.linalg.norm(drawn, axis=1, keepdims=True), 1)
        for name, features, rewards in (
            ("one curvature", np.array([[slow]]), np.array([slow])),
            ("random", drawn, rng.random(16)),
        ):
            gram, moment = (
                (features.T @ features) / len(features) * n,
                features.T @ rewards / len(features) * n,
            )
            problem = RidgeProblem([RidgeData(n, gram, moment)], 1)
            best, point = in_ball(gram + np.eye(len(moment)), moment), np.zeros(len(moment))
            for _ in range(k):
                point = projected(point - (2 / n) * (gram @ point + point - moment) / curvature(n))
            gap = (problem.gap(point) - problem.gap(best)) / (SHARE * 2 * float(rademacher(float(n), 1.0)))
            found.append((gap, f"{name}, n = {n}"))
    return at_most_one(found, "the optimisation error", cases="problems", rounding=1e-9)


def in_ball(system: np.ndarray, moment: np.ndarray) -> np.ndarray:
    """Return the minimiser (d,) of w'Aw - 2b'w over the unit ball, where A is `system` and b is `moment`, by bisection
    for the Lagrange multiplier."""
    values, vectors = np.linalg.eigh(system)
    inside = vectors.T @ moment
    low, high = 0.0, float(np.linalg.norm(moment))
    if np.linalg.norm(inside / values) <= 1:
        high = 0.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if np.linalg.norm(inside / (values + middle)) > 1 else (low, middle)
    return np.asarray(vectors @ (inside / (values + high)))


def regret_picture(axes: Any, figures: Figures) -> None:
    """The picture shows that measured regret per step stays below the bound, which falls like the fourth root of the
    horizon. Models are in the unit ball, and the optimisation error is as large as the complexity of the class."""
    series = next(iter(figures.values()))["series"]
    at, colour = [point["T"] for point in series], BOUND_COLOUR["sharpened"]
    mean = [point["mean"] / (AGENTS * point["T"]) for point in series]
    axes.plot(at, mean, color=PROTOCOL_COLOUR["fedavg"], label="measured, projected gradient", **MEASURED)
    grid = [2**k for k in range(12, HORIZONS[-1].bit_length())]
    bound = [stated_bound(horizon) / (AGENTS * horizon) for horizon in grid]
    axes.plot(grid, bound, color=colour, label="bound, sharpened", **BOUND)
    axes.axhline(1.0, label="trivial, M T", **WITHOUT)
    logarithmic(axes, "horizon T", "regret / (M T)")
    told = [(point["mean"], point["bound"]) for point in series if not point["vacuous"]]
    axes.set_title(stays_below("Measured regret", told, "the bound"))
