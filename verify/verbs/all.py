"""all: check every claim, write the report, and print on one screen what was found."""

import argparse
from pathlib import Path

from verify.catalogue import catalogue
from verify.verbs.run import add_options, run_labels

__all__: list[str] = []
EXAMPLE = "python -m verify all --out build/verify"
DEFAULT_OUT = Path("build/verify")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_options(parser)
    parser.add_argument("--details", action="store_true", help="print every verdict with its evidence")


def execute(given: argparse.Namespace) -> int:
    if given.out is None:
        given.out = DEFAULT_OUT
    return run_labels(list(catalogue()), given, brief=not given.details)
