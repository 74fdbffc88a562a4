"""app:diana. DIANA converges linearly to the minimiser with any number of bits (Theorem C2).

Problem: agent m has weight p_m <= p_max and a convex, beta-smooth objective f_m. F = sum p_m f_m is mu-strongly convex
with minimiser w_S, and g_m* = grad f_m(w_S).

Method: agent m stores a reference vector h_m and sends c_m = Q_m(grad f_m(x) - h_m). A round is x+ = x - eta sum p_m
(h_m + c_m) and h_m+ = h_m + alpha c_m with alpha = 1/(1+omega). The compressors Q_m are random and independent, with E
Q(v) = v and E norm(Q(v) - v)^2 <= omega norm(v)^2.

Let Psi = norm(x - w_S)^2 + (4 omega p_max/alpha) eta^2 sum p_m norm(h_m - g_m*)^2. If eta <= 1/(beta(1 + 6 omega
p_max)), then from every x and h_m

    E Psi_{k+1} <= (1 - min(eta mu, alpha/2)) Psi_k

Stochastic rounding of d numbers to b bits has omega = d/(2^b-1)^2 and takes d b + 32 bits.

In FedIGW: on n samples the method starts at x = 0 and h = 0 with Psi_0 <= n/4 + (16 omega p_max/alpha)(1+1/n) eta^2.
Let e(n) be the excess risk of w_S. Once E norm(x_k - w_S)^2 <= delta^2 e(n), the excess risk of x_k is at most
(1+delta)^2 e(n).

Proof. With I and D as for app:compressed_gradients, A = norm(x - w_S)^2 and H = sum p_m norm(h_m - g_m*)^2: E norm(x+ -
w_S)^2 <= A - 2 eta I + eta^2 D + eta^2 omega p_max (2 D + 2 H), and the mean of H after the round is at most (1-alpha)
H + alpha D, because alpha (1 + omega) <= 1. The rest are inequalities between scalars.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from bounds.compression import rounding_bits
from fedigw_extensions.compression import rounds
from fedigw_extensions.compression.calls import bits_and_regret, reaches
from fedigw_extensions.compression.protocols import diana as formulas
from fedigw_extensions.compression.protocols.compressed_gradients import CompressedGradients
from fedigw_extensions.compression.protocols.diana import Diana
from verify.claim import Claim, Evidence, Task, Variant, Verdict
from verify.experiments.local_ratios import Ratio, judging
from verify.experiments.small_runs import enter_promises
from verify.formal.scalar_steps import enter_steps
from verify.pictures import SPARE, Figures

claim = Claim(
    title="DIANA: compressed gradients without a floor",
    section="Federated learning",
    tags=("optimisation", "fl", "compression"),
    depends=("own:ridge_excess_risk",),
    variants={
        "mean": Variant(
            r"\mathbb{E}\Psi_{k+1} \le (1-\min(\eta\mu,\alpha/2))\Psi_k",
            (
                "f_m convex and beta-smooth, F mu-strongly convex",
                "unbiased independent compressors",
                "eta <= 1/(beta(1 + 6 om p_max)), al = 1/(1+om)",
            ),
            Verdict.FLOAT,
        ),
        "scalar_core": Variant(
            r"n+cf \le (1-r)(d+cE),\quad a^2\omega S \le a(1-a)S",
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
@claim.check(
    "mean",
    control=dict(learns=False),
    name="references",
    about="the same; control: references that do not learn",
)
@judging("one round, the mean over the rounding")
def one_round(task: Task, speed: float = 1.0, learns: bool = True) -> Iterator[Ratio]:
    """Divide DIANA's potential after one round (squared distance from the minimiser plus weighted error of the agents'
    reference vectors), averaged over the rounding, by its bound. The controls, which must fail, claim `speed` times
    the rate, or never update the reference vectors."""
    for start, step in rounds.stepped(task, formulas):
        problem = start.problem
        weight = formulas.weight(step, start.om, start.share)
        distance, error = rounds.mean_step(start, step, formulas.learning(start.om))
        before = float(
            problem.weights @ ((start.references - problem.gradients(problem.best)) ** 2).sum(axis=1)
        )
        if not learns:  # references stay where they are
            error = before
        psi = float(start.away @ start.away + weight * before)
        rate = speed * formulas.rate(step, problem.mu, start.om)
        if psi > 0 and (speed == 1 or rate < 0.5):  # a control must be refuted by what is slow
            yield Ratio(distance + weight * error, (1 - rate) * psi, start.where)


@claim.check("mean", control=dict(speed=Fraction(5, 2)), name="enumeration")
def enumerated(task: Task, speed: Fraction = Fraction(1)) -> Evidence:
    """Compare DIANA's potential after one round (squared distance from the minimiser plus weighted error of the
    reference vectors) with its bound on tiny problems, in exact rational numbers over all outcomes of the rounding.
    Control, which must fail: 2.5 times the stated rate."""

    def one(case: rounds.Tiny) -> tuple[Fraction, Fraction] | None:
        share = max(case.weights)
        step, learning = 1 / (case.beta * (1 + 6 * case.om * share)), 1 / (1 + case.om)
        rate = speed * min(step * case.mu, learning / 2)
        if speed > 1 and rate > Fraction(1, 2):
            return None  # a control must be refuted by what is slow, not by a negative bound
        weight = 4 * case.om * share / learning * step**2
        distance, error = rounds.exact_means(case, step, learning)
        before = case.mean_square(case.references - case.slopes(case.best))
        return distance + weight * error, (1 - rate) * (case.away @ case.away + weight * before)

    return rounds.enumerated(task, "E Psi+", one)


@claim.check("mean", control=dict(false=True))
def reach(task: Task, false: bool = False) -> Evidence:
    """Check that one execution of DIANA with 4 bits per number comes within 1e-8 of the minimiser. Control, which must
    fail: gradients compressed without reference vectors, where an error remains."""
    protocol = CompressedGradients(bits_each=4, rounds=800) if false else Diana(bits_each=4, rounds=800)
    return reaches(task, protocol, lambda d: rounding_bits(d, 4))


enter_promises(claim, "mean", Diana(), Diana(rounds=2), "two rounds")


# S = norm(grad f_m(x) - h_m)^2: norm((1-a)u + a v)^2 = (1-a)U + a V - a(1-a) S, and the rounding adds a^2 om S
LEARNING = """
    references: -a(1-a) S + a^2 om S <= 0 for a(1+om) <= 1
        0 < a <= 1, o >= 0, a*(1 + o) <= limit, S >= 0 => a**2*o*S <= a*(1 - a)*S
