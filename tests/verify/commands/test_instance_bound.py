"""bound thm:global_regret --instance: any lengths, arms and risks of a file, c as realised, H5 watched."""

import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from refused import answered, refused

from bounds.theorems import thm_global_regret
from fedigw.applicable import applicable
from fedigw.instance_file import to_toml
from verify.cli import main
from verify.instances import load, parse
from verify.verbs.simulate import summary as simulation

ROOT = Path(__file__).resolve().parents[3]
FALLS = "examples/rates_fall.toml"
TABLE = {
    "kind": "finite_class",
    "horizon": 5000,
    "truth": 0,
    "functions": [[["1", "0", "1/2"]], [["0", "1", "1/2"]], [["1/2", "1/2", "0"]]],
    "learning_rate": "sharpened",
    "agents": [
        {"contexts": ["1"], "arms": [0, 1]},
        {"contexts": ["1"], "clock": {"burst": 3, "pause": 1}},
        {"contexts": ["1"], "clock": {"poisson": 2.0, "seed": 3}},
    ],
}


def ask(capsys: pytest.CaptureFixture[str], *words: str) -> dict:
    return answered(capsys, "bound", "thm:global_regret", *words)


def written(tmp_path: Path, **changes: object) -> str:
    path = tmp_path / "instance.toml"
    path.write_text(to_toml(TABLE | changes))
    return str(path)


@pytest.mark.parametrize(("rule", "variant"), [("sharpened", "sharpened"), ("printed", "repaired")])
def test_it_is_the_bound_that_simulate_prints(rule, variant, tmp_path, capsys):
    path = written(tmp_path, learning_rate=rule, schedule=[40, 120, 360, 1080, 5000])
    found, federation = ask(capsys, "--instance", path, "--variant", variant), load(Path(path))
    assert found["monotone"]
    assert found["value"] == pytest.approx(applicable(federation).values[variant], rel=1e-12)
    assert found["parameters"]["c"] > 1
    assert found["parameters"]["K"] == [2, 3, 3]
    assert found["parameters"]["T"] == 5000
    rates = [float(rate) for rate in federation.learning_rates()][1:]
    assert [row["learning_rate"] for row in found["epochs"]][1:] == pytest.approx(rates, rel=1e-5)


def test_clocks_under_doubling_make_the_first_rates_fall_and_simulate_says_the_same(capsys, tmp_path):
    """Epochs 1 and 2 have two global times each; the agent in bursts plays 2 of the first and 1 of the second."""
    path = written(tmp_path)
    found, told = ask(capsys, "--instance", path, "--variant", "sharpened"), applicable(load(Path(path)))
    assert not found["monotone"]
    assert found["value"] == pytest.approx(told.values["sharpened"], rel=1e-5)  # its rates are on a grid
    assert found["value"] < found["trivial"]
    assert "H5 fails" in told.remarks[0]


def test_synchronous_doubling_is_what_the_parameters_give(capsys, tmp_path):
    agents = [{"contexts": ["1"]}] * 4
    path = written(tmp_path, agents=agents)
    for variant in ("repaired", "sharpened", "best"):
        by_file = ask(capsys, "--instance", path, "--variant", variant, "--risk", "7/n")
        by_numbers = ask(capsys, "--variant", variant, "--set", "M=4", "K=3", "T=5000", "A=7")
        assert by_file["value"] == pytest.approx(by_numbers["value"], rel=1e-9)
        assert by_file["trivial"] == pytest.approx(by_numbers["trivial"], rel=1e-12)
        assert by_file["vacuous"] == by_numbers["vacuous"]


@pytest.mark.parametrize("risk", ["1/sqrt(n)", "(ln(n)+1)/n", "n**(-9/10)", "1/n**2"])
def test_a_risk_that_does_not_halve_has_the_constant_of_any_schedule(risk, capsys, tmp_path):
    """The smaller constant asks gamma^{l-1} <= (169/239) gamma^l from epoch 4 on, of the rates: doubled lengths alone
    do not give that."""
    path = written(tmp_path, agents=[{"contexts": ["1"]}] * 4)
    found = ask(capsys, "--instance", path, "--variant", "best", "--risk", risk)
    below = [row for row in found["epochs"][1:] if row["bound"] < sum(row["played"]) * (1 - 1e-9)]
    rates = [row["learning_rate"] for row in found["epochs"]]
    late = [row["epoch"] - 1 for row in below if row["epoch"] >= 4]
    assert late
    grows = all(239 * rates[epoch - 1] <= 169 * rates[epoch] for epoch in late)
    assert grows == (risk == "1/n**2")
    for row in below:
        before = found["epochs"][row["epoch"] - 2]["excess_risk"]
        constant = row["bound"] / (sum(row["played"]) * math.sqrt(3 * before))
        assert constant == pytest.approx(2.735696157532123 if grows else 2.794279701926682)  # K = 3
    if not grows:
        plain = ask(capsys, "--variant", "best", "--risk", risk, "--set", "M=4", "K=3", "T=5000")
        assert found["value"] == pytest.approx(plain["value"], rel=1e-9)


