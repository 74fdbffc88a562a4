"""Variant best, part 7: from one agent and context to the epoch regret; the numbers."""

from __future__ import annotations

import dataclasses

import sympy as sp

from bounds.best.parameters import ANY_SCHEDULE, DOUBLING, side_conditions
from bounds.best.symbols import PARAMETERS, assume, b_, by_hand, smt
from bounds.proofs import Chain, Enumeration, Hypothesis, Step, Summation, Total, reals

PR, T0, kept, OV, eps_L, K_part, carried, risks, lam, arms, coefficient, R = reals(
    "PR T0 kept OV eps_L K_part carried risks lam arms coefficient R"
)
together, carried_sum = reals("together sum(coefficient*R)")
CLAIM = Chain(
    name="best: pathwise claim",
    title="gamma_L sum_a p_a R_a <= arms + sum_l Lam_l eps^l for one agent and context",
    file=__file__,
    variant="best",
    hypotheses=(
        by_hand(
            "(F)",
            "part 1; `kept` collects every regret term of the last epoch",
            T0 + kept + OV + lam * eps_L >= PR,
        ),
        by_hand("chain", "part 3, summed over l = L-1..2, V^1 = K", K_part + carried + risks >= T0 + OV),
        by_hand("K-part", "part 5", K_part <= arms),
        by_hand("regrets", "one coefficient per arm", sp.Eq(kept + carried, carried_sum)),
        by_hand("coefficient", "part 6: coefficient <= 0, and R >= 0", coefficient <= 0, R >= 0),
        by_hand("cases", "every position of ahat, a* and b is one of the cases A, B, C, D"),
        by_hand("om", "the enlarged om of case A is at least c^2/(4 lam) at every arm, inside OV"),
    ),
    steps=(
        Step(
            "regrets cancel",
            sp.Le(carried_sum, 0),
            ("coefficient",),
            "a non-positive coefficient times R_a >= 0, summed over a != a*",
            Summation("arm", sp.Le(coefficient * R, 0)),
        ),
        smt(
            "claim",
            sp.Le(PR, arms + lam * eps_L + risks),
            ("(F)", "chain", "K-part", "regrets", "regrets cancel", "cases", "om"),
            "add",
        ),
    ),
    concludes=("claim",),
    indexed={"arm": (coefficient, R)},
    totals={"arm": (Total(carried_sum, coefficient * R),)},
)

E, E1, h, k, low, high, c = reals("E^L_m E^{l-1}_m h K_m low high c")
gamma, g, e, W, S, S1, Err, weighted, K, a, top = reals("gamma g e W S^L S^{l-1} Err weighted K a top")
part, count = reals("part sum(part)")
LENGTHS = Hypothesis(
    "lengths",
    "low <= E^L_m/E^{l-1}_m <= high for every agent; c = high/low is 1 when synchronous",
    sp.And(E1 >= 1, low > 0, low * E1 <= E, high * E1 >= E, high <= c * low, c >= 1),
    fixes={"agent": (low, high, c)},
)
AVERAGE = Chain(
    name="best: average",
    title="E S^L[eps^l] <= c g^2 S^L, c = 1 when synchronous; agents with fewer arms only help",
    file=__file__,
    variant="best",
    hypotheses=(
        LENGTHS,
        assume("h", "h = E_x sum_a p^{l-1}_a (fhat^l - f*)^2 >= 0, K_m >= 2", h >= 0, k >= 2),
        assume("H3", "E Err^{l-1} <= W^{l-1} e", Err <= W * e, e > 0, W > 0),
        assume("H4", "gamma^2 e <= g^2 Kbar^{l-1}, Kbar = S/W", gamma**2 * e * W <= g**2 * S1, g >= 0),
        Hypothesis("K", "every K_m <= K", sp.And(k <= K), fixes={"agent": (K, a)}),
        assume("top", "top = max(1 - 1/K, 1 - 2/K + a)", K * top >= K - 1, K * top >= K - 2 + K * a, a >= 0),
        assume(
            "part",
            "part_m = max(K_m - 1, K_m - 2 + K_m a)",
            sp.Or(sp.Eq(part, k - 1), sp.Eq(part, k - 2 + k * a)),
        ),
        assume("weights", "E^L_m >= 1", E >= 1),
        assume("S1", "S^{l-1} > 0, Err >= 0", S1 > 0, Err >= 0),
    ),
    steps=(
        Step(
            "risk of an agent",
            sp.Le(weighted, high * Err),
            ("lengths", "h"),
            "E^L_m h <= high E^{l-1}_m h, summed",
            Summation("agent", sp.Le(E * h, high * (E1 * h))),
        ),
        Step(
            "arms of an agent",
            sp.Le(low * S1, S),
            ("lengths", "h"),
            "low E^{l-1}_m K_m <= E^L_m K_m, summed",
            Summation("agent", sp.Le(low * (E1 * k), E * k)),
        ),
        smt("H3 and H4", sp.Le(gamma**2 * Err, g**2 * S1), ("H3", "H4"), "multiply"),
        smt(
            "times high",
            sp.Le(gamma**2 * weighted, high * g**2 * S1),
            ("risk of an agent", "H3 and H4", "lengths"),
            "high > 0",
        ),
        smt(
            "high S1 <= c S",
            sp.Le(high * S1, c * S),
            ("arms of an agent", "lengths", "H3 and H4", "S1"),
            "high <= c low",
        ),
        smt(
            "average risk",
            sp.Le(gamma**2 * weighted, c * g**2 * S),
            ("times high", "high S1 <= c S"),
            "times g^2",
        ),
        smt(
            "arms",
            sp.Le(part, k * top),
            ("part", "K", "top", "h"),
            "1 - 1/K_m and 1 - 2/K_m grow with K_m",
        ),
        Step(
            "arms summed",
            sp.Le(count, top * S),
            ("arms", "weights", "K"),
            "weighted by E^L_m",
            Summation("agent", sp.Le(E * part, top * (E * k))),
        ),
    ),
    concludes=("average risk", "arms summed"),
    indexed={"agent": (E, E1, h, k, part)},
    totals={
        "agent": (
            Total(weighted, E * h),
            Total(Err, E1 * h),
            Total(S1, E1 * k),
            Total(S, E * k),
            Total(count, E * part),
        )
    },
)

