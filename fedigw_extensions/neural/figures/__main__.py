"""python -m fedigw_extensions.neural.figures (make experiments): all runs on real data, on local processes or Dask.

Every finished run is saved at once. An interrupted campaign leaves a valid record, and the page states how many seeds
each method has.
"""

import argparse
import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, as_completed
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from bounds.errors import InputError, choose
from fedigw.record import RecordError, read_checked, write_checked
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
    """Return a stored data set. Raise InputError if it does not have the stated rows, features and labels."""
    if name not in _TABLES:
        data, known = cache.load(name), KNOWN[name]
        found, stated = (data.rows, data.dimension, data.arms), (known.rows, known.features, known.labels)
        if found != stated:
            said = f"must have rows, features, labels {stated}, which the experiments are about"
            raise InputError(f"data {name}", found, said)
        _TABLES[name] = data
    return _TABLES[name]


def one(unit: Unit, engine: str) -> tuple[Unit, dict[str, Any]]:
    """Carry out one run in this process."""
    one_thread()
    data, asked = table(unit.dataset), setting(unit.dataset, unit.reading, unit.method, unit.value)
    if unit.method == "agr":
        return unit, agr.run(data, asked.horizon, unit.seed)
    audit = (unit.reading, unit.method) == ("per_run", "fedavg") and unit.seed < AUDITED
    return unit, run(data, asked, unit.seed, engine == "numba", audit)


Finished = Iterator[tuple[Unit, dict[str, Any]]]
Engine = Callable[[list[Unit]], Finished]


def engine_of(options: argparse.Namespace) -> Engine:
    """Return a function that carries out runs in this process, in local processes or on a Dask cluster. With --collect
    it carries out none, and only finished runs are collected."""

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
    return Client(scheduler) if scheduler else Client(**own)


def campaign(
    folder: Path,
    engine: Engine,
    walks: str,
    wanted: Callable[[Unit], bool],
    path: Path,
    say: Callable[[str], None],
    authors: Path | None = None,
) -> None:
    """Carry out the missing runs that are wanted, save each in `folder` when it is finished, and write the record of
    all finished runs to `path`. Runs at tuned parameters follow when the runs of the grids are finished. walks: how
    local steps are computed, numpy or numba. authors: the file of the shipped curves; without it, the distances from
    them that `path` has are kept."""
    folder.mkdir(parents=True, exist_ok=True)
    known: dict[Unit, Any] = {}
    begin = time.monotonic()

    def load(unit: Unit) -> Any:
        if known.get(unit) is None:
            known[unit] = record.load_run(folder, unit, walks)
        return known[unit]

    def average(unit: Unit) -> float | None:
        found = load(unit)
        return None if found is None else float(found["average"])

    for stage in (lambda: record.units(), lambda: record.tuning(), lambda: record.tuned(average)):
        chosen = stage()
        missing = [unit for unit in chosen if load(unit) is None and wanted(unit)]
        say(f"{len(chosen) - len(missing)} of {len(chosen)} runs are there, or not asked for")
        for number, (unit, result) in enumerate(engine(missing), start=1):
            record.save_run(folder, unit, walks, result)
            known[unit] = result
            word = "DIVERGED" if result["diverged"] else f"{result['average']:.4f}"
            say(
                f"{number}/{len(missing)} {unit.stem}: {word}, {result['seconds']:.1f} s CPU,"
                f" {time.monotonic() - begin:.0f} s since the start"
            )
    _write(known, walks, folder, path, authors)


def _ceilings(data: MultiLabel, folder: Path) -> dict[str, Any]:
    """Return the rewards of supervised learners on the data, as upper limits for bandits. They are cached for each
    version of the files."""
    path, digest = folder / f"ceilings-{data.name}.json", dict(data.digest)
    with contextlib.suppress(RecordError):
        body = read_checked(path)
        if body["digest"] == digest:
            return dict(body["found"])
    found = ceilings(data)
    write_checked(path, {"digest": digest, "found": found})
    return found


def _write(known: dict[Unit, Any], walks: str, folder: Path, path: Path, authors: Path | None) -> None:
    done = {unit: result for unit, result in known.items() if result is not None}
    facts: dict[str, Any] = {}
    for name in sorted({unit.dataset for unit in done}):
        data = table(name)
        facts[name] = data.facts() | {"digest": dict(data.digest)} | _ceilings(data, folder)
    more: dict[str, Any] = {"released": {}}
    if authors is not None:
        rows: dict[str, list[Any]] = {}
        for unit, result in done.items():
            if (unit.reading, unit.method) == ("released", "fedavg"):
                rows.setdefault(unit.dataset, []).append(result)
        more["released"] = distances(authors, rows)
    else:
        with contextlib.suppress(RecordError, KeyError):
            more["released"] = read_checked(path)["released"]
    with contextlib.suppress(RecordError):
        more["speed"] = read_checked(folder / "speed.json")["rows"]
    record.collect(done.items(), path, data=facts, engine=walks, **more)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m fedigw_extensions.neural.figures", description=__doc__)
    parser.add_argument(
        "--out", type=Path, default=Path("build/experiments"), help="where finished runs are saved"
    )
    parser.add_argument("--record", type=Path, default=record.PLACE, help="the record to write")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--engine", default="local", help="local or dask")
    parser.add_argument("--scheduler", help="of a Dask cluster")
    parser.add_argument("--walks", default="numba" if available() else "numpy", help="numpy or numba")
    parser.add_argument("--collect", action="store_true", help="run nothing: the record of what is there")
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
        if options.jobs < 1:
            raise InputError("--jobs", options.jobs, "must be a positive integer")
        seeds = None if options.seeds is None else check_seeds(options.seeds)
        if options.grid is not None:
            name, values = check_grid(options.grid)
            METHODS[name] = replace(METHODS[name], grid=values)

        def wanted(unit: Unit) -> bool:
            reported = seeds is None or unit.seed in seeds or unit.seed in TUNED_ON
            return options.only in unit.stem and reported

        if options.speed:
            one_thread()
            rows = [row for name in KNOWN for row in measure(table(name))]
            write_checked(options.out / "speed.json", {"rows": rows})
        work, authors = engine_of(options), options.authors
        campaign(options.out, work, options.walks, wanted, options.record, _say, authors)
    except InputError as error:
        sys.stderr.write(f"experiments: {error}\n")
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
