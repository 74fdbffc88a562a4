"""make bench: its page says ratios to the last figures and to other libraries, and which peers are missing."""

import json
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks"
MODULES = ("bench", "measures", "page", "picture", "race")
PLAYED = "FedIGW, adaptive rates, all data, 10 agents"
LINUCB = "contextualbandits LinUCB"
WIDE = "contextualbandits LinUCB at its theorem's width"
PEERS = ["coba", "contextualbandits", "mabwiser", "river", "vowpalwabbit"]


@pytest.fixture
def bench(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    import bench as found

    yield found
    for name in MODULES:
        sys.modules.pop(name, None)


def row(name: str, rate: float, regret: float, **more) -> dict:
    seconds = 10_000 / rate
    known = {"name": name, "steps": 10_000, "batch": 0, "seconds": seconds, "calls": seconds}
    rest = {"regret": regret, "error": 0.001, "seeds": 5, "world": "sphere", "peer": "", "guarantee": "none"}
    return known | rest | {"bound": None} | more


def figures(rate: float, exponent: float, run: float) -> dict:
    scale = {"make": 0.1, "run": run, "memory": 90.0, "steps": 10**10}
    return {
        "machine": "here",
        "versions": {"one": "1.0", "many": "2.0"},
        "missing": {},
        "failed": {},
        "race": [
            row("FedIGW, sharpened rates, 10 agents", rate, 0.1, guarantee="before", bound=0.7),
            row("FedIGW, adaptive rates, 10 agents", rate / 2, 0.03, guarantee="observed", bound=1.2),
            row(PLAYED, rate / 4, 0.03, guarantee="observed, all data", bound=0.12),
            row(PLAYED, rate / 4, 0.04, guarantee="observed, all data", bound=0.2, world="near ties"),
            row("one LinUCB", 1000.0, 0.02, batch=1, peer="one", calls=5.0),
            *(row(LINUCB, 20_000.0, 0.02, batch=100, peer="many", world=w) for w in ("sphere", "near ties")),
            *(row(WIDE, 20_000.0, 0.04, batch=100, peer="many", world=w) for w in ("sphere", "near ties")),
        ],
        "floors": {"drawing the contexts": 2e6, "one matrix product": 3e7},
        "rounds": {"logistic": {"ours": 3.0 * run, "numpy": 2.5}},
        "growth": {"T": {"sizes": [1, 10], "seconds": [1.0, 1.1], "exponent": exponent, "at most": 0.1}},
        "scale": {"10,000 agents, |X| = 50, K = 10, T = 1e6, one law": scale},
        "largest": {"T, exact law": {"size": 4096, "seconds": 3.3, "memory": 80.0, "too large": 8192}},
    }


def test_ratios_are_to_the_last_figures(bench):
    text = bench.page(figures(300_000.0, 0.05, 1.0) | {"before": figures(200_000.0, 0.07, 2.0)})
    assert "| FedIGW, sharpened rates, 10 agents | 300,000 | 1.50 |" in text
    assert "| 0.10000 ± 0.00100; at most 0.7000, before the run |  |" in text
    assert "0.03000 ± 0.00100; vacuous, observed" in text
    assert "runs 150 times as fast as the fastest library that learns every step and 7.5 times" in text
    assert "is 0.75 to 1 times that of LinUCB (batch 100) at the width" in text
    assert "and 1.5 to 2 times that of LinUCB with alpha = 1, which has no guarantee." in text
    assert "* The bound that the run reports on its own regret is 4 to 5 times that regret." in text
    assert "| 0.05 | at most 0.1 | 0.07 |" in text
    assert "at most 3 s | 0.50 |" in text
    assert "| T, exact law | 4,096 | 3.3 | 80 | 8,192 |" in text
    assert "| logistic | 3.00 | 2.50 | 1.20 | at most 1.5 |" in text
    assert "\\|X\\| = 50" in text  # a bare bar would end the cell
    assert "Not run" not in text
    slower = bench.page(figures(300_000.0, 0.2, 4.0))
    assert "at most 0.1: EXCEEDED" in slower
    assert "at most 3 s: EXCEEDED" in slower
    assert "at most 1.5: EXCEEDED" in slower


def test_missing_and_failed_peers_are_on_the_page(bench):
    known = figures(300_000.0, 0.05, 1.0)
    known["missing"] = {"river": "not installed"}
    known["failed"] = {"coba LinUCB, batch 1, 10,000 steps": "exit status 1: ValueError: no"}
    text = bench.page(known)
    assert "* river: not installed (extra `bench`); it was not run." in text
    assert "* coba LinUCB, batch 1, 10,000 steps: failed, exit status 1: ValueError: no" in text


def test_without_any_peer_nothing_is_claimed(bench):
    known = figures(300_000.0, 0.05, 1.0)
    known["race"] = known["race"][:1]
    text = bench.page(known)
    assert "No peer was run." in text


def test_the_committed_page_is_that_of_the_committed_figures(bench):
    assert bench.PAGE.read_text() == bench.page(json.loads(bench.LAST.read_text()))
    drawn = bench.PAGE.with_suffix(".svg").read_text()
    assert ">Regret a step after 10,000 (less is better)<" in drawn


def test_the_exponent_is_the_slope(bench):
    sizes = np.array([1e2, 1e3, 1e5])
    assert bench.measures.exponent(sizes, 3e-7 * sizes**1.3) == pytest.approx(1.3)


def test_a_lap_counts_agent_steps_and_regret_a_step(bench):
    found = bench.race.lap("small", bench.race.world(2, 64), "before", seeds=2)
    assert found.steps == 128
    assert 0 < found.regret < 1
    assert found.error > 0
    assert found.rate == found.steps / found.seconds == found.calls_rate
    assert found.bound > found.regret
    adaptive = bench.race.lap("small", bench.race.world(2, 64, "adaptive"), "observed", seeds=2)
    assert adaptive.bound > adaptive.regret


PEER = """
import numpy as np
from race import ARMS, Entry
LIBRARY = "{library}"
class Best:
    "Knows the parameter."
    def __init__(self, seed):
        from race import world
        self.parameter = world(1, 16).world.parameter
    def given(self, features): return features
    def choose(self, given): return (given @ self.parameter).argmax(axis=1)
    def learn(self, given, arms, rewards, chances): assert chances.tolist() == [1.0] * len(arms)
class Uniform(Best):
    def choose(self, given): return np.ones(given.shape[:2])
    def learn(self, given, arms, rewards, chances):
        assert given.shape[1:] == (10, 10)
        assert chances.tolist() == [0.1] * len(arms)
        assert set(rewards.tolist()) <= {{0.0, 1.0}}
class Raising(Best):
    def learn(self, given, arms, rewards, chances): raise ValueError("out of cheese")
class Dying(Best):
    def learn(self, given, arms, rewards, chances):
        import os
        os._exit(9)
ENTRIES = (
    Entry("best", Best, (100,)), Entry("raising", Raising), Entry("dying", Dying), Entry("uniform", Uniform, (64,))
)
"""


def test_one_row_that_dies_loses_only_itself(bench, tmp_path, monkeypatch):
    """Four players of one fake library, a library that is not here, and a file that is not Python."""
    monkeypatch.setenv("PYTHONPATH", str(FOLDER))
    (tmp_path / "peer_here.py").write_text(PEER.format(library="numpy"))
    (tmp_path / "peer_nowhere.py").write_text(PEER.format(library="nowhere_at_all"))
    (tmp_path / "peer_typo.py").write_text("LIBRARY = = 1")
    found = bench.race.peers(quick=True, folder=tmp_path)
    assert found["missing"] == {"nowhere_at_all": "not installed"}
    assert found["failed"]["raising, batch 1, 2,000 steps"] == "exit status 1: ValueError: out of cheese"
    assert found["failed"]["dying, batch 1, 2,000 steps"] == "exit status 9: no message"
    assert "SyntaxError" in found["failed"]["peer_typo"]
    assert found["versions"] == {"numpy": np.__version__}
    best, uniform = found["rows"]
    assert (best.name, best.regret, best.steps, best.batch) == ("best", 0.0, 10_000, 100)
    assert uniform.regret == pytest.approx(
        expected_loss_of_uniform_play(bench), rel=0.03
    )  # 2 x 10,000 contexts
    assert 0 < uniform.calls <= uniform.seconds


def expected_loss_of_uniform_play(bench) -> float:
    """By our own engine: with learning rate 0 every epoch plays uniformly."""
    federation = bench.race.world(1, 20_000, 0)
    return bench.race.lap("uniform", federation, seeds=1).regret


def test_every_peer_file_says_what_it_races(bench):
    """Without its library: names, batches and horizons at which we run too."""
    paths = sorted(FOLDER.glob("peer_*.py"))
    assert [path.stem[5:] for path in paths] == PEERS
    extra = tomllib.loads((FOLDER.parent / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    for path in paths:
        peer = bench.race.load(path)
        assert path.stem == f"peer_{peer.LIBRARY}"
        assert any(line.startswith(f"{peer.LIBRARY}>=") for line in extra["bench"])
        for entry in peer.ENTRIES:
            assert entry.name.startswith(peer.LIBRARY)
            assert set(entry.horizons) <= set(bench.race.SEEDS)


@pytest.mark.parametrize("name", PEERS)
def test_a_peer_plays_the_same_world(bench, name):
    pytest.importorskip(name)
    peer = bench.race.load(FOLDER / f"peer_{name}.py")
    for entry in peer.ENTRIES:
        found = bench.race.run(entry, name, entry.batches[0], 300, 1)
        assert found.steps == 300
        assert 0 < found.regret < 0.5


def test_the_largest_size_is_found_between_two_tries(bench, monkeypatch):
    """Ten seconds reach 1250 sizes of work that takes 8 ms each; the memory of 1 MB each ends it at 1000."""
    tried = []

    def within(size: int, memory: float) -> dict | None:
        tried.append(size)
        return (
            {"seconds": 0.008 * size, "memory": memory * size}
            if size <= 1250 and memory * size <= 1000
            else None
        )

    for memory, first, reached in ((0.5, 10, 640), (0.5, 4000, 1000), (1.0, 300, 600)):
        tried.clear()
        monkeypatch.setattr(bench.measures, "_within", lambda size, work, m=memory: within(size, m))
        found = bench.measures._largest(first, "")
        assert found["size"] == reached
        assert found["too large"] == 2 * reached
        assert len(tried) <= 6
