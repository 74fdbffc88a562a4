"""The induction with absorption inside each (agent, context) cell, and with H5 relaxed to gamma_previous <= rbar gamma.

The symbols of one agent are read here at one cell: E = E^l_m D_m(x), Reg the regret of the policy's arm there. Then
A2 = 1/(1 - rbar t) carries no c (t rbar <= 1/2, 2ct < 1), while beta = (2t + c g^2/(4t))/(1 - 2ct) is as before.
"""

import sympy as sp

from bounds.proofs.engine.model import At, Chain, Decision, Hypothesis, Point, Step, Total, reals
from bounds.proofs.engine.rules import Induction, Smt, Summation, Supremum
from bounds.proofs.vocabulary import setting as at
from bounds.proofs.vocabulary.compare import THROUGH_GREEDY, VALUES
from bounds.proofs.vocabulary.sharpening import (
    A1,
    A2,
    S,
    S_previous,
    beta,
    c,
    g,
    gamma,
    gamma_previous,
    joint_split,
    q,
    s,
    t,
    w,
)
from bounds.proofs.vocabulary.transfer import CARRIED, CHOSEN, LEARNING_RATE, V_UPPER, summed

rbar, cell, cell_before, carried = reals("rbar b_cell b_cell_previous S_b_previous")
first_b, first_S, first_gamma = reals("Eb_first S_first gamma_first")
r = gamma_previous / gamma
RELAXED = Hypothesis(
    "H5",
    "learning rates may fall by a factor of at most rbar: gamma_previous <= rbar gamma",
    sp.Le(gamma_previous, rbar * gamma),
)
PARAMETERS = Hypothesis(
    "parameters",
    "s, t, g, rbar > 0, 2ct < 1, 2 rbar t <= 1, s rbar A2 < 1; A2 = 1/(1 - rbar t), "
    "beta = (2t + c g^2/(4t))/(1 - 2ct), A1 = 1/(1 - s rbar A2)",
    sp.And(
        *(
            c >= 1,
            s > 0,
            t > 0,
            g > 0,
            rbar > 0,
            2 * c * t < 1,
            2 * rbar * t <= 1,
            s * rbar * A2 < 1,
            q >= 0,
            q <= 1,
        ),
        sp.Eq(A2 * (1 - rbar * t), 1),
        sp.Eq(beta * (1 - 2 * c * t), 2 * t + c * g**2 / (4 * t)),
        sp.Eq(A1 * (1 - s * rbar * A2), 1),
    ),
    kind="definition",
)
CELL_BEFORE = Hypothesis(
    "b of a cell, one epoch earlier",
    "b_cell_previous = max over arms of Reghat^{l-1} - A2 Reg at the cell",
    sp.Le(at.reghat_previous - A2 * at.reg, cell_before),
    kind="definition",
)
SPLIT = joint_split(
    "split, greedy", "pihat against pi", (at.bias_hat, at.inverse_hat), (at.bias, at.inverse), t
)
ASSUMED = Hypothesis(
    "one epoch earlier",
    "E b_previous <= beta S_previous / gamma_previous, b_previous the sum of E_previous b_cell_previous",
    sp.Le(at.mean_b_previous, beta * S_previous / gamma_previous),
    kind="induction",
)
FIRST = Hypothesis(
    "first epoch",
    "fhat^1 = 0, so every cell has b = 0",
    sp.And(sp.Eq(first_b, 0), first_S >= 0, first_gamma > 0),
    kind="definition",
)
NAMES = Hypothesis("sums", "names of the sums over cells", declares=(at.b, cell, carried), kind="definition")
INDEXED = {
    **at.INDEXED,
    "agent": (*at.INDEXED["agent"], cell, cell_before),
    "data": (*at.INDEXED["data"], carried),
}
TOTALS = {
    "agent": (
        *at.AGENT,
        Total(at.b, at.length * cell),
        Total(carried, at.length * cell_before),
        Total(at.b_previous, at.length_previous * cell_before),
    ),
    "data": at.DATA,
}
STAR = Point("policy", {**at.STAR.values})
SIGNS = (
    Step(
        "A2 at least 1",
        sp.And(A2 >= 1, sp.Le(rbar * t * A2, 1), sp.Eq(1 + rbar * t * A2, A2)),
        ("parameters",),
        "2 rbar t <= 1",
        Smt(),
    ),
    Step("A1 at least 1", A1 >= 1, ("parameters", "A2 at least 1"), "s rbar A2 in [0,1)", Smt()),
    Step("beta positive", beta > 0, ("parameters",), "2ct < 1", Smt()),
    Step(
        "b of a cell is non-negative",
        sp.Ge(cell_before, 0),
        (At("b of a cell, one epoch earlier", point="star"), "estimated regrets"),
        "the best arm has no regret",
        Smt(),
    ),
    summed(
        "b carried",
        sp.Le(carried, at.ratio_max * at.b_previous),
        sp.Le(at.length * cell_before, at.ratio_max * at.length_previous * cell_before),
        ("H2", "ratios", "b of a cell is non-negative", "sums"),
        "E <= ratio_max E_previous, cell by cell",
    ),
)


