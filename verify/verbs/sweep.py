"""sweep: simulate a federation for several values of some keys, policies and protocols; print a table, draw a plot."""

from __future__ import annotations

import argparse
import csv
import io
import itertools
import math
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bounds.errors import InputError
from fedigw.progress import turns
from verify import options, showing
from verify import pictures as p
from verify.instances import Instance, dotted, place, read_with
from verify.pictures import finish, limit, stays_below
from verify.verbs.simulate import Simulation, of_table
from verify.verdict import shown

__all__ = ["Sweep", "sweep"]
EXAMPLE = "python -m verify sweep examples/linear.toml --vary horizon=64,256,1024 --protocol direct,agd"
PYTHON = """
table = sweep("examples/linear.toml", {"horizon": [64, 256]}, protocol=["direct", "cg"], replications=5)
assert len(table.rows) == 4"""
MOST_RUNS = 1000
FEW = 3  # combinations whose bounds have names of their own; of more, the colour says whose it is
COLUMNS = ("regret", "standard_error", "bound", "vacuous", "verdict", "by", "numbers", "bits")


@dataclass(frozen=True, eq=False)
class Sweep:
    """The results of a sweep. over: the keys of the instance file that were varied. rows: a row for each combination of
    their values, with these values and the measurements."""

    over: tuple[str, ...]
    rows: tuple[Mapping[str, Any], ...]

    @property
    def columns(self) -> tuple[str, ...]:
        return (*self.over, *COLUMNS)

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
        rows = [self.columns, *([showing.shown(row.get(name)) for name in self.columns] for row in self.rows)]
        body = " \\\\\n".join(" & ".join(row).replace("_", r"\_") for row in rows)
        return f"\\begin{{tabular}}{{{'l' * len(self.columns)}}}\n{body} \\\\\n\\end{{tabular}}\n"

    def plot(self, path: str | None = None) -> Any:
        """Draw regret and numbers sent against the first varied key, with their bounds. If only this key varies, the
        bounds in all variants are drawn, else only the smallest. Save the picture if a path is given."""
        figure, (above, below) = p.picture(2)
        first = self.over[0]
        numeric = all(isinstance(row[first], (int, float)) for row in self.rows)
        groups: dict[str, list[Mapping[str, Any]]] = {}
        varied = [name for name in self.over[1:] if len({str(row[name]) for row in self.rows}) > 1]
        for row in self.rows:
            named = (re.sub(r".*/|.*\.py:|\.py$", "", str(row[name])) for name in varied)
            groups.setdefault(", ".join(named), []).append(row)
        colour_of = p.colours(p.PROTOCOL_COLOUR | {"": p.BOUND_COLOUR["sharpened"]}, groups)
        for name, rows in groups.items():
            x: list[Any] = [row[first] if numeric else str(row[first]) for row in rows]
            _regret(above, x, rows, name, colour_of[name], len(groups))
            _numbers(below, x, rows, name, colour_of[name], len(groups))
        values = {row[first] for row in self.rows}
        for axes, column in ((above, "regret"), (below, "numbers")):
            if numeric and len(values) > 1 and min(values) > 0:
                axes.set_xscale("log")
            if all(row[column] > 0 for row in self.rows):
                axes.set_yscale("log")
            axes.set_xlabel(first)
        above.set_ylabel("regret (99 % interval, approximate)")
        below.set_ylabel("numbers, up and down")
        bounds = [row for row in self.rows if row["bound"] is not None]
        pairs = [(row["regret"], row["bound"]) for row in bounds if not row["vacuous"]]
        proved = [row for row in self.rows if limit(row["sent_bound"]) == "bound"]
        sent = [(row["numbers"], row["sent_at_most"]) for row in proved]
        none = "All bounds are vacuous" if bounds else "No bound applies"
        its = "its bound" if len(pairs) == len(self.rows) else "non-vacuous bounds"
        finish(above, stays_below("Measured regret", pairs, its) if pairs else none)
        its = "its bound" if len(sent) == len(self.rows) else "its bound, where one is proved"
        finish(below, stays_below("What is sent", sent, its) if sent else "No proved bound on what is sent")
        return p.complete(figure, path)


def _regret(axes: Any, x: list[Any], rows: list[Mapping[str, Any]], name: str, colour: str, of: int) -> None:
    after = f", {name}" if name else ""
    error = [2.58 * (row["standard_error"] or 0) for row in rows]
    variants = list(dict.fromkeys(variant for row in rows for variant in row["variants"])) if of == 1 else []
    look = p.colours(p.BOUND_COLOUR, variants)
    own, lost = look.get(rows[-1]["variant"], colour), [row["regret"] for row in rows]
    joined = not isinstance(x[0], str)
    most, least = (p.BOUND, p.LOWER) if joined else (p.UNJOINED, p.UNJOINED)
    points = p.MEASURED | ({} if joined else {"linestyle": ""})
    axes.errorbar(x, lost, yerr=error, color=own, label=f"measured{after}", **points)
    for variant in variants:
        mine = [row["variants"].get(variant, {"value": math.nan}) for row in rows]
        verdict = next(shown(row) for row in reversed(mine) if "verdict" in row)
        values = [row["value"] for row in mine]
        axes.plot(x, values, color=look[variant], label=f"bound, {variant}: {verdict}", **most)
    if of > 1 and any(row["bound"] is not None for row in rows):
        known = next(shown(row) for row in reversed(rows) if row["bound"] is not None)
        values = [math.nan if row["bound"] is None else row["bound"] for row in rows]
        axes.plot(x, values, color=own, label=f"bound{after}: {known}" if of <= FEW else None, **most)
    if any(row["lower"] is not None for row in rows):
        known = next(shown(row["lower"]) for row in rows if row["lower"] is not None)
        values = [math.nan if row["lower"] is None else row["lower"]["value"] for row in rows]
        axes.plot(x, values, color=own, label=f"lower bound: {known}" if of == 1 else None, **least)


