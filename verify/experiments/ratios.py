"""The largest of many ratios of a value to its bound, as evidence."""

from collections.abc import Iterable
from typing import Any

from verify.claim import Evidence, Verdict


def at_most_one(
    found: Iterable[tuple[Any, str]],
    what: str,
    kind: Verdict = Verdict.FLOAT,
    cases: str = "cases",
    rounding: float = 0.0,
    **figures: Any,
) -> Evidence:
    """Return the verdict `kind` if no ratio of `found`, pairs (ratio, where), exceeds 1 + rounding, else REFUTED.

    The summary says how large they are, in how many `cases`, and where the largest is met.
    """
    pairs = list(found)
    worst, where = max(pairs, key=lambda pair: pair[0])
    place = f" ({where})" if where else ""
    return Evidence(
        kind.unless(worst > 1 + rounding),
        f"{what} at most {float(worst):.4g} of the bound in {len(pairs)} {cases}{place}",
        {"cases": len(pairs), "worst_ratio": float(worst), "where": where} | figures,
    )
