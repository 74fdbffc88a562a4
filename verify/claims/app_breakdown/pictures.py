"""Regret against the share of lying agents, with the breakdown at one half."""

from __future__ import annotations

from typing import Any

from verify.pictures import Figures

COLOUR = {"mean": "#b42318", "median": "#1864ab", "trimmed_mean": "#1a7f37"}


def by_share(axes: Any, figures: Figures) -> None:
    shown = figures["by-share"]
    for marker, (rule, colour) in zip("sov", COLOUR.items(), strict=True):
        rows = [row for row in shown["rows"] if row["rule"] == rule]
        name = rule.replace("_", " ")
        axes.plot(
            [row["share"] for row in rows],
            [row["regret"] for row in rows],
            marker=marker,
            markersize=4,
            color=colour,
            label=f"measured, {name}",
        )
        bounded = [row for row in rows if row["bound"] is not None]
        if len(bounded) > 1:
            axes.plot(
                [row["share"] for row in bounded],
                [row["bound"] for row in bounded],
                linestyle="--",
                linewidth=0.9,
                color=colour,
                label=f"bound, {name}",
            )
    axes.axvline(0.5, color="black", linewidth=1, linestyle=":")
    axes.annotate("breakdown: no rule\nhas a guarantee", (0.51, 0.42), fontsize=8)
    axes.set_ylim(0, 1.05)
    axes.set_xlabel("share of lying agents f/M (they send the opposite, twentyfold)")
    axes.set_ylabel(f"regret / largest possible, T = {shown['horizon']}")
