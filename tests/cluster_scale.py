"""Run a campaign on a Dask cluster that changes, and measure what many units cost its scheduler.

    python tests/cluster_scale.py [--workers N] [--profile NAME]     every check, compared with one process
    python tests/cluster_scale.py [--workers N] --empty N [N ...]    campaigns of N units that do nothing

In the first, two workers are killed, two join, one stands still for a while and one can write no byte to its disk; the
files must be those of one process. The second prints, for each N, seconds a unit and the scheduler's memory before and
at its highest, in MB.
"""

import argparse
import contextlib
import json
import re
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import psutil
from campaign_faults import contents, more_records
from campaign_process import (
    CLAIM,
    CLAIMS,
    HOME,
    begin,
    command,
    ending,
    free_port,
    joined,
    scheduler_process,
    tiny_checkout,
    wait_for,
    worker_process,
)

PATIENCE = 3600  # seconds for a whole campaign
STANDSTILL = 20


@contextlib.contextmanager
def cluster(
    home: Path, count: int
) -> Iterator[tuple[int, subprocess.Popen[bytes], list[subprocess.Popen[bytes]]]]:
    """Start a scheduler and `count` workers; yield its port, the scheduler and the workers."""
    port = free_port()
    with ending(scheduler := scheduler_process(home, port)), contextlib.ExitStack() as until_done:
        workers: list[subprocess.Popen[bytes]] = []
        for _ in range(count):
            workers.append(worker_process(home, port))
            until_done.enter_context(ending(workers[-1]))
        for worker in workers:
            wait_for(partial(joined, worker, port), "a worker to join")
        yield port, scheduler, workers


def ended(process: subprocess.Popen[str]) -> None:
    words = process.communicate(timeout=PATIENCE)[1]
    assert process.returncode == 0, words[-2000:]


def disturbed(home: Path, place: Path, count: int, *more: str) -> dict[str, Any]:
    """Compare a campaign on a cluster that changes with one in one process; return what happened."""
    ended(begin(home, command(place / "one", "--jobs", "1", *more)))
    wanted = contents(place / "one")
    with cluster(home, count) as (port, _, workers):
        full, slow, *killed = workers[:4]
        resource.prlimit(full.pid, resource.RLIMIT_FSIZE, (0, 0))
        address = ("--engine", "dask", "--scheduler", f"tcp://127.0.0.1:{port}")
        process = begin(home, command(place / "cluster", *address, *more))
        wait_for(partial(more_records, place / "cluster", 0), "a record", process)
        slow.send_signal(signal.SIGSTOP)
        for worker in killed:
            worker.kill()
        late = [worker_process(home, port) for _ in killed]
        with ending(*late):
            for worker in late:
                wait_for(partial(joined, worker, port), "a late worker to join", process)
            time.sleep(STANDSTILL)
            slow.send_signal(signal.SIGCONT)
            before = len(list((place / "cluster").glob("records/*.json")))
            ended(process)
            alive = sum(worker.poll() is None for worker in (*workers, *late))
    found = contents(place / "cluster")
    different = [name for name in sorted(wanted | found) if wanted.get(name) != found.get(name)]
    assert not different, f"other bytes in {different}"
    checks = len(list((place / "cluster").glob("records/*.json")))
    return {
        "files": len(found),
        "checks": checks,
        "checks_after_all_joined": checks - before,
        "workers_alive": alive,
    }


def empty(place: Path, count: int, numbers: list[int]) -> Iterator[dict[str, Any]]:
    """Yield what campaigns of so many units that do nothing cost."""
    home = tiny_checkout(place / "home")
    for number in numbers:
        text = re.sub(r"range\(8\)", f"range({number})", CLAIM.replace("time.sleep(0.25)", "pass"))
        (home / CLAIMS / "lem_VE.py").write_text(text)
        with cluster(home, count) as (port, scheduler, _):
            memory = [psutil.Process(scheduler.pid).memory_info().rss]
            before = sum(psutil.Process(scheduler.pid).cpu_times()[:2])
            start = time.monotonic()
            address = ("--engine", "dask", "--scheduler", f"tcp://127.0.0.1:{port}")
            process = begin(home, command(place / str(number), *address))
            watch = threading.Thread(target=watched, args=(process, scheduler.pid, memory))
            watch.start()
            folder = place / str(number)
            first = wait_for(partial(more_records, folder, 0), "a record", process) and time.monotonic()
            while process.poll() is None and not more_records(folder, number - 1):
                time.sleep(0.5)
            units = time.monotonic() - first
            ended(process)
            watch.join()
            spent = sum(psutil.Process(scheduler.pid).cpu_times()[:2]) - before
        yield {
            "units": number,
            "seconds_a_unit": round(units / number, 5),
            "scheduler_cpu_a_unit": round(spent / number, 5),
            "seconds_in_all": round(time.monotonic() - start, 1),
            "scheduler_mb": [round(memory[0] / 1e6), round(max(memory) / 1e6)],
            "campaign_mb": round(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1e3),
        }


def watched(process: subprocess.Popen[str], scheduler: int, memory: list[int]) -> None:
    while process.poll() is None:
        memory.append(psutil.Process(scheduler).memory_info().rss)
        time.sleep(0.5)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--workers", type=int, default=8)
    parser.add_argument("--profile", default="quick")
    parser.add_argument("--empty", type=int, nargs="+")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        if options.empty:
            for row in empty(Path(place), options.workers, options.empty):
                sys.stdout.write(json.dumps(row) + "\n")
                sys.stdout.flush()
        else:
            found = disturbed(HOME, Path(place), options.workers, "--profile", options.profile)
            sys.stdout.write(json.dumps(found) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
