"""Draw pictures in one style: a bound is a line, a measurement points, a lower bound dashes, all three in one colour.

The name of a curve is written at its end. A title is a sentence that states the finding, computed from the data.
"""

import io
import logging
import math
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from itertools import accumulate, cycle, pairwise
from pathlib import Path
from textwrap import fill
from typing import Any

from verify.verdict import Verdict

Figures = Mapping[str, Mapping[str, Any]]  # check -> its figures

BOUND_COLOUR = {"printed": "#b42318", "repaired": "#9a6700", "sharpened": "#1a7f37", "best": "#0b7285"}
PROTOCOL_COLOUR = {
    "direct": "#1864ab",
    "direct_printed": "#74c0fc",
    "agd": "#b42318",
    "agd_convex": "#e8590c",
    "chebyshev": "#9a6700",
    "cg": "#1a7f37",
    "fedavg": "#862e9c",
    "scaffold": "#495057",
}
SPARE = ("#862e9c", "#5c940d", "#364fc7", "#c2255c", "#495057", "#f59f00", "#12b886", "#e599f7", "#a98467")
# Words for names of the program in legends.
WORDS: dict[str, str] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
_NAME = re.compile(rf"\b({'|'.join(sorted(WORDS, key=len, reverse=True))})\b(?! method)")
_FORMULA = re.compile(r"(?<![$\w])(\d+|[A-Za-z])([_^])([A-Za-z0-9]+)(?!\w)")
MOST_NAMES = 21  # in a legend of the usual font size
MOST_INSIDE = 3  # in a legend inside the axes
FEW = 50  # highest over lowest value up to which an axis has minor labels
WIDE = 1.2  # inches of margin on the left from which a title begins in it
LONGEST = 36  # letters of a line of a name at the end of a curve
LETTER = 0.56  # mean width of a letter over its size
BOUND: dict[str, Any] = {"linewidth": 1.8}
MEASURED: dict[str, Any] = {"marker": "o", "markersize": 5, "linewidth": 1}
LOWER: dict[str, Any] = {"linestyle": "--", "linewidth": 1}
UNJOINED: dict[str, Any] = {
    "linestyle": "",
    "markeredgewidth": 1.8,
    "marker": "_",
    "markersize": 22,
}  # bounds at words
WITHOUT: dict[str, Any] = {"color": "0.45", "linewidth": 1}  # what is known without learning
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
HORIZONS = [2**k for k in range(2, 41, 2)]


# without a home it announces where its cache is
logging.getLogger("matplotlib").setLevel(logging.ERROR)


@cache
def _kind() -> Any:
    from matplotlib.figure import Figure

    class Picture(Figure):
        def _repr_png_(self) -> bytes:
            text = io.BytesIO()
            self.savefig(text, format="png", dpi=100)
            return text.getvalue()

    return Picture


def picture(panels: int = 1) -> tuple[Any, list[Any]]:
    """Return a figure that a notebook displays, and its matplotlib axes, one below the other."""
    figure = _kind()(figsize=(9.6, 4.6 if panels == 1 else 3.4 * panels))
    rows = figure.subplots(panels, squeeze=False)
    return figure, list(rows[:, 0])


