"""Campaigns: judgement, failures that lose nothing, records, same bytes whatever the number of processes."""

import hashlib
import json
import struct

import numpy as np
import pytest

from fedigw import record
from fedigw.replications import pooled as replicate
from finite_class.environments import random_table
from verify.campaign import judgement
from verify.campaign import units as campaign
from verify.campaign.units import Outcome, Settings, run_campaign
from verify.claim import Check, Evidence, Task, Verdict

YES, NO, UNSURE = (
    Evidence(Verdict.EXACT, "holds"),
    Evidence(Verdict.REFUTED, "fails"),
    Evidence(Verdict.UNDECIDED, "unsure"),
)


def check(name: str, statistical: bool = False) -> Check:
    return Check(name, "sharpened", lambda task: YES, lambda task: NO, statistical=statistical)


def outcome(evidence: Evidence, control: Evidence, check: str = "c") -> Outcome:
    return Outcome("col:finite", check, "sharpened", evidence, control)


def test_a_checker_that_confirms_or_refutes_everything_is_caught():
    assert not outcome(YES, YES).control_ok
    assert not outcome(YES, UNSURE).control_ok
    assert not outcome(NO, NO).control_ok
    assert outcome(YES, NO).control_ok
    assert outcome(NO, YES).control_ok


def test_controls_are_counted_where_the_check_ran():
    from verify.campaign.judgement import Judgement
    from verify.campaign.outcome import failed
    from verify.campaign.results import summary

    absent = Evidence(Verdict.UNDECIDED, "not checked: the record is of other sources", ran=False)
    found = tuple(outcome(*pair) for pair in ((YES, NO), (YES, UNSURE), (absent, absent)))
    found += (failed("col:finite", "c", "v", "why"),)
    assert judgement.problems(found[2:3], Verdict.EXACT, Verdict.EXACT) == ()
    figures = summary([Judgement("col:finite", "v", Verdict.EXACT, Verdict.EXACT, found, ())])
    assert (figures["controls_told_apart"], figures["controls"], figures["checks_not_run"]) == (1, 2, 2)


@pytest.mark.fedigw
def test_a_crash_is_a_result_and_the_others_finish(monkeypatch, tmp_path):
    from dataclasses import replace

    from verify.catalogue import catalogue

    def crash(task: Task) -> Evidence:
        raise ZeroDivisionError("somewhere deep")

    claim = catalogue()["lem:finite_error"]
    first, *rest = claim.checks
    broken = replace(claim, checks=(replace(first, run=crash), *rest[:1]))
    monkeypatch.setattr(campaign, "find", lambda label: broken)
    outcomes = run_campaign(["lem:finite_error"], Settings(), tmp_path / "out")
    assert outcomes[0].failure == "ZeroDivisionError: somewhere deep"
    assert outcomes[1].failure is None
    assert outcomes[1].evidence.kind.confirms
    saved = [path.name for path in (tmp_path / "out" / "records").glob("*.json")]
    assert saved == [f"lem_finite_error--{rest[0].name}.json"], "what failed is tried again on resuming"


def test_seeds_depend_on_names_alone():
    one = campaign.task(Settings(seed=5), "col:finite", check("slope", statistical=True))
    two = campaign.task(Settings(seed=5, jobs=2), "col:finite", check("slope"))
    other = campaign.task(Settings(seed=5), "col:finite", check("calls"))
    digest = hashlib.sha256(b"col:finite/slope").digest()
    assert one.seed.spawn_key == struct.unpack(">4I", digest[:16])
    assert one.rng().random() == two.rng().random()
    assert one.rng().random() != other.rng().random()


def test_run_records_survive_a_round_trip(tmp_path):
    instance = random_table.make(np.random.default_rng(0), functions=3, contexts=2, agents=2, horizon=20)
    made = replicate(instance, 5, 9)
    record.save(made, tmp_path / "r.json")
    back = record.load(tmp_path / "r.json")
    np.testing.assert_array_equal(back.regret, made.regret)
    np.testing.assert_array_equal(back.traffic, made.traffic)
    assert (back.models, back.seed, back.describe()) == (made.models, 9, made.describe())
    for values in (back.regret, back.traffic):
        with pytest.raises(ValueError, match="read-only"):
            values[0, 0] = 0


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"seed":9', '"seed":8', "checksum"),
        ('"schema":1', '"schema":7', "schema 7"),
        ("{", "", "not a record"),
    ],
)
def test_a_record_says_what_is_wrong_with_it(tmp_path, old, new, words):
    instance = random_table.make(np.random.default_rng(0), functions=2, contexts=1, agents=1, horizon=4)
    path = tmp_path / "r.json"
    record.save(replicate(instance, 2, 9), path)
    path.write_text(path.read_text().replace(old, new, 1))
    with pytest.raises(record.RecordError, match=words):
        record.load(path)


def test_saving_is_atomic(tmp_path, monkeypatch):
    path = tmp_path / "x.json"
    record.write_checked(path, {"a": 1})

    def full_disk(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(record.os, "replace", full_disk)
    with pytest.raises(OSError, match="No space"):
        record.write_checked(path, {"a": 2})
    assert record.read_checked(path) == {"a": 1}
    assert json.loads(path.read_text())["schema"] == record.SCHEMA
