"""The repetition of the figures: units, tuning, resuming, intervals, verdicts, and the page made of the record."""

import itertools
import json
from dataclasses import replace

import numpy as np
import pytest

from bounds.errors import InputError
from fedigw_extensions.neural import page as experiments
from fedigw_extensions.neural.claims import fig_exp_main, fig_exp_single
from fedigw_extensions.neural.datasets import cache
from fedigw_extensions.neural.datasets.look_alike import look_alike
from fedigw_extensions.neural.figures import __main__ as driver
from fedigw_extensions.neural.figures import paired, record, released, tables
from fedigw_extensions.neural.figures.curves import logged, running_average
from fedigw_extensions.neural.figures.methods import METHODS, READINGS, TUNED, TUNED_ON, setting
from fedigw_extensions.neural.figures.record import Unit
from verify.verdict import Verdict


def test_units_are_balanced_by_seed_and_never_tuned_on():
    units = record.units()
    assert len(set(units)) == len(units)
    for reading, asked in READINGS.items():
        for dataset, count in asked.seeds.items():
            for method in asked.methods:
                seeds = [
                    u.seed for u in units if (u.dataset, u.reading, u.method) == (dataset, reading, method)
                ]
                assert seeds == list(range(count))
    half = units[: len(units) // 2]
    assert all(u.seed < 0.55 * READINGS[u.reading].seeds[u.dataset] + 1 for u in half)
    assert not {u.seed for u in units} & set(TUNED_ON)
    assert {u.seed for u in record.tuning()} == set(TUNED_ON)
    assert len({len(row.grid) for row in METHODS.values() if row.grid}) == 1, "the same budget for all"


def test_tuned_values_are_chosen_on_the_grid_and_differ_from_the_usual_one():
    def average(unit):
        return 0.1 if unit.seed == TUNED_ON[1] and unit.value == 1000 else 1 / unit.value

    assert record.chosen(average, "bibtex", "fedavg") == 1000.0
    assert record.chosen(lambda unit: None, "bibtex", "fedavg") is None
    found = {(u.method, u.value) for u in record.tuned(average)}
    assert found == {("fedavg", 1000.0), ("softmax", 0.005), ("epsilon", 0.01), ("fn_ucb", 0.03)}
    best = {u.method for u in record.tuned(lambda unit: unit.value)}
    assert best == {"fedavg", "softmax", "epsilon", "fn_ucb"}
    usual = record.tuned(lambda unit: 1.0 if unit.value in (7000.0, 0.02, 0.1) else 0.0)
    assert {u.method for u in usual} == {"epsilon"}, "runs at the usual value are there already"


def test_runs_at_the_usual_parameter_do_not_pass_for_tuned_ones():
    grid = [
        {
            "dataset": "bibtex",
            "reading": TUNED,
            "method": "fedavg",
            "seed": TUNED_ON[0],
            "value": value,
            "average": mean,
        }
        for value, mean in zip(METHODS["fedavg"].grid, (0.1, 0.2, 0.3, 0.1), strict=True)
    ]
    usual = made({"fedavg": [0.4] * 3, "greedy": [0.3] * 3}, reading=TUNED)
    runs = {"runs": grid + usual}
    assert record.runs_of(runs, "bibtex", TUNED, "fedavg", tuned=True) == []
    assert len(record.runs_of(runs, "bibtex", TUNED, "greedy", tuned=True)) == 3, "it has no parameter"
    runs["runs"] += [run | {"tuned": True, "value": 20_000.0} for run in usual[:2]]
    assert len(record.runs_of(runs, "bibtex", TUNED, "fedavg", tuned=True)) == 2
    grid[1]["average"] = 0.9  # 7000, the usual one
    assert len(record.runs_of(runs, "bibtex", TUNED, "fedavg", tuned=True)) == 3


def test_a_campaign_continues_the_record_and_another_setting_begins_anew(tmp_path, monkeypatch):
    path, done = tmp_path / "record.json", []
    units = [Unit("bibtex", "per_run", "greedy", seed) for seed in range(4)]
    monkeypatch.setattr(driver, "_facts", lambda *_: {})

    def campaign(seeds, walks="numpy", last=99):
        def engine(missing):
            for unit in missing:
                if unit.seed > last:
                    raise KeyboardInterrupt
                done.append(unit.seed)
                yield unit, {"average": 0.5, "seconds": 1.0, "diverged": None, "curve": []}

        del done[:]
        driver.campaign(path, engine, walks, lambda u: u in units[:seeds], lambda line: None)
        return list(done)

    assert campaign(2) == [0, 1]
    with pytest.raises(KeyboardInterrupt):
        campaign(4, last=2)
    assert campaign(4) == [3]
    with pytest.raises(InputError, match=r"walks = numba: would replace the 4 runs of .*, made with numpy"):
        campaign(1, "numba")
    changed = replace(METHODS["greedy"], changes={"policy": "igw"})
    monkeypatch.setitem(METHODS, "greedy", changed)
    assert campaign(1) == [0], "another setting is another run"
    path.write_text("{")
    with pytest.raises(InputError, match="would be lost"):
        campaign(1)
    assert path.read_text() == "{"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--engine", "grid"], "unknown"),
        (["--jobs", "0"], "positive integer"),
        (["--seeds", f"0,{TUNED_ON[0]}"], "parameters were chosen on it, so its rewards are not reported"),
        (["--seeds", "one"], "must be numbers"),
        (["--seeds", "-1"], "must be non-negative"),
        (["--walks", "run"], "unknown"),
        (["--engine", "dask", "--scheduler", "nowhere", "--only", "nothing"], "does not answer"),
        (["--collect", "--record", "."], "would be lost"),
        (["--grid", "softmax=nan"], "positive and finite"),
        (["--grid", "softmax="], "has no values"),
        (["--grid", "softmax=warm"], "must be a method and numbers"),
        (["--grid", "softmx=1"], "did you mean 'softmax'"),
        (["--collect", "--authors", "nowhere.json"], "is no file of curves"),
    ],
)
def test_the_driver_refuses_in_one_line(capsys, tmp_path, arguments, words):
    assert driver.main(["--record", str(tmp_path / "r.json"), *arguments]) == 2
    said = capsys.readouterr().err
    assert words in said
    assert said.count("\n") == 1