def complete(figure: Any, path: str | None = None) -> Any:
    """Widen the margins of a figure so that all names of curves fit, save it if a path is given, and return it."""
    width, height = figure.get_size_inches()
    beside, before = 0.0, 0.35
    for axes in figure.axes:
        names = [_letters(text.get_text()) * text.get_fontsize() for text in axes.texts if _in_margin(text)]
        legend = axes.get_legend()
        if legend is not None and not legend.get_frame_on():  # in the margin
            names += [(_letters(t.get_text()) + 5) * t.get_fontsize() for t in legend.get_texts()]
        beside = max(beside, *names, 0.0)
        ticks = [_letters(t.get_text()) * t.get_fontsize() for t in axes.get_yticklabels()]
        before = max(before, max(ticks, default=0) * LETTER / 72 + 0.15)
    figure.subplots_adjust(
        left=(before + 0.3) / width,
        right=1 - (beside * LETTER / 72 + (0.45 if beside else 0.2)) / width,
        bottom=0.55 / height,
        top=1 - (0.2 + 0.2 * _lines(figure)) / height,
        hspace=0.38,
    )
    for axes in figure.axes:
        below = axes.xaxis.label
        if (
            _letters(below.get_text()) * below.get_fontsize() * LETTER / 72
            > axes.get_position().width * width
        ):
            below.set(x=1, horizontalalignment="right")  # a long one ends where the axes do
        # it begins where the names of the rows do
        if before > WIDE and (title := axes.get_title(loc="left")):
            start = -before / (axes.get_position().width * width)
            axes.set_title(title, fontsize=11, loc="left", x=start, y=1.0, pad=7)
    if path is not None:
        figure.savefig(path)
    return figure


def _lines(figure: Any) -> int:
    return max(axes.get_title(loc="left").count("\n") + 1 for axes in figure.axes)


def _letters(text: str) -> int:
    return max(len(re.sub(r"[${}\\^_]|\\[a-z]+", "", line)) for line in text.split("\n"))


def _in_margin(text: Any) -> bool:
    return bool(getattr(text, "anncoords", None) == "axes fraction" and text.xyann[0] > 1)


def times(ratios: Iterable[float]) -> str:
    """Return the range of some ratios as text: "4 to 40 times", or "4 times" if they are equal; "" if there are
    none."""
    found = [ratio for ratio in ratios if math.isfinite(ratio)]
    if not found:
        return ""
    low, high = (f"{x:.0f}" if x >= 9.5 else f"{x:.2g}" for x in (min(found), max(found)))
    return f"{low} times" if low == high else f"{low} to {high} times"


def stays_below(what: str, pairs: Iterable[tuple[float, float]], bound: str) -> str:
    """Return a sentence about pairs (measured value, bound), such as "Measured regret stays 4 to 40 times below its
    bound". what, bound: the words for the value and for the bound."""
    known = [(found, most) for found, most in pairs if found > 0]
    if not known:
        return f"{what} and {bound}"
    above = sum(found > most * (1 + 1e-9) for found, most in known)
    if above:
        return f"{what} is above {bound} in {above} of {len(known)} points"
    ratios = [most / found for found, most in known]
    if max(ratios) < 1.005:
        return f"{what} equals {bound}"
    if min(ratios) < 1.05:
        return f"{what} stays up to {times([max(ratios)])} below {bound}"
    return f"{what} stays {times(ratios)} below {bound}"


def limit(row: Mapping[str, Any] | None) -> str:
    return "bound" if row is not None and Verdict.of(row).confirms else "declared"


def colours(known: Mapping[str, str], names: Iterable[str]) -> dict[str, str]:
    """Return a colour for each name: the one in `known`, or else the next of some spare colours."""
    mine = list(dict.fromkeys(names))
    taken = {known[name] for name in mine if name in known}
    spare = cycle(colour for colour in SPARE if colour not in taken)
    return {name: known[name] if name in known else next(spare) for name in mine}


def in_words(label: str) -> str:
    """Return the name of a curve in plain words, with symbols such as d^a or sqrt(MT) typeset as mathematics."""
    if "$" in label:
        return label
    label = _NAME.sub(lambda match: WORDS[match[1]], label)
    label = _FORMULA.sub(r"$\1\2{\3}$", label)
    if "$" not in label:
        label = label.replace("_", " ")
    return re.sub(r"sqrt\(([^()]*)\)", r"$\\sqrt{\1}$", label)


