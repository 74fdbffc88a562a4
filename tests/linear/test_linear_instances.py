"""Linear instances: what is refused, what environments promise, and simulators that agree in law."""

import json
from dataclasses import replace

import numpy as np
import pytest

from bounds import linear_communication
from bounds.errors import InputError
from bounds.schedules import doubling_plan
from bounds.theorems import col_linear
from fedigw.applicable import applicable_bounds, largest_regret
from fedigw.discovery import modules
from fedigw.instance_file import to_toml
from fedigw.interfaces import PrivateProtocol
from fedigw.parts import protocols
from fedigw.replications import by_messages, pooled, simulate
from linear.environments import finite_contexts
from linear.protocols.agd import AcceleratedGradient
from verify.cli import main
from verify.instances import parse

ENVIRONMENTS = modules("linear.environments", ("make", "EXAMPLES"))
PROTOCOLS = protocols(("linear.protocols",))


def with_protocol(instance, name):
    return replace(instance, protocol=PROTOCOLS[name]())


def table(**changes):
    return {
        "kind": "linear",
        "horizon": 16,
        "parameter": ["1/2", "1/2"],
        "features": [[["1", "0"], ["0", "1"]], [["3/5", "4/5"], ["0", "0"]]],
        "agents": [{"contexts": ["1/2", "1/2"]}, {"contexts": ["1/4", "3/4"]}],
    } | changes


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"parameter": [1, 1]}, "parameter = norm 1.41"),
        ({"parameter": [0.5, float("nan")]}, r"parameter\[1\]"),
        ({"parameter": [0.5]}, r"agents\[0\].features = dimension 2: must be the parameter's, 1"),
        ({"features": [[[1, 1], [0, 1]]] * 2}, r"agents\[0\].features\[0\]\[0\] = 1.41.*unit ball"),
        ({"parameter": [0.5, -0.5]}, r"agents\[0\].features\[0\]\[1\] = -0.5.*\[0,1\]"),
        ({"features": [[[1, 0], [0, 1]], [[1, 0]]]}, r"features\[1\] = 1 x 2 numbers"),
        ({"agents": [{"contexts": ["1"]}]}, "one probability per context"),
        ({"regularisation": 0}, "lambda must be positive"),
        ({"regularisation": 1e-320}, "lambda must be at least 1e-300"),
        ({"accuracy": 0}, "accuracy"),
        ({"accuracy": 1e-300}, "accuracy = 1e-300: must be a number of at least 1e-12"),
        ({"colour": 1}, "colour"),
        ({"agents": [{"contexts": "sphere"}]}, r"agents\[0\].arms"),
        ({"agents": [{"contexts": "sphere", "arms": 2}], "parameter": [0.1, 0.5]}, "sphere contexts"),
        ({"features": [[[[1, 0], [0, 1]]]] * 3}, "must have one per agent, 2"),
    ],
)
def test_bad_instances_are_refused_by_field(changes, says):
    with pytest.raises(InputError, match=says):
        parse(table(**changes))


def test_features_per_agent_or_shared():
    shared = parse(table())
    assert shared.world.heterogeneous  # the laws of contexts differ
    nested = parse(table(features=[table()["features"]] * 2))
    assert nested.world.agents[0].features.shape == (2, 2, 2)
    same = parse(table(agents=[{"contexts": ["1/2", "1/2"]}] * 2))
    assert not same.world.heterogeneous
    assert same.world.agents[0] is same.world.agents[1]


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_environments_keep_what_they_promise(name):
    for example in ENVIRONMENTS[name].EXAMPLES:
        instance = ENVIRONMENTS[name].make(np.random.default_rng(0), **example)  # validates itself
        record = simulate(instance, 2, 1)
        assert record.regret.shape == (2, instance.plan.epochs)
        assert (record.regret >= 0).all()
        assert record.total_regret.max() <= largest_regret(instance) + 1e-9
        again = simulate(instance, 2, 1)
        np.testing.assert_array_equal(record.regret, again.regret)
        assert applicable_bounds(instance)["sharpened"] > 0
        document = json.loads(json.dumps(instance.describe())) | {"horizon": example["horizon"]}
        assert parse(document) == instance
        assert ENVIRONMENTS[name].make(np.random.default_rng(0), **example) == instance
        drawn = name not in ("data", "gap_one", "small_gap")  # nothing of them is
        assert (ENVIRONMENTS[name].make(np.random.default_rng(1), **example) != instance) is drawn
    assert ENVIRONMENTS["different_laws"].make(np.random.default_rng(0)).world.heterogeneous


