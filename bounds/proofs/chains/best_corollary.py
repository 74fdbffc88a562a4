"""Variant best, part 9: from the epoch regret to thm:global_regret and, under doubling, to col:finite."""

from __future__ import annotations

import sympy as sp

from bounds.best.symbols import add, assume, by_hand, smt
from bounds.proofs import Chain, Hypothesis, Step, Summation, Total, reals

C, g, Cg, gamma, e, S, S1, W, W1, regret, bound = reals(
    "C g C/g gamma e S^L S^{l-1} W^L W^{l-1} regret bound"
)
later, bounds, first, first_bound, whole = reals("later sum(bound) first first_bound Reg_T")
M, K, T, E, E1, Lam, quotient, cut, root = reals("M K T E^l E^{l-1} Lambda E/sqrt(E) cut root")

THEOREM = Chain(
    name="best: theorem",
    title="Reg(T) <= sum_m (1-1/K_m) E^1_m + sum_l min(W^l, (C/g) S^l sqrt(e/Kbar^{l-1}))",
    file=__file__,
    variant="best",
    hypotheses=(
        by_hand("epoch regret", "part 7: gamma E S[Reg] <= C S", gamma * regret <= C * S, C > 0, S > 0),
        assume("H1", "an epoch's regret is at most its length", regret <= W),
        assume(
            "H4", "gamma = g sqrt(Kbar/e), Kbar = S^{l-1}/W^{l-1}", sp.Eq(gamma, g * sp.sqrt(S1 / (W1 * e)))
        ),
        assume("signs", "g, e and the lengths are positive", g > 0, e > 0, S1 > 0, W1 > 0),
        assume("C/g", "the constant of the theorem", sp.Eq(Cg, C / g)),
        assume(
            "bound",
            "the smaller of the two",
            sp.Or(sp.Eq(bound, W), sp.Eq(bound, Cg * S * sp.sqrt(e * W1 / S1))),
        ),
        by_hand("first epoch", "uniform play: at most (1 - 1/K_m) E^1_m per agent", first <= first_bound),
        assume("whole run", "first epoch and the later ones", sp.Eq(whole, first + later)),
    ),
    steps=(
        smt("gamma > 0", sp.Gt(gamma, 0), ("H4", "signs"), "a product of positive numbers"),
        smt(
            "gamma put in",
            sp.Le(regret, Cg * S * sp.sqrt(e * W1 / S1)),
            ("epoch regret", "H4", "signs", "gamma > 0", "C/g"),
            "1/gamma = sqrt(e W/S)/g",
        ),
        smt("an epoch", sp.Le(regret, bound), ("gamma put in", "H1", "bound", "signs"), "either bound holds"),
        Step(
            "later epochs",
            sp.Le(later, bounds),
            ("an epoch",),
            "summed over the epochs from the second on",
            Summation("epoch", sp.Le(regret, bound)),
        ),
        smt(
            "theorem", sp.Le(whole, first_bound + bounds), ("later epochs", "first epoch", "whole run"), "add"
        ),
    ),
    concludes=("theorem",),
    indexed={"epoch": (regret, bound)},
    totals={"epoch": (Total(later, regret), Total(bounds, bound))},
)

COROLLARY = Chain(
    name="best: corollary",
    title="Reg(T) <= 2M(1-1/K) + (C/g)(2+sqrt2) sqrt(K M T Lambda), Lambda = ln|F|/kappa, tau^l = 2^l",
    file=__file__,
    variant="best",
    hypotheses=(
        assume(
            "system", "M agents with K arms each, positive lengths", M >= 1, K >= 1, E > 0, E1 >= 2, Lam > 0
        ),
        assume("C/g", "the constant of the theorem", Cg > 0),
        by_hand(
            "theorem",
            "the theorem with S = E M K, Kbar = K and e at most Lambda/(M E^{l-1})",
            regret <= Cg * E * M * K * sp.sqrt(Lam / (M * E1 * K)),
        ),
        Hypothesis(
            "quotient",
            "E^l/sqrt(E^{l-1}) and the part that does not change with the epoch",
            sp.And(sp.Eq(quotient, E / sp.sqrt(E1)), sp.Eq(root, sp.sqrt(K * M * Lam))),
            fixes={"epoch": (root, Cg)},
        ),
        by_hand("doubling sum", "sum of E^l_cut/sqrt(E^{l-1})", cut <= (2 + sp.sqrt(2)) * sp.sqrt(T), T >= 3),
        assume("whole run", "first epoch and the later ones", sp.Le(whole, first + later)),
    ),
    steps=(
        smt(
            "one epoch",
            sp.Le(regret, Cg * root * quotient),
            ("theorem", "quotient", "system", "C/g"),
            "E M K sqrt(Lambda/(M K E')) = sqrt(K M Lambda) E/sqrt(E')",
        ),
        Step(
            "all epochs",
            sp.Le(later, Cg * root * cut),
            ("one epoch", "quotient"),
            "summed",
            Summation("epoch", sp.Le(regret, Cg * root * quotient)),
        ),
        smt("root >= 0", sp.Ge(Cg * root, 0), ("quotient", "C/g", "system"), "a root"),
        smt(
            "doubling put in",
            sp.Le(Cg * root * cut, Cg * root * (2 + sp.sqrt(2)) * sp.sqrt(T)),
            ("doubling sum", "root >= 0"),
            "times a non-negative number",
        ),
        add(
            "later epochs",
            sp.Le(later, Cg * root * (2 + sp.sqrt(2)) * sp.sqrt(T)),
            ("all epochs", "doubling put in"),
        ),
        add(
            "corollary",
            sp.Le(whole, first + Cg * root * (2 + sp.sqrt(2)) * sp.sqrt(T)),
            ("later epochs", "whole run"),
            "the first epoch is 2M(1-1/K)",
        ),
    ),
    concludes=("corollary",),
    indexed={"epoch": (regret, quotient, E, E1)},
    totals={"epoch": (Total(later, regret), Total(cut, quotient))},
)

CHAINS = (THEOREM, COROLLARY)
