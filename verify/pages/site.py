"""Write the source of the documentation site: docs/ with formulas as MathML, a page for each claim, and the errata.

python -m verify.pages.site build/site_source writes it; zensical then builds the site (make site). The site needs no
network. Its front page has the README's table of verdicts. A claim's page has its pictures if a campaign has drawn them
in build/verify.
"""

import re
import shutil
import sys
from pathlib import Path

from verify import plan
from verify.campaign.derived import PLOTS
from verify.catalogue import catalogue
from verify.claim import Claim, Severity, errata_words
from verify.pages import notebooks
from verify.paper import BY_LABEL, file_name, in_print
from verify.recorded import of_variant
from verify.report import verdict_table
from verify.report.grid import cell, grid
from verify.report.mathematics import blocks, mathml, readable
from verify.report.plots import file_stem
from verify.verbs.plan.page import render

ROOT = Path(__file__).resolve().parents[2]
DISPLAYED = re.compile(r"^( *)\$\$(.+?)\$\$ *$", re.MULTILINE | re.DOTALL)
PLANNER = "| plan a federation | [a page with sliders](plan.html), or"
CAME_OUT = "What came out is a table"  # the line of docs/index.md that the table replaces
PICTURES = ROOT / "build" / "verify" / PLOTS
STYLE = """.formula { overflow-x: auto; overflow-y: hidden; padding: .2rem 0; flex: 1; min-width: 0; }
.equation { display: flex; align-items: center; gap: 1rem; }
.equation > .number { color: gray; }
.result { overflow-x: auto; font-size: .75rem; }
.md-typeset .result table:not([class]) :is(th, td) { min-width: 0; padding: .35rem .55rem; white-space: nowrap; }
.md-typeset .result pre, .md-typeset pre { max-width: 100%; overflow-x: auto; }
.statement .row { display: grid; grid-template-columns: 8rem minmax(0, 1fr); gap: .6rem; margin: .3rem 0; }
.statement .row.plain { display: block; }
.statement { border-left: 3px solid lightgray; padding-left: .9rem; overflow-x: auto; }
@media (max-width: 40rem) {
  .statement .row { display: block; }
  /* a picture shrunk to a phone has letters of 4 pixels: scroll it instead */
  .md-typeset p:has(> img) { overflow-x: auto; }
  .md-typeset p > img { max-width: none; width: 42rem; }
}
"""


def make(folder: Path) -> int:
    """Write the source of the site to `folder` and return the number of its pages."""
    if folder.exists():
        shutil.rmtree(folder)
    shutil.copytree(ROOT / "docs", folder)
    for path in folder.rglob("*.md"):
        path.write_text(numbered(plain(path.read_text(encoding="utf-8"))), encoding="utf-8")
    claims = folder / "reference" / "claims"
    claims.mkdir()
    for claim in catalogue().values():
        (claims / f"{file_name(claim.label)}.md").write_text(claim_page(claim), encoding="utf-8")
    index = folder / "claims.md"
    index.write_text(_linked(index.read_text(encoding="utf-8")), encoding="utf-8")
    (folder / "errata.md").write_text(errata_page(), encoding="utf-8")
    (folder / "plan.html").write_text(render(plan(50, 5, 10**5, dimension=10).document), encoding="utf-8")
    start = folder / "index.md"
    start.write_text(front(start.read_text("utf-8")), encoding="utf-8")
    if PICTURES.is_dir():
        shutil.copytree(PICTURES, claims / "pictures", ignore=shutil.ignore_patterns("*.png", "*.pdf"))
    (folder / "gallery").mkdir()
    for name in notebooks.names():
        text, pictures = notebooks.page(name)
        (folder / "gallery" / f"{name}.md").write_text(text, encoding="utf-8")
        for file, picture in pictures.items():
            (folder / "gallery" / file).write_bytes(picture)
    (folder / "site.css").write_text(STYLE, encoding="utf-8")
    return len(list(folder.rglob("*.md")))


def front(text: str) -> str:
    """Return the site's front page: `text` with the README's table of verdicts and a link to the page of `plan`."""
    found = verdict_table.VERDICTS.search((ROOT / "README.md").read_text(encoding="utf-8"))
    assert found is not None
    table = found[1].replace("](docs/", "](")
    lines = (table if line.startswith(CAME_OUT) else line for line in text.splitlines())
    return "\n".join(lines).replace("| plan a federation |", PLANNER) + "\n"


