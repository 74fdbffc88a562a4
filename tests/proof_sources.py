"""What tests of the formal proofs share: a statement by the name of its theorem, and a copy of the sources to
falsify.
"""

import shutil
from pathlib import Path

from verify.formal.statements import PROOFS, Statement, statements


def statement(theorem: str) -> Statement:
    return next(s for s in statements() if s.theorem == theorem)


def copy_of_proofs(tmp_path: Path) -> Path:
    return Path(
        shutil.copytree(PROOFS, tmp_path / "proofs", ignore=shutil.ignore_patterns("*.vo*", "*.glob"))
    )
