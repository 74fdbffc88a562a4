"""python -m fedigw_extensions.neural.figures (make experiments): all runs on real data, on local processes or Dask.

Every finished run is saved at once. An interrupted campaign leaves a valid record, and the page states how many seeds
each method has.
"""

import argparse
import contextlib
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from bounds.errors import InputError, choose
from fedigw.record import RecordError, read_checked, write_checked
from fedigw.threads import one_thread
from fedigw_extensions.neural.datasets import cache
from fedigw_extensions.neural.datasets.multilabel import MultiLabel
from fedigw_extensions.neural.figures import record
from fedigw_extensions.neural.figures.methods import AGENTS, FLOOR, METHODS, READINGS, STEP_SIZES, SWEPT
from fedigw_extensions.neural.figures.record import Unit
from fedigw_extensions.neural.figures.runs import run
from fedigw_extensions.neural.network import available
from fedigw_extensions.neural.supervised import ceilings

AUDITED = ("fedigw_fedavg", *SWEPT)  # whose excess risk is computed after every call, with a few seeds

_TABLES: dict[str, MultiLabel] = {}


def one(unit: Unit, engine: str) -> tuple[Unit, dict[str, Any]]:
    """Carry out one run in this process."""
    one_thread()
    data = _TABLES.setdefault(unit.dataset, cache.load(unit.dataset))
    audit = unit.method in AUDITED and unit.seed < record.FEW
    reading, method = READINGS[unit.reading], METHODS[unit.method]
    return unit, run(data, reading, method, unit.seed, STEP_SIZES[unit.dataset], engine, audit=audit)


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
    folder: Path, engine: Engine, walks: str, chosen: list[Unit], path: Path, say: Callable[[str], None]
) -> None:
    """Carry out the missing runs, save each in `folder` when it is finished, and write the record of all runs to
    `path`. walks: how local steps are computed, numpy or numba."""
    folder.mkdir(parents=True, exist_ok=True)
    made_with = {unit: record.settings(unit, walks) for unit in chosen}
    known = {unit: record.load_run(folder, unit, made_with[unit]) for unit in chosen}
    missing = [unit for unit in chosen if known[unit] is None]
    say(f"{len(chosen) - len(missing)} of {len(chosen)} runs are there")
    start = time.monotonic()
    for number, (unit, result) in enumerate(engine(missing), start=1):
        record.save_run(folder, unit, made_with[unit], result)
        known[unit] = result
        word = "DIVERGED" if result["diverged"] else f"{result['average']:.4f}"
        say(
            f"{number}/{len(missing)} {unit.stem}: {word}, {result['seconds']:.1f} s CPU,"
            f" {time.monotonic() - start:.0f} s since the start"
        )
    _write(known, walks, folder, path)
    for method, seconds in _time_by_method(known).items():
        say(f"{method:20} {seconds:8.1f} s CPU a run")


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


def _write(known: dict[Unit, Any], walks: str, folder: Path, path: Path) -> None:
    done = [(unit, result) for unit, result in known.items() if result is not None]
    names = sorted({unit.dataset for unit, _ in done})
    facts = {}
    for name in names:
        data = cache.load(name)
        facts[name] = data.facts() | {"digest": dict(data.digest)} | _ceilings(data, folder)
    about = {
        "readings": {
            name: record.settings(Unit("", name, "greedy", 0), walks)["reading"] for name in READINGS
        },
        "agents": AGENTS,
        "floor": FLOOR,
        "step_sizes": STEP_SIZES,
        "planned": dict(sorted(Counter(f"{u.dataset}-{u.reading}-{u.method}" for u in known).items())),
        "engine": walks,
    }
    record.collect(done, facts, about, path)


def _time_by_method(known: dict[Unit, Any]) -> dict[str, float]:
    found: dict[str, list[float]] = {}
    for unit, result in known.items():
        if result is not None:
            found.setdefault(f"{unit.dataset} {unit.reading} {unit.method}", []).append(result["seconds"])
    return {name: sum(seconds) / len(seconds) for name, seconds in sorted(found.items())}


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
    options = parser.parse_args(arguments)
    try:
        choose("--engine", options.engine, ("local", "dask"))
        if options.jobs < 1:
            raise InputError("--jobs", options.jobs, "must be a positive integer")
        chosen = [unit for unit in record.units() if options.only in unit.stem]
        campaign(options.out, engine_of(options), options.walks, chosen, options.record, _say)
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
