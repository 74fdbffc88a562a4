"""Draw which of the paper's numbered statements use which, as a clickable SVG; a statement stands above those that it
uses.

The border of a node shows its status as printed: holds, needs repair, false, our own, or undecided. The fill shows the
weakest evidence among its confirmed variants, so that a measured bound is not hidden behind a proved count.
"""

import html
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any

from verify.claim import ROWS
from verify.paper import BY_LABEL
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
    str(Verdict.COQ): "#7bd88f",
    str(Verdict.Z3): "#aceebb",
    str(Verdict.CERTIFICATE): "#d2f4d9",
    str(Verdict.EXACT): "#bfe8ee",
    str(Verdict.FLOAT): "#dbeaf0",
    str(Verdict.MEASURED): "#d3e5fb",
    str(Verdict.UNDECIDED): "#fdf0c4",
    str(Verdict.REFUTED): "#ffd9d4",
    "absent": "#ffffff",
}


@dataclass
class Node:
    """A statement in the graph. label: the label of its claim. name: its number in print. note: the small line below
    the name. border, fill: see the module."""

    label: str
    name: str
    border: str
    fill: str
    note: str
    x: float = 0.0
    y: float = 0.0

    @property
    def width(self) -> float:
        return CHARACTER * max(len(self.name), len(self.note) * 0.85) + 22

    @property
    def middle(self) -> float:
        return self.x + self.width / 2


def statement_status(claim: dict[str, Any]) -> str:
    """Return the status of a statement as printed: "as printed" (true), "repaired", "false", "our own" or
    "undecided"."""
    verdicts = {v["variant"]: Verdict.of(v) for v in claim["variants"]}
    printed = verdicts.pop("printed", None)
    if any(v.get("vacuous") or v.get("added") for v in claim["variants"] if v["variant"] == "printed"):
        printed = Verdict.REFUTED  # empty, or lacking a hypothesis: what stands is the repaired form
    if printed is not None and printed.confirms:
        return "as printed"
    if any(v.confirms for v in verdicts.values()):
        return "our own" if printed is None else "repaired"
    return "false" if printed is Verdict.REFUTED else "undecided"


def proof_status(claim: dict[str, Any]) -> str:
    order = list(Verdict)
    telling = [v for v in claim["variants"] if not v.get("vacuous")] or claim["variants"]
    forms = [v for v in telling if v["variant"] in ROWS and Verdict.of(v).confirms]
    found = [Verdict.of(v) for v in forms or telling]
    return str(max([v for v in found if v.confirms] or found, key=order.index))


def draw(claims: list[dict[str, Any]]) -> str:
    """Return the SVG text of a graph of the claims about numbered statements. A node has the statement's number in
    print, and links to the section about its claim. Claims without arrows come last."""
    shown = [claim for claim in claims if _number(claim["label"])]
    edges = [(claim["label"], used) for claim in shown for used in claim["depends"] if _number(used)]
    absent = ("undecided", "absent", "not in this campaign")
    nodes = {used: Node(used, _number(used), *absent) for _, used in edges}
    for claim in shown:
        evidence, errata, label = proof_status(claim), len(claim["errata"]), claim["label"]
        note = evidence + (f", {errata} errat{'um' if errata == 1 else 'a'}" if errata else "")
        nodes[label] = Node(label, _number(label), statement_status(claim), evidence, note)
    if not nodes:
        return ""
    height = _place(_rows(nodes, edges))
    parts = [
        f'<svg id="graph" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" '
        f'width="{WIDTH}" font-family="system-ui, sans-serif" role="img" '
        'aria-label="Dependency graph of the statements">',
        '<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
        'orient="auto"><path d="M0,0 L8,4 L0,8 z" fill="#777"/></marker></defs>',
        *(_arrow(nodes[user], nodes[used]) for user, used in edges),
        *(_box(node) for node in nodes.values()),
        "</svg>",
    ]
    return "\n".join(parts)


def _number(label: str) -> str:
    statement = BY_LABEL.get(label)
    return statement.number if statement is not None and statement.numbered else ""


