"""Carry out all runs on real data: python -m fedigw_extensions.neural.figures (make experiments).

The record is written after every run, and a later command makes the runs that it lacks. The runs use this process,
several local processes or a Dask cluster.
"""

import argparse
import contextlib
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor, ProcessPoolExecutor, as_completed
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from bounds.errors import InputError, choose
from fedigw.record import RecordError, read_checked
from fedigw.threads import one_thread
from fedigw_extensions.neural.datasets import cache
from fedigw_extensions.neural.datasets.known import KNOWN
from fedigw_extensions.neural.datasets.multilabel import MultiLabel
from fedigw_extensions.neural.figures import agr, record
from fedigw_extensions.neural.figures.methods import METHODS, TUNED_ON, check_grid, check_seeds, setting
from fedigw_extensions.neural.figures.record import Unit
from fedigw_extensions.neural.figures.released import distances
from fedigw_extensions.neural.figures.simulator import run
from fedigw_extensions.neural.figures.speed import measure
from fedigw_extensions.neural.network import available
from fedigw_extensions.neural.supervised import ceilings

AUDITED = 2  # seeds of FedIGW with FedAvg whose excess risk is computed after FL calls

_TABLES: dict[str, MultiLabel] = {}


def table(name: str) -> MultiLabel:
    """Return a stored data set. Raise InputError if its sizes or the digests of its files are not the known ones."""
    if name not in _TABLES:
        data, known = cache.load(name), KNOWN[name]
        found, stated = (data.rows, data.dimension, data.arms), (known.rows, known.features, known.labels)
        if found != stated:
            said = f"must have rows, features, labels {stated}, which the experiments are about"
            raise InputError(f"data {name}", found, said)
        if dict(data.digest) != {"arff": known.arff, "xml": known.xml}:
            raise InputError(
                f"data {name}", str(cache.path_of(name)), "is another version than the runs used"
            )
        _TABLES[name] = data
    return _TABLES[name]


def one(unit: Unit, engine: str) -> tuple[Unit, dict[str, Any]]:
    """Carry out one run in this process and return its parameters and figures."""
    one_thread()
    data, asked = table(unit.dataset), setting(unit.dataset, unit.reading, unit.method, unit.value)
    if unit.method == "agr":
        return unit, agr.run(data, asked.horizon, unit.seed)
    audit = (unit.reading, unit.method) == ("per_run", "fedavg") and unit.seed < AUDITED
    return unit, run(data, asked, unit.seed, engine == "numba", audit)


Finished = Iterator[tuple[Unit, dict[str, Any]]]
Engine = Callable[[list[Unit]], Finished]


def engine_of(options: argparse.Namespace) -> Engine:
    """Return a function that carries out runs as the command's options say: in this process, in local processes or on a
    Dask cluster. With --collect the function carries out none, and only finished runs are collected."""

    def work(missing: list[Unit]) -> Finished:
        if options.collect:
            return
        if options.engine == "local" and options.jobs == 1:
            yield from (one(unit, options.walks) for unit in missing)
            return
        with contextlib.ExitStack() as stack:
            if options.engine == "local":
                pool: Executor = ProcessPoolExecutor(options.jobs, get_context("spawn"))
            else:
                pool = stack.enter_context(_cluster(options.scheduler, options.jobs)).get_executor(pure=False)
            stack.enter_context(pool)
            for done in as_completed([pool.submit(one, unit, options.walks) for unit in missing]):
                yield done.result()

    return work


def _cluster(scheduler: str | None, jobs: int) -> Any:
    try:
        from distributed import Client
    except ImportError:
        raise InputError(
            "--engine", "dask", "needs the extra `cluster`: pip install -e '.[cluster]'"
        ) from None
    own = {"n_workers": jobs, "threads_per_worker": 1, "dashboard_address": None}
    try:
        return Client(scheduler) if scheduler else Client(**own)
    except (OSError, ValueError) as error:
        raise InputError("--scheduler", scheduler, f"does not answer ({type(error).__name__})") from None


