"""report.html: one self-contained file, made from results.json and the plots alone."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

from fedigw.instance_file import to_toml
from fedigw.record import replace_text
from verify.campaign.derived import PLOTS, REPORT
from verify.campaign.results import controls_text
from verify.catalogue import catalogue, coverage_sentence
from verify.report import graph, headline, mathematics
from verify.report.plots import file_stem
from verify.verdict import Verdict, spoken

TEMPLATE = "report.html.j2"
MOST_ROWS = 40  # of a table of figures; the rest is in results.json


def write_report(folder: Path, document: dict[str, Any]) -> Path:
    path = folder / REPORT
    replace_text(path, render(folder, document))
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
    environment.filters["readable"] = lambda text: Markup(mathematics.readable(text))
    environment.filters["number"] = number
    environment.tests["table"] = is_table
    environment.tests["scalars"] = lambda value: isinstance(value, list) and not is_table(value)
    return environment.get_template(TEMPLATE).render(
        results=document,
        findings=headline.findings(document),
        about=headline.GROUPS,
        affected=headline.AFFECTED,
        collapsed=headline.COLLAPSED,
        new_worst=headline.new_worst(document),
        carrying=headline.carrying,
        witness=headline.witness,
        kernel_words=headline.kernel_words(document),
        statements=headline.statements(document),
        errata_words=headline.errata_words(document),
        controls_text=controls_text(document["summary"]),
        spoken=lambda verdict, vacuous: spoken(Verdict(verdict), vacuous or ""),
        coverage=coverage_sentence(),
        model=headline.MODEL,
        rates=headline.RATES,
        errata=[claim for claim in document["claims"] if claim["kind"] == "erratum"],
        labels={claim["label"] for claim in document["claims"]},
        sections=sorted({claim["section"] for claim in document["claims"]}),
        kinds=list(dict.fromkeys(claim["kind"] for claim in document["claims"])),
        verdicts=[str(v) for v in Verdict],
        meanings={str(v): v.meaning for v in Verdict},
        graph=Markup(graph.draw(document["claims"])),
        border=graph.BORDER,
        fill=graph.FILL,
        plots=_plots(folder, document),
        blocks=mathematics.blocks,
        toml=to_toml,
        most_rows=MOST_ROWS,
    )


def _plots(folder: Path, document: dict[str, Any]) -> dict[str, list[tuple[str, str]]]:
    """Label -> (title, data address) of its plots. As images, so that ids inside one SVG cannot meet another's."""
    found: dict[str, list[tuple[str, str]]] = {}
    for row in document["claims"]:
        claim = catalogue().get(row["label"])
        for plot in claim.plots if claim else ():
            path = folder / PLOTS / f"{file_stem(claim, plot)}.svg" if claim else folder
            if path.is_file():
                data = base64.b64encode(path.read_bytes()).decode()
                found.setdefault(row["label"], []).append((plot.title, f"data:image/svg+xml;base64,{data}"))
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
