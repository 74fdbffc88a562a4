"""Sizes that nobody can compute are refused before the work begins, with what was asked for in the message."""

from typing import Any

import pytest

from bounds.errors import InputError
from fedigw import replications as replications_
from finite_class import loss_law
from finite_class.law import exact_law
from verify.instances import parse
from verify.verbs.bound.document import evaluated


def instance(functions: int = 3, agents: int = 2, horizon: int = 1000) -> dict[str, Any]:
    return {
        "kind": "finite_class",
        "horizon": horizon,
        "truth": 0,
        "functions": [[[f"{i % 7}/7", f"{i % 11}/11"]] for i in range(functions)],
        "agents": [{"contexts": ["1"]}] * agents,
    }


@pytest.fixture
def no_convolution(monkeypatch):
    """Any epoch that is really worked out fails the test: a refusal comes before the first."""

    def worked(*_: Any) -> Any:
        raise AssertionError("an epoch was worked out before the refusal")

    for name in ("_rational_power", "_lattice_law", "_sparse_law"):
        monkeypatch.setattr(loss_law, name, worked)


@pytest.mark.usefixtures("no_convolution")
@pytest.mark.parametrize(
    ("functions", "agents", "horizon"), [(3, 2, 10**15), (3, 2000, 10**6), (50_000, 2, 1000)]
)
def test_a_large_exact_law_is_refused_before_the_work(functions, agents, horizon):
    with pytest.raises(InputError, match="too large for the exact law"):
        exact_law(parse(instance(functions, agents, horizon)))


def test_what_was_held_before_is_still_held():
    law = exact_law(parse(instance(horizon=8)))
    assert law.arithmetic == "rational"


def test_a_rate_whose_cube_is_no_float_is_still_a_rate():
    found = evaluated(
        "col:linear", "sharpened", {"M": 10**16, "K": 3, "T": 10**100, "d": 10}, protocol="agd_convex"
    )
    assert 0 < found["value"] <= found["trivial"]


def test_a_bound_above_all_floats_is_refused_not_printed():
    median = {"M": 10**300, "K": 2, "T": 10**15, "d": 2, "f": 10, "median": 1}
    small = {"M": 1000, "K": 2, "T": 10**307, "d": 2}  # 10^158, beside M T steps
    for label, variant, given in (
        ("app:robust_predictions", "repaired", median),
        ("col:linear", "printed", small),
    ):
        with pytest.raises(InputError, match="above 1e308"):
            evaluated(label, variant, given)


@pytest.mark.parametrize(
    ("agents", "replications", "field"), [(2, 10**10, "replications"), (3000, 2, "denominator")]
)
def test_endless_runs_are_refused_before_the_first_epoch(agents, replications, field, monkeypatch):
    monkeypatch.setattr(replications_, "carry_out", None)
    federation = parse(instance(agents=agents, horizon=10**15))
    with pytest.raises(InputError, match=field):
        replications_.simulate(federation, replications, 0)


@pytest.mark.parametrize(("arms", "horizon"), [(3, 10**15), (10**6, 10**6)])
def test_a_sphere_is_not_walked_for_ever(arms, horizon, monkeypatch):
    monkeypatch.setattr(replications_, "run", None)
    monkeypatch.setattr(replications_, "carry_out", None)
    sphere = {"name": "sphere", "agents": 2, "arms": arms, "dimension": 2}
    federation = parse({"kind": "linear", "horizon": horizon, "environment": sphere})
    with pytest.raises(InputError, match="numbers to be drawn"):
        replications_.simulate(federation, 1, 0)
