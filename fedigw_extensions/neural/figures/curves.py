"""Draw average reward against steps, as in the paper's figures, with a band over seeds."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from fedigw_extensions.neural.figures.methods import METHODS
from fedigw_extensions.neural.figures.record import runs_of
from verify.pictures import rows_of


def running_average(run: Mapping[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    """Return the steps at the end of each epoch, and the mean reward of all steps up to there. Steps after divergence
    count as reward 0."""
    lengths = np.array(run["lengths"], dtype=float)
    rewards = np.zeros(len(lengths))
    rewards[: len(run["curve"])] = run["curve"]
    steps = np.cumsum(lengths)
    return steps, np.cumsum(lengths * rewards) / steps


def series(record: Mapping[str, Any], dataset: str, reading: str, methods: Sequence[str]) -> dict[str, Any]:
    """Return, for each method, the steps at which epochs end, the mean and standard deviation over seeds of the average
    reward up to there, and the number of seeds."""
    found = {}
    for method in methods:
        chosen = [running_average(run) for run in runs_of(record, dataset, reading, method)]
        if chosen:
            values = np.array([average for _, average in chosen])
            spread = values.std(axis=0, ddof=1) if len(chosen) > 1 else np.zeros(values.shape[1])
            found[method] = {
                "steps": [int(step) for step in chosen[0][0]],
                "mean": [round(float(v), 6) for v in values.mean(axis=0)],
                "deviation": [round(float(v), 6) for v in spread],
                "seeds": len(chosen),
            }
    return found


def draw(axes: Any, found: Mapping[str, Any], lines: Mapping[str, float], first: int = 64) -> None:
    """Draw means with bands of one standard deviation over seeds, and a horizontal line for each baseline without
    learning."""
    for method, row in found.items():
        steps, mean, deviation = (np.array(row[key], dtype=float) for key in ("steps", "mean", "deviation"))
        late = steps >= first
        colour = METHODS[method].colour
        label = f"{METHODS[method].title} ({row['seeds']})"
        axes.plot(steps[late], mean[late], color=colour, label=label, linewidth=1.6)
        low, high = (mean - deviation)[late], (mean + deviation)[late]
        axes.fill_between(steps[late], low, high, color=colour, alpha=0.12, linewidth=0)
    for label, value in lines.items():
        axes.axhline(value, color="#868e96", linestyle=(0, (4, 3)), linewidth=0.9)
        axes.annotate(label, (first, value), fontsize=7, color="#495057", va="bottom")
    axes.set_xscale("log")
    axes.set_xlabel("steps of an agent")
    axes.set_ylabel("average reward of an agent")


def draw_sentences(axes: Any, figures: Mapping[str, Mapping[str, Any]]) -> None:
    """Draw the paired differences of each sentence of the paper with their intervals: green, right of 0, if it holds;
    red if it is contradicted; ochre if it is not decided."""
    rows = [row for found in figures.values() for row in ({"sentence": found["sentence"]}, *found["rows"])]
    draw_differences(axes, rows)
    counts = Counter(row["verdict"] for row in rows if "verdict" in row)
    parts = (
        f"{counts['measured']} hold",
        f"{counts['refuted']} are contradicted",
        f"{counts['undecided']} open",
    )
    axes.set_title(f"Of {counts.total()} comparisons {', '.join(parts)}")


def draw_differences(axes: Any, rows: Sequence[Mapping[str, Any]]) -> None:
    """Draw one line per comparison with its mean difference and interval; 0 is a tie. A row with the text of a sentence
    becomes a heading."""
    colours = {"measured": "#1a7f37", "refuted": "#b42318", "undecided": "#9a6700"}
    names = []
    for place, row in enumerate(rows):
        if "sentence" in row:
            names.append("")
            where = axes.get_yaxis_transform()
            axes.text(
                0.01,
                place,
                f"“{row['sentence']}”",
                transform=where,
                fontsize=8.5,
                va="center",
                style="italic",
            )
            continue
        low, high = (row["mean"] if row[end] is None else row[end] for end in ("low", "high"))
        axes.plot([low, high], [place, place], color=colours[row["verdict"]], linewidth=2)
        axes.plot([row["mean"]], [place], "o", color=colours[row["verdict"]], markersize=5)
        names.append(f"{row['dataset']}, {row['reading'].replace('_', ' ')}: {difference_name(row)}")
    axes.axvline(0, color="#343a40", linewidth=0.8)
    rows_of(axes, names)
    axes.set_xlabel("difference of mean rewards, with its interval")


def difference_name(row: Mapping[str, Any]) -> str:
    """Return the name of a comparison, such as "FedAvg - 1.5 x FN-UCB"."""
    one, other = (METHODS[row[end]].short for end in ("one", "other"))
    return f"{one} - {'' if row['factor'] == 1 else format(row['factor'], 'g') + ' x '}{other}"
