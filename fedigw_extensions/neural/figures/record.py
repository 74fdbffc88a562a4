"""Read and write the record of the real-data runs, one JSON file from which the page and the claims are made.

record.json contains every run, diverged ones included, the digests of the data and the settings. `make experiments`
makes it again and saves every finished run.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from fedigw.record import RecordError, read_checked, write_checked
from fedigw_extensions.neural.figures.methods import MAIN, METHODS, READINGS, SWEPT

PLACE = Path(__file__).resolve().parent / "record.json"


@dataclass(frozen=True, order=True)
class Unit:
    """The parameters that identify one run."""

    dataset: str
    reading: str
    method: str
    seed: int

    @property
    def stem(self) -> str:
        return f"{self.dataset}-{self.reading}-{self.method}-{self.seed}"


SEEDS = {"bibtex": 10, "delicious": 5}  # of every method of the figures
FEW = 3  # seeds of what is not in the figures: the sweep of gamma, linear models, 100 communications a call
AT_100 = ("fedigw_fedavg", "greedy", "softmax", "falcon")


def beside(unit: Unit) -> bool:
    return unit.method in (*SWEPT, "linear") or unit.reading == "per_call_100"


def methods(dataset: str, reading: str) -> list[str]:
    """Return the methods to run. reading: the interpretation of "100 communications". Baselines that make no FL calls
    do not depend on it and are run for one only; gamma is varied on one data set only."""
    if reading == "per_call_100":
        return list(AT_100) if dataset == "bibtex" else []
    if reading == "per_run":
        return list(MAIN)
    return [name for name in METHODS if dataset == "bibtex" or name not in SWEPT]


def units() -> list[Unit]:
    """Return all runs, seed by seed, so that an unfinished record is balanced. Runs outside the figures come last."""
    found = []
    for dataset, count in SEEDS.items():
        for reading in READINGS:
            for place, name in enumerate(methods(dataset, reading)):
                for seed in range(count):
                    unit = Unit(dataset, reading, name, seed)
                    if not beside(unit) or seed < FEW:
                        turn = seed * SEEDS["bibtex"] // count
                        found.append((beside(unit), turn, dataset, reading, place, unit))
    return [entry[-1] for entry in sorted(found)]


def settings(unit: Unit, engine: str) -> dict[str, Any]:
    """Return everything but the data that determines a run."""
    method = METHODS[unit.method]
    return {
        "reading": asdict(READINGS[unit.reading]),
        "method": dict(title=method.title, gamma=method.gamma, protocol=method.protocol, model=method.model),
        "engine": engine,
    }


def save_run(folder: Path, unit: Unit, made_with: Mapping[str, Any], result: Mapping[str, Any]) -> None:
    body = {"unit": asdict(unit), "settings": dict(made_with), "result": dict(result)}
    write_checked(folder / f"{unit.stem}.json", body)


def load_run(folder: Path, unit: Unit, made_with: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the saved run of this unit if it was made with these settings, else None."""
    try:
        body = read_checked(folder / f"{unit.stem}.json")
    except RecordError:
        return None
    found: dict[str, Any] | None = body["result"] if body["settings"] == dict(made_with) else None
    return found


def collect(
    results: Iterable[tuple[Unit, Mapping[str, Any]]],
    facts: Mapping[str, Any],
    about: Mapping[str, Any],
    path: Path,
) -> None:
    """Write the record: facts about the data sets including digests, settings, and all runs in order."""
    runs = [asdict(unit) | dict(result) for unit, result in sorted(results, key=lambda pair: pair[0])]
    write_checked(path, {"data": dict(facts), "about": dict(about), "runs": runs})


def runs_of(record: Mapping[str, Any], dataset: str, reading: str, method: str) -> list[dict[str, Any]]:
    """Return the recorded runs of one method, diverged ones included. reading: the interpretation of "100
    communications"."""
    wanted = (dataset, reading, method)
    return [run for run in record["runs"] if (run["dataset"], run["reading"], run["method"]) == wanted]


@cache
def load(path: Path = PLACE) -> dict[str, Any]:
    """Return the record of the real-data runs, which is distributed with this program."""
    body: dict[str, Any] = read_checked(path)
    return body