def test_a_table_with_other_sizes_than_stated_is_refused(tmp_path, monkeypatch):
    monkeypatch.setenv(cache.FOLDER, str(tmp_path))
    cache.keep(replace(look_alike("bibtex", 1, rows=50, features=20, labels=5), name="bibtex"))
    with pytest.raises(
        InputError, match=r"\(50, 20, 5\): must have rows, features, labels \(7395, 1836, 159\)"
    ):
        driver.table("bibtex")
    monkeypatch.setitem(
        driver.KNOWN, "bibtex", replace(driver.KNOWN["bibtex"], rows=50, features=20, labels=5)
    )
    with pytest.raises(InputError, match="is another version than the runs used"):
        driver.table("bibtex")


def test_the_interval_is_hartigans_by_brute_force():
    values = np.random.default_rng(0).standard_normal(8)
    subsets = [s for n in range(1, 9) for s in itertools.combinations(range(8), n)]
    means = sorted(float(values[list(s)].mean()) for s in subsets)
    low, high = paired.interval(values, 0.05)  # 0.025 * 256 = 6.4
    assert (low, high) == (pytest.approx(means[5]), pytest.approx(means[-6]))
    assert paired.interval(values[:5], 0.05) == (-np.inf, np.inf), "five seeds decide nothing at 0.05"
    assert paired.interval(values, 2 / 256) == (pytest.approx(values.min()), pytest.approx(values.max()))


