"""docs/experiments.md and its pictures, made from the record alone: python -m fedigw_extensions.neural.page.

SVG pictures stand beside the page; build/experiments/pictures has them as PNG and PDF too.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from fedigw_extensions.neural.figures import record as records
from fedigw_extensions.neural.figures.curves import difference_name, draw, draw_differences, series
from fedigw_extensions.neural.figures.methods import FLOOR, GAMMA, METHODS, PROXIMAL, READINGS, SWEPT
from fedigw_extensions.neural.figures.paired import FAMILY, LEVEL, SENTENCES, TWICE, Difference, judge
from fedigw_extensions.neural.figures.runs import SCALE, SYNCHRONISED
from fedigw_extensions.neural.figures.tables import theorem_rates
from verify.report.grid import grid
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
    """The whole page."""
    from jinja2 import Environment, StrictUndefined

    template = Environment(undefined=StrictUndefined, autoescape=False, keep_trailing_newline=True)
    return template.from_string(TEMPLATE.read_text(encoding="utf-8")).render(_words(record))


def _words(record: Record) -> dict[str, Any]:
    """What the template asks for."""
    audited = theorem_rates(record)
    rates = [rate for row in audited for rate in row["rates"]]
    risks = [risk for row in audited for risk in row["risks"]]
    needed = sorted({(row["data"], row["needed"]) for row in audited})
    return {
        "runs": len(record["runs"]),
        "sentences": [_sentence(record, name) for name in SENTENCES],
        "data": _data(record),
        "unlabelled": _unlabelled(record),
        "gamma": f"{GAMMA:g}",
        "proximal": f"{PROXIMAL:g}",
        "floor": FLOOR,
        "readings": _readings(record),
        "few": records.FEW,
        "hundred": _hundred(record),
        "level": f"{LEVEL:g}",
        "family": FAMILY,
        "rewards": _rewards(record),
        "pictures": list(pictures(record)),
        "risks": f"{min(risks):.3f} to {max(risks):.3f}" if risks else "not measured",
        "audited": len(audited),
        "rates": f"{min(rates):.0f} to {max(rates):.0f}" if rates else "not known",
        "needed": ", ".join(f"{value:.1e} on {name}" for name, value in needed),
        "sweep": _sweep(record),
        "ceilings": _ceilings(record),
        "synchronised": SYNCHRONISED,
        "scale": f"{SCALE:g}",
        "engine": record["about"]["engine"],
        "minutes": f"{sum(run['seconds'] for run in record['runs']) / 60:.0f}",
    }


def table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    return "\n".join(grid(head, rows))


def _data(record: Record) -> str:
    head = ("", "rows", "features", "labels", "features a row", "labels a row", "uniform play")
    rows = [
        (
            name,
            f"{facts['rows']:,}",
            f"{facts['features']:,}",
            facts["labels"],
            f"{facts['features_per_row']:.1f}",
            f"{facts['labels_per_row']:.2f}",
            f"{facts['uniform_reward']:.4f}",
            f"{facts['best_constant_arm']:.4f}",
            f"`{facts['digest']['arff'][:16]}`",
        )
        for name, facts in record["data"].items()
    ]
    return table((*head, "best constant arm", "SHA-256 of the ARFF"), rows)


def _unlabelled(record: Record) -> str:
    said = []
    for name, facts in record["data"].items():
        if bare := facts["unlabelled_rows"]:
            others = facts["uniform_reward"] * facts["rows"] / (facts["rows"] - bare)
            said.append(
                f"{bare} rows of {name} have no label; over the others uniform play earns {others:.4f}."
            )
    return " ".join(said)


def _readings(record: Record) -> str:
    rows = []
    for name, reading in record["about"]["readings"].items():
        steps = f"{reading['local_steps']} minibatches"
        work = "one pass over the epoch's data" if reading["passes"] else steps
        rows.append((f"`{name}`", reading["rounds"], work, f"{reading['horizon']:,}"))
    head = ("reading", "communications in a call", "local work between them", "T, steps of an agent")
    return table(head, rows)


def _hundred(record: Record) -> str:
    found = {run["seed"] for run in record["runs"] if run["reading"] == "per_call_100"}
    if not found:
        return "`per_call_100`, with all of them, is planned and not run yet"
    return f"`per_call_100` has all of them, with {len(found)} seeds of some methods"


def _sentence(record: Record, name: str) -> dict[str, str]:
    verdict, found = judge(record, name)
    text = SENTENCES[name].text
    head = ("data", "reading", "difference", "mean", "interval", "sign flip", "seeds", "")
    return {
        "text": text[0].upper() + text[1:],
        "word": WORD[verdict],
        "count": _count(found),
        "note": NOTE.get(name, ""),
        "table": table(head, [_difference(difference) for difference in found]),
    }


def _count(found: Sequence[Difference]) -> str:
    """How the comparisons of a sentence went."""
    ways = [difference.verdict for difference in found]
    return f"{len(ways)} comparisons: " + ", ".join(f"{ways.count(way)} {word}" for way, word in WAYS.items())


def _difference(found: Difference) -> tuple[str, ...]:
    row = found.json()
    return (
        row["dataset"],
        f"`{row['reading']}`",
        difference_name(row),
        "none" if row["mean"] is None else f"{row['mean']:+.3f}",
        "none" if row["low"] is None else f"{row['low']:+.3f} to {row['high']:+.3f}",
        f"{found.sign_flip:.3f}",
        str(found.seeds),
        WAYS[found.verdict],
    )


def _rewards(record: Record) -> list[dict[str, str]]:
    """One table for every data set and reading that has runs."""
    head = (
        "method",
        "seeds",
        "mean",
        "sd",
        "last epoch",
        "diverged",
        "CPU s",
        "rounds",
        "numbers sent",
        "GB",
    )
    parts = []
    for dataset, facts in record["data"].items():
        for reading in READINGS:
            found = {name: records.runs_of(record, dataset, reading, name) for name in METHODS}
            rows: list[Sequence[Any]] = [
                _reward(record, f"{dataset}-{reading}-{name}", runs) for name, runs in found.items() if runs
            ]
            if rows:
                rows.append(("best constant arm", "", f"{facts['best_constant_arm']:.4f}", *[""] * 7))
                rows.append(("uniform play", "", f"{facts['uniform_reward']:.4f}", *[""] * 7))
                parts.append({"title": f"{dataset}, `{reading}`", "table": table(head, rows)})
    return parts


def _reward(record: Record, planned: str, runs: Sequence[Mapping[str, Any]]) -> tuple[Any, ...]:
    averages = [run["average"] for run in runs]
    wanted = record["about"]["planned"].get(planned, len(runs))
    broken = [run["diverged"] for run in runs if run["diverged"]]
    sent = runs[0]["traffic"]
    return (
        METHODS[runs[0]["method"]].title,
        len(runs) if len(runs) == wanted else f"{len(runs)} of {wanted} planned",
        f"{mean(averages):.4f}",
        f"{stdev(averages):.4f}" if len(runs) > 1 else "",
        f"{mean(run['last'] for run in runs):.3f}",
        f"{len(broken)}: {broken[0]}" if broken else 0,
        f"{mean(run['seconds'] for run in runs):.1f}",
        sent["rounds"],
        f"{sent['numbers']:.3g}",
        f"{sent['bytes'] / 1e9:.2f}",
    )


def _sweep(record: Record) -> str:
    """gamma against exploration and rewards; greedy is gamma without end."""
    rows = []
    for method in (*sorted({*SWEPT, "fedigw_fedavg"}, key=lambda name: METHODS[name].gamma), "greedy"):
        runs = [
            run for run in records.runs_of(record, "bibtex", "per_call", method) if run["seed"] < records.FEW
        ]
        if not runs:
            continue
        risks = [run["excess_risk"][-1] for run in runs if run["excess_risk"]]
        rows.append(
            (
                "greedy" if method == "greedy" else f"{METHODS[method].gamma:g}",
                len(runs),
                f"{mean(run['exploration'][-1] for run in runs):.1%}",
                f"{mean(run['average'] for run in runs):.4f}",
                f"{mean(run['last'] for run in runs):.3f}",
                f"{mean(risks):.3f}" if risks else "",
            )
        )
    head = (
        "gamma",
        "seeds",
        "leaves the likeliest arm",
        "mean reward",
        "last epoch",
        "excess risk, last call",
    )
    return table(head, rows)


def _ceilings(record: Record) -> str:
    rows = []
    for name, facts in record["data"].items():
        found = facts["ceilings"]
        learned = [
            found[learner][where]
            for learner in ("perceptron", "ridge")
            for where in ("in_sample", "held_out")
        ]
        rows.append((name, f"{found['possible']:.4f}", *(f"{value:.3f}" for value in learned)))
    head = ("perceptron, its rows", "perceptron, a third held out", "ridge, its rows", "ridge, held out")
    return table(("", "best possible", *head), rows)


def pictures(record: Record) -> dict[str, Callable[[Any], None]]:
    """Name -> how it is drawn on axes."""
    found: dict[str, Callable[[Any], None]] = {}
    for stem, (number, methods) in FIGURES.items():
        for dataset, facts in record["data"].items():
            for reading in ("per_call", "per_run"):
                rows = series(record, dataset, reading, methods)
                known = facts["best_constant_arm"], facts["uniform_reward"]
                lines = dict(zip(("best constant arm", "uniform play"), known, strict=True))
                title = f"{number} repeated: {dataset}, {reading}, T = {READINGS[reading].horizon:,}"
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
    """SVG in one folder; PNG and PDF in the other. No date and a fixed salt: the same record gives the same bytes."""
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
