"""rmk:linear. With linear rewards FedIGW has regret O~(sqrt(dMKT)) with at most O~(sqrt(MT)) rounds of communication,
and "no raw or compressed data is communicated".

M agents have K arms each and play T steps; features have d dimensions. AGD is accelerated gradient descent:

    rounds      AGD for convex functions takes at most (1+sqrt2) sqrt(MT) + log2 T rounds up to step T, AGD to a
                tolerance delta at most (1+sqrt2) sqrt(MT) (3 ln(MT) + 2 ln(1/delta)) + log2 T
    compressed  the sentence suggests that messages do not determine an agent's compressed data, its Gram matrix.
                That is false: gradients at d+1 affinely independent points determine it (remark E17)

Conjugate gradients take at most d log2 T rounds, so the order sqrt(MT) is due to AGD, not to the problem.
"""

from bounds import linear_communication
from verify.claim import Claim, Evidence, Task, Variant, Verdict
from verify.papers.fedigw.claims.col_linear import schedule
from verify.papers.fedigw.claims.rmk_linear import privacy

claim = Claim(
    title="Rounds for linear rewards, and what is communicated",
    section="Linear class",
    tags=("communication", "linear", "privacy"),
    depends=("col:linear",),
    errata=("erratum:E17",),
    variants={
        "rounds": Variant(
            r"\text{rounds}(T) = \tilde O(\sqrt{MT})",
            ("AGD, for convex functions or to a fixed tolerance delta",),
            Verdict.Z3,
        ),
        "compressed": Variant(
            r"\text{the messages do not determine } V_m, b_m",
            (
                "gradients without masks, at d+1 affinely independent points",
                "not printed: what the sentence suggests",
            ),
            Verdict.REFUTED,
        ),
    },
)


@claim.check("rounds", control=dict(share=1), name="rounds")
def rounds_order(task: Task, share: int = 0) -> Evidence:
    """Prove by z3 that accelerated gradient descent for convex functions makes at most (1+sqrt2) sqrt(MT) + log2 T
    rounds for M agents up to step T. To a tolerance, it makes at most a logarithmic factor more. Negative control,
    which must fail: bounds smaller by a tenth."""
    convex, tolerance = schedule.convex_order(task, share), schedule.tolerance_order(task, share)
    for found in (convex, tolerance):
        if found.kind is not Verdict.Z3:
            return found
    most = linear_communication.total_rounds("cg", 10, 5, 2**40, 0.1)
    said = "convex AGD: rounds by T at most (1+sqrt2) sqrt(MT) + log2 T for all M, T; AGD to a tolerance: "
    said += f"{tolerance.summary}; CG: at most {most} at M = 10, d = 5, T = 2^40"
    steps = {**convex.figures["steps"], **tolerance.figures["steps"]}
    return Evidence(Verdict.Z3, said, dict(convex.figures) | {"steps": steps})


claim.check("compressed", control=dict(masked=True))(privacy.reconstruction)
