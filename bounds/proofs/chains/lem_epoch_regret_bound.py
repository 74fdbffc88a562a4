"""lem:epoch_regret_bound, repaired: E S[Reg_Q] <= (2q + 9c^2) S/gamma <= 11 c^2 S/gamma, q = 1 - 1/K_max."""

import sympy as sp

from bounds.proofs.chains.lem_true_virtual_loss import B_PREVIOUS
from bounds.proofs.engine.model import Chain, Decision, Hypothesis, Step
from bounds.proofs.engine.rules import Smt, Summation
from bounds.proofs.vocabulary import mixture as mixed
from bounds.proofs.vocabulary import setting as at
from bounds.proofs.vocabulary.compare import VALUES
from bounds.proofs.vocabulary.transfer import CARRIED, CHOSEN, INVERSES

c, q = at.c, mixed.share
w = at.arms_weight / at.rate
A_IS_SUP = Hypothesis(
    "a bounds every policy",
    "a = sup over policies of S[Reg - 2 Reghat]; it depends on the data, so Q^l may too",
    sp.Le(at.sum_reg - 2 * at.sum_reghat, at.a),
    kind="definition",
)
LOSS = Hypothesis(
    "lem:true_virtual_loss",
    "E a <= 9 c^2 S/gamma",
    sp.Le(at.mean_a, 9 * c**2 * w),
    kind="lemma",
    source="lem:true_virtual_loss/a in every epoch",
)
PAPER = Hypothesis("g = 1", "the paper's learning rate", sp.Eq(at.multiplier, 1))
POSITIVE = next(step for step in CARRIED if step.name == "arms positive")

CHAINS = (
    Chain(
        name="lem:epoch_regret_bound",
        title="E S[Reg_Q] <= 11 c^2 S/gamma",
        variant="repaired",
        file=__file__,
        hypotheses=(
            *(
                at.H1,
                at.H2,
                at.H3,
                at.H4,
                at.H5,
                PAPER,
                at.RATES,
                at.RATIOS,
                at.ARMS,
                at.SOMEONE,
                at.GREEDY,
                A_IS_SUP,
            ),
            *(VALUES, CHOSEN, INVERSES, B_PREVIOUS),
            *(mixed.NAMES, mixed.LARGEST, mixed.Q_LOSS, mixed.DECOMPOSED, LOSS),
        ),
        indexed=mixed.INDEXED,
        totals=mixed.TOTALS,
        steps=(
            POSITIVE,
            mixed.ESTIMATED,
            Step(
                "the mixture",
                sp.Le(mixed.sum_mixture, 2 * mixed.sum_mixture_reghat + at.a),
                ("a bounds every policy", "mixtures"),
                "averaged over Q, given the data",
                Summation("policy", sp.Le(at.sum_reg, 2 * at.sum_reghat + at.a)),
            ),
            Step(
                "given the data",
                sp.Le(mixed.sum_mixture, 2 * q * w + at.a),
                ("the mixture", "estimated regret of the mixture", "rates"),
                "lem:q_loss_bound",
                Smt(),
            ),
            Step(
                "mean",
                sp.Le(mixed.mean_mixture, 2 * q * w + at.mean_a),
                ("H2", "H4", "given the data", "mixtures", "rates"),
                "lengths and rates do not depend on the data",
                Summation("data", sp.Le(mixed.sum_mixture, 2 * q * w + at.a)),
            ),
            Step(
                "fine constant",
                sp.Le(mixed.mean_mixture, (2 * q + 9 * c**2) * w),
                ("mean", "lem:true_virtual_loss", "rates", "ratios", "arms positive"),
                "E a <= 9 c^2 S/gamma",
                Smt(),
            ),
            Step(
                "epoch regret",
                sp.Le(mixed.mean_mixture, 11 * c**2 * w),
                ("fine constant", "q", "rates", "ratios", "arms positive"),
                "2q <= 2 <= 2 c^2",
                Smt(),
            ),
            Step(
                "a smaller constant",
                sp.Le(mixed.mean_mixture, 10 * c**2 * w),
                ("fine constant", "q", "rates", "ratios", "arms positive"),
                "these steps do not give 10",
                Smt(),
                expect=Decision.REFUTED,
            ),
        ),
        concludes=("epoch regret", "fine constant"),
    ),
)
