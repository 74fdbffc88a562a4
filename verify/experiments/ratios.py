"""Check that no ratio of a value to its bound exceeds 1, and report the largest one."""

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
    """Return the verdict `kind` if no ratio of a value to its bound exceeds 1 + rounding, else REFUTED. found: pairs
    (ratio, where it was found). what: the value in words. cases: what the summary calls the pairs. figures: further
    values to record."""
    pairs = []
    for pair in found:
        pairs.append(pair)
        if pair[0] > 1 + rounding:
            break
    worst, where = max(pairs, key=lambda pair: pair[0])
    place = f" ({where})" if where else ""
    return Evidence(
        kind.unless(worst > 1 + rounding),
        f"{what} at most {float(worst):.4g} of the bound in {len(pairs)} {cases}{place}",
        {"cases": len(pairs), "worst_ratio": float(worst), "where": where} | figures,
    )
