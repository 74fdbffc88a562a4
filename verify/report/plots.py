"""Drawing the plots of claims from saved evidence, to SVG and PNG."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from verify.campaign.derived import PLOTS, refuse_links
from verify.campaign.outcome import Outcome
from verify.campaign.processes import context, deaf_to_interrupts
from verify.catalogue import find
from verify.claim import Claim, Plot

WORTH_A_PROCESS = 3  # plots that take as long as starting a process with matplotlib


def file_stem(claim: Claim, plot: Plot) -> str:
    return f"{claim.label.replace(':', '_')}-{plot.name}"


def draw_all(claims: Sequence[Claim], outcomes: Sequence[Outcome], folder: Path, jobs: int = 1) -> list[Path]:
    """Draw every plot whose evidence is there, over some processes; returns the SVG files."""
    refuse_links(folder)
    drawings = []
    for claim in claims:
        figures = {
            o.check: o.evidence.figures for o in outcomes if o.claim == claim.label and o.evidence.figures
        }
        for plot in claim.plots:
            present = {name: figures[name] for name in plot.checks if name in figures}
            if present:
                drawings.append((claim.label, plot.name, present, folder))
    if jobs == 1 or len(drawings) < WORTH_A_PROCESS * jobs:
        return [_draw(*drawing) for drawing in drawings]
    with context().Pool(jobs, deaf_to_interrupts) as pool:
        drawn: list[Path] = pool.starmap(_draw, drawings, chunksize=1)
    return drawn


def _draw(label: str, name: str, figures: dict[str, Any], folder: Path) -> Path:
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    claim = find(label)
    plot = next(p for p in claim.plots if p.name == name)
    # a fixed salt and no date: the same evidence gives the same bytes
    with matplotlib.rc_context(
        {"svg.hashsalt": "fedigw", "svg.fonttype": "path", "font.size": 10, "figure.dpi": 120}
    ):
        figure = Figure(figsize=(7.2, 4.6))
        axes = figure.subplots()
        plot.draw(axes, figures)
        axes.set_title(plot.title, fontsize=11)
        axes.grid(True, which="major", alpha=0.25)
        handles, _ = axes.get_legend_handles_labels()
        if handles:
            axes.legend(fontsize=8, framealpha=0.9)
        figure.tight_layout()
        (folder / PLOTS).mkdir(parents=True, exist_ok=True)
        path = folder / PLOTS / f"{file_stem(claim, plot)}.svg"
        # each canvas prints by itself: savefig would draw everything once more to see whether it fits
        for suffix in (".png", ".svg"):
            path.with_suffix(suffix).unlink(missing_ok=True)  # a link goes, not what it points to
        FigureCanvasAgg(figure).print_png(path.with_suffix(".png"), metadata={"Software": None})
        FigureCanvasSVG(figure).print_svg(path, metadata={"Date": None})
    return path
