"""The local engine: worker processes that end with their parent, and whose death costs only the unit in hand."""

from __future__ import annotations

import contextlib
import math
import multiprocessing
import os
import pkgutil
import shutil
import signal
import tempfile
import threading
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from multiprocessing import forkserver, resource_tracker
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

import verify.claims
from fedigw import outside
from fedigw.confinement import confine
from verify import guard, own_claims
from verify.campaign import own_answers
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
    place: Path | None = None  # where a user's check may write


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
                while waiting and worker.unit is None:
                    unit = waiting.popleft() if number == 0 else waiting.pop()
                    reason = own_claims.refusal(unit[0])
                    if reason is not None:  # there is nothing to run
                        yield Finished(failed(*unit, variant_of(unit), reason), 0.0)
                        continue
                    worker.unit = unit
                    _hand_over(worker, settings)
            left = min(worker.until for worker in workers) - time.monotonic()
            busy = [worker.connection for worker in workers if worker.unit]
            if not busy:
                continue
            ready = wait(busy, None if left == math.inf else max(0.0, left))
            for index, worker in enumerate(workers):
                late = worker.until <= time.monotonic()
                if worker.unit is None or (worker.connection not in ready and not late):
                    continue
                unit, worker.unit = worker.unit, None
                if own_claims.is_users(unit[0]):
                    answer = _answer(worker)
                    late = time.monotonic() >= worker.until
                    # a kill comes from somebody else, as far as one can know: again, as with a unit of ours
                    killed = _end(worker) == -signal.SIGKILL and answer is None and not late
                    deaths[unit] = deaths.get(unit, 0) + killed
                    if killed and deaths[unit] < MOST_DEATHS:
                        waiting.appendleft(unit)
                    else:
                        yield _of_user(worker, unit, answer, late)
                    # whatever a user's check has changed went with its process
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


def _of_user(worker: Worker, unit: Unit, answer: bytes | None, late: bool) -> Finished:
    """What a user's check found, or that it hit its limits. What its process says is believed in nothing."""
    variant = variant_of(unit)
    file = own_claims.file_of(unit[0])
    if _changed(file):
        return Finished(failed(*unit, variant, f"{file} has changed since the campaign began"), 0.0)
    if answer is not None:
        try:
            return own_answers.accepted(answer, unit)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            said = " ".join(f"{type(error).__name__}: {error}".split())[:200]
            return Finished(failed(*unit, variant, f"{file}: its process gave no finding ({said})"), 0.0)
    limit = guard.time_limit()
    more = f"; {guard.LIMIT}={10 * limit} allows more time"
    code = worker.process.exitcode
    if late:
        reason = f"did not end within {guard.patience()} s{more}"
    elif code in (-signal.SIGXCPU, -signal.SIGKILL):
        reason = f"used more than {limit} s of CPU, or was killed{more}"
    else:
        how = f"by signal {-code}" if code is not None and code < 0 else f"with status {code}"
        reason = f"{file}: ended its process {how} before it answered"
    return Finished(failed(*unit, variant, reason), 0.0)


def _changed(file: str) -> bool:
    try:
        return outside.digest(Path(file)) != own_claims.files()[file]
    except OSError:
        return True


def _answer(worker: Worker) -> bytes | None:
    """The bytes that a user's process sent, None if it ended, or its time did, before they were complete."""
    if not worker.connection.poll():
        return None
    # it may begin a message and never end it: then it is killed, and the message with it
    alarm = threading.Timer(max(0.0, worker.until - time.monotonic()), worker.process.kill)
    alarm.start()
    try:
        return worker.connection.recv_bytes(own_answers.LONGEST)
    except (EOFError, OSError):
        return None
    finally:
        alarm.cancel()


def variant_of(unit: Unit) -> str:
    return next(check.variant for check in find(unit[0]).checks if check.name == unit[1])


def _lost(unit: Unit, code: int | None) -> Any:
    return failed(*unit, variant_of(unit), f"its process ended {MOST_DEATHS} times (exit code {code})")


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
    for attempt in range(MOST_DEATHS):
        process = started.Process(target=_serve, args=(theirs,), daemon=True)
        try:
            process.start()
            break
        except (EOFError, OSError):  # it was killed before it could say its number
            if attempt == MOST_DEATHS - 1:
                raise
    theirs.close()  # so that the worker's death shows as the end of the pipe
    return Worker(process, ours)


def _hand_over(worker: Worker, settings: Settings) -> None:
    if worker.unit is not None and own_claims.is_users(worker.unit[0]):
        worker.until = time.monotonic() + guard.patience()
        worker.place = Path(tempfile.mkdtemp(prefix="verify-"))
        settings = replace(settings, files=(own_claims.file_of(worker.unit[0]),))  # no user meets another
    # if it has died, its connection is at its end, which the loop sees next
    with contextlib.suppress(OSError):
        worker.connection.send((settings, worker.unit, worker.place))


def _end(worker: Worker) -> int | None:
    worker.process.kill()
    worker.process.join()
    worker.connection.close()
    if worker.place is not None:
        shutil.rmtree(worker.place, ignore_errors=True)
    code: int | None = worker.process.exitcode
    return code


def _serve(connection: Connection) -> None:
    as_worker()
    while True:
        try:
            settings, unit, place = connection.recv()
        except (EOFError, OSError):
            return
        if place is None:
            connection.send(run_timed(settings, unit))
            continue
        guard.limit_this_process()
        outside.allow()
        confine(place)
        connection.send_bytes(own_answers.told(run_timed(settings, unit)))


def as_worker() -> None:
    """What a process of ours does first: it leaves Ctrl-C to the campaign, and ends when the campaign does.

    A thread watches the campaign. Where code that does not let go of the interpreter keeps it from looking, the system
    helps: the server that forked us ends with the last holder of a pipe, which is then the campaign, and we with it.
    """
    deaf_to_interrupts()
    pipe = getattr(getattr(forkserver, "_forkserver", None), "_forkserver_alive_fd", None)
    if pipe is not None:
        with contextlib.suppress(OSError):
            os.close(pipe)
        guard.die_with_parent(str(os.getppid()))
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """A campaign that was killed leaves nobody working for it."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
    os._exit(1)
