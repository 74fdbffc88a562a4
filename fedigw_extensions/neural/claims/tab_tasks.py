"""tab:tasks. Table 3: Bibtex has contexts of dimension 1835 and 159 arms, Delicious 500 and 983.

Bibtex has 1,836 features: the columns of its file that its XML does not list as labels (erratum E22). The other three
numbers are right. They are counted from the data files if these are stored (`python -m verify data add`). Otherwise
they are taken from the recorded runs, which name the digests of the files.
"""

from fedigw_extensions.neural.figures.tables import COUNTED, PRINTED, sizes
from verify.claim import Claim, Variant, Verdict

SETTING = ("the files of Mulan's repository with the digests of the record",)


claim = Claim(
    title="Bibtex and Delicious",
    section="Experiments",
    tags=("experiments",),
    errata=("erratum:E22",),
    variants={
        "printed": Variant(r"d = 1835,\ K = 159;\quad d = 500,\ K = 983", SETTING, Verdict.REFUTED),
        "repaired": Variant(r"d = 1836,\ K = 159;\quad d = 500,\ K = 983", SETTING, Verdict.FLOAT),
    },
)

claim.check("printed", control=dict(table=COUNTED), given=dict(table=PRINTED), name="printed")(sizes)
claim.check("repaired", control=dict(table=PRINTED), given=dict(table=COUNTED), name="repaired")(sizes)
