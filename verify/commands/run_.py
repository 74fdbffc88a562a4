"""run: check some claims."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path

from bounds.errors import InputError, choose
from fedigw import outside
from verify import guard, own_claims
from verify.campaign.judgement import judge
from verify.campaign.lock import held
from verify.campaign.outcome import Outcome
from verify.campaign.progress import Progress
from verify.campaign.units import PROFILES, Engine, Settings, run_campaign
from verify.catalogue import find
from verify.interruption import how_to_continue
from verify.report.table import print_table

ENGINES = ("local", "dask")
EXAMPLE = "python -m verify run thm:global_regret E6 my_claim.py --out build/mine"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "claims", metavar="CLAIM", nargs="+", help="e.g. thm:global_regret erratum:E6, or a file: my_claim.py"
    )
    add_options(parser)


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--profile", default="quick", help="quick or full")
    parser.add_argument("--seed", default="0", help="a non-negative integer")
    parser.add_argument("--jobs", default="2", help="processes")
    parser.add_argument("--out", type=Path, help="folder for report.html, results.json, records, plots")
    parser.add_argument(
        "--resume", action="store_true", help="keep what an earlier run in --out has finished"
    )
    parser.add_argument("--engine", default="local", help="local processes, or a dask cluster")
    parser.add_argument("--scheduler", metavar="ADDR", help="of a running dask cluster, e.g. tcp://host:8786")


def execute(options: argparse.Namespace) -> int:
    names = list(dict.fromkeys(options.claims))
    files = tuple(name for name in names if outside.is_file(name))
    if files and options.engine != "local":
        raise InputError("--engine", options.engine, "users' files run in local processes")
    # nothing of a user's file is run here: a campaign knows it by its description
    theirs = {}
    for name in files:
        try:
            theirs[name] = own_claims.adopt(name, guard.probe(Path(name))).label
        except guard.Ended as error:
            theirs[name] = own_claims.broken(name, str(error)).label
    return run_labels([theirs.get(name) or find(name).label for name in names], options, files)


def run_labels(labels: list[str], options: argparse.Namespace, files: tuple[str, ...] = ()) -> int:
    """Run, judge, print, and with --out write everything down."""
    settings = Settings(
        choose("--profile", options.profile, PROFILES),
        _integer("--seed", options.seed, 0),
        _integer("--jobs", options.jobs, 1),
        files,
    )
    choose("--engine", options.engine, ENGINES)
    if options.scheduler is not None and options.engine != "dask":
        raise InputError("--scheduler", options.scheduler, "only with --engine dask")
    if options.resume and options.out is None:
        raise InputError("--resume", "without --out", "give the folder of the campaign to resume")
    try:
        return _run(labels, options, settings)
    except OSError as error:
        if options.out is None or isinstance(error, BrokenPipeError):
            raise
        reason = f"cannot be written: {error.strerror or error}; {how_to_continue(sys.argv[1:])}"
        raise InputError("--out", str(options.out), reason) from None


def _run(labels: list[str], options: argparse.Namespace, settings: Settings) -> int:
    with contextlib.ExitStack() as until_published:
        with _engine(options, settings) as engine, Progress(sys.stderr) as progress:
            if options.out is not None:
                until_published.enter_context(held(options.out))
            outcomes = run_campaign(
                labels, settings, options.out, options.resume, progress, engine, progress.warn
            )
        judgements = judge(outcomes)
        if options.out is not None:
            report = write_all(options.out, outcomes, settings, progress.seconds)
    print_table(judgements, sys.stdout)
    if options.out is not None:
        sys.stdout.write(f"report: {report}\n")
    return 0 if all(j.met for j in judgements) else 1


def write_all(folder: Path, outcomes: list[Outcome], settings: Settings, seconds: dict[str, float]) -> Path:
    """results.json first: everything after it can be made again from it."""
    from verify.campaign.results import read, results, write, write_timings
    from verify.report.publish import publish

    write(folder, results(outcomes, judge(outcomes), settings))
    write_timings(folder, seconds)
    return publish(
        folder, read(folder), settings.jobs
    )  # from the file itself, as `report` does: the same bytes


@contextlib.contextmanager
def _engine(options: argparse.Namespace, settings: Settings) -> Iterator[Engine]:
    if options.engine == "dask":
        from verify.campaign.cluster import Cluster

        with Cluster(options.scheduler, settings.jobs) as cluster:
            yield cluster
        return
    from verify.campaign.processes import in_processes

    yield in_processes


def _integer(field: str, text: str, least: int) -> int:
    if not text.isascii() or not text.isdigit() or int(text) < least or len(text) > 18:
        raise InputError(field, text, f"must be an integer of at least {least}, of at most 18 digits")
    return int(text)
