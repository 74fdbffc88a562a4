"""app:noisy_gradients. Private ridge regression by gradient descent on noisy gradients (Theorem 5).

Problem: F is the mean squared loss of n samples with features in the unit ball of R^d and rewards in [0,1], plus
norm(w)^2/n. It is beta-smooth with beta = 2(1 + 1/n).

Method: R rounds from x = 0 take the step

    x <- Proj(x - eta (grad F(x) + noise/n)),   Proj the projection to the unit ball, eta <= 1/beta

where noise is N(0, R Delta^2/m^2) in every coordinate. Delta = 3 sqrt3 is the most by which one sample moves the sum
of gradients (app:sensitivity), and m = m(epsilon, delta) is that of app:gaussian_mechanism. So all R rounds together
are (epsilon, delta)-private.

Loss: for any data and any u in the unit ball the mean xbar of the R points satisfies

    E F(xbar) - F(u) <= 1/(2 eta R) + eta d R Delta^2/(m n)^2
                      = Delta sqrt(2d)/(m n)   at eta = m n/(R Delta sqrt(2d)), R >= beta m n/(Delta sqrt(2d))

Excess risk: the true parameter w* has E F(w*) - min F <= (d/4 + 1)/n. So gap = F(xbar) - min F has the mean E gap <=
Delta sqrt(2d)/(m n) + (d/4 + 1)/n, also given the features, and the excess risk is (own:loss_to_risk)

    e(n) <= (sqrt(C/(n+1)) + sqrt(d E gap))^2

with C = d/4 + 1; if agents have different laws, C/(n+1) becomes (d/4 + 9/4)/n.

Variants: if every agent or every sample adds noise, m is divided by sqrt M or sqrt n, M the number of agents. If
gradients are clipped at G, Delta = min(2G, 3 sqrt3), and for G < 4 no excess risk is proved.

Proof of the bound on the loss. Let x+ be the next point, g the gradient at x and z the noise. Then F(x+) - F(u) <=
<g, x+ - u> + (beta/2) norm(x+ - x)^2, and the projection gives <g + z, x+ - u> <= (norm(x-u)^2 - norm(x+-u)^2 -
norm(x+-x)^2)/(2 eta). Compared with the point without noise, which does not depend on z, -E<z, x+ - u> <= eta E
norm(z)^2. Sum over R rounds and use that F is convex.
"""

from dataclasses import dataclass

import numpy as np

from bounds import app_gaussian_mechanism as mechanism
from bounds import own_ridge_excess_risk
from fedigw_extensions.privacy.claims.app_gaussian_mechanism import neighbours
from fedigw_extensions.privacy.claims.app_noisy_statistics.runs import (
    judge_risks,
    judged,
    least_epsilon,
    risks,
)
from fedigw_extensions.privacy.claims.app_noisy_statistics.runs import regret as run
from fedigw_extensions.privacy.linear_protocols import noisy_gradients as formulas
from fedigw_extensions.privacy.linear_protocols.noisy_gradients import NoisyGradients
from linear.model import Ridge
from linear.ridge import RidgeData
from verify.claim import Claim, Evidence, Task, Variant, Verdict
from verify.formal.scalar_steps import solved
from verify.statistics.measurement import compare

STEP = """
    a step of length s: (beta/2) s^2 - s^2/(2 eta) <= 0 where eta beta <= {limit}
        beta > 0, eta > 0, eta*beta <= {limit} => eta*beta*s**2 - s**2 <= 0
"""
STEPS = """
    together: F(x+) - F(u) <= (d - d+)/(2 eta) - <z, x+ - u>
        beta > 0, eta > 0, eta*beta <= 1, F - Fu <= inner + beta*s**2/2, 2*eta*(inner + z) <= d - after - s**2
        => 2*eta*(F - Fu) <= d - after - 2*eta*z
    the noise moves the next point by at most eta norm(z): abs(<z, x+ - x^>) <= eta norm(z)^2
        z >= 0, eta > 0, 0 <= a <= eta*z, p <= z*a => p <= eta*z**2
    E F(w*) - F* = (w*'A^{-1}w* + v tr(A^{-1}V))/n <= (1 + d/4)/n, eigenvalue by eigenvalue
        g >= 0, v >= 0, 4*v <= 1, w >= 0 => 4*(w + v*g) <= (4*w + 1)*(g + 1)
"""
HYPOTHESES = (
    "norm(phi) <= 1, rewards in [0,1], lambda = 1/n",
    "n, R and eta fixed in advance",
)

