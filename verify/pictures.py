"""What the pictures of several claims share: colours by name, which never run out, and logarithmic axes."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from itertools import cycle
from typing import Any

Figures = Mapping[str, Mapping[str, Any]]  # check -> its figures

BOUND_COLOUR = {"printed": "#b42318", "repaired": "#9a6700", "sharpened": "#1a7f37", "best": "#0b7285"}
PROTOCOL_COLOUR = {
    "direct": "#1864ab",
    "direct_printed": "#74c0fc",
    "agd": "#b42318",
    "agd_convex": "#e8590c",
    "chebyshev": "#9a6700",
    "cg": "#1a7f37",
}
SPARE = ("#862e9c", "#5c940d", "#364fc7", "#c2255c", "#495057", "#f59f00", "#12b886", "#e599f7", "#a98467")
# What a legend says for a name of the program.
WORDS = {
    "agd": "accelerated gradient descent",
    "agd_convex": "AGD for convex functions",
    "chebyshev": "Chebyshev's polynomial",
    "cg": "conjugate gradients",
    "direct": "direct method",
    "direct_printed": "direct method as printed",
    "exact_minimiser": "exact minimiser",
    "fedavg": "FedAvg",
    "fedavg_printed": "FedAvg as printed",
    "fedopt": "FedOpt",
    "fedprox": "FedProx",
    "scaffold": "SCAFFOLD",
    "lsgd_pfl": "LSGD-PFL",
    "trivial": "known without learning",
    "kappa": "κ",
    "epsilon": "ε",
    "delta": "δ",
    "diana": "DIANA",
    "ef21": "EF21",
}
_NAME = re.compile(rf"\b({'|'.join(sorted(WORDS, key=len, reverse=True))})\b")
_FORMULA = re.compile(r"(?<![$\w])(\d+|[A-Za-z])([_^])([A-Za-z0-9]+)(?!\w)")
HORIZONS = [2**k for k in range(2, 41, 2)]


def colours(known: Mapping[str, str], names: Iterable[str]) -> dict[str, str]:
    """The colour of each name: its own if it has one, else the spare ones in the order in which the names come."""
    spare = cycle(SPARE)
    return {name: known[name] if name in known else next(spare) for name in dict.fromkeys(names)}


def in_words(label: str) -> str:
    """A label without names of the program, its symbols as mathematics: d^a, sqrt(MT)."""
    if "$" in label:
        return label
    label = _NAME.sub(lambda match: WORDS[match[1]], label)
    label = _FORMULA.sub(r"$\1\2{\3}$", label)
    if "$" not in label:
        label = label.replace("_", " ")
    return re.sub(r"sqrt\(([^()]*)\)", r"$\\sqrt{\1}$", label)


def bound_curve(axes: Any, bound: Any, grid: list[int], colour: str, label: str, **style: Any) -> None:
    """A bound of bounds.epoch_sum over M T: drawn where it says something, and faintly dotted where it is vacuous."""
    first = bound.first_informative_horizon()
    told = [t for t in grid if first is not None and t >= first]
    vacuous = grid[: len(grid) - len(told) + 1]  # up to where the other begins
    for horizons, look in (
        (vacuous, {"linestyle": (0, (1, 3)), "linewidth": 0.8, "alpha": 0.6}),
        (told, {"label": label} | style),
    ):
        axes.plot(horizons, [bound.value(t) / (bound.agents * t) for t in horizons], color=colour, **look)


def lower_curve(axes: Any, bound: Any, grid: list[int], colour: str, label: str) -> list[float]:
    """own:lower_bound at the learning rates of a bound of bounds.epoch_sum, over M T, dashed: points of worlds with gap
    1 lie between the two, other worlds may lose less. The values drawn; none where the rates are not known."""
    found = [bound.lower(t) for t in grid]
    if any(beside is None for beside in found):
        return []
    values = [beside.value / (bound.agents * t) for beside, t in zip(found, grid, strict=True)]
    axes.plot(grid, values, color=colour, linestyle="--", linewidth=1, label=f"{label}, at least if gap 1")
    return values


def curves(
    axes: Any,
    rows: Iterable[Mapping[str, Any]],
    key: str,
    known: Mapping[str, str],
    x: str,
    y: Callable[[Mapping[str, Any]], float],
) -> None:
    """Draw a curve through the rows of each value of row[key]: y(row) against row[x], with a marker of its own."""
    named: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        named.setdefault(row[key], []).append(row)
    colour_of = colours(known, named)
    for marker, (name, mine) in zip("osD^vP*Xhd<>p8", named.items(), strict=False):
        look: dict[str, Any] = {"marker": marker, "markersize": 5, "linewidth": 1, "color": colour_of[name]}
        axes.plot([row[x] for row in mine], [y(row) for row in mine], label=name, **look)


def logarithmic(axes: Any, x: str, y: str) -> None:
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel(x)
    axes.set_ylabel(y)


def name_at_ends(axes: Any) -> dict[str, Any]:
    """Write the name of every curve in the right margin, beside its end and in its colour.

    Names that would cover each other are moved apart, with a thin line to their curve. Returns name -> handle of what
    has no end, such as an area or a kind of marker, and needs a legend.
    """
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
            ends[label] = (min(1.0, max(0.0, y)), min(1.0, x), _colour(line))
    rows = sorted(ends.items(), key=lambda item: item[1][0])
    apart = min(0.062, 1.0 / max(1, len(rows) - 1))
    places: list[float] = []
    for _, (height, _, _) in rows:
        places.append(max(height, places[-1] + apart) if places else height)
    for index in reversed(range(len(places))):  # what was pushed out at the top comes back
        places[index] = min(places[index], 1.0 - apart * (len(places) - 1 - index))
    for place, (label, (height, x, colour)) in zip(places, rows, strict=True):
        axes.annotate(
            in_words(label),
            xy=(x, height),
            xycoords="axes fraction",
            xytext=(1.03, place),
            textcoords="axes fraction",
            color=colour,
            fontsize=9 if len(rows) <= 12 else 7.5,
            va="center",
            annotation_clip=False,
            arrowprops={
                "arrowstyle": "-",
                "color": colour,
                "lw": 0.6,
                "alpha": 0.5,
                "shrinkA": 1,
                "shrinkB": 2,
            },
        )
    return others


def _points(axes: Any, artist: Any) -> list[tuple[float, float]]:
    """Return the finite points of a curve or of a row of points, as fractions of the axes; none for anything else."""
    if hasattr(artist, "get_xydata"):
        pairs = artist.get_transform().transform(artist.get_xydata()) if len(artist.get_xydata()) else []
    elif hasattr(artist, "get_offsets") and hasattr(artist, "get_sizes"):
        pairs = axes.transData.transform(artist.get_offsets()) if len(artist.get_offsets()) else []
    else:
        return []
    found = (axes.transAxes.inverted().transform(pair) for pair in pairs)
    return [(float(x), float(y)) for x, y in found if math.isfinite(x) and math.isfinite(y)]


def _colour(artist: Any) -> Any:
    return artist.get_color() if hasattr(artist, "get_color") else artist.get_facecolor()[0]
