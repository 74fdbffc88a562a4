"""Drawing the plots of claims from saved evidence, to SVG and PNG."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from verify.claim import Claim, Plot
from verify.outcome import Outcome

FOLDER = "plots"


def file_stem(claim: Claim, plot: Plot) -> str:
    return f"{claim.label.replace(':', '_')}-{plot.name}"


def draw_all(claims: Sequence[Claim], outcomes: Sequence[Outcome], folder: Path) -> list[Path]:
    """Draw every plot whose evidence is there; returns the SVG files."""
    drawn = []
    for claim in claims:
        figures = {
            o.check: o.evidence.figures for o in outcomes if o.claim == claim.label and o.evidence.figures
        }
        for plot in claim.plots:
            present = {name: figures[name] for name in plot.checks if name in figures}
            if present:
                drawn.append(_draw(claim, plot, present, folder))
    return drawn


def _draw(claim: Claim, plot: Plot, figures: dict[str, Any], folder: Path) -> Path:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    # a fixed salt and no date: the same evidence gives the same bytes
    with pyplot.rc_context(
        {"svg.hashsalt": "fedigw", "svg.fonttype": "path", "font.size": 10, "figure.dpi": 120}
    ):
        figure, axes = pyplot.subplots(figsize=(7.2, 4.6))
        plot.draw(axes, figures)
        axes.set_title(plot.title, fontsize=11)
        axes.grid(True, which="major", alpha=0.25)
        handles, _ = axes.get_legend_handles_labels()
        if handles:
            axes.legend(fontsize=8, framealpha=0.9)
        figure.tight_layout()
        (folder / FOLDER).mkdir(parents=True, exist_ok=True)
        path = folder / FOLDER / f"{file_stem(claim, plot)}.svg"
        figure.savefig(path, metadata={"Date": None})
        figure.savefig(path.with_suffix(".png"), metadata={"Software": None})
        pyplot.close(figure)
    return path