def test_rates_that_fall_are_seen_and_the_relaxed_form_is_said(capsys):
    found = ask(capsys, "--instance", FALLS, "--variant", "sharpened", "--risk", "C", "--set", "C=1")
    assert not found["monotone"]
    assert found["fall"] == pytest.approx(math.sqrt(Fraction(10002, 101 * 51)))
    assert found["claim"] == "own:relaxed_rates"
    assert "H5 fails: the learning rate falls" in found["remarks"][0]
    assert "in epoch 3" in found["remarks"][0]
    assert main(["bound", "thm:global_regret", "--instance", FALLS]) == 0
    assert "H5 fails" in capsys.readouterr().out
    assert main(["simulate", FALLS, "--replications", "2"]) == 0
    assert "the relaxed form own:relaxed_rates is applied" in capsys.readouterr().out
    held = ask(capsys, "--instance", FALLS, "--variant", "sharpened")  # e = A/n: S^l grows
    assert held["monotone"]
    assert held["claim"] == "thm:global_regret"


def test_listed_rates_are_the_files_own(tmp_path, capsys):
    epochs = parse(TABLE).plan.epochs
    path = written(tmp_path, learning_rate=[50 + l for l in range(epochs)])
    found, federation = ask(capsys, "--instance", path), load(Path(path))
    risks, rates = federation.risks("sharpened"), [float(rate) for rate in federation.learning_rates()]
    terms = thm_global_regret.regret_given_learning_rates(federation.plan, federation.arms, rates, risks)
    # the variant asked for is repaired, whose risk is larger: a bound all the same
    assert found["value"] >= sum(terms) - 1e-9
    assert found["variant"] == "sharpened"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["col:finite", "--instance", FALLS], "--instance"),
        (["thm:global_regret", "--instance", "nowhere.toml"], "no such file"),
        (["thm:global_regret", "--instance", FALLS, "--risk", "d/n"], "give d, e.g. --set d=10"),
        (["thm:global_regret", "--instance", FALLS, "--risk", "K/n"], "K differs between the agents"),
        (["thm:global_regret", "--instance", FALLS, "--set", "d=3"], "is for --risk"),
        (["thm:global_regret", "--instance", FALLS, "--risk", "0/n"], "must be positive"),
        (
            ["thm:global_regret", "--instance", "examples/erratum_E6.toml"],
            "learning rates decrease by a factor of 4c or more (H5)",
        ),
        (["thm:global_regret", "--instance", FALLS, "--variant", "best"], "agents in step"),
    ],
)
def test_bad_input_is_one_line(words, says, capsys):
    refused(capsys, ["bound", *words], says)


def test_the_library_takes_an_instance_too(tmp_path, capsys):
    from verify import bound

    by_command = ask(capsys, "--instance", written(tmp_path), "--variant", "sharpened")
    for instance in (written(tmp_path), TABLE):
        found = bound("thm:global_regret", "sharpened", instance=instance)
        assert found.value == by_command["value"]
        assert found.claim == "own:relaxed_rates"
        assert "H5 fails" in str(found)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ('policy = "greedy"\n', "policy = greedy: the theorem is about inverse gap weighting"),
        ("link = {participants = 1}\n", "promises no excess risk there"),
        ('attack = {name = "label_flip", agents = [0]}\n', "promises no excess risk there"),
    ],
)
def test_what_the_theorem_is_not_about_has_no_bound(changes, said, tmp_path, capsys):
    path = tmp_path / "other.toml"
    world = (
        'functions = [[["1/2", "0"]], [["1/2", "1"]]]\nagents = [{contexts = ["1"]}, {contexts = ["1"]}]\n'
    )
    path.write_text('kind = "finite_class"\nhorizon = 64\ntruth = 1\n' + changes + world)
    refused(capsys, ["bound", "thm:global_regret", "--instance", str(path)], said)
    assert answered(capsys, "simulate", str(path), "--replications", "2")["bounds"]["regret"] is None


@pytest.mark.parametrize("name", ["private", "lying_agents", "linear_personalised", "gossip", "federation"])
def test_the_number_and_the_word_are_those_of_simulate(name, capsys):
    """No word is stronger than that for the excess risk."""
    path = ROOT / "examples" / f"{name}.toml"
    told = next(iter(_regret_bounds_of(path).values()))
    found = ask(capsys, "--instance", str(path), "--variant", told["variant"])
    assert found["value"] == pytest.approx(told["value"])
    assert found["trivial"] == pytest.approx(told["trivial"])
    assert found["verdict"] == told["verdict"]


def _regret_bounds_of(path: Path) -> dict[str, Any]:
    """variant -> row, as simulate would print it, without running."""
    federation = load(path)
    rows = simulation._regret_bounds(applicable(federation), 0.0, 0.0, False)
    return {row["variant"]: row for row in rows["variants"]}
