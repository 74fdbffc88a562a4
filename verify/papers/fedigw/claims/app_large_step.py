"""app:large_step. Which local step sizes make FedAvg diverge: above 2/beta it may still converge, but not for every
number of steps.

Losses are quadratic with Hessians H_m and largest curvature beta. Agents have weights p_m and take K full local
gradient steps of size eta. Four statements:

    every_K     "for eta beta > 2 FedAvg diverges" is false. With weights (1/2, 1/2), curvatures h = (1, 1/10) and
                eta = 2.1, a round multiplies the error by sum_m p_m (1 - eta h_m)^K = -0.155, 0.917, -0.651 for K =
                1, 2, 5
    even_K      for eta beta > 2 it diverges for every even K > ln(1/p_m)/ln(eta beta - 1), where m is the agent of
                curvature beta: sum_m p_m (I - eta H_m)^K is a sum of positive semidefinite terms, one of norm p_m
                (eta beta - 1)^K > 1
    one_agent   for eta beta > 2 and one agent it diverges for every K
    fedprox     FedProx with exact local solutions and server step 1 converges for every proximal weight m > 0
"""

import math
from fractions import Fraction

import numpy as np

from verify.claim import Claim, Evidence, Task, Variant, Verdict
from verify.experiments import local_methods as methods

WEIGHTS = (Fraction(1, 2), Fraction(1, 2))
CURVATURES = (Fraction(1), Fraction(1, 10))
STEP = Fraction(21, 10)

claim = Claim(
    title="Local steps beyond 2/beta: when FedAvg diverges",
    section="Federated learning",
    tags=("optimisation", "fl"),
    variants={
        "every_K": Variant(
            r"\eta\beta > 2 \Rightarrow |\textstyle\sum_m p_m(1-\eta h_m)^K| > 1\ \forall K",
            ("as it is often said",),
            Verdict.REFUTED,
        ),
        "even_K": Variant(
            r"\eta\beta > 2,\ K\ \text{even},\ K > \tfrac{\ln(1/p_m)}{\ln(\eta\beta-1)} \Rightarrow"
            r" \rho(\textstyle\sum_m p_m(I-\eta H_m)^K) > 1",
            ("m attains beta",),
            Verdict.FLOAT,
        ),
        "one_agent": Variant(
            r"M = 1,\ \eta\beta > 2 \Rightarrow |1-\eta\beta|^K > 1", ("M = 1",), Verdict.EXACT
        ),
        "fedprox": Variant(
            r"\rho(I-\textstyle\sum_m p_mH_m(H_m+mI)^{-1}) < 1", ("m > 0, server step 1",), Verdict.FLOAT
        ),
    },
)


def multiplier(steps: int, step_size: Fraction = STEP) -> Fraction:
    """Return the factor by which a FedAvg round with `steps` local steps multiplies the error in the example of two
    agents with curvatures 1 and 1/10."""
    return sum(
        (p * (1 - step_size * h) ** steps for p, h in zip(WEIGHTS, CURVATURES, strict=True)), Fraction(0)
    )


@claim.check("every_K", control=dict(steps=(8, 10, 20)))
def witness(task: Task, steps: tuple[int, ...] = (1, 2, 5)) -> Evidence:
    """Refute that FedAvg always diverges if the local step size exceeds 2/(largest curvature): for 1, 2 and 5 local
    steps a round of an example with two agents multiplies the error by a factor inside (-1, 1), in rationals. Positive
    control, which must hold: for 8, 10, 20 local steps the factor is above 1."""
    found = {k: multiplier(k) for k in steps}
    figures = {"multipliers": {str(k): str(v) for k, v in found.items()}, "eta_beta": str(STEP)}
    shown = ", ".join(f"{float(v):.3f} (K = {k})" for k, v in found.items())
    if all(abs(v) > 1 for v in found.values()):
        return Evidence(Verdict.EXACT, f"eta beta = 2.1: the error is multiplied by {shown}", figures)
    said = f"eta beta = 2.1 and FedAvg converges: the error is multiplied by {shown}"
    return Evidence(Verdict.REFUTED, said, figures, replay="python -m verify run app:large_step")


@claim.check("even_K", control=dict(rule="any"))
def expands(task: Task, rule: str = "beyond") -> Evidence:
    """Check that the spectral radius of a FedAvg round exceeds 1 on random problems with local steps eta > 2/beta. The
    number of local steps is the smallest even one above ln(1/p_m)/ln(eta beta - 1), where agent m has the largest
    curvature beta and the weight p_m. Negative control, which must fail: any number of local steps from 1 to 3."""
    rng, least, count, kept = task.rng(), math.inf, 200, 0
    while kept < count:
        problem = methods.random_problem(rng)
        tops = np.linalg.eigvalsh(problem.hessians)[:, -1]
        excess = float(rng.uniform(1.02, 2.0))  # eta beta - 1
        size = (1 + excess) / problem.beta
        fewest = math.log(1 / problem.weights[int(np.argmax(tops))]) / math.log(excess)
        steps = 2 * (math.floor(fewest / 2) + 1) if rule == "beyond" else int(rng.integers(1, 4))
        if steps > 600:  # (eta beta - 1)^K for a K this large is not computed well
            continue
        kept += 1
        powers = methods.spectral(problem.hessians, lambda h, e=size, k=steps: (1 - e * h) ** k)  # type: ignore[misc]
        round_ = np.einsum("m,mij->ij", problem.weights, powers)
        least = min(least, float(np.abs(np.linalg.eigvalsh(round_)).max()))
    said = f"spectral radius of a round at least {least:.4g} in {count} problems, in floating point"
    figures = {"problems": count, "least_radius": least}
    return Evidence(Verdict.FLOAT if least > 1 else Verdict.REFUTED, said, figures)


@claim.check("one_agent", control=dict(step_size=Fraction(19, 10)))
def alone(task: Task, step_size: Fraction = STEP) -> Evidence:
    """Check that |1 - eta beta|^K, the factor by which a FedAvg round of one agent multiplies the error, exceeds 1 for
    (step size eta) x (curvature beta) = 2.1 and K = 1, ..., 50 local steps, in rationals. Negative control, which must
    fail: eta beta = 1.9."""
    values = [abs(1 - step_size) ** k for k in range(1, 51)]
    said = (
        f"eta beta = {step_size}: the error is multiplied by at least {float(min(values)):.3g}, K = 1 to 50"
    )
    return Evidence(Verdict.EXACT.unless(min(values) <= 1), said, {"least": str(min(values))})


@claim.check("fedprox", control=dict(server_step=2.5))
def proximal(task: Task, server_step: float = 1.0) -> Evidence:
    """Check that the spectral radius of a round of FedProx with exact local solutions is below 1 on random problems,
    so that it converges. Negative control, which must fail: a server step of 2.5."""
    rng, most, count = task.rng(), 0.0, 200
    for _ in range(count):
        problem = methods.random_problem(rng)
        weight = float(problem.beta * 10 ** rng.uniform(-4, 4))
        filters = methods.spectral(problem.hessians, lambda h, m=weight: h / (h + m))  # type: ignore[misc]
        values = np.linalg.eigvalsh(np.einsum("m,mij->ij", problem.weights, filters))
        most = max(most, float(np.abs(1 - server_step * values).max()))
    said = f"spectral radius of a round at most {most:.6f} in {count} problems, in floating point"
    figures = {"problems": count, "largest_radius": most}
    return Evidence(Verdict.FLOAT if most < 1 else Verdict.REFUTED, said, figures)
