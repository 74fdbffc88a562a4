"""The mixture Q^l of policies that inverse gap weighting plays: its regret and estimated regret, summed."""

from __future__ import annotations

import sympy as sp

from bounds.proofs.engine.model import Hypothesis, Step, Total, reals
from bounds.proofs.vocabulary import setting as at
from bounds.proofs.vocabulary.transfer import summed

mixture_reghat, sum_mixture, sum_mixture_reghat, mean_mixture, share, kernel_reghat = reals(
    "Reghat_Q S_Reg_Q S_Reghat_Q ES_Reg_Q q Reghat_p"
)
Q_LOSS = Hypothesis(
    "lem:q_loss_bound",
    "the estimated regret of the kernel <= (K-1)/gamma for every agent",
    sp.Le(kernel_reghat, (at.arms - 1) / at.rate),
    kind="lemma",
    source="lem:q_loss_bound/mixture",
    renamed={mixture_reghat: kernel_reghat},
)
DECOMPOSED = Hypothesis(
    "lem:loss_decompose",
    "the kernel's estimated regret Reghat_p, averaged over contexts, is the average Reghat_Q over the policies of Q",
    sp.Eq(mixture_reghat, kernel_reghat),
    kind="definition",
)
LARGEST = Hypothesis(
    "q",
    "q = 1 - 1/K_max: (K-1)/K <= q for every agent",
    sp.And(sp.Le(at.arms - 1, share * at.arms), share >= 0, share <= 1),
    kind="definition",
)
NAMES = Hypothesis(
    "mixtures",
    "S_Reg_Q, S_Reghat_Q average S[Reg], S[Reghat] over Q, Reghat_Q that of one agent",
    declares=(sum_mixture, sum_mixture_reghat, mean_mixture),
    kind="definition",
)
INDEXED = {
    **at.INDEXED,
    "agent": (*at.INDEXED["agent"], mixture_reghat, kernel_reghat),
    "data": (*at.INDEXED["data"], sum_mixture),
}
TOTALS = {
    "agent": (*at.AGENT, Total(sum_mixture_reghat, at.length * mixture_reghat)),
    "data": (*at.DATA, Total(mean_mixture, sum_mixture)),
    "policy": (
        Total(1, sp.Integer(1)),
        Total(sum_mixture, at.sum_reg),
        Total(sum_mixture_reghat, at.sum_reghat),
        Total(mixture_reghat, at.reghat),  # so that the sums over agents and policies commute
    ),
}
ESTIMATED: Step = summed(
    "estimated regret of the mixture",
    sp.Le(sum_mixture_reghat, share * at.arms_weight / at.rate),
    sp.Le(at.length * mixture_reghat, share * at.length * at.arms / at.rate),
    ("H2", "lem:q_loss_bound", "lem:loss_decompose", "q", "rates", "arms"),
    "(K-1)/gamma <= q K/gamma, weights E",
)
