"""Read and write the record of the runs on real data, one JSON file from which the page and the claims are made.

It contains every run, diverged ones included, with digests of the data and of the run's setting. `make experiments`
adds missing runs, and writes the record after each.
"""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

from fedigw.record import canonical, read_checked, write_checked
from fedigw_extensions.neural.figures.methods import METHODS, READINGS, STEP_SIZES, TUNED, TUNED_ON, setting

USUAL = READINGS[TUNED].methods  # those that also run at their usual parameter
PLACE = Path(__file__).resolve().parent / "record.json"


@dataclass(frozen=True)
class Unit:
    """The parameters that identify one run. reading: the setting of the experiment. value: the parameter of the
    policy, None for the default. tuned: whether this value was chosen by tuning."""

    dataset: str
    reading: str
    method: str
    seed: int
    value: float | None = None
    tuned: bool = False

    @property
    def stem(self) -> str:
        value = "" if self.value is None else f"-{self.value:g}"
        return f"{self.dataset}-{self.reading}-{self.method}-{self.seed}{value}"


Known = Mapping[Unit, Mapping[str, Any] | None]


def units() -> list[Unit]:
    """Return all runs at the default parameters, ordered by seed, so that a partial record has equally many runs per
    method."""
    found = []
    for reading, asked in READINGS.items():
        for dataset, count in asked.seeds.items():
            for method in asked.methods:
                for seed in range(count):
                    found.append(((seed + 0.5) / count, Unit(dataset, reading, method, seed)))
    return [unit for _, unit in sorted(found, key=lambda pair: pair[0])]


def tuning() -> list[Unit]:
    """Return the runs that choose parameters, on seeds that are not reported; equally many for each tunable method."""
    return [
        Unit(dataset, TUNED, method, seed, value)
        for seed in TUNED_ON
        for dataset in STEP_SIZES
        for method, row in METHODS.items()
        for value in row.grid
    ]


def chosen(average: Callable[[Unit], float | None], dataset: str, method: str) -> float | None:
    """Return the parameter value with the largest mean reward on the tuning seeds, or None if a run is missing.
    average: the mean reward of a run. Values are compared on the seeds that are finished for all of them."""
    grid, best = METHODS[method].grid, {}
    table = {
        seed: [average(Unit(dataset, TUNED, method, seed, value)) for value in grid] for seed in TUNED_ON
    }
    whole = [row for row in table.values() if None not in row]
    if not whole:
        return None
    best = {value: sum(row[i] or 0.0 for row in whole) for i, value in enumerate(grid)}
    return max(best, key=lambda value: best[value])


def tuned(average: Callable[[Unit], float | None]) -> list[Unit]:
    """Return the runs at chosen parameter values that differ from the defaults. average: the mean reward of a run."""
    found = []
    for (dataset, count), (method, row) in product(READINGS[TUNED].seeds.items(), METHODS.items()):
        value = chosen(average, dataset, method) if row.grid else None
        usual = setting(dataset, TUNED, method).parameter if method in USUAL else None
        if value not in (None, usual):
            found += [Unit(dataset, TUNED, method, seed, value, True) for seed in range(count)]
    return sorted(found, key=lambda unit: unit.seed)


def made_with(unit: Unit, engine: str) -> str:
    """Return a digest of everything that determines a run, except data and seed."""
    asked = asdict(setting(unit.dataset, unit.reading, unit.method, unit.value)) | {"engine": engine}
    return hashlib.sha256(canonical(asked).encode()).hexdigest()[:8]


def finished(record: Mapping[str, Any], engine: str) -> dict[Unit, dict[str, Any]]:
    """Return the recorded runs made with the present settings and this engine. All other runs must be made again."""
    found = {}
    for run in record.get("runs", []):
        unit = Unit(**{field.name: run[field.name] for field in fields(Unit) if field.name in run})
        known = unit.reading in READINGS and unit.method in METHODS
        if known and run["made_with"] == made_with(unit, engine):
            found[unit] = {key: value for key, value in run.items() if key not in (*vars(unit), "made_with")}
    return found


def averages(record: Mapping[str, Any]) -> Callable[[Unit], float | None]:
    """Return a function that gives the mean reward of a run that tunes a parameter, or None if it is not recorded."""
    found = {
        (run["dataset"], run["method"], run["seed"], run.get("value")): float(run["average"])
        for run in record["runs"]
        if run["seed"] in TUNED_ON and run["reading"] == TUNED
    }
    return lambda unit: found.get((unit.dataset, unit.method, unit.seed, unit.value))


def runs_of(
    record: Mapping[str, Any], dataset: str, reading: str, method: str, tuned: bool = False
) -> list[dict[str, Any]]:
    """Return the recorded runs of one method, diverged ones included, at the default parameter or, if `tuned`, at the
    chosen one. If both are equal, or the method has no parameter, `tuned` changes nothing."""
    if tuned:
        best = chosen(averages(record), dataset, method) if METHODS[method].grid else None
        tuned = best not in (None, setting(dataset, reading, method).parameter) or method not in USUAL
    return [
        run
        for run in record["runs"]
        if (run["dataset"], run["reading"], run["method"]) == (dataset, reading, method)
        and run["seed"] not in TUNED_ON
        and run.get("tuned", False) == tuned
    ]


def collect(runs: Mapping[Unit, Mapping[str, Any]], path: Path, engine: str, **more: Any) -> None:
    """Write the record: all runs in order, those of the tuning without curves. engine: how local steps were
    computed. more: facts about the data sets, speeds, and distances from the shipped curves."""
    rows = []
    for unit in sorted(runs, key=lambda unit: unit.stem):
        named = {key: value for key, value in asdict(unit).items() if value not in (None, False)}
        named |= {"seed": unit.seed, "made_with": made_with(unit, engine)}
        left_out = {"curve"} if unit.seed in TUNED_ON else set()
        rows.append(named | {k: v for k, v in runs[unit].items() if k not in left_out})
    write_checked(path, {"runs": rows, "engine": engine, **more})


@cache
def load(path: Path = PLACE) -> dict[str, Any]:
    """Return the record of the real-data runs, which is distributed with this program."""
    body: dict[str, Any] = read_checked(path)
    return body
