"""The dependency graph of claims as SVG. Border: the statement as printed. Fill: what is proved of its repair.

python -m verify.claim_graph > docs/claim_graph.svg draws what is expected; the report passes what was found.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape

from verify.catalogue import catalogue
from verify.claim import Claim
from verify.verdict import Verdict

WIDTH, HEIGHT, GAP_X, GAP_Y, MARGIN = 190, 46, 26, 56, 24
BORDER = {True: "#1a7f37", False: "#b42318", None: "#8a8a8a"}
FILL = {
    Verdict.KERNEL: "#7fd1ae",
    Verdict.PROVED: "#b7e4c7",
    Verdict.CERTIFIED: "#d3efe0",
    Verdict.EXACT: "#e6f2ff",
    Verdict.SUPPORTED: "#fff4d6",
    Verdict.INCONCLUSIVE: "#f2f2f2",
    Verdict.REFUTED: "#fbd5d5",
}


@dataclass(frozen=True)
class Status:
    """printed: verdict on the statement as printed. best: strongest verdict on any other variant (or on it)."""

    printed: Verdict | None
    best: Verdict


def expected(claim: Claim) -> Status:
    """What the claim expects of itself."""
    return status({name: variant.expects for name, variant in claim.variants.items()})


def status(verdicts: Mapping[str, Verdict]) -> Status:
    """From variant -> verdict."""
    others = [v for name, v in verdicts.items() if name != "printed"] or list(verdicts.values())
    return Status(verdicts.get("printed"), min(others, key=list(Verdict).index))


def svg(statuses: Mapping[str, Status]) -> str:
    """The graph of the claims in `statuses` (errata left out): what a claim uses stands above it."""
    claims = {label: catalogue()[label] for label in statuses if not label.startswith("erratum:")}
    levels = {label: _level(label, claims) for label in claims}
    rows: dict[int, list[str]] = {}
    for label in sorted(claims, key=lambda item: (levels[item], item)):
        rows.setdefault(levels[label], []).append(label)
    widest = max((len(row) for row in rows.values()), default=1)
    total = widest * (WIDTH + GAP_X) - GAP_X + 2 * MARGIN
    places: dict[str, tuple[float, float]] = {}
    for level, row in rows.items():
        start = (total - (len(row) * (WIDTH + GAP_X) - GAP_X)) / 2
        for i, label in enumerate(row):
            places[label] = start + i * (WIDTH + GAP_X), MARGIN + level * (HEIGHT + GAP_Y)
    bottom = MARGIN + len(rows) * (HEIGHT + GAP_Y)
    parts = [
        _edge(places[used], places[label])
        for label in claims
        for used in claims[label].depends
        if used in places
    ]
    parts += [_node(label, places[label], statuses[label]) for label in claims]
    parts += _legend(bottom)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {total:g} {bottom + 44:g}" width="{total:g}" '
        f'font-family="sans-serif" font-size="12" role="img" aria-label="dependency graph of claims">'
        + "".join(parts)
        + "</svg>\n"
    )


def _level(label: str, claims: Mapping[str, Claim]) -> int:
    """Longest path from a claim that uses nothing here; the catalogue has refused cycles."""
    return max((_level(used, claims) + 1 for used in claims[label].depends if used in claims), default=0)


def _node(label: str, place: tuple[float, float], found: Status) -> str:
    x, y = place
    holds = None if found.printed is None else found.printed.confirms
    border, fill = BORDER[holds], FILL[found.best]
    said = "not stated" if found.printed is None else found.printed
    tip = f"{label}: printed {said}; repaired or sharpened {found.best}"
    return (
        f'<g><title>{escape(tip)}</title><rect x="{x:g}" y="{y:g}" width="{WIDTH}" height="{HEIGHT}" rx="7" '
        f'fill="{fill}" stroke="{border}" stroke-width="3"/>'
        f'<text x="{x + WIDTH / 2:g}" y="{y + 19:g}" text-anchor="middle">{escape(label)}</text>'
        f'<text x="{x + WIDTH / 2:g}" y="{y + 36:g}" text-anchor="middle" fill="#444" font-size="10">'
        f"printed {said}, proof {found.best}</text></g>"
    )


def _edge(above: tuple[float, float], below: tuple[float, float]) -> str:
    x1, y1, x2, y2 = above[0] + WIDTH / 2, above[1] + HEIGHT, below[0] + WIDTH / 2, below[1]
    middle = (y1 + y2) / 2
    return f'<path d="M{x1:g} {y1:g} C{x1:g} {middle:g} {x2:g} {middle:g} {x2:g} {y2:g}" fill="none" stroke="#999"/>'


def _legend(y: float) -> list[str]:
    text = (
        "border: the statement as printed (green holds, red refuted, grey not printed);"
        " fill: the strongest verdict on its repaired or sharpened form"
    )
    return [f'<text x="{MARGIN}" y="{y + 8:g}" fill="#444">{text}</text>']


if __name__ == "__main__":
    sys.stdout.write(svg({label: expected(claim) for label, claim in catalogue().items()}))
