"""app:gradient_tracking. Gradient tracking converges linearly to the minimiser without a server (Theorem G2).

Problem: M agents of equal weight. Their losses f_m are beta-smooth quadratics, the mean F is mu-strongly convex with
minimiser w_S, and k = beta/mu.

Method: agent m has a point x_m and a tracker y_m, an estimate of the mean gradient. A step with eta = 1/beta is x+ =
W^tau (x - eta y), y+ = W^tau (y + grad f(x+) - grad f(x)). At first all x_m are equal and y_m = grad f_m(x_m). W is
symmetric and doubly stochastic, and its second largest absolute eigenvalue rho satisfies s = rho^tau <= 1/(9k).

Let D = norm(mean x - w_S), let X and Y be the root mean squares of x_m - mean x and y_m - mean y, and V = D + (11/2) X
+ (9/2) eta Y. Then

    V_{t+1} <= (1 - 1/(2k)) V_t,    sqrt(mean norm(x_m - w_S)^2) <= D + X <= V

So every agent reaches w_S, however different their data are.

In FedIGW: on n samples the method starts at 0 with V_0 <= sqrt(n)/2 + (9/2)/sqrt(1+1/n). The agents' models differ, so
the constant of the excess risk is d/4 + 9/4 (app:gossip_statistics).

Proof. The mean of y is that of the gradients, so D+ <= (1 - 1/k) D + X. Also X+ <= s(X + eta Y). The gradients move by
at most beta times the root mean square of x+ - x, which is at most X+ + X + (D + X); so eta Y+ <= s(eta Y + 2X + D +
X+). Then V+ <= (1 - 1/(2k)) V is one inequality for each of D, X and eta Y.
"""

from collections.abc import Iterator

import numpy as np

from fedigw_extensions.gossip.linear_protocols import gradient_tracking as formulas
from fedigw_extensions.gossip.linear_protocols.gradient_tracking import GradientTracking
from fedigw_extensions.gossip.rounds import equal_weights, mixing, rms
from verify.claim import Claim, Task, Variant, Verdict
from verify.experiments.local_ratios import Ratio, judging
from verify.experiments.small_runs import enter_promises
from verify.formal.scalar_steps import enter_steps

claim = Claim(
    title="Gradient tracking: every agent reaches the minimiser without a server",
    section="Federated learning",
    tags=("optimisation", "fl", "gossip"),
    depends=("own:ridge_excess_risk",),
    variants={
        "every_step": Variant(
            r"V_{t+1} \le (1-\tfrac{1}{2\kappa})V_t",
            (
                "quadratics of equal weight, eta = 1/beta",
                "W symmetric, doubly stochastic, rho^tau <= 1/(9k)",
                "the mean of y is the mean gradient",
            ),
            Verdict.FLOAT,
        ),
        "scalar_core": Variant(
            r"bs \le \tfrac1{2\kappa},\ 1+as+bs(2+s) \le (1-\tfrac1{2\kappa})a,\ as+bs(1+s) \le (1-\tfrac1{2\kappa})b",
            ("for all k >= 1 and 0 <= s <= 1/(9k), a = 11/2, b = 9/2",),
            Verdict.Z3,
        ),
    },
)


@claim.check(
    "every_step",
    control=dict(speed=2.1),
    name="step",
    about="steps from many states; control: 2.1 times the speed",
)
@claim.check(
    "every_step",
    control=dict(track=False),
    name="tracking",
    about="the same; control: agents follow their own gradients",
)
@judging("one step of all agents")
def one_step(task: Task, speed: float = 1.0, track: bool = True) -> Iterator[Ratio]:
    """Divide the potential of gradient tracking after a step (distance of the agents' mean point from the minimiser
    plus their weighted disagreement) by its bound. The controls, which must fail, claim `speed` times the rate, or
    follow the agents' own gradients instead of trackers (track=False)."""
    rng = task.rng()
    for number in range(1500 if task.full else 24):
        problem = equal_weights(rng)
        agents, d = problem.minimisers.shape
        condition, step = problem.beta / problem.mu, 1 / problem.beta
        weights = mixing(rng, agents)
        allowed = formulas.disagreement_allowed(condition)
        rounds = max(1, int(np.ceil(np.log(allowed) / np.log(max(weights.rho, 1e-12)))))
        power = np.linalg.matrix_power(weights.matrix, rounds)
        flat = np.linalg.eigh(problem.hessian)[1][:, 0]
        points = np.tile(problem.best[0] + (flat if number % 2 else rng.standard_normal(d)), (agents, 1))
        slopes = problem.gradients(points)
        trackers = slopes
        if number % 3 == 0:  # anywhere with the right mean
            points = points + rng.standard_normal((agents, d)) * 10 ** rng.uniform(-3, 0)
            slopes = problem.gradients(points)
            noise = rng.standard_normal((agents, d))
            trackers = slopes + (noise - noise.mean(axis=0)) * 10 ** rng.uniform(-3, 0)

        def potential(
            x: np.ndarray, y: np.ndarray, e: float = step, best: np.ndarray = problem.best
        ) -> float:
            middle = x.mean(axis=0)
            away = float(np.linalg.norm(middle - best[0]))
            return formulas.potential(away, rms(x - middle), rms(y - y.mean(axis=0)), e)

        for _ in range(4):
            before = potential(points, trackers)
            moved = power @ (points - step * trackers)
            after = problem.gradients(moved)
            trackers = power @ (trackers + after - slopes) if track else after
            points, slopes = moved, after
            bound = (1 - speed * formulas.SPEED / condition) * before
            if before > 1e-12 and bound >= before / 2:  # a control must be refuted by what is slow
                where = f"M = {agents}, d = {d}, k = {condition:.3g}, tau = {rounds}"
                yield Ratio(potential(points, trackers), bound, where)


enter_promises(
    claim, "every_step", GradientTracking(), GradientTracking(steps=2), "two steps", personal=False
)


# V = D + (a X + b eta Y)/2 with a = 11, b = 9, each inequality times 2k; the control has too small a weight on X
STEPS = """
    D: b s <= 1/(2k)
        k >= 1, s >= 0, 9*k*s <= 1 => b*k*s <= 1
    X: 1 + a s + b s(2+s) <= (1 - 1/(2k)) a
        k >= 1, s >= 0, 9*k*s <= 1 => 2*k*(2 + a*s + b*s*(2 + s)) <= (2*k - 1)*a
    Y: a s + b s(1+s) <= (1 - 1/(2k)) b
        k >= 1, s >= 0, 9*k*s <= 1 => 2*k*(a*s + b*s*(1 + s)) <= (2*k - 1)*b
"""
enter_steps(claim, "The inequalities by z3; control: a smaller weight", dict(a=9), text=STEPS, a=11, b=9)
