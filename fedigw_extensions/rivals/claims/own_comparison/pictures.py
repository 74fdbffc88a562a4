"""The plane of regret against communication on one world."""

from typing import Any

from verify.pictures import Figures, in_words, logarithmic

OWN = {"fedigw, direct": "#1864ab", "fedigw, agd": "#b42318"}


def plane(axes: Any, figures: Figures) -> None:
    """Each point is a system at the same horizon: what it lost and what it sent. Down and to the left is better."""
    shown = next(iter(figures.values()))
    horizon = max(row["T"] for row in shown["rows"] if row["world"] == "fixed")
    rows = [row for row in shown["rows"] if row["world"] == "fixed" and row["T"] == horizon]
    for place, row in enumerate(sorted(rows, key=lambda row: float(row["mean"]))):
        colour, lost = OWN.get(row["system"], "0.3"), row["mean"] / (shown["M"] * horizon)
        axes.plot([row["numbers"]], [lost], "o", color=colour, markersize=7)
        name = in_words(row["system"].replace("agd", "AGD"))
        where = {"xytext": (0, 7 if place % 2 else -15), "textcoords": "offset points", "ha": "center"}
        axes.annotate(name, (row["numbers"], lost), fontsize=9, color=colour, **where)
    logarithmic(axes, "numbers sent, up and down", f"regret / (M T), T = {horizon}")
    axes.margins(x=0.12, y=0.15)
    own = min((row for row in rows if row["system"] in OWN), key=lambda row: float(row["mean"]))
    less = sum(row["mean"] < own["mean"] for row in rows)
    lighter = sum(row["numbers"] < own["numbers"] for row in rows)
    said = f"At its guaranteed rate FedIGW loses more than {less} of {len(rows)} systems"
    axes.set_title(f"{said}; {lighter} send less")
