"""The record of the real-data runs: one small JSON file that the page and the claims are made from.

record.json holds every run that was made, the digests of the data and the settings; nothing
is dropped, also not a run that diverged. `make experiments` makes it again, one finished run on disk after another.
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
    """One run."""

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
    """Baselines with loops of their own know no FL calls, so they have one reading; gamma is swept on one data set."""
    if reading == "per_call_100":
        return list(AT_100) if dataset == "bibtex" else []
    if reading == "per_run":
        return list(MAIN)
    return [name for name in METHODS if dataset == "bibtex" or name not in SWEPT]


def units() -> list[Unit]:
    """Every run. Seed by seed, so that an unfinished record is balanced; what is not in the figures comes last."""
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
    """Return what decides a run, besides the data."""
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
    """Return a finished run with these settings, else None."""
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
    """Write the record: facts of the data sets (digests included), settings, and all runs, sorted."""
    runs = [asdict(unit) | dict(result) for unit, result in sorted(results, key=lambda pair: pair[0])]
    write_checked(path, {"data": dict(facts), "about": dict(about), "runs": runs})


def runs_of(record: Mapping[str, Any], dataset: str, reading: str, method: str) -> list[dict[str, Any]]:
    """The runs of one method, also those that diverged."""
    wanted = (dataset, reading, method)
    return [run for run in record["runs"] if (run["dataset"], run["reading"], run["method"]) == wanted]


@cache
def load(path: Path = PLACE) -> dict[str, Any]:
    """Return the record that is part of this program."""
    body: dict[str, Any] = read_checked(path)
    return body
