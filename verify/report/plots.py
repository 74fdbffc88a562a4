"""Drawing the plots of claims from saved evidence, to SVG, PNG and PDF, each with its legend beside the data."""

import multiprocessing
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

from verify.campaign.derived import PLOTS, refuse_links
from verify.campaign.outcome import Outcome
from verify.campaign.processes import as_worker, context
from verify.catalogue import find
from verify.claim import Claim, Plot
from verify.pictures import complete, finish

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
    # an executor notices the death of a worker, where a pool would wait for it for ever
    before = multiprocessing.active_children()
    pool = ProcessPoolExecutor(jobs, context(), initializer=as_worker)
    try:
        return list(pool.map(_draw, *zip(*drawings, strict=True)))
    except BrokenProcessPool:
        return [_draw(*drawing) for drawing in drawings]
    finally:
        # of a worker that dies while they are dismissed, the executor does not hear: it would wait for the others
        for process in multiprocessing.active_children():
            if process not in before:
                process.kill()
        pool.shutdown()


def _draw(label: str, name: str, figures: dict[str, Any], folder: Path) -> Path:
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.backends.backend_pdf import FigureCanvasPdf
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    claim = find(label)
    plot = next(p for p in claim.plots if p.name == name)
    # a fixed salt and no date: the same evidence gives the same bytes
    with matplotlib.rc_context(
        {"svg.hashsalt": "fedigw", "svg.fonttype": "path", "font.size": 10, "figure.dpi": 120}
    ):
        figure = Figure(figsize=(9.6, 4.6))
        axes = figure.subplots()
        plot.draw(axes, figures)
        finish(axes, plot.title)
        complete(figure)
        (folder / PLOTS).mkdir(parents=True, exist_ok=True)
        path = folder / PLOTS / f"{file_stem(claim, plot)}.svg"
        # each canvas prints by itself: savefig would draw everything once more to see whether it fits
        for suffix in (".png", ".svg", ".pdf"):
            path.with_suffix(suffix).unlink(missing_ok=True)  # a link goes, not what it points to
        FigureCanvasAgg(figure).print_png(path.with_suffix(".png"), metadata={"Software": None})
        FigureCanvasSVG(figure).print_svg(path, metadata={"Date": None})
        FigureCanvasPdf(figure).print_pdf(path.with_suffix(".pdf"), metadata={"CreationDate": None})
    return path
