"""app:compressed_gradients. Gradient descent with compressed gradients converges linearly, up to an error that remains
(Theorem C1).

Problem: agent m has weight p_m <= p_max and a convex, beta-smooth objective f_m. F = sum p_m f_m is mu-strongly convex
with minimiser w_S, and zeta*^2 = sum p_m norm(grad f_m(w_S))^2 measures how different the agents are.

Method: a round is x+ = x - eta sum p_m Q_m(grad f_m(x)). The compressors Q_m are random and independent, with E Q(v) =
v and E norm(Q(v) - v)^2 <= omega norm(v)^2. If eta <= 1/(beta(1 + 2 omega p_max)), then after k rounds

    E norm(x_k - w_S)^2 <= (1 - eta mu)^k norm(x_0 - w_S)^2 + 2 eta omega p_max zeta*^2/mu

The last term does not vanish, because the compression error is as large as the agents' own gradients at w_S. DIANA
(app:diana) removes it. Stochastic rounding of d numbers to b bits has omega = d/(2^b-1)^2 and takes d b + 32 bits.

In FedIGW: let e(n) be the excess risk of w_S on n samples. If each of the two terms is at most delta^2 e(n)/2, the
excess risk of x_k is at most (1+delta)^2 e(n).

Proof. Let I = <F'(x), x - w_S> and D = sum p_m norm(grad f_m(x) - grad f_m(w_S))^2. Co-coercivity gives D <= beta I,
Jensen's inequality norm(F')^2 <= D, and strong convexity I >= mu norm(x - w_S)^2. By independence E norm(x+ - w_S)^2
<= norm(x - w_S)^2 - 2 eta I + eta^2 norm(F')^2 + eta^2 omega p_max sum p_m norm(grad f_m(x))^2. The last sum is at
most 2 D + 2 zeta*^2.
"""

from collections.abc import Iterator
from fractions import Fraction

from fedigw_extensions.compression import rounds
from fedigw_extensions.compression.protocols import compressed_gradients as formulas
from fedigw_extensions.compression.protocols.compressed_gradients import CompressedGradients
from verify.claim import Claim, Evidence, Task, Variant, Verdict
from verify.experiments.local_ratios import Ratio, judging
from verify.experiments.small_runs import enter_promises
from verify.formal.scalar_steps import enter_steps

claim = Claim(
    title="Compressed gradient descent: linear convergence to a floor",
    section="Federated learning",
    tags=("optimisation", "fl", "compression"),
    depends=("own:ridge_excess_risk",),
    variants={
        "mean": Variant(
            r"\mathbb{E}\|x_k-w_S\|^2 \le (1-\eta\mu)^k\|x_0-w_S\|^2 + 2\eta\omega p_{\max}\zeta_*^2/\mu",
            (
                "f_m convex and beta-smooth, F mu-strongly convex",
                "unbiased independent compressors",
                "eta <= 1/(beta(1 + 2 om p_max))",
            ),
            Verdict.FLOAT,
        ),
        "scalar_core": Variant(
            r"d-2I+N+2\omega p_{\max}(D+\zeta_*^2) \le (1-\mu)d+2\omega p_{\max}\zeta_*^2",
            ("the round as scalars, for all reals (eta = 1)",),
            Verdict.Z3,
        ),
    },
)


@claim.check(
    "mean",
    control=dict(speed=2.2),
    name="round",
    about="one round from many states; control: 2.2 times the speed",
)
@claim.check("mean", control=dict(noise=0.4), name="noise", about="the same; control: 0.4 of the noise")
@judging("one round, the mean over the rounding")
def one_round(task: Task, speed: float = 1.0, noise: float = 1.0) -> Iterator[Ratio]:
    """Divide the mean squared distance from the minimiser after one round of compressed gradient descent, computed in
    closed form, by its bound. The controls, which must fail, claim `speed` times the rate, or `noise` times the
    bound's constant term."""
    for start, step in rounds.stepped(task, formulas):
        problem = start.problem
        measured, _ = rounds.mean_step(start, step, 0.0)
        floor = formulas.floor(step, problem.mu, start.om, start.share, problem.heterogeneity)
        kept = 1 - speed * step * problem.mu
        if kept < 0.5 and speed > 1:  # a control must be refuted by what is slow, not by a negative bound
            continue
        yield Ratio(
            measured, kept * float(start.away @ start.away) + noise * step * problem.mu * floor, start.where
        )


@claim.check("mean", control=dict(speed=Fraction(5, 2)), name="enumeration")
def enumerated(task: Task, speed: Fraction = Fraction(1)) -> Evidence:
    """Compare the mean squared distance of compressed gradient descent from the minimiser after one round with its
    bound, exactly, over all outcomes of the rounding, on tiny problems. Control, which must fail: 2.5 times the rate.
    """

    def one(case: rounds.Tiny) -> tuple[Fraction, Fraction] | None:
        share = max(case.weights)
        step = 1 / (case.beta * (1 + 2 * case.om * share))
        if speed > 1 and speed * step * case.mu > Fraction(1, 2):
            return None  # a control must be refuted by what is slow, not by a negative bound
        measured, _ = rounds.exact_means(case, step, Fraction(0))
        noise = 2 * step**2 * case.om * share * case.mean_square(case.slopes(case.best))
        return measured, (1 - speed * step * case.mu) * (case.away @ case.away) + noise

    return rounds.enumerated(task, "E norm(x+ - w_S)^2", one)


enter_promises(claim, "mean", CompressedGradients(), CompressedGradients(rounds=2), "two rounds")


# eta = 1: b = beta, m = mu, w = 2 om p_max, d = norm(x - w_S)^2, z = zeta*^2, N = norm(F')^2
STEPS = """
    the round, assembled
        b > 0, m > 0, w >= 0, b*(1 + w) <= limit, b*I >= D, N <= D, m*d <= I, d >= 0, z >= 0, D >= 0, I >= 0
        => d - 2*I + N + w*D + w*z <= (1 - m)*d + w*z
"""
enter_steps(claim, "The round by z3; control: a step twice as long", dict(limit=2), text=STEPS, limit=1)