@pytest.mark.parametrize("name", ["direct", "agd", "cg"])
def test_the_ledger_of_a_run_equals_the_bound(name):
    instance = finite_contexts.make(np.random.default_rng(1), dimension=3, agents=4, horizon=100)
    record = by_messages(with_protocol(instance, name), 1, 0)
    numbers = int(record.total_traffic("numbers_up")[0] + record.total_traffic("numbers_down")[0])
    bound = linear_communication.total_numbers(name, 4, 3, 100, instance.model.tolerance)
    assert numbers <= bound if name == "cg" else numbers == bound
    if name != "cg":  # the path without messages has the same ledger
        assert pooled(with_protocol(instance, name), 1, 0).traffic.tolist() == record.traffic.tolist()
    early = simulate(replace(instance, protocol=AcceleratedGradient(early_stopping=True)), 1, 0)
    assert early.total_traffic("numbers_up")[0] <= linear_communication.total_numbers("agd", 4, 3, 100, 0.1)


def test_applicable_bounds_are_the_contracts():
    instance = finite_contexts.make(np.random.default_rng(0), dimension=4, arms=5, agents=10, horizon=1000)
    contract = col_linear.epoch_sum("sharpened", 10, 5, 4).value(1000)
    assert applicable_bounds(instance)["sharpened"] == pytest.approx(contract)
    with_delta = col_linear.epoch_sum("sharpened", 10, 5, 4, 0.1).value(1000)
    assert applicable_bounds(with_protocol(instance, "agd"))["sharpened"] == pytest.approx(with_delta)
    printed = finite_contexts.make(np.random.default_rng(0), 4, 8, 5, 10, 1000, "printed")
    repaired = col_linear.epoch_sum("repaired", 10, 5, 4).value(1000)
    assert applicable_bounds(printed)["repaired"] == pytest.approx(repaired)


def test_any_horizon_is_cheap():
    instance = finite_contexts.make(np.random.default_rng(0)).with_plan(doubling_plan(10**12, 10))
    assert pooled(instance, 3, 0).regret.shape[1] == len(instance.plan.full)


def test_hours_of_messages_are_refused_before_they_begin(tmp_path, capsys):
    path = tmp_path / "long.toml"
    path.write_text(to_toml(table(horizon=10**13)))
    assert main(["simulate", str(path), "--protocol", "chebyshev", "--replications", "1"]) == 2
    assert "rounds, over 1e+07" in capsys.readouterr().err
    with pytest.raises(InputError, match=r"rounds, over 1e\+07"):
        by_messages(with_protocol(parse(table(horizon=10**13)), "agd"), 1, 0)
    # the path without messages jumps over them
    assert main(["simulate", str(path), "--protocol", "agd", "--replications", "1"]) == 0


@pytest.mark.parametrize("lam", ["1e-30", "1e-300"])
def test_a_singular_system_is_one_line_on_the_command_line(lam, tmp_path, capsys):
    path = tmp_path / "singular.toml"
    path.write_text(to_toml(table(regularisation=lam, features=[[[1, 0], [1, 0]]] * 2)))
    by_message = [[], ["--set", "early_stopping=true"], ["--set", 'link.encoder="masks"']]
    # posterior_mean has no system to solve: its density lives on a box
    solvers = [
        n for n, part in PROTOCOLS.items() if not issubclass(part, PrivateProtocol) and n != "posterior_mean"
    ]
    for protocol, more in [(name, []) for name in solvers] + [("agd", words) for words in by_message]:
        assert main(["simulate", str(path), "--protocol", protocol, "--replications", "1", *more]) == 2
        captured = capsys.readouterr()
        assert captured.err.count("\n") == 1
        assert "precision" in captured.err or "rounds" in captured.err
