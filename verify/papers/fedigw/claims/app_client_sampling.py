"""app:client_sampling. FedAvg converges also if only S of M agents take part in a round; sampling adds a known noise
term.

The S agents are drawn without replacement and have equal weights. Each takes K local steps of size eta from the
server's point x to a point y_m, and the server moves to x + eta_g mean_m (y_m - x), a mean over these agents. For
full participation, Theorem G (bounds/local_steps.py) bounds the error that one round adds by c1 h^2 + c2 h^3 with h =
K eta eta_g. With S of M agents it holds for the same step sizes and c2, and with

    c1 = 2 sigma^2/(K S) + 2 zeta^2 (M-S)/(S(M-1)) + (3/2) u sigma^2/(K eta_g^2)

    sigma^2   variance of the gradient of one sample, at the minimiser
    zeta^2    mean squared norm of the agents' gradients at the minimiser: how much they differ
    u         h times the largest curvature

Bounds for all rounds follow. For S = M the middle term is 0, as in Theorem G.

Proof. The gradients of the drawn agents at the minimiser need not add up to 0. Given the draw they are independent of
the noise of the samples. The mean of S of M numbers of sum 0, drawn without replacement, has (M-S)/(S(M-1)) times the
variance of one.
"""

from collections.abc import Iterator

from verify.claim import Claim, Evidence, Task, Variant, Verdict
from verify.experiments.local_ratios import Ratio, cut, judged, sampled
from verify.papers.fedigw.claims.lem_FedAvg_complete import LOSSES
from verify.papers.fedigw.claims.lem_FedAvg_complete.checks import as_exact, one_round

# By S: the seed of the hardest of 8000 random configurations, and the share of the bound that is reached there.
HARDEST = {1: (2937, 0.61391), 2: (415, 0.5175)}

claim = Claim(
    title="FedAvg with some of the agents in each round",
    section="Federated learning",
    tags=("optimisation", "fl"),
    depends=("lem:FedAvg_complete",),
    variants={
        "one_round": Variant(
            r"\mathbb E\,d_+ \le d-2h\Delta+c_1h^2+c_2h^3,\quad c_1 = \tfrac{2\sigma_*^2}{KS}"
            r"+2\zeta_*^2\tfrac{M-S}{S(M-1)}+\tfrac{3u\sigma_*^2}{2K\eta_g^2}",
            (*LOSSES, "equal weights, S of M agents without replacement, 2u + (3/2)u^2 <= 1, eta_g >= 1"),
            Verdict.EXACT,
        )
    },
)


@claim.check("one_round", control=dict(shrink=cut(max(largest for _, largest in HARDEST.values()))))
def rationals(task: Task, shrink: float = 1.0) -> Evidence:
    """Compare the expected squared distance from the minimiser after one round of FedAvg with sampled agents, a mean
    over all draws of agents and samples, with its bound, in rationals. The problems are random; one or two of three
    agents take part. shrink: a factor on the bound. Negative control, which must fail: a factor below the largest known
    ratio."""

    def ratios() -> Iterator[Ratio]:
        for picked, (seed, _) in HARDEST.items():
            count = 200 if task.full else 4
            yield from sampled(task, lambda rng, s=picked: one_round(rng, "fedavg_sgd", s), count, (seed,))  # type: ignore[misc]

    return as_exact(judged(ratios(), "one round with client sampling", shrink))