def test_the_interval_covers_symmetric_laws_at_its_level():
    rng = np.random.default_rng(1)
    draws = rng.choice([-1, 1], (1000, 8)) * rng.exponential(size=(1000, 8))
    missed = np.mean([not low <= 0 <= high for low, high in (paired.interval(row, 0.05) for row in draws)])
    assert missed < 0.05 + 3 * np.sqrt(0.05 * 0.95 / 1000)  # three standard errors; 12/256 is its exact level


def made(values, dataset="bibtex", reading="per_call"):
    return [
        {
            "dataset": dataset,
            "reading": reading,
            "method": method,
            "seed": seed,
            "average": value,
            "last": value,
        }
        for method, column in values.items()
        for seed, value in enumerate(column)
    ]


def test_paired_differences_and_what_was_visible():
    asked = paired.Comparison("bibtex", "per_call", "fedavg", "agr")
    column = [0.5, 0.6, 0.8]
    found = paired.compare({"runs": made({"fedavg": column, "agr": [0.4, 0.4, 0.5, 0.9]})}, asked)
    assert (len(found.values), found.mean) == (3, pytest.approx(0.2))  # differences 0.1 0.2 0.3
    assert found.verdict is Verdict.UNDECIDED
    assert found.json()["low"] is None
    twelve = paired.Difference(asked, tuple(0.1 + 0.01 * i for i in range(12)), 0.05)
    assert twelve.verdict is Verdict.MEASURED
    reach = 2.2010 + 0.8755  # Student's quantiles at 0.975 and 0.8 with 11 degrees of freedom
    assert twelve.visible == pytest.approx(reach * np.std(twelve.values, ddof=1) / np.sqrt(12), rel=1e-3)
    assert paired.compare({"runs": []}, asked).json()["mean"] is None


@pytest.mark.parametrize("seeds", [10, 14])
def test_a_visible_difference_is_decided_as_often_as_stated(seeds):
    rng = np.random.default_rng(2)
    asked = paired.Comparison("bibtex", "per_call", "fedavg", "agr")
    draws = rng.standard_normal((1000, seeds))
    unit = draws[0] / np.std(draws[0], ddof=1)
    needed = paired.Difference(asked, tuple(unit)).visible
    decided = np.mean([paired.interval(row + needed, paired.LEVEL / paired.FAMILY)[0] > 0 for row in draws])
    # exact for ten seeds, with a standard error of 0.013; Student's test is a little stronger than this one for 14
    assert decided == pytest.approx(paired.POWER, abs=0.04 if seeds == 10 else 0.1)


def test_a_sentence_is_judged_by_its_settings():
    rng = np.random.default_rng(0)
    high, low = 0.5 + 0.01 * rng.random(10), 0.1 + 0.01 * rng.random(10)
    values = {"fedavg": high, "agr": low}
    both = made(values) + made(values, "delicious")
    assert paired.judge({"runs": both}, "agr")[0] == "holds here"
    assert paired.judge({"runs": both[:20]}, "agr")[0] == "not decided"
    turned = made({"fedavg": low, "agr": high}) + made(values, "delicious")
    assert paired.judge({"runs": turned}, "agr")[0] == "contradicted in 1 of 2 settings"
    assert paired.judge({"runs": both}, "fn_ucb")[0] == "not tested"


def test_reshuffled_labels_decide_nothing():
    """The null hypothesis of every comparison of equals: the family-wise level bounds how often anything is decided.
    That of FN-UCB asks for 1.5 times the reward, which reshuffled labels contradict."""
    kept, decided = record.load(), 0
    equals = [name for name, row in paired.SENTENCES.items() if all(c.factor == 1 for c in row.comparisons)]
    for seed in range(20):
        for name in equals:
            found = paired.judge(paired.reshuffled(kept, name, seed), name)[1]
            decided += any(difference.verdict is not Verdict.UNDECIDED for difference in found)
    assert len(equals) == 4
    assert decided <= 4  # expected at most 20 * 0.05 = 1; more than 4 with probability 0.003


