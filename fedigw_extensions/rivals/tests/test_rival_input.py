"""What rivals refuse beforehand, what they say, and that their ledgers hold where agents hardly ever act together."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from refused import answered, refused

from bounds.errors import InputError
from fedigw.clocks.periodic import Periodic
from fedigw.competing import compete, sizes_of, times_of
from fedigw.designs import optimal_design
from fedigw.game import Game
from fedigw.parts import systems
from fedigw.timing import Timing
from fedigw_extensions.rivals.systems.fedlinucb import FedLinUCB
from linear.contexts.finite import FiniteContexts
from linear.environments import finite_contexts
from linear.federations import linear_federation
from verify.cli import main

ROOT = Path(__file__).resolve().parents[3]

RNG = np.random.default_rng
FIXED = finite_contexts.make(RNG(1), dimension=3, contexts=1, arms=4, agents=3, horizon=300)


def staggered(agents: int = 20) -> Any:
    """Every agent acts once, no two at the same time."""
    timing = Timing(agents, (agents,), tuple(Periodic(period=agents, offset=m + 1) for m in range(agents)))
    contexts = tuple(FiniteContexts(np.array([[[1.0], [0.5]]]), np.ones(1)) for _ in range(agents))
    return replace(linear_federation(contexts, np.ones(1), timing.plan()), timing=timing)


@pytest.mark.parametrize("name", ["async_linucb", "async_linucb_am", "fedlinucb"])
def test_what_is_sent_to_agents_that_do_not_act_is_counted(name):
    system = systems()[name]()
    found = compete(system, staggered(), 2, 0)
    sent = found.record.total_traffic("numbers_up") + found.record.total_traffic("numbers_down")
    assert sent.max() <= system.numbers_at_most(found.sizes)
    if name != "fedlinucb":  # with T_m = 1 in the place of the times, as it once was, the same bound is false
        assert sent.max() > system.numbers_at_most(replace(found.sizes, times=1))


def test_who_acts_when_is_what_the_clocks_say():
    timing = Timing(6, (6,), (Periodic(), Periodic(period=2, offset=2), Periodic(period=3)))
    found = times_of(replace(FIXED, plan=timing.plan(), timing=timing))[1]
    assert found.T.astype(int).tolist() == [[1] * 6, [0, 1] * 3, [1, 0, 0] * 2]


def test_runs_are_the_pulls_that_were_listed():
    """The sums by arm, what each agent loses in each epoch, and nothing beyond the horizon."""
    world = replace(FIXED.world, rewards="deterministic")
    game = Game(world, sizes_of(FedLinUCB(), FIXED), [2, 300], 1, RNG(0))
    counts = np.array([[3, 0, 2, 0], [0, 4, 1, 0], [0, 0, 2, 0]])
    means = FIXED.world.agents[0].means(FIXED.world.parameter)[0]
    assert np.allclose(
        game.runs(counts), counts * means
    )  # the last agent's further pulls are not in the sums
    gap = means.max() - means
    assert np.allclose(game._by_agent, gap @ [[3, 0, 0], [0, 4, 0], [2, 1, 5], [0, 0, 0]])
    assert np.allclose(game._lost, [[gap @ [2, 2, 2, 0], gap @ [1, 2, 6, 0]]])
    game.runs(np.full((3, 4), 10**12))
    assert game.left == 0
    assert np.allclose(game._by_agent - gap @ [[3, 0, 0], [0, 4, 0], [2, 1, 5], [0, 0, 0]], 295 * gap[0])


def test_mixed_steps_are_counted_by_cell_and_epoch():
    game = Game(FIXED.world, sizes_of(FedLinUCB(), FIXED), [100, 300], 1, RNG(0))
    means, gap = np.array([1.0, 0.0, 0.5]), np.array([0.0, 1.0, 0.5])
    counts, sums = game.mixed(np.array([0.5, 0.5, 0.0]), means, gap, 200)
    assert counts.sum(axis=1).tolist() == [200] * 3
    assert np.array_equal(sums, counts * means)
    assert np.array_equal(game._by_agent, counts @ gap)
    assert game._lost.sum() == counts[:, 1].sum()
    assert abs(game._lost[0, 0] - 150) < 50
    assert game.left == 100


@pytest.mark.parametrize("name", [n for n, part in systems().items() if hasattr(part, "delta")])
@pytest.mark.parametrize("delta", [0.0, 1e-320, 1.0, float("nan")])
def test_no_probability(name, delta):
    with pytest.raises(InputError, match=r"delta .*must be a probability"):
        systems()[name](delta=delta)


@pytest.mark.parametrize("name", ["delb", "mean_averaging", "async_linucb"])
def test_the_smallest_probability_is_played(name):
    assert compete(systems()[name](delta=1e-280), FIXED, 1, 0).kept.all()


@pytest.mark.parametrize("name", ["dislinucb", "fedglb_ucb"])
@pytest.mark.parametrize("threshold", [0, -1, float("nan")])
def test_no_threshold(name, threshold):
    with pytest.raises(InputError, match=r"threshold .*must be a positive number"):
        systems()[name](threshold=threshold)


@pytest.mark.filterwarnings("error")
def test_a_design_over_very_many_arms():
    """With all shares below what is negligible nothing was left."""
    turns = np.linspace(0, 2 * np.pi, 5000, endpoint=False)
    arms = np.stack([np.cos(turns), np.sin(turns)], axis=1)
    shares = optimal_design(arms[None], np.ones((1, 5000), dtype=bool), np.ones(1))
    assert shares.sum() == pytest.approx(1)


RIVALS = str(ROOT / "examples/rivals.toml")
ALONE = ["simulate", RIVALS, "--replications", "1", "--system", "fedlinucb"]


def test_every_rival_says_which_event_it_checks(capsys):
    assert [name for name, part in systems().items() if part.event is None] == ["fedres_sgd"]
    words = ["simulate", RIVALS, "--replications", "2", "--set", "horizon=8", "--system"]
    assert main([*words, "fedres_sgd"]) == 0
    said = capsys.readouterr().out
    assert "its file states no bound on the regret" in said
    assert "of 2 replications" not in said
    assert answered(capsys, *words, "fedres_sgd")["event"] is None
    assert main([*words, "delb"]) == 0
    assert "the best arm was never dropped, in 2 of 2 replications" in capsys.readouterr().out


def test_settings_name_the_fields_of_a_rival(capsys):
    most = []
    for more in (["alpha=1"], ["system.alpha=1"], ["delta=0.1", "alpha=1"], []):
        most.append(answered(capsys, *ALONE, "--set", "horizon=256", *more)["bounds"]["numbers"]["value"])
    assert most[0] == most[1] == most[2] < most[3]
    refused(capsys, [*ALONE, "--set", "delta=2"], "system.delta = 2")
    assert main([*ALONE, "--set", "alhpa=2"]) == 2
    assert "unknown key, of fedlinucb and of the file; did you mean 'alpha'?" in capsys.readouterr().err


def test_what_a_rival_does_not_use_is_refused_or_said(capsys):
    for option in (["--protocol", "agd"], ["--policy", "igw"]):
        refused(capsys, [*ALONE, *option], "fedlinucb has neither policy nor protocol")
    assert main([*ALONE, "--set", "horizon=32"]) == 0
    assert "not used" not in capsys.readouterr().out
    assert main([*ALONE, "--set", "horizon=32", "learning_rate=3.0", "policy=igw"]) == 0
    assert "not used, as they are FedIGW's: policy, learning_rate" in capsys.readouterr().out


def test_privacy_is_not_promised_by_a_rival():
    asked = replace(FIXED)
    object.__setattr__(asked, "privacy", "some")
    with pytest.raises(InputError, match="no rival system keeps it"):
        compete(FedLinUCB(), asked, 1, 0)
