"""Compute, without sampling, the expected loss above its minimum during local stochastic gradient methods on ridge
problems.

A local step on sample i is an affine map: it maps z = (state, 1) to T_i z for a matrix T_i. A step on a random sample
thus maps the second moments E z z' to the mean over i of T_i (E z z') T_i', a linear function of their entries. Given
the state at the start of a round, the agents' samples are independent, so a whole round is a linear map of the second
moments too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from linear.quadratics import Quadratics


@dataclass(frozen=True)
class Samples:
    """The data of a federated ridge problem: features (n_m, d) and rewards (n_m,) of each agent m.

    The first `shared` coordinates of a point x, called alpha, are common to all agents; the others, beta_m, are
    personal. Agent m minimises f_m(x) = mean (phi'x - r)^2 + lam norm(alpha)^2 + (lam/p_m) norm(beta_m)^2 over its
    samples (phi, r). With n samples in all, p_m = n_m/n is the weight of agent m and lam = 1/n.
    """

    features: Sequence[np.ndarray] | np.ndarray
    rewards: Sequence[np.ndarray] | np.ndarray
    shared: int

    @property
    def weights(self) -> np.ndarray:
        counts = np.array([len(r) for r in self.rewards], dtype=float)
        return counts / counts.sum()

    def ridge(self, m: int) -> np.ndarray:
        size, count = self.features[m].shape[1], len(self.rewards[m])
        total = sum(len(r) for r in self.rewards)
        return np.diag([2 / total] * self.shared + [2 / count] * (size - self.shared))

    def sample_hessians(self, m: int) -> np.ndarray:
        phi = self.features[m]
        return 2 * phi[:, :, None] * phi[:, None, :] + self.ridge(m)

    @cached_property
    def mean(self) -> Quadratics:
        hessians = np.stack([self.sample_hessians(m).mean(axis=0) for m in range(len(self.rewards))])
        pulls = np.stack([2 * (r @ phi) / len(r) for phi, r in zip(self.features, self.rewards, strict=True)])
        return Quadratics(hessians, pulls, self.weights, self.shared)

    @property
    def beta(self) -> float:
        return max(float(np.linalg.eigvalsh(self.sample_hessians(m)).max()) for m in range(len(self.rewards)))

    @property
    def variances(self) -> tuple[float, float]:
        """Return the variance of one random sample's gradient at the minimiser as two numbers: summed over the shared
        coordinates, and over the personal ones. Each is a weighted mean over agents."""
        found = np.zeros(2)
        for m, weight in enumerate(self.weights):
            gradients = np.einsum("nij,j->ni", self.sample_hessians(m), self.mean.best[m])
            gradients = gradients - 2 * self.rewards[m][:, None] * self.features[m]
            squares = ((gradients - gradients.mean(axis=0)) ** 2).mean(axis=0)
            found += weight * np.array([squares[: self.shared].sum(), squares[self.shared :].sum()])
        return float(found[0]), float(found[1])


@dataclass(frozen=True)
class Moments:
    """The second moments E z z' of the state of a local method such as FedAvg, round after round. z = (state, 1) has N
    entries. Below, the moments are the vector of the N*N numbers E z z'.

    * round (N*N, N*N): the matrix that maps the moments before a round to those after it
    * start (N,): z at the start
    * gaps (N*N,): the expected loss above its minimum is gaps @ moments
    """

    round: np.ndarray
    start: np.ndarray
    gaps: np.ndarray

    def expected_gaps(self, rounds: int) -> np.ndarray:
        """Return the expected loss above its minimum after 0, ..., rounds - 1 rounds, shape (rounds,)."""
        moments, found = np.outer(self.start, self.start).ravel(), np.empty(rounds)
        for r in range(rounds):
            found[r] = self.gaps @ moments
            moments = self.round @ moments
        return found

    def gap_after(self, rounds: int) -> float:
        far = np.linalg.matrix_power(self.round, rounds)
        return float(self.gaps @ (far @ np.outer(self.start, self.start).ravel()))

    def weighted_gap(self, rounds: int, q: float) -> float:
        """Return a weighted mean of the expected losses above the minimum after r = 0, ..., rounds - 1 rounds. The
        weights are proportional to q^{-(r+1)}."""
        # all weights are multiplied by q^rounds to avoid overflow; with A the matrix of a round, the sum of
        # q^{a+b-1-r} A^r over r < a + b is q^b times the sum for a, plus the sum for b times A^a: so sums over 2^k
        # rounds suffice
        weighted, moments, total = np.zeros(self.start.size**2), np.outer(self.start, self.start).ravel(), 0.0
        block, power, ratio = np.eye(len(self.round)), self.round, q
        count = 1.0  # block: the sum over 2^k rounds, count: its weights, power: A^{2^k}, ratio: q^{2^k}
        for bit in reversed(f"{rounds:b}"):
            if bit == "1":
                weighted, total = ratio * weighted + block @ moments, ratio * total + count
                moments = power @ moments
            block, count = ratio * block + block @ power, (1 + ratio) * count
            power, ratio = power @ power, ratio * ratio
        return float(self.gaps @ weighted / total)


def run(
    data: Samples, steps: int, step_size: float, server_step: float, controls: np.ndarray | None = None
) -> Moments:
    """Return the second moments of a local method that starts at 0: SCAFFOLD with option II if `controls` (M, d), its
    first control variates, are given; else LSGD-PFL if the data have personal coordinates, and FedAvg if not."""
    agents, size = data.mean.minimisers.shape
    scaffold = controls is not None
    own = size - data.shared
    states = data.shared + agents * own + (agents * size if scaffold else 0)
    N = states + 1
    # z = (y of the agent, state, 1)
    result_mean, local = np.zeros((N, N)), []
    for m in range(agents):
        begin = np.vstack([_where(data, m, N), np.eye(N)])
        maps = _steps(data, m, step_size, N, scaffold)
        read = _read(data, m, steps, step_size, server_step, N, scaffold)
        average = read @ np.linalg.matrix_power(maps.mean(axis=0), steps) @ begin
        second = np.einsum("nij,nkl->ikjl", maps, maps).reshape((size + N) ** 2, -1) / len(maps)
        spread = np.linalg.matrix_power(second, steps)
        local.append(_twice(read) @ spread @ _twice(begin) - _twice(average))
        result_mean += average
    result_mean += _kept(data, server_step, N, scaffold)
    start = np.zeros(N)
    start[-1] = 1
    if controls is not None:
        start[size:-1] = controls.ravel()
    return Moments(_twice(result_mean) + sum(local), start, _gap_functional(data, N))


def _twice(matrix: np.ndarray) -> np.ndarray:
    rows, columns = matrix.shape
    return np.einsum("ij,kl->ikjl", matrix, matrix).reshape(rows * rows, columns * columns)


def _where(data: Samples, m: int, N: int) -> np.ndarray:
    size, shared = data.features[m].shape[1], data.shared
    columns = [*range(shared), *range(shared + m * (size - shared), shared + (m + 1) * (size - shared))]
    return np.asarray(np.eye(N)[columns])


def _steps(data: Samples, m: int, step_size: float, N: int, scaffold: bool) -> np.ndarray:
    size = data.features[m].shape[1]
    maps = np.tile(np.eye(size + N), (len(data.rewards[m]), 1, 1))
    maps[:, :size, :size] -= step_size * data.sample_hessians(m)
    maps[:, :size, -1] = 2 * step_size * data.rewards[m][:, None] * data.features[m]
    if scaffold:  # y <- y - eta(g - c_m + c), c = sum p_k c_k
        away = step_size * (data.weights - np.eye(len(data.weights))[m])
        maps[:, :size, 2 * size : -1] -= np.kron(away, np.eye(size))
    return maps


def _read(
    data: Samples, m: int, steps: int, step_size: float, server_step: float, N: int, scaffold: bool
) -> np.ndarray:
    size, shared = data.features[m].shape[1], data.shared
    read = np.zeros((N, size + N))
    shares = np.array([data.weights[m]] * shared + [1.0] * (size - shared))
    read[:, :size] = _where(data, m, N).T * (server_step * shares)
    if scaffold:  # c_m+ = c_m - c + (x - y)/(K eta): here the part in y
        first = size + m * size
        read[first : first + size, :size] = -np.eye(size) / (steps * step_size)
        read[first : first + size, size : 2 * size] = np.eye(size) / (steps * step_size)
    return read


def _kept(data: Samples, server_step: float, N: int, scaffold: bool) -> np.ndarray:
    size = data.features[0].shape[1]
    kept = (1 - server_step) * np.eye(N)
    kept[-1, -1] = 1
    if scaffold:
        kept[size:-1, size:-1] = np.kron(np.eye(len(data.weights)) - data.weights, np.eye(size))
    return kept


def _gap_functional(data: Samples, N: int) -> np.ndarray:
    problem = data.mean
    form = np.zeros((N, N))
    for m, weight in enumerate(problem.weights):
        away = _where(data, m, N)
        away[:, -1] = -problem.best[m]
        form += weight / 2 * away.T @ problem.hessians[m] @ away
    return form.ravel()


def random_samples(
    rng: np.random.Generator, personal: bool = False, small: bool = False, noisy: bool = True
) -> Samples:
    """Draw a federated ridge problem with 2 or 3 agents, 1 or 2 coordinates and 2 to 5 samples for each agent.
    personal: some coordinates are personal to each agent. small: the agents have at most 4 coordinates in all. noisy:
    if False, all samples of an agent are equal, so stochastic gradients have no noise."""
    agents, size = int(rng.integers(2, 4)), int(rng.integers(1, 3))
    if small and agents * size > 4:
        agents = 2
    shared = int(rng.integers(0, size + 1)) if personal else size
    features, rewards = [], []
    for _ in range(agents):
        count = int(rng.integers(2, 6))
        phi = rng.standard_normal((count, size)) * rng.uniform(0.2, 1, size)
        features.append(phi / np.maximum(np.linalg.norm(phi, axis=1, keepdims=True), 1))
        rewards.append(rng.random(count) if rng.random() < 0.5 else rng.integers(0, 2, count).astype(float))
    if not noisy:
        features = [np.repeat(phi[:1], len(phi), axis=0) for phi in features]
        rewards = [np.repeat(r[:1], len(r)) for r in rewards]
    if all((r == 0).all() for r in rewards):  # the start would be the minimiser
        rewards[0][:] = 1.0
    return Samples(tuple(features), tuple(rewards), shared)
