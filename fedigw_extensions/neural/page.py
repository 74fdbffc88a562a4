"""Write docs/experiments.md and its pictures from the record of the real-data runs: python -m
fedigw_extensions.neural.page.

SVG pictures are written next to the page, PNG and PDF to build/experiments/pictures.
"""

import math
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import product
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from fedigw_extensions.neural.figures import methods, simulator
from fedigw_extensions.neural.figures import record as records
from fedigw_extensions.neural.figures.curves import draw, draw_differences, draw_released, series
from fedigw_extensions.neural.figures.ntk import RANK
from fedigw_extensions.neural.figures.paired import (
    FAMILY,
    LEVEL,
    POWER,
    SENTENCES,
    TWICE,
    UNTESTED,
    Comparison,
    Difference,
    compare,
    judge,
)
from fedigw_extensions.neural.figures.tables import theorem_rates
from verify.verdict import Verdict

HERE = Path(__file__).resolve()
TEMPLATE = HERE.with_name("page.md.jinja")
PAGE = HERE.parents[2] / "docs" / "experiments.md"
PICTURES = HERE.parents[2] / "docs" / "experiments"
OTHER_FORMATS = HERE.parents[2] / "build" / "experiments" / "pictures"
SHOWN = ("per_run", "per_call")  # readings whose mean rewards are printed
WAYS = {Verdict.MEASURED: "its way", Verdict.REFUTED: "the other way", Verdict.UNDECIDED: "undecided"}
Record = Mapping[str, Any]


def page(record: Record) -> str:
    """Return the whole page as Markdown."""
    from jinja2 import Environment, StrictUndefined

    template = Environment(undefined=StrictUndefined, autoescape=False, keep_trailing_newline=True)
    return template.from_string(TEMPLATE.read_text(encoding="utf-8")).render(_words(record))


def _words(record: Record) -> dict[str, Any]:
    """Return the values that the page's template needs, by name."""
    audited = theorem_rates(record)
    rates = [rate for row in audited for rate in row["rates"]]
    risks = [risk for row in audited for risk in row["risks"]]
    sentences = [_sentence(record, name) for name in SENTENCES]
    return {
        "record": record,
        "methods": methods,
        "simulator": simulator,
        "readings": [(name, asked, _have(record, name)) for name, asked in methods.READINGS.items()],
        "sentences": sentences,
        "level": f"{LEVEL:g}",
        "family": FAMILY,
        "power": f"{POWER:.0%}",
        "twice": f"{TWICE:g}",
        "rank": RANK,
        "rewards": list(_rewards(record)),
        "sensitivity": list(_sensitivity(record)),
        "tuning": TUNING,
        "tuned_on": [s for s in methods.TUNED_ON if any(run["seed"] == s for run in record["runs"])],
        "heterogeneous": list(_heterogeneous(record)),
        "grids": list(_grids(record)),
        "gammas": " and ".join(
            f"{row[3]} on {row[0].capitalize()}"
            for row in _grids(record)
            if row[1] == methods.METHODS["fedavg"].title
        ),
        "costs": list(_costs(record)),
        "hours": _hours(record),
        "weights": [(name, _weights(facts)) for name, facts in record["data"].items()],
        "shown": _shown,
        "pictures": list(pictures(record)),
        "risks": f"{min(risks):.3f} to {max(risks):.3f}" if risks else "not measured",
        "audited": len(audited),
        "rates": f"{min(rates):.0f} to {max(rates):.0f}" if rates else "not known",
        "needed": ", ".join(
            f"{value:.1e} on {name}" for name, value in sorted({(r["data"], r["needed"]) for r in audited})
        ),
        "minutes": f"{sum(run['seconds'] for run in record['runs']) / 60:.0f}",
        "diverged": sum(bool(run["diverged"]) for run in record["runs"]),
    }


def _have(record: Record, reading: str) -> str:
    """Return, as text, the smallest and largest number of seeds of the methods in a setting, for each data set."""
    parts = []
    for dataset, planned in methods.READINGS[reading].seeds.items():
        counts = [
            len(records.runs_of(record, dataset, reading, name)) for name in methods.READINGS[reading].methods
        ]
        low, high = min(counts), max(counts)
        have = f"{low}" if low == high else f"{low} to {high}"
        parts.append(f"{dataset} {have}" + ("" if low == planned else f" of {planned}"))
    return ", ".join(parts)


