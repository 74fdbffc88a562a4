"""Interleaved epochs and tuned epsilon-greedy in whole federations: rates, bounds, laws, files."""

import dataclasses
from fractions import Fraction

import numpy as np
import pytest

from bounds.errors import InputError
from bounds.theorems import app_interleaved
from fedigw.applicable import applicable
from fedigw.policies.tuned_epsilon_greedy import TunedEpsilonGreedy
from fedigw.rates import TheoremRates
from fedigw.replications import simulate
from finite_class.environments import gap_one
from finite_class.law import exact_law
from linear.environments import finite_contexts
from verify.cli import main

RNG = np.random.default_rng


@pytest.mark.parametrize("rate", ["printed", "sharpened", "best", [1, 1, 2, 2, 4, 4, 8]])
def test_each_run_has_the_rates_and_the_bound_of_a_basic_run(rate):
    """The bound is that of the two basic runs, added, for every rule of rates and for a list."""
    plan = app_interleaved.interleaved_plan(200, 4)
    world = gap_one.make(RNG(0), arms=2, agents=4).with_plan(plan)
    run = world.with_rates(rate)
    rates = run.learning_rates()
    found = applicable(run)
    assert found.theorem == "app:interleaved"
    total = dict.fromkeys(found.values, 0.0)
    for start, one in enumerate(plan.runs):
        own = rates[start::2]
        basic = world.with_plan(one).with_rates(rate if isinstance(rate, str) else list(own[1:]))
        assert basic.learning_rates()[1:] == own[1:]
        for name, value in applicable(basic).values.items():
            total[name] += value
    assert total == pytest.approx(found.values)


@pytest.mark.parametrize("make", [gap_one.make, finite_contexts.make])
def test_the_exact_law_is_that_of_two_basic_runs(make):
    """Finite class and linear; simulation agrees within five standard errors."""
    from linear.law import exact_law as linear_law

    law = exact_law if make is gap_one.make else linear_law
    small = {"arms": 2, "agents": 1, "horizon": 8} | ({} if make is gap_one.make else {"dimension": 1})
    if make is not gap_one.make:
        small["contexts"] = 1
    world = make(RNG(1), **small)
    run = world.with_plan(app_interleaved.interleaved_plan(10, 1))
    epochs = law(run).epochs
    basic = [law(world.with_plan(one)).epochs for one in run.plan.runs]
    for index, epoch in enumerate(epochs):
        assert float(epoch.regret) == pytest.approx(float(basic[index % 2][index // 2].regret), rel=1e-12)
    record = simulate(run, 4000, 3)
    for index, epoch in enumerate(epochs):
        column = record.regret[:, index]
        assert abs(column.mean() - float(epoch.regret)) <= 5 * column.std() / 4000**0.5 + 1e-9


def test_tuned_shares_are_for_their_policy(tmp_path, capsys):
    world = gap_one.make(RNG(0), agents=4, horizon=64)
    with pytest.raises(InputError, match="is the rule of app:epsilon_greedy; igw takes sharpened"):
        world.with_rates("tuned")
    run = dataclasses.replace(world, policy=TunedEpsilonGreedy(), rates=TheoremRates("tuned"))
    shares = run.learning_rates()
    assert shares[0] == 1
    assert all(isinstance(share, Fraction) and 0 < share <= 1 for share in shares)
    assert list(shares) == sorted(shares, reverse=True)
    assert set(applicable(run).values) == {"tuned"}
    assert applicable(run).theorem == "app:epsilon_greedy"
    lag = run.with_plan(app_interleaved.interleaved_plan(64, 4))
    assert "interleaved" in applicable(lag).missing[0]
    path = tmp_path / "e.toml"
    path.write_text(
        'kind = "finite_class"\nhorizon = 64\nenvironment = "gap_one"\npolicy = "tuned_epsilon_greedy"\n'
    )
    assert main(["simulate", str(path), "--replications", "5"]) == 0
    assert "bound tuned" in capsys.readouterr().out, "its own rates are its default"
    assert main(["simulate", str(path), "--set", "learning_rate=sharpened"]) == 2
    assert "tuned_epsilon_greedy takes tuned, or numbers" in capsys.readouterr().err
