"""Finite classes that are learned as linear combinations, as mixtures, or with a truth for each agent."""

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bounds.errors import InputError
from bounds.theorems import own_covering
from fedigw.applicable import applicable, lower_bound
from fedigw.federation import Federation
from fedigw.interfaces import PerAgent
from fedigw.replications import simulate
from fedigw.running import run
from finite_class.combinations import Combinations
from finite_class.law import exact_law
from finite_class.protocols.least_mixture import GAP, least_mixture
from finite_class.world import FiniteWorld
from linear.contexts.finite import FiniteContexts
from linear.federations import linear_federation
from verify.instances import parse

FUNCTIONS = [
    [["1/2", "1/4"], ["1/3", "2/3"]],
    [["1/2", "1"], ["1/4", "1/2"]],
    [["3/4", "1/5"], ["1", "0"]],
]
ONE_HOT = [[["1", "0", "0"]], [["0", "1", "0"]], [["0", "0", "1"]]]


def made(**changes: Any) -> Federation:
    table = {
        "kind": "finite_class",
        "horizon": 64,
        "truth": 0,
        "functions": FUNCTIONS,
        "agents": [{"contexts": ["1/2", "1/2"]}] * 2,
    }
    return parse(table | changes)


def one_hot(**changes: Any) -> Federation:
    return made(functions=ONE_HOT, agents=[{"contexts": ["1"]}] * 2, **changes)


@pytest.mark.parametrize("protocol", ["direct", "agd", "cg", "fedavg", "scaffold", "fedprox", "fedopt"])
def test_a_class_is_a_linear_world_in_the_coordinates_of_its_functions(protocol):
    """The same run twice: as a finite class, and as the linear world with features f_j(x,a) and omega* = e_truth. Where
    norm(phi) <= 1 needs no scaling both draw the same numbers."""
    values = np.array([[[0.5, 0.25], [0.25, 0.5]], [[0.5, 1.0], [0.25, 0.5]]])
    texts = [[[str(Fraction(v)) for v in row] for row in table] for table in values / 2]
    finite = made(functions=texts, protocol=protocol, learning_rate=20)
    assert isinstance(finite.model, Combinations)
    contexts = FiniteContexts(np.moveaxis(values / 2, 0, -1), np.full(2, 0.5))
    linear = linear_federation(
        (contexts,) * 2, np.array([1.0, 0.0]), finite.plan, learning_rate=20, protocol=finite.protocol
    )
    one, other = (run(federation, np.random.default_rng(3), audit=True) for federation in (finite, linear))
    np.testing.assert_allclose(one.regret, other.regret, rtol=1e-9)
    np.testing.assert_allclose(one.excess_risk, other.excess_risk, rtol=1e-6, atol=1e-12)
    assert one.traffic == other.traffic
    assert all(promise.kept for promise in one.promises)


def test_features_are_scaled_into_the_unit_ball_and_predictions_are_not():
    federation = made(protocol="direct")
    model = Combinations.of(federation)
    assert model.norm == pytest.approx(13 / 12)
    scores = model.scores(model.norm * np.eye(3)[1], (0, 1))
    np.testing.assert_allclose(scores, [[0.5, 1.0], [0.25, 0.5]])
    assert (np.linalg.norm(model.features, axis=-1) <= 1 + 1e-12).all()


GATES: dict[str, tuple[Federation, Federation, str]] = {
    "FedAvg's schedule is for norm(omega*) <= 1": (
        one_hot(protocol={"name": "fedavg", "tolerance": 3}),
        made(protocol={"name": "fedavg", "tolerance": 3}),
        "norm(omega*) up to 1.083, and lem:FedAvg_complete is for at most 1",
    ),
    "rounds without a proved accuracy": (
        one_hot(protocol="agd"),
        one_hot(protocol="fedopt"),
        "100 rounds of fedopt have no proved excess risk",
    ),
    "minimisers of all data": (
        made(data="cumulative"),
        made(data="cumulative", protocol="direct"),
        "not for protocol direct",
    ),
}


