"""The claim about the posterior mean: its tiny exact runs, and claims over all protocols."""

import numpy as np
import pytest

from bounds import app_posterior_mean as formulas
from linear.environments import different_laws
from verify.papers.fedigw.claims import own_protocol_cost as cost
from verify.papers.fedigw.claims.app_posterior_mean.law import Tiny, exact, one_arm


def test_one_arm_is_the_run_whose_arms_are_alike():
    row = formulas.POSTERIORS["sharpened"]
    for truth in (0.0, 0.4):
        chain = exact(Tiny((1.0, 1.0), truth, 7, 0.0), row, np.array([0.2]))
        binomial = one_arm(truth, 7, row)
        assert chain.total == pytest.approx(binomial.total, rel=1e-12)
        assert chain.energy == pytest.approx(binomial.energy, rel=1e-12)


def test_at_exponent_one_the_kernels_kappa_fails():
    """0.46368 belongs to the exponent 1.04."""
    row, tiny = formulas.POSTERIORS["stated"], Tiny((1.0, 1.0), 0.353, 1, 0.0)
    largest = {kappa: exact(tiny, row, np.array([1.0]), kappa).martingale[0] for kappa in (0.46317, 0.46368)}
    assert largest[0.46317] < 1 < largest[0.46368]


def test_claims_over_all_protocols_leave_it_out_where_it_cannot_learn():
    rng = np.random.default_rng(0)
    for d, there in ((3, True), (6, False)):
        names = [name for _, name, _, _ in cost.fitting(rng, different_laws, d, 2, 16)]
        assert ("posterior_mean" in names) is there
