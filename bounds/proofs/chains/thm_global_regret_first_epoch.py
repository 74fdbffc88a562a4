"""The first epoch: fhat^1 = 0 plays arms uniformly, so its regret is at most sum_m (1 - 1/K_m) E_m."""

import sympy as sp

from bounds.proofs.engine.model import Chain, Decision, Hypothesis, Step, Total, reals
from bounds.proofs.engine.rules import Smt, Summation
from bounds.proofs.vocabulary import setting as at

arm_regret, inferior, uniform, agent_regret, total, total_length, total_inverse = reals(
    "reg_a inferior reg_uniform Reg_first S_first_regret W_first I_first"
)
UNIFORM = Hypothesis(
    "uniform arm",
    "each of K arms is played with probability 1/K; `inferior` sums the regret of the K - 1 others",
    sp.And(sp.Eq(uniform * at.arms, inferior), at.arms >= 1),
    kind="definition",
)
RANGE = Hypothesis(
    "H1", "rewards in [0,1], so no arm has a regret above 1", sp.And(arm_regret >= 0, arm_regret <= 1)
)
NAMES = Hypothesis(
    "sums",
    "averages over contexts and sums over agents",
    declares=(agent_regret, total, total_length, total_inverse),
    kind="definition",
)

CHAINS = (
    Chain(
        name="first epoch",
        title="regret of the first epoch <= sum_m (1 - 1/K_m) E_m <= W",
        file=__file__,
        hypotheses=(UNIFORM, RANGE, at.H2, NAMES),
        indexed={
            "inferior arm": (arm_regret,),
            "context": (uniform, inferior),
            "agent": (agent_regret, at.length, at.arms),
        },
        totals={
            "inferior arm": (Total(at.arms - 1, sp.Integer(1)), Total(inferior, arm_regret)),
            "context": (Total(1, sp.Integer(1)), Total(agent_regret, uniform)),
            "agent": (
                Total(total, at.length * agent_regret),
                Total(total_inverse, at.length / at.arms),
                Total(total_length, at.length),
            ),
        },
        steps=(
            Step(
                "inferior arms",
                sp.Le(inferior, at.arms - 1),
                ("H1", "uniform arm"),
                "the best arm has no regret, the others at most 1",
                Summation("inferior arm", sp.Le(arm_regret, 1)),
            ),
            Step(
                "one context",
                sp.Le(uniform, 1 - 1 / at.arms),
                ("uniform arm", "inferior arms"),
                "(K-1)/K",
                Smt(),
            ),
            Step(
                "one agent",
                sp.Le(agent_regret, 1 - 1 / at.arms),
                ("uniform arm", "one context", "sums"),
                "averaged over contexts",
                Summation("context", sp.Le(uniform, 1 - 1 / at.arms)),
            ),
            Step(
                "weighted agent",
                sp.Le(at.length * agent_regret, at.length * (1 - 1 / at.arms)),
                ("uniform arm", "one agent", "H2"),
                "times E",
                Smt(),
            ),
            Step(
                "first epoch, sharpened",
                sp.Le(total, total_length - total_inverse),
                ("uniform arm", "weighted agent", "H2", "sums"),
                "sum_m (1 - 1/K_m) E_m, with I = sum_m E_m/K_m",
                Summation("agent", sp.Le(at.length * agent_regret, at.length - at.length / at.arms)),
            ),
            Step(
                "all of it",
                sp.Le(agent_regret, sp.Rational(1, 2)),
                ("uniform arm", "one agent"),
                "one half is too little as soon as K > 2",
                Smt(),
                expect=Decision.REFUTED,
            ),
            Step(
                "first epoch",
                sp.Le(total, total_length),
                ("uniform arm", "weighted agent", "H2", "sums"),
                "what the paper charges",
                Summation("agent", sp.Le(at.length * agent_regret, at.length)),
            ),
        ),
        concludes=("first epoch", "first epoch, sharpened"),
    ),
)
