"""Write docs/experiments.md and its pictures from the record of the real-data runs: python -m
fedigw_extensions.neural.page.

SVG pictures are written next to the page, PNG and PDF to build/experiments/pictures.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from fedigw_extensions.neural.figures import methods
from fedigw_extensions.neural.figures import record as records
from fedigw_extensions.neural.figures.curves import difference_name, draw, draw_differences, series
from fedigw_extensions.neural.figures.paired import FAMILY, LEVEL, SENTENCES, TWICE, judge
from fedigw_extensions.neural.figures.tables import theorem_rates
from verify.verdict import Verdict

HERE = Path(__file__).resolve()
TEMPLATE = HERE.with_name("page.md.jinja")
PAGE = HERE.parents[2] / "docs" / "experiments.md"
PICTURES = HERE.parents[2] / "docs" / "experiments"
OTHER_FORMATS = HERE.parents[2] / "build" / "experiments" / "pictures"
SHARED = ("fedigw_fedavg", "fedigw_fedprox", "fedigw_scaffold", "greedy", "softmax", "fn_ucb")
FIGURES = {"exp_main": ("Figure 2", SHARED), "exp_single": ("Figure 3", ("fedigw_fedavg", "falcon", "agr"))}
WORD = {
    Verdict.MEASURED: "**holds** in this setting",
    Verdict.REFUTED: "is **contradicted in this setting**",
    Verdict.UNDECIDED: "is **not decided** by these runs",
}
WAYS = dict(zip(WORD, ("its way", "the other way", "undecided"), strict=True))
NOTE = {"fn_ucb": f' "About twice" is taken to mean at least {TWICE:g} times.'}
Record = Mapping[str, Any]


def page(record: Record) -> str:
    """Return the whole page as Markdown."""
    from jinja2 import Environment, StrictUndefined

    template = Environment(undefined=StrictUndefined, autoescape=False, keep_trailing_newline=True)
    return template.from_string(TEMPLATE.read_text(encoding="utf-8")).render(_words(record))


def _words(record: Record) -> dict[str, Any]:
    """Return the values that the template of the page needs, by name."""
    audited = theorem_rates(record)
    rates = [rate for row in audited for rate in row["rates"]]
    risks = [risk for row in audited for risk in row["risks"]]
    needed = sorted({(row["data"], row["needed"]) for row in audited})
    return {
        "record": record,
        "sentences": [_sentence(record, name) for name in SENTENCES],
        "gamma": f"{methods.GAMMA:g}",
        "proximal": f"{methods.PROXIMAL:g}",
        "floor": methods.FLOOR,
        "few": records.FEW,
        "level": f"{LEVEL:g}",
        "family": FAMILY,
        "rewards": list(_rewards(record)),
        "mean": mean,
        "stdev": stdev,
        "pictures": list(pictures(record)),
        "risks": f"{min(risks):.3f} to {max(risks):.3f}" if risks else "not measured",
        "audited": len(audited),
        "rates": f"{min(rates):.0f} to {max(rates):.0f}" if rates else "not known",
        "needed": ", ".join(f"{value:.1e} on {name}" for name, value in needed),
        "sweep": list(_sweep(record)),
        "synchronised": methods.SYNCHRONISED,
        "scale": f"{methods.SCALE:g}",
        "minutes": f"{sum(run['seconds'] for run in record['runs']) / 60:.0f}",
    }


def _sentence(record: Record, name: str) -> dict[str, Any]:
    """Return a sentence of the paper, the verdict of the runs on it, and the result of each comparison."""
    verdict, found = judge(record, name)
    text, ways = SENTENCES[name].text, [difference.verdict for difference in found]
    counts = ", ".join(f"{ways.count(way)} {word}" for way, word in WAYS.items())
    return {
        "text": text[0].upper() + text[1:],
        "word": WORD[verdict],
        "count": f"{len(ways)} comparisons: {counts}",
        "note": NOTE.get(name, ""),
        "rows": [(d, d.json(), difference_name(d.json()), WAYS[d.verdict]) for d in found],
    }


def _rewards(record: Record) -> Iterator[dict[str, Any]]:
    """Yield a table for every data set and interpretation of "100 communications" that has runs: the runs of each
    method, and how many are planned."""
    for dataset, facts in record["data"].items():
        for reading in methods.READINGS:
            found = {name: records.runs_of(record, dataset, reading, name) for name in methods.METHODS}
            planned = {name: f"{dataset}-{reading}-{name}" for name in methods.METHODS}
            rows = [
                (methods.METHODS[name].title, runs, record["about"]["planned"].get(planned[name], len(runs)))
                for name, runs in found.items()
                if runs
            ]
            if rows:
                yield {"title": f"{dataset}, `{reading}`", "facts": facts, "rows": rows}


def _sweep(record: Record) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yield each value of gamma, IGW's learning rate, with its runs; the greedy policy counts as gamma = infinity."""
    for method in (
        *sorted({*methods.SWEPT, "fedigw_fedavg"}, key=lambda name: methods.METHODS[name].gamma),
        "greedy",
    ):
        runs = records.runs_of(record, "bibtex", "per_call", method)
        if first := [run for run in runs if run["seed"] < records.FEW]:
            yield "greedy" if method == "greedy" else f"{methods.METHODS[method].gamma:g}", first


