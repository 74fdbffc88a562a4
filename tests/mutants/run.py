"""python tests/mutants/run.py [--only WORDS] [--jobs N] [--out FILE]: seed every fault and count which tests notice.

Each fault is put into a copy of the checkout in a temporary folder, and the tests that could notice it are run there,
nearest first, until one fails. A copy without a fault must pass the tests that failed: else they would say nothing.
--at-once N --seed S draws N faults, puts them all into one copy and runs the quick campaign there, no test: the
campaign itself must not end with 0. --at-once 0 is its control, a copy without a fault, whose campaign must.
Exit status: 0 if at least 95 % are killed, 1 if fewer are, 2 if a fault cannot be seeded or the untouched copy fails.
"""

import argparse
import importlib.util
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from seeded_faults import CHECKOUT, Fault, FaultError, load, who_could_notice

WANTED = 0.95
SECONDS = 1800  # for one set of tests; a set that does not end has noticed nothing
LEFT_OUT = (".git", ".venv", "build", ".hypothesis", ".pytest_cache", ".mypy_cache", ".ruff_cache")


@dataclass(frozen=True)
class Finding:
    """by: the test that noticed; None: it survived."""

    fault: Fault
    by: str | None


def main(words: Sequence[str] | None = None) -> int:
    asked = argparse.ArgumentParser(description="seeded faults: who notices?")
    asked.add_argument("--only", default="", help="faults whose name contains this")
    asked.add_argument("--jobs", type=int, default=2)
    asked.add_argument(
        "--at-once", type=int, default=None, help="so many faults in one copy, for the campaign"
    )
    asked.add_argument("--seed", type=int, default=0, help="which faults --at-once draws")
    asked.add_argument("--out", type=Path, default=CHECKOUT / "build" / "mutants.md")
    chosen = asked.parse_args(words)
    faults = [fault for fault in load() if chosen.only in fault.name]
    if chosen.at_once is not None:
        return at_once(faults, chosen.at_once, chosen.seed, chosen.jobs)
    try:
        for fault in faults:
            fault.applied((CHECKOUT / fault.file).read_text(encoding="utf-8"))
        with ThreadPoolExecutor(chosen.jobs) as pool:
            findings = list(pool.map(_told, faults))
        check_untouched(findings)
    except FaultError as error:
        sys.stderr.write(f"mutants: {error}\n")
        return 2
    text = report(findings)
    chosen.out.parent.mkdir(parents=True, exist_ok=True)
    chosen.out.write_text(text, encoding="utf-8")
    killed = sum(f.by is not None for f in findings)
    for finding in findings:
        if finding.by is None:
            sys.stdout.write(f"survived  {finding.fault.name}\n")
    sys.stdout.write(f"{killed} of {len(findings)} faults killed; {chosen.out}\n")
    return 0 if killed >= WANTED * len(findings) else 1


def at_once(faults: Sequence[Fault], count: int, seed: int, jobs: int) -> int:
    """Put `count` faults, drawn from different files, into one copy and return 0 if its campaign notices, else 1."""
    drawn: dict[str, Fault] = {}
    for fault in random.Random(seed).sample(faults, len(faults)):
        if len(drawn) < count:
            drawn.setdefault(fault.file, fault)
    with tempfile.TemporaryDirectory() as folder:
        copy = copied(Path(folder))
        for fault in drawn.values():
            put(fault, copy)
            sys.stdout.write(f"seeded    {fault.name}\n")
        words = ("all", "--profile", "quick", "--jobs", str(jobs), "--out", str(copy / "build/at_once"))
        done = ran(copy, "verify", *words)
    said = (done.stdout or done.stderr).splitlines()[-8:]
    sys.stdout.write(
        "\n".join([*said, f"{len(drawn)} faults at once: the campaign ends with {done.returncode}", ""])
    )
    return 0 if bool(done.returncode) == bool(drawn) else 1


def check_untouched(findings: Sequence[Finding]) -> None:
    """Negative control: every test that noticed a fault passes where there is none."""
    named = sorted({f.by for f in findings if f.by is not None})
    with tempfile.TemporaryDirectory() as folder:
        failed = first_failure(copied(Path(folder)), named) if named else None
    if failed is not None:
        raise FaultError(f"the checkout without any fault fails {failed}")


def _told(fault: Fault) -> Finding:
    found = seeded(fault)
    sys.stdout.write(f"{'killed  ' if found.by else 'SURVIVED'}  {fault.name}\n")
    sys.stdout.flush()
    return found


def seeded(fault: Fault) -> Finding:
    """Put the fault into a copy and ask the tests, nearest first."""
    with tempfile.TemporaryDirectory() as folder:
        copy = copied(Path(folder))
        put(fault, copy)
        tests = who_could_notice(fault.file)
        for paths in (tests.nearest, tests.wider):
            by = first_failure(copy, paths) if paths else None
            if by is not None:
                return Finding(fault, by)
    return Finding(fault, None)


def put(fault: Fault, copy: Path) -> None:
    """Put the fault into a copy of the checkout."""
    target = copy / fault.file
    target.write_text(fault.applied(target.read_text(encoding="utf-8")), encoding="utf-8")
    # compiled files are distinguished by second and size: the old one might pass for the new
    Path(importlib.util.cache_from_source(str(target))).unlink(missing_ok=True)


def copied(folder: Path) -> Path:
    copy = folder / "checkout"
    shutil.copytree(CHECKOUT, copy, ignore=shutil.ignore_patterns(*LEFT_OUT), symlinks=True)
    return copy


def ran(copy: Path, *words: str, timeout: float | None = None) -> subprocess.CompletedProcess[str]:
    """Run a module of Python in a copy of the checkout, on the copy's own packages."""
    known = os.environ | {"PYTHONPATH": str(copy)}
    call = [sys.executable, "-m", *words]
    return subprocess.run(
        call, cwd=copy, capture_output=True, text=True, timeout=timeout, check=False, env=known
    )


def first_failure(copy: Path, paths: Sequence[str]) -> str | None:
    """The first test of `paths` (files, folders or tests by name) that fails in `copy`; None if all pass."""
    options = ("-x", "-q", "-m", "not long", "-p", "no:cacheprovider", "--hypothesis-seed=0", "--tb=line")
    try:
        done = ran(copy, "pytest", *options, *paths, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        sys.stderr.write(f"no end after {SECONDS} s: {' '.join(paths)}\n")
        return None
    if done.returncode == 0:
        return None
    named = re.search(r"^(?:FAILED|ERROR) ([^\s\[]+)", done.stdout, re.MULTILINE)  # without its parameters
    if named is None:
        raise FaultError(f"pytest ended with {done.returncode}: {(done.stdout + done.stderr)[-500:]}")
    return named[1]


def report(findings: Sequence[Finding]) -> str:
    """Markdown: the count, the survivors, then every fault with the test that noticed it."""
    killed = [f for f in findings if f.by is not None]
    survivors = [f for f in findings if f.by is None]
    lines = [
        "# Seeded faults",
        "",
        f"{len(killed)} of {len(findings)} killed, {len(survivors)} survived.",
        "",
        *(f"* survived: {f.fault.name}" for f in survivors),
        "",
        "| list | file | fault | noticed by |",
        "|---|---|---|---|",
    ]
    for f in findings:
        mark = " (one of the seven)" if f.fault.seven else ""
        lines.append(
            f"| {f.fault.listed} | {f.fault.file} | {_cell(f.fault.what)}{mark} | {f.by or '**nobody**'} |"
        )
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    sys.exit(main())
