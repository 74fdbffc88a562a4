"""lem:loss_decompose: the expected regret of a kernel is the Q-average of the regret of policies."""

import sympy as sp

from bounds.proofs.chains.lem_q_distribution import HERE, marginal, p_here
from bounds.proofs.engine.model import Chain, Decision, Hypothesis, Step, Total, reals
from bounds.proofs.engine.rules import Smt, Summation

chosen, weighted, regret, pair, kernel_here, mixture_here = reals(
    "chosen picked reg_a pair kernel_x mixture_x"
)
kernel_regret, mixture_regret = reals("kernel_regret mixture_regret")
Q_DISTRIBUTION = Hypothesis(
    "lem:q_distribution",
    "the Q-mass of policies that choose the arm is its probability",
    sp.Eq(marginal, p_here),
    kind="lemma",
    source="lem:q_distribution/marginal",
)
NAMES = Hypothesis(
    "sums",
    "chosen = 1 if pi picks the arm, picked = chosen reg; pair = sum over pi of Q picked; "
    "mixture_x sums pair over arms, which "
    "is the Q-average of the regret at x because finite sums commute; kernel_x = sum over arms of p reg",
    sp.Eq(weighted, chosen * regret),
    declares=(p_here, marginal, regret, pair, kernel_here, mixture_here, kernel_regret, mixture_regret),
    kind="definition",
)

CHAINS = (
    Chain(
        name="lem:loss_decompose",
        title="E_{x, a ~ p} regret = sum_pi Q(pi) Reg(pi)",
        file=__file__,
        hypotheses=(Q_DISTRIBUTION, NAMES, HERE),
        indexed={
            "policy": (chosen, weighted),
            "arm": (chosen, weighted, regret, pair, p_here, marginal),
            "context": (chosen, weighted, regret, pair, p_here, marginal, kernel_here, mixture_here),
        },
        totals={
            "policy": (Total(marginal, chosen), Total(pair, weighted)),
            "arm": (Total(mixture_here, pair), Total(kernel_here, p_here * regret)),
            "context": (Total(mixture_regret, mixture_here), Total(kernel_regret, kernel_here)),
        },
        steps=(
            Step(
                "arm out of the sum",
                sp.Eq(pair, marginal * regret),
                ("sums", "lem:q_distribution"),
                "the regret of an arm does not depend on the policy",
                Summation("policy", sp.Eq(weighted, chosen * regret)),
            ),
            Step(
                "one arm",
                sp.Eq(pair, p_here * regret),
                ("arm out of the sum", "lem:q_distribution"),
                "lem:q_distribution",
                Smt(),
            ),
            Step(
                "one context",
                sp.Eq(mixture_here, kernel_here),
                ("one arm", "sums"),
                "summed over arms",
                Summation("arm", sp.Eq(pair, p_here * regret)),
            ),
            Step(
                "decompose",
                sp.Eq(mixture_regret, kernel_regret),
                ("one context", "sums"),
                "averaged over contexts",
                Summation("context", sp.Eq(mixture_here, kernel_here)),
            ),
            Step(
                "without the lemma",
                sp.Eq(pair, p_here * regret),
                ("sums",),
                "nothing else ties the two sides",
                Smt(),
                expect=Decision.REFUTED,
            ),
        ),
        concludes=("decompose",),
    ),
)
