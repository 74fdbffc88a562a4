"""lem:VE: |Rhat(pi) - R(pi)| <= sqrt(V Err) for one agent: Cauchy-Schwarz by term inequalities."""

import sympy as sp

from bounds.proofs.engine.model import At, Chain, Decision, Hypothesis, Step, Total, reals
from bounds.proofs.engine.rules import Cases, Smt, Summation
from bounds.proofs.vocabulary.igw_weights import played
from bounds.proofs.vocabulary.setting import bias, error, inverse

deviation, played_error, split = reals("Delta Delta2 lam")
ARM = Hypothesis(
    "at one context",
    "the policy's arm has probability p in (0,1] and deviation Delta = fhat - f*; "
    "Delta2 = E_{a ~ p} Delta(a)^2 counts that arm and others",
    sp.And(played > 0, played <= 1, sp.Ge(played_error, played * deviation**2)),
    kind="definition",
)
SPLIT = Hypothesis("split", "lam is any positive number", split > 0, kind="definition")
AVERAGES = Hypothesis(
    "averages",
    "V = E_x 1/p, err = E_x Delta2, bias = E_x Delta",
    kind="definition",
    declares=(inverse, error, bias),
)
SIGNS = (
    Hypothesis("positive", "bias > 0", bias > 0, kind="case"),
    Hypothesis("negative", "bias < 0", bias < 0, kind="case"),
    Hypothesis("zero", "bias = 0", sp.Eq(bias, 0), kind="case"),
)
BASICS = ("averages", "V is at least 1", "err is non-negative")

CHAINS = (
    Chain(
        name="lem:VE",
        title="(Rhat - R)^2 <= V Err",
        file=__file__,
        hypotheses=(ARM, SPLIT, AVERAGES, *SIGNS),
        indexed={"context": (deviation, played, played_error)},
        totals={
            "context": (
                Total(1, sp.Integer(1)),
                Total(inverse, 1 / played),
                Total(error, played_error),
                Total(bias, deviation),
            )
        },
        steps=(
            Step(
                "one context, upper",
                sp.Le(deviation, split / (2 * played) + played_error / (2 * split)),
                ("at one context", "split"),
                "2 u v <= lam u^2 + v^2/lam with u = 1/sqrt p, v = sqrt p Delta",
                Smt(),
            ),
            Step(
                "one context, lower",
                sp.Le(-deviation, split / (2 * played) + played_error / (2 * split)),
                ("at one context", "split"),
                "the same for -Delta",
                Smt(),
            ),
            Step(
                "upper",
                sp.Le(bias, split * inverse / 2 + error / (2 * split)),
                ("at one context", "split", "averages", "one context, upper"),
                "averaged over contexts",
                Summation("context", sp.Le(deviation, split / (2 * played) + played_error / (2 * split))),
            ),
            Step(
                "lower",
                sp.Le(-bias, split * inverse / 2 + error / (2 * split)),
                ("at one context", "split", "averages", "one context, lower"),
                "averaged over contexts",
                Summation("context", sp.Le(-deviation, split / (2 * played) + played_error / (2 * split))),
            ),
            Step(
                "V is at least 1",
                sp.Ge(inverse, 1),
                ("at one context", "averages"),
                "a probability is at most 1",
                Summation("context", sp.Ge(1 / played, 1)),
            ),
            Step(
                "err is non-negative",
                sp.Ge(error, 0),
                ("at one context", "averages"),
                "an average of squares",
                Summation("context", sp.Ge(played_error, 0)),
            ),
            *(
                Step(
                    name,
                    sp.Le(bias**2, inverse * error),
                    (*BASICS, case, *instance),
                    because,
                    Smt(),
                )
                for name, case, instance, because in (
                    ("if positive", "positive", (At("upper", {split: bias / inverse}),), "lam = bias/V"),
                    ("if negative", "negative", (At("lower", {split: -bias / inverse}),), "lam = -bias/V"),
                    ("if zero", "zero", (), "0 <= V err"),
                )
            ),
            Step(
                "VE",
                sp.Le(bias**2, inverse * error),
                ("averages", "if positive", "if negative", "if zero"),
                "bias is positive, negative or zero",
                Cases({"positive": "if positive", "negative": "if negative", "zero": "if zero"}),
            ),
            Step(
                "half of it",
                sp.Le(bias**2, inverse * error / 2),
                (*BASICS, "VE"),
                "no smaller constant follows",
                Smt(),
                expect=Decision.REFUTED,
            ),
        ),
        concludes=("VE",),
    ),
)
