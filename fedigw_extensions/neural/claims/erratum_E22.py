"""erratum:E22. tab:tasks: the contexts of Bibtex have dimension 1836, not 1835."""

from fedigw_extensions.neural.figures.tables import COUNTED, PRINTED, sizes
from verify.claim import Claim, Erratum, Severity, Variant, Verdict

BIBTEX = {"bibtex": PRINTED["bibtex"]}
RIGHT = {"bibtex": COUNTED["bibtex"]}


claim = Claim(
    title="Bibtex has 1836 features",
    section="Errata",
    tags=("erratum", "tab:tasks"),
    erratum=Erratum(
        place="Section 5, tab:tasks, context dimension of Bibtex",
        severity=Severity.TYPO,
        order_survives="yes: it is not about an order",
        repair="1836",
        about=("tab:tasks",),
    ),
    variants={
        "printed": Variant(r"d = 1835", ("as printed",), Verdict.REFUTED),
        "repaired": Variant(r"d = 1836", ("as repaired",), Verdict.FLOAT),
    },
    reference="tab:tasks",
    notes=lambda: (
        "witness: bibtex.arff has 1995 columns, of which the XML names 159 as labels: 1995 - 159 = 1836 features",
    ),
)

claim.check("printed", control=dict(table=RIGHT), given=dict(table=BIBTEX), name="columns")(sizes)
claim.check("repaired", control=dict(table=BIBTEX), given=dict(table=RIGHT), name="repair")(sizes)
