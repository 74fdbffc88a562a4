"""The local engine: worker processes that end with their parent, and whose death costs only the unit in hand."""

from __future__ import annotations

import contextlib
import math
import multiprocessing
import os
import pkgutil
import signal
import threading
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing import forkserver, resource_tracker
from multiprocessing.connection import Connection, wait
from typing import Any

import verify.claims
from verify import guard, own_claims
from verify.campaign.outcome import failed
from verify.campaign.provenance import HASH_SEED
from verify.campaign.units import Finished, Settings, Unit, run_timed
from verify.catalogue import find

PROOFS = ("proof-", "best-steps", "step")  # names of units that read the proof chains
MOST_DEATHS = 3  # a unit whose worker died this often is given up: it may be what kills them


@dataclass
class Worker:
    process: Any
    connection: Connection
    unit: Unit | None = None
    until: float = math.inf  # on the monotonic clock: a user's check has a limit


def in_processes(settings: Settings, missing: list[Unit]) -> Iterator[Finished]:
    """Units over `settings.jobs` processes. Leaving the iterator, also by Ctrl-C, kills them at once."""
    # Proofs first in line: the first worker takes from the front, the others from the back, so that as few as
    # possible spend seconds on reading the proofs.
    waiting = deque(sorted(missing, key=lambda unit: not unit[1].startswith(PROOFS)))
    deaths: dict[Unit, int] = {}
    workers: list[Worker] = []
    try:
        for _ in range(min(settings.jobs, len(missing))):
            workers.append(_start())
        while waiting or any(worker.unit for worker in workers):
            for number, worker in enumerate(workers):
                if waiting and worker.unit is None:
                    worker.unit = waiting.popleft() if number == 0 else waiting.pop()
                    _hand_over(worker, settings)
            left = min(worker.until for worker in workers) - time.monotonic()
            busy = [worker.connection for worker in workers if worker.unit]
            ready = wait(busy, None if left == math.inf else max(0.0, left))
            for index, worker in enumerate(workers):
                late = worker.until <= time.monotonic()
                if worker.unit is None or (worker.connection not in ready and not late):
                    continue
                unit, worker.unit = worker.unit, None
                if own_claims.is_users(unit[0]):
                    yield _of_user(worker, unit, late)
                    _end(worker)  # whatever a user's check has changed goes with its process
                    workers[index] = _start()
                    continue
                try:
                    yield worker.connection.recv()
                except (EOFError, OSError):
                    code = _end(worker)
                    workers[index] = _start()
                    deaths[unit] = deaths.get(unit, 0) + 1
                    if deaths[unit] < MOST_DEATHS:
                        waiting.appendleft(unit)
                    else:
                        yield Finished(_lost(unit, code), 0.0)
    finally:
        for worker in workers:
            _end(worker)


def _of_user(worker: Worker, unit: Unit, late: bool) -> Finished:
    """What a user's check found, or that it hit its limits. late: its time on the clock is over."""
    if worker.connection.poll():
        with contextlib.suppress(EOFError, OSError):
            found: Finished = worker.connection.recv()
            return found
    variant = next(check.variant for check in find(unit[0]).checks if check.name == unit[1])
    limit = guard.time_limit()
    more = f"; {guard.LIMIT}={10 * limit} allows more time"
    if not late:  # its pipe is at its end: the process is about to be, and says how it ended
        worker.process.join(guard.WAITING)
    code = worker.process.exitcode
    if late and code is None:
        reason = f"did not end within {guard.WAITING * limit} s{more}"
    elif code in (-signal.SIGXCPU, -signal.SIGKILL):
        reason = f"used more than {limit} s of CPU{more}"
    elif code is None:
        reason = "closed its connection and gave no answer"
    else:
        how = f"by signal {-code}" if code < 0 else f"with status {code}"
        reason = f"{_file_of(unit)}ended its process {how} before it answered"
    return Finished(failed(*unit, variant, reason), 0.0)


def _file_of(unit: Unit) -> str:
    """The file that a user's claim is in, where it is known: `my_claim.py: `."""
    return next((f"{name}: " for name, label in own_claims.labels().items() if label == unit[0]), "")


def _lost(unit: Unit, code: int | None) -> Any:
    variant = next(check.variant for check in find(unit[0]).checks if check.name == unit[1])
    return failed(*unit, variant, f"its process ended {MOST_DEATHS} times (exit code {code})")


def context() -> Any:
    """How a process is started without copying this one's threads, and deaf to Ctrl-C from its first moment."""
    # the order of sets decides which witness a solver finds: it is the same in every worker
    os.environ["PYTHONHASHSEED"] = HASH_SEED
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    found = multiprocessing.get_context("forkserver")
    # what every worker needs is imported once, by the server they are forked from
    claims = [f"verify.claims.{module.name}" for module in pkgutil.iter_modules(verify.claims.__path__)]
    found.set_forkserver_preload(["verify.campaign.processes", *claims])
    start_tracker()
    server = threading.Thread(target=_start_server)
    server.start()
    server.join()
    return found


def start_tracker() -> None:
    """Python's cleaner of semaphores, begun where it does no harm: the thread that begins it hears Ctrl-C again.

    It tidies up after a campaign that left at once, and must not complain about that.
    """
    before = os.environ.get("PYTHONWARNINGS")
    os.environ["PYTHONWARNINGS"] = "ignore:resource_tracker:UserWarning"
    try:
        resource_tracker.ensure_running()
    finally:
        if before is None:
            del os.environ["PYTHONWARNINGS"]
        else:
            os.environ["PYTHONWARNINGS"] = before


def _start_server() -> None:
    deaf_to_interrupts()
    forkserver.ensure_running()


def deaf_to_interrupts() -> None:
    """Ctrl-C reaches the whole group, and the parent decides. A blocked signal is inherited, a handler is not."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})


def _start() -> Worker:
    started = context()
    ours, theirs = started.Pipe()
    process = started.Process(target=_serve, args=(theirs,), daemon=True)
    process.start()
    theirs.close()  # so that the worker's death shows as the end of the pipe
    return Worker(process, ours)


def _hand_over(worker: Worker, settings: Settings) -> None:
    # if it has died, its connection is at its end, which the loop sees next
    users = worker.unit is not None and own_claims.is_users(worker.unit[0])
    worker.until = time.monotonic() + guard.WAITING * guard.time_limit() if users else math.inf
    with contextlib.suppress(OSError):
        worker.connection.send((settings, worker.unit))


def _end(worker: Worker) -> int | None:
    worker.process.kill()
    worker.process.join()
    worker.connection.close()
    code: int | None = worker.process.exitcode
    return code


def _serve(connection: Connection) -> None:
    deaf_to_interrupts()
    threading.Thread(target=_end_with_parent, daemon=True).start()
    while True:
        try:
            settings, unit = connection.recv()
        except (EOFError, OSError):
            return
        if own_claims.is_users(unit[0]):
            guard.limit_this_process()
        connection.send(run_timed(settings, unit))


def _end_with_parent() -> None:
    """A campaign that was killed leaves nobody working for it."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
    os._exit(1)
