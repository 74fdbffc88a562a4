"""Exact law, any-horizon simulator and federation loop: one law, three methods."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import chi2

from fedigw.federation import Federation
from fedigw.ledger import COUNTERS
from fedigw.policies.igw import InverseGapWeighting
from fedigw.replications import by_messages, pooled
from fedigw.running import Run, run
from finite_class.environments import heterogeneous, near_ties, random_table
from finite_class.federations import changed
from finite_class.law import exact_law
from finite_class.tables import tables
from verify.instances import parse
from verify.statistics.measurement import within_unit

# A correct program fails a goodness-of-fit test with this probability, over the choice of its (fixed) seed.
LEVEL = 1e-4


def goodness_of_fit(models: list[object], law: dict[object, float]) -> None:
    """Pearson's test of observed models against a law, cells of expectation below 5 pooled."""
    total = len(models)
    observed, expected, rest = [], [], [0.0, 0.0]
    for model, p in law.items():
        seen = sum(found == model for found in models)
        if p * total >= 5:
            observed.append(seen)
            expected.append(p * total)
        else:
            rest[0] += seen
            rest[1] += p * total
    assert sum(observed) + rest[0] == total, "a model that the law excludes"
    if rest[1] >= 5:
        observed.append(rest[0])
        expected.append(rest[1])
    statistic = sum((o - e) ** 2 / e for o, e in zip(observed, expected, strict=True))
    assert statistic <= chi2.ppf(1 - LEVEL, max(1, len(observed) - 1))


def named_law(instance: Federation, epoch: int) -> dict[object, float]:
    size = len(instance.world.functions)
    return {
        ("initial" if s == size else s): float(p) for s, p in exact_law(instance).epochs[epoch].law.items()
    }


def small(seed: int) -> Federation:
    return heterogeneous.make(
        np.random.default_rng(seed), functions=3, contexts=2, arms=3, agents=2, horizon=6
    )


def sensitive(scale: int = 1) -> Federation:
    """Rivals differ from f* only on arms that f* does not favour: what is learned hangs on what is explored."""
    return parse(
        {
            "kind": "finite_class",
            "horizon": 10,
            "schedule": [2, 4, 8, 10],
            "truth": 0,
            "functions": [
                [["1/2", "0"], ["1", "1/2"]],
                [["1/2", "1"], ["1", "1/2"]],
                [["1/2", "0"], ["1", "0"]],
            ],
            "ties": "adversarial",
            "learning_rate": [6 * scale, 12 * scale, 20 * scale],
            "agents": [{"contexts": ["1/2", "1/2"]}, {"contexts": ["1/4", "3/4"]}],
        }
    )


def run_many(instance: Federation, count: int, seed: int) -> list[Run]:
    rng = np.random.default_rng(seed)
    return [run(instance, rng) for _ in range(count)]


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize("rewards", ["bernoulli", "two_point"])
def test_the_any_horizon_simulator_has_the_exact_law(seed, rewards):
    instance = changed(sensitive() if seed == 0 else small(seed), rewards=rewards)
    record = pooled(instance, 20000, seed)
    for epoch in range(instance.plan.epochs):
        goodness_of_fit([row[epoch] for row in record.models], named_law(instance, epoch))


@pytest.mark.parametrize("rewards", ["bernoulli", "deterministic", "two_point"])
def test_the_federation_loop_has_the_exact_law(rewards):
    instance = changed(sensitive(), rewards=rewards, ties="uniform")
    models = [r.models[0] for r in run_many(instance, 400, 7)]
    for epoch in range(instance.plan.epochs):
        goodness_of_fit([row[epoch] for row in models], named_law(instance, epoch))


def test_a_wrong_kernel_is_noticed():
    """Negative control of the two tests above, at their sample sizes: other learning rates have another law."""
    right, wrong = named_law(sensitive(), 2), sensitive(scale=4)
    with pytest.raises(AssertionError):
        goodness_of_fit([row[2] for row in pooled(wrong, 20000, 0).models], right)
    with pytest.raises(AssertionError):
        goodness_of_fit([r.models[0][2] for r in run_many(wrong, 400, 0)], right)


def test_the_ledger_of_the_loop_is_the_one_of_the_simulator():
    for horizon in (1, 2, 7, 8, 40):
        instance = random_table.make(
            np.random.default_rng(0), functions=4, contexts=2, agents=3, horizon=horizon
        )
        counted = [[getattr(t, name) for name in COUNTERS] for t in run_many(instance, 1, 0)[0].traffic]
        assert pooled(instance, 1, 0).traffic[0].tolist() == counted


def test_a_trillion_steps_have_forty_epochs():
    instance = near_ties.make(np.random.default_rng(0), Fraction(1, 100), agents=2, horizon=10**12)
    record = pooled(instance, 20, 0)
    assert record.regret.shape == (20, 40)
    assert float(sum(row[0] for row in record.played)) == 10**12


def test_values_beyond_the_largest_regret_are_an_error_not_clipped():
    sample = np.array([0.5, 1.0 + 1e-12])
    assert within_unit(sample, 1.0).max() == 1.0
    with pytest.raises(ValueError, match="exceeds the largest"):
        within_unit(np.array([1.01]), 1.0)


def test_kernel_tables_are_zero_outside_an_agents_arms():
    instance = small(0)
    arrays = tables(instance.world, exact=False)
    for own in arrays.arms:
        kernel = arrays.probabilities(InverseGapWeighting(), own, 3.0)
        outside = [a for a in range(3) if a not in own]
        assert np.all(kernel[..., outside] == 0)
        np.testing.assert_allclose(kernel.sum(axis=-1), 1.0)


def test_the_measured_excess_risk_is_that_of_the_exact_law():
    instance = random_table.make(
        np.random.default_rng(5), functions=3, contexts=2, arms=2, agents=2, horizon=14
    )
    law = exact_law(instance, rational=False)
    record = pooled(instance, 20_000, 3, audit=True)
    by_messages_too = by_messages(instance, 300, 4, audit=True)
    compared = 0
    for epoch, exact in enumerate(law.epochs):
        if exact.excess_risk is None:
            assert np.isnan(record.excess_risk[:, epoch]).all()
            continue
        for risks in (record.excess_risk[:, epoch], by_messages_too.excess_risk[:, epoch]):
            error = risks.std() / np.sqrt(len(risks))
            assert abs(float(exact.excess_risk) - risks.mean()) <= 4.5 * error + 1e-12
        compared += 1
    assert compared >= 2
