"""Personalised instances as files: what is read, what is refused, and the command line."""

import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from refused import answered, refused

from bounds.errors import InputError
from bounds.quantities import find
from bounds.theorems import col_linear_per
from fedigw.applicable import applicable_bounds, largest_regret
from fedigw.instance_file import to_toml
from fedigw.parts import protocols
from fedigw.replications import simulate
from linear.personalised.environments.opposite_arms import make
from verify.cli import main
from verify.instances import parse

EXAMPLES = sorted((Path(__file__).resolve().parents[2] / "examples").glob("*.toml"))
PROTOCOLS = protocols(("linear.personalised.protocols",))


def table(**changes):
    return {
        "kind": "linear_personalised",
        "horizon": 16,
        "shared_parameter": ["1/2", "1/4"],
        "agents": [
            {"features": [[["1", "0"], ["0", "1"]]]},
            {"parameter": ["1/2"], "features": [[["1/2", "0", "1/2"], ["0", "1", "0"]]], "contexts": ["1"]},
        ],
    } | changes


def agent(**changes):
    return {"agents": [table()["agents"][0], table()["agents"][1] | changes]}


def test_the_good_table_is_good():
    instance = parse(table())
    assert instance.model.shared == 2
    assert instance.model.lifted_dimension == 3
    assert [len(p) for p in instance.world.parameters] == [2, 3]


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"shared_parameter": [1, 1]}, "shared_parameter = norm 1.41.*unit ball"),
        ({"shared_parameter": []}, "shared_parameter"),
        ({"parameter": [0.5]}, "parameter: unknown key"),
        ({"regularisation": 1}, "regularisation: unknown key"),
        (agent(parameter=[1]), r"agents\[1\].parameter = norm 1.1.*unit ball"),
        (agent(parameter=[float("inf")]), r"agents\[1\].parameter\[0\]"),
        (agent(parameter="1/2"), r"agents\[1\].parameter = 1/2"),
        (agent(parameter=[0.1, 0.1]), r"agents\[1\].features = dimension 3: must be the parameter's, 4"),
        (agent(features=[[["1", "1", "0"]]]), r"agents\[1\].features\[0\]\[0\] = 1.41.*unit ball"),
        (agent(parameter=["-1/2"]), None),  # mean reward 1/4 - 1/4 = 0 is still a reward
        (agent(parameter=["-3/5"]), r"agents\[1\].features\[0\]\[0\] = -0.05.*\[0,1\]"),
        (agent(features=[[["1", "0"]]]), r"agents\[1\].features = dimension 2"),
        (agent(contexts=["1/2", "1/2"]), "one probability per context, 1"),
        (agent(contexts="sphere"), r"agents\[1\].contexts"),
        (agent(epochs=[2, 2]), r"agents\[0\].epochs: missing"),
        (agent(colour=1), r"agents\[1\].colour"),
        ({"agents": [3]}, r"agents\[0\] = 3: must be a table"),
        ({"learning_rate": [1]}, None),
    ],
)
def test_bad_instances_are_refused_by_field(changes, says):
    if says is None:
        assert parse(table(**changes)).model.shared == 2
    else:
        with pytest.raises(InputError, match=says):
            parse(table(**changes))


@pytest.mark.parametrize("own", [0, 1, 3])
def test_an_instance_survives_its_file(own):
    instance = make(np.random.default_rng(0), 2, own, 3, 2, 3, 16)
    text = to_toml(instance.describe() | {"horizon": 16})
    assert parse(tomllib.loads(text)) == instance
    assert parse(tomllib.loads(text)) != make(np.random.default_rng(1), 2, own, 3, 2, 3, 16)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_ledger_of_a_run_is_what_the_bound_says(protocol):
    instance = make(np.random.default_rng(1), 2, 1, 3, 2, 3, 64)
    instance = replace(instance, protocol=PROTOCOLS[protocol]())
    record = simulate(instance, 2, 0)
    assert record.protocol == protocol
    for quantity, counters in (("rounds", ("rounds",)), ("numbers", ("numbers_up", "numbers_down"))):
        counted = sum(record.total_traffic(name)[0] for name in counters)
        stated = find(quantity).of(col_linear_per.total(protocol, 3, 2, 1, 64, instance.model.tolerance))
        assert counted <= stated if protocol == "cg" else counted == stated
    again = simulate(instance, 2, 0)
    np.testing.assert_array_equal(record.regret, again.regret)
    assert record.total_regret.max() <= largest_regret(instance) + 1e-9
    accuracy = instance.model.tolerance if protocol == "agd" else instance.protocol.tolerance
    contract = col_linear_per.epoch_sum("sharpened", 3, 2, 5, accuracy).value(64)
    assert applicable_bounds(instance)["sharpened"] == pytest.approx(contract)


@pytest.mark.parametrize("path", EXAMPLES, ids=[path.stem for path in EXAMPLES])
def test_every_example_runs(path, capsys):
    if tomllib.loads(path.read_text())["kind"] == "dataset":
        assert main(["fit", str(path), "--json"]) == 0
        return
    assert answered(capsys, "simulate", str(path), "--replications", "2")["replications"] == 2


def test_command_line(tmp_path, capsys):
    path = tmp_path / "instance.toml"
    path.write_text(to_toml(table() | {"shared_parameter": ["1", "1"]}))
    for words in (["simulate", str(path)], ["exact", str(path)]):
        error = refused(capsys, words)
        assert error == "verify: shared_parameter = norm 1.414213562: must lie in the unit ball\n"
    path.write_text(to_toml(table()))
    refused(capsys, ["simulate", str(path), "--protocol", "direct"], "known: agd, cg")
    refused(capsys, ["exact", str(path)], "exact law is for finite_class")
    path.write_text('kind = "linear_personal"\n')
    refused(capsys, ["simulate", str(path)], "did you mean 'linear_personalised'")