claim = Claim(
    title="Private ridge regression by noisy gradients",
    section="Privacy",
    tags=("privacy", "linear", "optimisation"),
    depends=("app:sensitivity", "app:gaussian_mechanism", "own:ridge_excess_risk", "own:loss_to_risk"),
    variants={
        "loss": Variant(
            r"\mathbb E F(\bar x)-F(u) \le \frac{1}{2\eta R}+\frac{\eta dR\Delta^2}{(mn)^2}",
            (*HYPOTHESES, "any data, any u of the unit ball; eta <= 1/beta"),
            Verdict.MEASURED,
        ),
        "risk": Variant(
            r"e(n) \le \bigl(\sqrt{C/(n+1)}+\sqrt{d\,\mathbb E\,\mathrm{gap}}\bigr)^2",
            (*HYPOTHESES, "norm(w*) <= 1"),
            Verdict.MEASURED,
        ),
        "regret": Variant(
            r"\mathrm{Reg} \le ME^1(1-\tfrac1K)+\sum_{l\ge2}ME^l\min(1,\tfrac Cg\sqrt{Ke_{l-1}})",
            (*HYPOTHESES, "norm(w*) <= 1, predictions clipped to [0,1]; doubling epochs"),
            Verdict.MEASURED,
        ),
        "private": Variant(
            r"\text{$R$ rounds with noise } \sqrt R\,\Delta/m \text{ are } (\varepsilon,\delta)\text{-private}",
            (*HYPOTHESES, "later rounds depend on earlier ones: composition by citation"),
            Verdict.MEASURED,
        ),
        "steps": Variant(r"\text{scalar steps of the proof}", ("inner products as numbers",), Verdict.Z3),
    },
)


@claim.check("steps", control=dict(text=STEP.format(limit=2)))
def steps(task: Task, text: str = STEP.format(limit=1) + STEPS) -> Evidence:
    """Prove by z3 the inequalities between numbers in the convergence proof of private gradient descent, and by sympy
    that the stated step size gives the stated bound. Control, which must fail: step sizes up to twice the allowed one.
    """
    import sympy

    found = solved(task, text)
    R, Delta, d, m, n = sympy.symbols("R Delta d m n", positive=True)
    eta = m * n / (R * Delta * sympy.sqrt(2 * d))
    value = 1 / (2 * eta * R) + eta * d * R * Delta**2 / (m * n) ** 2
    if sympy.simplify(value - Delta * sympy.sqrt(2 * d) / (m * n)) != 0:
        return Evidence(Verdict.REFUTED, "the step size does not give the stated loss")
    return found


def _designs(rng: np.random.Generator) -> list[tuple[str, np.ndarray, np.ndarray]]:
    ball = rng.standard_normal((40, 3))
    ball /= np.maximum(1, np.linalg.norm(ball, axis=1, keepdims=True))
    return [
        ("one direction", np.ones((20, 1)), np.ones(20)),
        ("random in three dimensions", ball, rng.random(40)),
        ("contradicting rewards", np.tile(np.eye(2), (15, 1)), np.arange(30) % 2 * 1.0),
    ]


@claim.check("loss", control=dict(shrink=0.1), statistical=True)
def loss(task: Task, shrink: float = 1.0) -> Evidence:
    """Compare the loss of ridge regression by noisy gradients minus its minimum, averaged over the noise for fixed
    data, with its bound. The control, which must fail, claims `shrink` times the bound."""
    rng, comparisons, runs = task.rng(), [], 400
    designs = _designs(rng)
    settings = [(epsilon, rounds) for epsilon in (1.0, 8.0) for rounds in (None, 5)]
    level = task.level / (len(designs) * len(settings))
    for name, phi, r in designs:
        n, d = phi.shape
        least = _least_in_ball(phi, r)
        gram, moment = np.tile(phi.T @ phi, (runs, 1, 1)), np.tile(phi.T @ r, (runs, 1))
        for epsilon, rounds in settings:
            protocol = NoisyGradients(epsilon, 1e-5, rounds=rounds)
            found = protocol.pooled(Ridge(d).pooled_problem(RidgeData(n, gram, moment), 1), rng)
            losses = ((found @ phi.T - r) ** 2).mean(axis=1) + (found**2).sum(axis=1) / n
            used = protocol.plan(n, 1, d)[0]
            bound = shrink * formulas.loss(n, d, mechanism.largest_mu(epsilon, 1e-5), used)
            largest = 4 + 1 / n  # (1 + 1)^2 and the regulariser
            where = f"{name}, epsilon = {epsilon:g}, R = {used}"
            sample = np.clip(losses - least, 0, largest)
            comparisons.append(compare(where, sample, largest, bound, largest, level))
    return judged(comparisons, "data sets and rounds: loss", task.level)


