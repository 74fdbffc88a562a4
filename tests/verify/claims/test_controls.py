"""A negative control that is told apart only for one seed is luck: every check again with other seeds."""

import pytest

from verify.campaign.units import Settings, run_unit, units
from verify.catalogue import catalogue

CHANCE = [
    (label, name)
    for label, name in units(catalogue())
    if not name.startswith(("proof-", "kernel-", "best-steps"))  # the same for every seed
]


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize(("label", "name"), CHANCE)
def test_every_control_is_told_apart_for_other_seeds(label: str, name: str, seed: int) -> None:
    outcome = run_unit(Settings(seed=seed), label, name)
    assert outcome.failure is None
    assert outcome.control_ok, outcome.control