def pictures(record: Record) -> dict[str, Callable[[Any], None]]:
    """Return, for each picture, a function that draws it on axes."""
    found: dict[str, Callable[[Any], None]] = {}
    for stem, (number, shown) in FIGURES.items():
        for dataset, facts in record["data"].items():
            for reading in ("per_call", "per_run"):
                rows = series(record, dataset, reading, shown)
                known = facts["best_constant_arm"], facts["uniform_reward"]
                lines = dict(zip(("best constant arm", "uniform play"), known, strict=True))
                title = f"{number} repeated: {dataset}, {reading}, T = {methods.READINGS[reading].horizon:,}"
                found[f"{stem}_{dataset}_{reading}"] = _curve(rows, lines, title)
    every = [difference.json() for name in SENTENCES for difference in judge(record, name)[1]]
    found["differences"] = lambda axes: draw_differences(
        axes, [row for row in every if row["mean"] is not None]
    )
    return found


def _curve(rows: Mapping[str, Any], lines: Mapping[str, float], title: str) -> Callable[[Any], None]:
    def drawn(axes: Any) -> None:
        draw(axes, rows, lines)
        axes.set_title(title, fontsize=10)
        axes.legend(fontsize=7, framealpha=0.9, loc="upper left")

    return drawn


def draw_pictures(record: Record, folder: Path, others: Path) -> list[Path]:
    """Write SVG files to `folder`, PNG and PDF files to `others`. They contain no dates and their ids have a fixed
    seed, so the bytes are reproducible."""
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.backends.backend_pdf import FigureCanvasPdf
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    folder.mkdir(parents=True, exist_ok=True)
    others.mkdir(parents=True, exist_ok=True)
    made = []
    with matplotlib.rc_context(
        {"svg.hashsalt": "fedigw", "svg.fonttype": "path", "font.size": 9, "figure.dpi": 120}
    ):
        for name, drawing in pictures(record).items():
            figure = Figure(figsize=(6.4, 5.4) if name == "differences" else (6.4, 4.2))
            axes = figure.subplots()
            drawing(axes)
            axes.grid(True, which="major", alpha=0.25)
            figure.tight_layout()
            FigureCanvasSVG(figure).print_svg(folder / f"{name}.svg", metadata={"Date": None})
            FigureCanvasAgg(figure).print_png(others / f"{name}.png", metadata={"Software": None})
            FigureCanvasPdf(figure).print_pdf(others / f"{name}.pdf", metadata={"CreationDate": None})
            made.append(folder / f"{name}.svg")
    return made


def main() -> int:
    record = records.load()
    PAGE.write_text(page(record), encoding="utf-8")
    draw_pictures(record, PICTURES, OTHER_FORMATS)
    return 0


if __name__ == "__main__":
    sys.exit(main())
