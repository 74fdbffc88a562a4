"""Draw the pictures of the experiments: average reward against steps with a band over seeds, and differences between
methods on the same seeds."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from textwrap import fill, shorten
from typing import Any

import numpy as np

from fedigw_extensions.neural.figures.methods import METHODS, setting
from fedigw_extensions.neural.figures.paired import UNTESTED
from fedigw_extensions.neural.figures.record import runs_of
from verify.pictures import rows_of

GREY = "#868e96"
FEWEST = 6  # seeds that have a band


def running_average(curve: Sequence[float], lengths: Sequence[int]) -> np.ndarray:
    """Return the mean reward of all steps up to the end of each epoch, shape (L,). Steps after a divergence count as
    reward 0. curve: the mean reward of each epoch. lengths: the epochs' steps."""
    rewards = np.zeros(len(lengths))
    rewards[: len(curve)] = curve
    return np.asarray(np.cumsum(rewards * lengths) / np.cumsum(lengths))


def logged(lengths: Sequence[int]) -> np.ndarray:
    """Return the ends (L,) of epochs on the axis of the released code, which counts at most 256 steps of each."""
    return np.cumsum(np.minimum(lengths, 256))


def series(record: Mapping[str, Any], dataset: str, reading: str, methods: Sequence[str]) -> dict[str, Any]:
    """Return, for each method, the steps at which epochs end, the average reward up to there for every seed (n, L),
    and the number of seeds. reading: which setting of the experiment."""
    found = {}
    for method in methods:
        lengths = setting(dataset, reading, method).lengths
        runs = runs_of(record, dataset, reading, method)
        if runs and method != "agr":
            values = np.array([running_average(run["curve"], lengths) for run in runs])
            found[method] = {"steps": np.cumsum(lengths), "values": values, "seeds": len(runs)}
    return found


def draw(axes: Any, found: Mapping[str, Any], lines: Mapping[str, float]) -> None:
    """Draw each method's mean curve with a band of two standard errors over seeds (six or more), and a horizontal line
    for each baseline without learning. All names stand at the right ends."""
    ends = []
    for method, row in found.items():
        colour, values = METHODS[method].colour, row["values"]
        middle = values.mean(axis=0)
        axes.plot(row["steps"], middle, color=colour, linewidth=1.6)
        if row["seeds"] >= FEWEST:
            reach = 2 * values.std(axis=0, ddof=1) / np.sqrt(row["seeds"])
            axes.fill_between(
                row["steps"], middle - reach, middle + reach, color=colour, alpha=0.15, linewidth=0
            )
        name = f"{METHODS[method].short} ({row['seeds']})"
        ends.append((float(values[:, -1].mean()), name, colour))
    last = max(int(row["steps"][-1]) for row in found.values())
    most, best, _ = max(ends)
    for label, value in lines.items():
        axes.hlines(value, 0, last, color=GREY, linestyle=(0, (4, 3)), linewidth=0.9)
        ends.append((value, label, "#495057"))
    _names(axes, sorted(ends), last)
    axes.set_xlim(0, 1.36 * last)
    axes.set_xticks([place for place in axes.get_xticks() if 0 <= place <= last])
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.set_xlabel("steps of an agent (in brackets: seeds; shaded: two standard errors)")
    axes.set_ylabel("average reward so far")
    title = f"average reward {most:.2f} with {best.partition(' (')[0]}, the most"
    if "fedavg" in found:
        title += f"; {found['fedavg']['values'][:, -1].mean():.2f} with FedIGW (FedAvg)"
    axes.set_title(title, fontsize=9)


def _names(axes: Any, ends: Sequence[tuple[float, str, str]], last: int) -> None:
    """Write the names of the curves to the right of their ends, pushed apart where they would overlap."""
    bottom, top = axes.get_ylim()
    gap, places = 0.045 * (top - bottom), [value for value, *_ in ends]
    for _ in range(200):
        for low, high in pairwise(range(len(places))):
            push = max(0.0, gap - (places[high] - places[low])) / 2
            places[low], places[high] = places[low] - push, places[high] + push
        places[-1] = min(places[-1], top - gap / 2)
    for (_, name, colour), place in zip(ends, places, strict=True):
        axes.annotate(name, (1.01 * last, place), fontsize=7.5, color=colour, va="center")


def draw_released(axes: Any, kept: Mapping[str, Any]) -> None:
    """Draw the curve of the released code's setting over two axes: that of the code, and the steps that were played."""
    axes.plot(
        kept["logged"],
        kept["curve"],
        color=METHODS["fedavg"].colour,
        linewidth=1.6,
        label="ours, over logged steps",
    )
    steps = np.array(kept["steps"])
    early = steps <= kept["logged"][-1]
    label = "ours, over all steps played"
    axes.plot(steps[early], np.array(kept["curve"])[early], color=GREY, linestyle="--", label=label)
    axes.axhline(kept["shipped_end"], color="#b42318", linewidth=0.9, label="end of the authors' curve")
    axes.legend(fontsize=7, loc="center right")
    axes.set_xlabel("steps")
    axes.set_ylabel("mean of the log's rows so far")
    ours, theirs = kept["curve"][-1], kept["shipped_end"]
    axes.set_title(f"released code: ours ends at {ours:.2f}, the authors' at {theirs:.2f}", fontsize=9)


def draw_sentences(axes: Any, figures: Mapping[str, Mapping[str, Any]]) -> None:
    """Draw the paired differences that belong to each sentence of the paper that was tested, with intervals."""
    tested = [found for found in figures.values() if found["words"] != UNTESTED]
    rows = [row for found in tested for row in ({"sentence": found["sentence"]}, *found["rows"])]
    draw_differences(axes, rows)


def draw_differences(axes: Any, rows: Sequence[Mapping[str, Any]]) -> None:
    """Draw one line per comparison with its mean difference and interval: green if it agrees with the paper's sentence,
    red if it contradicts it, ochre if undecided. A row with the text of a sentence becomes a heading."""
    colours = {"measured": "#1a7f37", "refuted": "#b42318", "undecided": "#9a6700"}
    names = []
    for place, row in enumerate(rows):
        if "sentence" in row:
            names.append("")
            text = fill(shorten(row["sentence"], 150, placeholder=" ..."), 90)
            where = axes.get_yaxis_transform()
            axes.text(0.01, place, f"“{text}”", transform=where, fontsize=7, va="center", style="italic")
            continue
        if row["mean"] is not None:
            low, high = (row["mean"] if row[end] is None else row[end] for end in ("low", "high"))
            axes.plot([low, high], [place, place], color=colours[row["verdict"]], linewidth=2)
            axes.plot([row["mean"]], [place], "o", color=colours[row["verdict"]], markersize=5)
        names.append(f"{row['dataset']}, {row['reading'].replace('_', ' ')}: {row['name']}")
    axes.axvline(0, color="#343a40", linewidth=0.8)
    rows_of(axes, names)
    axes.set_xlabel("difference of mean rewards, with its interval")
    counts = Counter(row["verdict"] for row in rows if "verdict" in row)
    parts = (
        f"{counts['measured']} go the paper's way (green)",
        f"{counts['refuted']} the other way (red)",
        f"{counts['undecided']} are open (ochre)",
    )
    axes.set_title(f"Of {counts.total()} comparisons {', '.join(parts)}", fontsize=9)
