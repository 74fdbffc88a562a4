"""own:lower_bound beside the upper bounds that `bound` and `simulate` print."""

import pytest
from refused import answered

from verify.cli import main

GAP_ONE = """
kind = "finite_class"
horizon = 64
environment = {name = "gap_one", arms = 3, agents = 4}
learning_rate = "best"
"""


def test_bound_prints_how_far_it_can_be_from_the_truth(capsys):
    words = ["bound", "col:finite", "--variant", "best", "--set", "M=10", "K=2", "T=1e8", "F=10"]
    document = answered(capsys, *words)
    lower = document["lower"]
    assert lower["claim"] == "own:lower_bound"
    assert lower["ratio"] == pytest.approx(document["value"] / lower["value"])
    assert lower["limit"] == pytest.approx(2.0)
    assert "gap 1" in lower["applies"]
    assert main(words) == 0
    shown = capsys.readouterr().out
    assert "within a factor 2.01 of the worst case; 2.00 as the excess risk tends to 0" in shown


def test_simulate_prints_it_at_gap_one_only(tmp_path, capsys):
    path = tmp_path / "one.toml"
    path.write_text(GAP_ONE)
    document = answered(capsys, "simulate", str(path), "--replications", "20")
    assert document["lower"]["value"] <= document["regret"]["smallest"]
    path.write_text(GAP_ONE.replace("gap_one", "near_ties"))
    assert answered(capsys, "simulate", str(path), "--replications", "20")["lower"] is None
