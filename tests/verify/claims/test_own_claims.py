"""Claims of our own: what their instances and numbers are, and what their checks find."""

import math
from fractions import Fraction

import numpy as np
import pytest
from refused import refused

from bounds import own_finite_error_sharp
from bounds.best.constant import best
from bounds.best.regret import KAPPA
from bounds.schedules import asynchrony
from bounds.theorems import own_high_probability
from verify.catalogue import find
from verify.claim import Task, Verdict
from verify.papers.fedigw.claims import own_high_probability as claim
from verify.papers.fedigw.claims import own_relaxed_rates
from verify.papers.fedigw.claims.own_adaptive import exact, runs
from verify.papers.fedigw.claims.own_asynchronous import configurations as made
from verify.papers.fedigw.claims.own_asynchronous import runs as clock_runs
from verify.statistics.level import SHARE

STEPS, FUNCTIONS = 2**14, 2
CASES = {  # variant: arms, C/g, kappa
    "sharpened": (2, 28 * math.sqrt(2) / 9, 1 - math.exp(-1 / 2)),
    "best": (3, best(3, doubling=True).over_g, 0.46368),
}


def test_the_statement_has_the_bounds_of_the_corollary():
    for variant, (arms, constant, kappa) in CASES.items():
        root = math.sqrt(arms * STEPS * math.log(FUNCTIONS) / kappa)
        bound = 2 * (1 - 1 / arms) + constant * (2 + math.sqrt(2)) * root
        line = next(
            row for row in find("own:not_vacuous").statement.splitlines() if row.split()[:1] == [variant]
        )
        assert f"= {bound:.1f} < T/2" in line


def test_the_planted_share_is_known_beforehand():
    """(1-1/K)/C at e = 0: 1/2 over (8 - r)/(8 - 2r) (1/2 + 1/3)."""
    for fall in (Fraction(1001, 1000), Fraction(2)):
        last = own_relaxed_rates.ratios(own_relaxed_rates.planted(fall))[-1]
        expected = 0.5 / (float((8 - fall) / (8 - 2 * fall)) * 5 / 6)
        assert last == (pytest.approx(expected, rel=1e-4), True)


def test_rates_do_fall():
    rng = np.random.default_rng(0)
    for _ in range(10):
        rates = own_relaxed_rates.falling(rng).learning_rates()
        assert rates[2] < rates[1] < 4 * rates[2]


def task(seed: int = 0) -> Task:
    return Task("quick", np.random.SeedSequence(seed), 1e-4)


def test_the_space_is_wide_enough_and_ten_percent_less_is_not():
    """At gap 0.1 and delta = 0.1 f* leaves with probability 0.0901; 0.9 of the threshold: 0.1147."""
    assert runs.leaving_probability(0.1, 1.0, 0.1) == pytest.approx(0.0901, abs=1e-4)
    assert runs.leaving_probability(0.1, 0.9, 0.1) == pytest.approx(0.1147, abs=1e-4)
    assert runs.version_space(task()).kind is Verdict.FLOAT
    assert runs.version_space(task(), 0.9).kind is Verdict.REFUTED


def test_chi_square_notices_what_the_law_does_not_know():
    assert exact.chi_square({0.0: 0.5, 1.0: 0.5}, np.array([0.0] * 50 + [1.0] * 50)) == (0.0, 2)
    statistic, _ = exact.chi_square({0.0: 0.5, 1.0: 0.5}, np.array([0.0] * 50 + [2.0] * 50))
    assert statistic > 50


def test_configurations_are_asynchronous_and_heterogeneous():
    found = made.configurations(np.random.default_rng(0), full=False)
    assert len(found) == 6
    assert {name.split(", ")[1] for name in found} == set(made.MIXES)
    for one in found.values():
        plan = one.plan
        assert asynchrony(plan) > 1
        assert len(set(one.arms)) > 1
        assert min(map(min, plan.full)) >= 1
        assert plan.played[-1] != plan.full[-1] or one.timing.horizon == one.timing.ends[-1]


@pytest.mark.long
def test_fifty_configurations():
    found = clock_runs.regret(Task("full", np.random.SeedSequence(0), SHARE))
    assert found.kind is Verdict.MEASURED
    assert found.figures["configurations"] >= 50
    assert found.figures["informative_configurations"] >= 50
    assert found.figures["rates_fall"] >= 1


@pytest.mark.parametrize("delta", ["1", "1.5", "0"])
def test_delta_must_be_a_probability(delta, capsys):
    words = f"bound own:high_probability --variant best --set M=1 K=2 T=8 F=2 delta={delta}".split()
    refused(capsys, words, "delta")


def test_the_learning_rates_are_those_of_the_bound():
    """The lower bound at the federation's own rates is the one beside the bound."""
    world = claim.worlds()["gap 1, K = 2"]
    from fedigw.applicable import lower_bound

    beside = own_high_probability.epoch_sum(10, 2, 2, claim.HORIZON, claim.DELTA).lower(claim.HORIZON)
    assert lower_bound(world) == pytest.approx(beside.value, rel=1e-9)


def test_kappa_star_lies_just_above_the_kernels_kappa():
    star, value, exponent = own_finite_error_sharp.kappa_star()
    assert star == pytest.approx(0.463699, abs=1e-6)
    assert value == pytest.approx(0.3531, abs=1e-3)
    assert exponent == pytest.approx(1.04, abs=0.01)
    assert 0 < star / float(KAPPA) - 1 < 5e-5


def test_winning_by_another_path():
    """First how often the context is met, then how many of the rewards are ones: the same law, every outcome."""
    u, s, steps = own_finite_error_sharp.VALUE, own_finite_error_sharp.OWN, 100
    whole = Fraction(0)
    for met in range(1, steps + 1):
        wins = sum(
            math.comb(met, k) * u**k * (1 - u) ** (met - k)
            for k in range(met + 1)
            if k > Fraction(met) * (1 + u) / 2
        )
        whole += math.comb(steps, met) * s**met * (1 - s) ** (steps - met) * wins
    found = own_finite_error_sharp.exact_beats(steps)
    assert found <= whole  # some outcomes are left out
    assert found == pytest.approx(whole, rel=1e-6)


def test_drawing_the_class_gives_its_ratio():
    """N = 50 agents, 400 steps each: how often some f_j beats f*, against 1 - (1-q)^N; five standard errors."""
    rng, agents, steps, runs = np.random.default_rng(1), 50, 640, 2000
    u, s = float(own_finite_error_sharp.VALUE), float(own_finite_error_sharp.OWN)
    met = rng.binomial(steps, s, (runs, agents))
    ones = rng.binomial(met, u)
    wins = (ones * (1 - u) > (met - ones) * (1 + u) + 1e-9).any(axis=1).mean()
    expected = 1 - (1 - float(own_finite_error_sharp.exact_beats(steps))) ** agents
    assert abs(wins - expected) <= 5 * math.sqrt(expected * (1 - expected) / runs) + 1e-3
