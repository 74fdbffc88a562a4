"""Variant best: thm:global_regret from the epoch regret at the rational parameters, and its constant."""

from __future__ import annotations

from typing import Any

import sympy as sp

from bounds.best.mean import C, S, W, g, reg, top
from bounds.best.numbers import ANY
from bounds.best.run import G1, define, gL
from bounds.best.symbols import a_, assume, b_, inherited, lemma, merged, smt
from bounds.proofs import Chain, Step, Summation, Total, reals
from bounds.proofs.chains import best_average as average
from bounds.proofs.chains import best_epoch as epoch
from bounds.proofs.chains import thm_global_regret_first_epoch
from bounds.proofs.chains.best_epoch import OF
from bounds.proofs.engine.model import moved

# The epoch before: its excess risk, and sums of lengths with and without the arms.
e, W1, S1 = (OF["L"][symbol] for symbol in (average.e, average.W1, average.S1))
Cg, bound, later, bounds, first, whole, most = reals("C/g bound later sum(bound) first Reg_T K_max")
first_bound = thm_global_regret_first_epoch.total_length - thm_global_regret_first_epoch.total_inverse
term = S * sp.sqrt(e * W1 / S1)


def theorem(name: str, title: str, final: Chain, numbers: dict[Any, Any], ratio: tuple[str, ...]) -> Chain:
    """The sum over the epochs, each capped at its length, and the first epoch; `ratio` names what says rbar = 1."""
    return Chain(
        name=name,
        title=title,
        file=__file__,
        variant="best",
        hypotheses=(
            lemma(
                "of an epoch",
                "its regret and its cap",
                moved(final.steps[-1].statement, numbers),
                f"{final.name}/of an epoch",
                numbers,
            ),
            lemma(
                "first epoch",
                "uniform play: at most (1 - 1/K_m) E^1_m per agent",
                sp.Le(first, first_bound),
                "first epoch/first epoch, sharpened",
                {thm_global_regret_first_epoch.total: first},
            ),
            *merged(
                inherited(final.hypotheses, numbers),
                inherited(thm_global_regret_first_epoch.CHAINS[0].hypotheses),
            ),
            assume("H5 of epoch L", "gamma_{L-1} <= gamma_L", gL >= G1),
            assume(
                "H4 of epoch L",
                "gamma_L = g sqrt(Kbar^{L-1}/e), Kbar = S/W",
                sp.Eq(gL, g * sp.sqrt(S1 / (W1 * e))),
            ),
            define("signs", "g and the lengths are positive", g > 0, S1 > 0, W1 > 0, e > 0),
            define("C/g", "the constant of the theorem", sp.Eq(Cg * g, C), C > 0),
            define("bound", "the smaller of the two", sp.Eq(bound, sp.Min(W, Cg * term))),
            define("whole run", "first epoch and the later ones", sp.Eq(whole, first + later)),
        ),
        steps=(
            smt("gamma > 0", sp.Gt(gL, 0), ("H4 of epoch L", "signs"), "a product of positive numbers"),
            smt(
                "with its constant",
                sp.Le(gL * reg, C * S),
                ("of an epoch", "H5 of epoch L", *ratio),
                "the ratio is at most 1",
            ),
            smt(
                "gamma put in",
                sp.Le(reg, Cg * term),
                ("with its constant", "H4 of epoch L", "signs", "gamma > 0", "C/g", "S"),
                "1/gamma = sqrt(e W/S)/g",
            ),
            smt(
                "an epoch",
                sp.Le(reg, bound),
                ("gamma put in", "of an epoch", "bound", "signs"),
                "either bound holds",
            ),
            Step(
                "later epochs",
                sp.Le(later, bounds),
                ("an epoch",),
                "summed over the epochs from the second on",
                Summation("epoch", sp.Le(reg, bound)),
            ),
            smt(
                "theorem",
                sp.Le(whole, first_bound + bounds),
                ("later epochs", "first epoch", "whole run"),
                "add",
            ),
        ),
        concludes=("gamma put in", "theorem"),
        indexed={"epoch": (reg, bound)},
        totals={"epoch": (Total(later, reg), Total(bounds, bound))},
    )


THEOREM = theorem(
    "best: theorem",
    "Reg(T) <= sum_m (1-1/K_m) E^1_m + sum_l min(W^l, (C/g) S^l sqrt(e/Kbar^{l-1}))",
    epoch.FINAL,
    ANY,
    (),
)
PAIR = theorem("best: theorem, two arms", "the same with C = 1/2 + 9 g^2/4", epoch.PAIR, {}, ("parameters",))
NUMBER = sp.Rational(38098, 10000)
AT_ANY = Chain(
    name="best: any schedule",
    title="C/g <= 3.8098 at the best multiplier, whatever the number of arms",
    file=__file__,
    variant="best",
    hypotheses=(
        lemma(
            "an epoch",
            "the theorem, which is at the rational parameters",
            sp.Le(reg, Cg * term),
            "best: theorem/gamma put in",
        ),
        *inherited(THEOREM.hypotheses),
        define("best multiplier", "b g^2 = top", sp.Eq(ANY[b_] * g**2, top)),
        define(
            "largest agent",
            "top is the part of the arms of the agent with most arms",
            sp.Or(sp.Eq(most * top, most - 1), sp.Eq(most * top, most - 2 + most * ANY[a_])),
            most >= 2,
        ),
    ),
    steps=(
        smt("top", sp.And(top <= 1 + ANY[a_], top > 0), ("largest agent",), "K >= 2"),
        smt(
            "(C/g)^2",
            sp.Eq(Cg**2, 4 * ANY[b_] * top),
            ("C/g", "constants", "best multiplier", "top", "signs"),
            "C = 2 top",
        ),
        smt(
            "C/g bounded",
            sp.And(Cg <= NUMBER, Cg > 0),
            ("(C/g)^2", "C/g", "top", "signs"),
            "4 (1 + a) b <= 3.8098^2",
        ),
        smt("epoch regret", sp.Le(reg, NUMBER * term), ("an epoch", "C/g bounded", "S", "signs"), "put in"),
    ),
    concludes=("epoch regret",),
)
AT_PAIR = Chain(
    name="best: any schedule, two arms",
    title="C/g = 3/sqrt 2 with two arms",
    file=__file__,
    variant="best",
    hypotheses=(
        lemma(
            "an epoch",
            "the theorem for two arms",
            sp.Le(reg, Cg * term),
            "best: theorem, two arms/gamma put in",
        ),
        *inherited(PAIR.hypotheses),
        define("best multiplier", "b g^2 = top, top = 1/2", sp.Eq(b_ * g**2, top), sp.Eq(2 * top, 1)),
    ),
    steps=(
        smt("b", sp.Eq(b_, sp.Rational(9, 4)), ("def b", "parameters"), "15/8 + 5/16 + 1/16"),
        smt(
            "C",
            sp.And(sp.Eq(C, 1), sp.Eq(9 * g**2, 2)),
            ("b", "best multiplier", "constants"),
            "1/2 + 9 g^2/4",
        ),
        smt(
            "epoch regret",
            sp.Le(reg, 3 / sp.sqrt(2) * term),
            ("an epoch", "C", "C/g", "S", "signs"),
            "put in",
        ),
    ),
    concludes=("epoch regret",),
)

CHAINS = (THEOREM, PAIR, AT_ANY, AT_PAIR)
