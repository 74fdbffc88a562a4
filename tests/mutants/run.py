"""python tests/mutants/run.py [--only WORDS] [--jobs N] [--out FILE]: put every listed fault into the program and
count which tests notice.

Each fault is put into a copy of the checkout in a temporary folder, and the tests that could notice it are run there,
nearest first, until one fails. The same copy without a fault must pass the tests that failed, else they would say
nothing. --at-once N --seed S draws N faults, puts them all into one copy and runs the quick campaign there instead of
tests: the campaign must not end with 0. --at-once 0 is its control, a copy without a fault, whose campaign must end
with 0. Exit status: 0 if at least 95 % of the faults are noticed, 1 if fewer are, 2 if a fault cannot be put in or
the untouched copy fails.
"""

import argparse
import contextlib
import importlib.util
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from queue import SimpleQueue

from seeded_faults import CHECKOUT, Fault, FaultError, load, who_could_notice

sys.path.insert(0, str(CHECKOUT / "tests"))
from forked import Forks

WANTED = 0.95
SECONDS = 1800  # of CPU for one set of tests; a set that does not end has noticed nothing
LIBRARIES = (
    "import numpy, pytest, scipy.optimize, scipy.stats, sympy\n"  # imported once for all sets of tests
)
PYTEST = f"""
import resource, sys, pytest
resource.setrlimit(resource.RLIMIT_CPU, ({SECONDS}, {SECONDS}))
sys.exit(pytest.main(sys.argv[1:]))
"""
LEFT_OUT = (".git", ".venv", "build", ".hypothesis", ".pytest_cache", ".mypy_cache", ".ruff_cache")


@dataclass(frozen=True)
class Finding:
    """A fault and the test that noticed it (`by`), None if it survived."""

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
        with contextlib.ExitStack() as copies:
            free: SimpleQueue[Copy] = SimpleQueue()
            for _ in range(chosen.jobs):
                free.put(copies.enter_context(Copy()))
            with ThreadPoolExecutor(chosen.jobs) as pool:
                findings = list(pool.map(partial(_told, free), faults))
            check_untouched(free.get(), findings)
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
        call = [sys.executable, "-m", "verify", *words]
        known = os.environ | {"PYTHONPATH": str(copy)}
        done = subprocess.run(call, cwd=copy, capture_output=True, text=True, check=False, env=known)
    said = (done.stdout or done.stderr).splitlines()[-8:]
    sys.stdout.write(
        "\n".join([*said, f"{len(drawn)} faults at once: the campaign ends with {done.returncode}", ""])
    )
    return 0 if bool(done.returncode) == bool(drawn) else 1


class Copy:
    """A copy of the checkout, and a process in it that has imported the libraries and runs tests in forks."""

    def __init__(self) -> None:
        self._stack = contextlib.ExitStack()
        self.folder = copied(Path(self._stack.enter_context(tempfile.TemporaryDirectory())))
        self._run = self._stack.enter_context(Forks(self.folder, LIBRARIES))

    def __enter__(self) -> "Copy":
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    @contextlib.contextmanager
    def having(self, fault: Fault) -> Iterator[None]:
        """Put the fault into the copy, and take it out at the end of the `with` block."""
        before = (self.folder / fault.file).read_text(encoding="utf-8")
        put(fault, self.folder)
        try:
            yield
        finally:
            write(self.folder / fault.file, before)

    def first_failure(self, paths: Sequence[str]) -> str | None:
        """Return the first test of `paths` (files, folders or tests by name) that fails in the copy; None if all
        pass."""
        options = ("-x", "-q", "-m", "not long", "-p", "no:cacheprovider", "--hypothesis-seed=0", "--tb=line")
        done = self._run(*options, *paths, program=PYTEST, folder=self.folder)
        if done.returncode < 0:
            sys.stderr.write(f"no end after {SECONDS} s: {' '.join(paths)}\n")
        if done.returncode <= 0:
            return None
        named = re.search(
            r"^(?:FAILED|ERROR) ([^\s\[]+)", done.stdout, re.MULTILINE
        )  # without its parameters
        if named is None:
            raise FaultError(f"pytest ended with {done.returncode}: {(done.stdout + done.stderr)[-500:]}")
        return named[1]


def check_untouched(copy: Copy, findings: Sequence[Finding]) -> None:
    """Run the negative control: every test that noticed a fault must pass where there is none."""
    named = sorted({f.by for f in findings if f.by is not None})
    failed = copy.first_failure(named) if named else None
    if failed is not None:
        raise FaultError(f"the checkout without any fault fails {failed}")


def _told(free: "SimpleQueue[Copy]", fault: Fault) -> Finding:
    copy = free.get()
    found = seeded(copy, fault)
    free.put(copy)
    sys.stdout.write(f"{'killed  ' if found.by else 'SURVIVED'}  {fault.name}\n")
    sys.stdout.flush()
    return found


def seeded(copy: Copy, fault: Fault) -> Finding:
    """Put the fault into a copy, run the tests, nearest first, and return which one noticed it."""
    tests = who_could_notice(fault.file)
    with copy.having(fault):
        for paths in (tests.nearest, tests.wider):
            by = copy.first_failure(paths) if paths else None
            if by is not None:
                return Finding(fault, by)
    return Finding(fault, None)


def put(fault: Fault, copy: Path) -> None:
    """Put the fault into a copy of the checkout."""
    write(copy / fault.file, fault.applied((copy / fault.file).read_text(encoding="utf-8")))


def write(target: Path, text: str) -> None:
    target.write_text(text, encoding="utf-8")
    # compiled files are distinguished by second and size: the old one might pass for the new
    Path(importlib.util.cache_from_source(str(target))).unlink(missing_ok=True)


def copied(folder: Path) -> Path:
    copy = folder / "checkout"
    shutil.copytree(CHECKOUT, copy, ignore=shutil.ignore_patterns(*LEFT_OUT), symlinks=True)
    return copy


def report(findings: Sequence[Finding]) -> str:
    """Return the report in Markdown: the count, the survivors, then every fault with the test that noticed it."""
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
