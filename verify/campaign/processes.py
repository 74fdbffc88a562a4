"""Run checks in local worker processes that end with their parent. If one dies, its check is tried again, up to
MOST_DEATHS times."""

import contextlib
import gc
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from multiprocessing import forkserver, resource_tracker
from multiprocessing.connection import Connection, wait
from typing import Any

from verify import guard, own_claims
from verify.campaign import own_answers
from verify.campaign.outcome import failed
from verify.campaign.provenance import HASH_SEED
from verify.campaign.units import Finished, Settings, Unit, run_timed
from verify.catalogue import files, find
from verify.paper import file_name

MOST_DEATHS = 3  # a unit whose worker died this often is given up: it may be what kills them


@dataclass
class Worker:
    process: Any
    connection: Connection
    unit: Unit | None = None


def in_processes(settings: Settings, missing: list[Unit]) -> Iterator[Finished]:
    """Run the checks `missing` in `settings.jobs` processes and yield each result. If the caller closes the iterator
    early, the processes are killed."""
    waiting = deque(missing)
    deaths: dict[Unit, int] = {}
    workers: list[Worker] = []
    labels = frozenset(label for label, _ in missing)
    try:
        workers += (_start(labels) for _ in range(min(settings.jobs, len(missing))))
        while waiting or any(worker.unit for worker in workers):
            for worker in workers:
                while waiting and worker.unit is None:
                    unit = waiting.popleft()
                    own = own_claims.own(unit[0])
                    if own is not None and own.refused:  # there is nothing to run
                        yield Finished(failed(*unit, variant_of(unit), own.refused), 0.0)
                        continue
                    worker.unit = unit
                    # if the worker has died, the loop below sees the end of its connection
                    with contextlib.suppress(OSError):
                        theirs = None if own is None else (own, guard.cpu_seconds())
                        worker.connection.send((settings, unit, theirs))
            busy = [worker.connection for worker in workers if worker.unit]
            if not busy:
                continue
            ready = wait(busy)
            for index, worker in enumerate(workers):
                if worker.unit is None or worker.connection not in ready:
                    continue
                unit, worker.unit = worker.unit, None
                try:
                    yield worker.connection.recv()
                except (EOFError, OSError):
                    code = _end(worker)
                    workers[index] = _start(labels)
                    deaths[unit] = deaths.get(unit, 0) + 1
                    if deaths[unit] < MOST_DEATHS:
                        waiting.appendleft(unit)
                    else:
                        reason = f"its process ended {MOST_DEATHS} times (exit code {code})"
                        yield Finished(failed(*unit, variant_of(unit), reason), 0.0)
    finally:
        for worker in workers:
            _end(worker)


def variant_of(unit: Unit) -> str:
    return next(check.variant for check in find(unit[0]).checks if check.name == unit[1])


def context(labels: Collection[str] = ()) -> Any:
    """Return a multiprocessing context for worker processes that ignore Ctrl-C. They are forked, where the system can
    do this, from a server that has imported the claims `labels`."""
    # the order of sets decides which witness a solver finds: it is the same in every worker
    os.environ["PYTHONHASHSEED"] = HASH_SEED
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    found = multiprocessing.get_context("forkserver")
    # what every worker needs is imported once, by the server they are forked from
    needed = {file_name(label) for label in labels}
    claims = [f"{package}.{name}" for name, package in files().items() if name in needed]
    found.set_forkserver_preload(["verify.campaign.processes", *claims])
    start_tracker()
    server = threading.Thread(target=_start_server)
    server.start()
    server.join()
    return found


def start_tracker() -> None:
    """Start Python's resource tracker, without the warnings that it prints if a campaign of checks is interrupted.
    Python would start it later, and would then unblock Ctrl-C."""
    before = dict(os.environ)
    os.environ["PYTHONWARNINGS"] = "ignore:resource_tracker:UserWarning"
    try:
        resource_tracker.ensure_running()
    finally:
        del os.environ["PYTHONWARNINGS"]
        os.environ.update(before)


def _start_server() -> None:
    deaf_to_interrupts()
    forkserver.ensure_running()


def deaf_to_interrupts() -> None:
    """Block SIGINT in this process and its children, because Ctrl-C reaches the whole process group, but only the main
    process of a campaign of checks may react."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})


def _start(labels: Collection[str]) -> Worker:
    started = context(labels)
    ours, theirs = started.Pipe()
    for attempt in range(MOST_DEATHS):
        process = started.Process(target=_serve, args=(theirs,), daemon=True)
        try:
            process.start()
            break
        except (EOFError, OSError):  # it was killed before it could send its process id
            if attempt == MOST_DEATHS - 1:
                raise
    theirs.close()  # so that the worker's death shows as the end of the pipe
    return Worker(process, ours)


def _end(worker: Worker) -> int:
    worker.process.kill()
    worker.process.join()
    worker.connection.close()
    return int(worker.process.exitcode)


def _serve(connection: Connection) -> None:
    as_worker()
    gc.freeze()  # what was imported stays; looking through it again and again takes a fiftieth of a campaign
    gc.set_threshold(100_000, 20, 50)
    while True:
        try:
            settings, unit, theirs = connection.recv()
        except (EOFError, OSError):
            return
        if theirs:
            connection.send(own_answers.carried_out(settings, unit, *theirs))
        else:
            connection.send(run_timed(settings, unit))


def as_worker() -> None:
    """Prepare a process that runs checks: it ignores Ctrl-C and ends when the process that started it ends."""
    # a thread watches the campaign's process; it cannot run while other code holds the interpreter lock, but then
    # the worker ends with the fork server, which ends when the campaign closes its pipe
    deaf_to_interrupts()
    pipe = getattr(getattr(forkserver, "_forkserver", None), "_forkserver_alive_fd", None)
    if pipe is not None:
        with contextlib.suppress(OSError):
            os.close(pipe)
        guard.end_with_parent(str(os.getppid()))
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
    os._exit(1)
