"""Run the checks of a campaign on the workers of a Dask cluster, by default a local one.

A worker whose source code differs from ours is refused, because its results would come from another program. If a
worker dies, Dask gives its checks to another one. Start workers with one thread each (python -m dask worker ADDR
--nthreads 1): the solvers are not thread-safe.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import logging
import queue
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, TypeVar, cast

from bounds.errors import InputError
from verify.campaign.outcome import failed
from verify.campaign.processes import deaf_to_interrupts, start_tracker, variant_of
from verify.campaign.provenance import (
    HASH_SEED,
    code_digest,
    differing,
    made_with,
    order_of_sets,
    wanted_order_of_sets,
)
from verify.campaign.units import Finished, Settings, Unit, in_one_line, run_timed

LOOPBACK = "127.0.0.1"  # a scheduler runs any program it is sent, so it listens to this machine only
PATIENCE = 5.0  # seconds in which a scheduler must answer, and then have a worker
DEADLINE = (
    6.5  # seconds for the whole connection: the client has no time-out for a scheduler that stays silent
)
# seconds for a local cluster to start and for a worker to load the program on a busy machine
STARTING = 300.0
LONELY = 30.0  # seconds without any worker after which the campaign stops
WINDOW = 1000  # checks that are submitted at a time: the scheduler's memory does not grow with the campaign
MOST_LOSSES = 3  # times that the connection may break without a check finishing in between
ENDED = ("finished", "error")

# Exceptions that Dask raises when the connection to the scheduler breaks.
LOST = (asyncio.CancelledError, concurrent.futures.CancelledError, OSError)

Result = TypeVar("Result")

# Computed on import: a worker that was started before the source changed still runs the old one.
CODE = code_digest()
ONE_AT_A_TIME = threading.Lock()
# Loggers that print tracebacks at the end of a connection.
QUIET = ("distributed", "asyncio", "tornado")


class ForeignWorker(RuntimeError):
    """Raised when a Dask worker runs another version of this program, or with other libraries, than this process."""


class Cluster:
    """A connection to a Dask scheduler, as context manager. Creating one tests the connection; calling it runs
    checks."""

    def __init__(self, address: str | None, jobs: int) -> None:
        self._address, self._local = address, None
        start_tracker()
        try:
            import distributed
        except ImportError:
            reason = "needs the extra `cluster`: pip install -e '.[cluster]'"
            raise InputError("--engine", "dask", reason) from None
        for name in [*logging.root.manager.loggerDict]:  # also those to which Dask gave a level
            if name.partition(".")[0] in QUIET:
                logging.getLogger(name).setLevel(logging.CRITICAL)  # our own messages say what matters
        try:
            if address is not None:  # a mistyped address is refused without waiting
                distributed.comm.get_address_host_port(address, strict=True)
        except ValueError as error:
            raise self._bad(f"{error}; write it as tcp://host:8786") from None
        try:
            if address is None:
                self._local = within(STARTING, lambda: _local_cluster(distributed, jobs))
                self._client = within(STARTING, lambda: distributed.Client(self._local, timeout=STARTING))
            else:
                self._client = within(DEADLINE, lambda: distributed.Client(address, timeout=PATIENCE))
        except Exception as error:  # a server of another protocol can break the client anywhere
            reason = in_one_line(error).removesuffix(":")[:160]
            raise self._bad(f"does not answer: {reason}") from None
        try:
            self._check_workers()
        except BaseException:
            self.close()
            raise

    def _check_workers(self) -> None:
        try:
            self._client.wait_for_workers(1, timeout=STARTING if self._local is not None else PATIENCE)
        except TimeoutError:
            raise self._bad("has no worker") from None
        try:
            found = within(STARTING, lambda: self._client.run(identity))
        except Exception as error:
            raise self._bad(f"a worker cannot load this program ({in_one_line(error)})") from None
        for worker, theirs in sorted(found.items()):
            if theirs != expected():
                raise InputError("worker", worker, difference(theirs))

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        with contextlib.suppress(Exception):
            self._client.close(timeout=1)
        if self._local is not None:
            with contextlib.suppress(Exception):
                self._local.close(timeout=1)

    def __call__(self, settings: Settings, missing: list[Unit]) -> Iterator[Finished]:
        """Run the checks `missing` and yield each result as it comes. Checks lost with a broken connection are run
        again."""
        from distributed.client import ClosedClientError

        left, losses = dict.fromkeys(missing), 0
        while left:
            try:
                for unit, finished in self._carry_out(settings, list(left)):
                    yield finished
                    del left[unit]
                    losses = 0
            except (*LOST, ClosedClientError):
                losses += 1
                if losses > MOST_LOSSES or not self._connected_again():
                    raise self._lost() from None

    def _carry_out(self, settings: Settings, waiting: list[Unit]) -> Iterator[tuple[Unit, Finished]]:
        from distributed import wait

        waiting.reverse()
        futures: dict[Any, Unit] = {}
        alone_since: float | None = None
        try:
            while waiting or futures:
                while waiting and len(futures) < WINDOW:
                    unit = waiting.pop()
                    futures[self._client.submit(run_remote, settings, unit, expected(), pure=False)] = unit
                try:
                    done = wait(list(futures), timeout=1, return_when="FIRST_COMPLETED").done
                    for future in done:
                        if future.status in ENDED:  # not "lost": its worker died, and Dask computes it again
                            finished = self._finished(future, futures[future])
                            yield futures.pop(future), finished
                    alone_since = None
                except TimeoutError:
                    alone_since = self._mind_workers(alone_since)
        finally:
            with contextlib.suppress(Exception):
                self._client.cancel(list(futures), force=True)

    def _connected_again(self) -> bool:
        until = time.monotonic() + DEADLINE
        while self._client.status == "connecting" and time.monotonic() < until:
            time.sleep(0.1)
        return bool(self._client.status == "running")

    def _mind_workers(self, alone_since: float | None) -> float | None:
        """Return None if there are workers, else the time since when there are none. Raise InputError if this is too
        long, OSError if the scheduler has closed. alone_since: the previous answer, None after a result."""
        now = time.monotonic()
        if self._client.status != "running":
            raise ConnectionError(self._client.status)
        try:
            if self._client.nthreads():
                return None
        except TimeoutError:  # it is slow, but not lost
            return alone_since
        if alone_since is not None and now - alone_since > LONELY:
            raise self._bad("has lost all its workers; what is done is saved")
        return alone_since or now

    def _bad(self, reason: str) -> InputError:
        return InputError("--scheduler", str(self._address), reason)

    def _lost(self) -> InputError:
        return self._bad("was lost; what is done is saved")

    def _finished(self, future: Any, unit: Unit) -> Finished:
        """Return the result of a finished check. Raise TimeoutError if its worker died before sending it."""
        if future.status != "error":
            return cast(Finished, future.result(timeout=PATIENCE))
        error = future.exception(timeout=PATIENCE)
        if isinstance(error, ForeignWorker):
            raise InputError("worker", str(self._address), str(error))
        return Finished(failed(*unit, variant_of(unit), in_one_line(error)), 0.0)


def within(seconds: float, work: Callable[[], Result]) -> Result:
    """Call `work` in a thread; return its result or raise its exception. If it takes longer than `seconds`, abandon it
    and raise TimeoutError."""
    answers: queue.SimpleQueue[tuple[Result | None, BaseException | None]] = queue.SimpleQueue()

    def attempt() -> None:
        deaf_to_interrupts()  # also in processes that are started here: only the campaign reacts to Ctrl-C
        try:
            answers.put((work(), None))
        except BaseException as error:
            answers.put((None, error))

    threading.Thread(target=attempt, daemon=True).start()
    try:
        result, error = answers.get(timeout=seconds)
    except queue.Empty:
        raise TimeoutError(f"silent for {seconds:.0f} s") from None
    if error is not None:
        raise error
    return cast(Result, result)


def identity() -> dict[str, Any]:
    """Return the properties of this process that can change results: digest of the source code, versions of libraries,
    processor, and the order in which sets are iterated."""
    return {"code": CODE, "made_with": made_with(), "order_of_sets": order_of_sets()}


def expected() -> dict[str, Any]:
    """Return the properties that a worker must have, in the form of `identity`. Sets must be iterated in the order that
    belongs to HASH_SEED, the hash seed of Dask's workers."""
    return identity() | {"order_of_sets": wanted_order_of_sets()}


