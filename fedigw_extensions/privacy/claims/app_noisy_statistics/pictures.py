"""Draw the regret of private runs against the privacy parameter epsilon: bounds as lines, measured regret as dots,
and the bound without privacy as a dashed line in the colour of its horizon."""

from collections.abc import Sequence
from typing import Any

from fedigw.applicable import applicable
from fedigw_extensions.privacy.claims.app_noisy_statistics.runs import federation
from linear.protocols.direct import Direct
from verify.pictures import SPARE, Figures, logarithmic, stays_below


def plain(agents: int, horizons: Sequence[int]) -> list[dict[str, Any]]:
    return [
        {"T": T, "bound": applicable(federation(Direct(), agents, T)).values["sharpened"]} for T in horizons
    ]


def epsilon(axes: Any, figures: Figures) -> None:
    """Draw regret per agent and step against the privacy parameter epsilon, one colour for each place where noise is
    added and each horizon. figures: the numbers that the claim's checks returned, by check."""
    found = figures["regret"]
    steps = {row["T"]: found["M"] * row["T"] for row in found["plain"]}
    public = {row["T"]: row["bound"] / steps[row["T"]] for row in found["plain"]}
    for index, (where, horizon) in enumerate(
        dict.fromkeys((row["where"], row["T"]) for row in found["rows"])
    ):
        rows = [row for row in found["rows"] if (row["where"], row["T"]) == (where, horizon)]
        colour = SPARE[index % len(SPARE)]
        grid = [row["epsilon"] for row in rows]
        label = f"{where}, T = 2^{horizon.bit_length() - 1}"
        telling = [row for row in rows if not row["vacuous"]]
        axes.plot(grid, [row["bound"] / steps[horizon] for row in rows], ":", color=colour, linewidth=0.8)
        axes.plot(
            [row["epsilon"] for row in telling],
            [row["bound"] / steps[horizon] for row in telling],
            color=colour,
        )
        axes.plot(
            grid,
            [row["regret"] / steps[horizon] for row in rows],
            "o" if where == "central" else "s",
            color=colour,
            markersize=4,
            label=label,
        )
        if where == "central":
            axes.axhline(public[horizon], color=colour, linewidth=0.8, linestyle="--")
    axes.plot([], [], "--k", linewidth=0.8, label="dashes: bound without privacy")
    logarithmic(axes, f"epsilon (delta = {found['delta']:g})", "regret per step")
    marks = sorted({row["epsilon"] for row in found["rows"]})
    axes.set_xticks(marks, [f"{mark:g}" for mark in marks])
    axes.minorticks_off()
    axes.plot([], [], "-k", linewidth=1, label="lines: bound (dotted: vacuous)")
    axes.plot([], [], "ok", markersize=4, label="dots: measured")
    pairs = [(row["regret"], row["bound"]) for row in found["rows"] if not row["vacuous"]]
    axes.set_title(stays_below("Measured regret of private runs", pairs, "its bound"))
    axes.set_ylim(bottom=min(row["regret"] / steps[row["T"]] for row in found["rows"]) / 6)
