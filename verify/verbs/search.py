"""search: search for instances on which a measured value is closer to its bound than on any recorded instance."""

import argparse
import sys
from pathlib import Path

from bounds.errors import InputError
from verify import options
from verify.catalogue import catalogue, find, label_of

__all__: list[str] = []
EXAMPLE = "python -m verify search CLAIM --budget 200"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("claims", metavar="CLAIM", nargs="*", help="claims with a search, or `all` of them")
    parser.add_argument("--budget", default="2000", help="evaluations of each search")
    parser.add_argument("--seed", default="0", help="a non-negative integer")
    parser.add_argument("--out", type=Path, metavar="DIR", help="write the instances found to this folder")


def execute(given: argparse.Namespace) -> int:
    from verify.experiments.search import improve, keep, kept_files, relative

    budget, seed = options.integer("--budget", given.budget, 1), options.integer("--seed", given.seed, 0)
    able = {label: claim for label, claim in catalogue().items() if claim.searches}
    if not given.claims:
        raise InputError("claims", None, "name some, or `all`, which takes minutes: " + ", ".join(able))
    for name in given.claims:
        if given.claims != ["all"] and label_of(name) not in able:
            raise InputError("claim", name, f"has no search; these have: {', '.join(able) or 'none'}")
    claims = list(able.values()) if given.claims == ["all"] else [find(label) for label in given.claims]
    if given.out is not None:
        options.make_folder("--out", given.out)  # a search may take minutes
    nothing = True
    for label, search in [(claim.label, search) for claim in claims for search in claim.searches]:
        number = len(kept_files(label, search.variant))
        for found in improve(label, search, seed, budget, _tick):
            nothing, number = False, number + 1
            sys.stdout.write(f"{label} {search.variant}: measured/bound = {found.ratio:.6f}\n")
            if given.out is not None:
                with options.writing("--out", given.out):
                    path = keep(label, search.variant, found, given.out, number)
                sys.stdout.write(f"  {relative(path)}\n")
    if nothing:
        sys.stdout.write("no instance beats the record\n")
    elif given.out is None:
        sys.stdout.write("nothing is written; --out DIR writes these instances\n")
    return 0


def _tick(line: str) -> None:
    sys.stderr.write(line + "\n")
