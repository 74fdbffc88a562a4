"""simulate: replications of a run, beside the bounds on its regret, calls, rounds and numbers that apply to it."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path

from bounds.errors import InputError
from verify.answers.simulation import MOST_REPLICATIONS, any_violation
from verify.answers.simulation_text import text
from verify.commands.run_ import _integer
from verify.instances import read_with

EXAMPLE = "python -m verify simulate examples/federation.toml --replications 200"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("instance", metavar="INSTANCE.toml", type=Path)
    parser.add_argument("--protocol", help="FL protocol, e.g. exact_minimiser, direct, agd, cg")
    parser.add_argument("--policy", help="e.g. igw")
    parser.add_argument("--system", help="another system than FedIGW, e.g. fedlinucb, dislinucb, delb")
    parser.add_argument(
        "--set",
        nargs="+",
        default=[],
        metavar="KEY=VALUE",
        dest="settings",
        action="extend",
        help="a key of the file, dots inside tables (link.participants=5), or a field of the protocol or the system",
    )
    parser.add_argument("--replications", default="100", help="independent runs")
    parser.add_argument("--seed", default="0", help="a non-negative integer")
    parser.add_argument("--out", type=Path, help="also save the record of all replications to this new file")
    parser.add_argument(
        "--plot", type=Path, help="also draw regret by epoch to this new file, .svg, .png or .pdf"
    )
    parser.add_argument("--json", action="store_true", help="machine-readable")


def execute(options: argparse.Namespace) -> int:
    from fedigw.record import save
    from verify.answers.runs import simulated

    replications = _integer("--replications", options.replications, 1)
    if replications > MOST_REPLICATIONS:
        raise InputError("--replications", options.replications, f"must be at most {MOST_REPLICATIONS}")
    if options.out is not None and options.out.exists():
        raise InputError("--out", str(options.out), "exists already; records are never overwritten")
    if options.plot is not None:
        _refuse_plot(options.plot)
    settings = options.settings
    table = read_with(options.instance, options.protocol, options.policy, settings, system=options.system)
    found = simulated(table, replications, _integer("--seed", options.seed, 0))
    document = found.document
    if options.out is not None:
        try:
            save(found.record, options.out)
        except OSError as error:
            raise InputError("--out", str(options.out), f"cannot be written: {error.strerror}") from None
    if options.plot is not None:
        from verify.commands.simulation_plot import draw

        try:
            draw(found.federation, found.record, options.plot)
        except OSError as error:
            raise InputError("--plot", str(options.plot), f"cannot be written: {error.strerror}") from None
    sys.stdout.write(json.dumps(document, indent=1) + "\n" if options.json else text(document))
    return 1 if any_violation(document) else 0


def _refuse_plot(path: Path) -> None:
    """Before the runs: what cannot be drawn, or stands there already."""
    if os.path.lexists(path):
        raise InputError("--plot", str(path), "exists already; nothing is overwritten")
    if path.suffix not in (".svg", ".png", ".pdf"):
        raise InputError("--plot", str(path), "must end in .svg, .png or .pdf")
