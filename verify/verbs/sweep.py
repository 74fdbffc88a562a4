"""sweep: the same instance over values of some keys, policies, protocols: a table and a plot."""

from __future__ import annotations

import argparse
import csv
import io
import itertools
import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bounds.errors import InputError
from fedigw.progress import turns
from verify import options, showing
from verify.instances import Instance, dotted, place, read_with
from verify.verbs.simulate import Simulation, of_table

__all__ = ["Sweep", "sweep"]
EXAMPLE = "python -m verify sweep examples/linear.toml --vary horizon=64,256,1024 --protocol direct,agd"
PYTHON = """
table = sweep("examples/linear.toml", {"horizon": [64, 256]}, protocol=["direct", "cg"], replications=5)
assert len(table.rows) == 4"""
MOST_RUNS = 1000
MEASURED = ("regret", "standard_error", "bound", "vacuous", "verdict", "by", "numbers", "bits")


@dataclass(frozen=True, eq=False)
class Sweep:
    """A sweep. rows: one per combination, with its keys and what was measured. over: the keys that were varied."""

    over: tuple[str, ...]
    rows: tuple[Mapping[str, Any], ...]

    @property
    def columns(self) -> tuple[str, ...]:
        return (*self.over, *MEASURED)

    def __str__(self) -> str:
        return showing.text_grid(self.columns, self.rows).rstrip()

    def _repr_html_(self) -> str:
        return showing.html_grid(self.columns, self.rows)

    def csv(self) -> str:
        text = io.StringIO()
        writer = csv.DictWriter(text, self.columns, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(self.rows)
        return text.getvalue()

    def latex(self) -> str:
        """A table for a paper."""
        rows = [self.columns, *([showing.shown(row.get(name)) for name in self.columns] for row in self.rows)]
        body = " \\\\\n".join(" & ".join(row).replace("_", r"\_") for row in rows)
        return f"\\begin{{tabular}}{{{'l' * len(self.columns)}}}\n{body} \\\\\n\\end{{tabular}}\n"

    def plot(self, path: str | None = None) -> Any:
        """Regret against the first varied number, a curve for every other combination; saved if a path is given."""
        from matplotlib.figure import Figure

        figure = Figure(figsize=(7, 4.2), layout="constrained")
        axes = figure.subplots()
        first = self.over[0]
        numeric = all(isinstance(row[first], (int, float)) for row in self.rows)
        groups: dict[tuple[Any, ...], list[Mapping[str, Any]]] = {}
        for row in self.rows:
            groups.setdefault(tuple(row[name] for name in self.over[1:]), []).append(row)
        for key, rows in groups.items():
            label = ", ".join(str(v) for v in key) or "measured"
            x = [row[first] if numeric else str(row[first]) for row in rows]
            error = [2.58 * (row["standard_error"] or 0) for row in rows]
            line = axes.errorbar(x, [row["regret"] for row in rows], yerr=error, marker="o", label=label)
            if all(row["bound"] is not None for row in rows):
                color = line.lines[0].get_color()
                axes.plot(x, [row["bound"] for row in rows], "--", color=color, label=f"bound, {label}")
        values = {row[first] for row in self.rows}
        if numeric and len(values) > 1 and min(values) > 0:
            axes.set_xscale("log")
        if all(row["regret"] > 0 for row in self.rows):
            axes.set_yscale("log")
        axes.set_xlabel(first)
        axes.set_ylabel("regret (99 % interval, approximate)")
        figure.legend(loc="outside right upper", fontsize="small")
        if path is not None:
            figure.savefig(path)
        return figure


def sweep(
    instance: Instance,
    vary: Mapping[str, Sequence[Any]],
    *,
    policy: Sequence[str] = (),
    protocol: Sequence[str] = (),
    replications: int = 20,
    seed: int = 0,
) -> Sweep:
    """Simulate an instance for every combination of the values of some keys, policies and protocols."""
    if not isinstance(vary, Mapping):
        raise InputError("vary", repr(vary)[:60], "must be a mapping of keys to lists of values")
    for name, given in [*vary.items(), ("policy", policy), ("protocol", protocol)]:
        if not isinstance(name, str) or isinstance(given, str) or not isinstance(given, Iterable):
            raise InputError(str(name), repr(given)[:60], "must be a list of values")
    axes: dict[str, list[Any]] = {key: list(values) for key, values in vary.items()}
    axes |= {name: list(values) for name, values in (("policy", policy), ("protocol", protocol)) if values}
    if not axes:
        raise InputError("vary", "nothing", "give a key and its values, e.g. horizon=64,256,1024")
    for key, values in axes.items():
        if not values:
            raise InputError(key, "no value", "give at least one")
    count = math.prod(len(values) for values in axes.values())
    if count > MOST_RUNS:
        raise InputError("vary", f"{count} combinations", f"must be at most {MOST_RUNS}")
    rows, source = [], place(instance)
    for chosen in turns(itertools.product(*axes.values()), count, "combinations"):
        point = dict(zip(axes, chosen, strict=True))
        settings = {key: value for key, value in point.items() if key not in ("policy", "protocol")}
        table = read_with(source, point.get("protocol"), point.get("policy"), dotted(settings))
        rows.append(point | _measured(of_table(table, replications, seed)))
    return Sweep(tuple(axes), tuple(rows))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("instance", metavar="INSTANCE.toml", type=Path)
    parser.add_argument(
        "--vary",
        nargs="+",
        default=[],
        action="extend",
        metavar="KEY=V1,V2,...",
        help="a key of the file, dots inside",
    )
    parser.add_argument("--policy", default="", metavar="A,B", help="policies to compare")
    parser.add_argument("--protocol", default="", metavar="A,B", help="protocols to compare")
    parser.add_argument("--replications", default="20", help="independent runs of each (default 20)")
    parser.add_argument("--seed", default="0", help="a non-negative integer (default 0)")
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="new folder for sweep.csv, .tex, .svg, .png, .pdf"
    )