@pytest.mark.parametrize("gate", GATES)
def test_a_bound_is_shown_on_one_side_and_not_on_the_other(gate):
    inside, outside, reason = GATES[gate]
    assert applicable(inside).values
    found = applicable(outside)
    assert found.values == {}
    assert any(reason in missing for missing in found.missing), found.missing


def test_the_excess_risk_is_charged_for_the_norm_of_the_truth():
    """By hand: (F/4 + c^2)/(n+1) for equal laws, (F/4 + 9c^2/4)/n for different ones."""
    c2 = 1 / 9 + 1 / 16 + 1  # in the cell of values 1/3, 1/4, 1
    assert made(protocol="direct").risks()[0] == pytest.approx((3 / 4 + c2) / 5)
    other = [{"contexts": ["1/2", "1/2"]}, {"contexts": ["1/4", "3/4"]}]
    assert made(protocol="direct", agents=other).risks()[0] == pytest.approx((3 / 4 + 9 / 4 * c2) / 4)


def test_the_lower_bound_needs_estimates_in_the_unit_interval():
    assert lower_bound(one_hot()) is not None
    assert lower_bound(one_hot(protocol="direct")) is None


def test_another_protocol_brings_the_form_of_the_class_that_it_needs():
    exact = made()
    combined = replace(exact, protocol=made(protocol="agd").protocol)
    assert isinstance(combined.model, Combinations)
    assert replace(combined, protocol=exact.protocol) == exact
    assert parse(combined.describe()) == combined


def test_minibatches_are_drawn_from_the_samples_of_the_cells():
    federation = made(
        protocol={"name": "fedavg", "batch": 2, "rounds": 3}, learning_rate=5, rewards="two_point"
    )
    assert np.isfinite(run(federation, np.random.default_rng(0)).regret).all()
    kept = replace(federation, plan=replace(federation.plan, cumulative=True))
    assert np.isfinite(run(kept, np.random.default_rng(0)).regret).all()


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 7), st.integers(1, 12), st.integers(0, 2**31))
def test_the_least_mixture_has_no_better_one(functions, samples, seed):
    """Against a second way, non-negative least squares: no smaller loss is found."""
    rng = np.random.default_rng(seed)
    values, rewards = rng.random((samples, functions)), rng.random(samples)
    values[:, rng.integers(functions)] = values[:, 0]  # equal functions: a singular system
    gram, moment = values.T @ values / samples, values.T @ rewards / samples
    found = least_mixture(gram, moment)
    assert (found >= 0).all()
    assert found.sum() == pytest.approx(1, abs=1e-9)
    from scipy.optimize import nnls

    # a heavy last row asks for the sum 1; its least loss is below ours by at most 1/heavy of the scale
    heavy = 1e4
    rows = np.vstack([values / math.sqrt(samples), np.full(functions, heavy)])
    near = nnls(rows, np.append(rewards / math.sqrt(samples), heavy), maxiter=1000)[0]
    near /= near.sum()

    def loss(v: np.ndarray) -> float:
        return float(((values @ v - rewards) ** 2).mean())

    assert loss(found) <= loss(near) + GAP
    slope = 2 * (gram @ found - moment)
    assert slope @ found - slope.min() <= GAP


def test_an_infinite_class_runs_next_to_the_bound_of_its_covering_number():
    """By hand: e(n) with ln N = 2 ln(1 + 2n) at eps = 1/n for the mixtures of three functions; f* is one of them."""
    federation = made(truth=["1/2", "1/4", "1/4"], protocol="least_mixture", horizon=4096)
    n = federation.plan.taught(0)
    assert federation.risks()[0] == pytest.approx(float(own_covering.linear_mean(n, 2)), rel=1e-6)
    found = applicable(federation)
    record = simulate(federation, 4, 0, audit=True)
    assert record.total_regret.max() < found.values["sharpened"] < found.trivial["sharpened"]
    assert np.nanmax(record.excess_risk[:, -2]) < federation.risks()[-2]
    assert all(promise.kept for promise in record.promises)
    assert parse(federation.describe()) == federation
    truth = FiniteWorld.of(federation).functions[-1]
    assert truth == ((Fraction(9, 16), Fraction(17, 40)), (Fraction(23, 48), Fraction(11, 24)))


