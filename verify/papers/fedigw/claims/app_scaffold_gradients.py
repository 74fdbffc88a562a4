"""app:scaffold_gradients. SCAFFOLD with full local gradients on quadratics, all agents in every round (Theorem S1).
Control variates c_m, c = sum p_m c_m; K local steps y <- y - eta(grad f_m(y) - c_m + c);
x+ = x + eta_g(sum p_m y_m - x); option II: c_m+ = c_m - c + (x - y_m)/(K eta). h = K eta eta_g,
Ev = sum p_m norm(c_m - grad f_m(x))^2, Psi = gap + (h/2) Ev. For every start, every c_m and every heterogeneity:

    option II   h <= 1/(2 beta), eta_g >= 1:   Psi_{r+1} <= (1 - (13/16) h mu) Psi_r
    option I    c_m+ = grad f_m(x^r), h <= 0.618/beta, eta_g >= 1:   Psi_{r+1} <= (1 - 0.90 h mu) Psi_r
    fresh       corrections taken at the current x (one more exchange), h beta <= 1:
                gap_{r+1} <= (1 - mu eta_g (1 - (1 - eta beta)^K)/beta)^2 gap_r

So the limit is w_S. At h = 1/(2 beta): gap_r <= (1 - (13/32) mu/beta)^r (gap_0 + Ev_0/(4 beta)).
Proof. v_m = grad f_m(x) - c_m + c, Th_m = I - (1/K) sum_{j<K} (I - eta H_m)^j is in [0, th], th = (K-1) eta beta/2.
x+ - x = -h(F' - u), u = sum p_m Th_m v_m; grad f_m(x+) - c_m+ = H_m(x+ - x) + Th_m v_m; norm(u)^2 <= th^2 V,
V = sum p_m norm(v_m)^2 <= norm(F')^2 + Ev. Then scalar steps, checked for all reals.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from bounds import app_scaffold_gradients as formulas
from verify.claim import Claim, Evidence, Task, Variant
from verify.experiments import local_methods as methods
from verify.experiments.local_ratios import Ratio, cut, judged, sampled, worst
from verify.formal.scalar_steps import ScalarStep, check_steps
from verify.verdict import Verdict

AGREEMENT = 1e-10
HARDEST_FRESH = 3770

HYPOTHESES = ("quadratic losses, all agents in every round, full local gradients, eta_g >= 1",)

claim = Claim(
    label="app:scaffold_gradients",
    title="SCAFFOLD with full local gradients: it contracts whatever the heterogeneity",
    section="Federated learning",
    tags=("optimisation", "fl"),
    variants={
        "option_II": Variant(
            r"\Psi_{r+1} \le (1-\tfrac{13}{16}h\mu)\Psi_r",
            (*HYPOTHESES, "h <= 1/(2 beta)"),
            Verdict.FLOAT,
        ),
        "option_I": Variant(
            r"\Psi_{r+1} \le (1-0.90\,h\mu)\Psi_r", (*HYPOTHESES, "h <= 0.618/beta"), Verdict.FLOAT
        ),
        "fresh": Variant(
            r"\Delta_{r+1} \le \bigl(1-\mu\eta_g\tfrac{1-(1-\eta\beta)^K}{\beta}\bigr)^2\Delta_r",
            (*HYPOTHESES, "h beta <= 1", "corrections taken at the current point"),
            Verdict.FLOAT,
            tight=True,
        ),
        "scalar_core": Variant(
            r"h\beta+2h^2\beta^2 \le 1,\ \vartheta \le \tfrac14,\ -\tfrac h2(1-3\vartheta^2) \le -\tfrac{13}{32}h",
            (
                "the round as scalars, for all reals; Th_m in [0, th] and sum p_m norm(v_m)^2 as in the statement",
            ),
            Verdict.Z3,
        ),
    },
)


def worst_factor(
    problem: methods.Quadratics, steps: int, size: float, server: float, option: int, sign: int = 1
) -> float:
    """The largest Psi_{r+1}/Psi_r over all starts and control variates: an eigenvalue, as a round is linear around
    (w_S, grad f_m(w_S)) and Psi is a quadratic form."""
    agents, d = problem.minimisers.shape
    centred = methods.Quadratics.around(problem.hessians, problem.weights, np.zeros((agents, d)), d)
    count, step = d * (1 + agents), steps * size * server
    basis = np.eye(count)
    points = np.repeat(basis[:, None, :d], agents, axis=1)
    controls = basis[:, d:].reshape(count, agents, d)
    moved, after = methods.scaffold_round(centred, points, controls, steps, size, server, option, sign)

    def root(x: np.ndarray, c: np.ndarray) -> np.ndarray:
        """(count, k): rows whose squared norm is Psi of each state, linear in the state."""
        chol = np.linalg.cholesky(centred.hessian)
        first = x[:, 0] @ chol / np.sqrt(2)
        second = np.sqrt(step / 2 * problem.weights)[:, None] * (c - centred.gradients(x))
        return np.hstack([first, second.reshape(len(x), -1)])

    before, now = root(points, controls), root(moved, after)
    return float(np.linalg.norm(np.linalg.solve(before, now), 2) ** 2)


# The slowest loss of a round that is known, over h mu: equal curvatures, 100 local steps. formulas.SPEED is proved.
SLOWEST = {2: 1.2327, 1: 0.9363}


def slowest_known() -> methods.Quadratics:
    return methods.Quadratics.around(np.ones((2, 1, 1)), np.array([0.5, 0.5]), np.zeros((2, 1)), 1)


def one_round(
    problem: methods.Quadratics,
    option: int,
    steps: int,
    server: float,
    share: float,
    speed: float = 1.0,
    sign: int = 1,
) -> tuple[Ratio, float]:
    """(factor of the worst start over 1 - SPEED h mu, what it loses over h mu); share: of the largest step."""
    step = share * formulas.LIMIT[option] / problem.beta
    size = step / (steps * server)
    assert not formulas.conditions(steps, size, server, problem.beta, option)
    factor = worst_factor(problem, steps, size, server, option, sign)
    where = f"K = {steps}, server step {server:g}, h beta = {step * problem.beta:.3g}, h mu = "
    bound = 1 - speed * formulas.SPEED[option] * step * problem.mu
    return Ratio(factor, bound, f"{where}{step * problem.mu:.3g}"), (1 - factor) / (step * problem.mu)


@claim.check(
    "option_II",
    control=dict(speed=1 / cut(formulas.SPEED[2] / SLOWEST[2])),
    given=dict(option=2),
    name="contraction-II",
    about="one round from the worst start",
)
@claim.check(
    "option_II",
    control=dict(sign=-1),
    given=dict(option=2),
    name="sign",
    about="control: option II with the sign of its new part flipped",
)
@claim.check(
    "option_I",
    control=dict(speed=1 / cut(formulas.SPEED[1] / SLOWEST[1])),
    given=dict(option=1),
    name="contraction-I",
    about="one round from the worst start",
)
def contraction(task: Task, option: int, speed: float = 1.0, sign: int = 1) -> Evidence:
    """The worst start of each problem: its factor over 1 - 13/16 h mu. speed: of the stated one, for the control."""
    slowest = []

    def one(rng: np.random.Generator) -> Ratio:
        problem = methods.random_problem(rng)
        steps, server = int(rng.choice([1, 2, 3, 5, 12])), float(rng.choice([1.0, 1.0, 1.5, 4.0]))
        share = float(rng.choice([1.0, 1.0, 0.3, 0.05]))
        found, lost = one_round(problem, option, steps, server, share, speed, sign)
        slowest.append(lost)
        return found

    known, lost = one_round(slowest_known(), option, 100, 1.0, 1.0, speed, sign)
    slowest.append(lost)
    drawn = sampled(task, one, 1000 if task.full else 100)
    found = judged((known, *drawn), f"option {'I' * option}, one round from the worst start")
    proved = formulas.SPEED[option]
    return Evidence(
        found.kind,
        f"{found.summary}; the slowest loses {min(slowest):.4f} h mu a round, proved {proved:.4f}, which is"
        f" {proved / min(slowest):.4f} of it",
        dict(found.figures) | {"slowest_speed": min(slowest)},
    )


@claim.check("fresh", control=dict(power=1 / cut(1.0)))
def fresh(task: Task, power: float = 1.0) -> Evidence:
    """Corrections at the current x; the gap of one round from the worst of two starts, over its bound. power, for the
    control: the contraction to a power above 1."""

    def one(rng: np.random.Generator) -> Ratio | None:
        problem, found = methods.random_problem(rng), []
        steps, server = int(rng.choice([1, 2, 5, 12])), float(rng.choice([1.0, 2.0]))
        size = float(rng.choice([1.0, 0.3])) / (problem.beta * steps * server)
        # away from the minimum along the flattest direction, and anywhere
        flat = np.linalg.eigh(problem.hessian)[1][:, 0]
        for away in (flat, rng.standard_normal(len(flat))):
            point = problem.best + away
            exact = problem.gradients(point)
            after, _ = methods.scaffold_round(problem, point, exact, steps, size, server, 1)
            factor = formulas.fresh_contraction(steps, size, server, problem.beta, problem.mu)
            bound = factor**power * problem.gap(point)
            if bound > 1e-12 * problem.gap(point):  # else one round ends at the minimum, up to rounding
                found.append(Ratio(problem.gap(after), bound, f"K = {steps}, server step {server:g}"))
        return worst(found)

    drawn = sampled(task, one, 1000 if task.full else 100, (HARDEST_FRESH,))
    return judged(drawn, "fresh corrections, one round")


@claim.check("option_II", control=dict(zero=True), name="limit-II")
@claim.check("option_I", control=dict(zero=True), given=dict(option=1), name="limit-I")
def limit(task: Task, option: int = 2, zero: bool = False) -> Evidence:
    """The end of a run against w_S; zero: control variates kept at 0, which makes it FedAvg, for the control."""
    rng, furthest = task.rng(), 0.0
    count = 1000 if task.full else 80
    for _ in range(count):
        problem = methods.random_problem(rng)
        d = problem.minimisers.shape[1]
        steps = int(rng.choice([2, 5]))
        size = formulas.LIMIT[option] / problem.beta / steps
        matrix, still = _affine(problem, steps, size, option, zero)
        for _ in range(40):
            matrix, still = matrix @ matrix, matrix @ still + still
        scale = max(1.0, float(np.abs(problem.minimisers).max()))
        furthest = max(furthest, float(np.abs(still[:d] - problem.best[0]).max()) / scale)
    return Evidence(
        Verdict.FLOAT if furthest <= AGREEMENT else Verdict.REFUTED,
        f"{count} runs of option {'I' * option} end within {furthest:.1g} of the minimiser w_S",
        {"problems": count, "largest_difference": furthest},
    )


def _affine(
    problem: methods.Quadratics, steps: int, size: float, option: int, zero: bool
) -> tuple[np.ndarray, np.ndarray]:
    """(matrix, shift) of a round on (x, c_1, ..., c_M)."""
    agents, d = problem.minimisers.shape
    count = d * (1 + agents)
    basis = np.vstack([np.zeros(count), np.eye(count)])
    points = np.repeat(basis[:, None, :d], agents, axis=1)
    controls = basis[:, d:].reshape(-1, agents, d)
    x, c = methods.scaffold_round(problem, points, controls, steps, size, 1.0, option)
    after = np.hstack([x[:, 0], (0.0 if zero else 1.0) * c.reshape(len(c), -1)])
    return (after[1:] - after[0]).T, after[0]


def _round(th2: Fraction, controls: int) -> ScalarStep:
    """The assembled round: units with h = 1, so b = h beta. G: norm(F')^2, X: norm(x+ - x)^2, I: <F', x+ - x>, U:
    norm(u)^2, E and N: Ev before and after, g and n: gap before and after, m: h mu."""
    factor = {2: (2, 2), 1: (1, 0)}[controls]
    most, speed = ("1/2", "13/16") if controls == 2 else ("618/1000", "9/10")

    def claim(b: Any, m: Any, G: Any, X: Any, I: Any, U: Any, E: Any, N: Any, g: Any, n: Any) -> Any:
        import z3

        top, fast = z3.Q(*map(int, most.split("/")), b.ctx), z3.Q(*map(int, speed.split("/")), b.ctx)
        t = z3.Q(th2.numerator, th2.denominator, b.ctx)
        return (
            [
                b > 0,
                b <= top,
                m > 0,
                m <= b,
                2 * m * g <= G,  # strong convexity
                X >= 0,
                E >= 0,
                g >= 0,
                G + 2 * I + X == U,  # norm(F' + (x+ - x))^2 = norm(u)^2
                t * (G + E) >= U,  # norm(u)^2 <= th^2 V
                n <= g + I + b * X / 2,  # smoothness
                factor[0] * b * b * X + factor[1] * t * (G + E) >= N,
            ],
            n + N / 2 <= (1 - fast * m) * (g + E / 2),
        )

    return ScalarStep(f"option {'I' * controls}: the round, assembled", "b m G X I U E N g n", claim)


def steps_of_proof(false: bool = False) -> tuple[ScalarStep, ...]:
    if false:  # th as large as K eta beta would allow without the mean over the steps
        return (_round(Fraction(1, 4), 2),)
    return (
        ScalarStep(
            "th = (K-1) eta beta/2 <= 1/4, as K eta beta <= h beta <= 1/2",
            "K e b",
            lambda K, e, b: ([K >= 1, e > 0, b > 0, K * e * b <= 0.5], (K - 1) * e * b / 2 <= 0.25),
        ),
        ScalarStep(
            "h beta + 2 h^2 beta^2 <= 1 at h <= 1/(2 beta)",
            "b",
            lambda b: ([b > 0, b <= 0.5], b + 2 * b * b <= 1),
        ),
        ScalarStep(
            "-(h/2)(1 - 3 th^2) <= -(13/32) h for th <= 1/4",
            "h t",
            lambda h, t: ([h > 0, t >= 0, 4 * t <= 1], 32 * h * (1 - 3 * t * t) >= 26 * h),
        ),
        ScalarStep(
            "V <= norm(F')^2 + Ev: the mean of v_m is F', and moving by c - mean lowers no spread",
            "G E S",  # S: spread of the q_m around their mean, E = S + norm(mean)^2
            lambda G, E, S: ([S >= 0, E >= S, G >= 0], G + S <= G + E),
        ),
        _round(Fraction(1, 16), 2),
        _round(Fraction(309, 1000) ** 2, 1),
    )


@claim.check("scalar_core", control=dict(false=True), name="steps")
def proof_steps(task: Task, false: bool = False) -> Evidence:
    """Scalar inequalities by z3."""
    return check_steps(steps_of_proof(false))
