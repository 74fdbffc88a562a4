"""Check the tables of the experiments: the sizes of the data, and gamma = 7000 compared with Theorem 4.1's rate."""

import math
from typing import Any

from bounds.errors import InputError
from fedigw_extensions.neural.datasets import cache
from fedigw_extensions.neural.datasets.known import KNOWN
from fedigw_extensions.neural.figures import methods as used
from fedigw_extensions.neural.figures import record as records
from verify.claim import Evidence, Task, Verdict

PRINTED = {"bibtex": (1835, 159), "delicious": (500, 983)}  # Table 3: context dimension, number of arms
COUNTED = {name: (known.features, known.labels) for name, known in KNOWN.items()}


def sizes(task: Task, table: dict[str, tuple[int, int]]) -> Evidence:
    """Compare the numbers of features and labels of the data sets with a table of the paper. They are counted if the
    files are stored, else taken from the recorded runs."""
    kept = records.load()["data"]
    rows, wrong = [], []
    for name, (dimension, arms) in table.items():
        facts, digest = kept[name], kept[name]["digest"]["arff"][:12]
        try:
            data = cache.load(name)
            if dict(data.digest) == kept[name]["digest"]:
                facts = data.facts()
        except InputError:
            pass  # not on this machine
        rows.append(
            {"data": name, "stated": [dimension, arms], "found": [facts["features"], facts["labels"]]}
        )
        if (dimension, arms) != (facts["features"], facts["labels"]):
            wrong.append(
                f"{name} has {facts['features']} features and {facts['labels']} labels (SHA-256 {digest})"
            )
    said = [f"{row['data']} {row['found'][0]} features, {row['found'][1]} labels" for row in rows]
    verdict = Verdict.FLOAT.unless(bool(wrong))
    return Evidence(verdict, "; ".join(wrong or said), {"rows": rows}, replay="python -m verify data list")


def theorem_rates(record: Any = None) -> list[dict[str, Any]]:
    """Return Theorem 4.1's learning rate sqrt(K/E) for each recorded run at which the excess risk E was measured after
    each FL call; K arms."""
    kept = record or records.load()
    rows = []
    for run in kept["runs"]:
        if run["method"] == "fedavg" and "value" not in run and run["excess_risk"]:
            arms = kept["data"][run["dataset"]]["labels"]
            rates = [round(math.sqrt(arms / risk), 2) for risk in run["excess_risk"]]
            of = {"data": run["dataset"], "reading": run["reading"], "seed": run["seed"]}
            more = {"risks": run["excess_risk"], "rates": rates, "needed": arms / used.GAMMA**2}
            rows.append(of | more)
    return rows


def gamma_above_the_theorems(task: Task, gamma: float = used.GAMMA) -> Evidence:
    """Check that gamma exceeds sqrt(K/E), the learning rate of Theorem 4.1 for K arms, after every FL call. The excess
    risk E is computed exactly over the table."""
    rows = theorem_rates()
    largest = max((rate for row in rows for rate in row["rates"]), default=math.nan)
    smallest = min((rate for row in rows for rate in row["rates"]), default=math.nan)
    figures = {"rows": rows, "gamma": gamma, "largest": largest}
    said = f"sqrt(K/E) is {smallest:.1f} to {largest:.1f} with the excess risks measured in {len(rows)} runs"
    above = f"{said}; gamma = {gamma:g} is {gamma / largest:.3g} times the largest"
    return Evidence(Verdict.FLOAT.unless(not gamma > largest), above, figures)


TABLE_5 = {
    "bibtex": {"step_size": 0.1, "batch": 64, "gamma": 7000.0, "temperature": 0.02},
    "delicious": {"step_size": 0.2, "batch": 64, "gamma": 7000.0, "temperature": 0.02},
}


def settings_used(task: Task, changed: float | None = None) -> Evidence:
    """Check that the recorded runs used the hyperparameters of Table 5, except for the number of communications.
    changed: a wrong gamma, for the negative control."""
    rows, wrong = [], []
    for name, stated in TABLE_5.items():
        here, softmax = (
            used.setting(name, "per_run", "fedavg", changed),
            used.setting(name, "per_run", "softmax"),
        )
        ours = {
            "step_size": here.step_size,
            "batch": here.batch,
            "gamma": here.parameter,
            "temperature": softmax.parameter,
        }
        rows.append({"data": name, "stated": stated, "used": ours})
        wrong += [
            f"{name}: {key} {ours[key]:g}, not {value:g}"
            for key, value in stated.items()
            if ours[key] != value
        ]
    if wrong:
        return Evidence(Verdict.REFUTED, "; ".join(wrong), {"rows": rows})
    communications = "; ".join(
        f"{name}: {used.setting('bibtex', name, 'fedavg').rounds} in a call, {_seeds(name)}"
        for name in used.READINGS
    )
    said = f"as in Table 5; communications, where it says 100: {communications}"
    return Evidence(Verdict.FLOAT, said, {"rows": rows})


def _seeds(reading: str) -> str:
    found = {
        name: len(records.runs_of(records.load(), name, reading, "fedavg")) for name in records.load()["data"]
    }
    return ", ".join(f"{count} seeds on {name}" for name, count in found.items() if count) or "not run"