def _numbers(axes: Any, x: list[Any], rows: list[Mapping[str, Any]], name: str, colour: str, of: int) -> None:
    after, sent = (f", {name}" if name else ""), [row["numbers"] for row in rows]
    known = [row["sent_bound"] for row in rows if row["sent_bound"] is not None]
    if known:
        most = [math.nan if row["sent_at_most"] is None else row["sent_at_most"] for row in rows]
        own = f"{limit(known[-1])}{after}: {shown(known[-1])}" if of <= FEW else None
        axes.plot(x, most, color=colour, label=own, **(p.UNJOINED if isinstance(x[0], str) else p.BOUND))
    dots = {"linestyle": "" if isinstance(x[0], str) else ":"}
    axes.plot(x, sent, color=colour, label=f"sent{after}", **p.MEASURED | dots)


def sweep(
    instance: Instance,
    vary: Mapping[str, Sequence[Any]],
    *,
    policy: Sequence[str] = (),
    protocol: Sequence[str] = (),
    replications: int = 20,
    seed: int = 0,
) -> Sweep:
    """Simulate an instance, `replications` times each, for every combination of the values of some keys (`vary`),
    policies and protocols."""
    if not isinstance(vary, Mapping):
        raise InputError("vary", repr(vary)[:60], "must be a mapping of keys to lists of values")
    for name, given in [*vary.items(), ("policy", policy), ("protocol", protocol)]:
        if not isinstance(name, str) or isinstance(given, str) or not isinstance(given, Iterable):
            raise InputError(str(name), repr(given)[:60], "must be a list of values")
    axes: dict[str, list[Any]] = {key: list(values) for key, values in vary.items()}
    axes |= {name: list(values) for name, values in (("policy", policy), ("protocol", protocol)) if values}
    if not axes:
        raise InputError("vary", None, "give a key and its values, e.g. horizon=64,256,1024")
    for key, values in axes.items():
        if not values:
            raise InputError(key, None, "give at least one value")
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
    options.add_words(parser, "--vary", "KEY=V1,V2,...", "a key of the file, dots inside")
    parser.add_argument("--policy", default="", metavar="A,B", help="policies to compare")
    parser.add_argument("--protocol", default="", metavar="A,B", help="protocols to compare")
    parser.add_argument("--replications", default="20", help="independent runs of each (default 20)")
    parser.add_argument("--seed", default="0", help="a non-negative integer (default 0)")
    parser.add_argument("--out", type=Path, metavar="DIR", help="new folder for a table and a picture")


def execute(given: argparse.Namespace) -> int:
    options.refuse_existing("--out", given.out, folder=True)
    found = sweep(
        given.instance,
        _axes(given.vary),
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
    return 0


def _axes(words: list[str]) -> dict[str, list[Any]]:
    axes: dict[str, list[Any]] = {}
    for i, word in enumerate(words):
        if i and "=" not in word:
            raise InputError("--vary", word, f"join the values: {words[i - 1]},{word}")
        key, values = _axis(word)
        if key in axes:
            both = ",".join(str(value) for value in axes[key] + values)
            raise InputError("--vary", key, f"is given twice; write {key}={both}")
        axes[key] = values
    return axes


def _axis(word: str) -> tuple[str, list[Any]]:
    key, equals, values = map(str.strip, word.partition("="))
    if not equals or not key or not values:
        begin = re.match(r"[\w.]*", key)
        said = f"must be KEY=V1,V2,..., e.g. {(begin and begin[0]) or 'horizon'}=64,256"
        raise InputError("--vary", word, said)
    if span := re.fullmatch(r"(\d+)(?:\.\.|:|-)(\d+)", values):
        first, last = int(span[1]), int(span[2])
        raise InputError("--vary", word, f"list the values: {key}={first},{math.isqrt(first * last)},{last}")
    texts = values.split(",")
    if not all(text.strip() for text in texts):
        raise InputError(
            "--vary", word, f"has a comma too many: {key}={','.join(t for t in texts if t.strip())}"
        )
    return key, [options.value(key, text) for text in texts]


def _names(text: str) -> list[str]:
    return [name for name in text.split(",") if name]


def _measured(found: Simulation) -> dict[str, Any]:
    traffic, bounds = found.traffic, found.document["bounds"]
    regret, numbers = bounds["regret"] or {}, bounds["numbers"]
    names = ("standard_error", "bound", "vacuous", "verdict", "by")
    return {name: getattr(found, name) for name in names} | {
        "regret": found.mean,
        "numbers": traffic["numbers_up"] + traffic["numbers_down"],
        "bits": traffic["bits_up"] + traffic["bits_down"],
        "missing": "; ".join(found.missing),
        "variant": regret.get("variant"),
        "variants": {row["variant"]: row for row in regret.get("variants", ())},
        "lower": found.document["lower"],
        "sent_at_most": None if numbers is None else numbers["value"],
        "sent_bound": numbers,
    }
