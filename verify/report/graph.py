"""The dependency graph of the claims as a clickable SVG: who uses whom, drawn top down, without any other program.

Border: the statement as the paper prints it (holds, needs repair, false, our own, undecided).
Fill: the weakest evidence that one of its confirmed forms has (a bound that is only measured is not hidden by a count).
"""

from __future__ import annotations

import html
import sys
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from verify.catalogue import catalogue
from verify.verdict import Verdict

WIDTH = 980
NODE_HEIGHT, ROW_GAP, COLUMN_GAP, CHARACTER = 46, 54, 18, 8.3

BORDER = {
    "as printed": "#1a7f37",
    "repaired": "#bc4c00",
    "false": "#b42318",
    "our own": "#0550ae",
    "undecided": "#8c8c8c",
}
FILL = {
    "kernel": "#7bd88f",
    "proved": "#aceebb",
    "certified": "#d2f4d9",
    "exact": "#bfe8ee",
    "computed": "#dbeaf0",
    "supported": "#d3e5fb",
    "inconclusive": "#fdf0c4",
    "refuted": "#ffd9d4",
    "absent": "#ffffff",
}


FORMS = ("printed", "repaired", "sharpened", "best")


@dataclass
class Node:
    label: str
    border: str
    fill: str
    note: str
    x: float = 0.0
    y: float = 0.0

    @property
    def bend(self) -> bool:
        """A place where an arrow passes through a layer, not a claim."""
        return self.fill == ""

    @property
    def width(self) -> float:
        if self.bend:
            return 4.0
        return CHARACTER * max(len(self.label), len(self.note) * 0.85) + 22


def statement_status(claim: dict[str, Any]) -> str:
    """What became of the statement as the paper prints it."""
    verdicts = {v["variant"]: Verdict(v["verdict"]) for v in claim["variants"]}
    printed = verdicts.get("printed")
    if any(v.get("vacuous") for v in claim["variants"] if v["variant"] == "printed"):
        printed = Verdict.REFUTED  # true and empty: what stands is the repaired form
    others = any(v.confirms for name, v in verdicts.items() if name != "printed")
    if printed is None:
        return "our own" if others else "undecided"
    if printed.confirms:
        return "as printed"
    if printed is Verdict.REFUTED:
        return "repaired" if others else "false"
    return "repaired" if others else "undecided"


def proof_status(claim: dict[str, Any]) -> str:
    """The weakest verdict among the confirmed forms of the statement; counts and other quantities come second."""
    order = list(Verdict)
    telling = [v for v in claim["variants"] if not v.get("vacuous")] or claim["variants"]
    forms = [v for v in telling if v["variant"] in FORMS and Verdict(v["verdict"]).confirms]
    found = [Verdict(v["verdict"]) for v in forms or telling]
    confirmed = [v for v in found if v.confirms]
    return str(max(confirmed, key=order.index)) if confirmed else str(max(found, key=order.index))


def draw(claims: list[dict[str, Any]], links: bool = True) -> str:
    """SVG text; with `links` a node leads to its claim's section. Claims nobody uses and that use nobody come last."""
    nodes, edges = _graph(claims)
    if not nodes:
        return ""
    depth = _depths(nodes, edges)
    routes = [_route(edge, nodes, depth) for edge in edges]
    height = _place(_rows(nodes, [pair for route in routes for pair in pairwise(route)], depth))
    parts = [
        f'<svg id="graph" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" '
        f'width="{WIDTH}" font-family="system-ui, sans-serif" role="img" aria-label="Dependency graph of the claims">',
        '<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
        'orient="auto"><path d="M0,0 L8,4 L0,8 z" fill="#777"/></marker></defs>',
        *(_arrow([nodes[label] for label in route]) for route in routes),
        *(_box(node, links) for node in nodes.values() if not node.bend),
        "</svg>",
    ]
    return "\n".join(parts)


def _graph(claims: list[dict[str, Any]]) -> tuple[dict[str, Node], list[tuple[str, str]]]:
    shown = [c for c in claims if not c["label"].startswith("erratum:")]
    nodes = {c["label"]: Node(c["label"], statement_status(c), proof_status(c), _note(c)) for c in shown}
    edges = []
    for claim in shown:
        for used in claim["depends"]:
            nodes.setdefault(used, Node(used, "undecided", "absent", "not in this campaign"))
            edges.append((claim["label"], used))
    return nodes, edges


def _note(claim: dict[str, Any]) -> str:
    errata = len(claim["errata"])
    return proof_status(claim) + (f", {errata} errat{'um' if errata == 1 else 'a'}" if errata else "")


def _depths(nodes: dict[str, Node], edges: list[tuple[str, str]]) -> dict[str, int]:
    """The longest path from a claim that nobody uses; claims without any arrow are left out."""
    used_by: dict[str, list[str]] = {}
    for a, b in edges:
        used_by.setdefault(a, [])
        used_by.setdefault(b, []).append(a)
    depth: dict[str, int] = {}

    def deep(label: str) -> int:
        if label not in depth:
            depth[label] = max((deep(parent) + 1 for parent in used_by[label]), default=0)
        return depth[label]

    for label in used_by:
        deep(label)
    return depth


