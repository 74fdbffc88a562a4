"""The repetition of the figures: units, resuming, divergence, paired differences, and the page made of the record."""

import math
from dataclasses import replace

import numpy as np
import pytest

from fedigw_extensions.neural import page as experiments
from fedigw_extensions.neural.datasets.look_alike import look_alike
from fedigw_extensions.neural.figures import __main__ as driver
from fedigw_extensions.neural.figures import paired, record, runs, tables
from fedigw_extensions.neural.figures.curves import running_average, series
from fedigw_extensions.neural.figures.methods import FLOOR, METHODS, READINGS, Reading, federation
from fedigw_extensions.neural.figures.record import Unit
from verify.verdict import Verdict

DATA = look_alike("bibtex", 1, rows=120, features=40, labels=6)
TINY = Reading("tiny", 2, 2, None, 255, "")


def one(method, seed=0, **changes):
    return runs.run(DATA, TINY, METHODS[method], seed, changes.pop("step_size", 0.3), width=8, **changes)


def test_every_method_runs_and_the_seed_decides():
    for name in ("fedigw_fedavg", "falcon", "fn_ucb", "agr", "linear"):
        first, again = one(name), one(name)
        assert first["curve"] == again["curve"]
        assert first["diverged"] is None
        total = sum(n * r for n, r in zip(first["lengths"], first["curve"], strict=True))
        assert first["average"] == pytest.approx(total / sum(first["lengths"]), abs=1e-5)
        assert sum(first["lengths"]) == TINY.horizon
    assert one("fedigw_fedavg", 0)["curve"] != one("fedigw_fedavg", 1)["curve"]


def test_pairs_share_contexts_until_the_first_model():
    curves = [one(name)["curve"] for name in ("fedigw_fedavg", "greedy", "softmax", "fedigw_scaffold")]
    lengths = one("greedy")["lengths"]
    uniform = next(i for i, length in enumerate(lengths) if length >= FLOOR) + 1
    assert all(curve[:uniform] == curves[0][:uniform] for curve in curves)


def test_excess_risk_and_the_ledger_of_a_run():
    found = one("fedigw_fedavg", audit=True)
    played = federation(DATA, TINY, METHODS["fedigw_fedavg"], 0.3, width=8)
    calls = sum(played.plan.learns(epoch) for epoch in range(played.plan.epochs))
    size = played.model.network.size
    assert len(found["excess_risk"]) == calls == 1
    assert found["traffic"]["rounds"] == 2 * calls
    assert found["traffic"]["numbers"] == 2 * 2 * 10 * size
    assert found["traffic"]["bytes"] == 4 * found["traffic"]["numbers"]


@pytest.mark.parametrize("method", ["fedigw_scaffold", "falcon"])
def test_a_run_that_diverges_ends_with_its_epoch_and_is_kept(method):
    found = one(method, step_size=1e9)
    assert "epoch 7" in found["diverged"]
    assert "step size 1e+09: the iterates overflow" in found["diverged"]
    assert 0 < found["average"] < 0.5  # what was earned before, over all steps
    assert found["lengths"]
    record_of_it = {"runs": [{"dataset": "d", "reading": "r", "method": method, "seed": 0} | found]}
    assert [run["average"] for run in record.runs_of(record_of_it, "d", "r", method)] == [found["average"]]
    _, average = running_average(found)
    assert average[-1] == pytest.approx(found["average"], abs=1e-5)


def test_scaffold_without_a_floor_fails_on_a_handful_of_samples_and_says_where():
    """What the floor is for: control variates read off one or two samples, at a step size that is fine later on."""
    played = federation(DATA, replace(TINY, rounds=60), METHODS["fedigw_scaffold"], 20.0, width=8)
    bare = replace(played, plan=replace(played.plan, floor=1), protocol=replace(played.protocol, batch=2))
    _, failure = runs.carried_out(bare, [0], False)
    assert failure is not None
    assert "agent" in failure
    assert "epoch 1, " in failure


