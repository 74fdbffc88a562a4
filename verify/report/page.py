"""Write the files derived from results.json of a campaign of checks: plots, instance files, summary.md and the web page
report.html, which needs no other file."""

import contextlib
import re
from pathlib import Path
from typing import Any

from markupsafe import Markup

from bounds.errors import InputError
from fedigw.instance_file import to_toml
from fedigw.record import replace_text
from verify.campaign.derived import INSTANCES, PLOTS, REPORT, SUMMARY, refuse_links
from verify.campaign.outcome import claims_of, outcome_of
from verify.campaign.results import checks_of
from verify.catalogue import find, index
from verify.claim import Plot, Severity
from verify.formal.definitions import behind
from verify.formal.record import Unusable, recorded
from verify.formal.statements import PROOFS, source_statement, statements
from verify.paper import BY_LABEL, NOTE, PAPER, command, elsewhere, file_name, kinds_in_words
from verify.recorded import of_other
from verify.report import findings, graph, mathematics
from verify.report.markdown import summary_text
from verify.report.plain import inert
from verify.report.plots import draw_all, file_stem
from verify.showing import shown as plain_value
from verify.verdict import Verdict, shown

ERRATA = "Errata and remarks"
MOST_ROWS = 40  # of a table of figures; the rest is in results.json
# Figures that have a place of their own on the page.
SHOWN_ELSEWHERE = ("theorem", "axioms", "same", "why", "word", "coq", "sources", "constants")

# Names of a witness's figures on the page.
CALLED = {
    "instance": "at",
    "line": "the inequality",
    "left": "its left side, exactly",
    "right": "its right side, exactly",
    "left_value": "its left side",
    "right_value": "its right side",
}


def publish(folder: Path, document: dict[str, Any], jobs: int = 2) -> Path:
    """Write all files derived from the results of a campaign of checks (`document`) to its folder; return the report's
    path."""
    refuse_links(folder)
    checks = checks_of(document)
    outcomes = [outcome_of(check) for check in checks if check["claim"] in index()]
    draw_all(claims_of(outcomes), outcomes, folder, jobs)
    for check in checks:  # a witness or worst instance is a file that `exact` and `simulate` take
        instance = check["evidence"]["instance"]
        if instance is not None:
            (folder / INSTANCES).mkdir(exist_ok=True)
            path = folder / INSTANCES / f"{file_name(check['claim'])}--{check['check']}.toml"
            comment = f"{check['claim']}, {check['check']}: {check['evidence']['summary']}"
            replace_text(path, to_toml(instance, (inert(comment),)))
    replace_text(folder / SUMMARY, inert(summary_text(document)))
    return write_report(folder, document)


def write_report(folder: Path, document: dict[str, Any]) -> Path:
    path = folder / REPORT
    replace_text(path, inert(render(folder, document)))
    return path


def _others(document: dict[str, Any]) -> dict[str, str]:
    """Return the recorded verdicts on those statements of other papers that the campaign's claims use."""
    found = {}
    for name in (name for claim in document["claims"] for name in claim["depends"]):
        with contextlib.suppress(InputError):  # results may come from a machine with other papers
            if elsewhere(name):
                found[name] = of_other(name).shown
    return found


