"""Kill campaigns again and again, users' claims among their work, and compare the bytes at the end.

    python tests/campaign_faults.py [--seed N] [--cycles N] [--engine local|dask]

A cycle starts (or resumes) a campaign, waits for a moment (start-up, units, the writing of results, the report), and
kills one of its processes with kill -9. If it was the main process, no other process may survive it. Victims are the
main process, a worker, the server that workers are forked from, the child process of a user's check, the process that
reads a user's file; with a cluster the scheduler and one of its workers. The complete results are compared, file by
file, with those of a campaign that nobody disturbed.
"""

import argparse
import collections
import contextlib
import json
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import psutil
from campaign_process import (
    CLAIMS,
    HOME,
    PATIENCE,
    begin,
    ended,
    ending,
    free_port,
    joined,
    scheduler_process,
    tiny_checkout,
    wait_for,
    worker_process,
)

MOMENTS = ("start-up", "units", "results", "report")
LOCAL = {  # whom to kill, and when there is such a process; drawing has workers too
    "main": MOMENTS,
    "worker": ("start-up", "units", "report"),
    "user": ("start-up", "units"),
    "reader": ("start-up",),
    "server": ("start-up", "units"),
}
WHO = ("main", "main", "worker", "user", "user", "reader", "server")
CLUSTER = ("main", "scheduler", "worker")
USERS = ("slow.py", "template.py")
NOT_COMPARED = ("timings.json", "campaign.lock")
USER = '''"""user:slow. Two checks that take a little time; their figures depend on the seed."""
import time
from verify.claim import Claim, Variant, Verdict
from verify.statistics.compared import at_most


def holds(task):
    time.sleep(0.3)
    return at_most([(int(100 * task.rng().random()), 100, "drawn")])


def fails(task):
    return at_most([(2, 1, "here")])


claim = Claim("user:slow", "Slow", "Trials", __doc__, {"stated": Variant("x", (), Verdict.EXACT)})
for i in range(2):
    claim.check("stated", control=fails, name=f"check{i}", about="waits")(holds)
'''
# the claim of the tiny checkout, with a plot and an instance file, so that there is something to write at the end
DRAWN = """
from dataclasses import replace as _replace
INSTANCE = {"kind": "finite_class", "horizon": 4, "truth": 0, "functions": [[["1/2", "0"]]]}
def holds_with_instance(task):
    return _replace(holds(task), instance=INSTANCE)
def draw(axes, figures):
    for name in figures:
        axes.plot([1, 2], [1, figures[name]["trace"]], label=name)
CHECKS = tuple(_replace(c, run=holds_with_instance) if c.name == "unit0" else c for c in claim.checks)
claim = _replace(claim, checks=CHECKS)
for i in range(1, 7):  # enough for processes
    claim.plot("t", "unit0", f"unit{i}", name=f"p{i}")(draw)
"""


PROGRAM = (
    "from verify import guard; guard.SECONDS = {seconds}; from verify.__main__ import console; console()"
)


def prepared(place: Path) -> Path:
    """Make a tiny checkout with users' files in it, and return its folder."""
    home = tiny_checkout(place)
    with (home / CLAIMS / "lem_VE.py").open("a") as stream:
        stream.write(DRAWN)
    (home / "slow.py").write_text(USER)
    template = (HOME / "verify" / "templates" / "claim.txt").read_text()
    (home / "template.py").write_text(template.replace("@name@", "template"))
    return home


def start(
    home: Path, folder: Path, *more: str, users: tuple[str, ...] = USERS, seconds: int = 60
) -> subprocess.Popen[str]:
    """Start a campaign whose users' files may take at most `seconds` of CPU time each."""
    words = ("run", "lem:VE", *users, "--jobs", "2", "--out", str(folder), *more)
    return begin(home, [sys.executable, "-c", PROGRAM.format(seconds=seconds), *words])


def contents(folder: Path) -> dict[str, bytes]:
    """Return the bytes of every file that must be the same, by path."""
    files = {str(path.relative_to(folder)): path for path in sorted(folder.rglob("*")) if path.is_file()}
    return {name: path.read_bytes() for name, path in files.items() if name not in NOT_COMPARED}


def moment_of(folder: Path) -> str:
    if not (folder / "campaign.json").exists() or not any((folder / "records").glob("*.json")):
        return "start-up"
    if not (folder / "results.json").exists():
        return "units"
    return "report" if any((folder / "plots").glob("*")) else "results"


def family(process: subprocess.Popen[str]) -> list[psutil.Process]:
    with contextlib.suppress(psutil.Error):
        return psutil.Process(process.pid).children(recursive=True)
    return []


def victims(process: subprocess.Popen[str], who: str) -> list[psutil.Process]:
    found = []
    for one in family(process):
        with contextlib.suppress(psutil.Error, OSError):
            limited = one.rlimit(psutil.RLIMIT_CPU)[0] != resource.RLIM_INFINITY
            forked = one.ppid() != process.pid and not one.children()
            words = " ".join(one.cmdline()) if one.ppid() == process.pid else ""
            kinds = {"reader": "own_answers" in words, "server": "forkserver" in words}
            if kinds.get(who, forked and limited == (who == "user")):
                found.append(one)
    return found


def nobody_left(people: list[psutil.Process], what: str) -> None:
    _, alive = psutil.wait_procs(people, timeout=PATIENCE)
    assert not alive, f"waited {PATIENCE} s for {[p.cmdline()[:4] for p in alive]} to end after {what}"


