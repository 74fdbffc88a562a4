"""Attacks: liars change their own messages or data only, regret is that of the honest, and bad input is one line."""

import tomllib
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from refused import refused

from bounds.errors import InputError
from fedigw.applicable import applicable, largest_regret
from fedigw.channel import Channel, Link
from fedigw.parts import attacks
from fedigw.replications import by_messages
from fedigw.running import Messages
from fedigw_extensions.robust.aggregators.geometric_median import GeometricMedian
from fedigw_extensions.robust.aggregators.median import Median
from fedigw_extensions.robust.aggregators.trimmed_mean import TrimmedMean
from fedigw_extensions.robust.attacks.label_flip import LabelFlip
from fedigw_extensions.robust.attacks.sign_flip import SignFlip
from fedigw_extensions.robust.attacks.witness import Witness, worst_messages
from finite_class.environments import random_table
from linear.environments import finite_contexts, sphere
from verify.cli import main
from verify.instances import parse

RNG = np.random.default_rng


@pytest.mark.parametrize("name", sorted(attacks()))
def test_liars_change_their_own_messages_only(name):
    messages = RNG(0).standard_normal((5, 3))
    channel = Channel(5, 1, Link(attack=attacks()[name](agents=(1, 4))), RNG(0))
    received = channel.gather("x", messages, (3,))
    np.testing.assert_array_equal(received[[0, 2, 3]], messages[[0, 2, 3]])
    changed = (received[[1, 4]] != messages[[1, 4]]).any(axis=1).all()
    assert changed != (name == "label_flip"), "whose lie is in the data"


@pytest.mark.parametrize("rule", [TrimmedMean(2), Median(), GeometricMedian()])
def test_the_witness_reaches_the_constant_on_the_worst_honest_messages(rule):
    """It is told the aggregator by the channel, sees the honest messages, and finds the side that hurts."""
    for m, f in ((7, 2), (9, 2), (10, 2)) if rule.name != "geometric_median" else ((7, 2), (9, 2)):
        honest = np.array(worst_messages(rule.name, m, f)[0], dtype=float)
        messages = np.concatenate([honest, np.zeros((f, 2))])
        link = Link(aggregator=rule, attack=Witness(agents=tuple(range(m - f, m))))
        found = Channel(m, 1, link, RNG(0)).mean("x", messages, (2,))
        centre = honest.mean(axis=0)
        variance = ((honest - centre) ** 2).sum(axis=1).mean()
        reached = ((found - centre) ** 2).sum() / variance
        assert reached == pytest.approx(float(rule.constant(m, f)), rel=1e-6)


@pytest.mark.parametrize(
    "made",
    [
        random_table.make(RNG(0), functions=3, contexts=2, agents=3, horizon=30),
        finite_contexts.make(RNG(0), dimension=3, arms=3, agents=3, horizon=30),
        sphere.make(RNG(0), dimension=3, arms=3, agents=3, horizon=30),
    ],
    ids=["finite_class", "finite_contexts", "sphere"],
)
def test_flipped_labels_are_one_minus_the_rewards(made):
    """The liar's and the honest sums of the same draws add up to what rewards of 1 would give; others are honest."""
    lying = replace(made, link=Link(attack=LabelFlip(agents=(1,))))
    segment = made.plan.segments[2]
    data = []
    for federation in (made, lying):
        path = Messages(federation, RNG(3))
        data.append(path.play(path.initial(), 1.0, segment).data)
    for agent in (0, 1, 2):
        honest, told = (d[agent] for d in data)
        if hasattr(honest, "counts"):
            np.testing.assert_array_equal(honest.counts, told.counts)
            assert (told.sums != honest.sums).any() == (agent == 1)
            if agent == 1:
                np.testing.assert_array_equal(told.sums + honest.sums, honest.unit * honest.counts)
        else:
            np.testing.assert_array_equal(honest.gram, told.gram)
            assert (told.moment != honest.moment).any() == (agent == 1)
            if agent == 1:
                ones = told.samples.counts @ told.samples.features
                np.testing.assert_allclose(told.moment + honest.moment, ones, atol=1e-6 * honest.count)


