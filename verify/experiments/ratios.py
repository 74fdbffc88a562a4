"""Check that no ratio of a value to its bound exceeds 1. Report the largest ratio, or the first above 1."""

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
    """Return the verdict `kind` if no ratio of a value to its bound exceeds 1 + rounding, else REFUTED by the first
    that does: later ones are not compared. found: pairs (ratio, where it was found). what: the value in words. cases:
    what the summary calls the pairs. figures: further values to record."""
    pairs = []
    for pair in found:
        pairs.append(pair)
        if pair[0] > 1 + rounding:
            break
    ratio, where = max(pairs, key=lambda pair: pair[0])
    refuted, place = ratio > 1 + rounding, f" ({where})" if where else ""
    if refuted:
        said = f"{what}: {float(ratio):.4g} times the bound{place}; {len(pairs)} {cases} compared up to there"
    else:
        said = f"{what} at most {float(ratio):.4g} of the bound in {len(pairs)} {cases}{place}"
    known = {"cases": len(pairs), "worst_ratio": float(ratio), "where": where}
    return Evidence(kind.unless(refuted), said, known | figures)
