"""run: run the checks of some claims and print the verdicts."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bounds.errors import InputError, choose
from fedigw import outside
from fedigw.discovery import CatalogueError
from verify import options, own_claims, showing
from verify.campaign.judgement import judge
from verify.campaign.outcome import Outcome
from verify.campaign.processes import in_processes
from verify.campaign.progress import Progress
from verify.campaign.records import held
from verify.campaign.results import read, results, witness
from verify.campaign.units import PROFILES, Engine, Settings, run_campaign
from verify.catalogue import find
from verify.claim import Evidence
from verify.paper import OUTSIDE
from verify.report.brief import screen
from verify.report.table import print_table
from verify.verdict import shown

__all__ = ["Verdicts", "run"]
EXAMPLE = "python -m verify run CLAIM my_claim.py --out build/mine"
ENGINES = ("local", "dask")


@dataclass(frozen=True)
class Verdicts:
    """The verdicts on the claims that were checked.

    * verdicts: (claim, variant) -> `verdict`, `by` and details; met: whether all are as expected; problems: sentences
      about those that are not
    * witnesses: label of an erratum or remark -> lines of a calculation; evidence: (claim, check) -> what the check
      found
    """

    verdicts: Mapping[tuple[str, str], Mapping[str, Any]]
    met: bool
    problems: tuple[str, ...]
    witnesses: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    evidence: Mapping[tuple[str, str], Evidence] = field(default_factory=dict)

    def _rows(self) -> list[dict[str, Any]]:
        return [{"claim": c, "variant": v, "verdict": shown(row)} for (c, v), row in self.verdicts.items()]

    def __str__(self) -> str:
        table = showing.text_grid(("claim", "variant", "verdict"), self._rows()).rstrip()
        return "\n".join([table, *self.problems, *_witness_lines(self.witnesses)])

    def _repr_html_(self) -> str:
        found = "\n".join([*self.problems, *_witness_lines(self.witnesses)])
        table = showing.html_grid(("claim", "variant", "verdict"), self._rows())
        return table + (showing.html_text(found) if found else "")

    def plot(self, path: str | None = None, name: str | None = None) -> Any:
        """Draw one plot of the claims, the first or the one called `name`; save the picture if a path is given."""
        from verify.report.plots import drawings, figure_of

        labels = dict.fromkeys(label for label, _ in self.evidence)
        there = {drawing[1]: drawing for drawing in drawings([find(x) for x in labels], self.evidence)}
        if not there:
            raise InputError("plot", None, "these claims have no picture")
        return figure_of(*there[choose("name", name or next(iter(there)), there)], path)


def run(*claims: str, profile: str = "quick", seed: int = 0) -> Verdicts:
    """Run the checks of claims one after the other in this process. Each claim is a label, a number in print, or a file
    of your own. profile: "quick" or "full"; "full" computes more."""
    choose("profile", profile, PROFILES)
    for name in claims:
        if not isinstance(name, str):
            raise InputError("claims", repr(name), "must be labels, numbers in print, or files")
    if not isinstance(seed, int) or isinstance(seed, bool) or seed < 0:
        raise InputError("seed", repr(seed), "must be a non-negative integer")
    if not claims:
        raise InputError("claims", None, "give at least one label, number in print, or file")
    files = tuple(name for name in claims if outside.is_file(name))
    if files:
        outside.allow()
    labels = list(dict.fromkeys(find(name).label for name in claims))
    judgements = judge(run_campaign(labels, Settings(profile, seed, files=files), None))
    return Verdicts(
        {(j.claim, j.variant): j.fields for j in judgements},
        all(j.met for j in judgements),
        tuple(f"{j.claim} {j.variant}: {problem}" for j in judgements for problem in j.problems),
        _witnesses(labels),
        {(o.claim, o.check): o.evidence for j in judgements for o in j.outcomes},
    )


def _witnesses(labels: list[str]) -> dict[str, tuple[str, ...]]:
    return {label: lines for label in labels if (lines := witness(find(label)))}


def _witness_lines(witnesses: Mapping[str, tuple[str, ...]]) -> list[str]:
    return [line for label, lines in witnesses.items() for line in ("", f"{label}:", *lines)]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "claims", metavar="CLAIM", nargs="+", help="a label, a number in print, or a file of your own"
    )
    add_options(parser)


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--profile", default="quick", help="quick or full")
    parser.add_argument("--seed", default="0", help="a non-negative integer")
    parser.add_argument("--jobs", default="2", help="processes")
    parser.add_argument("--out", type=Path, help="folder for report.html, results.json, records, plots")
    parser.add_argument("--resume", action="store_true", help="keep what a run in --out has finished")
    parser.add_argument("--engine", default="local", help="local processes, or a dask cluster")
    parser.add_argument("--scheduler", metavar="ADDR", help="of a running dask cluster, e.g. tcp://host:8786")


def execute(given: argparse.Namespace) -> int:
    names = list(dict.fromkeys(given.claims))
    files = tuple(name for name in names if outside.is_file(name))
    settings = settings_of(given, files)  # before a file is asked, which takes a process
    theirs = {name: own_claims.asked(name).label for name in files}
    refusals = [own.refused for label in theirs.values() if (own := own_claims.own(label)) and own.refused]
    if refusals and len(refusals) == len(names):  # else the campaign goes on and reports them
        raise CatalogueError(refusals[0])
    labels = [theirs.get(name) or find(name).label for name in names]
    code = run_labels(labels, given, settings)
    sys.stdout.writelines(f"{line}\n" for line in _witness_lines(_witnesses(labels)))
    return code


def settings_of(given: argparse.Namespace, files: tuple[str, ...] = ()) -> Settings:
    """Return the settings of a campaign of checks for the command-line options in `given`. Raise InputError if options
    contradict each other."""
    if (files or OUTSIDE) and given.engine != "local":
        raise InputError("--engine", given.engine, "users' files run in local processes")
    choose("--engine", given.engine, ENGINES)
    if given.scheduler is not None and given.engine != "dask":
        raise InputError("--scheduler", given.scheduler, "only with --engine dask")
    if given.resume and given.out is None:
        raise InputError("--resume", None, "give the folder of the campaign to resume: --out DIR")
    return Settings(
        choose("--profile", given.profile, PROFILES),
        options.integer("--seed", given.seed, 0),
        options.integer("--jobs", given.jobs, 1),
        tuple(own_claims.files()) if OUTSIDE else files,
    )


def run_labels(labels: list[str], given: argparse.Namespace, settings: Settings, brief: bool = False) -> int:
    """Run the checks of the claims with these labels and print the verdicts. Return the exit status, 0 if all are as
    expected. given: the command-line options; with --out, results and report are written. brief: whether to print only
    one screen."""
    with contextlib.ExitStack() as until_published:
        with contextlib.ExitStack() as until_done, Progress(sys.stderr) as progress:
            engine: Engine = in_processes
            if given.engine == "dask":
                from verify.campaign.cluster import Cluster

                engine = until_done.enter_context(Cluster(given.scheduler, settings.jobs))
            if given.out is not None:
                until_published.enter_context(held(given.out, progress.warn))
            more = (given.resume, progress, engine, progress.warn)
            outcomes = run_campaign(labels, settings, given.out, *more)
        judgements = judge(outcomes)
        if given.out is not None:
            report = write_all(given.out, outcomes, settings, progress.seconds)
    if brief and given.out is not None:
        sys.stdout.writelines(f"{line}\n" for line in screen(read(given.out), str(given.out)))
    else:
        print_table(results(outcomes, judgements, settings), sys.stdout)
        sys.stdout.write(f"report: {report}\n" if given.out is not None else "")
    return 0 if all(j.met for j in judgements) else 1


def write_all(folder: Path, outcomes: list[Outcome], settings: Settings, seconds: dict[str, float]) -> Path:
    """Write results.json of a campaign, then the report; return the report's path. seconds: duration of each check."""
    from verify.campaign.results import write, write_timings
    from verify.report.page import publish

    write(folder, results(outcomes, judge(outcomes), settings))
    write_timings(folder, seconds)
    # read from the file, so that `report` writes the same bytes
    return publish(folder, read(folder), settings.jobs)
