"""report.html: one self-contained file, made from results.json and the plots alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fedigw.record import replace_text
from verify import claim_graph
from verify.catalogue import catalogue
from verify.plots import FOLDER, file_stem
from verify.verdict import Verdict

TEMPLATE = "report.html.j2"


def write_report(folder: Path, document: dict[str, Any]) -> Path:
    from jinja2 import Environment, FileSystemLoader

    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent), autoescape=True, trim_blocks=True
    )
    text = environment.get_template(TEMPLATE).render(
        results=document,
        plots=_plots(folder, document),
        graph=_graph(document),
        claims=catalogue(),
        meanings={str(v): v.meaning for v in Verdict},
        number=_number,
    )
    path = folder / "report.html"
    replace_text(path, text)
    return path


def _plots(folder: Path, document: dict[str, Any]) -> dict[str, list[str]]:
    """Label -> the SVG texts of its plots."""
    found: dict[str, list[str]] = {}
    for row in document["claims"]:
        claim = catalogue()[row["label"]]
        for plot in claim.plots:
            path = folder / FOLDER / f"{file_stem(claim, plot)}.svg"
            if path.is_file():
                text = path.read_text(encoding="utf-8")
                found.setdefault(claim.label, []).append(text[text.index("<svg") :])
    return found


def _graph(document: dict[str, Any]) -> str:
    """The dependency graph with what this campaign found; empty if it ran errata alone."""
    found = {
        row["label"]: claim_graph.status({v["variant"]: Verdict(v["verdict"]) for v in row["variants"]})
        for row in document["claims"]
        if not row["label"].startswith("erratum:")
    }
    return claim_graph.svg(found) if found else ""


def _number(value: Any) -> str:
    """A figure as a person reads it."""
    if isinstance(value, bool) or value is None:
        return str(value)
    if isinstance(value, float):
        return f"{value:.5g}"
    if isinstance(value, (dict, list)):
        text = str(value)
        return text if len(text) <= 160 else text[:157] + "..."
    return str(value)
