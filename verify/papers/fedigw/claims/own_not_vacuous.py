"""own:not_vacuous. The hypotheses of col:finite can all hold at once, and then its bound is informative.

Example: one agent, one context, T = 2^14 steps, and two arms with Bernoulli(3/4) and Bernoulli(1/4) rewards (for the
variant best also a third one, Bernoulli(1/4)). The class F has two functions: the true one, and the same with the first
two arms exchanged. Learning rates are as in the corollary. Always playing a wrong arm has the regret T/2 = 8192, and

    sharpened   Reg(T) <= 2M(1-1/K) + (28 sqrt2/9)(2+sqrt2) sqrt(K M T ln|F|/kappa) = 3610.1 < T/2 < M T
    best        Reg(T) <= 2M(1-1/K) + (C/g)(2+sqrt2) sqrt(K M T ln|F|/kappa) = 2533.2 < T/2 < M T

where M = 1 agent has K arms, kappa is 1 - e^{-1/2} for sharpened and 0.46368 for best, and C/g is the best constant of
thm:global_regret. This is proved in Coq, because a theorem whose hypotheses contradict each other would pass every
other check.
"""

from verify.claim import Claim, Variant, Verdict

claim = Claim(
    title="The hypotheses of the corollary can hold and its bound says something",
    section="Finite class",
    tags=("finite", "regret"),
    depends=("col:finite", "col:linear", "col:linear_per", "lem:rademacher"),
    variants={
        "sharpened": Variant(
            r"2M(1-\tfrac1K) + \tfrac{28\sqrt2}{9}(2+\sqrt2)\sqrt{KMT\ln|F|/\kappa} < T/2",
            ("the system of the statement",),
            Verdict.COQ,
        ),
        "best": Variant(
            r"2M(1-\tfrac1K) + \tfrac{C}{g}(2+\sqrt2)\sqrt{KMT\ln|F|/\kappa} < T/2",
            ("the system of the statement, with three arms",),
            Verdict.COQ,
        ),
        "linear": Variant(
            r"2M(1-\tfrac1K) + \tfrac{C}{g}(2+\sqrt2)\sqrt{KMT(d/4+1)} < T/2",
            ("the same means as phi'omega* in dimension 2, with two arms (sharpened) and three (best)",),
            Verdict.COQ,
        ),
        "personalised": Variant(
            r"2M(1-\tfrac1K) + \tfrac{C}{g}(2+\sqrt2)\sqrt{KMT(\tilde d/4+9M/4)} < MT/2",
            (
                "two agents, one shared coordinate and one of each agent's own, two arms (sharpened) and three (best)",
            ),
            Verdict.COQ,
        ),
        "rademacher": Variant(
            r"4B(B+1)/\sqrt n = 1 < (B+1)^2",
            ("64 fair coins as rewards of one feature, B = 1",),
            Verdict.COQ,
        ),
    },
)
