"""erratum:E8. The printed bound on the excess risk is not clipped at 1, the largest possible value.

With few samples the bound (25 ln(|F|n) + 1)/n on the excess risk exceeds 1: it is 37.9 for n = 2 samples and |F| = 10
functions. This is a remark, not an error: the bound is true, but it says nothing there, and the learning rate
computed from it is needlessly small. The sharpened variants use the smaller of 1 and their bound. No constant below 1
is possible in place of 1: with one sample of N contexts and one wrong function for each context, right on this
context only, the exact excess risk is 1 - 1/N.
"""

from fractions import Fraction
from functools import cache

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
    repair="min(1, .): a remark on small n, the printed bound is true",
    about=("lem:finite_error", "col:finite"),
    printed=False,
)


@cache
def _after_one_sample(count: int) -> Fraction:
    one, zero = Fraction(1), Fraction(0)
    right_on = [tuple((one if y == x else zero,) for y in range(count)) for x in range(count)]
    functions = (((one,),) * count, *right_on)
    return Fraction(exact_law(one_epoch(functions, 1, "deterministic")).epochs[0].excess_risk or 0)


@claim.check("repaired", control=dict(clip=0.9), name="clip")
def clip_needed(task: Task, clip: float = 1.0) -> Evidence:
    """Compare the exact excess risk 1 - 1/N after one sample of N contexts with the bound min(clip, ln|F|/(kappa n))
    for clip = 1 and N = 2 to 20. |F| is the number of functions, n = 1 the number of samples, and kappa = 1 - e^{-1/2}.
    Negative control, which must fail: clip = 0.9."""
    rows = []
    for count in CONTEXTS:
        stated, risk = lem_finite_error.mean("sharpened", count + 1, 1), _after_one_sample(count)
        holds = risk <= min(clip, stated)
        rows.append(dict(N=count, risk=str(risk), value=float(risk), e=stated, holds=holds))
    broken = [row for row in rows if not row["holds"]]
    worst, relation = (broken[0], ">") if broken else (rows[-1], "<=")
    said = f"exact excess risk {worst['risk']} {relation} min({clip:g}, e) = {min(clip, float(str(worst['e']))):g}"
    said += f" after one sample of {worst['N']} contexts"
    return Evidence(Verdict.EXACT.unless(bool(broken)), said, {"rows": rows})
