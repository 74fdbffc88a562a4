"""The plane of regret against communication on one world, and regret at the hardest gaps."""

from __future__ import annotations

from typing import Any

from verify.pictures import Figures, curves, logarithmic

COLOUR = {"fedigw, direct": "#1864ab", "fedigw, agd": "#b42318"}


def plane(axes: Any, figures: Figures) -> None:
    """Each point is a system: what it lost and what it sent. Down and to the left is better."""
    shown = next(iter(figures.values()))
    rows = sorted((row for row in shown["rows"] if row["world"] == "fixed"), key=lambda row: float(row["T"]))
    curves(axes, rows, "system", COLOUR, "numbers", lambda row: row["mean"] / (shown["M"] * row["T"]))
    logarithmic(axes, "numbers sent, up and down", "regret / (M T)")


def hardest(axes: Any, figures: Figures) -> None:
    """Each curve is a system where it loses most. Flat is sqrt T; uniform play would rise like sqrt T."""
    shown = next(iter(figures.values()))
    rows = [row for row in shown["rows"] if row["world"] == "fixed"]
    curves(axes, rows, "system", COLOUR, "T", lambda row: row["mean"] / (shown["M"] * row["T"]) ** 0.5)
    logarithmic(axes, "horizon T", "regret / sqrt(M T)")
