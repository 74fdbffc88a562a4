"""search: look for worse instances than those kept."""

from __future__ import annotations

import argparse
import sys

from bounds.errors import InputError
from verify import options
from verify.catalogue import catalogue, find

__all__: list[str] = []
EXAMPLE = "python -m verify search lem:V_upper"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("claims", metavar="CLAIM", nargs="*", help="default: all claims with a search")
    parser.add_argument("--budget", default="2000", help="evaluations of each search")
    parser.add_argument("--seed", default="0", help="a non-negative integer")


def execute(given: argparse.Namespace) -> int:
    from verify.experiments.search import improve, relative

    budget, seed = options.integer("--budget", given.budget, 1), options.integer("--seed", given.seed, 0)
    claims = [find(label) for label in given.claims] or [c for c in catalogue().values() if c.searches]
    for claim in claims:
        if not claim.searches:
            able = ", ".join(c.label for c in catalogue().values() if c.searches)
            raise InputError("claim", claim.label, f"has no search; these have: {able}")
    added = []
    try:
        for claim in claims:
            for search in claim.searches:
                added += improve(claim.label, search, seed, budget, lambda line: _tell(line))
    except OSError as error:
        raise InputError(
            "verify/experiments/worst", "record", f"cannot be written: {error.strerror}"
        ) from None
    for path in added:
        sys.stdout.write(f"{relative(path)}\n")
    if not added:
        sys.stdout.write("no instance beats the record\n")
    return 0


def _tell(line: str) -> None:
    sys.stderr.write(line + "\n")