def _least_in_ball(phi: np.ndarray, r: np.ndarray) -> float:
    """Return the minimum over w in the unit ball of mean (phi'w - r)^2 + norm(w)^2/n, for features phi (n, d) and
    rewards r (n,). The constraint's multiplier is found by bisection; given it, the minimiser is a ridge estimate."""
    n, d = phi.shape
    gram, moment = phi.T @ phi, phi.T @ r

    def at(extra: float) -> np.ndarray:
        return np.asarray(np.linalg.solve(gram + (1 + extra) * np.eye(d), moment))

    low, high = 0.0, float(n)
    if np.linalg.norm(at(0.0)) > 1:
        for _ in range(80):
            middle = (low + high) / 2
            low, high = (middle, high) if np.linalg.norm(at(middle)) > 1 else (low, middle)
    point = at(low)
    return float(((phi @ point - r) ** 2).mean() + point @ point / n)


@claim.check("risk", control=dict(ignoring_noise=True), statistical=True)
def risk(task: Task, ignoring_noise: bool = False) -> Evidence:
    """Compare the excess risk of ridge regression by noisy gradients after each epoch of runs with its bound, where
    this is below 0.9. Control, which must fail: runs with much noise (epsilon = 1/100) and the bound for no noise."""

    def without(n: int) -> float:
        return float(own_ridge_excess_risk.mean(2.0, n))

    rows: list[tuple[str, int, np.ndarray, float]] = []
    for epsilon, horizon in ((0.01, 256),) if ignoring_noise else ((8.0, 64), (2.0, 256)):
        protocol = NoisyGradients(epsilon, 1e-5)
        found = risks(task, protocol, 2, horizon, 60, without if ignoring_noise else None)
        rows += [(f"epsilon = {epsilon:g}", *row) for row in found]
    return judged(judge_risks(rows, task.level), "calls of whole runs: excess risk", task.level)


@claim.check("regret", control=dict(shrink=0.14), statistical=True)
def regret(task: Task, shrink: float = 1.0) -> Evidence:
    """Compare the mean regret of FedIGW with noisy gradients with its bound, over a horizon so long that the bound
    is not vacuous. The control, which must fail, claims `shrink` times the bound."""
    protocol = NoisyGradients(8.0, 1e-5, rounds=10_000 if task.full else 5000)
    found, row = run(task, protocol, 2, 2**18 - 1, task.level, shrink, budget=128)
    return judged([found], "whole runs: regret", task.level, [row])


MOST_MISSED = 4  # the factor by which epsilon may be exceeded unseen, or nothing is decided


@dataclass(frozen=True)
class Uncomposed(NoisyGradients):
    """Private ridge regression by noisy gradients, whose noise is enough for one round only; a negative control."""

    def deviation(self, rounds: int) -> float:
        return super().deviation(1)


@claim.check("private", control=dict(protocol=Uncomposed), statistical=True)
def composed(task: Task, protocol: type[NoisyGradients] = NoisyGradients) -> Evidence:
    """Measure a lower bound on the epsilon of all rounds of private gradient descent together, by runs on two
    datasets that differ in one sample, and compare it with the claimed epsilon. Control, which must fail: noise that
    is enough for one round only."""
    # an observer sees the noisy gradients of all R rounds, whose log likelihood ratios at the visited points add up;
    # the events, fixed in advance, are that this sum exceeds epsilon, epsilon/2 or epsilon/4
    rng, runs, n, rounds, epsilon, delta = task.rng(), 100_000, 40, 4, 1.0, 0.05
    data, shares = neighbours(n), (1.0, 0.5, 0.25)
    booked = NoisyGradients(epsilon, delta, rounds=rounds).deviation(rounds) / n
    hits: list[list[int]] = []
    for mine in data:
        many = RidgeData(n, np.tile(mine.gram, (runs, 1, 1)), np.tile(mine.moment, (runs, 1)))
        problem, ratio = Ridge(2).pooled_problem(many, 1), np.zeros(runs)
        for point, seen, _ in protocol(epsilon, delta, rounds=rounds).steps(problem, rng):
            means = [(2 / n) * ((one.gram + np.eye(2)) @ point - one.moment[:, None]) for one in data]
            away = [((seen - mean) ** 2).sum(axis=0) for mean in means]
            ratio += (away[1] - away[0]) / (2 * booked**2)
        hits.append([int((ratio > share * epsilon).sum()) for share in shares])
    part = task.level / (2 * len(shares))
    low = max(least_epsilon(pair, runs, delta, part) for pair in zip(*hits, strict=True))
    said = (
        f"epsilon of {rounds} rounds together is at least {low:.4f}; booked: {epsilon:g} at delta = {delta:g}; on this"
        f" pair of data sets an epsilon {epsilon / max(low, 1e-9):.2g} times as large would have been seen"
    )
    figures = {"epsilon": epsilon, "delta": delta, "lower_bound": low, "hits": hits, "runs": runs}
    kind = Verdict.MEASURED if low > epsilon / MOST_MISSED else Verdict.UNDECIDED
    return Evidence(kind.unless(low > epsilon), said, figures, level=task.level)
