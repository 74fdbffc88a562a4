"""report.html: one self-contained file, made from results.json and the plots alone."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

from fedigw.instance_file import to_toml
from fedigw.record import replace_text
from verify.campaign.derived import PLOTS, REPORT
from verify.catalogue import catalogue
from verify.claim import Plot, Severity
from verify.paper import BY_LABEL, PAPER
from verify.report import graph, headline, highlights, mathematics, status
from verify.report.plain import inert
from verify.report.plots import file_stem
from verify.report.theorems import theorems
from verify.verdict import Verdict, spoken

ERRATA = "Errata and remarks"
TEMPLATE = "report.html.j2"
MOST_ROWS = 40  # of a table of figures; the rest is in results.json
# Figures that have a place of their own on the page.
SHOWN_ELSEWHERE = ("theorem", "axioms", "same", "why", "word", "coq", "sources", "constants")

# Figures of a witness, in the words of a reader.
CALLED = {
    "instance": "at",
    "line": "the inequality",
    "left": "its left side, exactly",
    "right": "its right side, exactly",
    "left_value": "its left side",
    "right_value": "its right side",
}


def write_report(folder: Path, document: dict[str, Any]) -> Path:
    path = folder / REPORT
    replace_text(path, inert(render(folder, document)))
    return path


def render(folder: Path, document: dict[str, Any]) -> str:
    """The page's text. Text from results is escaped by the template; only our own MathML and SVG go in as they are."""
    from jinja2 import Environment, FileSystemLoader
    from markupsafe import Markup

    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["math"] = lambda text: Markup(mathematics.mathml(text))
    environment.filters["readable"] = lambda text: Markup(mathematics.readable(str(text)))
    environment.filters["number"] = number
    environment.tests["table"] = is_table
    environment.globals["own_file"] = lambda name: Markup((Path(__file__).parent / name).read_text("utf-8"))
    rows = status.statuses(document)
    return environment.get_template(TEMPLATE).render(
        results=document,
        paper=PAPER,
        counted=highlights.counted(document, rows),
        main_results=highlights.main_results(document),
        statuses=rows,
        status_counts=status.count([row for row in rows if row.statement.numbered]),
        uncovered=highlights.uncovered(rows),
        errata=highlights.errata(document),
        errata_found=headline.errata_found(document),
        meanings_of_severity={str(s): s.meaning for s in Severity},
        findings=headline.findings(document),
        about=headline.GROUPS,
        affected=headline.AFFECTED,
        new_worst=headline.new_worst(document),
        carrying=headline.carrying,
        kernel_words=headline.kernel_words(document),
        theorems=theorems(document),
        spoken=lambda verdict, vacuous: spoken(Verdict(verdict), vacuous or ""),
        notes=highlights.notes(),
        labels={claim["label"] for claim in document["claims"]},
        in_print={label: statement.number for label, statement in BY_LABEL.items()},
        sections=_sections(document),
        kinds=list(dict.fromkeys(claim["kind"] for claim in document["claims"])),
        verdicts=[str(v) for v in Verdict],
        meanings={str(v): v.meaning for v in Verdict},
        colour=graph.statement_status,
        graph=Markup(graph.draw(document["claims"])),
        border=graph.BORDER,
        fill=graph.FILL,
        plots=_plots(folder, document),
        blocks=mathematics.blocks,
        toml=to_toml,
        most_rows=MOST_ROWS,
        elsewhere=SHOWN_ELSEWHERE,
        called=CALLED,
    )


def _sections(document: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """Section -> its claims; the errata last, together, wherever they belong."""
    found: dict[str, list[dict[str, Any]]] = {}
    for claim in document["claims"]:
        section = ERRATA if claim.get("erratum") else claim["section"]
        found.setdefault(section, []).append(claim)
    errata = found.pop(ERRATA, None)
    return found | ({ERRATA: errata} if errata else {})


def _plots(folder: Path, document: dict[str, Any]) -> dict[str, list[tuple[Plot, str]]]:
    """Label -> (plot, data address) of its plots. As images, so that ids inside one SVG cannot meet another's."""
    found: dict[str, list[tuple[Plot, str]]] = {}
    for row in document["claims"]:
        claim = catalogue().get(row["label"])
        for plot in claim.plots if claim else ():
            path = folder / PLOTS / f"{file_stem(claim, plot)}.svg" if claim else folder
            if path.is_file():
                data = base64.b64encode(path.read_bytes()).decode()
                found.setdefault(row["label"], []).append((plot, f"data:image/svg+xml;base64,{data}"))
    return found


def is_table(value: Any) -> bool:
    """A non-empty list of mappings: shown as a table."""
    return isinstance(value, list) and bool(value) and all(isinstance(row, dict) for row in value)


def number(value: Any) -> str:
    """A figure as a person reads it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.5g}"
    if isinstance(value, list):
        shown = ", ".join(number(v) for v in value[:12])
        return shown + (f", ... ({len(value)} in all)" if len(value) > 12 else "")
    if isinstance(value, dict):
        return "; ".join(f"{key} {number(v)}" for key, v in value.items())
    text = str(value)
    return text if len(text) <= 160 else text[:157] + "..."