def test_the_family_counts_every_comparison():
    every = [c for sentence in paired.SENTENCES.values() for c in sentence.comparisons]
    assert len(every) == len(set(every)) == paired.FAMILY
    assert 2 / 2**10 <= paired.LEVEL / paired.FAMILY < 2 / 2**9, "ten seeds are the fewest that decide"


def test_running_means_and_the_released_axis():
    assert running_average([0.0, 0.3], [2, 2, 4]).tolist() == [
        0.0,
        0.15,
        0.075,
    ]  # diverged: nothing afterwards
    lengths = setting("bibtex", "released", "fedavg").lengths
    assert (logged(lengths)[-1], sum(lengths)) == (23_807, 364_543)


def test_distances_from_shipped_curves_use_both_axes(tmp_path):
    lengths = setting("bibtex", "released", "fedavg").lengths
    curve = list(np.linspace(0, 0.5, len(lengths)))
    rows = running_average(curve, [1] * len(lengths))
    points = [[int(x), float(y)] for x, y in zip(logged(lengths), rows, strict=True)]
    path = tmp_path / "curves.json"
    path.write_text(json.dumps({"curves": {"bibtex": {"FedAvg10": points}}}))
    found = released.distances(path, {"bibtex": [{"curve": curve}]})["bibtex"]
    assert found["rmse"]["logged"] == 0
    assert found["rmse"]["steps"] > 0.1
    for wrong in ([1, 2], [[1, 2, 3]], [], [[1, None]], "text"):
        path.write_text(json.dumps({"curves": {"bibtex": {"FedAvg10": wrong}}}))
        with pytest.raises(InputError, match="is no file of curves"):
            released.distances(path, {"bibtex": [{"curve": curve}]})
    path.write_text("[" * 100_000)
    with pytest.raises(InputError, match="is no file of curves"):
        released.distances(path, {"bibtex": [{"curve": curve}]})


def test_the_record_is_whole_and_names_its_data():
    kept = record.load()
    assert set(kept["data"]) == {"bibtex", "delicious"}
    for name, facts in kept["data"].items():
        assert (facts["features"], facts["labels"]) == tables.COUNTED[name]
        assert len(facts["digest"]["arff"]) == 64
    names = set()
    for run in kept["runs"]:
        asked = setting(run["dataset"], run["reading"], run["method"], run.get("value"))
        names.add((run["dataset"], run["reading"], run["method"], run["seed"], run.get("value")))
        if run["seed"] in TUNED_ON:
            continue
        lengths = asked.lengths if run["method"] != "agr" else [50] * 163 + [41]
        assert sum(lengths) == asked.horizon
        assert run["diverged"] or len(run["curve"]) == len(lengths)
        begins = np.cumsum([0, *lengths[:-1]])
        final = min(int((begins < 0.9 * asked.horizon).sum()), len(lengths) - 1)
        for figure, first in (("average", 0), ("last", final)):
            curve = [0.0] * first + run["curve"][first:]
            total = running_average(curve, lengths)[-1] * asked.horizon / sum(lengths[first:])
            assert run[figure] == pytest.approx(float(total), abs=2e-5), figure  # five digits are kept
    assert len(names) == len(kept["runs"])


def test_the_claims_state_what_the_record_says_of_every_sentence():
    checks = [
        check
        for claim in (fig_exp_main.claim, fig_exp_single.claim)
        for check in claim.checks
        if check.name in paired.SENTENCES
    ]
    assert {check.name for check in checks} == set(paired.SENTENCES)
    for check in checks:
        assert check.run(None).kind is not Verdict.REFUTED, check.name
        assert check.control(None).kind is Verdict.REFUTED, check.name


def test_the_page_is_what_the_record_says():
    text = experiments.page(record.load())
    assert experiments.PAGE.read_text(encoding="utf-8") == text
    stand_in = [line for line in text.splitlines() if " 1.5 x FN-UCB" in line]
    assert stand_in
    assert all(line.endswith("| no test |") for line in stand_in)
    for name in experiments.pictures(record.load()):
        assert (experiments.PICTURES / f"{name}.svg").exists()
