"""Draw the pictures of col:linear: the growth of the regret, and the numbers and rounds of every protocol."""

from typing import Any

import numpy as np

from bounds import linear_communication, schedules
from bounds.symbols import symbol
from verify import pictures
from verify.papers.fedigw.claims.col_linear.runs import AGENTS, DIMENSION


def growth(axes: Any, figures: pictures.Figures) -> None:
    """The picture shows how regret grows. In the horizon T, the number M of agents and the number K of arms the
    measured regret grows with slope 1/2, parallel to the bound; in the dimension d it grows more slowly than the
    bound."""
    axes.axis("off")
    for index, shown in enumerate(figures.values()):
        panel = axes.inset_axes((0.04 + 0.53 * (index % 2), 0.58 - 0.56 * (index // 2), 0.43, 0.36))
        grid, mean = np.array(shown[shown["variable"]], dtype=float), np.array(shown["mean"])
        panel.plot(grid, shown["bound"], color=pictures.BOUND_COLOUR["sharpened"], label="bound, sharpened")
        panel.plot(grid, mean, "o-", color="#1864ab", markersize=3, linewidth=1, label="measured")
        panel.set_title(f"in {shown['variable']}: measured slope {shown['slope']:.3f}", fontsize=8)
        root = mean[0] * np.sqrt(grid / grid[0])
        panel.plot(grid, root, "--", color="#888", linewidth=1, label="slope 1/2")
        pictures.logarithmic(panel, shown["variable"], "" if index % 2 else "regret")
        if grid[-1] < 1000:
            panel.set_xticks(grid, [f"{value:g}" for value in grid])
            panel.minorticks_off()
        panel.tick_params(labelsize=7)
        panel.grid(True, alpha=0.25)


def numbers_against_horizon(axes: Any, figures: pictures.Figures) -> None:
    """The picture shows that the numbers counted in simulations (dots) lie on the computed lines. With the direct
    method and conjugate gradients the numbers hardly grow with the number of steps; at short horizons accelerated
    gradient descent sends more numbers than there are in the raw data."""
    _against_horizon(axes, linear_communication.total_numbers, linear_communication.closed_numbers)
    _measured(axes, figures, "numbers")
    for name in ("agd", "direct"):
        order = [linear_communication.printed_numbers(name, AGENTS, DIMENSION, t) for t in pictures.HORIZONS]
        label = f"printed order, {name} (no constant)"
        axes.plot(pictures.HORIZONS, order, ":", color=pictures.PROTOCOL_COLOUR[name], label=label)
    raw = [AGENTS * t * (DIMENSION + 1) for t in pictures.HORIZONS]
    axes.plot(pictures.HORIZONS, raw, color="black", linewidth=1, label="raw data")
    pictures.logarithmic(axes, "horizon T", "numbers up and down")


def rounds_against_horizon(axes: Any, figures: pictures.Figures) -> None:
    """The picture shows the communication rounds of each protocol: for each model the direct method needs one,
    conjugate gradients at most as many as dimensions, and accelerated gradient descent a power of the horizon. Dots
    are counted in simulations."""
    _against_horizon(axes, linear_communication.total_rounds, linear_communication.closed_rounds)
    _measured(axes, figures, "rounds")
    order = [np.sqrt(AGENTS * float(t)) for t in pictures.HORIZONS]
    axes.plot(pictures.HORIZONS, order, ":", color="#888", label="printed order, sqrt(MT)")
    pictures.logarithmic(axes, "horizon T", "rounds")


def cheapest_protocol(axes: Any, figures: pictures.Figures) -> None:
    """The picture shows by colour which protocol sends the fewest numbers up to horizon T in dimension d: raw data at
    short horizons, the direct method at long ones, and iterative solvers only between them, in high dimension. Dots
    have the colour of the protocol that sent least in simulations."""
    # all protocols solve to the same accuracy; conjugate gradients are counted with min(d, n) rounds, or with those
    # of Chebyshev's method if they are fewer, because they converge at least as fast
    from matplotlib.colors import ListedColormap

    names = ["direct", "agd", "chebyshev", "cg", "raw data"]
    dimensions = np.unique(np.geomspace(1, 1e6, 60).astype(int))
    exponents = np.arange(2, 41)
    choice = np.zeros((len(dimensions), len(exponents)))
    for i, d in enumerate(dimensions):
        totals = dict.fromkeys(names, 0.0)
        for j, k in enumerate(exponents):
            samples = schedules.samples_of_calls(10, 2 ** int(k))
            for n in samples[-1:] if j else samples:
                rounds = {p: linear_communication.rounds_of_call(p, n, int(d), 0.1) for p in names[:4]}
                rounds["cg"] = min(rounds["cg"], rounds["chebyshev"])
                for p in names[:4]:
                    totals[p] += sum(linear_communication.numbers_of_call(p, 10, int(d), rounds[p]))
                totals["raw data"] += n * (int(d) + 1)
            choice[i, j] = int(np.argmin([totals[name] for name in names]))
    colours = [*(pictures.PROTOCOL_COLOUR[name] for name in names[:4]), "#bbbbbb"]
    look: dict[str, Any] = {"cmap": ListedColormap(colours), "vmin": -0.5, "vmax": 4.5, "shading": "nearest"}
    axes.pcolormesh(2.0**exponents, dimensions, choice, rasterized=True, **look)  # 2,000 cells as one image
    for index, (name, colour) in enumerate(zip(names, colours, strict=True)):
        if (choice == index).any():
            axes.plot([], [], "s", markersize=9, color=colour, label=name)
    _cheapest_measured(axes, figures)
    pictures.logarithmic(axes, "horizon T", "dimension d")


def _cheapest_measured(axes: Any, figures: pictures.Figures) -> None:
    sent: dict[tuple[int, int], dict[str, int]] = {}
    for check, found in figures.items():
        for row in found.get("rows", ()):
            if row["M"] == AGENTS:
                sent.setdefault((row["T"], row["d"]), {})[check.removeprefix("ledger-")] = row["numbers"]
    for place, counts in sent.items():
        colour = pictures.PROTOCOL_COLOUR[min(counts, key=counts.__getitem__)]
        axes.plot(*place, "o", color=colour, markersize=8, markeredgecolor="white", zorder=4)
    axes.plot([], [], "o", color="#888", markeredgecolor="white", label="fewest, counted in runs")


def _measured(axes: Any, figures: pictures.Figures, quantity: str) -> None:
    for check, found in figures.items():
        name = check.removeprefix("ledger-")
        rows = [r for r in found.get("rows", ()) if (r["M"], r["d"]) == (AGENTS, DIMENSION)]
        where, counted = [row["T"] for row in rows], [row[quantity] for row in rows]
        axes.plot(where, counted, "o", color=pictures.PROTOCOL_COLOUR[name], markersize=5)
    axes.plot([], [], "o", color="black", markersize=5, label="counted in runs")


def _against_horizon(axes: Any, total: Any, closed: Any) -> None:
    import sympy

    # direct_printed is drawn over the protocol that it equals: CG in numbers, direct in rounds
    over: dict[str, Any] = {"linestyle": (0, (4, 4)), "linewidth": 2, "zorder": 3}
    for name, colour in pictures.colours(pictures.PROTOCOL_COLOUR, linear_communication.PROTOCOLS).items():
        sums = [total(name, AGENTS, DIMENSION, t, 0.1) for t in pictures.HORIZONS]
        look = over if name == "direct_printed" else {}
        axes.plot(pictures.HORIZONS, sums, color=colour, label=name, **look)
    formula = sympy.lambdify([symbol(n) for n in ("M", "T", "d", "delta")], closed("agd"), "math")
    values, label = (
        [formula(AGENTS, t, DIMENSION, 0.1) for t in pictures.HORIZONS],
        "corrected closed bound, agd",
    )
    axes.plot(pictures.HORIZONS, values, "--", color=pictures.PROTOCOL_COLOUR["agd"], label=label)
