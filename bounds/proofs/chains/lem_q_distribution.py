"""lem:q_distribution: the kernel mixes deterministic policies, Q(pi) = product over x of p(pi(x)|x)."""

import sympy as sp

from bounds.proofs.engine.model import Chain, Decision, Hypothesis, Step, Total, reals
from bounds.proofs.engine.rules import Induction, Smt, Summation
from bounds.proofs.vocabulary.igw_weights import GREEDY_ARM, IGW, LIGHT_ARM, MOVING, OTHERS, TOTALS

new_p, extended, grown, mass, mass_before, mass_first = reals(
    "p_new Q_extended Q_grown mass mass_before mass_none"
)
p_here, marginal = reals("p_here marginal")
EXTENDED = Hypothesis(
    "one more context",
    "a policy on one more context picks an arm there: Q_extended = p_new Q; p_new >= 0 sums to 1; mass is the sum",
    sp.And(new_p >= 0, sp.Eq(extended, new_p * mass_before), sp.Eq(mass, grown)),
    kind="definition",
)
EMPTY = Hypothesis("no other context", "the empty product is 1", sp.Eq(mass_first, 1), kind="definition")
ASSUMED = Hypothesis(
    "one context fewer", "the mass over the contexts so far is 1", sp.Eq(mass_before, 1), kind="induction"
)
HERE = Hypothesis(
    "the marginal at a context",
    "the policies with pi(x) = a: p(a|x) times the mass over all other contexts",
    sp.Eq(marginal, p_here * mass),
    kind="definition",
    once=True,
)

CHAINS = (
    Chain(
        name="lem:q_distribution",
        title="sum over pi with pi(x) = a of Q(pi) = p(a|x)",
        file=__file__,
        hypotheses=(IGW, EXTENDED, EMPTY, ASSUMED, HERE),
        indexed={**MOVING, "arm of the new context": (new_p, extended)},
        totals={**TOTALS, "arm of the new context": (Total(1, new_p), Total(grown, extended))},
        steps=(
            LIGHT_ARM,
            OTHERS,
            GREEDY_ARM,
            Step(
                "mass with one more context",
                sp.Eq(grown, mass_before),
                ("one more context",),
                "the kernel sums to 1 over the arms of the new context",
                Summation("arm of the new context", sp.Eq(extended, new_p * mass_before)),
            ),
            Step(
                "one more",
                sp.Eq(mass, 1),
                ("mass with one more context", "one more context", "one context fewer"),
                "the mass stays 1",
                Smt(),
            ),
            Step("none", sp.Eq(mass_first, 1), ("no other context",), "the empty product", Smt()),
            Step(
                "mass over the other contexts",
                sp.Eq(mass, 1),
                ("none", "one more"),
                "induction over contexts",
                Induction(
                    "one context fewer", "none", "one more", {mass_before: mass}, {mass_before: mass_first}
                ),
            ),
            Step(
                "marginal",
                sp.Eq(marginal, p_here),
                ("the marginal at a context", "mass over the other contexts"),
                "p(a|x) times 1",
                Smt(),
            ),
            Step(
                "without normalisation",
                sp.Eq(marginal, p_here),
                ("the marginal at a context",),
                "false for weights that do not sum to 1",
                Smt(),
                expect=Decision.REFUTED,
            ),
        ),
        concludes=("marginal",),
    ),
)
