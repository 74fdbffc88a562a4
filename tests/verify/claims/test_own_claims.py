"""Claims of our own: what their instances and numbers are, and what their checks find."""

import math
from fractions import Fraction

import numpy as np
import pytest
from refused import refused

from bounds import app_posterior_mean as formulas
from bounds import own_finite_error_sharp
from bounds.best.constant import best
from bounds.best.regret import KAPPA
from bounds.schedules import asynchrony
from bounds.theorems import own_high_probability
from linear.environments import different_laws
from verify.catalogue import find
from verify.claim import Task, Verdict
from verify.experiments.local_moments import Samples
from verify.experiments.local_ratios import Ratio, cut, judged, sampled
from verify.paper import BY_LABEL, LABELS
from verify.papers.fedigw.claims import (
    app_local_operator,
    col_convex_per,
    own_relaxed_rates,
)
from verify.papers.fedigw.claims import own_high_probability as claim
from verify.papers.fedigw.claims import own_protocol_cost as cost
from verify.papers.fedigw.claims.app_posterior_mean.law import Tiny, one_arm
from verify.papers.fedigw.claims.app_posterior_mean.law import exact as exact_run
from verify.papers.fedigw.claims.col_convex import rows, stochastic
from verify.papers.fedigw.claims.own_adaptive import exact, runs
from verify.papers.fedigw.claims.own_agd_rate.all_functions import (
    attains,
    interpolation,
    lower,
    over_quadratics,
    positive_semidefinite,
    proves,
    textbook,
    upper,
)
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


def data(seed: int = 0) -> Samples:
    return rows.random_data(np.random.default_rng(seed), 3, 8, 3)


@pytest.mark.parametrize("seed", range(3))
def test_local_methods_reduce_to_gradient_descent_and_scaffold_has_no_bias(seed):
    found = data(seed)
    step = 1 / 2.5

    def gap(protocol: str, rounds: int, size: float) -> float:
        return found.mean.gap(rows.measured(protocol, found, rounds, size))

    lsgd = col_convex_per.end_of(found, 7, step, 1, 1.0)
    assert found.mean.gap(lsgd) == pytest.approx(gap("gd", 7, step), rel=1e-9)
    assert gap("gd", 0, step) == pytest.approx(found.mean.gap(np.zeros(3)))
    far = 20000
    assert gap("scaffold", far, step / 2) < 1e-12
    assert gap("fedavg", far, step / 2) > 1e-9, "FedAvg has a bias"
    assert gap("agd", 200, 1 / (2 * (1 + 1 / 24))) < 1e-9


@pytest.mark.parametrize("protocol", ["fedavg", "scaffold"])
def test_the_average_point_is_the_weighted_mean_of_the_points(protocol):
    found, step = data(), 0.2
    q = 1 - step / 24
    weights = q ** np.arange(6, -1, -1.0)
    points = np.array([rows.measured(protocol, found, r, step) for r in range(7)])
    mean = rows.measured(protocol, found, 7, step, average=True)
    assert mean == pytest.approx(weights @ points / weights.sum(), rel=1e-9)


def test_the_gap_is_that_of_the_objective():
    found, w = data(), np.array([0.1, -0.3, 0.5])
    features, rewards, problem = np.array(found.features), np.array(found.rewards), found.mean

    def loss(x: np.ndarray) -> float:
        return float(((features @ x - rewards) ** 2).mean() + x @ x / 24)

    assert problem.gap(w) == pytest.approx(loss(w) - loss(problem.best[0]))
    assert problem.gradients(problem.best).mean(0) == pytest.approx(np.zeros(3), abs=1e-12)


def test_lsgd_pfl_with_one_local_step_reaches_the_minimum_and_with_more_does_not():
    found = col_convex_per.random_data(np.random.default_rng(1), 3, 8, 2, 2)
    assert found.mean.gap(col_convex_per.end_of(found, 20000, 0.3, 1, 1.0)) < 1e-12
    assert found.mean.gap(col_convex_per.end_of(found, 20000, 0.3, 8, 1.0)) > 1e-9


def test_a_restated_label_leads_to_its_claim():
    assert BY_LABEL["col:convex_raw_full"] is BY_LABEL["col:convex_raw"]
    assert "col:convex_raw_full" in LABELS
    assert find("col:convex_raw_full") is find("col:convex_raw")


def test_the_supremum_over_a_ball_does_not_overflow():
    """The largest eigenvalue's direction hardly matters: the multiplier comes down to that eigenvalue."""
    from verify.papers.fedigw.claims.lem_rademacher import supremum

    assert supremum(np.diag([1.0, -1.0]), np.array([1e-20, 0.1]), 2.0) == pytest.approx(4.005)


TASK = Task("quick", np.random.SeedSequence(7))


@pytest.mark.parametrize("largest", [0.001, 0.0165, 0.3, 0.5238, 0.66, 0.9148, 0.99, 0.99999, 1.0])
def test_a_control_takes_the_slack_and_a_tenth_more(largest):
    factor = cut(largest)
    assert 0 < factor < largest, "below what is measured: false"
    taken = 1 - factor
    assert taken >= 1.1 * (1 - largest) * (1 - 1e-12) or factor == pytest.approx(largest / 1.1)
    assert factor >= largest / 1.1 * (1 - 1e-12), "and near it: not false by far"


def test_the_hardest_come_first_and_none_is_counted_that_compares_nothing():
    def one(rng: np.random.Generator) -> Ratio | None:
        value = float(rng.random())
        return Ratio(value, 1.0, "drawn") if value < 0.5 else None

    hard = next(seed for seed in range(50) if 0.49 < np.random.default_rng(seed).random() < 0.5)
    found = list(sampled(TASK, one, 30, (hard,)))
    assert len(found) == 31
    assert found[0].value == np.random.default_rng(hard).random()
    assert judged(found, "x").kind == Verdict.FLOAT
    assert judged(found, "x", shrink=cut(found[0].value)).kind == Verdict.REFUTED


