"""all: check every claim, write the report, and print on one screen what was found."""

import argparse
from pathlib import Path

from bounds.errors import InputError
from verify import options, recorded
from verify.campaign.results import read
from verify.catalogue import catalogue
from verify.formal import proof_files
from verify.paper import NAME, OUTSIDE
from verify.verbs.run import add_options, run_labels, settings_of

__all__: list[str] = []
EXAMPLE = "python -m verify all --out build/verify"
DEFAULT_OUT = Path("build/verify")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_options(parser)
    parser.add_argument("--details", action="store_true", help="print every verdict with its evidence")
    about = "write the verdicts to the folder of --paper, for list, show, bound and cite"
    parser.add_argument("--record", action="store_true", help=about)


def execute(given: argparse.Namespace) -> int:
    if given.out is None:
        given.out = DEFAULT_OUT
    if given.record and not OUTSIDE:
        raise InputError("--record", None, f"is for papers outside the packages; {NAME} has a record")
    claims = catalogue()
    code = run_labels(list(claims), given, settings_of(given), brief=not given.details)
    if given.record:
        document = read(given.out)
        with options.writing("--record", recorded.PLACE):
            proof_files.record(document)
            recorded.PLACE.write_text(recorded.text(document, claims), encoding="utf-8")
    return code
