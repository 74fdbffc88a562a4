"""The doubling schedule: sum_{l >= 2} E^l_cut / sqrt(E^{l-1}) <= (2 + sqrt 2) sqrt T for every T >= 3.

E = 2, 2, 4, 8, ... With y = sqrt(2^L) the complete epochs up to tau^L = 2^L (L >= 2) sum to
(2 + sqrt 2) y - 4 - sqrt 2; the epoch after it adds u/sqrt(2^{L-1}) = sqrt 2 u/y for T = y^2 + u, u <= y^2.
"""

import sympy as sp

from bounds.proofs.engine.model import Chain, Decision, Hypothesis, Step, reals
from bounds.proofs.engine.rules import Cases, Induction, Smt

y, u, T, total, total_before, y_before, total_first, y_first, cut = reals(
    "y_epoch u_cut T total total_before y_before total_2 y_2 cut"
)
r2 = sp.sqrt(2)
slope = 2 + r2
closed = slope * y - 4 - r2

FIRST = Hypothesis(
    "tau^2 = 4",
    "epochs 1 and 2 have length 2: the sum is 2/sqrt 2 = sqrt 2 at y = 2",
    sp.And(sp.Eq(total_first, r2), sp.Eq(y_first, 2)),
    kind="definition",
)
NEXT = Hypothesis(
    "one epoch more",
    "an epoch of length y_before^2 after one of half that length adds sqrt 2 y_before; y^2 doubles",
    sp.And(sp.Eq(total, total_before + r2 * y_before), sp.Eq(y, r2 * y_before), y_before >= 2),
    kind="definition",
)
ASSUMED = Hypothesis(
    "one epoch fewer", "the closed form", sp.Eq(total_before, slope * y_before - 4 - r2), kind="induction"
)
CUT = Hypothesis(
    "cut epoch",
    "T = y^2 + u with 0 <= u <= y^2, and the cut epoch adds sqrt 2 u/y",
    sp.And(y >= 2, u >= 0, u <= y**2, sp.Eq(T, y**2 + u), sp.Eq(cut, total + r2 * u / y)),
    kind="case",
)
SMALL = Hypothesis(
    "T = 3 or 4",
    "inside epoch 2: the sum is (T - 2)/sqrt 2",
    sp.And(T >= 3, T <= 4, sp.Eq(cut, (T - 2) / r2)),
    kind="case",
)
THIRD = Hypothesis(
    "T from 4 to 8",
    "inside epoch 3, which follows one of length 2: the sum is sqrt 2 + (T - 4)/sqrt 2",
    sp.And(T >= 4, T <= 8, sp.Eq(cut, r2 + (T - 4) / r2)),
    kind="case",
)
SCHEDULE = Hypothesis(
    "schedule",
    "T is inside epoch 2, inside epoch 3, or cuts a later epoch that begins at y^2 >= 8",
    sp.Or(SMALL.statement, THIRD.statement, CUT.statement),
    kind="definition",
    once=True,
)

CHAINS = (
    Chain(
        name="doubling sum",
        title="sum of E^l_cut / sqrt(E^{l-1}) <= (2 + sqrt 2) sqrt T, T >= 3",
        file=__file__,
        hypotheses=(FIRST, NEXT, ASSUMED, SCHEDULE, CUT, SMALL, THIRD),
        steps=(
            Step(
                "start",
                sp.Eq(total_first, slope * y_first - 4 - r2),
                ("tau^2 = 4",),
                "(2 + sqrt 2) 2 - 4 - sqrt 2",
                Smt(),
            ),
            Step(
                "carry",
                sp.Eq(total, closed),
                ("one epoch more", "one epoch fewer"),
                "(2 + sqrt 2)(sqrt 2 - 1) = sqrt 2",
                Smt(),
            ),
            Step(
                "complete epochs",
                sp.Eq(total, closed),
                ("start", "carry"),
                "induction over epochs",
                Induction(
                    "one epoch fewer",
                    "start",
                    "carry",
                    {total_before: total, y_before: y},
                    {total_before: total_first, y_before: y_first},
                ),
            ),
            Step(
                "concave root",
                sp.Ge(sp.sqrt(T), y + (r2 - 1) * u / y),
                ("cut epoch",),
                "sqrt(1 + v) >= 1 + (sqrt 2 - 1) v on [0,1]",
                Smt(),
            ),
            Step(
                "any T above 8",
                sp.Le(cut, slope * sp.sqrt(T)),
                ("cut epoch", "complete epochs", "concave root"),
                "(2 + sqrt 2)(sqrt 2 - 1) = sqrt 2 again",
                Smt(),
            ),
            Step(
                "T = 3, 4",
                sp.Le(cut, slope * sp.sqrt(T)),
                ("T = 3 or 4",),
                "sqrt 2 <= (2 + sqrt 2) sqrt 3",
                Smt(),
            ),
            Step(
                "T = 4, ..., 8",
                sp.Le(cut, slope * sp.sqrt(T)),
                ("T from 4 to 8",),
                "sqrt 2 + 4/sqrt 2 <= 2 (2 + sqrt 2)",
                Smt(),
            ),
            Step(
                "any T",
                sp.Le(cut, slope * sp.sqrt(T)),
                ("schedule", "one epoch more", "any T above 8", "T = 3, 4", "T = 4, ..., 8"),
                "wherever T is",
                Cases(
                    {
                        "cut epoch": "any T above 8",
                        "T = 3 or 4": "T = 3, 4",
                        "T from 4 to 8": "T = 4, ..., 8",
                    }
                ),
            ),
            Step(
                "a smaller slope",
                sp.Le(cut, sp.Rational(33, 10) * sp.sqrt(T)),
                ("cut epoch", "complete epochs"),
                "3.3 is too small for large T: the complete sums have slope 2 + sqrt 2 = 3.414",
                Smt(),
                expect=Decision.REFUTED,
            ),
        ),
        concludes=("any T",),
    ),
)
