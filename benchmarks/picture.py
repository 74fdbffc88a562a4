"""Draw the picture of `make bench`: regret against speed for each number of agent-steps, and time against size."""

from pathlib import Path
from typing import Any

from race import SHARED, Row

OURS = {
    "sharpened rates": "#1a7f37",
    "adaptive rates": "#1864ab",
    "adaptive rates, all data": "#0b7285",
    "gamma = 4 sqrt(n)": "#74c0fc",
}
PEERS = ("#b42318", "#e8590c", "#862e9c", "#495057", "#9a6700", "#c2255c", "#5c940d")


def draw(figures: dict[str, Any], path: Path) -> None:
    import matplotlib
    from matplotlib.figure import Figure

    rows = [row for row in (Row(**kept) for kept in figures["race"]) if row.world == SHARED]
    steps = sorted({row.steps for row in rows})
    names = list(dict.fromkeys(row.name for row in rows if row.peer))
    colour = dict(zip(names, PEERS, strict=False))
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "benchmarks", "font.size": 9}):
        figure = Figure(figsize=(12, 9), layout="constrained")
        top, bottom = figure.subfigures(2, 1, height_ratios=(1.15, 1))
        panels = top.subplots(1, max(1, len(steps)), sharex=True, sharey=True, squeeze=False)[0]
        handles: dict[str, Any] = {}
        for panel, count in zip(panels, steps, strict=True):
            for row in (row for row in rows if row.steps == count):
                handles |= _point(panel, row, colour)
            for name, rate in list(figures["floors"].items())[:1]:  # the matrix product is far to the right
                handles[f"floor: {name}"] = panel.axvline(rate, color="0.6", linestyle="--", linewidth=0.8)
            panel.set(xscale="log", yscale="log", xlabel="agent-steps a processor second, whole run")
            panel.set_title(f"{count:,} agent-steps")
            panel.margins(x=0.12, y=0.08)
        panels[0].set_ylabel("regret a step (lower is better)")
        top.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=4, fontsize=8)
        _growth(bottom.subplots(1, 1), figures["growth"])
        figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)


def _point(panel: Any, row: Row, colour: dict[str, str]) -> dict[str, Any]:
    """Draw one row with its standard error. Peers are labelled with their batch; a single agent of ours is an empty
    ring."""
    if row.peer:
        mark = {"marker": "s", "color": colour.get(row.name, "0.3")}
        label = row.name
    else:
        rule = row.name.split(", ")[1]
        mark = {"marker": "o", "color": OURS[rule]}
        if "one agent" in row.name:
            mark["markerfacecolor"] = "white"
        agents = ", one agent" if "one agent" in row.name else ""
        label = f"FedIGW, {rule}{agents}"
    drawn = panel.errorbar(row.rate, row.regret, yerr=row.error, linestyle="", **mark)
    if row.peer and row.batch > 1:
        panel.annotate(
            f"{row.batch}",
            (row.rate, row.regret),
            xytext=(0, -11 if ", " in row.name else 6),
            textcoords="offset points",
            ha="center",
            fontsize=7,
        )
    return {label: drawn}


def _growth(panel: Any, growth: dict[str, Any]) -> None:
    for name, row in growth.items():
        start = row["sizes"][0], row["seconds"][0]
        sizes = [size / start[0] for size in row["sizes"]]
        taken = [value / start[1] for value in row["seconds"]]
        panel.plot(sizes, taken, marker=".", label=f"{name}: {row['exponent']:.2f}")
    panel.set(xscale="log", yscale="log", xlabel="size, first = 1", ylabel="processor time, first = 1")
    panel.set_title("growth of processor time, with its exponent")
    panel.legend(fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5))
