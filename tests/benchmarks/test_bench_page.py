"""make bench: its page says ratios to the last figures and limits that are not met; its pieces measure."""

import sys
from pathlib import Path

import numpy as np
import pytest

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def bench(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    import bench as found

    yield found
    for name in ("bench", "measures", "peer_vowpalwabbit"):
        sys.modules.pop(name, None)


def figures(rate: float, exponent: float, run: float) -> dict:
    return {
        "machine": "here",
        "race": {"FedIGW": {"rate": rate, "steps": 1000, "regret": 0.125}},
        "peer_missing": True,
        "floors": {"drawing the contexts": 2e6, "one matrix product": 3e7},
        "growth": {"T": {"sizes": [1, 10], "seconds": [1.0, 1.1], "exponent": exponent, "at most": 0.1}},
        "scale": {
            "10,000 agents, |X| = 50, K = 10, T = 1e6, one law": {
                "make": 0.1,
                "run": run,
                "memory": 90.0,
                "steps": 10**10,
            }
        },
    }


def test_ratios_are_to_the_last_figures(bench) -> None:
    text = bench.page(figures(300.0, 0.05, 1.0), figures(200.0, 0.07, 2.0))
    assert "| FedIGW | 1,000 | 300 | 0.1250 | 1.50 |" in text
    assert "| 0.05 | at most 0.1 | 0.07 |" in text
    assert "at most 3 s | 0.50 |" in text
    assert "NOT MET" not in text
    assert "no peer was run" in text
    assert "\\|X\\| = 50" in text  # a bare bar would end the cell


def test_a_limit_that_is_not_met_is_said(bench) -> None:
    text = bench.page(figures(300.0, 0.2, 4.0), {})
    assert text.count("NOT MET") == 2


def test_the_exponent_is_the_slope(bench) -> None:
    sizes = np.array([1e2, 1e3, 1e5])
    assert bench.measures.exponent(sizes, 3e-7 * sizes**1.3) == pytest.approx(1.3)


def test_a_lap_counts_agent_steps_and_regret_a_step(bench) -> None:
    lap = bench.measures.lap("small", bench.measures.world(2, 64), repetitions=1)
    assert lap.steps == 128
    assert 0 < lap.regret < 1
    assert lap.rate == lap.steps / lap.seconds


def test_the_peer_plays_the_same_world(bench) -> None:
    pytest.importorskip("vowpalwabbit")
    laps = bench.peer_vowpalwabbit.race(steps=300, repetitions=1)
    assert [lap.steps for lap in laps] == [300, 300]
    assert all(0 < lap.regret < 0.5 for lap in laps)