def difference(theirs: dict[str, Any]) -> str:
    if theirs | {"order_of_sets": wanted_order_of_sets()} == expected():
        return f"orders sets at random; start it with a nanny, or with PYTHONHASHSEED={HASH_SEED} in its environment"
    changes = "; ".join(differing(theirs, expected()))
    return f"runs another version of this program: {changes}; restart it with this one"


def run_remote(settings: Settings, unit: Unit, wanted: dict[str, Any]) -> Finished:
    """Run a check on a worker of the cluster. Raise ForeignWorker if the worker's properties (see `identity`) are not
    `wanted`; the properties of a worker that joins late were not compared before."""
    if identity() != wanted:
        changes = differing(identity(), wanted)
        raise ForeignWorker(f"a late one runs another version of this program: {changes}")
    with ONE_AT_A_TIME:
        return run_timed(settings, unit)


def _local_cluster(distributed: Any, jobs: int) -> Any:
    pages = dict.fromkeys(("dashboard_address", "worker_dashboard_address"), f"{LOOPBACK}:0")
    quiet = logging.CRITICAL  # also for a worker that outlives the scheduler by a moment
    return distributed.LocalCluster(
        n_workers=jobs, threads_per_worker=1, host=LOOPBACK, silence_logs=quiet, **pages
    )
