"""own:iop. FALCON's arm probabilities satisfy the two inequalities that its analysis needs, even with K - 1 in the
place of K arms.

gap_a is how far the estimate of arm a is below the largest one, and gamma > 0 the learning rate. FALCON gives the
probability p_a = 1/(K + gamma gap_a) to every arm but the one with the largest estimate, which has the rest. The
paper calls two inequalities the implicit optimisation problem:

    sum_a p_a gap_a <= K/gamma                  few probabilities on arms that look bad
    1/p_a <= K + gamma gap_a for every a        enough for every arm

The first holds with (K-1)/gamma: each of the K - 1 terms is gap_a/(K + gamma gap_a) < 1/gamma. No smaller bound holds
for all gaps.
"""

from fractions import Fraction

from verify.claim import Claim, Evidence, Task, Variant, Verdict
from verify.statistics.compared import at_most

claim = Claim(
    title="The implicit optimisation problem",
    section="Inverse gap weighting",
    variants={
        "printed": Variant(r"\sum_a p_a \Delta_a \le K/\gamma", (), Verdict.EXACT),
        "sharpened": Variant(r"\sum_a p_a \Delta_a \le (K-1)/\gamma", (), Verdict.EXACT),
        "covers": Variant(r"1/p_a \le K + \gamma \Delta_a", (), Verdict.EXACT),
    },
)


def drawn(task: Task) -> list[tuple[int, Fraction, list[Fraction], list[Fraction]]]:
    """Return random cases: number of arms, learning rate gamma, gaps of the estimates, and FALCON's arm probabilities.
    gamma times a gap is at most 10^6."""
    rng, cases = task.rng(), []
    for _ in range(400):
        arms, gamma = int(rng.integers(2, 8)), Fraction(int(10 ** rng.uniform(0, 6)))
        gaps = [Fraction(0), *(Fraction(int(n), 10) for n in rng.integers(0, 11, arms - 1))]
        p = [1 / (arms + gamma * gap) for gap in gaps[1:]]
        cases.append((arms, gamma, gaps, [1 - sum(p), *p]))
    return cases


@claim.check("printed", control=dict(less=Fraction(3, 2)), given=dict(less=Fraction(0)), name="printed-sum")
@claim.check("sharpened", control=dict(less=Fraction(3, 2)), given=dict(less=Fraction(1)), name="sharp-sum")
def few(task: Task, less: Fraction) -> Evidence:
    """Compare sum_a p_a gap_a, where arm a has probability p_a and its estimate is gap_a below the largest, with (K -
    less)/gamma for K arms and learning rate gamma. The negative control, which must fail, takes less = 3/2."""
    rows = ((c[0], c[1], sum(q * gap for q, gap in zip(c[3], c[2], strict=True))) for c in drawn(task))
    return at_most(
        [(left, (k - less) / gamma, f"K = {k}, gamma = {gamma}") for k, gamma, left in rows], "sum"
    )


@claim.check("covers", control=dict(share=Fraction(9, 10)))
def enough(task: Task, share: Fraction = Fraction(1)) -> Evidence:
    """Compare the inverse probability of every arm with K + gamma times its gap (largest estimate minus its own), for
    K arms and learning rate gamma. Negative control, which must fail: 0.9 times that."""
    cases = []
    for k, gamma, gaps, p in drawn(task):
        cases += [
            (1 / q, share * (k + gamma * gap), f"K = {k}, gap {gap}") for q, gap in zip(p, gaps, strict=True)
        ]
    return at_most(cases, "1/p")
