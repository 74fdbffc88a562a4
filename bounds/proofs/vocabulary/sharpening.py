"""What the sharpened proofs share: split parameters, A2, beta, A1, inverse probabilities carried over."""

from __future__ import annotations

import sympy as sp

from bounds.proofs.engine.model import At, Hypothesis, Step, reals
from bounds.proofs.engine.rules import Smt
from bounds.proofs.vocabulary import setting as at
from bounds.proofs.vocabulary.igw_weights import policy_inverse

c, g, gamma, gamma_previous = at.c, at.multiplier, at.rate, at.rate_previous
S, S_previous = at.arms_weight, at.arms_weight_previous
s, t, q, A1, A2, beta = reals("s t q A1 A2 beta")
w, r = S / gamma, gamma_previous / gamma
MEANS_OF = {at.b_previous: at.mean_b_previous, at.previous_error: at.mean_error}
bias_first, bias_second, inverse_first, inverse_second = reals("bias1 bias2 V1 V2")
p_first, p_second = reals("p1 p2")  # of the arms that two policies choose at a context
C = A1 * q + A1 * (2 * s + 2 * c * s * beta + c * g**2 / (4 * s))

PARAMETERS = Hypothesis(
    "parameters",
    "s, t, g > 0, 2ct < 1, c s A2 < 1, 0 <= q <= 1; A2 = 1/(1-ct), beta = (2t + c g^2/(4t))/(1-2ct), "
    "A1 = 1/(1 - c s A2)",
    sp.And(
        *(c >= 1, s > 0, t > 0, g > 0, 2 * c * t < 1, c * s * A2 < 1, q >= 0, q <= 1),
        sp.Eq(A2 * (1 - c * t), 1),
        sp.Eq(beta * (1 - 2 * c * t), 2 * t + c * g**2 / (4 * t)),
        sp.Eq(A1 * (1 - c * s * A2), 1),
    ),
    kind="definition",
)
B_PREVIOUS = Hypothesis(
    "b one epoch earlier",
    "b_previous = sup over policies of the previous S[Reghat - A2 Reg]",
    sp.Le(at.previous_reghat - A2 * at.previous_reg, at.b_previous),
    kind="definition",
)
CONSTANTS_SIGNS = (
    Step(
        "A2 at least 1",
        sp.And(A2 >= 1, sp.Le(c * t * A2, 1), sp.Eq(1 + c * t * A2, A2)),
        ("parameters",),
        "2ct < 1",
        Smt(),
    ),
    Step("A1 at least 1", A1 >= 1, ("parameters", "A2 at least 1"), "c s A2 in [0,1)", Smt()),
    Step("beta positive", beta > 0, ("parameters",), "2ct < 1", Smt()),
)
MOVES = ("V summed", "estimated regret carried", "b one epoch earlier")
SIGNS = ("regret carried", "regret non-negative", "previous regret non-negative")
MEANS = (
    *("lem:learning_rate", "arms carried", "arms positive", "previous arms positive"),
    *("rates", "ratios", "parameters", "beta positive"),
)


def joint_split(
    name: str, text: str, first: tuple[sp.Symbol, ...], second: tuple[sp.Symbol, ...], split: sp.Symbol
) -> Hypothesis:
    """The joint split between two policies, each given by its (bias, V)."""
    chances = ((p_first, first[1]), (p_second, second[1]))
    bound = split / gamma * (first[1] + second[1]) + gamma / (4 * split) * at.error
    return Hypothesis(
        name,
        text,
        sp.Le(first[0] - second[0], bound),
        kind="lemma",
        source="joint split/joint split",
        renamed={
            bias_first: first[0],
            inverse_first: first[1],
            bias_second: second[0],
            inverse_second: second[1],
            s: split,
            **{p: 1 / policy_inverse for p, inverse in chances if inverse == at.inverse},
        },
    )


def moved(name: str, inverse: sp.Symbol, regret: sp.Expr, point: str, because: str) -> Step:
    """S[V]/gamma <= w + r ratio_max b_previous + c A2 S[Reg], at every policy or at a named one."""
    right = w + r * at.ratio_max * at.b_previous + c * A2 * regret
    names = (*MOVES, *SIGNS)
    facts: tuple[str | At, ...] = tuple(At(n, point=point) for n in names) if point else names
    return Step(
        name,
        sp.Le(inverse / gamma, right),
        (*facts, "H5", "rates", "ratios", "parameters", "A2 at least 1"),
        because,
        Smt(),
    )
