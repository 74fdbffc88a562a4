"""The joint split: E_x[Delta(pi) - Delta(pi')] <= (s/gamma)(V(pi) + V(pi')) + (gamma/4s) Err."""

import sympy as sp

from bounds.proofs.engine.model import Chain, Decision, Hypothesis, Step, Total, reals
from bounds.proofs.engine.rules import Smt, Summation
from bounds.proofs.vocabulary.setting import error, rate
from bounds.proofs.vocabulary.sharpening import (
    bias_first,
    bias_second,
    inverse_first,
    inverse_second,
    p_first,
    p_second,
)
from bounds.proofs.vocabulary.sharpening import s as split

first, second, squares = reals("Delta1 Delta2 squares")
F = sp.Rational
pair = split / rate * (1 / p_first + 1 / p_second) + rate / (4 * split) * squares

TWO_ARMS = Hypothesis(
    "two arms",
    "the policies choose the same arm, or two arms whose squared deviations are both in E_{a ~ p} Delta^2",
    sp.And(
        *(p_first > 0, p_first <= 1, p_second > 0, p_second <= 1, squares >= 0),
        sp.Or(
            sp.And(sp.Eq(first, second), sp.Eq(p_first, p_second)),
            sp.Ge(squares, p_first * first**2 + p_second * second**2),
        ),
    ),
    kind="definition",
)
SPLIT = Hypothesis("split", "s > 0 and gamma > 0", sp.And(split > 0, rate > 0), kind="definition")
AVERAGES = Hypothesis(
    "averages",
    "biases, V and err are averages over contexts",
    kind="definition",
    declares=(bias_first, bias_second, inverse_first, inverse_second, error),
)

CHAINS = (
    Chain(
        name="joint split",
        title="bias(pi) - bias(pi') <= (s/gamma)(V(pi) + V(pi')) + (gamma/4s) Err",
        variant="sharpened",
        file=__file__,
        hypotheses=(TWO_ARMS, SPLIT, AVERAGES),
        indexed={"context": (first, second, p_first, p_second, squares)},
        totals={
            "context": (
                Total(1, sp.Integer(1)),
                Total(bias_first, first),
                Total(bias_second, second),
                Total(inverse_first, 1 / p_first),
                Total(inverse_second, 1 / p_second),
                Total(error, squares),
            )
        },
        steps=(
            Step(
                "first arm",
                sp.Le(first, split / (rate * p_first) + rate / (4 * split) * p_first * first**2),
                ("two arms", "split"),
                "2 sqrt(xy) <= x + y",
                Smt(),
            ),
            Step(
                "second arm",
                sp.Le(-second, split / (rate * p_second) + rate / (4 * split) * p_second * second**2),
                ("two arms", "split"),
                "2 sqrt(xy) <= x + y",
                Smt(),
            ),
            Step(
                "one context",
                sp.Le(first - second, pair),
                ("two arms", "split", "first arm", "second arm"),
                "distinct arms share one expected square; equal arms cancel",
                Smt(),
            ),
            Step(
                "with half the error",
                sp.Le(first - second, pair - rate / (8 * split) * squares),
                ("two arms", "split"),
                "the error term cannot be halved",
                Smt(),
                expect=Decision.REFUTED,
            ),
            Step(
                "joint split",
                sp.Le(
                    bias_first - bias_second,
                    split / rate * (inverse_first + inverse_second) + rate / (4 * split) * error,
                ),
                ("two arms", "split", "averages", "one context"),
                "averaged over contexts",
                Summation("context", sp.Le(first - second, sp.expand(pair))),
            ),
        ),
        concludes=("joint split",),
    ),
)
