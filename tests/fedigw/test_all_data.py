"""Calls that learn from all data so far, one after another or while a stream comes in: what runs, and what is said."""

import json
import tomllib

import numpy as np
import pytest
from refused import refused

from bounds.errors import InputError
from bounds.theorems import thm_global_regret
from fedigw.applicable import applicable
from fedigw.instance_file import to_toml
from fedigw.replications import by_messages, simulate
from finite_class.model import FiniteClass
from verify.cli import main
from verify.instances import parse

TABLE = {
    "kind": "finite_class",
    "horizon": 60,
    "truth": 0,
    "functions": [[["1", "0"]], [["1/2", "1/2"]], [["0", "1"]]],
    "agents": [{"contexts": ["1"]}, {"contexts": ["1"]}],
}


@pytest.mark.parametrize("replicate", [simulate, by_messages])
def test_every_call_sees_all_samples_so_far(replicate, monkeypatch):
    seen = []
    for name in ("problem", "pooled_problem"):
        usual = getattr(FiniteClass, name)

        def watched(self, data, epoch, usual=usual):
            found = usual(self, data, epoch)
            seen.append(found.samples)
            return found

        monkeypatch.setattr(FiniteClass, name, watched)
    replicate(parse(TABLE | {"data": "cumulative"}), 1, 0)
    assert seen == [4, 8, 16, 32, 64]
    seen.clear()
    replicate(parse(TABLE | {"data": "epoch"}), 1, 0)
    assert seen == [4, 4, 8, 16, 32]


def test_rates_and_bound_have_the_risk_of_all_samples():
    federation = parse(TABLE | {"data": "cumulative", "horizon": 5000})
    promised = federation.guarantee()
    taught = [4 * 2**l for l in range(federation.plan.epochs)]
    assert [federation.plan.taught(l) for l in range(federation.plan.epochs)] == taught
    risks = [promised.risk("sharpened", n) for n in taught]
    g2 = thm_global_regret.multiplier_squared("sharpened", federation.plan, (2, 2), ())
    for l, rate in enumerate(federation.learning_rates()[1:]):
        assert float(rate) == pytest.approx(thm_global_regret.learning_rate(g2, risks[l], 2.0), rel=1e-4)
    told, usual = applicable(federation), applicable(parse(TABLE | {"horizon": 5000}))
    assert told.values["sharpened"] == pytest.approx(
        sum(thm_global_regret.epoch_terms("sharpened", federation.plan, (2, 2), risks))
    )
    assert told.values["sharpened"] < usual.values["sharpened"]
    assert ("app:cumulative", "finite") in told.rests_on


@pytest.mark.parametrize("more", [{"data": "cumulative"}, {"schedule": "parallel"}])
def test_the_file_says_it_again(more):
    federation = parse(TABLE | more)
    for read in (lambda d: json.loads(json.dumps(d)), lambda d: tomllib.loads(to_toml(d))):
        again = parse(read(federation.describe()))
        assert again == federation
        assert again.plan.cumulative


def test_a_stream_learned_from_while_playing_runs_and_has_no_bound(tmp_path, capsys):
    federation = parse(TABLE | {"schedule": "parallel"})
    assert [segment.uses for segment in federation.plan.segments] == [None, None, 0, 1, 2, 3]
    assert applicable(federation).values == {}
    path = tmp_path / "parallel.toml"
    path.write_text(to_toml(TABLE | {"schedule": "parallel"}))
    assert main(["simulate", str(path), "--replications", "3"]) == 0
    said = capsys.readouterr().out
    assert "no bound: no bound is known for playing while a stream of all data is learned from" in said


def test_what_cannot_run_is_refused(tmp_path, capsys):
    with pytest.raises(InputError, match=r"data = .*epochs that follow each other"):
        parse(TABLE | {"data": "cumulative", "schedule": "interleaved"})
    with pytest.raises(InputError, match="data = all"):
        parse(TABLE | {"data": "all"})
    path = tmp_path / "all.toml"
    path.write_text(to_toml(TABLE | {"data": "cumulative"}))
    refused(capsys, ["exact", str(path)], "the exact law is for calls that learn from one epoch")
    assert main(["bound", "thm:global_regret", "--instance", str(path)]) == 2


def test_ridge_on_all_data_runs_and_has_no_bound():
    """With adaptive data nothing is proved of ridge."""
    for kind, environment, protocol in (
        ("linear", "finite_contexts", "direct"),
        ("linear_personalised", "opposite_arms", "cg"),
    ):
        federation = parse({"kind": kind, "environment": environment, "data": "cumulative"})
        found = applicable(federation)
        assert found.values == {}
        assert any(f"not for protocol {protocol}" in reason for reason in found.missing)
    assert np.isfinite(simulate(federation, 2, 0).total_regret).all()
