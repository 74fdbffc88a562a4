"""bound: evaluate a claim's bound at given parameters."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from bounds.errors import InputError
from bounds.report import parse_parameter
from verify.answers.bound import QUANTITIES, evaluated, text

EXAMPLE = "python -m verify bound col:finite --variant best --set M=100 K=10 T=1e6 F=1000"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("claim", metavar="CLAIM", help="e.g. col:finite")
    parser.add_argument(
        "--variant", default="repaired", help="printed, repaired (if not given), sharpened, ..."
    )
    parser.add_argument(
        "--set", nargs="+", default=[], metavar="NAME=VALUE", dest="assignments", action="extend"
    )
    parser.add_argument("--quantity", default="regret", help=", ".join(QUANTITIES))
    parser.add_argument("--protocol", help="where it matters, e.g. direct, agd, cg")
    parser.add_argument("--risk", metavar="FORMULA", help="your own excess risk e(n), e.g. 'd/n'")
    parser.add_argument("--optimisation", metavar="FORMULA", help="col:convex_raw: error after R rounds")
    parser.add_argument(
        "--instance",
        metavar="FILE.toml",
        type=Path,
        help="thm:global_regret: schedule, lengths, arms and risks of a file",
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="machine-readable")
    form.add_argument("--latex", action="store_true", help="the closed form alone, for a paper")


def execute(options: argparse.Namespace) -> int:
    given = _assignments(options.assignments)
    if options.instance is not None:
        from verify.answers import instance_bound

        document = instance_bound.evaluated(
            options.claim, options.instance, options.variant, given, options.risk
        )
    else:
        document = evaluated(
            options.claim,
            options.variant,
            given,
            options.quantity,
            options.protocol,
            options.risk,
            options.optimisation,
        )
    if options.json:
        sys.stdout.write(json.dumps(document, indent=1) + "\n")
    elif options.latex:
        sys.stdout.write(document["latex"] + "\n")
    else:
        sys.stdout.write(text(document))
    return 0


def _assignments(words: list[str]) -> dict[str, Any]:
    parameters: dict[str, Any] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise InputError("--set", word, "must be NAME=VALUE")
        if name in parameters:
            raise InputError("--set", word, f"{name} is given twice")
        parameters[name] = parse_parameter(name, value)
    return parameters