def test_regret_is_that_of_the_honest_agents():
    made = finite_contexts.make(RNG(0), dimension=2, arms=2, agents=5, horizon=64)
    link = Link(attack=SignFlip(agents=(0, 3, 3)))
    assert link.liars == (0, 3)
    federation = replace(made, link=link)
    record = by_messages(federation, 4, 0)
    assert record.total_regret.mean() == pytest.approx(sum(record.per_agent[m] for m in (1, 2, 4)))
    assert largest_regret(federation) == pytest.approx(0.6 * largest_regret(made))


def table(**changes: Any) -> dict[str, Any]:
    return {
        "kind": "linear",
        "horizon": 64,
        "environment": {"name": "finite_contexts", "agents": 10, "dimension": 3, "arms": 2, "seed": 1},
    } | changes


PREDICTIONS = 'protocol = {name = "robust_predictions", tolerates = 2}\nlink.aggregator = '


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ('attack = {name = "large_norm", scale = 1e200}', r"attack.scale = 1e\+200: must be a number"),
        ('attack = {name = "sign_flop"}', "attack = sign_flop: unknown; did you mean 'sign_flip'?"),
        ('attack = {name = "sign_flip", agents = [11]}', r"agents\[0\] = 11: must be an agent, 0 to 9"),
        (
            'attack = {name = "label_flip", agents = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]}',
            "attack.agents = all: must leave one of the 10 agents honest",
        ),
        ('link.aggregator = {name = "trimmed_mean", cut = 5}', "leaves nobody of 10 agents; at most 4"),
        (
            'link = {aggregator = {name = "trimmed_mean", cut = 2}, participants = 4}',
            "leaves nobody of 4 agents; at most 1",
        ),
        (
            'link.aggregator = {name = "krum", lying = 8}',
            "leaves nobody to compare with among 10 agents; at most 7",
        ),
        ('link.aggregator = {name = "centred_clipping", radius = 0}', "radius = 0.0: must be a positive"),
        ('link.encoder = {name = "quantise", bits_each = 0}', "bits_each = 0: must be an integer from 1"),
        ('link.encoder = {name = "top_k", keep = 0}', "keep = 0: must be a positive integer"),
        (
            PREDICTIONS + '"mean"',
            "link.aggregator = mean: has no constant against 2 lying agents; median and trimmed_mean have",
        ),
        (PREDICTIONS + '"trimmed_mean"', "protocol.tolerates = 2: must be at most the cut, 1"),
        (
            PREDICTIONS.replace("2", "5") + '"median"',
            "protocol.tolerates = 5: must be below one half of the 10 agents",
        ),
        (
            PREDICTIONS + '"krum"',
            "link.aggregator = krum: combines whole messages; predictions are combined one by one",
        ),
    ],
)
def test_bad_links_and_attacks_are_one_line(changes, message):
    with pytest.raises(InputError, match=message):
        parse(table(**tomllib.loads(changes)))


@pytest.mark.parametrize("protocol", ["direct", "fedavg", "robust_predictions"])
def test_with_half_of_the_agents_lying_nothing_is_promised(protocol, tmp_path, capsys):
    path = tmp_path / "x.toml"
    path.write_text(
        'kind = "linear"\nhorizon = 16\nattack = {name = "constant_lie", agents = [0, 1]}\n'
        'link = {aggregator = "median"}\nenvironment = {name = "finite_contexts", agents = 4}\n'
        f'protocol = "{protocol}"\nlearning_rate = 9\n'
    )
    assert main(["simulate", str(path), "--replications", "2"]) == 0
    printed = capsys.readouterr().out
    assert "regret of the 2 honest agents: 2 of 4 lie (0, 1)" in printed
    assert (
        "no bound: 2 of 4 agents lie: from one half on no rule has any guarantee (app:breakdown)" in printed
    )
    assert "  bound " not in printed


def test_fewer_than_half_lying_is_no_breakdown():
    federation = parse(table(attack={"name": "sign_flip", "agents": [0, 1, 2, 3]}))
    assert not any("breakdown" in reason for reason in applicable(federation).missing)


def test_a_lie_that_outgrows_floats_is_one_line(tmp_path, capsys):
    path = tmp_path / "x.toml"
    path.write_text(
        'kind = "linear"\nhorizon = 32\nattack = {name = "sign_flip", scale = 1e100}\nprotocol = "fedavg"\n'
        'learning_rate = 5\nenvironment = {name = "finite_contexts", agents = 4}\n'
    )
    error = refused(capsys, ["simulate", str(path), "--replications", "1"])
    assert "the iterates overflow" in error or "a lie (sign_flip) is no finite number any more" in error