def _rows(nodes: dict[str, Node], edges: list[tuple[str, str]]) -> list[list[Node]]:
    users: dict[str, list[str]] = {label: [] for edge in edges for label in edge}
    for user, used in edges:
        users[used].append(user)

    @cache
    def depth(label: str) -> int:
        return max((depth(user) + 1 for user in users[label]), default=0)

    rows: list[list[Node]] = []
    for level in [*range(max(map(depth, users), default=-1) + 1), None]:
        free = 0.0
        for node in (nodes[n] for n in nodes if (depth(n) if n in users else None) == level):
            if free < node.width:
                rows.append([])
                free = WIDTH - 20.0
            rows[-1].append(node)
            free -= node.width + COLUMN_GAP
    _untangle(rows, [(nodes[user], nodes[used]) for user, used in edges])
    return rows


def _untangle(rows: list[list[Node]], arrows: list[tuple[Node, Node]]) -> None:
    """Swap nodes within rows until no swap makes fewer arrows cross, or makes the arrows shorter with as many
    crossings."""

    def cost() -> tuple[int, float]:
        _place(rows)
        return crossings(arrows), sum(abs(user.middle - used.middle) for user, used in arrows)

    least, better = cost(), True
    while better:
        better = False
        for row in rows:
            for one, other in combinations(range(len(row)), 2):
                row[one], row[other] = row[other], row[one]
                if (found := cost()) < least:
                    least, better = found, True
                else:
                    row[one], row[other] = row[other], row[one]
    _place(rows)


def crossings(arrows: list[tuple[Node, Node]]) -> int:
    """Return how many pairs of arrows cross, if each is a straight line from node to node."""
    found = 0
    for (a, b), (c, d) in combinations(arrows, 2):
        top, bottom = max(a.y, c.y), min(b.y, d.y)
        if top < bottom and a is not c and b is not d:
            above, below = (_at(a, b, y) - _at(c, d, y) for y in (top, bottom))
            found += above * below < 0
    return found


def _at(user: Node, used: Node, y: float) -> float:
    return user.middle + (used.middle - user.middle) * (y - user.y) / (used.y - user.y)


def _place(rows: list[list[Node]]) -> float:
    y = 10.0
    for row in rows:
        x = (WIDTH - sum(n.width for n in row) - COLUMN_GAP * (len(row) - 1)) / 2
        for node in row:
            node.x, node.y = x, y
            x += node.width + COLUMN_GAP
        y += NODE_HEIGHT + ROW_GAP
    return y - ROW_GAP + 10


def _arrow(user: Node, used: Node) -> str:
    top, bottom = user.y + NODE_HEIGHT, used.y - 2
    bend = max(20.0, (bottom - top) / 2)
    path = f"M{user.middle:.1f},{top:.1f} C{user.middle:.1f},{top + bend:.1f}"
    path += f" {used.middle:.1f},{bottom - bend:.1f} {used.middle:.1f},{bottom:.1f}"
    ends = f'data-user="{html.escape(user.label)}" data-used="{html.escape(used.label)}"'
    return f'<path {ends} d="{path}" fill="none" stroke="#999" stroke-width="1.2" marker-end="url(#arrow)"/>'


def _box(node: Node) -> str:
    label, name, note = html.escape(node.label), html.escape(node.name), html.escape(node.note)
    middle = f"{node.middle:.1f}"
    dash = ' stroke-dasharray="5 4"' if node.fill == "absent" else ""
    inside = (
        f'<rect x="{node.x:.1f}" y="{node.y:.1f}" width="{node.width:.1f}" height="{NODE_HEIGHT}" rx="8" '
        f'fill="{FILL[node.fill]}" stroke="{BORDER[node.border]}" stroke-width="3"{dash}/>'
        f'<text x="{middle}" y="{node.y + 20:.1f}" text-anchor="middle" font-size="13" font-weight="600" '
        f'fill="#1b1b1b">{name}</text>'
        f'<text x="{middle}" y="{node.y + 36:.1f}" text-anchor="middle" font-size="11" fill="#444">{note}</text>'
    )
    title = f"<title>{name} ({label}): statement {node.border}, evidence {node.fill}</title>"
    if node.fill == "absent":
        return f"<g>{title}{inside}</g>"
    return f'<a id="graph:{label}" href="#{label}">{title}{inside}</a>'
