"""Print the verdicts of a campaign of checks as a table on a terminal, at most 100 columns wide."""

from typing import IO, Any

from verify.campaign.results import controls_text
from verify.report.findings import carrying, shown_variant
from verify.report.plain import inert
from verify.verdict import Verdict

COLOUR = {
    Verdict.COQ: "bold green",
    Verdict.Z3: "green",
    Verdict.CERTIFICATE: "green",
    Verdict.EXACT: "cyan",
    Verdict.FLOAT: "blue",
    Verdict.MEASURED: "blue",
    Verdict.UNDECIDED: "yellow",
    Verdict.REFUTED: "red",
}


def print_table(document: dict[str, Any], stream: IO[str]) -> None:
    """Print the verdicts in the results of a campaign of checks (`document`), and all that is not as expected."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    console = Console(file=stream, width=100, highlight=False)
    table = Table(box=None, padding=(0, 1), header_style="bold")
    for heading in ("claim", "variant"):
        table.add_column(heading, no_wrap=True)
    table.add_column("verdict", min_width=12)
    table.add_column("evidence")
    rows = [(claim["label"], variant) for claim in document["claims"] for variant in claim["variants"]]
    previous = ""
    for label, variant in rows:
        mark = "" if variant["met"] else "  [bold red]NOT AS EXPECTED[/]"
        verdict = f"[{COLOUR[Verdict.of(variant)]}]{escape(inert(shown_variant(variant)))}[/]"
        found = escape(inert(carrying(variant))) + mark
        table.add_row(label if label != previous else "", variant["variant"], verdict, found)
        previous = label
    console.print(table)
    figures = document["summary"]
    met = f"{figures['expectations_met']} of {figures['expectations']} expectations met"
    console.print(f"{met}; {controls_text(figures)}")
    for label, variant in rows:
        for problem in variant["problems"]:
            console.print(f"[bold red]{label} {variant['variant']}:[/] {escape(inert(problem))}")
