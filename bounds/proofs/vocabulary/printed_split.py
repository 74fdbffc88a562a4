"""The printed split of lem:VE, agent by agent and summed: one comparison through pi*, one through pihat."""

from __future__ import annotations

import sympy as sp

from bounds.proofs.engine.model import At, Step
from bounds.proofs.engine.rules import Smt
from bounds.proofs.vocabulary import setting as at
from bounds.proofs.vocabulary.transfer import summed

c, gamma = at.c, at.rate
SPLIT_RULES = ("lem:VE", "inverse probabilities", "estimated regrets", "rates", "ratios")


def split(name: str, left: sp.Expr, point: str, inverse: sp.Expr) -> Step:
    """|bias| <= V/(8 c gamma) + 2 c gamma err: the printed AM-GM split of lem:VE."""
    bound = inverse / (8 * c * gamma) + 2 * c * gamma * at.error
    lemma = At("lem:VE", point=point) if point else "lem:VE"
    return Step(name, sp.Le(left, bound), (lemma, *SPLIT_RULES[1:]), "2 sqrt(xy) <= x + y", Smt())


def compare(name: str, left: sp.Expr, other: sp.Expr, assumes: tuple[str, ...], because: str) -> Step:
    """The comparison of one agent, with two inverse probabilities and one error."""
    right = (at.inverse + other) / (8 * c * gamma) + 4 * c * gamma * at.error
    return Step(
        name, sp.Le(left, right), (*assumes, "H1", "rates", "ratios", "estimated regrets"), because, Smt()
    )


def summed_comparison(
    name: str, left: sp.Expr, term: sp.Expr, other: sp.Expr, one: sp.Expr, uses: str
) -> Step:
    """The comparison of one agent, times E, over all agents."""
    right = (at.sum_inverse + other) / (8 * c * gamma) + 4 * c * gamma * at.sum_error
    each = (at.inverse + one) / (8 * c * gamma) + 4 * c * gamma * at.error
    inequality = sp.Le(at.length * term, sp.expand(at.length * each))
    return summed(
        name, sp.Le(left, right), inequality, ("H2", "rates", "ratios", uses), "weights E, all agents"
    )


POINTWISE = (
    split("bias at pi, above", at.bias, "", at.inverse),
    split("bias at pi, below", -at.bias, "", at.inverse),
    split("bias at the best", -at.bias_star, "star", at.inverse_star),
    split("bias at the greedy", at.bias_hat, "hat", at.inverse_hat),
    compare(
        "first comparison",
        at.reg - at.reghat,
        at.inverse_star,
        ("through the best policy", "bias at pi, above", "bias at the best"),
        "Reghat(pi*) >= 0, then the split twice",
    ),
    compare(
        "second comparison",
        at.reghat - at.reg,
        at.inverse_hat,
        ("through the greedy policy", "bias at pi, below", "bias at the greedy"),
        "Reg(pihat) >= 0, then the split twice",
    ),
    summed_comparison(
        "first comparison, all agents",
        at.sum_reg - at.sum_reghat,
        at.reg - at.reghat,
        at.sum_inverse_star,
        at.inverse_star,
        "first comparison",
    ),
    summed_comparison(
        "second comparison, all agents",
        at.sum_reghat - at.sum_reg,
        at.reghat - at.reg,
        at.sum_inverse_hat,
        at.inverse_hat,
        "second comparison",
    ),
)