def _route(edge: tuple[str, str], nodes: dict[str, Node], depth: dict[str, int]) -> list[str]:
    """The labels along an arrow: its ends, and a bend in every layer that it passes, so that it avoids the claims."""
    user, used = edge
    bends = [f"{user} {used} {level}" for level in range(depth[user] + 1, depth[used])]
    for level, bend in enumerate(bends, start=depth[user] + 1):
        nodes[bend] = Node(bend, "", "", "")
        depth[bend] = level
    return [user, *bends, used]


def _rows(nodes: dict[str, Node], links: list[tuple[str, str]], depth: dict[str, int]) -> list[list[Node]]:
    """Layers, each ordered by the mean place of its neighbours, broken to the page's width."""
    below: dict[str, list[str]] = {label: [] for label in nodes}
    above: dict[str, list[str]] = {label: [] for label in nodes}
    for a, b in links:
        below[a].append(b)
        above[b].append(a)
    layers: list[list[str]] = [[] for _ in range(max(depth.values(), default=-1) + 1)]
    for label in nodes:
        if label in depth:
            layers[depth[label]].append(label)
    for _ in range(6):
        for neighbours, sweep in ((above, layers), (below, layers[::-1])):
            place = {label: (i + 1) / (len(layer) + 1) for layer in layers for i, label in enumerate(layer)}
            for layer in sweep:
                layer.sort(key=lambda label: _mean([place[n] for n in neighbours[label]], place[label]))
                place |= {label: (i + 1) / (len(layer) + 1) for i, label in enumerate(layer)}
    layers.append([label for label in nodes if label not in depth])
    return [row for layer in layers for row in _broken([nodes[label] for label in layer])]


def _mean(values: list[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise


def _broken(layer: list[Node]) -> list[list[Node]]:
    rows: list[list[Node]] = []
    room = 0.0
    for node in layer:
        if room < node.width:
            rows.append([])
            room = WIDTH - 20.0
        rows[-1].append(node)
        room -= node.width + COLUMN_GAP
    return rows


def _place(rows: list[list[Node]]) -> float:
    y = 10.0
    for row in rows:
        x = (WIDTH - sum(n.width for n in row) - COLUMN_GAP * (len(row) - 1)) / 2
        for node in row:
            node.x, node.y = x, y
            x += node.width + COLUMN_GAP
        y += NODE_HEIGHT + ROW_GAP
    return y - ROW_GAP + 10


def _arrow(route: list[Node]) -> str:
    path = f"M{route[0].x + route[0].width / 2:.1f},{route[0].y + NODE_HEIGHT:.1f}"
    for before, after in pairwise(route):
        x1, y1 = before.x + before.width / 2, before.y + NODE_HEIGHT
        x2, y2 = after.x + after.width / 2, after.y - (0 if after.bend else 2)
        bend = max(20.0, (y2 - y1) / 2)
        path += f" C{x1:.1f},{y1 + bend:.1f} {x2:.1f},{y2 - bend:.1f} {x2:.1f},{y2:.1f}"
        if after.bend:
            path += f" V{after.y + NODE_HEIGHT:.1f}"
    return f'<path d="{path}" fill="none" stroke="#999" stroke-width="1.2" marker-end="url(#arrow)"/>'


def _box(node: Node, links: bool) -> str:
    label, note = html.escape(node.label), html.escape(node.note)
    dash = ' stroke-dasharray="5 4"' if node.fill == "absent" else ""
    middle = node.x + node.width / 2
    inside = (
        f'<rect x="{node.x:.1f}" y="{node.y:.1f}" width="{node.width:.1f}" height="{NODE_HEIGHT}" rx="8" '
        f'fill="{FILL[node.fill]}" stroke="{BORDER[node.border]}" stroke-width="3"{dash}/>'
        f'<text x="{middle:.1f}" y="{node.y + 20:.1f}" text-anchor="middle" font-size="13" font-weight="600" '
        f'fill="#1b1b1b">{label}</text>'
        f'<text x="{middle:.1f}" y="{node.y + 36:.1f}" text-anchor="middle" font-size="11" fill="#444">{note}</text>'
    )
    title = f"<title>{label}: statement {node.border}, evidence {node.fill}</title>"
    if node.fill == "absent" or not links:
        return f"<g>{title}{inside}</g>"
    return f'<a href="#{label}">{title}{inside}</a>'


def expected() -> str:
    """SVG text of docs/claim_graph.svg: every claim of the catalogue with what it expects of itself."""
    rows = [
        {
            "label": claim.label,
            "depends": list(claim.depends),
            "errata": list(claim.errata),
            "variants": [{"variant": name, "verdict": str(v.expects)} for name, v in claim.variants.items()],
        }
        for claim in catalogue().values()
    ]
    return draw(rows, links=False) + "\n"


if __name__ == "__main__":
    sys.stdout.write(expected())
