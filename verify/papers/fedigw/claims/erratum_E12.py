"""erratum:E12. lem:finite_var needs the class in [0,1].

For a reward r, a function f of the class and the true function f*, the lemma bounds the variance of l = (f - r)^2 -
(f* - r)^2 by Var l <= 4 E l. It uses |f + f* - 2r| <= 2, which needs f in [0,1]; the paper bounds only the rewards.
lem:finite_error, which uses the lemma, then fails too: if f is wrong by 10 on a rare context, samples that miss this
context cannot exclude f.
"""

from finite_class.lemmas import witnesses
from verify.papers.fedigw.errata import Severity, erratum

# l^2 <= 4 (f - f*)^2 for one reward r, l = (f - r)^2 - (f* - r)^2
UNIT = "mean >= 0, mean <= 1, r >= 0, r <= 1"
LOSS = "((f-r)*(f-r) - (mean-r)*(mean-r))"
PRINTED = f"""
    any class
        {UNIT} => {LOSS}*{LOSS} <= 4*(f-mean)*(f-mean)
"""
REPAIRED = f"""
    a class in [0,1]
        {UNIT}, f >= 0, f <= 1 => {LOSS}*{LOSS} <= 4*(f-mean)*(f-mean)
"""

claim = erratum(
    __doc__,
    witnesses.unbounded_class,
    witnesses.unseen_context,
    place="Appendix D.1, lem:finite_var and lem:finite_error",
    severity=Severity.HYPOTHESIS,
    order_survives="yes, with this hypothesis",
    repair="all functions of the class have values in [0,1]",
    about=("lem:finite_var", "lem:finite_error"),
    steps=(PRINTED, REPAIRED),
)
