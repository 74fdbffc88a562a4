"""docs/claim_graph.svg: the dependency graph with what every claim expects of itself (verify.pages.claim_graph).

The report draws the same graph with what was found.
"""

from __future__ import annotations

import sys
from typing import Any

from verify.catalogue import catalogue
from verify.claim import Claim
from verify.report import graph


def expected(claim: Claim) -> dict[str, Any]:
    """The claim as the graph takes it, every expectation met."""
    return {
        "label": claim.label,
        "depends": list(claim.depends),
        "errata": list(claim.errata),
        "variants": [{"variant": name, "verdict": str(v.expects)} for name, v in claim.variants.items()],
    }


def svg() -> str:
    return graph.draw([expected(claim) for claim in catalogue().values()], links=False) + "\n"


if __name__ == "__main__":
    sys.stdout.write(svg())