def _shown(found: Difference) -> str:
    """Return a difference as text: its mean, its interval if it has enough seeds for one, and their number."""
    if not found.values:
        return "not run"
    low, high = found.interval
    ends = f" ({low:+.3f} to {high:+.3f})" if math.isfinite(low) else ""
    return f"{found.mean:+.3f}{ends}, {len(found.values)}"


def _sentence(record: Record, name: str) -> dict[str, Any]:
    """Return one sentence of the paper with the verdict of the runs on it and the result of each comparison."""
    words, found = judge(record, name)
    ways = ["no test" if words == UNTESTED else WAYS[difference.verdict] for difference in found]
    text, untested = SENTENCES[name].text, SENTENCES[name].untested
    visible = [f"{d.visible:.3f}" for d in found if math.isfinite(d.visible)]
    return {
        "text": text[0].upper() + text[1:],
        "part": SENTENCES[name].part,
        "words": words,
        "untested": untested or ("no run is in the record" if words == UNTESTED else ""),
        "count": ", ".join(f"{count} {way}" for way, count in Counter(ways).items()),
        "seeds": sorted({len(difference.values) for difference in found}),
        "visible": " to ".join(sorted({min(visible), max(visible)})) if visible else "none",
        "rows": [(difference.json(), way) for difference, way in zip(found, ways, strict=True)],
    }


def _rewards(record: Record) -> Iterator[tuple[str, list[str], list[tuple[str, list[str]]]]]:
    """Yield a table of mean rewards for every data set: its name, its readings, and a row for each method."""
    for dataset in record["data"]:
        rows = []
        for name, row in methods.METHODS.items():
            cells = [_reward(records.runs_of(record, dataset, reading, name)) for reading in SHOWN]
            whole = records.runs_of(record, dataset, "per_run", name)
            if any(cells):
                more = ("last", "{:.3f}"), ("exploration", "{:.1%}")
                cells += [form.format(mean(run[key] for run in whole)) if whole else "" for key, form in more]
                rows.append((row.title, cells))
        yield dataset, list(SHOWN), rows


def _reward(runs: list[dict[str, Any]]) -> str:
    found = [run["average"] for run in runs]
    spread = f" ± {stdev(found):.3f}" if len(found) > 1 else ""
    return f"{mean(found):.3f}{spread} ({len(found)})" if found else ""


def _costs(record: Record) -> Iterator[list[str]]:
    """Yield a table row for every data set and setting: the cost of one run."""
    for dataset, reading in product(record["data"], (*SHOWN, "released")):
        runs = {
            name: records.runs_of(record, dataset, reading, name) for name in ("fedavg", "scaffold", "fn_ucb")
        }
        seconds = [f"{mean(run['seconds'] for run in rows):.1f}" if rows else "" for rows in runs.values()]
        sent = runs["fedavg"][0]["sent"]
        calls, size = sent["calls"], 4 * sent["numbers"]
        counts = [f"{calls}", f"{sent['rounds'] // calls}", f"{size / calls / 1e6:,.0f}", f"{size / 1e9:.2f}"]
        yield [dataset, f"`{reading}`", *seconds, *counts]


def _weights(facts: Mapping[str, Any]) -> float:
    """Return the size of a perceptron's weights in single precision, in megabytes."""
    width = simulator.Setting.width
    return 4 * (facts["features"] * width + width + facts["labels"] * width + facts["labels"]) / 1e6


def _hours(record: Record) -> str:
    """Return, as text, the estimated CPU hours of the reading `per_call` over the whole horizon, without AGR."""
    speed = {row["data"]: row["fast"] for row in record["speed"] if row["work"] == "per call"}
    reading, lengths = methods.READINGS["per_call"], methods.setting("bibtex", "per_run", "fedavg").lengths
    hours = 0.0
    for dataset, steps in speed.items():
        asked = methods.setting(dataset, "per_call", "fedavg")
        calls = sum(length >= asked.floor for length in lengths[:-1])
        runs = reading.seeds[dataset] * (len(reading.methods) - 1)
        hours += runs * calls * asked.rounds * (asked.local_steps or 0) * asked.agents / steps / 3600
    return f"{hours:.1f}" if speed else "many"


