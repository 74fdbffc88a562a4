"""Drawing the plots of claims from saved evidence, to SVG, PNG and PDF, each with its legend beside the data."""

from __future__ import annotations

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
from verify.pictures import in_words, name_at_ends

MOST_NAMES = 21  # that a legend has room for at its usual size
MOST_INSIDE = 3  # names of a legend that does not hide the data
FEW = 50  # highest over lowest value up to which an axis has minor labels
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
        figure.tight_layout()
        (folder / PLOTS).mkdir(parents=True, exist_ok=True)
        path = folder / PLOTS / f"{file_stem(claim, plot)}.svg"
        # each canvas prints by itself: savefig would draw everything once more to see whether it fits
        for suffix in (".png", ".svg", ".pdf"):
            path.with_suffix(suffix).unlink(missing_ok=True)  # a link goes, not what it points to
        FigureCanvasAgg(figure).print_png(path.with_suffix(".png"), metadata={"Software": None})
        FigureCanvasSVG(figure).print_svg(path, metadata={"Date": None})
        FigureCanvasPdf(figure).print_pdf(path.with_suffix(".pdf"), metadata={"CreationDate": None})
    return path


def finish(axes: Any, title: str) -> None:
    """Add title, grid, ticks that do not collide, and the name of each curve at its end; a legend for the rest."""
    axes.set_title(in_words(title), fontsize=11)
    axes.grid(True, which="major", alpha=0.25)
    panels = [panel for panel in axes.child_axes if hasattr(panel, "get_legend_handles_labels")]
    for panel in (axes, *panels):
        for axis in (panel.xaxis, panel.yaxis):
            _tidy(axis)
            axis.set_label_text(in_words(axis.get_label_text()))
    if panels:  # the panels of a picture share one legend
        handles, labels = panels[0].get_legend_handles_labels()
        named = dict(zip(labels, handles, strict=True))
    else:
        named = name_at_ends(axes)
    if named:
        margin: dict[str, Any] = {"loc": "upper left", "bbox_to_anchor": (1.01, 1.0), "borderaxespad": 0}
        beside = panels or len(axes.texts) == 0 or len(named) > MOST_INSIDE
        axes.legend(
            named.values(),
            [in_words(label) for label in named],
            fontsize=8.5 * min(1.0, MOST_NAMES / len(named)),
            **({"frameon": False} | margin if beside else {"loc": "best"}),
        )


def _tidy(axis: Any) -> None:
    """Of a logarithmic axis over few decades only 1, 2 and 5 are labelled; over many, powers of ten alone."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

    if axis.get_scale() != "log" or not isinstance(axis.get_major_locator(), LogLocator):
        return
    low, high = sorted(axis.get_view_interval())
    axis.set_major_formatter(FuncFormatter(_short))
    axis.set_minor_locator(NullLocator())
    if low > 0 and high / low < FEW:
        axis.set_minor_locator(LogLocator(subs=(2, 5) if high / low > 5 else (1.5, 2, 3, 4, 5, 6, 8)))
        axis.set_minor_formatter(FuncFormatter(_short))
        axis.set_tick_params(which="both", labelsize="medium")


SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def _short(value: float, _: int | None = None) -> str:
    """Return 1.2·10⁶ in as few letters as are readable; plain text is set much faster than mathematics."""
    if 1e-3 <= value < 1e4:
        return f"{value:g}"
    mantissa, exponent = f"{value:.1e}".split("e")
    power = f"10{str(int(exponent)).translate(SUPERSCRIPTS)}"
    return power if mantissa == "1.0" else f"{mantissa.removesuffix('.0')}·{power}"
