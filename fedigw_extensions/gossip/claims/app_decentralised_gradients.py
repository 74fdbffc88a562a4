"""app:decentralised_gradients. Decentralised gradient descent ends at a distance of order sqrt(eta) from the
minimiser, eta its step (Theorem G3).

Problem: M agents of equal weight and no server. The losses f_m are beta-smooth quadratics, their mean F is mu-strongly
convex with minimiser w_S, and zeta*^2 = mean norm(grad f_m(w_S))^2.

Method: a round is x+ = W x - eta grad f(x), where x holds the points of all agents and W mixes them. W is symmetric,
doubly stochastic and positive semidefinite, and lambda_2 is its second largest eigenvalue. If eta <= (1-lambda_2)/(1.5
beta) and B = zeta* sqrt(2 eta/(mu (1-lambda_2))), there is exactly one fixed point x_inf, and for every agent's point
x_m after t rounds

    sqrt(mean norm(x_inf,m - w_S)^2) <= B
    sqrt(mean norm(x_m^t - w_S)^2) <= (1 - eta mu/2)^t (sqrt(mean norm(x_m^0 - w_S)^2) + B) + B

In FedIGW: on n samples zeta*^2 is at most (sqrt M + sqrt(d+4))^2/n in the mean over the data. A squared distance of
delta^2 C'/n takes of the order of n^2 rounds, where C' = d/4 + 9/4 because the agents' models differ.

Proof. A round is x - eta (A x - c) with A = H + (I-W)/eta, where H is block diagonal with the Hessians of the f_m.
Split x = u + p, where u is the part on which agents agree. Then x'Hx >= u'Hu/2 - p'Hp >= (mu/2) norm(u)^2 - beta
norm(p)^2 and p'(I-W)p/eta >= 1.5 beta norm(p)^2, so A >= mu/2. W >= 0 gives eta A <= 1 + eta beta, so norm(I - eta A)
<= max(1 - eta mu/2, eta beta) = 1 - eta mu/2. The error e = x_inf - w_S satisfies A e = -g*, g* the gradients at w_S,
whose agreeing part is 0. Hence s norm(p)^2 <= e'Ae <= norm(g*) norm(p) with s = (1-lambda_2)/eta.
"""

from collections.abc import Iterator

import numpy as np

from fedigw_extensions.gossip.linear_protocols import decentralised_gradients as formulas
from fedigw_extensions.gossip.linear_protocols.decentralised_gradients import DecentralisedGradients
from fedigw_extensions.gossip.rounds import Mixing, equal_weights, mixing, rms
from linear.quadratics import Quadratics
from verify.claim import Claim, Task, Variant, Verdict
from verify.experiments.local_ratios import Ratio, judging
from verify.experiments.small_runs import enter_promises
from verify.formal.scalar_steps import enter_steps

claim = Claim(
    title="Decentralised gradient descent: one exchange a round, and a bias",
    section="Federated learning",
    tags=("optimisation", "fl", "gossip"),
    depends=("own:ridge_excess_risk",),
    variants={
        "distance": Variant(
            r"\sqrt{\overline{\|x^t_m-w_S\|^2}} \le (1-\tfrac{\eta\mu}2)^t(r_0+B)+B,"
            r"\quad B=\zeta_*\sqrt{\tfrac{2\eta}{\mu(1-\lambda_2)}}",
            (
                "quadratics of equal weight",
                "W symmetric, doubly stochastic, positive semidefinite",
                "eta <= (1-lambda_2)/(1.5 beta)",
            ),
            Verdict.FLOAT,
        ),
        "scalar_core": Variant(
            r"\tfrac\mu2u^2-\beta p^2+\tfrac32\beta p^2 \ge \tfrac\mu2(u^2+p^2)",
            ("the steps of the proof as scalars, for all reals",),
            Verdict.Z3,
        ),
    },
)


def _cases(task: Task, count: int) -> Iterator[tuple[np.random.Generator, Quadratics, Mixing, float]]:
    rng = task.rng()
    yield rng, *_two()
    for _ in range(10 * count if task.full else count):
        problem = equal_weights(rng)
        weights = mixing(rng, len(problem.weights), lazy=True)
        step = float(rng.choice([1.0, 1.0, 0.1])) * formulas.largest_step(problem.beta, weights.second)
        yield rng, problem, weights, step


