"""exact: the exact law of a tiny run with a finite class or linear rewards."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from verify.answers.exact import document_of, text
from verify.instances import read_with

EXAMPLE = "python -m verify exact examples/erratum_E6.toml"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("instance", metavar="INSTANCE.toml", type=Path)
    parser.add_argument("--json", action="store_true", help="machine-readable")


def execute(options: argparse.Namespace) -> int:
    document = document_of(read_with(options.instance, None, None, ()))
    sys.stdout.write(json.dumps(document, indent=1) + "\n" if options.json else text(document))
    return 0