def test_every_message_says_how_many_configurations_and_the_largest_ratio():
    found = next(check for check in app_local_operator.claim.checks if check.name == "bias").run(TASK)
    assert "in 41 configurations" in found.summary
    assert found.figures["configurations"] == 41


def test_the_stochastic_rows_are_met_on_every_dataset_once():
    world = next(stochastic.worlds(TASK))
    chances = [chance for chance, _ in world.datasets()]
    assert sum(chances) == pytest.approx(1, abs=1e-12)
    assert len(chances) == 10**2, "multisets of two of four outcomes, two agents"


def test_a_row_whose_target_the_start_meets_is_vacuous(monkeypatch):
    monkeypatch.setattr(stochastic, "mean_gaps", lambda world, protocol, path: (1e-9, 1e-10))
    assert stochastic.reached(TASK).vacuous


@pytest.mark.parametrize(("root", "rounds"), [(2, 1), (3, 2), (10, 3), (100, 2)])
def test_the_worst_case_is_enclosed_between_quadratics_and_the_textbook(root, rounds):
    low, high = lower(Fraction(root), rounds), upper(Fraction(root), rounds)
    assert over_quadratics(float(root**2), rounds) < low <= high < textbook(float(root**2), rounds)
    assert high - low <= Fraction(3, 10**4)  # margins of 1e-6 and two roundings to four decimals


def test_one_round_by_hand():
    """At k = 1 the multipliers of the textbook's own proof: a certificate that no solver had a part in."""
    root = Fraction(3)
    # x_1 against y, and the minimiser against y (weights 1 and 1/s), the start against y is the same point
    weights = {(0, 1): Fraction(1), (2, 0): 1 / root}
    bound = 1 - 1 / root
    # F(x_1) <= F(y) - norm(g)^2/2 is weaker than interpolation between y and x_1, so this proves the textbook's rate
    assert proves(root, 1, bound, weights)
    assert not proves(root, 1, bound - Fraction(1, 100), weights)  # values no longer cancel
    assert not proves(root, 1, bound, weights | {(1, 0): Fraction(-1), (0, 1): Fraction(0)})  # a negative one


def test_a_spoilt_certificate_is_refused():
    root, form = Fraction(2), interpolation(Fraction(2), 1)[1]
    assert positive_semidefinite(form)
    assert not positive_semidefinite(-form)
    assert not positive_semidefinite(np.array([[Fraction(0), Fraction(1)], [Fraction(1), Fraction(0)]]))
    # x^2/2 with L = 1, mu = 1/4, from x_0 = 2t: g_0 = x_0, x_1 = 0. Start: 2t^2 + t^2/2 <= 1
    t = Fraction(1, 2)
    gram = np.array([[t * t, 2 * t * t, 0], [2 * t * t, 4 * t * t, 0], [0, 0, 0]], dtype=object)
    assert attains(root, 1, gram, [2 * t * t, Fraction(0)])
    assert not attains(root, 1, gram, [2 * t * t, Fraction(1, 10)])  # x_1 is the minimiser: no such function
    assert not attains(root, 1, 4 * gram, [8 * t * t, Fraction(0)])  # starts from more than 1


def test_interpolation_holds_for_true_functions_and_rules_out_others():
    """On h x^2/2 the inequalities hold for mu <= h <= 1 and fail outside."""
    root, rounds = Fraction(3), 2
    forms, _ = interpolation(root, rounds)
    momentum = (root - 1) / (root + 1)
    curvatures = {"1/9": True, "1/2": True, "1": True, "1/10": False, "11/10": False}
    for curvature, member in ((Fraction(h), inside) for h, inside in curvatures.items()):
        now = point = Fraction(1)
        points = []
        for _ in range(rounds):
            points.append(point)
            following = point - curvature * point
            point, now = following + momentum * (following - now), following
        points += [now, Fraction(0)]
        coordinates = np.array([1 / root, *(curvature * p for p in points[:-1])], dtype=object)
        values = [curvature * p * p / 2 for p in points]
        holds = all(
            values[i] >= values[j] + coordinates @ form @ coordinates for (i, j), form in forms.items()
        )
        assert holds == member


def test_one_arm_is_the_run_whose_arms_are_alike():
    row = formulas.POSTERIORS["sharpened"]
    for truth in (0.0, 0.4):
        chain = exact_run(Tiny((1.0, 1.0), truth, 7, 0.0), row, np.array([0.2]))
        binomial = one_arm(truth, 7, row)
        assert chain.total == pytest.approx(binomial.total, rel=1e-12)
        assert chain.energy == pytest.approx(binomial.energy, rel=1e-12)


def test_at_exponent_one_the_kernels_kappa_fails():
    """0.46368 belongs to the exponent 1.04."""
    row, tiny = formulas.POSTERIORS["stated"], Tiny((1.0, 1.0), 0.353, 1, 0.0)
    largest = {
        kappa: exact_run(tiny, row, np.array([1.0]), kappa).martingale[0] for kappa in (0.46317, 0.46368)
    }
    assert largest[0.46317] < 1 < largest[0.46368]


def test_claims_over_all_protocols_leave_it_out_where_it_cannot_learn():
    rng = np.random.default_rng(0)
    for d, there in ((3, True), (6, False)):
        names = [name for _, name, _, _ in cost.fitting(rng, different_laws, d, 2, 16)]
        assert ("posterior_mean" in names) is there
