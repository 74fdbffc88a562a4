"""Which bound a federation has: computed from all of its parts, and none where a theorem has nothing to say."""

from dataclasses import replace

import numpy as np
import pytest
from parts_example import Halves, Median, Uniform

from bounds.schedules import doubling_plan
from fedigw.applicable import applicable, applicable_bounds, largest_epoch_regret, largest_regret
from fedigw.channel import Link
from fedigw.encoders.masks import Masks
from fedigw.replications import simulate
from fedigw.running import pools
from finite_class.environments import random_table
from linear.environments import finite_contexts, sphere
from linear.personalised.environments import opposite_arms
from linear.protocols.agd import AcceleratedGradient
from verify.verbs.simulate.summary import summarise
from verify.verbs.simulate.text import text

RNG = np.random.default_rng
FEDERATIONS = {
    "finite_class": random_table.make(RNG(0), functions=3, contexts=2, agents=3, horizon=30),
    "linear": finite_contexts.make(RNG(0), dimension=3, arms=3, agents=3, horizon=30),
    "sphere": sphere.make(RNG(0), dimension=3, arms=3, agents=3, horizon=30),
    "linear_personalised": opposite_arms.make(RNG(0), agents=3, horizon=30),
}
CLAIMS = {
    "finite_class": "col:finite",
    "linear": "col:linear",
    "sphere": "col:linear",
    "linear_personalised": "col:linear_per",
}


@pytest.mark.parametrize("kind", FEDERATIONS)
def test_the_plain_federation_has_a_bound_and_its_claim(kind):
    found = applicable(FEDERATIONS[kind])
    assert found.claim == CLAIMS[kind]
    assert set(found.values) == {"sharpened"}
    assert found.missing == ()
    printed = applicable_bounds(FEDERATIONS[kind].with_rates("printed"))
    assert "repaired" in printed
    assert "sharpened" not in printed


@pytest.mark.parametrize("kind", FEDERATIONS)
@pytest.mark.parametrize(
    ("link", "reason"),
    [
        (Link(encoder=Halves()), "no theorem for the encoder halves"),
        (Link(aggregator=Median()), "no theorem for the aggregator median"),
        (Link(participants=2), "no theorem for client sampling"),
    ],
)
def test_a_link_that_no_theorem_is_about_has_no_bound(kind, link, reason):
    federation = replace(FEDERATIONS[kind], link=link)
    found = applicable(federation)
    assert found.values == {}
    assert found.missing == (reason,)
    assert not pools(federation)  # so what is simulated is the messages


@pytest.mark.parametrize("link", [Link(encoder=Halves()), Link(aggregator=Median()), Link(participants=2)])
def test_no_bound_is_printed_and_the_reason_is(link):
    # gradients rounded to halves still lead somewhere; a rounded Gram matrix need not be one
    federation = replace(FEDERATIONS["linear"], link=link, protocol=AcceleratedGradient())
    document = summarise(federation, simulate(federation, 3, 0, audit=True))
    assert set(document["bounds"].values()) == {None}
    assert document["no_bound"] == list(link.missing)
    assert document["violated"] == []  # nothing was promised of such a link
    said = text(document)
    assert f"no bound: {link.missing[0]}" in said
    assert "bound sharpened" not in said


def test_all_reasons_are_said_at_once():
    link = Link(encoder=Halves(), aggregator=Median(), participants=2)
    federation = replace(FEDERATIONS["linear"], link=link, policy=Uniform())
    assert len(applicable(federation).missing) == 4


def test_masks_are_lossless_in_the_sum_and_keep_the_bound():
    masked = replace(FEDERATIONS["linear"], link=Link(encoder=Masks()))
    assert applicable(masked) == applicable(FEDERATIONS["linear"])


@pytest.mark.parametrize("kind", FEDERATIONS)
@pytest.mark.parametrize("rates", [7, [1, 2, 3, 4, 5]])
def test_rates_of_ones_own_have_the_bound_of_the_sharpened_theorem(kind, rates):
    federation = FEDERATIONS[kind].with_rates(rates)
    found = applicable(federation)
    assert set(found.values) == {"sharpened"}
    # the theorem's own rates are those for which its bound is least
    assert found.values["sharpened"] >= applicable(FEDERATIONS[kind]).values["sharpened"] * (1 - 1e-5)


@pytest.mark.parametrize("kind", FEDERATIONS)
def test_the_largest_regret_is_the_sum_of_its_epochs_and_no_run_exceeds_it(kind):
    federation = FEDERATIONS[kind]
    epochs = largest_epoch_regret(federation)
    assert len(epochs) == federation.plan.epochs
    assert largest_regret(federation) == pytest.approx(sum(epochs))
    assert 0 < largest_regret(federation) <= 3 * 30 * (1 + 1e-12)
    regret = simulate(federation, 20, 0).regret
    assert (regret <= np.array(epochs) * (1 + 1e-9)).all()
    longer = federation.with_plan(doubling_plan(60, 3))
    assert largest_regret(longer) > largest_regret(federation)
