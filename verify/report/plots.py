"""Draw the plots of claims from the saved results of their checks, as SVG, PNG and PDF."""

import json
import multiprocessing
import re
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from pathlib import Path
from typing import Any

from verify import guard, own_claims
from verify.campaign.derived import PLOTS, refuse_links
from verify.campaign.outcome import Outcome
from verify.campaign.processes import as_worker, context
from verify.catalogue import find
from verify.claim import Claim, Evidence
from verify.pictures import Figures, complete, finish, picture

Drawing = tuple[str, str, Figures]
PROGRAM = "from verify.report.plots import serve; serve()"
FONTS = "font-family: 'DejaVu Sans', 'Verdana', sans-serif"  # as matplotlib writes it
WORTH_A_PROCESS = 3  # plots that take as long as starting a process with matplotlib


def file_stem(label: str, plot: str) -> str:
    return f"{label.replace(':', '_')}-{plot}"


def draw_all(claims: Sequence[Claim], outcomes: Sequence[Outcome], folder: Path, jobs: int = 1) -> list[Path]:
    """Draw every plot of the claims whose checks have results, in `jobs` processes; return the SVG files."""
    refuse_links(folder)
    found = drawings(claims, {(o.claim, o.check): o.evidence for o in outcomes})
    if jobs == 1 or len(found) < WORTH_A_PROCESS * jobs:
        return _written(_draw(folder, *drawing) for drawing in found)
    # an executor notices the death of a worker, where a pool would wait for it for ever
    before = multiprocessing.active_children()
    pool = ProcessPoolExecutor(jobs, context(), initializer=as_worker)
    try:
        return _written(pool.map(partial(_draw, folder), *zip(*found, strict=True)))
    except (BrokenProcessPool, EOFError):  # EOFError: the server of processes was killed
        return _written(_draw(folder, *drawing) for drawing in found)
    finally:
        # the executor would wait for ever for a worker that dies during shutdown
        for process in multiprocessing.active_children():
            if process not in before:
                process.kill()
        pool.shutdown()


def drawings(claims: Iterable[Claim], evidence: Mapping[tuple[str, str], Evidence]) -> list[Drawing]:
    """Return (label of the claim, name of the plot, numbers that its checks found) for every plot that has such
    numbers."""
    found: list[Drawing] = []
    for label, plot in ((claim.label, plot) for claim in claims for plot in claim.plots):
        there = {name: evidence[label, name].figures for name in plot.checks if (label, name) in evidence}
        if figures := {name: known for name, known in there.items() if known}:
            found.append((label, plot.name, figures))
    return found


def figure_of(label: str, name: str, figures: Figures, path: str | None = None) -> Any:
    """Draw a claim's plot from the numbers that its checks found, and return the figure; save it if a path is given."""
    plot = next(p for p in find(label).plots if p.name == name)
    figure, (axes,) = picture()
    plot.draw(axes, figures)
    finish(axes, plot.title)
    return complete(figure, path)


def _written(drawn: Iterable[Path | str]) -> list[Path]:
    found = list(drawn)
    sys.stderr.writelines(f"not drawn: {said}\n" for said in found if isinstance(said, str))
    return [path for path in found if isinstance(path, Path)]


def _draw(folder: Path, label: str, name: str, figures: Figures) -> Path | str:
    own = own_claims.own(label)
    if own is None or own_claims.runs_here(label):
        return _drawn(folder, label, name, figures)
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "figures.json"
        path.write_text(json.dumps(figures), encoding="utf-8")
        words = (own.file, label, name, str(folder), str(path))
        try:
            answer, _ = guard.ask(("-c", PROGRAM, *words), own.file)
            return Path(answer.decode()) if answer.endswith(b".svg") else answer.decode(errors="replace")
        except guard.Ended as error:
            return str(error)


def serve() -> None:
    """Run in a child process: draw one plot of the claim in a user's file, and send the picture's path, or what went
    wrong, to the parent. Command-line arguments: FILE LABEL PLOT, then FOLDER for the picture and FIGURES, a JSON file
    of the numbers to draw."""
    guard.become_child()
    file, label, name, folder, figures = sys.argv[1:]
    own_claims.register(file)
    try:
        drawn = _drawn(Path(folder), label, name, json.loads(Path(figures).read_text(encoding="utf-8")))
    except Exception as error:
        drawn = f"{label} {name}: {type(error).__name__}: {error}"
    guard.finish(0, str(drawn))


def _drawn(folder: Path, label: str, name: str, figures: Figures) -> Path | str:
    import matplotlib

    from verify.report import formats

    # a fixed salt and no date: the same evidence gives the same bytes
    with matplotlib.rc_context(
        {
            "svg.hashsalt": "fedigw",
            "svg.fonttype": "none",  # text stays text, a third of the size; no common font is wider than this one
            "font.sans-serif": ["DejaVu Sans", "Verdana"],
            "font.size": 10,
            "figure.dpi": 120,
            "text.hinting": "none",  # the same widths in all formats, and faster
        }
    ):
        try:
            figure = figure_of(label, name, figures)
        except (LookupError, ValueError, TypeError, ArithmeticError) as error:
            return f"{label} {name}: {type(error).__name__}: {error}"
        (folder / PLOTS).mkdir(parents=True, exist_ok=True)
        path = folder / PLOTS / f"{file_stem(label, name)}.svg"
        for suffix in (".png", ".svg", ".pdf"):
            path.with_suffix(suffix).unlink(missing_ok=True)  # removes a link, not its target
        path.write_text(compact(formats.write(figure, path)), encoding="utf-8")
    return path


def compact(svg: str) -> str:
    """Return the same SVG picture in fewer bytes: coordinates are rounded to 0.01 points, and comments, extra spaces,
    names of groups and rotations by 0 are removed. The usual font is named only once."""
    svg = re.sub(r"<!--.*?-->|<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    # no text between tags
    svg = re.sub(r"<[^>]*>", lambda tag: re.sub(r"-?\d+\.\d{3,}", _rounded, tag[0]), svg)
    svg = re.sub(r">\s+<", "><", re.sub(r"\s+", " ", svg))
    svg = re.sub(r'(?<=<g) id="[^"]*"| transform="rotate\(-?0 [^"]*\)"', "", svg)
    return svg.replace(f"; {FONTS}", "").replace('<style type="text/css">', f"<style>text{{{FONTS}}}", 1)


def _rounded(number: re.Match[str]) -> str:
    return f"{float(number[0]):.2f}".rstrip("0").rstrip(".")