def bound_curve(axes: Any, bound: Any, grid: list[int], colour: str, label: str, **style: Any) -> None:
    """Draw a regret bound per agent and step at the horizons in `grid`; dotted where the bound is not below the trivial
    one."""
    first = bound.first_informative_horizon()
    telling = [t for t in grid if first is not None and t >= first]
    vacuous = grid[: len(grid) - len(telling) + 1]  # up to the first informative horizon
    for horizons, look in (
        (vacuous, {"linestyle": (0, (1, 3)), "linewidth": 0.8, "alpha": 0.6}),
        (telling, {"label": label} | style),
    ):
        axes.plot(horizons, [bound.value(t) / (bound.agents * t) for t in horizons], color=colour, **look)


def curves(
    axes: Any,
    rows: Iterable[Mapping[str, Any]],
    key: str,
    known: Mapping[str, str],
    x: str,
    y: Callable[[Mapping[str, Any]], float],
) -> None:
    """Draw y(row) against row[x] as one curve for all rows with the same row[key]. Each curve has its own marker and
    colour; `known` fixes colours by row[key]."""
    named: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        named.setdefault(row[key], []).append(row)
    colour_of = colours(known, named)
    for marker, (name, mine) in zip("osD^vP*Xhd<>p8", named.items(), strict=False):
        look: dict[str, Any] = {"marker": marker, "markersize": 5, "linewidth": 1, "color": colour_of[name]}
        axes.plot([row[x] for row in mine], [y(row) for row in mine], label=name, **look)


def rows_of(axes: Any, names: list[str]) -> None:
    axes.figure.set_size_inches(9.6, max(3.2, 1.1 + 0.27 * len(names)))
    axes.set_yticks(range(len(names)), [in_words(name) for name in names], fontsize=9)
    axes.set_ylim(len(names) - 0.4, -0.6)


def measured_and_bound(axes: Any, row: int, found: Mapping[str, Any], colour: str) -> None:
    """Draw a measurement with its bound on the horizontal line `row`: a dot, a bar for its interval, a tick for the
    bound. found: the numbers mean, low, high and bound."""
    low = max(found["low"], found["mean"] / 100)
    axes.plot([low, found["high"]], [row, row], color=colour, alpha=0.35, linewidth=4, solid_capstyle="butt")
    axes.plot([found["mean"]], [row], "o", color=colour, markersize=5)
    axes.plot([found["bound"]], [row], "|", color=colour, markersize=14, markeredgewidth=2)
    axes.set(xscale="log", xlabel="regret of all agents (dot: measured; bar: its interval; tick: bound)")


def logarithmic(axes: Any, x: str, y: str) -> None:
    axes.set(xscale="log", yscale="log", xlabel=x, ylabel=y)


def name_at_ends(axes: Any) -> dict[str, Any]:
    """Write the name of every curve in the right margin, next to its end and in its colour.

    Names that would overlap are moved apart, with a thin line to their curve. Return name -> matplotlib artist for
    items without an end, such as areas, which need a legend.
    """
    from matplotlib.lines import Line2D

    ends: dict[str, tuple[float, float, Any]] = {}
    others: dict[str, Any] = {}
    for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
        line = handle[0] if isinstance(handle, tuple) else handle  # the points of an error bar
        points = _points(axes, line)
        if not points:
            others[label] = handle
            continue
        x, y = max(points)  # a name that occurs twice is written once, at the later end
        if label not in ends or ends[label][1] < x:
            colour = line.get_color() if hasattr(line, "get_color") else line.get_facecolor()[0]
            ends[label] = (min(1.0, max(0.0, y)), min(1.0, x), colour)
    rows = sorted(ends.items(), key=lambda item: item[1][0])
    height = axes.get_position().height * axes.figure.get_figheight()  # inches
    words = [in_words(label) for label, _ in rows]
    names = [name if "$" in name else fill(name, LONGEST) for name in words]  # mathematics is not cut
    lines = (sum(name.count("\n") + 1 for name in pair) / 2 for pair in pairwise(names))
    above = list(accumulate(lines, initial=0.0))  # the lowest name
    apart = min(0.22 / height, 1.0 / max(1.0, above[-1]))
    # a name is pushed up by the names below it, but not beyond the top
    pushed = accumulate((end[0] - apart * up for up, (_, end) in zip(above, rows, strict=False)), max)
    top = 1.0 - apart * above[-1]
    places = [min(least, top) + apart * up for least, up in zip(pushed, above, strict=False)]
    for place, name, (_, (height, x, colour)) in zip(places, names, rows, strict=True):
        where = {"xycoords": "axes fraction", "textcoords": "axes fraction", "annotation_clip": False}
        text = {"color": colour, "fontsize": 9 if len(rows) <= 12 else 7.5, "va": "center"}
        axes.annotate(name, xy=(x, height), xytext=(1.03, place), **where, **text)
        # an arrow would be cut at the text's box by bisection, which takes longer than the rest of the picture
        look = {"color": colour, "linewidth": 0.6, "alpha": 0.5, "clip_on": False}
        axes.add_artist(Line2D([x, 1.025], [height, place], transform=axes.transAxes, **look))
    return others