RIVALS = ("greedy", "softmax", "epsilon", "fn_ucb")
CHOICES: dict[str, dict[str, Any]] = {
    "whole horizon": dict(reading="per_run"),
    "whole horizon, tuned": dict(reading="per_run", tuned=True),
    "whole horizon, its last tenth": dict(reading="per_run", figure="last"),
    "an eighth of the horizon": dict(reading="short"),
    "an eighth, data of all epochs": dict(reading="all_data"),
}
TUNING = {"whole horizon": "the paper's", "whole horizon, tuned": "tuned on other seeds"}


def _sensitivity(record: Record) -> Iterator[tuple[str, str, list[Difference]]]:
    """Yield (data set, choice, differences) for each of our choices, such as the number of local steps: the differences
    between FedIGW and its rivals under this choice, each tested at level 0.05."""
    for dataset in record["data"]:
        for choice, changes in CHOICES.items():
            asked = [Comparison(dataset, one="fedavg", other=rival, **changes) for rival in RIVALS]
            found = [compare(record, one, LEVEL) for one in asked]
            if any(difference.values for difference in found):
                yield dataset, choice, found


def _heterogeneous(record: Record) -> Iterator[tuple[str, list[tuple[str, Difference]]]]:
    """Yield (data set, differences) for pairs of protocols: the difference with one law of contexts for all agents, and
    that with rows split among agents by label."""
    for dataset in record["data"]:
        pairs = (("scaffold", "fedavg"), ("fedprox", "fedavg"), ("fedavg", "falcon"))
        for one, other in pairs:
            found = [
                compare(record, Comparison(dataset, r, one, other), LEVEL) for r in ("short", "dirichlet")
            ]
            yield dataset, [(Comparison(dataset, "short", one, other).name, each) for each in found]


def _grids(record: Record) -> Iterator[tuple[str, str, str, str]]:
    """Yield, for each data set and tunable method, the mean rewards on the tuning seeds and the value chosen."""
    average = records.averages(record)
    for dataset, (name, row) in product(record["data"], methods.METHODS.items()):
        if not row.grid:
            continue
        tried = []
        for value in row.grid:
            units = [records.Unit(dataset, methods.TUNED, name, seed, value) for seed in methods.TUNED_ON]
            seen = [reward for unit in units if (reward := average(unit)) is not None]
            tried.append(f"{value:g}: {mean(seen):.3f}" if seen else f"{value:g}: not run")
        best = records.chosen(average, dataset, name)
        yield dataset, row.title, ", ".join(tried), "not chosen yet" if best is None else f"{best:g}"


def pictures(record: Record) -> dict[str, Callable[[Any], None]]:
    """Return the functions that draw the pictures of the page on a matplotlib figure, by name: one of each data set,
    and one of all comparisons."""
    found: dict[str, Callable[[Any], None]] = {}
    for dataset, facts in record["data"].items():
        found[f"{dataset}"] = _picture(record, dataset, facts)
    judged = [judge(record, name) for name in SENTENCES]
    every = [difference.json() for words, rows in judged if words != UNTESTED for difference in rows]
    found["differences"] = lambda figure: draw_differences(figure.subplots(), every)
    return found


def _picture(record: Record, dataset: str, facts: Mapping[str, Any]) -> Callable[[Any], None]:
    def drawn(figure: Any) -> None:
        left, right = figure.subplots(1, 2, width_ratios=(3, 2))
        known = facts["best_constant_arm"], facts["uniform_reward"]
        lines = dict(zip(("best constant arm", "uniform play"), known, strict=True))
        draw(left, series(record, dataset, "per_run", methods.SHARED), lines)
        left.set_title(f"{dataset}: {left.get_title()}", fontsize=9)
        if dataset in record.get("released", {}):
            draw_released(right, record["released"][dataset])

    return drawn


def draw_pictures(record: Record, folder: Path, others: Path) -> list[Path]:
    """Write SVG files to `folder`, and PNG and PDF files to `others`. The same record gives the same bytes."""
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
            figure = Figure(figsize=(7.4, 6.4) if name == "differences" else (9.6, 4.2))
            drawing(figure)
            for axes in figure.axes:
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
