"""cite: cite a verdict: BibTeX or JSON with an id, or compare an id that was cited with the verdict of today."""

import argparse
import sys

from verify import options
from verify.report.citation import bibtex, cited

__all__: list[str] = []
EXAMPLE = "python -m verify cite CLAIM --variant best"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    about = "a label, a number in print, an id that was cited, or a file of cite --json"
    parser.add_argument("claim", metavar="CLAIM", help=about)
    parser.add_argument(
        "--variant", help="by default the strongest form: best, sharpened, repaired or printed"
    )
    parser.add_argument("--json", action="store_true", help="machine-readable, with a hash of each part")


def execute(given: argparse.Namespace) -> int:
    document = cited(given.claim, given.variant)
    if not document["changed"]:
        options.show(document, bibtex, given.json)
        return 0
    by_id = document["changed"] == ["id"]
    *first, last = document["parts"] if by_id else document["changed"]
    named = f"{', '.join(first)} {'or' if by_id else 'and'} {last}" if first else last
    sys.stderr.write(
        f"verify: {given.claim}: the {named} changed since it was checked; now {document['id']}\n"
    )
    return 1
