"""rmk:linear. With linear rewards FedIGW has regret O~(sqrt(dMKT)) with at most O~(sqrt(MT)) rounds of communication,
and "no raw or compressed data is communicated".

    rounds      proved: AGD takes at most (1+sqrt2) sqrt(MT) ln(1 + 1.25 MT(MT+1)/(delta^2 C)) + log2 T rounds by T
    compressed  false: d+1 gradients determine an agent's Gram matrix (erratum E17)

CG takes at most d log2 T rounds for the same: the sqrt(MT) is AGD's, not the problem's.
"""

from __future__ import annotations

from functools import partial

from bounds import linear_communication
from bounds.symbols import symbol
from verify.claim import Check, Claim, Evidence, Task, Variant
from verify.claims.rmk_linear import privacy
from verify.verdict import Verdict


def rounds_order(task: Task, logarithms: int = 1) -> Evidence:
    """Rounds by T against sqrt(MT) log(MT)^logarithms: the limit of the closed bound's ratio, and exact counts.

    logarithms = 0 is the control: without the logarithm that O~ hides the ratio grows.
    """
    import sympy

    x, d = sympy.Symbol("x", positive=True), symbol("d")  # x = MT
    closed = sympy.log(1 + sympy.Rational(125) * x * (x + 1) / (d / 4 + 1)) / sympy.log(x) ** logarithms
    limit = sympy.limit(closed, x, sympy.oo)
    counts = {
        2**k: linear_communication.total_rounds("agd", 10, 5, 2**k, 0.1) / float((10 * 2**k) ** 0.5)
        for k in (10, 20, 30, 40)
    }
    cg = {str(t): linear_communication.total_rounds("cg", 10, 5, t, 0.1) for t in counts}
    figures = {
        "limit": str(limit),
        "rounds_over_sqrt_MT": {str(k): v for k, v in counts.items()},
        "cg": cg,
    }
    if limit == sympy.oo:
        return Evidence(Verdict.REFUTED, "rounds / sqrt(MT) grows without bound", figures)
    return Evidence(
        Verdict.PROVED,
        f"rounds / (sqrt(MT) log(MT)) <= (1+sqrt2) {limit} in the limit; at most {cg[str(2**40)]} by CG at 2^40",
        figures,
    )


CLAIM = Claim(
    label="rmk:linear",
    title="Rounds for linear rewards, and what is communicated",
    section="Linear class",
    statement=__doc__ or "",
    tags=("communication", "linear", "privacy"),
    depends=("col:linear",),
    errata=("erratum:E17",),
    variants={
        "rounds": Variant(
            r"\text{rounds}(T) = \tilde O(\sqrt{MT})", ("AGD with accuracy delta fixed",), Verdict.PROVED
        ),
        "compressed": Variant(
            r"\text{no raw or compressed data is communicated}", ("gradients without masks",), Verdict.REFUTED
        ),
    },
    checks=(
        Check("rounds", "rounds", rounds_order, partial(rounds_order, logarithms=0), "limit of ratios"),
        Check(
            "reconstruction",
            "compressed",
            privacy.reconstruction,
            partial(privacy.reconstruction, masked=True),
            "the server solves for the affine map behind d+1 gradients",
        ),
    ),
)