def test_units_are_balanced_by_seed():
    units = record.units()
    assert len(set(units)) == len(units)
    for dataset, count in record.SEEDS.items():
        for reading in ("per_call", "per_run"):
            seeds = [
                u.seed for u in units if (u.dataset, u.reading, u.method) == (dataset, reading, "greedy")
            ]
            assert seeds == list(range(count))
    first = units[: len(units) // 4]
    assert max(u.seed for u in first) <= 3
    assert {u.method for u in units if u.reading == "per_run"} <= set(METHODS)


def test_a_campaign_resumes_and_other_settings_do_not(tmp_path, monkeypatch):
    done = []

    def engine(missing):
        for unit in missing:
            done.append(unit)
            yield unit, {"average": 0.5, "seconds": 1.0, "diverged": None}

    written = []
    monkeypatch.setattr(driver, "_write", lambda known, walks, folder, path: written.append(dict(known)))
    units = [Unit("bibtex", "per_run", "greedy", seed) for seed in range(3)]
    said: list[str] = []
    driver.campaign(tmp_path, engine, "numpy", units[:2], tmp_path / "r.json", said.append)
    driver.campaign(tmp_path, engine, "numpy", units, tmp_path / "r.json", said.append)
    assert done == units
    assert "2 of 3 runs are there" in said
    assert [len(known) for known in written] == [2, 3]
    (tmp_path / f"{units[0].stem}.json").write_text("{")  # damaged: made again
    driver.campaign(tmp_path, engine, "numpy", units, tmp_path / "r.json", said.append)
    assert done[3:] == units[:1]
    driver.campaign(tmp_path, engine, "numba", units[:1], tmp_path / "r.json", said.append)
    assert done[4:] == units[:1], "another engine is another run"


def test_the_driver_refuses_in_one_line(capsys):
    for arguments, words in ((["--engine", "grid"], "unknown"), (["--jobs", "0"], "positive integer")):
        assert driver.main(arguments) == 2
        assert words in capsys.readouterr().err


def made(values: dict[str, list[float]], dataset="bibtex", reading="per_call"):
    return {
        "runs": [
            {"dataset": dataset, "reading": reading, "method": method, "seed": seed, "average": value}
            for method, column in values.items()
            for seed, value in enumerate(column)
        ]
    }


def test_paired_differences_against_a_hand_calculation():
    asked = paired.Comparison("bibtex", "per_call", "a", "b")
    found = paired.compare(made({"a": [0.5, 0.6, 0.8], "b": [0.4, 0.4, 0.5, 0.9]}), asked)
    assert (found.seeds, found.mean) == (3, pytest.approx(0.2))  # differences 0.1 0.2 0.3
    assert found.sign_flip == pytest.approx(2 / 8)
    mean, low, high = paired.student(np.array([0.1, 0.2, 0.3]), 0.05)
    assert (low, high) == (
        pytest.approx(0.2 - 4.3027 * 0.1 / math.sqrt(3), abs=1e-4),
        pytest.approx(0.4484, abs=1e-4),
    )
    assert mean == pytest.approx(0.2)
    assert paired.compare(made({"a": [0.5], "b": [0.4]}), asked).verdict is Verdict.UNDECIDED
    assert paired.compare(made({"a": [0.5]}), asked).json()["mean"] is None


def test_a_sentence_needs_all_of_its_comparisons():
    values = {"fedigw_fedavg": [0.5, 0.51, 0.52, 0.5, 0.51], "agr": [0.1, 0.11, 0.12, 0.1, 0.11]}
    both = made(values)["runs"] + made(values, "delicious")["runs"]
    assert paired.judge({"runs": both}, "agr")[0] is Verdict.MEASURED
    assert paired.judge({"runs": both[:10]}, "agr")[0] is Verdict.UNDECIDED
    assert paired.judge({"runs": both}, "agr", ("agr", "fedigw_fedavg"))[0] is Verdict.REFUTED


def test_the_family_counts_every_comparison():
    every = [c for sentence in paired.SENTENCES.values() for c in sentence.comparisons]
    assert len(every) == len(set(every)) == paired.FAMILY


def test_curves_are_means_over_seeds():
    rows = [
        {"lengths": [2, 2], "curve": [0.0, value], "dataset": "d", "reading": "r", "method": "greedy"}
        for value in (0.2, 0.4)
    ]
    found = series({"runs": rows}, "d", "r", ["greedy", "softmax"])
    assert found["greedy"]["mean"] == [0.0, pytest.approx(0.15)]
    assert (found["greedy"]["seeds"], found["greedy"]["steps"], list(found)) == (2, [2, 4], ["greedy"])


def test_the_record_is_whole_and_names_its_data():
    kept = record.load()
    assert set(kept["data"]) == {"bibtex", "delicious"}
    for name, facts in kept["data"].items():
        assert (facts["features"], facts["labels"]) == tables.COUNTED[name]
        assert len(facts["digest"]["arff"]) == 64
    planned = {f"{u.dataset}-{u.reading}-{u.method}" for u in record.units()}
    assert {f"{r['dataset']}-{r['reading']}-{r['method']}" for r in kept["runs"]} <= planned
    for run in kept["runs"]:
        assert sum(run["lengths"]) == kept["about"]["readings"][run["reading"]]["horizon"]
        assert run["diverged"] or len(run["curve"]) == len(run["lengths"])
    assert {name: READINGS[name].rounds for name in READINGS} == {
        name: reading["rounds"] for name, reading in kept["about"]["readings"].items()
    }


def test_the_page_is_what_the_record_says():
    assert experiments.PAGE.read_text(encoding="utf-8") == experiments.page(record.load())
    for name in experiments.pictures(record.load()):
        assert (experiments.PICTURES / f"{name}.svg").exists()
