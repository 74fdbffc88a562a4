"""The exact law of tiny linear runs against simulation, against itself and against one-line cases."""

import itertools
import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from refused import answered

from bounds.errors import InputError
from bounds.schedules import asynchronous_plan, doubling_plan
from fedigw.replications import pooled
from fedigw.rewards import LAWS as REWARDS
from linear import counts
from linear.contexts.finite import FiniteContexts
from linear.environments import sphere
from linear.federations import linear_federation
from linear.law import exact_law, mean_excess_risk
from verify.cli import main

ROOT = Path(__file__).resolve().parents[2]
WORLD = FiniteContexts(np.array([[[1.0, 0], [0, 0.5]], [[0.5, 0.5], [0.25, 0.75]]]), np.array([0.25, 0.75]))
OTHER = FiniteContexts(WORLD.features, np.array([0.5, 0.5]))
PARAMETER = np.array([0.5, 0.5])


def tiny(rewards, plan, different=False):
    agents = (WORLD, OTHER)[: plan.agents] if different else (WORLD,) * plan.agents
    return linear_federation(agents, PARAMETER, plan, rewards=rewards, learning_rate=(3.0, 9.0))


@pytest.mark.parametrize("rewards", REWARDS)
def test_all_compositions_are_met_once(rewards):
    found = counts.compositions(5, 3)
    assert len(found) == math.comb(7, 2) == len({tuple(row) for row in found.tolist()})
    assert (found.sum(axis=1) == 5).all()
    given = counts.cells(WORLD.cells, np.full(4, 0.25), WORLD.means(PARAMETER).ravel(), rewards)
    assert counts.law(given, 4)[1].sum() == pytest.approx(1, abs=1e-12)
    assert given.chances.sum() == pytest.approx(1)


def played(instance, replications, seed):
    """regret and excess risk of every replication (R,), epoch by epoch, on the pooled path."""
    record = pooled(instance, replications, seed, audit=True)
    return list(zip(record.regret.T, record.excess_risk.T, strict=True))


@pytest.mark.parametrize("rewards", REWARDS)
@pytest.mark.parametrize("different", [False, True])
def test_the_law_is_what_simulation_tends_to(rewards, different):
    plan = asynchronous_plan([[2, 1, 2], [1, 2, 1]], 5) if different else doubling_plan(6)
    instance = tiny(rewards, plan, different)
    law, compared = exact_law(instance), 0
    for exact, (regret, risk) in zip(law.epochs, played(instance, 6_000, 0), strict=True):
        error = regret.std() / math.sqrt(6_000)
        assert abs(float(exact.regret) - regret.mean()) <= 4 * error + 1e-12
        if exact.excess_risk is not None:
            error = risk.std() / math.sqrt(6_000)
            assert abs(float(exact.excess_risk) - risk.mean()) <= 4 * error
            compared += 1
    assert compared >= 2


@pytest.mark.parametrize("rewards", REWARDS)
def test_rationals_and_floats_agree_and_noise_may_be_averaged(rewards):
    instance = tiny(rewards, asynchronous_plan([[2, 2], [1, 1]], 4), True)
    exact, rounded = exact_law(instance), exact_law(instance, rational=False)
    assert exact.arithmetic == "rational"
    assert rounded.arithmetic == "float"
    assert float(exact.total_regret) == pytest.approx(rounded.total_regret, rel=1e-12)
    assert isinstance(exact.epochs[0].excess_risk, Fraction)
    # the sum over rewards and their average, two ways to one rational
    assert exact.epochs[0].excess_risk == mean_excess_risk(instance)
    assert mean_excess_risk(instance, False) == pytest.approx(float(mean_excess_risk(instance)), rel=1e-12)


def test_few_steps_over_many_cells_are_counted_in_the_same_order():
    def all_ways(steps, parts):
        if parts == 1:
            return [(steps,)]
        return [(first, *rest) for first in range(steps + 1) for rest in all_ways(steps - first, parts - 1)]

    for steps, parts in itertools.product(range(5), range(1, 8)):
        assert [tuple(row) for row in counts.compositions(steps, parts)] == all_ways(steps, parts)
    assert (
        counts.compositions(1, 3000).tolist() == np.eye(3000, dtype=int)[::-1].tolist()
    )  # deeper than a recursion may be


def test_what_cannot_be_enumerated_is_refused():
    with pytest.raises(InputError, match="finite contexts"):
        exact_law(sphere.make(np.random.default_rng(0), horizon=4))
    with pytest.raises(InputError, match="too large"):
        exact_law(linear_federation((WORLD,), PARAMETER, doubling_plan(64)))


def test_the_command_line_shows_a_kept_instance(capsys):
    path = ROOT / "verify/papers/fedigw/worst/col_linear--epoch--001.toml"
    document = answered(capsys, "exact", str(path))
    assert document["arithmetic"] == "rational"
    assert document["epochs"][1]["estimates"] > 1
    said = float(path.read_text().splitlines()[0].rsplit("=", 1)[1])
    assert document["epochs"][1]["regret"]["value"] > said  # the bound on this epoch is above 1
    assert main(["exact", str(path)]) == 0
    assert "estimates" in capsys.readouterr().out