def render(folder: Path, document: dict[str, Any]) -> str:
    """Return the HTML text of the report. Everything is escaped, except our own MathML and SVG."""
    from jinja2 import Environment, FileSystemLoader

    loader = FileSystemLoader(Path(__file__).parent)
    environment = Environment(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.filters["math"] = lambda text: Markup(mathematics.mathml(text))
    environment.filters["readable"] = lambda text: Markup(mathematics.readable(str(text)))
    environment.filters["number"] = number
    environment.tests["table"] = is_table
    environment.globals["own_file"] = lambda name: Markup((Path(__file__).parent / name).read_text("utf-8"))
    rows, stated = findings.statuses(document), theorems(document)
    formal: dict[str, dict[str, str]] = {}
    for theorem in stated:
        for label, _, same in theorem["claims"]:
            if same in ("yes", "stronger"):
                formal.setdefault(label, {})[theorem["name"]] = theorem["anchor"]
    plots = _plots(folder, document)
    any_plot = next(((label, found[0][0].name) for label, found in plots.items()), ("", ""))
    first, name = findings.of_paper("PICTURE") or any_plot
    return environment.get_template("report.html.j2").render(
        results=document,
        paper=PAPER | {"note": NOTE},
        kinds_in_words=kinds_in_words(),
        command=command("all"),
        counted=findings.counted(document, rows),
        main_results=findings.main_results(document),
        statuses=rows,
        status_counts=findings.count([row for row in rows if row.statement.numbered]),
        uncovered=findings.uncovered(rows),
        errata=findings.errata(document),
        errata_found=findings.errata_found(document),
        meanings_of_severity={str(s): s.meaning for s in Severity},
        findings=findings.findings(document),
        about=findings.GROUPS,
        affected=findings.AFFECTED,
        new_worst=findings.new_worst(document),
        carrying=findings.carrying,
        coq_records=findings.coq_records(document),
        theorems=stated,
        formal={label: list(found.items()) for label, found in formal.items()},
        definitions=_definitions(stated),
        margin={row.label: row for row in rows if row.statement.numbered and row.verdicts},
        printed=BY_LABEL,
        shown=shown,
        kind_of=Verdict.of,
        notes=findings.of_paper("NOTES") or (),
        labels={claim["label"] for claim in document["claims"]},
        others=_others(document),
        in_print={label: statement.number for label, statement in BY_LABEL.items()},
        sections=_sections(document),
        kinds=list(dict.fromkeys(claim["kind"] for claim in document["claims"])),
        verdicts=list(Verdict),
        colour=graph.statement_status,
        graph=Markup(graph.draw(document["claims"])),
        border=graph.BORDER,
        fill=graph.FILL,
        plots=plots,
        picture=next((found for found in plots.get(first, ()) if found[0].name == name), None),
        pictured=first,
        blocks=mathematics.blocks,
        toml=to_toml,
        most_rows=MOST_ROWS,
        elsewhere=SHOWN_ELSEWHERE,
        called=CALLED,
    )


def theorems(document: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the Coq theorems on which the verdicts of a campaign rest, in the order in which claims use them. A row
    has name, anchor, file, line, comment, text, and the claims that it states (label, variant, comparison). Comment and
    text are "" if proofs/ has changed since the campaign."""
    used: dict[str, list[tuple[str, str, str]]] = {}
    sources: set[str] = set()
    for check in checks_of(document):
        figures = check["evidence"]["figures"]
        if check["check"].startswith("coq-") and "theorem" in figures:
            row = (check["claim"], check["variant"], str(figures.get("same", "")))
            used.setdefault(str(figures["theorem"]), []).append(row)
            sources.add(str(figures.get("sources", "")))
    known = {}
    try:
        if used and all(source and recorded().sources.startswith(source) for source in sources):
            known = {statement.theorem: statement for statement in statements()}
    except (Unusable, OSError):  # an installation without the proofs
        pass
    rows = []
    for name, claims in used.items():
        file = name.partition(".")[0] + ".v"
        comment, text = (source_statement(known[name]) if name in known else None) or ("", "")
        line = 0
        if text:
            lines = (PROOFS / file).read_text(encoding="utf-8").splitlines()
            first = text.splitlines()[0].strip()
            line = next((number for number, here in enumerate(lines, 1) if here.strip() == first), 0)
        place = {"name": name, "anchor": f"coq:{name}", "file": f"proofs/{file}", "line": line}
        rows.append(place | {"comment": comment, "text": text, "claims": claims})
    return rows


def _definitions(stated: list[dict[str, Any]]) -> dict[str, str]:
    found: dict[str, str] = {}
    for theorem in stated:
        found |= behind(theorem["text"]) if theorem["text"] else {}
    return {name: text for name, text in sorted(found.items()) if ":" not in name}


def _sections(document: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for claim in sorted(document["claims"], key=lambda claim: bool(claim.get("erratum"))):
        found.setdefault(ERRATA if claim.get("erratum") else claim["section"], []).append(claim)
    return found


def _plots(folder: Path, document: dict[str, Any]) -> dict[str, list[tuple[Plot, Markup]]]:
    found: dict[str, list[tuple[Plot, Markup]]] = {}
    for label in (row["label"] for row in document["claims"] if row["label"] in index()):
        for plot in find(label).plots:
            path = folder / PLOTS / f"{file_stem(label, plot.name)}.svg"
            if path.is_file():
                found.setdefault(label, []).append((plot, _address(path.read_text("utf-8"))))
    return found


def _address(svg: str) -> Markup:
    svg = re.sub(r"<[^>]*>", lambda tag: tag[0].replace("'", "").replace('"', "'"), svg)
    for sign in '%#&"':
        svg = svg.replace(sign, f"%{ord(sign):02X}")
    return Markup(f"data:image/svg+xml,{svg}")


def is_table(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(row, dict) for row in value)


def number(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.5g}"
    if isinstance(value, list):
        shown = ", ".join(number(v) for v in value[:12])
        return shown + (f", ... ({len(value)} in all)" if len(value) > 12 else "")
    if isinstance(value, dict):
        return "; ".join(f"{key} {number(v)}" for key, v in value.items())
    text = plain_value(value)
    return text if len(text) <= 160 else text[:157] + "..."
