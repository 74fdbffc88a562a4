"""all: check every claim, write the report."""

from __future__ import annotations

import argparse
from pathlib import Path

from verify.catalogue import catalogue
from verify.commands.run_ import add_options, run_labels

DEFAULT_OUT = Path("build/verify")
EXAMPLE = "python -m verify all --out build/verify"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_options(parser)


def execute(options: argparse.Namespace) -> int:
    if options.out is None:
        options.out = DEFAULT_OUT
    return run_labels(list(catalogue()), options)