def plain(text: str) -> str:
    """Adapt a Markdown page to the site's dialect: escape ^ and ~, indent lists by four spaces, and turn links to
    source files into the files' names."""
    parts = re.split(r"(^```.*?^```|\$\$.+?\$\$|`[^`\n]+`)", text, flags=re.MULTILINE | re.DOTALL)
    for i in range(0, len(parts), 2):
        parts[i] = re.sub(r"(?<!\\)([\^~])", r"\\\1", parts[i])
    text = re.sub(r"^ {3}(?=\S)", "    ", "".join(parts), flags=re.MULTILINE)
    text = re.sub(r"\(\.\./examples/notebooks/(\w+)\.ipynb\)", r"(gallery/\1.md)", text)
    return re.sub(r"\[(`[^`]+`)\]\(\.\./(?!docs)[^)]*\)", r"\1", text)


def numbered(text: str) -> str:
    """Return a Markdown text with its displayed formulas as MathML, each with a number."""
    count = 0

    def replace(found: re.Match[str]) -> str:
        nonlocal count
        count += 1
        formula = " ".join(found[2].split())
        number = f'<span class="number">({count})</span>'
        return f'{found[1]}<div class="equation" id="equation-{count}">{mathml(formula)}{number}</div>'

    return DISPLAYED.sub(replace, text)


def claim_page(claim: Claim) -> str:
    """Return the Markdown page of a claim: statement, pictures, variants with verdicts and hypotheses, checks,
    notes."""
    statement = BY_LABEL.get(claim.label)
    print_name = f" ({statement.number})" if statement else ""
    head = [f"# {claim.title}", "", f"`{claim.label}`{print_name}, {claim.section}.", "", ""]
    drawn = [(file_stem(claim.label, plot.name), plot) for plot in claim.plots]
    shown = [(name, plot) for name, plot in drawn if (PICTURES / f"{name}.svg").is_file()]
    lines = [""]
    for name, plot in shown:
        lines += [f"![{plot.title}](pictures/{name}.svg)", "", plot.caption, ""]
    lines += ["## Variants", ""]
    for name, variant in claim.variants.items():
        known = of_variant(claim, name)
        lines += [f"### {name}: {known.shown}", "", f"$${variant.formula}$$", ""]
        lines += [*(f"* needs {readable(hypothesis)}" for hypothesis in variant.hypotheses), ""]
        checks = [check for check in claim.checks if check.variant == name]
        lines += [*grid(("check", "what it does"), ((c.name, cell(c.about)) for c in checks)), ""]
    if claim.depends:
        lines += ["Uses " + ", ".join(_link(label) for label in claim.depends) + ".", ""]
    if claim.errata:
        lines += ["Errata: " + ", ".join(_link(label) for label in claim.errata) + ".", ""]
    lines += ["Replay: " + f"`python -m verify run {claim.label}`.", ""]
    notes = claim.notes() if claim.notes is not None else ()
    if notes:
        lines += ["## Notes", "", "```text", *notes, "```", ""]
    return plain("\n".join(head)) + statement_html(claim.statement) + numbered(plain("\n".join(lines)))


def statement_html(statement: str) -> str:
    found = ['<div class="statement">']
    for _, rows in blocks(statement):
        for name, text in rows:
            label = f"<b>{name}</b> " if name else ""
            found.append(
                f'<div class="row{"" if name else " plain"}">{label}<span>{readable(text)}</span></div>'
            )
    return "\n".join([*found, "</div>", ""])


def errata_page() -> str:
    """Return the Markdown page of the errata, worst first, and of the remarks."""
    found = [(claim, claim.erratum) for claim in catalogue().values() if claim.erratum is not None]
    first = next(
        (c.label.removeprefix("erratum:") for s in Severity for c, e in found if e.severity is s), ""
    )
    lines = [
        "# Errata of the paper",
        "",
        f"{errata_words(e.severity for _, e in found)}.",
        "",
        f"Worst first. `python -m verify run {first}` replays the witness of {first}.",
        "",
    ]
    for severity in Severity:
        members = [(claim, erratum) for claim, erratum in found if erratum.severity is severity]
        if not members:
            continue
        rows = []
        for claim, erratum in members:
            what = claim.title + (f". It fails only if {erratum.regime}." if erratum.regime else "")
            texts = (erratum.place, what, erratum.order_survives, erratum.repair)
            rows.append((_link(claim.label, "claims/"), *(cell(readable(in_print(text))) for text in texts)))
        head = ("", "where", "what", "does the order survive?", "repair")
        lines += [f"## {severity}: {severity.meaning}", "", *grid(head, rows), ""]
    return "\n".join(lines).replace("](claims/", "](reference/claims/")


def _link(label: str, prefix: str = "") -> str:
    shown = label.removeprefix("erratum:")
    return f"[{shown}]({prefix}{file_name(label)}.md)" if label in catalogue() else f"`{label}`"


def _linked(text: str) -> str:
    return re.sub(
        r"^\| `([^`]+)`", lambda found: f"| {_link(found[1], 'reference/claims/')}", text, flags=re.MULTILINE
    )


if __name__ == "__main__":
    sys.stdout.write(f"{make(Path(sys.argv[1]))} pages\n")
