"""app:ef21. EF21 converges linearly to the minimiser, in every run (Theorem C3).

Problem: agent m has weight p_m and a beta-smooth objective f_m. F = sum p_m f_m is beta-smooth with norm(F')^2 >= 2 mu
gap, where gap = F(x) - min F.

Method: agent m stores a reference vector g_m. A round is g_m <- g_m + C(grad f_m(x) - g_m), x+ = x - eta sum p_m g_m.
The compressor C satisfies norm(C(v) - v)^2 <= (1 - alpha) norm(v)^2. For the k largest of d numbers alpha = k/d; with
their places they take k(64 + ceil(log2 d)) bits.

Let theta = 1 - sqrt(1-alpha) and Psi = gap + (eta/theta) sum p_m norm(g_m - grad f_m(x))^2. If eta <= 1/(beta(1 +
sqrt2 (1/theta - 1))), then from every state

    Psi_{k+1} <= (1 - min(eta mu, theta/2)) Psi_k

In FedIGW: on n samples the method starts at x = 0 with Psi_0 <= 1 + 4 (eta/theta)(1-alpha)(1+1/n). Let e(n) be the
excess risk of the minimiser w_S. Once norm(x - w_S)^2 <= n gap <= delta^2 e(n), the excess risk of x is at most
(1+delta)^2 e(n).

Proof. Let G = sum p_m norm(g_m - grad f_m(x))^2, X = norm(x+ - x)^2 and g = sum p_m g_m, so norm(g - F')^2 <= G.
Smoothness: gap+ <= gap - (eta/2) norm(F')^2 + (eta/2) G - (1/(2 eta) - beta/2) X. Young's inequality: G+ <= (1-theta)
G + ((1-theta)^2/theta) beta^2 X. The rest are inequalities between scalars.
"""

from collections.abc import Iterator

import numpy as np

from bounds.compression import top_k_bits
from fedigw_extensions.compression import rounds
from fedigw_extensions.compression.calls import Forgetful, reaches
from fedigw_extensions.compression.protocols import ef21 as formulas
from fedigw_extensions.compression.protocols.ef21 import Ef21
from linear.quadratics import Quadratics
from verify.claim import Claim, Evidence, Task, Variant, Verdict
from verify.experiments.local_methods import random_problem
from verify.experiments.local_ratios import Ratio, judging
from verify.experiments.small_runs import enter_promises
from verify.formal.scalar_steps import enter_steps

claim = Claim(
    title="EF21: the largest coordinates of differences suffice",
    section="Federated learning",
    tags=("optimisation", "fl", "compression"),
    depends=("own:ridge_excess_risk",),
    variants={
        "every_run": Variant(
            r"\Psi_{k+1} \le (1-\min(\eta\mu,\vartheta/2))\Psi_k",
            ("f_m beta-smooth, norm(F')^2 >= 2 mu gap", "eta <= 1/(beta(1 + sqrt2(1/th - 1)))"),
            Verdict.FLOAT,
        ),
        "scalar_core": Variant(
            r"\vartheta n+N \le (1-r)(\vartheta g+E)",
            ("the round as scalars, for all reals (eta = 1)",),
            Verdict.Z3,
        ),
    },
)


@claim.check(
    "every_run",
    control=dict(speed=2.2),
    name="round",
    about="one round from many states; control: 2.2 times the speed",
)
@claim.check(
    "every_run", control=dict(longer=6.0), name="limit", about="the same; control: a step six times too long"
)
@judging("one round from random states")
def one_round(task: Task, speed: float = 1.0, longer: float = 1.0) -> Iterator[Ratio]:
    """Divide EF21's potential after one round from random states (objective minus its minimum, plus weighted error of
    the agents' reference vectors) by its bound. The controls, which must fail, claim `speed` times the rate, or take a
    step `longer` times the allowed one."""
    rng = task.rng()
    for number in range(4000 if task.full else 40):
        problem = random_problem(rng) if number else rounds.flat().problem
        agents, d = problem.minimisers.shape
        keep = int(rng.integers(1, d + 1)) if number else d
        share = keep / d
        step = longer * float(rng.choice([1.0, 1.0, 0.1])) * formulas.largest_step(problem.beta, share)
        flat = np.linalg.eigh(problem.hessian)[1][:, 0]
        away = flat if number % 3 == 0 else rng.standard_normal(d) * 10 ** rng.uniform(-2, 2)
        point = problem.best[0] + away
        slopes = problem.gradients(np.tile(point, (agents, 1)))
        wrong = 0.0 if number % 2 == 0 else 10 ** rng.uniform(-3, 1)
        kept = slopes + wrong * rng.standard_normal((agents, d))

        def psi(
            x: np.ndarray,
            g: np.ndarray,
            p: Quadratics = problem,
            e: float = step,
            t: float = formulas.theta(share),
        ) -> float:
            here = np.tile(x, (len(p.weights), 1))
            return p.gap(here) + e / t * float(p.weights @ ((g - p.gradients(here)) ** 2).sum(axis=1))

        moved = point - step * problem.weights @ kept
        after = kept + rounds.top_k(problem.gradients(np.tile(moved, (agents, 1))) - kept, keep)
        rate = speed * formulas.rate(step, problem.mu, share)
        bound = (1 - rate) * psi(point, kept)
        if bound > 0 and (speed == 1 or rate < 0.5):  # a control must be refuted by what is slow
            yield Ratio(psi(moved, after), bound, f"M = {agents}, d = {d}, k = {keep}")


@claim.check("every_run", control=dict(false=True))
def reach(task: Task, false: bool = False) -> Evidence:
    """Check that one execution of EF21 comes within 1e-8 of the minimiser. Control, which must fail: agents send the
    largest coordinates of their gradients, without reference vectors."""
    protocol = Forgetful(keep=1, rounds=500) if false else Ef21(keep=1, rounds=5500)
    return reaches(task, protocol, lambda d: top_k_bits(d, 1))


enter_promises(claim, "every_run", Ef21(keep=2), Ef21(keep=2, rounds=2), "two rounds")


# y = eta beta, q = sqrt2 (1/th - 1): the term of X vanishes
LIMIT = """
    y(1+q) <= 1 gives q^2 y^2 <= 1 - y
        y > 0, q >= 0, y*(1 + q) <= most => q**2*y**2 <= 1 - y
"""
# a = norm(g_m - grad f_m(x)), h = norm(grad f_m(x+) - grad f_m(x)), u = 1 - th = sqrt(1 - al). Then with eta = 1:
# b = beta, m = mu, t = th, q = sqrt2; G = norm(F')^2; E and N: errors before and after, g and n: gaps
REST = """
    u^2 (a+h)^2 <= u a^2 + u^2 h^2/(1-u)
        0 <= u < 1, a >= 0, h >= 0 => (1 - u)*u**2*(a + h)**2 <= (1 - u)*u*a**2 + u**2*h**2
    the round, assembled
        b > 0, m > 0, 0 < t <= 1, q**2 == 2, q > 0, b*(t + q*(1 - t)) <= t, 2*m*g <= G, g >= 0, X >= 0, E >= 0,
        r <= m, 2*r <= t, r >= 0, n <= g - G/2 + E/2 - (1 - b)*X/2, t*N <= t*(1 - t)*E + (1 - t)**2*b**2*X
        => t*n + N <= (1 - r)*(t*g + E)
"""
about = "The round by z3; control: a step twice as long"
enter_steps(claim, about, dict(text=LIMIT, most=2), text=LIMIT + REST, most=1)
