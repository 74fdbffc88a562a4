"""fit: one FL call on given data, its gap by round, traffic, and guarantee beside measurement."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from bounds.errors import InputError
from verify.answers.fit import fitted, text
from verify.commands.run_ import _integer

EXAMPLE = "python -m verify fit examples/dataset.toml --protocol fedavg --set rounds=200 step_size=0.02"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("data", metavar="DATA.toml", type=Path)
    parser.add_argument("--protocol", help="FL protocol, e.g. direct, agd, fedavg, scaffold, fedprox")
    parser.add_argument(
        "--set",
        nargs="+",
        default=[],
        metavar="KEY=VALUE",
        dest="settings",
        action="extend",
        help="a field of the protocol (rounds=100 local_steps=5 step_size=0.1), or a key of the file",
    )
    parser.add_argument("--seed", default="0", help="a non-negative integer")
    parser.add_argument("--json", action="store_true", help="machine-readable")


def execute(options: argparse.Namespace) -> int:
    from linear.dataset import parse
    from verify.instances import read_with

    table = read_with(options.data, options.protocol, None, options.settings, "direct")
    kind = table.get("kind", "dataset")
    if kind != "dataset":
        raise InputError("kind", kind, 'must be "dataset"; instances are for simulate and exact')
    document = fitted(parse(table), _integer("--seed", options.seed, 0))
    sys.stdout.write(json.dumps(document, indent=1) + "\n" if options.json else text(document))
    return 1 if document["guarantee"]["violated"] else 0
