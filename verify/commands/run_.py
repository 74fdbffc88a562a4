"""run: check some claims."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from bounds.errors import InputError, choose
from verify.campaign import PROFILES, Outcome, Settings, claims_of, run_campaign
from verify.catalogue import find
from verify.judgement import judge
from verify.plots import draw_all
from verify.report import write_report
from verify.results import results, write
from verify.table import print_table


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("claims", metavar="CLAIM", nargs="+", help="e.g. thm:global_regret erratum:E6")
    add_options(parser)


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--profile", default="quick", help="quick or full")
    parser.add_argument("--seed", default="0", help="a non-negative integer")
    parser.add_argument("--jobs", default="2", help="processes")
    parser.add_argument("--out", type=Path, help="folder for report.html, results.json, records, plots")
    parser.add_argument(
        "--resume", action="store_true", help="keep what an earlier run in --out has finished"
    )


def execute(options: argparse.Namespace) -> int:
    return run_labels([find(label).label for label in dict.fromkeys(options.claims)], options)


def run_labels(labels: list[str], options: argparse.Namespace) -> int:
    """Run, judge, print, and with --out write everything down."""
    settings = Settings(
        choose("--profile", options.profile, PROFILES),
        _integer("--seed", options.seed, 0),
        _integer("--jobs", options.jobs, 1),
    )
    if options.resume and options.out is None:
        raise InputError("--resume", "without --out", "give the folder of the campaign to resume")
    outcomes = run_campaign(labels, settings, options.out, options.resume, _progress)
    judgements = judge(outcomes)
    print_table(judgements, sys.stdout)
    if options.out is not None:
        document = results(outcomes, judgements, settings)
        write(options.out, document)
        draw_all(claims_of(outcomes), outcomes, options.out)
        report = write_report(options.out, document)
        sys.stdout.write(f"report: {report}\n")
    return 0 if all(j.met for j in judgements) else 1


def _integer(field: str, text: str, least: int) -> int:
    if not text.isascii() or not text.isdigit() or int(text) < least or len(text) > 18:
        raise InputError(field, text, f"must be an integer of at least {least}")
    return int(text)


def _progress(done: int, total: int, outcome: Outcome) -> None:
    sys.stderr.write(f"{done}/{total} {outcome.claim} {outcome.check}: {outcome.evidence.kind}\n")
