"""sweep: the same instance over values of some keys, policies and protocols: a table and a plot."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from bounds.errors import InputError
from verify.commands.run_ import _integer

EXAMPLE = "python -m verify sweep examples/linear.toml --vary horizon=64,256,1024 --protocol direct,agd"


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


def execute(options: argparse.Namespace) -> int:
    from verify.library.sweeping import sweep

    if options.out is not None and options.out.exists():
        raise InputError("--out", str(options.out), "exists already; nothing is overwritten")
    found = sweep(
        options.instance,
        dict(_axis(word) for word in options.vary),
        policy=_names(options.policy),
        protocol=_names(options.protocol),
        replications=_integer("--replications", options.replications, 1),
        seed=_integer("--seed", options.seed, 0),
    )
    sys.stdout.write(str(found) + "\n")
    for reason in dict.fromkeys(str(row["missing"]) for row in found.rows if row["missing"]):
        sys.stdout.write(f"no bound: {reason}\n")
    if options.out is not None:
        try:
            options.out.mkdir(parents=True)
            (options.out / "sweep.csv").write_text(found.csv(), encoding="utf-8")
            (options.out / "sweep.tex").write_text(found.latex(), encoding="utf-8")
            for suffix in ("svg", "png", "pdf"):
                found.plot(str(options.out / f"sweep.{suffix}"))
        except OSError as error:
            raise InputError("--out", str(options.out), f"cannot be written: {error.strerror}") from None
        sys.stdout.write(f"written: {options.out}/sweep.csv, .tex, .svg, .png, .pdf\n")
    return 0


def _axis(word: str) -> tuple[str, list[Any]]:
    key, equals, values = word.partition("=")
    if not equals or not key or not values:
        raise InputError("--vary", word, "must be KEY=V1,V2,...")
    return key, [_value(v) for v in values.split(",")]


def _value(text: str) -> Any:
    """A number where it is one, so that a plot can put it on an axis."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _names(text: str) -> list[str]:
    return [name for name in text.split(",") if name]
