"""erratum:E4. The last lines bound the wrong quantity.

The last two displays of the proof of lem:true_virtual_loss carry Reghat^{l-1}(pihat^l) on the left where
Reghat^l(pi) is meant. What is printed does not follow from the lines before it.
"""

from __future__ import annotations

from finite_class.lemmas import witnesses
from verify.claim import Erratum, Severity
from verify.errata import erratum

claim = erratum(
    4,
    "The last lines bound the wrong quantity",
    __doc__ or "",
    (("wrong-subject", witnesses.wrong_subject),),
    Erratum(
        place="Appendix C.2, proof of lem:true_virtual_loss, last two displays, left-hand sides",
        severity=Severity.TYPO,
        order_survives="yes",
        repair="Reghat^l(pi) for Reghat^{l-1}(pihat^l)",
        about=("lem:true_virtual_loss",),
    ),
    ("printed steps", ("E4 printed",), ("E4 repaired",)),
)
