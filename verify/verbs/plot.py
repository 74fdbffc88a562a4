"""plot: draw the plots of claims again, from the saved results of a finished campaign of checks."""

import argparse
import sys
from pathlib import Path

from verify.campaign.derived import bad, refuse_links
from verify.campaign.records import load_outcome, refuse_foreign
from verify.campaign.units import units
from verify.catalogue import catalogue, find
from verify.paper import NAME, command
from verify.report.plots import draw_all
from verify.verbs.all import DEFAULT_OUT

__all__: list[str] = []
EXAMPLE = "python -m verify plot CLAIM --out build/verify"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("claims", metavar="CLAIM", nargs="*", help="default: all claims with plots")
    parser.add_argument("--out", type=Path, default=DEFAULT_OUT, help="folder of a finished campaign")


def execute(given: argparse.Namespace) -> int:
    claims = [find(label) for label in given.claims] or [c for c in catalogue().values() if c.plots]
    known = refuse_foreign(given.out)
    if known is None:
        raise bad(given.out, f"has no records; run `{command('all --out DIR')}` first")
    if (paper := known.get("paper", NAME)) != NAME:
        raise bad(given.out, f"has records of the paper {paper!r:.60}, not {NAME}; add --paper")
    refuse_links(given.out)

    def warn(message: str) -> None:
        sys.stderr.write(f"verify: {message.replace('recomputed', 'left out')}\n")

    found = [load_outcome(given.out, *unit, None, warn) for unit in units(c.label for c in claims)]
    drawn = draw_all(claims, [outcome for outcome in found if outcome is not None], given.out)
    sys.stdout.writelines(f"{path}\n" for path in drawn)
    if not drawn:
        raise bad(given.out, "holds no record that a plot of these claims is drawn from")
    return 0
