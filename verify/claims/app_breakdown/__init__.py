"""app:breakdown. From one half on nothing holds: if f >= M/2 of M agents lie, no aggregation rule has a finite kappa of
app:robust_mean, and no FedIGW whose FL routine treats the agents alike has sublinear regret in every world.

Proof. N = M - f <= f messages at 0, N at 1, the rest anywhere: the honest agents may be those at 0, or those at 1. Both
have v = 0, so a finite kappa asks for the value 0 and for the value 1. For regret let f = M/2 agents report 1 - r for
every reward r. In the world with means 1 - mu the same datasets arise with the roles exchanged; so whatever is played
has the same law in both worlds, and per step the two regrets add up to max mu - min mu: for honest agents in step

    Reg_mu(T) + Reg_{1-mu}(T) = M_h T (max mu - min mu)      (one context, or its mean over contexts)

and one of the two is at least half of that. With 2 of 10 lying the sum is small (app:robust_predictions).
"""

from __future__ import annotations

from verify.claim import Claim, Variant
from verify.claims.app_breakdown import pictures, runs, worlds
from verify.verdict import Verdict

claim = Claim(
    label="app:breakdown",
    title="From one half of lying agents on nothing holds",
    section="Robustness",
    statement=__doc__ or "",
    tags=("robust", "regret"),
    depends=("app:robust_mean", "app:robust_predictions"),
    variants={
        "no_constant": Variant(
            r"f \ge M/2 \Rightarrow \kappa = \infty\ \text{for every rule}", ("0 < f < M",), Verdict.EXACT
        ),
        "linear_regret": Variant(
            r"\mathrm{Reg}_\mu(T)+\mathrm{Reg}_{1-\mu}(T) = M_hT(\max\mu-\min\mu)",
            ("f = M/2 agents report 1 - r", "the FL routine treats agents alike", "agents in step"),
            Verdict.SUPPORTED,
            tight=True,
        ),
    },
)

claim.check("no_constant", control=dict(fewer=1))(worlds.two_worlds)
claim.check("linear_regret", control=dict(liars=1), statistical=True)(runs.mirrored)
claim.check("linear_regret", control=dict(rule="mean"), statistical=True)(runs.by_share)
claim.plot(
    "Regret of the honest agents by the share that lies (M = 10, K = 2)",
    "by-share",
    name="regret",
    caption="With the mean one liar in ten is enough to ruin the regret. The median and the trimmed mean stay"
    " below their dashed bounds as long as fewer than half of the agents lie, and break down at one half,"
    " where no rule has a guarantee.",
)(pictures.by_share)
