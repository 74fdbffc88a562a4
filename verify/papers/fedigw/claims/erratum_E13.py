"""erratum:E13. FedAvg as printed (alg:fedavg) has a wrong sign, so that it increases the loss.

Clients send Delta_m = omega'_m - omega_m, the change of their model by local steps, which points against the
gradient. The server sets omega <- omega - eta sum_m (n_m/n) Delta_m, a step along the gradient; n_m/n is the share of
samples of client m. With "+" in place of "-" the loss decreases. Example: two clients with one sample each, features
1 and 1/2, rewards 1 and 0, lambda = 1/2, eta = 1/4.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from fedigw.channel import Channel
from fedigw.protocols.fedavg import FedAvg
from fedigw.protocols.fedavg_printed import FedAvgPrinted
from fedigw.watching import Watching
from linear.ridge import RidgeData, RidgeProblem
from verify.claim import Claim, Erratum, Evidence, Severity, Task, Variant, Verdict

SAMPLES = ((Fraction(1), Fraction(1)), (Fraction(1, 2), Fraction(0)))  # (feature, reward) of each client
REGULARISATION = Fraction(1, 2)
STEP = Fraction(1, 4)
WITNESS = (
    "witness: F(w) = ((w - 1)^2 + (w/2)^2)/2 + w^2/2 = (9/8)(w - 4/9)^2 + const, from w = 0, eta = 1/4",
    "  local steps: grad L_1(0) = 2(0 - 1) = -2, Delta_1 = 2; grad L_2(0) = 0, Delta_2 = 0; mean 1",
    "  printed: w = 0 - 1/4, gap (9/8)(1/4 + 4/9)^2 = 0.543, more than (9/8)(4/9)^2 = 0.222 before",
    "  with +:  w = 0 + 1/4, gap (9/8)(4/9 - 1/4)^2 = 0.043",
)

claim = Claim(
    title="alg:fedavg as printed ascends",
    section="Linear class",
    tags=("erratum", "linear"),
    erratum=Erratum(
        place="Appendix A.2, alg:fedavg, lines 3 and 5: Delta_m = omega'_m - omega_m is subtracted",
        severity=Severity.FALSE,
        order_survives="it is not about an order: as printed the loss grows without bound",
        repair="+ for - in line 5",
        about=("alg:fedavg",),
    ),
    variants={
        "printed": Variant(
            r"\hat\omega \gets \hat\omega - \eta\sum_m\tfrac{n_m}{n}\Delta_m\ \text{descends}",
            (),
            Verdict.REFUTED,
        ),
        "repaired": Variant(
            r"\hat\omega \gets \hat\omega + \eta\sum_m\tfrac{n_m}{n}\Delta_m\ \text{descends}",
            (),
            Verdict.EXACT,
        ),
    },
    notes=lambda: WITNESS,
)


def loss_gaps(sign: int, rounds: int) -> list[Fraction]:
    """Return how far the loss of the erratum's example is above its minimum after each round from omega = 0, in
    rationals. The server moves by `sign` times its step size times the mean of the clients' moves."""
    curvature = sum((f * f for f, _ in SAMPLES), Fraction(0)) / len(SAMPLES) + REGULARISATION
    best = sum((f * r for f, r in SAMPLES), Fraction(0)) / len(SAMPLES) / curvature
    omega, gaps = Fraction(0), []
    for _ in range(rounds + 1):
        gaps.append(curvature * (omega - best) ** 2)
        # local step: omega' = omega - grad L_m(omega); Delta_m = omega' - omega
        moved = [-(2 * f * (f * omega - r) + 2 * REGULARISATION * omega) for f, r in SAMPLES]
        omega += sign * STEP * sum(moved, Fraction(0)) / len(SAMPLES)
    return gaps


@claim.check("printed", control=dict(sign=1), name="printed")
@claim.check("repaired", control=dict(sign=-1), given=dict(sign=1), name="repaired")
def descends(task: Task, sign: int = -1) -> Evidence:
    """Check whether the loss of the example (two clients with one sample each) comes nearer to its minimum in each of
    five rounds of FedAvg, in rationals. With the printed sign of the update it must not, with the other sign it must.
    The negative control has the other sign, and must have the opposite outcome."""
    gaps = loss_gaps(sign, 5)
    return _judged(gaps, Verdict.EXACT, "", {"gaps": [str(g) for g in gaps]})


def _judged(gaps: Sequence[float | Fraction], kind: Verdict, tail: str, figures: dict[str, Any]) -> Evidence:
    shown = " -> ".join(f"{float(gap):.3g}" for gap in gaps) + tail
    if all(after < before for before, after in pairwise(gaps)):
        return Evidence(kind, f"with + the gap falls: {shown}", figures)
    said, replay = f"as printed the gap grows: {shown}", "python -m verify run erratum:E13"
    return Evidence(Verdict.REFUTED, said, figures, replay=replay)


@claim.check("printed", control=dict(printed=False), name="protocol-printed")
@claim.check("repaired", control=dict(printed=True), given=dict(printed=False), name="protocol")
def by_protocol(task: Task, printed: bool = True) -> Evidence:
    """Check whether the loss of the example (two clients with one sample each) comes nearer to its minimum in each of
    five rounds of FedAvg, by as much as computed in rationals. The printed variant runs the protocol fedavg_printed,
    the repaired one fedavg. The negative control runs the other protocol, and must have the opposite outcome."""
    datasets = [RidgeData(1, np.array([[float(f * f)]]), np.array([float(f * r)])) for f, r in SAMPLES]
    problem = RidgeProblem(datasets, 1, regularisation=float(len(SAMPLES) * REGULARISATION))
    rng = np.random.default_rng(0)
    channel = Channel(len(SAMPLES), 1, None, rng)
    gaps = Watching(channel, problem.gap, np.zeros(1)).gaps
    method = FedAvgPrinted if printed else FedAvg
    # the paper's local step is a whole gradient and its eta the server's: beyond the local stability limit here
    method(5, 1, 1.0, server_step=float(STEP), unstable=True).fit(problem, channel, None, rng)
    exact = [float(gap) for gap in loss_gaps(-1 if printed else 1, 5)]
    figures = {"gaps": gaps, "exact": exact}
    if not np.allclose(gaps, exact, rtol=1e-12, atol=1e-14):
        return Evidence(Verdict.UNDECIDED, "the protocol does not carry out the printed lines", figures)
    return _judged(gaps, Verdict.FLOAT, ", by the protocol, as in rationals to 1e-12", figures)