def execute(given: argparse.Namespace) -> int:
    options.refuse_existing("--out", given.out)
    found = sweep(
        given.instance,
        dict(_axis(word) for word in given.vary),
        policy=_names(given.policy),
        protocol=_names(given.protocol),
        replications=options.integer("--replications", given.replications, 1),
        seed=options.integer("--seed", given.seed, 0),
    )
    sys.stdout.write(str(found) + "\n")
    for reason in dict.fromkeys(str(row["missing"]) for row in found.rows if row["missing"]):
        sys.stdout.write(f"no bound: {reason}\n")
    if given.out is not None:
        with options.writing("--out", given.out):
            given.out.mkdir(parents=True)
            (given.out / "sweep.csv").write_text(found.csv(), encoding="utf-8")
            (given.out / "sweep.tex").write_text(found.latex(), encoding="utf-8")
            for suffix in ("svg", "png", "pdf"):
                found.plot(str(given.out / f"sweep.{suffix}"))
        sys.stdout.write(f"written: {given.out}/sweep.csv, .tex, .svg, .png, .pdf\n")
    return 0


def _axis(word: str) -> tuple[str, list[Any]]:
    key, equals, values = word.partition("=")
    if not equals or not key or not values:
        raise InputError("--vary", word, "must be KEY=V1,V2,...")
    return key, [options.value(text) for text in values.split(",")]


def _names(text: str) -> list[str]:
    return [name for name in text.split(",") if name]


def _measured(found: Simulation) -> dict[str, Any]:
    traffic = found.traffic
    return {
        "regret": found.mean,
        "standard_error": found.standard_error,
        "bound": found.bound,
        "vacuous": found.vacuous,
        "verdict": found.verdict,
        "by": found.by,
        "numbers": traffic["numbers_up"] + traffic["numbers_down"],
        "bits": traffic["bits_up"] + traffic["bits_down"],
        "missing": "; ".join(found.missing),
    }