def _two() -> tuple[Quadratics, Mixing, float]:
    problem = Quadratics.around(np.array([[[1.0]], [[1e-4]]]), np.full(2, 0.5), np.array([[1.0], [-1e4]]), 1)
    return problem, Mixing(np.full((2, 2), 0.5), 0.0, 0.0), 0.66


@claim.check("distance", control=dict(cut=0.52), name="bias")
@judging("the fixed point")
def fixed_point(task: Task, cut: float = 1.0) -> Iterator[Ratio]:
    """Divide the distance between the fixed point of decentralised gradient descent and the minimiser by its bound.
    The control, which must fail, claims `cut` times the bound."""
    for _, problem, weights, step in _cases(task, 300):
        agents, d = problem.minimisers.shape
        spread = np.kron((np.eye(agents) - weights.matrix) / step, np.eye(d))
        blocks = np.zeros((agents, d, agents, d))
        blocks[np.arange(agents), :, np.arange(agents), :] = problem.hessians
        right = -problem.gradients(np.zeros_like(problem.minimisers)).ravel()
        found = np.linalg.solve(spread + blocks.reshape(agents * d, -1), right).reshape(agents, d)
        bound = formulas.bias(step, problem.mu, weights.second, problem.heterogeneity)
        where = (
            f"M = {agents}, d = {d}, lambda_2 = {weights.second:.3g}, eta beta = {step * problem.beta:.3g}"
        )
        if bound > 1e-6 * np.abs(problem.minimisers).max():
            yield Ratio(rms(found - problem.best), cut * bound, where)


@claim.check("distance", control=dict(speed=2.5), name="rate", about="runs; control: 2.5 times the speed")
@claim.check(
    "distance", control=dict(longer=8.0), name="limit", about="the same; control: a step eight times too long"
)
@judging("runs")
def convergence(task: Task, speed: float = 1.0, longer: float = 1.0) -> Iterator[Ratio]:
    """Divide the agents' root mean squared distance from the minimiser, in each round of decentralised gradient
    descent, by its bound. The controls, which must fail, claim `speed` times the rate, or take a step `longer` times
    the allowed one."""
    for rng, problem, weights, step in _cases(task, 120):
        agents, d = problem.minimisers.shape
        flat = np.linalg.eigh(problem.hessian)[1][:, 0]
        points = np.tile(problem.best[0] + 10 ** rng.uniform(0, 4) * flat, (agents, 1))
        start = rms(points - problem.best)
        bias = formulas.bias(step, problem.mu, weights.second, problem.heterogeneity)
        for number in range(1, 25):
            points = weights.matrix @ points - longer * step * problem.gradients(points)
            bound = (1 - speed * step * problem.mu / 2) ** number * (start + bias) + bias
            yield Ratio(rms(points - problem.best), bound, f"M = {agents}, d = {d}, t = {number}")


enter_promises(
    claim,
    "distance",
    DecentralisedGradients(tolerance=0.6),
    DecentralisedGradients(rounds=1, step_size=1e-3),
    "one short step",
    slow=True,
)


# u, p: norms of the two parts; b = beta, m = mu; y = eta beta, z = eta mu; g = norm(g*), P = norm(p), A = e'Ae
STEPS = """
    A >= mu/2
        b > 0, 0 < m <= b => m*u**2/2 - b*p**2 + limit*b*p**2 >= m*(u**2 + p**2)/2
    x'Hx >= u'Hu/2 - p'Hp: norm(u+p)^2 >= norm(u)^2/2 - norm(p)^2 in the norm of H
        U >= 0, P >= 0, J**2 <= U*P => U + 2*J + P >= U/2 - P
    eta beta <= 1 - eta mu/2
        0 <= l <= 1, y > 0, 0 < z <= y, 1.5*y <= 1 - l => y <= 1 - z/2
    e'Ae <= norm(g*)^2/s
        g >= 0, P >= 0, s > 0, s*P**2 <= A, g*P >= A => s*A <= g**2
"""
enter_steps(claim, "The steps by z3; control: eta <= (1-lambda_2)/beta", dict(limit=1), text=STEPS, limit=1.5)