def cycle(
    process: subprocess.Popen[str], folder: Path, rng: random.Random, who: str, moment: str
) -> str | None:
    """Kill the process `who` at about this moment. Return the moment at which it was killed, None if it had ended
    before."""
    if moment != "start-up":
        reached = MOMENTS[MOMENTS.index(moment) :]
        wait_for(lambda: moment_of(folder) in reached, f"the moment {moment}", process, 0.004)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(timeout=rng.uniform(0.0, 2.5 if moment == "start-up" else 0.6))
    if who != "main":
        found = wait_for(partial(victims, process, who), f"somebody to kill: {who}", process, 0.004)
        if not found:
            return None
        met = moment_of(folder)
        with contextlib.suppress(psutil.Error):
            rng.choice(found).kill()
        return met
    people, met = family(process), moment_of(folder)
    if process.poll() is not None:
        return None
    process.kill()
    nobody_left(people, "the main process was killed")
    return met


def undisturbed(home: Path, folder: Path, users: tuple[str, ...] = USERS) -> dict[str, bytes]:
    """Return the files of a campaign that nobody disturbs."""
    words = ended(process := start(home, folder, users=users), "the campaign that nobody disturbs")
    assert process.returncode == 0, words
    return contents(folder)


def disturbed(
    home: Path,
    folder: Path,
    wanted: dict[str, bytes],
    rng: random.Random,
    cycles: int,
    seen: collections.Counter[str],
) -> int:
    """Kill campaigns in folders below `folder` `cycles` times, resume each until it is complete, and compare its
    files with those `wanted`."""
    met, number = 0, 0
    assert any(name.startswith("plots/") for name in wanted)
    assert any(name.startswith("instances/") for name in wanted)
    while met < cycles:
        number += 1
        place = folder / str(number)
        for _ in range(rng.randint(2, 5)):
            who = rng.choice(WHO)
            moment = rng.choice(LOCAL[who])
            process = start(home, place, "--resume")
            hit = cycle(process, place, rng, who, moment)
            words = ended(process, f"a campaign whose {who} was killed")
            assert "Traceback" not in words, words
            if hit is not None:
                met += 1
                seen[f"{who} at {hit}"] += 1
                sys.stderr.write(f"{met}/{cycles} kills: {who} at {hit}\n")
            if met >= cycles:
                break
        compare(home, place, wanted)
    return number


def compare(home: Path, place: Path, wanted: dict[str, bytes], users: tuple[str, ...] = USERS) -> None:
    """Resume a campaign until it is complete, and compare its files with those `wanted`."""
    process = start(home, place, "--resume", users=users)
    words = ended(process, "a campaign that is resumed for good")
    assert process.returncode == 0, words
    found = contents(place)
    shutil.rmtree(place)
    assert sorted(found) == sorted(wanted)
    different = [name for name in wanted if found[name] != wanted[name]]
    assert not different, f"other bytes in {different}"


def more_records(place: Path, than: int) -> bool:
    return len(list(place.glob("records/*.json"))) > than


@contextlib.contextmanager
def cluster(home: Path) -> Iterator[tuple[str, dict[str, subprocess.Popen[bytes]]]]:
    """Start a scheduler with two workers on this machine; yield its address, and the processes by name."""
    port = free_port()
    processes = {"scheduler": scheduler_process(home, port)}
    processes |= {name: worker_process(home, port) for name in ("worker", "other")}
    with ending(*processes.values()):
        for name in ("worker", "other"):
            wait_for(partial(joined, processes[name], port), f"a worker to join port {port}")
        yield f"tcp://127.0.0.1:{port}", processes


def disturbed_cluster(
    home: Path, folder: Path, rng: random.Random, cycles: int, seen: collections.Counter[str]
) -> int:
    """Do the same on a cluster: kill the campaign, its scheduler or a worker, start a new cluster, and resume."""
    wanted, met, number = undisturbed(home, folder / "alone", ()), 0, 0
    while met < cycles:
        number += 1
        place = folder / str(number)
        for _ in range(3):
            who = CLUSTER[met % len(CLUSTER)]
            with cluster(home) as (address, processes):
                words_of_cluster = ("--engine", "dask", "--scheduler", address)
                process = start(home, place, "--resume", *words_of_cluster, users=())
                before = len(list(place.glob("records/*.json")))
                wait_for(partial(more_records, place, before), "another record", process, 0.004)
                time.sleep(rng.uniform(0.0, 0.5))
                if process.poll() is None:
                    (process if who == "main" else processes[who]).kill()
                    met += 1
                    seen[f"{who} at {moment_of(place)} on a cluster"] += 1
                words = ended(process, f"a campaign on a cluster whose {who} was killed")
            assert "Traceback" not in words, words
            assert process.returncode in (0, 2, -signal.SIGKILL), words
            lost = f"verify: --scheduler = {address}: was lost; what is done is saved"
            assert process.returncode != 2 or words.splitlines()[-1] == lost, words
        compare(home, place, wanted, ())
    return number


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cycles", type=int, default=50)
    parser.add_argument("--engine", choices=("local", "dask"), default="local")
    options = parser.parse_args()
    seen: collections.Counter[str] = collections.Counter()
    rng = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as place:
        home = prepared(Path(place) / "home")
        if options.engine == "local":
            wanted = undisturbed(home, Path(place) / "undisturbed")
            campaigns = disturbed(home, Path(place), wanted, rng, options.cycles, seen)
        else:
            campaigns = disturbed_cluster(home, Path(place), rng, options.cycles, seen)
    document = {"kills": sum(seen.values()), "campaigns": campaigns}
    document |= {"kills_by_moment": dict(sorted(seen.items()))}
    sys.stdout.write(json.dumps(document, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
