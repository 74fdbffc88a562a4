"""lem:epoch_regret_bound with absorption inside each cell: C = A1 (q + 2s + 2cs beta + c g^2/(4s)), A1 without c.

At s = t = 1/(8c), rbar = 1: C = (8c-1)/(8c-2) (q + 1/(3c) + 8c^2g^2/3), never above the constant of the plain proof.
At c = 1, s = t = 1/8: A1 = (8 - rbar)/(8 - 2 rbar) for learning rates that fall by at most rbar < 4.
"""

import sympy as sp

from bounds.proofs.chains.lem_epoch_regret_bound_per_cell_induction import (
    CELL_BEFORE,
    PARAMETERS,
    RELAXED,
    SIGNS,
    STAR,
    carried,
    cell,
    cell_before,
    inverse,
    r,
    rbar,
)
from bounds.proofs.chains.lem_epoch_regret_bound_per_cell_induction import INDEXED as CELL_INDEXED
from bounds.proofs.chains.lem_epoch_regret_bound_per_cell_induction import NAMES as CELL_NAMES
from bounds.proofs.chains.lem_epoch_regret_bound_per_cell_induction import TOTALS as CELL_TOTALS
from bounds.proofs.engine.model import At, Chain, Hypothesis, Step, Total, reals
from bounds.proofs.engine.rules import Smt, Summation
from bounds.proofs.vocabulary import mixture as mixed
from bounds.proofs.vocabulary import setting as at
from bounds.proofs.vocabulary.compare import THROUGH_BEST, VALUES
from bounds.proofs.vocabulary.earlier import SHIFT, epoch_before
from bounds.proofs.vocabulary.sharpening import (
    A1,
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

F = sp.Rational
mixture = reals("Reg_Q")[0]  # at one cell
SPLIT = joint_split(
    "split, best", "pi against pi*", (at.bias, at.inverse), (at.bias_star, at.inverse_star), s
)
EARLIER = Hypothesis(
    "one epoch earlier",
    "E b_previous <= beta S_previous / gamma_previous",
    sp.Le(at.mean_b_previous, beta * S_previous / gamma_previous),
    kind="lemma",
    source="lem:true_virtual_loss per cell/b in every epoch",
    renamed=SHIFT
    | {cell: cell_before, cell_before: reals("b_cell_before")[0], carried: reals("S_b_before")[0]},
)
NAMES = Hypothesis(
    "mixtures",
    "Reg_Q, Reghat_Q average Reg, Reghat at a cell over the arms that the kernel plays",
    declares=(mixture, mixed.mixture_reghat, mixed.sum_mixture, mixed.mean_mixture),
    kind="definition",
)
C = A1 * (q + 2 * s + 2 * c * s * beta + c * g**2 / (4 * s))
tail = 2 * s * at.arms / gamma + 2 * s * r * cell_before + gamma / (4 * s) * at.error
cell_bound = A1 * (q * at.arms / gamma + tail)
all_cells = A1 * (q * w + 2 * s * w + 2 * s * r * carried + gamma / (4 * s) * at.sum_error)
bound = A1 * (
    q * w
    + 2 * s * w
    + 2 * s * r * at.ratio_max * at.b_previous
    + gamma / (4 * s) * at.ratio_max * at.previous_error
)
BASIC = ("A1 at least 1", "rates", "parameters")
special = (8 * c - 1) / (8 * c - 2) * (q + 1 / (3 * c) + 8 * c**2 * g**2 / 3)
STEPS = (
    inverse("V at pi", at.inverse, at.reg, ""),
    Step(
        "V at the best",
        sp.Le(at.inverse_star / gamma, at.arms / gamma + r * cell_before),
        (*(At(n, point="star") for n in ("lem:V_upper", "b of a cell, one epoch earlier")), "rates"),
        "pi* has no regret",
        Smt(),
    ),
    Step(
        "one cell, every arm",
        sp.Le(at.reg, A1 * (at.reghat + tail)),
        (
            *("through the best policy", "split, best", "V at pi", "V at the best", "H1", "H5"),
            *("estimated regrets", *BASIC),
        ),
        "s rbar A2 Reg is absorbed on the left, inside the cell",
        Smt(),
    ),
    Step(
        "one cell",
        sp.Le(mixture, A1 * (mixed.mixture_reghat + tail)),
        ("one cell, every arm", "mixtures", *BASIC),
        "averaged over the kernel",
        Summation("policy", sp.Le(at.reg, sp.expand(A1 * (at.reghat + tail)))),
    ),
    Step(
        "one cell, explored",
        sp.Le(mixture, cell_bound),
        ("one cell", "lem:q_loss_bound", "lem:loss_decompose", "q", "arms", *BASIC),
        "sum_Q Reghat <= (K-1)/gamma <= q K/gamma",
        Smt(),
    ),
    summed(
        "all cells",
        sp.Le(mixed.sum_mixture, all_cells),
        sp.Le(at.length * mixture, sp.expand(at.length * cell_bound)),
        ("H2", "one cell, explored", "mixtures", "sums", *BASIC),
        "weights E^l_m D_m(x)",
    ),
    Step(
        "previous epoch's weights",
        sp.Le(mixed.sum_mixture, bound),
        ("all cells", "b carried", "error carried", "ratios", *BASIC),
        "E <= ratio_max E_previous",
        Smt(),
    ),
    Step(
        "mean",
        sp.Le(
            mixed.mean_mixture,
            bound.subs({at.b_previous: at.mean_b_previous, at.previous_error: at.mean_error}),
        ),
        ("H2", "H4", "previous epoch's weights", "mixtures", "rates", "parameters"),
        "lengths and rates do not depend on the data",
        Summation("data", sp.Le(mixed.sum_mixture, sp.expand(bound))),
    ),
    Step(
        "epoch regret",
        sp.Le(mixed.mean_mixture, C * w),
        (
            *("mean", "one epoch earlier", "lem:learning_rate", "arms carried", "arms positive"),
            *("previous arms positive", "ratios", "beta positive", *BASIC),
        ),
        "A1 (q + 2s + 2cs beta + c g^2/(4s)) = C",
        Smt(),
    ),
    Step(
        "special split",
        sp.Eq(C, special),
        ("parameters", "s = t = 1/(8c)", "rbar = 1"),
        "rbar t A2 = 1/(8c - 1)",
        Smt(),
    ),
    Step(
        "never worse than the plain proof",
        sp.Le(special, 7 * q / 6 + 7 / (18 * c) + 28 * c**2 * g**2 / 9),
        ("parameters",),
        "(8c-1)/(8c-2) <= 7/6 for c >= 1",
        Smt(),
    ),
    Step(
        "relaxed H5",
        sp.Eq(A1, (8 - rbar) / (8 - 2 * rbar)),
        ("parameters", "s = t = 1/(8c)", "c = 1", "rbar below 4"),
        "only A1 changes",
        Smt(),
    ),
)

CHAINS = (
    Chain(
        name="lem:epoch_regret_bound per cell",
        title="E S[Reg_Q] <= C S/gamma with A1, A2 free of c, and H5 relaxed to a factor rbar",
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
            *(
                NAMES,
                CELL_NAMES,
                mixed.LARGEST,
                mixed.Q_LOSS,
                mixed.DECOMPOSED,
                CHOSEN,
                V_UPPER,
                LEARNING_RATE,
                SPLIT,
                CELL_BEFORE,
                EARLIER,
                epoch_before(RELAXED),
            ),
            Hypothesis(
                "s = t = 1/(8c)",
                "the paper's split",
                sp.And(sp.Eq(s, 1 / (8 * c)), sp.Eq(t, 1 / (8 * c))),
                kind="special",
            ),
            Hypothesis("rbar = 1", "H5 as it stands", sp.Eq(rbar, 1), kind="special"),
            Hypothesis("c = 1", "synchronous", sp.Eq(c, 1), kind="special"),
            Hypothesis("rbar below 4", "the largest fall", sp.And(rbar > 0, rbar < 4), kind="special"),
        ),
        indexed={
            **CELL_INDEXED,
            "agent": (*CELL_INDEXED["agent"], mixture, mixed.mixture_reghat, mixed.kernel_reghat),
            "data": (*CELL_INDEXED["data"], mixed.sum_mixture),
        },
        totals={
            "agent": (*CELL_TOTALS["agent"], Total(mixed.sum_mixture, at.length * mixture)),
            "data": (*at.DATA, Total(mixed.mean_mixture, mixed.sum_mixture)),
            "policy": (
                Total(1, sp.Integer(1)),
                Total(mixture, at.reg),
                Total(mixed.mixture_reghat, at.reghat),
            ),
        },
        points={"star": STAR},
        steps=(THROUGH_BEST, *CARRIED, *SIGNS, *STEPS),
        concludes=("epoch regret", "special split", "relaxed H5"),
    ),
)
