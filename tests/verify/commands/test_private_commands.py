"""simulate and fit print the (epsilon, delta) of the whole run; what cannot be private is one line, exit status 2."""

import json

import pytest
from refused import answered, refused

from verify.cli import main

PRIVATE = "examples/private.toml"
SHORT = ["--replications", "2", "--set", "horizon=64"]
DATA = """
kind = "dataset"
protocol = {name = "noisy_statistics", epsilon = 1, delta = 1e-5}
[[agents]]
features = [[0.6, 0.8], [1.0, 0.0]]
rewards = [1.0, 0.5]
[[agents]]
features = [[0.0, 1.0], [0.1, 0.9]]
rewards = [0.25, 0.5]
"""


def test_simulate_prints_the_privacy_of_the_whole_run(capsys):
    assert main(["simulate", PRIVATE, *SHORT]) == 0
    text = capsys.readouterr().out
    assert "privacy        epsilon 1, delta 1e-05 for the whole run (central: the server is trusted" in text
    assert "no sample is used by two calls, so calls do not add up" in text
    found = answered(capsys, "simulate", PRIVATE, *SHORT)["privacy"]
    assert found["epsilon"] == pytest.approx(1)
    assert (found["delta"], found["where"], found["uses_of_a_sample"], found["missing"]) == (
        1e-5,
        "central",
        1,
        [],
    )


def test_rounds_of_a_call_are_added_up_and_said(capsys):
    words = [
        "simulate", PRIVATE, "--protocol", "noisy_gradients", "--replications", "2", "--set",
        "horizon=1024",
    ]  # fmt: skip
    assert main(words) == 0
    assert "noisy rounds of a call added up" in capsys.readouterr().out


def test_a_protocol_without_privacy_says_nothing_of_it(capsys):
    assert answered(capsys, "simulate", "examples/linear.toml", *SHORT)["privacy"] is None
    assert main(["simulate", "examples/linear.toml", *SHORT]) == 0
    assert "privacy" not in capsys.readouterr().out


def test_fit_prints_the_privacy_of_its_call_and_of_earlier_ones(tmp_path, capsys):
    path = tmp_path / "data.toml"
    path.write_text(DATA)
    assert main(["fit", str(path)]) == 0
    text = capsys.readouterr().out
    assert "privacy      epsilon 1, delta 1e-05 for the whole run (central" in text
    again = ["--set", "privacy.epsilon=2", "privacy.delta=1e-5", "privacy.earlier_calls=2", "--json"]
    assert main(["fit", str(path), *again]) == 0
    found = json.loads(capsys.readouterr().out)["privacy"]
    assert found["uses_of_a_sample"] == 3
    assert found["epsilon"] == pytest.approx(1.8350, abs=1e-4)
    assert main(["fit", str(path), *(w.replace("calls=2", "calls=3") for w in again)]) == 2
    assert "the run spends 2.15468 at delta = 1e-05, 4 calls on the same data" in capsys.readouterr().err
    refused(capsys, ["fit", str(path), "--protocol", "agd", *again], "privacy = agd: adds no noise")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [("[1.0, 0.0]", "[1.5, 0.0]", "norm(phi) > 1"), ("0.25", "1.25", "some reward is outside [0,1]")],
)
def test_data_outside_the_ball_are_not_private(old, new, said, tmp_path, capsys):
    path = tmp_path / "data.toml"
    path.write_text(DATA.replace(old, new))
    assert main(["fit", str(path)]) == 0
    assert f"privacy      none accounted: {said}" in capsys.readouterr().out.replace("some norm", "norm")
    asked = ["--set", "privacy.epsilon=1", "privacy.delta=1e-5"]
    refused(capsys, ["fit", str(path), *asked], "cannot be accounted for")
