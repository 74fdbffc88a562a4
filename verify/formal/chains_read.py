"""The proof chains are read when the catalogue is built: a chain that cannot be a proof is refused there.

Reading them brings sympy and takes seconds, so it is done once per version of the files: their checksum is kept beside
the byte code, for the same reason and with the same right to be deleted.
"""

from __future__ import annotations

import contextlib
import hashlib
from pathlib import Path

import bounds
from fedigw.discovery import CatalogueError

STAMP = "chains.read"


def refuse_bad_chains(home: Path | None = None) -> None:
    """CatalogueError names the file with a stray symbol, a step used before it is shown, a cycle, an open induction."""
    home = home or Path(bounds.__file__).parent
    digest = hashlib.sha256()
    for path in sorted(home.rglob("*.py")):  # chains may use anything of bounds
        digest.update(f"{path.relative_to(home)}\0".encode() + path.read_bytes())
    stamp = home / "proofs" / "__pycache__" / STAMP
    with contextlib.suppress(OSError):
        if stamp.read_text(encoding="ascii") == digest.hexdigest():
            return
    from bounds.proofs.engine.chain import BadChain, discover_chains

    try:
        discover_chains()
    except BadChain as problem:
        raise CatalogueError(str(problem)) from None
    with contextlib.suppress(OSError):  # a read-only installation reads them every time
        stamp.parent.mkdir(exist_ok=True)
        stamp.write_text(digest.hexdigest(), encoding="ascii")