def test_a_function_of_the_class_is_no_mixture_worse_than_the_theorem_says():
    """Negative control: the mixture of least loss is charged for more than a function of the class is."""
    mixture, exact = made(protocol="least_mixture"), made()
    assert mixture.risks()[-1] > exact.risks()[-1]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"truth": ["1/2", "1/2", "0"]}, "protocol = exact_minimiser: needs losses"),
        ({"truth": ["1/2", "1/2"]}, "truth = 2 numbers: must have one probability per function, 3"),
        ({"truth": ["1/2", "1/2", "1/2"]}, "truth = sum 3/2: probabilities must sum to 1"),
        ({"truth": 3}, "truth = 3: must be an index of functions, 0 to 2"),
        ({"agents": [{"contexts": ["1/2", "1/2"], "truth": 7}]}, r"agents\[0\].truth = 7: must be an index"),
        ({"agents": [{"contexts": ["1/2", "1/2"], "truth": [["1/2", "0"]]}]}, r"agents\[0\].truth"),
    ],
)
def test_wrong_truths_are_refused_with_their_value(changes, said):
    with pytest.raises(InputError, match=said):
        made(**changes)


PERSONAL = [
    {"contexts": ["1/2", "1/2"], "truth": 0},
    {"contexts": ["1/4", "3/4"], "truth": 1},
    {"contexts": ["1/2", "1/2"], "truth": 2},
]


def test_agents_with_truths_of_their_own_are_federations_of_one_agent_each():
    """The mean regret against the sum of the exact laws of three federations of one agent, at the same rates. Level:
    five standard errors of 500 replications."""
    federation = made(agents=PERSONAL, horizon=8, learning_rate=[3, 5])
    alone = [
        made(agents=[{"contexts": own["contexts"]}], truth=own["truth"], horizon=8, learning_rate=[3, 5])
        for own in PERSONAL
    ]
    expected = sum(float(exact_law(one).total_regret) for one in alone)
    record = simulate(federation, 500, 0)
    error = record.total_regret.std() / math.sqrt(500)
    assert record.total_regret.mean() == pytest.approx(expected, abs=5 * error)
    assert record.traffic.sum(axis=(0, 1))[1:].sum() == 0  # calls are counted, nothing is sent


def test_a_truth_for_each_agent_costs_m_times_the_logarithm_of_the_class():
    federation, shared = made(agents=PERSONAL), made(agents=[{"contexts": ["1/2", "1/2"]}] * 3)
    assert federation.risks()[-1] == pytest.approx(3 * shared.risks()[-1])
    assert set(applicable(federation).values) == {"sharpened"}
    assert parse(federation.describe()) == federation
    found = run(federation, np.random.default_rng(1), audit=True)
    assert all(promise.kept for promise in found.promises)
    assert isinstance(found.models[0][-1], list)
    wrong = federation.model.problem(
        [one.data for one in federation.world.play_each(*_acts(federation), np.random.default_rng(0))], 1
    )
    assert wrong.distance(PerAgent((1, 2, 0))) > 0  # another's function has a larger loss


def _acts(federation: Federation) -> tuple[list[Any], list[Any]]:
    from fedigw.interfaces import Acting, Steps

    act = Acting(federation.model, federation.model.initial(), federation.policy, 1.0)
    return [act] * 3, [Steps(200, 200)] * 3


def test_gradient_protocols_and_exact_laws_are_for_one_truth():
    with pytest.raises(InputError, match="which classes with a truth for each agent do not offer"):
        made(agents=PERSONAL, protocol="fedavg")
    from verify.instances import kind_of

    law = kind_of("finite_class").exact_law
    with pytest.raises(InputError, match="has no joint exact law"):
        law(made(agents=PERSONAL))
