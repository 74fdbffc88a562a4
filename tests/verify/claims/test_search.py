"""Worst-case search: seeded, budgeted, better than chance; its record only grows and replays."""

import tomllib
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

from fedigw.instance_file import to_toml
from verify.catalogue import catalogue
from verify.claim import Search, Task, Verdict
from verify.cli import main
from verify.experiments import search, tiny_runs
from verify.experiments.search import climb, improve, kept, kept_files
from verify.instances import load, parse

SEARCHES = [(claim.label, one) for claim in catalogue().values() for one in claim.searches]


def instances(count: int = 30) -> list[object]:
    rng = np.random.default_rng(4)
    found = []
    for _ in range(count):
        instance = tiny_runs.random_instance(rng)
        for _ in range(5):
            instance = tiny_runs.NEIGHBOUR(instance, rng)
        found.append(instance)
    return found


def test_every_instance_survives_its_file():
    for instance in instances():
        again = parse(tomllib.loads(to_toml(instance.describe(), ("a comment",))))
        assert again == instance


def test_neighbours_stay_legal():
    for instance in instances():
        for agent in instance.world.agents:
            assert sum(agent.contexts) == 1
            assert min(agent.contexts) >= 0
        rates = instance.learning_rates()[1:]
        assert list(rates) == sorted(rates)


@pytest.mark.parametrize(("label", "one"), SEARCHES, ids=[f"{label}-{s.variant}" for label, s in SEARCHES])
def test_kept_instances_replay_to_what_their_files_say(label, one):
    paths = kept_files(label, one.variant)
    assert paths, "every search has a record"
    said = []
    for path in paths:
        said.append(float(path.read_text().splitlines()[0].rsplit("=", 1)[1]))
        assert one.ratio(load(path), True) == pytest.approx(said[-1], abs=1e-6)
        # the command that replays it, in the file and in the report, names it from the project's folder
        assert path.read_text().splitlines()[1] == f"# python -m verify exact {search.relative(path)}"
        assert (Path(search.__file__).parents[2] / search.relative(path)).is_file()
    assert said == sorted(said)
    assert max(said) <= 1
    assert max(said) > one.control_shrink


@dataclass(frozen=True)
class Point:
    """An instance of a toy claim whose worst case is known: ratio 1 at (7, 7, 7)."""

    at: tuple[int, ...]

    def describe(self) -> dict[str, object]:
        return {"at": list(self.at)}


def toy_start(rng: np.random.Generator) -> Point:
    return Point(tuple(int(v) for v in rng.integers(0, 101, 3)))


def toy_neighbour(point: Point, rng: np.random.Generator) -> Point:
    at = list(point.at)
    at[int(rng.integers(3))] += int(rng.integers(-9, 10))
    return Point(tuple(at))


def toy_ratio(point: Point, rational: bool) -> float | None:
    return None if min(point.at) < 0 else 1 / (1 + sum((v - 7) ** 2 for v in point.at))


TOY = Search("printed", toy_start, toy_neighbour, toy_ratio, 0.5)


def test_climbing_beats_chance_with_the_same_budget():
    rng = np.random.default_rng(0)
    chance = max(toy_ratio(toy_start(rng), False) or 0.0 for _ in range(1000))
    found = climb(TOY, np.random.default_rng(0), 1000, []).best
    assert found.ratio > 0.3
    assert found.ratio > 10 * chance
    again = climb(TOY, np.random.default_rng(0), 1000, []).best
    assert again == found


def test_the_budget_is_kept_and_counts_evaluations():
    spent = []
    counting = replace(TOY, ratio=lambda point, rational: spent.append(point) or toy_ratio(point, rational))
    climbed = climb(counting, np.random.default_rng(0), 137, [])
    assert len(spent) == climbed.tried == 137
    assert climbed.counted == sum(min(point.at) >= 0 for point in spent)
    assert climb(TOY, np.random.default_rng(0), 1000, [], enough=0.01).tried < 1000


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(1, 5))])
@pytest.mark.parametrize(("label", "one"), SEARCHES, ids=[f"{label}-{s.variant}" for label, s in SEARCHES])
def test_a_fresh_climb_breaks_the_false_bound(label, one, seed):
    """Without the record: what the control shows is that the climb itself finds something."""
    found = search.fresh(Task("quick", np.random.SeedSequence(seed), 0.001), one)
    assert found.kind is Verdict.REFUTED, found.summary


def test_a_climb_that_never_runs_is_told_apart(monkeypatch):
    """The kept instances alone are no search: nothing is claimed of a climb that did not take place."""
    monkeypatch.setattr(search, "climb", lambda *given, **more: search.Climbed(None, 0, 0))
    label = "lem:epoch_regret_bound"
    check = search.check(label, dict(SEARCHES)[label])
    task = Task("quick", np.random.SeedSequence(0), 0.001)
    assert check.run(task).kind is Verdict.UNDECIDED
    assert check.run(task).figures["evaluations"] == 0
    assert check.control(task).kind is Verdict.UNDECIDED


def test_the_record_only_grows(tmp_path, monkeypatch, capsys):
    saved: list[Point] = []
    monkeypatch.setattr(search, "kept", lambda label, variant: list(saved))
    saved += [found.instance for found in improve("lem:VE", TOY, 0, 300, lambda _: None)]
    ratios = [toy_ratio(point, True) for point in saved]
    assert ratios == sorted(ratios)
    saved += [found.instance for found in improve("lem:VE", TOY, 1, 3000, lambda _: None)]
    assert toy_ratio(saved[-1], True) == 1.0
    claims = dict(catalogue()) | {"lem:VE": replace(catalogue()["lem:VE"], searches=(TOY,))}
    monkeypatch.setattr("verify.verbs.search.catalogue", lambda: claims)
    monkeypatch.setattr("verify.verbs.search.find", claims.__getitem__)
    saved.clear()
    before = list(search.KEPT.iterdir())
    assert main(["search", "lem:VE", "--budget", "300"]) == 0
    assert "nothing is written" in capsys.readouterr().out
    assert main(["search", "lem:VE", "--budget", "300", "--out", str(tmp_path / "found")]) == 0
    assert len(list((tmp_path / "found").iterdir())) == capsys.readouterr().out.count("measured/bound")
    assert list(search.KEPT.iterdir()) == before


def test_a_false_bound_is_refuted_and_a_campaign_writes_nothing():
    before = {path: path.read_bytes() for path in search.KEPT.iterdir()}
    task = Task("quick", np.random.SeedSequence(0), 0.001)
    one = replace(dict(SEARCHES)["lem:epoch_regret_bound"], quick=5)
    check = search.check("lem:epoch_regret_bound", one)
    confirmed = check.run(task)
    assert confirmed.kind is Verdict.FLOAT, "the bound has roots in it"
    assert confirmed.instance is not None
    assert confirmed.figures["worst_ratio"] >= confirmed.figures["kept_ratio"] > 0.8
    assert check.control(task).kind is Verdict.REFUTED
    assert {path: path.read_bytes() for path in search.KEPT.iterdir()} == before


def test_without_a_record_and_without_luck_the_check_is_undecided():
    hopeless = replace(TOY, ratio=lambda point, rational: None, quick=5)
    assert kept("lem:VE", "printed") == []
    found = search.check("lem:VE", hopeless).run(Task("quick", np.random.SeedSequence(0), 0.001))
    assert found.kind is Verdict.UNDECIDED
