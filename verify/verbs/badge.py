"""badge: draw the verdict on a claim as a small SVG picture, for a README or a page, and print it."""

import argparse
import sys

from verify.report import citation

__all__: list[str] = []
EXAMPLE = "python -m verify badge CLAIM --variant best"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("claim", metavar="CLAIM", help="a label, a number in print, or an id that was cited")
    parser.add_argument(
        "--variant", help="by default the strongest form: best, sharpened, repaired or printed"
    )


def execute(given: argparse.Namespace) -> int:
    document = citation.cited(given.claim, given.variant)
    if said := citation.changes(document, given.claim):
        sys.stderr.write(said)
        return 1
    sys.stdout.write(citation.badge(document))
    return 0
