"""app:error_feedback. Error feedback on quadratics converges linearly, up to an error that remains (Theorem C4).

Problem: agent m has weight p_m and a quadratic loss f_m. F = sum p_m f_m is beta-smooth and mu-strongly convex with
minimiser w_S, and zeta*^2 = sum p_m norm(grad f_m(w_S))^2. The gap of a point is F(x) - F(w_S).

Method: agent m keeps a vector e_m of what it has not sent yet, 0 at first. In a round it sends v_m = C(e_m + eta grad
f_m(x)); then x+ = x - sum p_m v_m and e_m+ = e_m + eta grad f_m(x) - v_m. The compressor C satisfies norm(C(v) - v)^2
<= (1 - alpha) norm(v)^2 (the k largest of d numbers: alpha = k/d).

If eta <= alpha/(8 beta) and q = 1 - 3 eta mu/16, the mean of the gaps of x_0, ..., x_{R-1} with weights q^-(r+1) is at
most

    (3 mu/20) norm(x_0 - w_S)^2 q^R/(1 - q^R) + 16 (1-alpha) eta^2 beta zeta*^2/alpha^2

The gap of the weighted average of the points has the same bound.

In FedIGW: on n samples norm(x - w_S)^2 <= n gap, and zeta*^2 is at most (sqrt M + sqrt(d+4))^2/n in the mean over the
data of M agents. So to come within a squared distance of delta^2 e(n) of w_S, whose excess risk is e(n), takes of the
order of n^2 rounds.

Proof. z = x - sum p_m e_m moves by z+ = z - eta F'(x), and norm(z - x)^2 <= E = sum p_m norm(e_m)^2. On quadratics
<F', x - w_S> = 2 gap and norm(F')^2 <= 2 beta gap. So norm(z+ - w_S)^2 <= q norm(z - w_S)^2 - 2 eta gap + (19/8) eta
beta E. Also E+ <= (1 - alpha/2) E + (4(1-alpha)/alpha) eta^2 (2 beta gap + zeta*^2); with the weights w, sum w E <=
(128/(61 alpha)) times the weighted sum of the added terms. At least 2 - 38/61 >= 5/4 of the gap remains, and
(19/8)(128/61) 4/(5/4) <= 16.
"""

from collections.abc import Iterator

import numpy as np

from bounds.compression import top_k_bits
from fedigw.channel import Channel
from fedigw_extensions.compression import rounds
from fedigw_extensions.compression.protocols import error_feedback as formulas
from fedigw_extensions.compression.protocols.error_feedback import ErrorFeedback
from linear.quadratics import Quadratics
from verify.claim import Claim, Evidence, Task, Variant, Verdict
from verify.experiments.local_methods import random_problem
from verify.experiments.local_ratios import Ratio, judging
from verify.experiments.small_runs import enter_promises
from verify.formal.scalar_steps import enter_steps

claim = Claim(
    title="Error feedback: what a compressor drops is sent later",
    section="Federated learning",
    tags=("optimisation", "fl", "compression"),
    depends=("own:ridge_excess_risk",),
    variants={
        "average": Variant(
            r"\sum_r w_r\Delta_r/\sum_r w_r \le \tfrac{3\mu}{20}d_0\tfrac{q^R}{1-q^R}"
            r"+\tfrac{16(1-\alpha)\eta^2\beta\zeta_*^2}{\alpha^2}",
            ("quadratic losses, all agents in every round", "eta <= al/(8 beta)"),
            Verdict.FLOAT,
        ),
        "scalar_core": Variant(
            r"n \le (1-\tfrac{3\mu}{16})d-2\Delta+\tfrac{19}{8}\beta E",
            ("the round as scalars, for all reals (eta = 1), and the numbers of the sum",),
            Verdict.Z3,
        ),
    },
)


