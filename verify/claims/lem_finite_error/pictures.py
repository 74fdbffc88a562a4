"""Picture of lem:finite_error: excess risk against samples."""

from __future__ import annotations

from typing import Any

import numpy as np

from verify.pictures import BOUND_COLOUR, Figures, colours, logarithmic


def excess_risk_against_samples(axes: Any, figures: Figures) -> None:
    """Measured mean excess risk and the bounds against n."""
    shown = next(iter(figures.values()))
    samples = np.array(shown["n"], dtype=float)
    axes.plot(
        samples, shown["mean"], "o-", color="#1864ab", markersize=4, label="measured, worst gap at each n"
    )
    axes.fill_between(samples, np.maximum(shown["low"], 1e-12), shown["high"], color="#1864ab", alpha=0.15)
    colour = colours(BOUND_COLOUR, shown["bounds"])
    for variant, values in shown["bounds"].items():
        axes.plot(samples, values, color=colour[variant], label=f"bound, {variant}")
    axes.axhline(1.0, color="black", linewidth=1, label="trivial, 1")
    logarithmic(axes, "samples n", "mean excess risk")