def campaign(
    path: Path,
    engine: Engine,
    walks: str,
    wanted: Callable[[Unit], bool],
    say: Callable[[str], None],
    authors: Path | None = None,
    speed: bool = False,
) -> None:
    """Carry out the runs that the record at `path` lacks, and write it after each.

    Runs at tuned parameters follow when the runs that tune them are finished. wanted: decides which runs to carry out.
    walks: how local steps are computed, numpy or numba. authors: the file of the shipped curves; without it, the
    distances from them are copied from the record. speed: whether to measure the speed again.
    """
    try:
        body: dict[str, Any] = read_checked(path) if path.exists() else {}
    except RecordError as error:
        raise InputError("--record", str(path), f"would be lost: {error}; name another file") from None
    if body.get("engine", walks) != walks:
        said = f"would replace the {len(body['runs'])} runs of {path}, made with {body['engine']}; take that, or name"
        raise InputError("--walks", walks, f"{said} another file with --record")
    known = record.finished(body, walks)
    begin = time.monotonic()

    def average(unit: Unit) -> float | None:
        return float(known[unit]["average"]) if unit in known else None

    more = {"speed": _speed() if speed else body.get("speed", []), "released": body.get("released", {})}
    for stage in (lambda: record.units(), lambda: record.tuning(), lambda: record.tuned(average)):
        chosen = stage()
        missing = [unit for unit in chosen if unit not in known and wanted(unit)]
        say(f"{len(chosen) - len(missing)} of {len(chosen)} runs are there, or not asked for")
        for number, (unit, result) in enumerate(engine(missing), start=1):
            known[unit] = result
            record.collect(known, path, walks, data=_facts(known, body), **more)
            word = "DIVERGED" if result["diverged"] else f"{result['average']:.4f}"
            say(
                f"{number}/{len(missing)} {unit.stem}: {word}, {result['seconds']:.1f} s CPU,"
                f" {time.monotonic() - begin:.0f} s since the start"
            )
    if authors is not None:
        released: dict[str, list[Any]] = {}
        for unit, result in known.items():
            if unit.reading == "released":
                released.setdefault(unit.dataset, []).append(result)
        more["released"] = distances(authors, released)
    record.collect(known, path, walks, data=_facts(known, body), **more)


def _facts(known: Mapping[Unit, Any], body: dict[str, Any]) -> dict[str, Any]:
    """Return facts about the data sets, with the rewards of supervised learners as upper limits for bandits. They
    are computed once for each version of the files."""
    found: dict[str, Any] = body.setdefault("data", {})
    for name in sorted({unit.dataset for unit in known}):
        digest = dict(table(name).digest)
        if found.get(name, {}).get("digest") != digest:
            found[name] = table(name).facts() | {"digest": digest} | ceilings(table(name))
    return found


def _speed() -> list[dict[str, Any]]:
    one_thread()
    return [row for name in KNOWN for row in measure(table(name))]


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m fedigw_extensions.neural.figures", description=__doc__)
    parser.add_argument("--record", type=Path, default=record.PLACE, help="the record to continue")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--engine", default="local", help="local or dask")
    parser.add_argument("--scheduler", help="of a Dask cluster")
    parser.add_argument("--walks", default="numba" if available() else "numpy", help="numpy or numba")
    parser.add_argument("--collect", action="store_true", help="run nothing, only write the record")
    parser.add_argument("--only", default="", help="runs whose name contains this")
    parser.add_argument("--seeds", help="report these seeds only, as in 0,1,2")
    parser.add_argument("--grid", metavar="METHOD=VALUES", help="try these values, as in softmax=0.01,0.1")
    parser.add_argument("--speed", action="store_true", help="measure the fast path and the general program")
    parser.add_argument(
        "--authors", type=Path, metavar="PATH", help="curves of the released pictures, in JSON"
    )
    options = parser.parse_args(arguments)
    try:
        choose("--engine", options.engine, ("local", "dask"))
        choose("--walks", options.walks, ("numpy", "numba"))
        if options.walks == "numba" and not available():
            raise InputError("--walks", "numba", "needs the extra `fast`: pip install -e '.[fast]'")
        if options.jobs < 1:
            raise InputError("--jobs", options.jobs, "must be a positive integer")
        seeds = None if options.seeds is None else check_seeds(options.seeds)
        if options.grid is not None:
            name, values = check_grid(options.grid)
            METHODS[name] = replace(METHODS[name], grid=values)

        def wanted(unit: Unit) -> bool:
            reported = seeds is None or unit.seed in seeds or unit.seed in TUNED_ON
            return options.only in unit.stem and reported

        work, more = engine_of(options), (options.authors, options.speed)
        campaign(options.record, work, options.walks, wanted, _say, *more)
    except InputError as error:
        sys.stderr.write(f"experiments: {error}\n")
        return 2
    except OSError as error:
        sys.stderr.write(f"experiments: {options.record}: {error.strerror}\n")
        return 2
    except KeyboardInterrupt:
        sys.stderr.write("\nexperiments: interrupted; what is done is saved\n")
        return 130
    return 0


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
