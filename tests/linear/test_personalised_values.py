"""What a personalised federation promises and uses, written out by hand: M = 3 agents, d^a = 2, dtilde = 8.

The lifted parameter has norm^2 up to M, so e(n) = (dtilde/4 + 9M/4)/n = 8.75/n, and a solver with tolerance delta
makes it (1 + delta)^2 as large, in the rates and in the bound alike.
"""

from dataclasses import replace
from math import sqrt

import numpy as np
import pytest

from bounds.theorems import col_linear_per
from fedigw.applicable import applicable_bounds
from fedigw.interfaces import Setting
from fedigw.replications import by_messages
from linear.personalised.environments.opposite_arms import make
from linear.personalised.lifted import exact_minimiser
from linear.personalised.model import PersonalisedRidge
from linear.personalised.protocols.agd import SharedAcceleratedGradient
from linear.personalised.protocols.cg import SchurConjugateGradient
from linear.ridge import RidgeData

MODEL = PersonalisedRidge(2, (3, 4, 5))
PROTOCOLS = (SharedAcceleratedGradient(0.5), SchurConjugateGradient(0.5))


def test_the_excess_risk_has_the_factor_m():
    assert MODEL.lifted_dimension == 8
    assert MODEL.risk(100) == pytest.approx(0.0875)
    assert col_linear_per.excess_risk(8, 3, 100) == pytest.approx(0.0875)
    assert PersonalisedRidge(2, (3,)).risk(100) == pytest.approx((3 / 4 + 9 / 4) / 100)


@pytest.mark.parametrize("protocol", PROTOCOLS, ids=lambda p: p.name)
def test_a_solver_promises_its_error_too(protocol):
    promised = protocol.guarantee(Setting(MODEL, 3))
    assert promised.claim == "col:linear_per"
    for variant in ("printed", "sharpened"):
        assert promised.risk(variant, 100) == pytest.approx(1.5**2 * 0.0875)
    assert promised.distance(100) == pytest.approx(0.5**2 * 0.0875)


@pytest.mark.parametrize("protocol", PROTOCOLS, ids=lambda p: p.name)
def test_rates_and_bound_of_a_federation(protocol):
    """Four agents of 2 + 1 coordinates and 2 arms each, T = 10: epochs 2, 2, 4 and 2 of the 8; dtilde = 6."""
    federation = replace(make(np.random.default_rng(0), 2, 1, 3, 2, 4, 10), protocol=protocol)
    assert federation.model.lifted_dimension == 6
    risks = [1.5**2 * (6 / 4 + 9 * 4 / 4) / (4 * length) for length in (2, 2, 4)]
    g2 = (3 * (1 - 1 / 2) + 1) / 8
    rates = [sqrt(g2 * 2 / e) for e in risks]
    assert [float(rate) for rate in federation.learning_rates()] == pytest.approx([1.0, *rates], abs=1e-6)
    printed = [float(rate) for rate in federation.with_rates("printed").learning_rates()]
    assert printed == pytest.approx([1.0, *(sqrt(2 / e) for e in risks)], abs=1e-6)
    repaired = 8 + sum(11 * sqrt(2 * e) * 4 * steps for e, steps in zip(risks, (2, 4, 2), strict=True))
    found = applicable_bounds(federation.with_rates("printed"))
    assert found["repaired"] == pytest.approx(repaired)


def test_the_audit_measures_every_block():
    rng = np.random.default_rng(3)
    datasets = []
    for d in MODEL.dimensions:
        features = rng.normal(size=(9, d))
        features /= np.linalg.norm(features, axis=1, keepdims=True)
        datasets.append(RidgeData(9, features.T @ features, features.T @ rng.random(9)))
    problem = MODEL.problem(datasets, 1)
    best = exact_minimiser(datasets, 2)
    assert problem.distance(best) == pytest.approx(0, abs=1e-20)
    away = [part.copy() for part in best]
    for part in away:
        part[:2] += 0.1  # the shared block counts once
    assert problem.distance(away) == pytest.approx(2 * 0.1**2)
    away[2][2:] += 0.2
    away[0][2:] -= 0.3
    assert problem.distance(away) == pytest.approx(2 * 0.1**2 + 3 * 0.2**2 + 0.3**2)
    assert problem.target(0.5) == pytest.approx(0.25 * 8.75 / 27)
    # the minimiser is where the gradient of the lifted loss vanishes
    pull = sum(d.gram[:2] @ b - d.moment[:2] for d, b in zip(datasets, best, strict=True)) + best[0][:2]
    np.testing.assert_allclose(pull, 0, atol=1e-12)
    for d, b in zip(datasets, best, strict=True):
        np.testing.assert_allclose(d.gram[2:] @ b - d.moment[2:] + b[2:], 0, atol=1e-12)


def test_every_agent_is_paid_by_its_own_parameter_and_acts_on_its_own_estimate():
    """With rewards equal to their means and much data each agent learns its own parameter, not its neighbour's."""
    federation = make(np.random.default_rng(5), 2, 2, 4, 3, 3, 2**13)
    world = replace(federation.world, rewards="deterministic")
    federation = replace(federation, world=world)
    record = by_messages(federation, 1, 0)
    learned = record.models[0][-1]
    for own, truth, contexts in zip(learned, world.parameters, world.agents, strict=True):
        np.testing.assert_allclose(contexts.features @ np.array(own), contexts.means(truth), atol=0.05)
    # the regret of the last epoch is that of inverse gap weighting with each agent's own estimate
    from bounds.igw import inverse_gap_weights

    rate, by_hand = record.learning_rates[-1], 0.0
    for own, truth, contexts, steps in zip(
        learned, world.parameters, world.agents, record.played[-1], strict=True
    ):
        p = inverse_gap_weights(contexts.features @ np.array(own), rate)
        means = contexts.means(truth)
        by_hand += steps * float(contexts.law @ (p * (means.max(axis=1, keepdims=True) - means)).sum(axis=1))
    assert record.regret[0, -1] == pytest.approx(by_hand)
