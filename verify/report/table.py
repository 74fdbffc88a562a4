"""The verdict table on a terminal: at most 100 columns."""

from collections.abc import Sequence
from typing import IO

from verify.campaign.judgement import Judgement
from verify.campaign.results import controls_text, summary
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


def print_table(judgements: Sequence[Judgement], stream: IO[str]) -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    console = Console(file=stream, width=100, highlight=False)
    table = Table(box=None, padding=(0, 1), header_style="bold")
    for heading in ("claim", "variant", "verdict", "evidence"):
        table.add_column(
            heading, no_wrap=heading in ("claim", "variant"), min_width=12 if heading == "verdict" else None
        )
    previous = ""
    for judgement in judgements:
        label = judgement.claim if judgement.claim != previous else ""
        previous = judgement.claim
        mark = "" if judgement.met else "  [bold red]NOT AS EXPECTED[/]"
        verdict = f"[{COLOUR[judgement.verdict]}]{escape(inert(judgement.shown))}[/]"
        table.add_row(label, judgement.variant, verdict, escape(inert(judgement.carrying)) + mark)
    console.print(table)
    figures = summary(judgements)
    console.print(
        f"{figures['expectations_met']} of {figures['expectations']} expectations met; "
        f"{controls_text(figures)}"
    )
    for judgement in judgements:
        for problem in judgement.problems:
            console.print(f"[bold red]{judgement.claim} {judgement.variant}:[/] {escape(inert(problem))}")
