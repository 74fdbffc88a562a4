"""Read and write the record of the real-data runs, one JSON file from which the page and the claims are made.

record.json contains every run, diverged ones included, the digests of the data and the settings. `make experiments`
makes it again and saves every finished run.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from fedigw.record import RecordError, read_checked, write_checked
from fedigw_extensions.neural.figures.methods import METHODS, READINGS, STEP_SIZES, TUNED, TUNED_ON, setting

PLACE = Path(__file__).resolve().parent / "record.json"


@dataclass(frozen=True)
class Unit:
    """The parameters that identify one run. value: the parameter of the policy, None for the usual one. tuned: whether
    the value was chosen on the grid."""

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
    """Return all runs at the default parameters: every method with one seed before the next seed begins, so that an
    interrupted record has equally many runs of each method."""
    found = []
    for reading, asked in READINGS.items():
        for dataset, count in asked.seeds.items():
            for method in asked.methods:
                for seed in range(count):
                    found.append(((seed + 0.5) / count, Unit(dataset, reading, method, seed)))
    return [unit for _, unit in sorted(found, key=lambda pair: pair[0])]


def tuning() -> list[Unit]:
    """Return the runs of the grids, on seeds that are not reported. All tunable methods have equally many values."""
    return [
        Unit(dataset, TUNED, method, seed, value)
        for seed in TUNED_ON
        for dataset in STEP_SIZES
        for method, row in METHODS.items()
        for value in row.grid
    ]


def chosen(average: Callable[[Unit], float | None], dataset: str, method: str) -> float | None:
    """Return the value of the grid with the largest mean reward on the tuning seeds, or None if a run is missing.
    Values are compared on the seeds that are finished for all of them."""
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
    """Return the runs at the chosen values, where these are not the usual ones."""
    found = []
    for dataset, count in READINGS[TUNED].seeds.items():
        for method, row in METHODS.items():
            if not row.grid:
                continue
            value = chosen(average, dataset, method)
            if value is not None and (
                value != setting(dataset, TUNED, method).parameter or method == "epsilon"
            ):
                found += [
                    ((s + 0.5) / count, Unit(dataset, TUNED, method, s, value, True)) for s in range(count)
                ]
    return [unit for _, unit in sorted(found, key=lambda pair: pair[0])]


def save_run(folder: Path, unit: Unit, engine: str, result: Mapping[str, Any]) -> None:
    write_checked(
        folder / f"{unit.stem}.json", {"made_with": made_with(unit, engine), "result": dict(result)}
    )


def made_with(unit: Unit, engine: str) -> dict[str, Any]:
    """Return everything but data and seed that determines a run."""
    return asdict(setting(unit.dataset, unit.reading, unit.method, unit.value)) | {"engine": engine}


def load_run(folder: Path, unit: Unit, engine: str) -> dict[str, Any] | None:
    """Return the saved run of this unit if it was made with these settings, else None."""
    try:
        body = read_checked(folder / f"{unit.stem}.json")
    except RecordError:
        return None
    return body["result"] if body["made_with"] == made_with(unit, engine) else None


def runs_of(
    record: Mapping[str, Any], dataset: str, reading: str, method: str, tuned: bool = False
) -> list[dict[str, Any]]:
    """Return the reported runs of one method, diverged ones included, at the usual parameter or at the tuned one. Where
    the tuned parameter is the usual one, the runs are the same."""
    here = [
        run
        for run in record["runs"]
        if (run["dataset"], run["reading"], run["method"]) == (dataset, reading, method)
        and run["seed"] not in TUNED_ON
    ]
    found = [run for run in here if run.get("tuned", False) == tuned]
    return found or (here if tuned else [])


def collect(results: Iterable[tuple[Unit, Mapping[str, Any]]], path: Path, **more: Any) -> None:
    """Write the record: all runs in order, those of the grids without curves, and `more`: facts about the data sets
    including digests, and distances from the shipped curves."""
    runs = []
    for unit, result in sorted(results, key=lambda pair: pair[0].stem):
        named = {key: value for key, value in asdict(unit).items() if value not in (None, False)}
        left_out = {"curve"} if unit.seed in TUNED_ON else set()
        runs.append(named | {"seed": unit.seed} | {k: v for k, v in result.items() if k not in left_out})
    write_checked(path, {"runs": runs, **more})


@cache
def load(path: Path = PLACE) -> dict[str, Any]:
    """Return the record of the real-data runs, which is distributed with this program."""
    body: dict[str, Any] = read_checked(path)
    return body
