"""Pictures of col:finite: regret with confidence bands beside every bound, and its growth."""

from typing import Any

import numpy as np

from verify.pictures import Figures, logarithmic, regret_and_bounds

FAINT = ("repaired", "sharpened")  # between the other two


def regret_against_horizon(axes: Any, figures: Figures) -> None:
    """Points, the measured regret in the worst world, lie below the bound of their colour. Where a bound crosses the
    grey line it begins to say something: the printed one after more than a million steps, the best after a few dozen.
    Shaded: intervals.

    figures: check "regret-<variant>" -> its series. A vacuous bound is dotted; all is divided by M T.
    """
    from bounds.theorems import col_finite

    shown = next(iter(figures.values()))
    agents, arms = shown["M"], shown["K"]
    variants = [check.removeprefix("regret-") for check in figures]
    ends = [name for name in variants if name not in FAINT] or variants
    regret_and_bounds(axes, figures, lambda name: col_finite.epoch_sum(name, agents, arms, 10), ends)


def slope_against_half(axes: Any, figures: Figures) -> None:
    """The measured points follow a line of slope 1/2: regret grows like the square root of the horizon, as the
    corollary says."""
    shown = next(iter(figures.values()))
    ts, mean = np.array(shown["T"], dtype=float), np.array(shown["mean"])
    fitted = mean[0] * (ts / ts[0]) ** shown["slope"]
    axes.plot(ts, mean, "o", color="#1864ab", label="measured mean regret")
    interval = f"[{shown['low']:.3f}, {shown['high']:.3f}]"
    axes.plot(ts, fitted, color="#1864ab", label=f"fitted slope {shown['slope']:.3f} {interval}")
    axes.plot(ts, mean[0] * (ts / ts[0]) ** 0.5, "--", color="#888", label="slope 1/2")
    logarithmic(axes, "horizon T", "mean regret")
    axes.set_title(f"Measured regret grows like $T^{{{shown['slope']:.2f}}}$, as the corollary says (1/2)")