def _points(axes: Any, artist: Any) -> list[tuple[float, float]]:
    if hasattr(artist, "get_xydata"):
        pairs = artist.get_transform().transform(artist.get_xydata()) if len(artist.get_xydata()) else []
    elif hasattr(artist, "get_offsets") and hasattr(artist, "get_sizes"):
        pairs = axes.transData.transform(artist.get_offsets()) if len(artist.get_offsets()) else []
    else:
        return []
    found = (axes.transAxes.inverted().transform(pair) for pair in pairs)
    return [(float(x), float(y)) for x, y in found if math.isfinite(x) and math.isfinite(y)]


def finish(axes: Any, title: str) -> None:
    """Complete axes with title, grid, ticks, the name of each curve at its end, and a legend for everything else."""
    found = axes.get_title() or title  # a picture that computes its sentence has set it
    axes.set_title("")
    words = in_words(found)
    axes.set_title(words[:1].upper() + words[1:], fontsize=11, loc="left", y=1.0, pad=7)
    axes.grid(True, which="major", alpha=0.25)
    panels = [panel for panel in axes.child_axes if hasattr(panel, "get_legend_handles_labels")]
    for panel in (axes, *panels):
        for axis in (panel.xaxis, panel.yaxis):
            _tidy(axis)
            axis.set_label_text(in_words(axis.get_label_text()))
    if panels or _of_words(
        axes
    ):  # the panels of a picture share one legend; on an axis of words no curve ends
        handles, labels = (*panels, axes)[0].get_legend_handles_labels()
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


def _of_words(axes: Any) -> bool:
    from matplotlib.category import StrCategoryLocator

    return isinstance(axes.xaxis.get_major_locator(), StrCategoryLocator)


def _tidy(axis: Any) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

    if axis.get_scale() != "log" or not isinstance(axis.get_major_locator(), LogLocator):
        return
    low, high = sorted(axis.get_view_interval())
    axis.set_major_formatter(FuncFormatter(short))
    axis.set_minor_locator(NullLocator())
    if low > 0 and high / low < FEW:
        axis.set_minor_locator(LogLocator(subs=(2, 5) if high / low > 5 else (1.5, 2, 3, 4, 5, 6, 8)))
        axis.set_minor_formatter(FuncFormatter(short))
        axis.set_tick_params(which="both", labelsize="medium")


def short(value: float, _: int | None = None) -> str:
    """Return a number at the tick of an axis: 500, 10⁴, 2·10⁻⁵."""
    if value == 0 or 1e-3 <= value < 1e4:
        return f"{value:g}"
    mantissa, exponent = f"{value:.1e}".split("e")
    power = f"10{str(int(exponent)).translate(SUPERSCRIPTS)}"
    return power if mantissa == "1.0" else f"{mantissa.removesuffix('.0')}·{power}"