def inverse(name: str, value: sp.Symbol, regret: sp.Expr, point: str) -> Step:
    """V/gamma <= K/gamma + r (A2 Reg + b_cell_previous) at one cell."""
    names = ("lem:V_upper", "b of a cell, one epoch earlier")
    facts: tuple[str | At, ...] = tuple(At(n, point=point) for n in names) if point else names
    right = at.arms / gamma + r * (A2 * regret + cell_before)
    return Step(
        name,
        sp.Le(value / gamma, right),
        (*facts, CHOSEN.name, "rates"),
        "lem:V_upper, then the previous epoch",
        Smt(),
    )


one = 2 * t * at.arms / gamma + 2 * t * r * cell_before + gamma / (4 * t) * at.error
all_cells = 2 * t * w + 2 * t * r * carried + gamma / (4 * t) * at.sum_error
bound = (
    2 * t * w + 2 * t * r * at.ratio_max * at.b_previous + gamma / (4 * t) * at.ratio_max * at.previous_error
)
STEPS = (
    inverse("V at pi", at.inverse, at.reg, ""),
    inverse("V at the greedy", at.inverse_hat, at.reg_hat, "hat"),
    Step(
        "one cell, every arm",
        sp.Le(at.reghat - A2 * at.reg, one),
        (
            *("through the greedy policy", "split, greedy", "V at pi", "V at the greedy", "H1", "H5"),
            *("rates", "parameters", "A2 at least 1"),
        ),
        "-Reg(pihat) absorbs the pihat term inside the cell; 1 + rbar t A2 = A2",
        Smt(),
    ),
    Step(
        "one cell",
        sp.Le(cell, one),
        ("one cell, every arm", "rates", "parameters", "sums"),
        "largest arm",
        Supremum(cell),
    ),
    summed(
        "all cells",
        sp.Le(at.b, all_cells),
        sp.Le(at.length * cell, sp.expand(at.length * one)),
        ("H2", "one cell", "rates", "parameters", "sums"),
        "weights E^l_m D_m(x)",
    ),
    Step(
        "previous epoch's weights",
        sp.Le(at.b, bound),
        ("all cells", "b carried", "error carried", "rates", "ratios", "parameters"),
        "E <= ratio_max E_previous",
        Smt(),
    ),
    Step(
        "mean",
        sp.Le(at.mean_b, bound.subs({at.b_previous: at.mean_b_previous, at.previous_error: at.mean_error})),
        ("H2", "H4", "previous epoch's weights", "sums", "rates", "parameters"),
        "lengths and rates do not depend on the data",
        Summation("data", sp.Le(at.b, sp.expand(bound))),
    ),
    Step(
        "closes",
        sp.Le(at.mean_b, beta * w),
        (
            *("mean", "one epoch earlier", "lem:learning_rate", "arms carried", "arms positive"),
            *("previous arms positive", "rates", "ratios", "parameters", "beta positive"),
        ),
        "2t + 2ct beta + c g^2/(4t) = beta; gamma_previous cancels, so rbar does not enter",
        Smt(),
    ),
    Step(
        "without relaxed H5",
        sp.Le(at.reghat - A2 * at.reg, one),
        (
            *("through the greedy policy", "split, greedy", "V at pi", "V at the greedy", "H1"),
            *("rates", "parameters", "A2 at least 1"),
        ),
        "some bound on gamma_previous/gamma is needed",
        Smt(),
        expect=Decision.REFUTED,
    ),
    Step(
        "first epoch closes",
        sp.Le(first_b, beta * first_S / first_gamma),
        ("first epoch", "beta positive"),
        "0",
        Smt(),
    ),
    Step(
        "b in every epoch",
        sp.Le(at.mean_b, beta * w),
        ("first epoch closes", "closes"),
        "induction over epochs",
        Induction(
            "one epoch earlier",
            "first epoch closes",
            "closes",
            later={
                at.mean_b_previous: at.mean_b,
                S_previous: S,
                gamma_previous: gamma,
                at.b_previous: at.b,
                at.length_previous: at.length,
                cell_before: cell,
                at.reghat_previous: at.reghat,
            },
            first={at.mean_b_previous: first_b, S_previous: first_S, gamma_previous: first_gamma},
        ),
    ),
)

CHAINS = (
    Chain(
        name="lem:true_virtual_loss per cell",
        title="E of the sum over cells of max_a (Reghat - A2 Reg) <= beta S/gamma, A2 = 1/(1 - rbar t)",
        variant="sharpened",
        file=__file__,
        hypotheses=(
            *(
                at.H1,
                at.H2,
                at.H3,
                at.H4,
                RELAXED,
                at.RATES,
                at.RATIOS,
                at.ARMS,
                at.SOMEONE,
                at.GREEDY,
                PARAMETERS,
                VALUES,
            ),
            *(NAMES, CHOSEN, V_UPPER, LEARNING_RATE, SPLIT, CELL_BEFORE, ASSUMED, FIRST),
        ),
        indexed=INDEXED,
        totals=TOTALS,
        suprema={
            cell: ("policy", at.reghat - A2 * at.reg),
            cell_before: ("policy", at.reghat_previous - A2 * at.reg),
        },
        points={"star": STAR, "hat": at.HAT},
        steps=(THROUGH_GREEDY, *CARRIED, *SIGNS, *STEPS),
        concludes=("b in every epoch",),
    ),
)