multiplier, eps, summed, total, regret, C, bound = reals("Lam eps sum(Lam*eps) sum(Lam) regret C b_c")
FINAL = Chain(
    name="best: epoch regret",
    title="gamma_L S^L[Reg] <= (arms + b g^2) S^L",
    file=__file__,
    variant="best",
    hypotheses=(
        Hypothesis(
            "risk",
            "E S^L[eps^l] <= g^2 S^L for every l",
            sp.And(eps <= g**2 * S, multiplier >= 0),
            fixes={"epoch": (g, S)},
            kind="composition",
        ),
        by_hand("claim", "the pathwise claim, averaged", regret <= top * S + summed),
        by_hand("multipliers", "part 5: their sum is at most b", total <= b_),
        assume("S", "S^L > 0", S > 0),
        assume("C", "C(g) = top + b g^2", sp.Eq(C, top + b_ * g**2)),
    ),
    steps=(
        Step(
            "risks",
            sp.Le(summed, g**2 * S * total),
            ("risk",),
            "Lam_l eps^l <= Lam_l g^2 S, summed over the epochs",
            Summation("epoch", sp.Le(multiplier * eps, g**2 * S * multiplier)),
        ),
        smt("b", sp.Le(g**2 * S * total, g**2 * S * b_), ("multipliers", "S", "C"), "times g^2 S"),
        smt("epoch regret", sp.Le(regret, C * S), ("claim", "risks", "b", "C"), "add"),
    ),
    concludes=("epoch regret",),
    indexed={"epoch": (eps, multiplier)},
    totals={"epoch": (Total(summed, multiplier * eps), Total(total, multiplier))},
)


def _relations() -> sp.Basic:
    slacks = side_conditions(PARAMETERS)
    return sp.And(*(sp.Gt(v, 0) if name.endswith("+") else sp.Ge(v, 0) for name, v in slacks.items()))


def _case(p: object) -> dict[sp.Symbol, object]:
    return {getattr(PARAMETERS, f.name): getattr(p, f.name) for f in dataclasses.fields(PARAMETERS)}


SIDE = Chain(
    name="best: side conditions",
    title="E1-E13 at the two rational parameter sets",
    file=__file__,
    variant="best",
    hypotheses=(Hypothesis("parameters", "seven reals", declares=tuple(_case(ANY_SCHEDULE))),),
    steps=(
        Step(
            "E1-E13",
            _relations(),
            ("parameters",),
            "exact rational arithmetic",
            Enumeration((_case(ANY_SCHEDULE), _case(DOUBLING))),
        ),
    ),
    concludes=("E1-E13",),
)

CHAINS = (CLAIM, AVERAGE, FINAL, SIDE)
