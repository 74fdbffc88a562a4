"""Make an environment whose mean rewards have norm at most 1 in the space of a Gaussian (RBF) kernel.

Every context and arm is a random point z of the unit cube, and the kernel is k(z, z') = exp(-norm(z - z')^2/(2
width^2)). For finitely many points with eigenvectors U and eigenvalues L of the kernel matrix, the rows of U sqrt(L)
are features of norm 1 whose scalar products are the kernel. Directions whose eigenvalue is below 1e-9 of the largest
are left out, as in Nystrom's method. The true function, a mean of functions k(z, .), is linear in the other directions,
so the theorems about linear rewards of that dimension hold.

A covering number of the whole unit ball of the kernel's space gives a larger bound. With a net in j of the directions,
ln N(eps) <= j ln(1 + 2/(eps - r)), where r is the largest norm of a feature's projection on the other directions, and
own:covering then bounds the excess risk by at least ten times as much (tests/linear/test_rbf.py).
"""

import numpy as np

from fedigw.federation import Federation
from linear.contexts.finite import FiniteContexts
from linear.federations import alike

EXAMPLES = ({"contexts": 3, "arms": 2, "agents": 2, "horizon": 16},)


def make(
    rng: np.random.Generator,
    inputs: int = 2,
    width: float = 0.5,
    centres: int = 2,
    contexts: int = 8,
    arms: int = 3,
    agents: int = 10,
    horizon: int = 1024,
    learning_rate: str = "sharpened",
) -> Federation:
    points = rng.random((contexts * arms, inputs))
    distances = ((points[:, None] - points) ** 2).sum(axis=-1)
    values, vectors = np.linalg.eigh(np.exp(-distances / (2 * width**2)))
    large = values > 1e-9 * values[-1]
    features = vectors[:, large] * np.sqrt(values[large])
    parameter = features[rng.integers(len(points), size=centres)].mean(axis=0)
    shape = (contexts, arms, features.shape[1])
    shared = FiniteContexts(features.reshape(shape), np.full(contexts, 1 / contexts))
    return alike(shared, agents, parameter, horizon, learning_rate)
