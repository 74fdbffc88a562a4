"""Where the protocols end, without noise: against the closed formulas and against convex programs given to cvxpy."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from fedigw.channel import Channel
from fedigw.local_steps import LocalMethod
from fedigw.protocols.fedavg import FedAvg
from fedigw.protocols.fedprox import FedProx
from fedigw.protocols.scaffold import Scaffold
from linear.ridge import RidgeData, RidgeProblem
from verify.experiments.convex_programs import weighted_projection

PROBLEMS, AGREEMENT = 200, 1e-10


def problem(rng: np.random.Generator) -> RidgeProblem:
    """2 to 5 agents with different sizes, features and parameters, 1 to 4 dimensions."""
    agents, dimension, datasets = int(rng.integers(2, 6)), int(rng.integers(1, 5)), []
    for _ in range(agents):
        n = int(rng.integers(12, 24))
        phi = rng.standard_normal((n, dimension)) * rng.uniform(0.3, 1, size=dimension)
        phi /= np.maximum(1, np.linalg.norm(phi, axis=1, keepdims=True))
        rewards = phi @ rng.standard_normal(dimension) + 0.1 * rng.standard_normal(n)
        datasets.append(RidgeData(n, phi.T @ phi, phi.T @ rewards))
    return RidgeProblem(datasets, 1, 10.0)


def fit(method: LocalMethod, data: RidgeProblem) -> np.ndarray:
    rng = np.random.default_rng(0)
    parameters: Any = method.fit(data, Channel(len(data.local.weights), 1, None, rng), None, rng).parameters
    return np.asarray(parameters)


@dataclass(frozen=True)
class Case:
    """One protocol on one problem. forms (M, d, d): its fixed point is argmin sum p_m norm(x - w_m)^2_{form_m}."""

    method: LocalMethod
    data: RidgeProblem
    forms: np.ndarray

    @property
    def centres(self) -> np.ndarray:
        local = self.data.local
        return np.asarray(np.linalg.solve(local.hessians, local.linear[..., None])[..., 0])

    def closed(self) -> np.ndarray:
        weights = self.data.local.weights
        right = np.einsum("m,mij,mj->i", weights, self.forms, self.centres)
        return np.asarray(np.linalg.solve(np.tensordot(weights, self.forms, 1), right))

    def by_cvxpy(self) -> np.ndarray:
        centres = self.centres
        return weighted_projection(self.data.local.weights, self.forms, centres, centres.shape[1])[0]


def cases(seed: int) -> list[Case]:
    """FedAvg: I - (I - eta H_m)^K. FedProx: I - mp (H_m + mp)^{-1}. SCAFFOLD: H_m, so the minimiser of F."""
    rng = np.random.default_rng(seed)
    data = problem(rng)
    local, steps, identity = data.local, int(rng.integers(1, 6)), np.eye(data.dimension)
    step = float(rng.uniform(0.2, 0.9)) / (local.smoothness(None) * steps)
    mu = float(np.linalg.eigvalsh(data.hessian())[0])
    rounds = int(40 / (mu * steps * step)) + 10  # linear convergence at rate 1 - mu h: enough for 1e-12
    pull = float(rng.uniform(0.1, 2))
    walked = identity - np.stack([np.linalg.matrix_power(identity - step * h, steps) for h in local.hessians])
    pulled = identity - np.stack([pull * np.linalg.inv(h + pull * identity) for h in local.hessians])
    return [
        Case(FedAvg(rounds, steps, step), data, walked),
        Case(FedProx(int(40 * (pull + 3) / mu) + 10, proximal=pull), data, pulled),
        Case(Scaffold(3 * rounds, steps, step / 2), data, local.hessians),
    ]


@pytest.mark.parametrize("seed", range(0, PROBLEMS, 5))
def test_fixed_points_are_those_of_the_closed_formulas(seed: int) -> None:
    found = cases(seed)
    for case in found:
        np.testing.assert_allclose(fit(case.method, case.data), case.closed(), rtol=0, atol=AGREEMENT)
    fedavg, _, scaffold = found
    np.testing.assert_allclose(scaffold.closed(), scaffold.data.minimiser(), rtol=0, atol=1e-12)
    if fedavg.method.local_steps > 1 and fedavg.data.dimension > 1:
        assert np.abs(fedavg.closed() - scaffold.closed()).max() > 1e-8, "FedAvg is biased here"


def largest_difference(seeds: range) -> dict[str, float]:
    """Protocol -> largest distance of its end from cvxpy's solution."""
    found: dict[str, float] = {}
    for seed in seeds:
        for case in cases(seed):
            off = float(np.abs(fit(case.method, case.data) - case.by_cvxpy()).max())
            name = type(case.method).__name__
            found[name] = max(found.get(name, 0.0), off)
    return found


def test_fixed_points_are_cvxpys_on_a_few() -> None:
    assert max(largest_difference(range(0, PROBLEMS, 40)).values()) <= AGREEMENT


@pytest.mark.long
def test_fixed_points_are_cvxpys_on_all(record_testsuite_property: Callable[[str, object], None]) -> None:
    found = largest_difference(range(PROBLEMS))
    for name, off in found.items():  # pytest --junit-xml writes them down
        record_testsuite_property(f"largest distance of {name} from cvxpy", f"{off:.2g}")
    assert max(found.values()) <= AGREEMENT


def test_cvxpy_sees_another_fixed_point() -> None:
    """Negative control: FedAvg does not end in FedProx's fixed point, nor in the minimiser."""
    fedavg, fedprox, scaffold = next(
        found
        for found in map(cases, range(99))
        if found[0].method.local_steps > 1 and found[0].data.dimension > 1
    )
    end = fit(fedavg.method, fedavg.data)
    assert np.abs(end - fedprox.by_cvxpy()).max() > 1e-6
    assert np.abs(end - scaffold.by_cvxpy()).max() > 1e-6
