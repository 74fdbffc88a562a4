"""Variant best under doubling: its smaller constant holds at every epoch, or the epoch's term is vacuous.

Epochs last E, E, 2E, 4E, ...: the first two are equally long, so gamma^3 = gamma^2 and epoch 3 has no ratio 1/sqrt 2.
It has a short chain instead, and H5 alone gives it a smaller constant at the same multiplier. From epoch 4 on the
ratio is 1/sqrt 2 unless the excess risk before was clipped at 1; then the term exceeds the epoch's length.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from bounds.best import decay, run
from bounds.best.mean import C2, C3, LEVELS, C, S, W, g, reg, top, top2, top3
from bounds.best.numbers import ANY, DOUBLED
from bounds.best.run import G1, L, define, gL
from bounds.best.symbols import (
    N1,
    X,
    a_,
    assume,
    b_,
    inherited,
    lam,
    lemma,
    merged,
    n,
    nC,
    rbar,
    smt,
    tagged,
)
from bounds.proofs import Cases, Chain, Hypothesis, Outcome, Smt, Step, reals
from bounds.proofs.chains import best_average as average
from bounds.proofs.chains.best_average import E
from bounds.proofs.chains.best_epoch import FINAL, OF

Kbar, most, Lam, Cg = reals("Kbar K_max Lambda C/g")
MEANS = [at.mean for at in LEVELS.values()]
LEVEL = [symbol for tag in OF for symbol in OF[tag].values() if isinstance(symbol, sp.Symbol)]
e, W1, S1 = (OF["L"][symbol] for symbol in (average.e, average.W1, average.S1))
before, W2 = (OF["L-1"][symbol] for symbol in (average.e, average.W1))
# Epoch 3 uses the parameters of any schedule; its proof speaks of other numbers than that of the other epochs.
THIRD = {**tagged(FINAL, {reg, S, W, g, E, *LEVEL, *run.PLAYED, *decay.PLAYED, *MEANS}, "3"), **ANY}
a, b = DOUBLED[a_], DOUBLED[b_]
third_arms = max(ANY[N1] + ANY[n], 2 * ANY[X] + ANY[nC])
term = S * sp.sqrt(e / Kbar)


def clipped(risk: sp.Symbol, samples: Any) -> sp.Basic:
    """min(1, Lambda/n)."""
    return sp.Or(sp.And(sp.Eq(risk, 1), Lam >= samples), sp.And(sp.Eq(risk * samples, Lam), Lam <= samples))


def used(name: str, renamed: dict[Any, Any]) -> Hypothesis:
    """The conclusions about one epoch at rational parameters; the side conditions hold there."""
    statement = FINAL.steps[-1].statement.xreplace(renamed)
    return lemma(name, "one epoch", statement, f"{FINAL.name}/of an epoch", renamed)


EVERY = sp.Le(reg, Cg * term)
DOUBLING = Chain(
    name="best: doubling",
    title="an epoch of the doubling schedule costs at most (C/g) S sqrt(e/Kbar), C/g that of the doubling set",
    file=__file__,
    variant="best",
    hypotheses=(
        used("of an epoch", DOUBLED),
        used("of the third epoch", THIRD),
        *merged(inherited(FINAL.hypotheses, DOUBLED), inherited(FINAL.hypotheses, THIRD)),
        define(
            "system",
            "agents in step, so Kbar = S/W does not change; at least two arms each, some with three or more",
            W >= 1,
            W1 >= 1,
            W2 >= 1,
            Kbar >= 2,
            most >= 3,
            Lam > 0,
            sp.Eq(S, Kbar * W),
            sp.Eq(S1, Kbar * W1),
        ),
        define(
            "schedule of the epochs",
            "lengths E, E, 2E, 4E, ...; the last one may be cut",
            sp.Or(sp.Eq(L, 2), sp.And(sp.Eq(L, 3), sp.Eq(W2, W1)), sp.And(L >= 4, sp.Eq(2 * W2, W1))),
        ),
        define(
            "risks",
            "e = min(1, Lambda/n) after n samples, for the two epochs before",
            clipped(e, W1),
            clipped(before, W2),
        ),
        assume("H4 of epoch L", "gamma_L = g sqrt(Kbar/e)", sp.Eq(gL, g * sp.sqrt(Kbar / e))),
        assume(
            "H4 of epoch L-1",
            "the same; for L = 2 it plays no role",
            sp.Or(sp.Eq(L, 2), sp.Eq(G1, g * sp.sqrt(Kbar / before))),
        ),
        define("multiplier g", "the best one of the doubling set", sp.Eq(b * g**2, top), g > 0),
        define("top", "1 - 2/K + a for the agent with most arms", sp.Eq(most * top, most - 2 + most * a)),
        define(
            "top of epoch 2",
            "the larger of the two",
            sp.Or(sp.Eq(most * top2, most - 1), sp.Eq(most * top2, most - 2 + most / (2 * DOUBLED[lam]))),
        ),
        define(
            "top of epoch 3",
            "the larger of the two",
            sp.Or(
                sp.Eq(most * THIRD[top3], most - 1), sp.Eq(most * THIRD[top3], most - 2 + most * third_arms)
            ),
        ),
        define("C/g", "the constant of the corollary", sp.Eq(Cg * g, C)),
        Hypothesis("epoch 2", "a case", sp.Eq(L, 2), kind="case"),
        Hypothesis("epoch 3", "a case", sp.Eq(L, 3), kind="case"),
        Hypothesis("unclipped", "a case", sp.And(L >= 4, sp.Eq(before, 2 * e)), kind="case"),
        Hypothesis("clipped", "a case", sp.And(L >= 4, 2 * e >= 1), kind="case"),
    ),
    steps=(
        smt("e", sp.And(e > 0, before > 0), ("risks", "system"), "Lambda > 0"),
        smt(
            "gammas",
            sp.And(
                gL > 0, sp.Eq(gL**2 * e, g**2 * Kbar), sp.Or(sp.Eq(L, 2), sp.Eq(G1**2 * before, g**2 * Kbar))
            ),
            ("H4 of epoch L", "H4 of epoch L-1", "e", "system", "multiplier g"),
            "squared",
        ),
        smt(
            "1 - 2/K + a is the maximum",
            sp.And(most * top >= most - 1, top <= 1 + a, top > 0),
            ("top", "system"),
            "a >= 1/3 >= 1/K",
        ),
        smt(
            "C",
            sp.And(sp.Eq(C, 2 * top), sp.Eq(Cg**2, 4 * b * top), Cg > 0),
            ("constants", "multiplier g", "C/g", "1 - 2/K + a is the maximum"),
            "b g^2 = top",
        ),
        smt(
            "constant of epoch 2",
            sp.Le(C2, C),
            (
                "constants",
                "top of epoch 2",
                "top",
                "multiplier g",
                "C",
                "1 - 2/K + a is the maximum",
                "system",
            ),
            "one multiplier, no chain",
        ),
        smt(
            "constant of epoch 3",
            sp.Le(THIRD[C3], C),
            (
                "constants",
                "top of epoch 3",
                "top",
                "multiplier g",
                "C",
                "1 - 2/K + a is the maximum",
                "system",
            ),
            "two multipliers, one link",
        ),
        smt(
            "e of epoch 3",
            sp.Eq(before, e),
            ("epoch 3", "schedule of the epochs", "risks", "system"),
            "equally long",
        ),
        smt(
            "ratio of epoch 3",
            sp.Le(G1, gL),
            ("epoch 3", "e of epoch 3", "gammas", "e", "rates"),
            "equal rates",
        ),
        smt(
            "ratio",
            sp.Le(G1, DOUBLED[rbar] * gL),
            ("unclipped", "gammas", "e", "rates"),
            "1/2 <= (169/239)^2",
        ),
        smt(
            "at epoch 2",
            sp.Le(gL * reg, C * S),
            ("epoch 2", "of an epoch", "constant of epoch 2", "S"),
            "C_2 <= C",
        ),
        smt(
            "at epoch 3",
            sp.Le(gL * reg, C * S),
            ("epoch 3", "of the third epoch", "ratio of epoch 3", "constant of epoch 3", "S"),
            "C_3 <= C",
        ),
        smt("at a later epoch", sp.Le(gL * reg, C * S), ("of an epoch", "ratio"), "the ratio holds"),
        *(
            smt(
                f"{name}, gamma put in",
                EVERY,
                (shown, "gammas", "e", "system", "C", "C/g", "multiplier g"),
                "1/gamma = sqrt(e/Kbar)/g",
            )
            for name, shown in (
                ("epoch 2", "at epoch 2"),
                ("epoch 3", "at epoch 3"),
                ("unclipped", "at a later epoch"),
            )
        ),
        smt(
            "vacuous when clipped", sp.Ge(Cg**2 * Kbar * e, 7), ("clipped", "C", "top", "system"), "e >= 1/2"
        ),
        smt(
            "clipped, capped",
            EVERY,
            ("vacuous when clipped", "of an epoch", "system", "e", "C"),
            "(C/g) sqrt(Kbar e) >= 1, the trivial regret per step",
        ),
        Step(
            "an epoch",
            EVERY,
            (
                "epoch 2, gamma put in",
                "epoch 3, gamma put in",
                "unclipped, gamma put in",
                "clipped, capped",
                "schedule of the epochs",
                "risks",
                "system",
            ),
            "every epoch is one of the four",
            Cases(
                {
                    "epoch 2": "epoch 2, gamma put in",
                    "epoch 3": "epoch 3, gamma put in",
                    "unclipped": "unclipped, gamma put in",
                    "clipped": "clipped, capped",
                }
            ),
        ),
        Step(
            "the ratio at epoch 3",
            sp.Le(G1, DOUBLED[rbar] * gL),
            ("e of epoch 3", "gammas", "e", "rates", "epoch 3"),
            "refuted: two equally long epochs have equal rates, the doubling set alone does not cover epoch 3",
            Smt(),
            expect=Outcome.REFUTED,
        ),
    ),
    concludes=("an epoch",),
)

CHAINS = (DOUBLING,)
