"""Any seed: no control of a cheap check fails for 200 seeds, and all expectations are met for twelve.

Controls sit near what a planted instance reaches for every seed, not near what one seed happens to reach. Statistical
checks may err, all of a campaign together with probability at most 0.01. Cheap is at most 0.1 CPU seconds with the
control, so that 200 seeds of all of them take some ten minutes; a check that draws nothing has one seed.
"""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from verify.campaign.judgement import judge
from verify.campaign.units import Settings, run_unit, task, units
from verify.catalogue import catalogue

# seed 0 reached what its controls asked for, and seeds 4, 6, 7, 8 and others did not
SUSPECTS = """
    lem:true_virtual_loss pathwise-repaired, lem:true_virtual_loss pathwise-sharpened, lem:epoch_regret_bound
    pathwise, thm:global_regret exact-repaired, thm:global_regret exact-sharpened
"""
# every check that draws and takes at most 0.1 CPU seconds with its control, measured once; proofs and witnesses
# draw nothing
CHEAP = """
    app:compressed_gradients enumeration, app:diana enumeration, app:error_feedback bits,
    app:gossip_statistics enumeration, app:gossip_statistics runs, app:gossip_statistics server,
    app:large_step expands, app:large_step proximal, app:noisy_gradients loss, app:noisy_statistics
    eigenvalue, app:noisy_statistics given_noise, app:robust_mean attacks-median, app:robust_mean
    attacks-trimmed_mean, app:robust_predictions ledger, col:convex_per reached, col:linear ledger-agd_convex,
    col:linear ledger-cg, col:linear ledger-direct, col:linear_per ledger-cg, col:linear_per runs-cg, lem:VE
    exact, lem:V_upper equality, lem:finite_error tail, lem:q_distribution exact, own:agd_convex exact,
    own:agd_rate exact, own:lower_bound exact, own:ridge_excess_risk paths-same_law
"""


def pairs(text: str) -> list[tuple[str, ...]]:
    """Return (claim, check) of each pair in a text."""
    return [tuple(pair.split()) for pair in text.split(",")]


class Watched(np.random.SeedSequence):
    """A seed that knows whether anything was drawn from it."""

    used = False

    def generate_state(self, *words: Any, **named: Any) -> Any:
        self.used = True
        return super().generate_state(*words, **named)

    def spawn(self, *words: Any, **named: Any) -> Any:
        self.used = True
        return super().spawn(*words, **named)


def draws(label: str, name: str) -> bool:
    """Whether the check or its control reads its seed: if not, one seed is all seeds."""
    check = next(check for check in catalogue()[label].checks if check.name == name)
    given = task(Settings(), label, check)
    watched = Watched(0, spawn_key=given.seed.spawn_key)
    for asked in (check.run, check.control):
        asked(replace(given, seed=watched))
    return watched.used


def told_apart(label: str, name: str, seed: int) -> bool:
    outcome = run_unit(Settings(seed=seed), label, name)
    assert outcome.failure is None, (seed, outcome.failure)
    return outcome.control_ok


@pytest.mark.long
@pytest.mark.parametrize("label", catalogue())
def test_every_expectation_is_met_for_twelve_other_seeds(label):
    """Verdicts and controls: a campaign ends with 0 whatever its seed is."""
    names = [check.name for check in catalogue()[label].checks]
    found = {name: run_unit(Settings(), label, name) for name in names}
    drawing = [name for name in names if draws(label, name)]
    for seed in range(1, 13 if drawing else 1):
        found |= {name: run_unit(Settings(seed=seed), label, name) for name in drawing}
        assert [j.problems for j in judge([*found.values()]) if not j.met] == [], f"seed {seed}"


@pytest.mark.long
@pytest.mark.parametrize(("label", "name"), sorted({*pairs(CHEAP), *pairs(SUSPECTS)}))
def test_no_control_fails_for_two_hundred_seeds(label, name):
    seeds = range(200 if draws(label, name) else 1)
    assert [seed for seed in seeds if not told_apart(label, name, seed)] == []


def test_a_check_that_draws_is_told_from_one_that_does_not():
    assert draws("lem:q_distribution", "exact")
    assert not draws("lem:finite_var", "extremal")
    assert {*pairs(CHEAP)} <= {*units(catalogue())}