"""
# eta = 1: b = beta, m = mu, w = om p_max, a = al, c a = 4 w; d, E before, n and f after; r the rate
ASSEMBLED = """
    the round, assembled
        b > 0, m > 0, w >= 0, 0 < a <= 1, c >= 0, c*a == 4*w, b*(1 + 6*w) <= 1, b*I >= D, m*d <= I,
        d >= 0, E >= 0, D >= 0, I >= 0, r <= m, 2*r <= a, r >= 0,
        n <= d - 2*I + D + 2*w*D + 2*w*E, f <= (1 - a)*E + a*D => n + c*f <= (1 - r)*(d + c*E)
"""
about = "The round by z3; control: references that learn twice too fast"
enter_steps(claim, about, dict(text=LEARNING, limit=2), text=LEARNING + ASSEMBLED, limit=1)


@claim.check("mean", control=dict(false=True), name="bits")
def trade(task: Task, false: bool = False) -> Evidence:
    """Measure the regret of FedIGW with compressed protocols and the bits sent, and compare the bits with their
    formula. Control, which must fail: a formula that omits the 32 bits for the scale of a message."""
    return bits_and_regret(task, false)


@claim.plot(
    "Regret against the bits that agents send",
    "bits",
    name="bits",
    caption="Further left is cheaper, further down is better. b: bits a number. Grey: one bit a number, or one"
    " coordinate (k = 1), is too little here.",
)
def draw_regret_against_bits(axes: Any, figures: Figures) -> None:
    found = figures["bits"]
    direct = found["direct"]
    full = found["series"].get("64 bits a number", [direct])
    best = min(full, key=lambda p: float(p["regret"]))
    good = {}
    for name, points in found["series"].items():
        bits, lost = ([p[key] for p in points] for key in ("bits", "regret"))
        look: dict[str, Any] = {"color": "black" if points is full else "0.7", "label": name}
        if points is not full and min(lost) <= best["regret"]:
            good[name] = min(points, key=lambda p: float(p["regret"]))
            look["color"] = SPARE[len(good)]
        elif points is not full:
            look["label"] = "1 bit, or 1 coordinate"
        axes.plot(bits, lost, "o-", **look)
    axes.plot(
        [direct["bits"]],
        [direct["regret"]],
        "*",
        color="#b42318",
        markersize=12,
        label="direct (statistics, one round)",
    )
    axes.set_xscale("log")
    axes.set_xlabel("bits that all agents send in the run")
    axes.set_ylabel(
        f"mean regret, T = {found['horizon']}, {found['agents']} agents, d = {found['dimension']}"
    )
    if good:
        name = min(good, key=lambda name: float(good[name]["regret"]))
        saved = best["bits"] / good[name]["bits"]
        axes.set_title(f"{name}: no more regret than with 64 bits a number, {saved:.0f} times fewer bits")
