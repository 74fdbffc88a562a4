"""Claims about privacy: what their checks see, and that the checks could have failed."""

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import pytest

from bounds import app_sensitivity
from fedigw_extensions.privacy.claims import app_epochs_do_not_compose as epochs
from fedigw_extensions.privacy.claims import app_gaussian_mechanism as mechanism
from fedigw_extensions.privacy.claims import app_noisy_gradients as gradients
from fedigw_extensions.privacy.claims import app_sensitivity as sensitivity
from fedigw_extensions.privacy.claims.app_noisy_statistics import given_noise
from fedigw_extensions.privacy.linear_protocols.noisy_statistics import NoisyStatistics
from verify.claim import Task, Verdict


def task(seed=0):
    return Task("quick", np.random.SeedSequence(seed), 0.01 / 264)


def test_neighbours_attain_the_sensitivity():
    for samples in (2, 40):
        one, other = mechanism.neighbours(samples)
        length = np.sqrt(((one.gram - other.gram) ** 2).sum() + ((one.moment - other.moment) ** 2).sum())
        assert length == pytest.approx(app_sensitivity.joint())
    reached = sensitivity.gradient_witness(task())
    assert reached.kind is Verdict.FLOAT
    assert len(reached.figures["rows"]) == 1 + len(sensitivity.RADII)


@dataclass(frozen=True)
class Forgetful(NoisyStatistics):
    """Noise on b alone."""

    def released(self, problem, rng):
        gram, moment = super().released(problem, rng)
        return problem.gram + 0 * gram, moment


def test_a_mechanism_that_forgets_a_part_of_the_noise_is_refuted():
    assert mechanism.measured(task(), Forgetful).kind is Verdict.REFUTED


def test_the_tiny_federation_is_a_law_and_learns():
    for reuse in (False, True):
        law = epochs.law((0, 1), 3, reuse)
        assert sum(law.values()) == 1
    one, other = epochs.law((0, 0), 1, False), epochs.law((1, 0), 1, False)
    assert one != other
    assert epochs.hockey_stick(one, one, Fraction(1)) == 0
    # total variation by hand: laws (4, 2, 1)/7 and (1, 2, 1)/4
    assert epochs.hockey_stick(one, other, Fraction(1)) == Fraction(4, 7) - Fraction(1, 4)


def test_reused_data_cost_more_at_every_epsilon():
    for factor in epochs.FACTORS:
        assert epochs.worst(2, True, factor) >= epochs.worst(1, False, factor)
    assert epochs.worst(3, False, Fraction(1)) == epochs.worst(1, False, Fraction(1)) == Fraction(9, 28)


def test_the_exact_risk_is_the_textbook_one_in_one_dimension():
    """phi = 1, w = 1, P = p: v n/(n+p)^2 + sigma^2/(n+p)^2 + (p/(n+p))^2."""
    one = np.array([[Fraction(1)]], dtype=object)
    given = given_noise.Fixed(
        one, one[0], one[0], Fraction(3) * one, Fraction(2), Fraction(1, 2), Fraction(5), Fraction(1, 4), 4
    )
    expected = (Fraction(1, 4) * 4 + 5 + 9) / Fraction(49)
    assert given_noise.risk(given) == expected
    assert given_noise.bound(given) == (Fraction(1, 4) + Fraction(5, 2) + Fraction(9, 4) * Fraction(3, 4)) / 5
    two = replace(given, samples=1)
    assert given_noise.risk(two) > given_noise.risk(given)


def test_the_least_loss_in_the_ball():
    """phi = 1/10, r = 1, n = 1000: the minimiser 100/11 is cut to 1. phi = 1, r = 1/2, n = 4: it is 2/5."""
    cut = gradients._least_in_ball(np.full((1000, 1), 0.1), np.ones(1000))
    assert cut == pytest.approx(0.9**2 + 1 / 1000)
    assert gradients._least_in_ball(np.ones((4, 1)), np.full(4, 0.5)) == pytest.approx(0.1**2 + 0.4**2 / 4)
