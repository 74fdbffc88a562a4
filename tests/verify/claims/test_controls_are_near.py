"""Negative controls stand close to the truth: with half as much again of the bound the check no longer refutes them."""

from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import pytest
from threadpoolctl import threadpool_limits

from verify.campaign.units import Settings, task
from verify.catalogue import find
from verify.claim import Check, Evidence, Verdict

NEARER = Fraction(3, 2)
# (claim, check): the control is a share of the bound, or of the effort, below what the check measures
SHARES = """
    lem:rademacher enumerated, lem:q_loss_bound exact-printed, own:adaptive rates, own:agd_convex exact,
    own:covering enumerated, own:high_probability runs, app:gossip_statistics enumeration,
    app:gossip_statistics errors, app:gossip_statistics server, app:decentralised_gradients bias,
    app:error_feedback gaps, app:epsilon_greedy regret, app:interleaved regret-best, app:noisy_gradients loss,
    app:noisy_statistics eigenvalue, app:robust_gd rate, app:robust_predictions worst-liars, app:softmax
    upper, app:greedy diverse
"""


def nearer(check: Check, by: Fraction) -> Any:
    """Return the control with its share multiplied, at most the whole."""
    assert isinstance(check.control, partial)
    given = check.run.keywords if isinstance(check.run, partial) else {}
    changed = {k: v for k, v in check.control.keywords.items() if k not in given}
    (name, share), *_ = changed.items()
    near = min(by * share, Fraction(1)) if isinstance(share, Fraction) else min(float(by) * share, 1.0)
    return partial(check.control.func, **{**check.control.keywords, name: near})


@pytest.mark.parametrize(("label", "name"), [pair.split() for pair in SHARES.split(",")])
def test_a_control_nearer_to_the_truth_is_not_refuted(label, name):
    check = next(check for check in find(label).checks if check.name == name)
    given = task(Settings(), label, check)
    with threadpool_limits(1):
        found: Evidence = nearer(check, NEARER)(replace(given, seed=given.seed.spawn(1)[0]))
    assert found.kind is not Verdict.REFUTED, f"{name}: its control could be nearer to the truth by half"
