"""Draw random mixing matrices for the claims about gossip, and run FedIGW over several graphs."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fedigw.replications import by_messages
from fedigw_extensions.gossip.linear_protocols.decentralised_gradients import DecentralisedGradients
from fedigw_extensions.gossip.linear_protocols.gossip_statistics import GossipStatistics
from linear.environments import finite_contexts
from linear.quadratics import Quadratics
from verify.claim import Evidence, Task, Verdict
from verify.experiments.local_methods import random_problem


@dataclass(frozen=True)
class Mixing:
    """A mixing matrix (M, M) for M agents. second: its second largest eigenvalue. rho: the second largest absolute
    value of its eigenvalues."""

    matrix: np.ndarray
    rho: float
    second: float


def mixing(rng: np.random.Generator, agents: int, lazy: bool = False) -> Mixing:
    """Return a random symmetric, doubly stochastic mixing matrix on a random connected graph. lazy: whether it must
    also be positive semidefinite."""
    matrix = np.eye(agents)
    edges = [(i, int(rng.integers(i))) for i in range(1, agents)]
    edges += [(i, j) for i in range(agents) for j in range(i) if rng.random() < 0.3]
    for i, j in rng.permutation(np.array(edges)) if edges else []:
        swap = np.eye(agents)  # a partial swap of i and j is symmetric and doubly stochastic
        part = float(rng.uniform(0.05, 0.5))
        swap[[i, j], [i, j]], swap[[i, j], [j, i]] = 1 - part, part
        matrix = swap @ matrix
    matrix = matrix @ matrix.T if lazy or rng.random() < 0.5 else _metropolis(agents, edges)
    values = np.linalg.eigvalsh(matrix)
    return Mixing(matrix, float(np.abs(values[:-1]).max()), float(values[-2]))


def _metropolis(agents: int, edges: list[tuple[int, int]]) -> np.ndarray:
    touched = np.zeros((agents, agents), dtype=bool)
    for i, j in edges:
        touched[i, j] = touched[j, i] = True
    degree = touched.sum(axis=1)
    weights = np.where(touched, 1 / (1 + np.maximum.outer(degree, degree)), 0.0)
    return np.asarray(weights + np.diag(1 - weights.sum(axis=1)))


def equal_weights(rng: np.random.Generator) -> Quadratics:
    problem = random_problem(rng)
    agents = len(problem.weights)
    return Quadratics.around(
        problem.hessians, np.full(agents, 1 / agents), problem.minimisers, problem.shared
    )


def rms(rows: np.ndarray) -> float:
    return float(np.sqrt((rows**2).sum(axis=1).mean()))


GRAPHS = ("path", "ring", "star", "grid", "random", "complete")


def gap_and_regret(task: Task, false: bool = False) -> Evidence:
    """Run FedIGW with fixed numbers of gossip rounds over six graphs, record its regret, and check that every edge
    carries two messages per round. Control, which must fail: one message per round."""
    methods: dict[str, Any] = {
        "gossip_statistics, 4 rounds": lambda **graph: GossipStatistics(rounds=4, **graph),
        "gossip_statistics, 16 rounds": lambda **graph: GossipStatistics(rounds=16, **graph),
        "decentralised_gradients, 40 rounds": lambda **graph: DecentralisedGradients(rounds=40, **graph),
    }
    seed = int(task.rng().integers(2**31))
    agents, replications, horizon = 12, 20 if task.full else 1, 256 if task.full else 64
    world = finite_contexts.make(
        np.random.default_rng(seed), dimension=5, contexts=8, arms=5, agents=agents, horizon=horizon
    ).with_rates(20)
    series: dict[str, list[dict[str, Any]]] = {name: [] for name in methods}
    for graph in GRAPHS:
        for name, make in methods.items():
            protocol = make(graph=graph, graph_seed=3)
            network = protocol.network(agents)
            record = by_messages(replace(world, protocol=protocol), replications, seed)
            sent = int(record.total_traffic("messages_up")[0] + record.total_traffic("messages_down")[0])
            rounds = int(record.total_traffic("rounds")[0])
            counted = rounds * len(network.edges) * (1 if false else 2)
            if sent != counted:
                return Evidence(Verdict.REFUTED, f"{graph}, {name}: {sent} messages, {counted} expected", {})
            series[name].append(
                dict(graph=graph, gap=network.gap, regret=float(record.total_regret.mean()), messages=sent)
            )
    direct = float(by_messages(world, replications, seed).total_regret.mean())
    said = f"{len(GRAPHS)} graphs of {agents} agents: every edge carries two messages a round"
    figures = {"series": series, "direct": direct, "agents": agents, "horizon": horizon}
    return Evidence(Verdict.FLOAT, said, figures)
