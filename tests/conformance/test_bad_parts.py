"""Instance files that name a part or one of its fields wrongly: the field, the value, what is allowed, on one line."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bounds.errors import InputError
from fedigw.policies.igw import InverseGapWeighting
from linear.environments import finite_contexts
from verify.cli import main
from verify.instances import parse

GOOD: dict[str, Any] = {
    "kind": "linear",
    "horizon": 64,
    "parameter": ["1/2", "1/4"],
    "features": [[["1", "0"], ["0", "1"]]],
    "agents": [{"contexts": ["1"]}, {"contexts": ["1"]}],
}


def clocked(clock: Any) -> dict[str, Any]:
    return GOOD | {"agents": [{"contexts": ["1"], "clock": clock}, {"contexts": ["1"]}]}


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (GOOD | {"policy": "igv"}, "policy = igv: unknown; did you mean 'igw'?"),
        (GOOD | {"policy": {"name": "igw", "gamma": 3}}, "policy.gamma = present: unknown key"),
        (GOOD | {"policy": 3}, "policy = 3: must be a name or a table"),
        (GOOD | {"protocol": {"name": "adg"}}, "protocol = adg: unknown; did you mean 'agd'?"),
        (GOOD | {"protocol": {"tolerance": 1}}, "protocol.name = missing"),
        (GOOD | {"protocol": {"name": "agd", "tolerence": 1}}, "did you mean 'tolerance'?"),
        (GOOD | {"protocol": {"name": "agd", "tolerance": "much"}}, "protocol.tolerance = much: must be a"),
        (GOOD | {"protocol": {"name": "agd", "tolerance": 0}}, "protocol.tolerance = 0.0: must be a number"),
        (GOOD | {"protocol": {"name": "agd", "early_stopping": 1}}, "must be true or false"),
        (GOOD | {"protocol": {"name": "exact_minimiser"}}, "protocol = exact_minimiser: unknown"),
        (GOOD | {"link": "plain"}, "link = plain: must be a table"),
        (GOOD | {"link": {"encoders": "plain"}}, "link.encoders = present: unknown key; did you mean"),
        (GOOD | {"link": {"encoder": "mask"}}, "link.encoder = mask: unknown; did you mean 'masks'?"),
        (GOOD | {"link": {"encoder": {"name": "quantise", "bits_each": "x"}}}, "link.encoder.bits_each = x"),
        (GOOD | {"link": {"aggregator": "meen"}}, "link.aggregator = meen: unknown; did you mean 'mean'?"),
        (GOOD | {"link": {"participants": 3}}, "link.participants = 3: must be between 1 and the 2 agents"),
        (GOOD | {"link": {"participants": 0}}, "link.participants = 0: must be a positive integer"),
        (clocked({"name": "cuckoo"}), "agents[0].clock = cuckoo: unknown"),
        (clocked({"perod": 2}), "agents[0].clock = perod: fits no clock; keys of clocks"),
        (clocked({"period": 0}), "agents[0].clock.period = 0: must be a positive integer"),
        (clocked({"times": [3, 2]}), "agents[0].clock.times = 2: must increase: more than 3"),
        (clocked({"period": 100, "offset": 65}), "never ticks before the horizon 64"),
        (clocked({"period": 4}), "agents[0].clock = periodic: has no step in epoch 2, global times 3 to 4"),
        ({"kind": "linear", "environment": "sfere"}, "environment = sfere: unknown; did you mean 'sphere'?"),
        ({"kind": "linear", "environment": {"name": "sphere", "arm": 3}}, "environment.arm = present"),
        ({"kind": "linear", "environment": {"name": "sphere", "arms": 2.5}}, "environment.arms = 2.5"),
        ({"kind": "linear", "environment": {"name": "sphere", "seed": -1}}, "environment.seed = -1"),
        ({"kind": "linear", "environment": "sphere", "parameter": [1]}, "parameter = present: unknown key"),
        (GOOD | {"schedule": "interleave"}, "schedule = interleave: unknown; did you mean 'interleaved'?"),
        (GOOD | {"learning_rate": "quick"}, "learning_rate = quick: unknown"),
        (GOOD | {"learning_rate": -1}, "learning_rate = -1: must be a number between 0 and 1e100"),
    ],
)
def test_a_wrong_part_is_named_on_one_line(table: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse(table).learning_rates()
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@dataclass(frozen=True)
class Optimistic(InverseGapWeighting):
    needs = ("widths",)


def test_a_policy_that_needs_widths_is_refused_where_there_are_none() -> None:
    federation = finite_contexts.make(np.random.default_rng(0), 3, 2, 2, 2, 16)
    with pytest.raises(InputError, match="policy = igw: needs widths, which linear models do not have"):
        replace(federation, policy=Optimistic())


def test_a_protocol_that_needs_what_the_model_lacks_is_refused() -> None:
    from finite_class.protocols.exact_minimiser import ExactMinimiser

    federation = finite_contexts.make(np.random.default_rng(0), 3, 2, 2, 2, 16)
    with pytest.raises(InputError, match="needs losses, which linear models do not offer"):
        replace(federation, protocol=ExactMinimiser())


@pytest.mark.parametrize(
    "words",
    [
        ["--protocol", "fedavg_"],
        ["--policy", "greed"],
        ["--set", "tolerance"],
        ["--set", "tolerance=x"],
        ["--set", "link.encoder.scale=2"],
        ["--set", "parameter.x=2"],
        ["--set", "horizon=0"],
    ],
)
def test_the_command_line_answers_with_one_line(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "instance.toml"
    path.write_text(
        'kind = "linear"\nhorizon = 16\nparameter = [0.5, 0.25]\n'
        'features = [[["1", "0"], ["0", "1"]]]\n[[agents]]\n'
    )
    assert main(["simulate", str(path), *words]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert error.startswith("verify: ")