@claim.check(
    "average",
    control=dict(cut=0.34),
    name="gaps",
    about="runs from many states; control: a third of the bound",
)
@claim.check(
    "average", control=dict(forget=True), name="memory", about="the same; control: what is dropped is lost"
)
@judging("weighted mean of the gaps")
def weighted_gaps(task: Task, cut: float = 1.0, forget: bool = False) -> Iterator[Ratio]:
    """Divide the weighted mean of (objective minus its minimum) over the rounds of error feedback by its bound. The
    controls, which must fail, claim `cut` times the bound, or forget what the compressor leaves out."""
    rng = task.rng()
    for number in range(1000 if task.full else 40):
        problem = random_problem(rng) if number else _hidden()
        agents, d = problem.minimisers.shape
        keep = int(rng.integers(1, d + 1)) if number % 2 else max(1, d // 2)
        share = keep / d
        step = float(rng.choice([1.0, 1.0, 0.2]) if number else 1.0) * formulas.largest_step(
            problem.beta, share
        )
        flat = np.linalg.eigh(problem.hessian)[1][:, 0]
        point = problem.best[0] + float(rng.choice([1.0, 1e-3])) * (
            flat if number % 3 else rng.standard_normal(d)
        )
        point = point if number else np.zeros(d)
        start, owed = float(((point - problem.best[0]) ** 2).sum()), np.zeros((agents, d))
        decay, total, mean = formulas.decay(step, problem.mu), 0.0, 0.0
        count = int(rng.choice([1, 5, 40])) if number else 300
        for _ in range(count):
            here = np.tile(point, (agents, 1))
            total = decay * total + 1
            mean += (problem.gap(here) - mean) / total
            owed = owed + step * problem.gradients(here)
            sent = rounds.top_k(owed, keep)
            owed = np.zeros_like(owed) if forget else owed - sent
            point = point - problem.weights @ sent
        bound = formulas.gap_bound(count, step, problem.mu, problem.beta, share, problem.heterogeneity, start)
        yield Ratio(mean, cut * bound, f"M = {agents}, d = {d}, k = {keep}, R = {count}")


def _hidden() -> Quadratics:
    return Quadratics.around(
        np.tile(np.eye(2), (2, 1, 1)), np.full(2, 0.5), np.array([[1.5, 1.0], [-1.5, 1.0]]), 2
    )


enter_promises(
    claim,
    "average",
    ErrorFeedback(tolerance=0.9),
    ErrorFeedback(rounds=1, step_size=1e-3),
    "one round",
    slow=True,
)


@claim.check("average", control=dict(places=False))
def bits(task: Task, places: bool = True) -> Evidence:
    """Compare the bits that error feedback sends with k (64 + ceil(log2 d)) for each message of k numbers in d
    dimensions. Control, which must fail: a formula without the bits for the indices of the k numbers."""
    from fedigw_extensions.compression.calls import AGENTS, DIMENSION, problem

    given, counts = problem(task.rng()), []
    for keep in (1, 3, DIMENSION):
        channel = Channel(AGENTS, 1)
        ErrorFeedback(keep=keep, rounds=7).fit(given, channel, None, np.random.default_rng(0))
        formula = AGENTS * 7 * (top_k_bits(DIMENSION, keep) if places else 64 * keep)
        counts.append((keep, channel.traffic.bits_up, formula))
    shown = ", ".join(f"k = {k}: {counted} ({formula})" for k, counted, formula in counts)
    verdict = Verdict.FLOAT.unless(any(counted != formula for _, counted, formula in counts))
    return Evidence(verdict, f"bits up, and by the formula: {shown}", {"rows": counts})


# eta = 1: b = beta, m = mu, g = gap, N = norm(F')^2, J = <F', z - x>, E; x, d: squared distances of x and z; n: of z+.
# kept: sixteenths of mu
ROUND = """
    the round of z
        b > 0, 8*b <= 1, 0 < m <= b, g >= 0, N >= 0, E >= 0, x >= 0, d >= 0, 2*b*g >= N, g + 2*b*E >= -2*J,
        d <= 2*x + 2*E, 2*g >= m*x, n == d - 4*g - 2*J + N => n <= (1 - kept*m/16)*d - 2*g + 19*b*E/8
"""
SUM = """
    errors: (1-a)(1 + 2(1-a)/a) <= 2(1-a)/a, and (1-a)(1 + a/(2(1-a))) = 1 - a/2
        0 < a < 1 => a*(1 - a) + 2*(1 - a)**2 <= 2*(1 - a)
    a sum with weights: q - (1 - a/2) >= 61 a/128, as 3 eta mu/16 <= 3 a/128
        0 < a <= 1, y <= a/8, q == 1 - 3*y/16 => 128*(q - 1 + a/2) >= 61*a
    what remains: (19/8)(128/61) 8/64 <= 2 - 5/4 and (19/8)(128/61) 4 <= 16 (5/4)
        u == 1 => u*19*128*8 <= 3*(8*61*64)/4*u
    the floor
        u == 1 => u*19*128*4 <= 20*8*61*u
"""
enter_steps(
    claim, "The steps by z3; control: twice the rate", dict(text=ROUND, kept=6), text=ROUND + SUM, kept=3
)
