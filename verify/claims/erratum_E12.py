"""erratum:E12. lem:finite_var needs the class in [0,1].

Var l <= 4 E l uses |f + f* - 2r| <= 2, which needs f in [0,1]; the paper bounds rewards, not the class."""

from __future__ import annotations

from finite_class.lemmas import witnesses
from verify.claim import Erratum, Severity
from verify.errata import erratum

claim = erratum(
    12,
    "lem:finite_var needs the class in [0,1]",
    __doc__ or "",
    (("unbounded-class", witnesses.unbounded_class),),
    Erratum(
        place="Appendix D.1, lem:finite_var",
        severity=Severity.HYPOTHESIS,
        order_survives="yes, with it",
        repair="assume F in [0,1]",
        about=("lem:finite_var", "lem:finite_error"),
    ),
    ("lem:finite_var", ("E12: without F in [0,1]",), ("square, printed",)),
)
