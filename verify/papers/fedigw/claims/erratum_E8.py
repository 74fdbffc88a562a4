"""erratum:E8. The excess risk is not clipped.

(25 ln(|F|n) + 1)/n exceeds 1, the largest squared error there is, at small n: 37.9 at n = 2, |F| = 10.
A remark, not an error: the paper prints no line that says otherwise, and its bound stays true. But it says nothing
there, and the learning rate computed from it is needlessly small. Repair: min(1, .), which the sharpened variants use.
No smaller clip would do: with one sample of N contexts and rivals that are right on one context each, the exact excess
risk is 1 - 1/N.
"""

from fractions import Fraction

from bounds import lem_finite_error
from finite_class.law import exact_law
from finite_class.lemmas import witnesses
from verify.claim import Evidence, Severity, Task, Verdict
from verify.papers.fedigw.claims.lem_finite_error.exact_laws import one_epoch
from verify.papers.fedigw.errata import erratum

CONTEXTS = (2, 3, 5, 8, 12, 20)


claim = erratum(
    __doc__,
    witnesses.excess_risk_above_one,
    place="Appendix D.1, lem:finite_error, second half, as it enters gamma in col:finite",
    severity=Severity.REMARK,
    order_survives="yes",
    repair="min(1, .): a remark on small n, the printed bound is true",
    about=("lem:finite_error", "col:finite"),
    printed=False,
)


@claim.check("repaired", control=dict(clip=0.9), name="clip")
def clip_needed(task: Task, clip: float = 1.0) -> Evidence:
    """The exact excess risk after one sample against min(clip, e), e of the sharpened variant. Control: clip = 0.9."""
    one, zero = Fraction(1), Fraction(0)
    rows = []
    for count in CONTEXTS:
        right_on = [tuple((one if y == x else zero,) for y in range(count)) for x in range(count)]
        functions = (((one,),) * count, *right_on)
        found = exact_law(one_epoch(functions, 1, "deterministic")).epochs[0].excess_risk
        stated = lem_finite_error.mean("sharpened", len(functions), 1)
        risk = Fraction(found or 0)
        rows.append(
            dict(N=count, risk=str(risk), value=float(risk), e=stated, holds=risk <= min(clip, stated))
        )
    broken = [row for row in rows if not row["holds"]]
    worst = broken[0] if broken else rows[-1]
    relation = ">" if broken else "<="
    return Evidence(
        Verdict.REFUTED if broken else Verdict.EXACT,
        f"exact excess risk {worst['risk']} {relation} min({clip:g}, e) = {min(clip, float(str(worst['e']))):g} after"
        f" one sample of {worst['N']} contexts",
        {"rows": rows},
    )
