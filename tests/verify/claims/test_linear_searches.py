"""Searches for worst cases of linear worlds: both sides of what they compare, and their instances."""

import tomllib
from fractions import Fraction

import numpy as np

from bounds.schedules import asynchronous_plan
from fedigw.instance_file import to_toml
from linear.contexts.finite import FiniteContexts
from linear.federations import linear_federation
from verify.instances import parse
from verify.papers.fedigw.claims.col_linear import searched


def test_both_sides_of_the_excess_risk_of_one_sample_by_hand():
    """d = 1, phi = 1, w* = 1/2, one reward of 0 or 1: the risk is 1/8."""
    world = FiniteContexts(np.ones((1, 1, 1)), np.ones(1))
    instance = linear_federation((world,), np.array([0.5]), asynchronous_plan([[1]], 1))
    # (s2 d + norm(w*)^2)/(n+1) = (1/4 + 1/4)/2
    assert searched.excess_risk_sides(instance, True, False) == (Fraction(1, 8), Fraction(1, 4))
    assert searched.excess_risk_sides(instance, True, True)[1] == Fraction(1, 4) + Fraction(9, 16)


def test_neighbours_stay_legal_and_survive_their_files():
    rng = np.random.default_rng(0)
    changed = 0
    for search in (searched.REGRET, *searched.EXCESS_RISK.values()):
        for _ in range(30):
            instance = search.start(rng)
            moved = search.neighbour(instance, rng)  # validates itself
            changed += moved != instance
            assert parse(tomllib.loads(to_toml(moved.describe()))) == moved
    assert changed > 45
