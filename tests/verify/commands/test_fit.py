"""fit: one FL call on given data, by the contract of the command line."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from refused import answered, refused

from verify.cli import main

ROOT = Path(__file__).resolve().parents[3]
EXAMPLE = ROOT / "examples" / "dataset.toml"


def fitted(capsys: pytest.CaptureFixture[str], *words: str, path: Path = EXAMPLE) -> dict[str, Any]:
    return answered(capsys, "fit", str(path), *words)


def by_hand() -> tuple[list[np.ndarray], list[np.ndarray]]:
    import tomllib

    agents = tomllib.loads(EXAMPLE.read_text())["agents"]
    return [np.array(a["features"]) for a in agents], [np.array(a["rewards"]) for a in agents]


def loss(w: np.ndarray) -> float:
    """F(w) = sum_m (n_m/n) f_m(w), f_m(w) = mean_i (phi_i'w - r_i)^2 + (Lam/n) norm(w)^2."""
    features, rewards = by_hand()
    n = sum(len(r) for r in rewards)
    parts = [
        len(r) / n * (np.mean((phi @ w - r) ** 2) + w @ w / n)
        for phi, r in zip(features, rewards, strict=True)
    ]
    return float(sum(parts))


def test_the_document_is_the_contracts(capsys):
    found = fitted(capsys)
    assert found["protocol"] == "scaffold"
    assert found["rounds"] == 200
    assert len(found["gap"]) == 201, "before the first round included"
    best, estimate = np.array(found["minimiser"]), np.array(found["estimate"])
    assert found["gap"][0] == pytest.approx(loss(np.zeros(2)) - loss(best), rel=1e-12)
    assert found["gap"][-1] == pytest.approx(0, abs=1e-12)
    assert found["distance"] == pytest.approx(float(np.sum((estimate - best) ** 2)), abs=1e-25)
    gradient = [(loss(best + h) - loss(best - h)) / 2e-6 for h in 1e-6 * np.eye(2)]
    assert np.abs(gradient).max() < 1e-8
    counted = [
        "calls", "rounds", "messages_up", "messages_down", "numbers_up", "numbers_down", "bits_up",
        "bits_down",
    ]  # fmt: skip
    assert sorted(found["traffic"]) == sorted(counted)
    early, late = (
        fitted(capsys, "--protocol", "agd", "--set", f"early_stopping={given}") for given in ("true", "false")
    )
    assert early["rounds"] < late["rounds"], "fewer than declared is no violation"
    assert not early["guarantee"]["violated"]
    assert found["traffic"]["bits_up"] == 64 * found["traffic"]["numbers_up"]


def test_one_round_of_fedavg_by_hand(capsys):
    found = fitted(capsys, "--protocol", "fedavg", "--set", "rounds=1", "local_steps=3", "step_size=0.2")
    features, rewards = by_hand()
    n, mean = sum(len(r) for r in rewards), np.zeros(2)
    for phi, r in zip(features, rewards, strict=True):
        y = np.zeros(2)
        for _ in range(3):
            y = y - 0.2 * (2 / len(r) * phi.T @ (phi @ y - r) + 2 / n * y)
        mean += len(r) / n * y
    np.testing.assert_allclose(found["estimate"], mean, atol=1e-14)


@pytest.mark.parametrize("protocol", ["direct", "direct_printed", "agd", "chebyshev", "cg"])
def test_protocols_with_a_guarantee_keep_it(protocol, capsys):
    found = fitted(capsys, "--protocol", protocol)
    guarantee = found["guarantee"]
    assert guarantee["missing"] == []
    assert not guarantee["violated"]
    assert guarantee["numbers"] >= found["traffic"]["numbers_up"] + found["traffic"]["numbers_down"]
    assert len(found["gap"]) == found["rounds"] + 1


def test_the_link_of_the_file_applies(capsys):
    masked = fitted(capsys, "--protocol", "agd", "--set", "link.encoder=masks")
    plain = fitted(capsys, "--protocol", "agd")
    np.testing.assert_allclose(masked["estimate"], plain["estimate"], atol=1e-9)
    # 128 bits a number, and one key of 256 bits from each of two agents to the other
    assert masked["traffic"]["bits_up"] == 2 * plain["traffic"]["bits_up"] + 2 * 256


def test_features_outside_the_unit_ball_are_fitted_without_a_guarantee(tmp_path, capsys):
    path = tmp_path / "data.toml"
    path.write_text('kind = "dataset"\n[[agents]]\nfeatures = [[3, 1], [0, 2]]\nrewards = [1, 2]\n')
    found = fitted(capsys, "--protocol", "scaffold", "--set", "rounds=3000", "step_size=0.02", path=path)
    assert found["gap"][-1] < 1e-10
    assert any("unit ball" in reason for reason in found["guarantee"]["missing"])
    refused(capsys, ["fit", str(path), "--protocol", "agd"], "its steps are for features in the unit ball")


ONE = "[[agents]]\nfeatures = [[1]]\nrewards = [1]\n"


@pytest.mark.parametrize(
    ("text", "words", "message"),
    [
        ("", (), "agents: missing"),
        ("[[agents]]\nfeatures = []\nrewards = []\n", (), "agents[0].features = []: every agent needs data"),
        ("[[agents]]\nfeatures = [[1]]\nrewards = [1, 2]\n", (), "agents[0].rewards = 2 numbers"),
        ("[[agents]]\nfeatures = [[1], [1, 2]]\nrewards = [1, 2]\n", (), "agents[0].features[1]"),
        ("[[agents]]\nfeatures = [[1]]\nrewards = [nan]\n", (), "agents[0].rewards[0] = nan"),
        ("[[agents]]\nfeatures = [[1e200]]\nrewards = [1]\n", (), "must be a finite number of at most 1e100"),
        (ONE, ("--protocol", "fedavgg"), "did you mean 'fedavg'?"),
        (ONE, ("--set", "rounds=3"), "protocol.rounds: "),
        (
            ONE,
            ("--protocol", "fedavg", "--set", "step_size=-1"),
            "step_size = -1.0: must be a positive number",
        ),
        ('kind = "linear"\n' + ONE, (), "kind = linear"),
    ],
)
def test_bad_data_is_one_line(text, words, message, tmp_path, capsys):
    path = tmp_path / "data.toml"
    path.write_text(text)
    refused(capsys, ["fit", str(path), *words], message)


@pytest.mark.parametrize(
    ("words", "claim"),
    [
        (("--protocol", "fedavg", "--set", "step_size=0.02"), "app:local_gradients"),
        (("--protocol", "scaffold", "--set", "step_size=0.02"), "lem:SCAFFOLD_complete"),
        (("--protocol", "scaffold", "--set", "step_size=0.02", "option=1"), "lem:SCAFFOLD_complete"),
        (("--protocol", "fedprox", "--set", "proximal=2"), "app:fedprox"),
    ],
)
def test_the_rate_stands_beside_the_measurement(words, claim, capsys):
    found = fitted(capsys, *words)
    rate = found["guarantee"]["rate"]
    assert rate["claim"] == claim
    assert rate["verdict"] in ("proved", "checked")  # of the forms that are not refuted
    assert len(rate["gap"]) == len(found["gap"])
    assert all(gap <= bound + 1e-14 for gap, bound in zip(found["gap"], rate["gap"], strict=True))
    assert not found["guarantee"]["violated"]


@pytest.mark.parametrize("words", [("scaffold",), ("fedavg", "local_steps=1"), ("fedavg", "local_steps=3")])
def test_a_tolerance_takes_the_rounds_that_are_proved(words, capsys):
    found = fitted(capsys, "--protocol", words[0], "--set", "tolerance=0.5", *words[1:])
    guarantee = found["guarantee"]
    assert guarantee["missing"] == []
    assert guarantee["rounds"] == found["rounds"]
    # n = 8, d = 2, different laws: C = 2/4 + 9/4 over n, delta = 1/2
    assert found["distance"] <= 0.25 * (2 / 4 + 9 / 4) / 8
    assert (guarantee["distance"] is None) == (words == ("fedavg", "local_steps=3")), "only in the mean"


def test_a_rate_that_is_not_kept_is_reported(monkeypatch, capsys):
    """The same data through a scaffold whose variates are never renewed, which still claims scaffold's rate."""
    from fedigw import local_steps

    monkeypatch.setattr(local_steps, "_renew_controls", lambda *_: None)
    assert main(["fit", str(EXAMPLE), "--set", "step_size=0.02", "rounds=2000"]) == 1
    assert "VIOLATED" in capsys.readouterr().out


def test_simulate_sets_the_measured_excess_risk_beside_the_guaranteed_one(capsys):
    path = ROOT / "examples" / "linear.toml"
    words = ["--protocol", "scaffold", "--set", "tolerance=0.5", "horizon=32", "--replications", "5"]
    epochs = answered(capsys, "simulate", str(path), *words)["epochs"]
    learned = [row for row in epochs if "excess_risk" in row]
    assert len(learned) >= 4
    assert all(0 < row["excess_risk"] < row["guaranteed_risk"] for row in learned)
    one = ["--replications", "1"]  # for what is said; how many runs there were has no part in that
    assert main(["simulate", str(path), *words, *one]) == 0
    assert "guaranteed" in capsys.readouterr().out
    rows = answered(capsys, "simulate", str(path), "--protocol", "scaffold", "--set", "horizon=32", *one)[
        "epochs"
    ]
    assert "guaranteed_risk" not in rows[0], "a fixed number of rounds guarantees none"


@pytest.mark.parametrize(
    ("rounds", "said"),
    [
        ("2000", "agent 0, epoch 1, round 19, step size 1000: the iterates overflow"),
        ("10", "round 10: the gap overflows"),
    ],
)
def test_divergence_names_agent_round_and_step_size(rounds, said, capsys):
    words = [
        "fit", "examples/dataset.toml", "--protocol", "fedavg", "--set", "local_steps=5", "unstable=true",
    ]  # fmt: skip
    refused(capsys, [*words, f"rounds={rounds}", "step_size=1000"], said)
