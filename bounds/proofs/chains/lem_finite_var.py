"""lem:finite_var: E l = E(f - f*)^2 and Var l <= 4 E l, sharpened to (4/3) E l, for f, f*, r in [0,1].

l = (f - r)^2 - (f* - r)^2 at one context and arm, where u = f* is the mean of the reward r.
"""

import sympy as sp

from bounds.proofs.engine.model import Chain, Decision, Hypothesis, Step, Total, reals
from bounds.proofs.engine.rules import Identity, Smt, Summation

f, u, r = reals("f u r")
loss, mean_loss, mean_square = reals("loss loss_mean loss_square")  # at one context and arm
expected, square, variance = reals("E_loss E_loss2 Var")  # over contexts and arms too
F = sp.Rational

H1 = Hypothesis(
    "H1",
    "rewards in [0,1] with mean f* (realizability), so f* in [0,1]",
    sp.And(r >= 0, r <= 1, u >= 0, u <= 1),
)
CLASS = Hypothesis("F in [0,1]", "functions of the class take values in [0,1]", sp.And(f >= 0, f <= 1))
LOSS = Hypothesis(
    "loss", "l = (f - r)^2 - (f* - r)^2", sp.Eq(loss, (f - r) ** 2 - (u - r) ** 2), kind="definition"
)
NAMES = Hypothesis(
    "means",
    "means over the reward at one context and arm, then over contexts and arms; Var = E l^2 - (E l)^2",
    sp.Eq(variance, square - expected**2),
    declares=(mean_loss, mean_square),
    kind="definition",
)
deviation = (f - u) ** 2
worst = deviation * ((f + u) ** 2 - 4 * (f + u) * r + 4 * r)

CHAINS = (
    Chain(
        name="lem:finite_var",
        title="E l = E(f - f*)^2, Var l <= (4/3) E l <= 4 E l",
        file=__file__,
        hypotheses=(H1, CLASS, LOSS, NAMES),
        indexed={"reward": (r, loss), "context and arm": (f, u, mean_loss, mean_square)},
        totals={
            "reward": (
                Total(1, sp.Integer(1)),
                Total(u, r),
                Total(mean_loss, loss),
                Total(mean_square, loss**2),
            ),
            "context and arm": (Total(expected, mean_loss), Total(square, mean_square)),
        },
        steps=(
            Step(
                "expanded", sp.Eq(loss, f**2 - u**2 - 2 * (f - u) * r), ("loss",), "r^2 cancels", Identity()
            ),
            Step(
                "mean at one context and arm",
                sp.Eq(mean_loss, f**2 - u**2 - 2 * (f - u) * u),
                ("H1", "expanded", "means"),
                "the reward has mean f*",
                Summation("reward", sp.Eq(loss, f**2 - u**2 - 2 * (f - u) * r)),
            ),
            Step(
                "mean is the squared deviation",
                sp.Eq(mean_loss, deviation),
                ("mean at one context and arm",),
                "f^2 - u^2 - 2fu + 2u^2",
                Smt(),
            ),
            Step(
                "square, printed",
                sp.Le(loss**2, 4 * deviation),
                ("H1", "F in [0,1]", "loss"),
                "l = (f - f*)(f + f* - 2r) and |f + f* - 2r| <= 2",
                Smt(),
            ),
            Step(
                "E12: without F in [0,1]",
                sp.Le(loss**2, 4 * deviation),
                ("H1", "loss"),
                "false for f outside [0,1]",
                Smt(),
                expect=Decision.REFUTED,
                erratum="E12",
            ),
            Step(
                "square, with r^2 <= r",
                sp.Le(loss**2, worst),
                ("H1", "F in [0,1]", "loss"),
                "a reward in [0,1] has r^2 <= r",
                Smt(),
            ),
            Step(
                "mean square",
                sp.Le(mean_square, deviation * ((f + u) ** 2 - 4 * (f + u) * u + 4 * u)),
                ("H1", "F in [0,1]", "square, with r^2 <= r", "means"),
                "averaged over the reward",
                Summation("reward", sp.Le(loss**2, sp.expand(worst))),
            ),
            Step(
                "4/3",
                sp.Le((f + u) ** 2 - 4 * (f + u) * u + 4 * u, F(4, 3)),
                ("H1", "F in [0,1]"),
                "(f - u)^2 + 4u(1 - u) is largest at u = 2/3, f = 0",
                Smt(),
            ),
            Step(
                "below 4/3",
                sp.Le((f + u) ** 2 - 4 * (f + u) * u + 4 * u, F(133, 100)),
                ("H1", "F in [0,1]"),
                "4/3 is attained at u = 2/3, f = 0 and u = 1/3, f = 1",
                Smt(),
                expect=Decision.REFUTED,
            ),
            Step(
                "one context and arm",
                sp.Le(mean_square, F(4, 3) * mean_loss),
                ("mean square", "4/3", "mean is the squared deviation"),
                "put together",
                Smt(),
            ),
            Step(
                "all contexts and arms",
                sp.Le(square, F(4, 3) * expected),
                ("one context and arm", "means"),
                "averaged over contexts and arms",
                Summation("context and arm", sp.Le(mean_square, F(4, 3) * mean_loss)),
            ),
            Step(
                "sharpened",
                sp.Le(variance, F(4, 3) * expected),
                ("all contexts and arms", "means"),
                "Var <= E l^2",
                Smt(),
            ),
            Step(
                "mean loss non-negative",
                sp.Ge(expected, 0),
                ("mean is the squared deviation", "means"),
                "an average of squares",
                Summation("context and arm", sp.Ge(mean_loss, 0)),
            ),
            Step(
                "printed",
                sp.Le(variance, 4 * expected),
                ("sharpened", "mean loss non-negative"),
                "4/3 <= 4",
                Smt(),
            ),
        ),
        concludes=("printed", "sharpened", "mean is the squared deviation"),
    ),
)
