"""lem:true_virtual_loss as printed, for a policy that is fixed before the data: from the suprema of the repaired form.

A fixed policy is one of those over which a and b are suprema, on every data set; so is the mean over the data. For a
policy that depends on the data S[Reg] varies with them, and the step does not go through (erratum E1).
"""

from typing import Any

import sympy as sp

from bounds.proofs.chains.lem_epoch_regret_bound import A_IS_SUP, LOSS, PAPER
from bounds.proofs.chains.lem_true_virtual_loss import B_PREVIOUS
from bounds.proofs.engine.model import Chain, Hypothesis, Step, Total, reals
from bounds.proofs.engine.rules import Smt, Summation
from bounds.proofs.vocabulary import setting as at
from bounds.proofs.vocabulary.compare import VALUES
from bounds.proofs.vocabulary.transfer import CARRIED, CHOSEN, INVERSES

(mean_reghat,) = reals("E_S_Reghat")
limit = 9 * at.c**2 * at.arms_weight / at.rate
B_IS_SUP = Hypothesis(
    "b bounds every policy",
    "b = sup over policies of S[Reghat - 2 Reg]",
    sp.Le(at.sum_reghat - 2 * at.sum_reg, at.b),
    kind="definition",
)
REVERSE = Hypothesis(
    "lem:true_virtual_loss, the reverse",
    "E b <= 9 c^2 S/gamma",
    sp.Le(at.mean_b, limit),
    kind="lemma",
    source="lem:true_virtual_loss/b in every epoch",
)
NAMES = Hypothesis(
    "fixed policy",
    "the policy is fixed before the data, so S[Reg] does not depend on them; E S[Reghat] is a mean over the data",
    declares=(mean_reghat,),
    fixes={"data": (at.sum_reg,)},
    kind="definition",
)
POSITIVE = next(step for step in CARRIED if step.name == "arms positive")


def half(
    name: str, title: str, bounded: Hypothesis, mean: sp.Symbol, lemma: Hypothesis, printed: Any
) -> Chain:
    """One half. bounded: term <= supremum, on every data set; mean: that of the supremum."""
    term = bounded.statement.lhs
    return Chain(
        name=name,
        title=title,
        variant="printed",
        file=__file__,
        hypotheses=(
            *(at.H1, at.H2, at.H3, at.H4, at.H5, PAPER, at.RATES, at.RATIOS, at.ARMS, at.SOMEONE, at.GREEDY),
            *(VALUES, CHOSEN, INVERSES, B_PREVIOUS, A_IS_SUP, B_IS_SUP, NAMES, lemma),
        ),
        indexed=at.INDEXED | {"data": (*at.INDEXED["data"], at.sum_reg, at.sum_reghat)},
        totals={"agent": at.AGENT, "data": (*at.DATA, Total(mean_reghat, at.sum_reghat))},
        suprema={h.statement.rhs: ("policy", h.statement.lhs) for h in (A_IS_SUP, B_IS_SUP)},
        steps=(
            POSITIVE,
            Step(
                "mean of a member",
                sp.Le(term.subs(at.sum_reghat, mean_reghat), mean),
                (bounded.name, "fixed policy"),
                "on every data set at most the supremum, then the mean over the data",
                Summation("data", bounded.statement),
            ),
            Step("as printed", printed, ("mean of a member", lemma.name, "rates"), lemma.text, Smt()),
        ),
        concludes=("as printed",),
    )


CHAINS = (
    half(
        "lem:true_virtual_loss fixed policy",
        "S[Reg] <= 2 E S[Reghat] + 9 c^2 S/gamma for a policy fixed before the data",
        A_IS_SUP,
        at.mean_a,
        LOSS,
        sp.Le(at.sum_reg, 2 * mean_reghat + limit),
    ),
    half(
        "lem:true_virtual_loss fixed policy, reverse",
        "E S[Reghat] <= 2 S[Reg] + 9 c^2 S/gamma for a policy fixed before the data",
        B_IS_SUP,
        at.mean_b,
        REVERSE,
        sp.Le(mean_reghat, 2 * at.sum_reg + limit),
    ),
)
