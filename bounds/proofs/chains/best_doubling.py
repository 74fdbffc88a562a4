"""Variant best, part 8: the smaller constant under doubling holds at every epoch whose term is not vacuous.

Epochs last E, E, 2E, 4E, ...: the first two are equally long, so gamma^3 = gamma^2 and epoch 3 has no ratio
1/sqrt 2. It has a short chain instead, and H5 alone gives it a smaller constant at the same multiplier. From
epoch 4 on the ratio is 1/sqrt 2 unless the excess risk before was clipped at 1; then the term is vacuous.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from bounds.best.constant import at_epoch
from bounds.best.parameters import ANY_SCHEDULE, DOUBLING, derive
from bounds.best.symbols import assume, smt
from bounds.proofs import Chain, Outcome, Smt, Step, reals


def rational(value: Fraction) -> sp.Rational:
    return sp.Rational(value.numerator, value.denominator)


K, g2, top, top3, top2, r2, e, e_before, factor = reals("K g^2 top top_3 top_2 r^2 e e_before (C/g)^2")
a, b = rational(derive(DOUBLING).a), rational(derive(DOUBLING).b)
third, second = at_epoch(ANY_SCHEDULE, None, 3), at_epoch(DOUBLING, None, 2)
a3, b3 = rational(third.arms - 1), rational(third.risk)
a2, b2 = rational(second.arms - 1), rational(second.risk)

CHAINS = (
    Chain(
        name="best: doubling",
        title="C/g of the doubling set bounds the terms of epochs 2, 3 and of every epoch from 4 on",
        file=__file__,
        variant="best",
        hypotheses=(
            assume("K >= 3", "two arms have their own constant", K >= 3),
            assume("g", "the best multiplier of the doubling set, g^2 = top/b", sp.Eq(b * g2, top)),
            assume("top", "top = 1 - 2/K + a", sp.Eq(K * top, K - 2 + K * a)),
            assume("top_3", "epoch 3", sp.Or(sp.Eq(K * top3, K - 1), sp.Eq(K * top3, K - 2 + K * a3))),
            assume("top_2", "epoch 2", sp.Or(sp.Eq(K * top2, K - 1), sp.Eq(K * top2, K - 2 + K * a2))),
            assume("rates", "r^2 = e_{L-1}/e_{L-2}, gamma = g sqrt(Kbar/e)", sp.Eq(r2 * e_before, e), e > 0),
            assume("unclipped", "L >= 4: twice the data", sp.Eq(e_before, 2 * e)),
            assume("clipped", "e_{L-2} = 1 although twice e_{L-1} is more", sp.Eq(e_before, 1), 2 * e >= 1),
            assume("C/g", "(C/g)^2 = 4 top b", sp.Eq(factor, 4 * top * b)),
        ),
        steps=(
            smt("1 - 2/K + a is the maximum", sp.Ge(K * top, K - 1), ("top", "K >= 3"), "a >= 1/3 >= 1/K"),
            smt("g^2", sp.And(g2 > 0, b * g2 <= 1 + a), ("g", "top", "K >= 3"), "top <= 1 + a"),
            smt(
                "epoch 3",
                sp.Le(top3 + b3 * g2, top + b * g2),
                ("top_3", "top", "g^2", "K >= 3", "1 - 2/K + a is the maximum"),
                "(b_3 - b) g^2 <= a - a_3, and a_3 >= 1/3",
            ),
            smt(
                "epoch 2",
                sp.Le(top2 + b2 * g2, top + b * g2),
                ("top_2", "top", "g^2", "K >= 3", "1 - 2/K + a is the maximum"),
                "one multiplier, no chain",
            ),
            smt(
                "ratio",
                sp.Le(r2, sp.Rational(169, 239) ** 2),
                ("rates", "unclipped"),
                "1/2 <= (169/239)^2",
            ),
            smt(
                "vacuous when clipped",
                sp.Ge(factor * K * e, 11),
                ("clipped", "C/g", "top", "K >= 3"),
                "e >= 1/2: (C/g) sqrt(K e) is at least sqrt 11, above 1, the trivial regret per step",
            ),
            Step(
                "the ratio at epoch 3",
                sp.Le(r2, sp.Rational(169, 239) ** 2),
                ("rates",),
                "refuted: two equally long epochs have r = 1, the doubling set alone does not cover epoch 3",
                Smt(),
                expect=Outcome.REFUTED,
            ),
        ),
        concludes=("epoch 3", "epoch 2", "ratio", "vacuous when clipped"),
    ),
)
