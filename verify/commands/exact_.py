"""exact: the exact law of a tiny run with a finite class or linear rewards."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from verify.answers.exact import document_of, text
from verify.instances import load

EXAMPLE = "python -m verify exact examples/erratum_E6.toml"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("instance", metavar="INSTANCE.toml", type=Path)
    parser.add_argument("--json", action="store_true", help="machine-readable")


def execute(options: argparse.Namespace) -> int:
    federation = load(options.instance)
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)  # of input the limit is a protection; long fractions of ours are the answer
    try:
        document = document_of(federation)
    finally:
        sys.set_int_max_str_digits(limit)
    sys.stdout.write(json.dumps(document, indent=1) + "\n" if options.json else text(document))
    return 0
