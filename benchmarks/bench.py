"""make bench: speed, regret, growth and memory in one Markdown page and one picture, beside the last committed figures.

python benchmarks/bench.py [--out build/bench] [--quick] [--keep]

--keep writes the figures to benchmarks/last.json, to be committed. Ratios compare with what stands there: times above 1
are slower than then.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))  # this checkout, whatever is installed

from fedigw.threads import one_thread  # noqa: E402

one_thread()

import measures  # noqa: E402
import peer_vowpalwabbit  # noqa: E402

LAST = HERE / "last.json"
LIMITS = {"10,000 agents, |X| = 50, K = 10, T = 1e6, one law": ("run", 3.0, "s")} | {
    "linear, different laws, M = 10,000, d = K = 10": ("memory", 200.0, "MB")
}


def measured(quick: bool) -> dict[str, Any]:
    """Every figure, as JSON."""
    laps = measures.ours()
    peers = peer_vowpalwabbit.race(2000 if quick else 10_000)
    rows = [*laps, *(peers or [])]
    return {
        "machine": f"Python {platform.python_version()}, {platform.machine()}",
        "race": {r.name: {"rate": r.rate, "steps": r.steps, "regret": r.regret} for r in rows},
        "peer_missing": peers is None,
        "floors": measures.floors(),
        "growth": measures.growth(quick),
        "scale": measures.scale(),
    }


def page(now: dict[str, Any], last: dict[str, Any]) -> str:
    """The figures in Markdown; the last column is now/then, empty where there was nothing."""
    lines = ["# Benchmarks", "", f"{now['machine']}; processor seconds, one thread of linear algebra.", ""]
    lines += ["## Race, d = K = 10, contexts on the sphere", ""]
    lines += [
        "| program | agent-steps | per processor second | regret a step | now/then |",
        "|---|---|---|---|---|",
    ]
    before = last.get("race", {})
    for name, row in now["race"].items():
        ratio = _ratio(row["rate"], before.get(name, {}).get("rate"))
        lines.append(f"| {name} | {row['steps']:,} | {row['rate']:,.0f} | {row['regret']:.4f} | {ratio} |")
    for name, rate in now["floors"].items():
        ratio = _ratio(rate, last.get("floors", {}).get(name))
        lines.append(f"| floor: {name} | | {rate:,.0f} | | {ratio} |")
    if now["peer_missing"]:
        lines += ["", "vowpalwabbit is not installed (extra `bench`): no peer was run."]
    lines += [
        "",
        "Regret beside speed: a program that learns nothing is fast. Guarantees are for the sharpened rates.",
    ]
    lines += [
        "",
        "## Growth of processor time",
        "",
        "| against | sizes | seconds | exponent | asked | then |",
    ]
    lines.append("|---|---|---|---|---|---|")
    for name, row in now["growth"].items():
        limit = "" if row["at most"] is None else _met(row["exponent"], row["at most"])
        then = last.get("growth", {}).get(name, {}).get("exponent")
        sizes = ", ".join(f"{size:g}" for size in row["sizes"])
        taken = ", ".join(f"{s:.3g}" for s in row["seconds"])
        shown = "" if then is None else f"{then:.2f}"
        lines.append(f"| {name} | {sizes} | {taken} | {row['exponent']:.2f} | {limit} | {shown} |")
    lines += [
        "",
        "## Scale",
        "",
        "| federation | make, s | run, s | MB | agent-steps a second | asked | run now/then |",
    ]
    lines.append("|---|---|---|---|---|---|---|")
    for name, row in now["scale"].items():
        key, limit, unit = LIMITS.get(name, ("", 0.0, ""))
        asked = f"{_met(row[key], limit)} {unit}" if key else ""
        ratio = _ratio(row["run"], last.get("scale", {}).get(name, {}).get("run"))
        rate = row["steps"] / max(row["run"], 1e-6)
        lines.append(
            f"| {name} | {row['make']:.2f} | {row['run']:.2f} | {row['memory']:.0f} | {rate:.2e} | {asked} | {ratio} |"
        )
    return "\n".join(lines).replace("|X|", "\\|X\\|").replace("|F|", "\\|F\\|") + "\n"


def _ratio(now: float, then: float | None) -> str:
    return "" if not then else f"{now / then:.2f}"


def _met(value: float, limit: float) -> str:
    return f"at most {limit:g}" + ("" if value <= limit else ", NOT MET")


def draw(now: dict[str, Any], path: Path) -> None:
    """Speed against regret, and time against size."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 4.2), layout="constrained")
    race, grown = figure.subplots(1, 2)
    for name, row in now["race"].items():
        marker = "o" if name.startswith("FedIGW") else "s"
        race.scatter(row["rate"], row["regret"], marker=marker, label=name)
    for (name, rate), style in zip(now["floors"].items(), ("--", ":"), strict=True):
        race.axvline(rate, color="0.6", linestyle=style, linewidth=0.8, label=f"floor: {name}")
    race.set(xscale="log", yscale="log", xlabel="agent-steps a processor second", ylabel="regret a step")
    race.set_title("faster is right, better is down")
    race.legend(fontsize=6)
    for name, row in now["growth"].items():
        start = row["sizes"][0], row["seconds"][0]
        sizes = [size / start[0] for size in row["sizes"]]
        taken = [value / start[1] for value in row["seconds"]]
        grown.plot(sizes, taken, marker=".", label=f"{name}: {row['exponent']:.2f}")
    grown.set(xscale="log", yscale="log", xlabel="size, first = 1", ylabel="processor time, first = 1")
    grown.set_title("growth, with its exponent")
    grown.legend(fontsize=6)
    figure.savefig(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, default=HERE.parent / "build" / "bench")
    parser.add_argument("--quick", action="store_true", help="fewer steps of peers, smaller classes")
    parser.add_argument("--keep", action="store_true", help="also write benchmarks/last.json")
    options = parser.parse_args()
    now = measured(options.quick)
    last = json.loads(LAST.read_text()) if LAST.exists() else {}
    options.out.mkdir(parents=True, exist_ok=True)
    text = page(now, last)
    (options.out / "bench.md").write_text(text)
    (options.out / "bench.json").write_text(json.dumps(now, indent=1) + "\n")
    draw(now, options.out / "bench.svg")
    draw(now, options.out / "bench.png")
    if options.keep:
        LAST.write_text(json.dumps(now, indent=1) + "\n")
    print(text)


if __name__ == "__main__":
    main()
