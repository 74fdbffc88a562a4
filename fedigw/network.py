"""Networks without a server: a connected graph of agents, and the weights with which agents average what they receive.

The matrix of weights W is symmetric, without negative entries, and its rows sum to 1. Metropolis weights exist for
every graph: 1/(1 + larger degree) for an edge, the rest on the diagonal. rho, the second largest absolute eigenvalue of
W, is the share of the agents' disagreement that one round of averaging leaves; 1 - rho is the spectral gap.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import numpy as np

from bounds.errors import InputError, choose
from fedigw.instance_file import read_plain
from fedigw.interfaces import FLProtocol, Setting
from fedigw.maxima import refuse_larger

GRAPHS = ("ring", "grid", "complete", "star", "path", "random")
Edges = tuple[tuple[int, int], ...]
ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class Network:
    """A network of agents that average with their neighbours. weights: the mixing matrix (M, M), symmetric with rows
    that sum to 1. edges: the pairs i < j of agents that exchange messages."""

    weights: np.ndarray
    edges: Edges

    @cached_property
    def eigenvalues(self) -> np.ndarray:
        return np.asarray(np.linalg.eigvalsh(self.weights))

    @property
    def rho(self) -> float:
        rest = self.eigenvalues[:-1]
        return float(np.abs(rest).max(initial=0.0)) if len(rest) else 0.0

    @property
    def gap(self) -> float:
        return 1 - self.rho

    @cached_property
    def lazy(self) -> Network:
        """Return the network with weights (I + W)/2, without negative eigenvalues; W is the mixing matrix."""
        return Network((np.eye(len(self.weights)) + self.weights) / 2, self.edges)

    @property
    def second(self) -> float:
        return float(self.eigenvalues[-2]) if len(self.weights) > 1 else 0.0

    def power(self, times: int) -> np.ndarray:
        """Return the matrix (M, M) that mixes as `times` rounds of averaging do, and store it for later calls."""
        known: dict[int, np.ndarray] = self.__dict__.setdefault("_powers", {})
        if times not in known:
            known[times] = np.linalg.matrix_power(self.weights, times)
        return known[times]

    def rounds_for(self, ratio: float) -> int:
        """Return the fewest rounds of averaging that leave at most the fraction `ratio` of the agents' disagreement."""
        if len(self.weights) == 1:
            return 0
        if self.rho <= min(ratio, 1e-15):
            return 1
        return max(1, math.ceil(math.log(min(1.0, ratio)) / math.log(self.rho)))


def metropolis(agents: int, edges: Edges) -> Network:
    refuse_larger("network", agents, "agents")
    degree, weights = np.zeros(agents, dtype=int), np.zeros((agents, agents))
    for i, j in edges:
        degree[[i, j]] += 1
    for i, j in edges:
        weights[i, j] = weights[j, i] = 1 / (1 + max(degree[i], degree[j]))
    weights[np.diag_indices(agents)] = 1 - weights.sum(axis=1)
    return Network(weights, edges)


@cache
def edges_of(graph: str, agents: int, probability: float, seed: int) -> Edges:
    """Return the edges of the graph with this name, such as "ring". probability and seed are for random graphs only."""
    everyone = range(agents)
    if graph == "complete":
        return tuple((i, j) for i in everyone for j in everyone if i < j)
    if graph == "star":
        return tuple((0, j) for j in everyone if j)
    path = tuple((i, i + 1) for i in range(agents - 1))
    if graph == "path":
        return path
    if graph == "ring":
        return (*path, (0, agents - 1)) if agents > 2 else path
    if graph == "grid":  # as square as the number of agents allows
        rows = next(r for r in range(math.isqrt(agents), 0, -1) if agents % r == 0)
        columns = agents // rows
        right = [(i, i + 1) for i in everyone if (i + 1) % columns]
        return tuple(sorted(right + [(i, i + columns) for i in everyone if i + columns < agents]))
    rng = np.random.default_rng(seed)
    return tuple((i, j) for i in everyone for j in everyone if i < j and rng.random() < probability)


def components(agents: int, edges: Edges) -> list[list[int]]:
    """Return the connected components of a graph: groups of agents that can reach each other along edges."""
    part = np.arange(agents)  # scipy's function would take a fifth of a second to import
    for one, other in edges:
        if part[one] != part[other]:
            part[part == max(part[one], part[other])] = min(part[one], part[other])
    return [np.flatnonzero(part == first).tolist() for first in np.unique(part)]


@dataclass(frozen=True)
class GraphKeys(FLProtocol):
    """Base class of protocols without a server, with the fields that define the graph of agents.

    graph         ring, grid, complete, star, path, or random (each pair is an edge with `probability`, drawn from
                  `graph_seed`)
    edges, file   instead of a named graph: pairs of agents, or a text file with one pair per line
    weights       instead of Metropolis weights: the matrix with which agents average; its positive entries off the
                  diagonal are the edges
    """

    graph: str = "ring"
    probability: float = 0.5
    graph_seed: int = 0
    edges: tuple[tuple[int, ...], ...] | None = None
    file: str | None = None
    weights: tuple[tuple[float, ...], ...] | None = None

    def __post_init__(self) -> None:
        choose("graph", self.graph, GRAPHS)
        if not 0 <= self.probability <= 1:
            raise InputError("probability", self.probability, "must be a number from 0 to 1")
        if self.graph_seed < 0:
            raise InputError("graph_seed", self.graph_seed, "must be a non-negative integer")
        given = self.given
        if len(given) > 1:
            raise InputError(given[1], None, f"the graph is given by {given[0]} already")
        if self.weights is not None:
            _check_weights(self.weights)

    @property
    def given(self) -> list[str]:
        keys = {"edges": self.edges, "file": self.file, "weights": self.weights}
        return [key for key, value in keys.items() if value is not None]

    def check(self, setting: Setting) -> None:
        self.network(setting.agents)

    def notes(self, setting: Setting) -> tuple[str, ...]:
        network = self.network(setting.agents)
        edges = "1 edge" if len(network.edges) == 1 else f"{len(network.edges)} edges"
        return (
            f"no server: {setting.agents} agents, {edges}, spectral gap {network.gap:.6g}"
            f" (a round leaves {network.rho:.6g} of the disagreement)",
            "up and down are the two directions of an edge",
        )

    def network(self, agents: int) -> Network:
        """Return the network of this many agents. Raise InputError, which names the field that does not fit, or the
        components of the graph if it is not connected."""
        return _network(self, agents)


@cache
def _network(keys: GraphKeys, agents: int) -> Network:
    if keys.weights is not None:
        if len(keys.weights) != agents:
            shape = f"{len(keys.weights)} x {len(keys.weights)}"
            raise InputError("protocol.weights", shape, f"must be {agents} x {agents}, a row for every agent")
        matrix = np.array(keys.weights)
        pairs = np.argwhere(np.triu(matrix, 1) > 0)
        found = Network(matrix, tuple((int(i), int(j)) for i, j in pairs))
    else:
        found = metropolis(agents, _edges(keys, agents))
    parts = components(agents, found.edges)
    if len(parts) > 1:
        shown = "; ".join("{" + ", ".join(map(str, part)) + "}" for part in parts)
        allowed = f"must be connected; its components are {shown}"
        source = next(iter(keys.given), "graph")
        shapes = {"edges": "a graph", "file": keys.file, "weights": "a matrix"}
        raise InputError(f"protocol.{source}", shapes.get(source, keys.graph), allowed)
    return found


def _edges(keys: GraphKeys, agents: int) -> Edges:
    if keys.edges is None and keys.file is None:
        return edges_of(keys.graph, agents, keys.probability, keys.graph_seed)
    given, field = keys.edges, "protocol.edges"
    if keys.file is not None:
        given, field = _read(keys.file), "protocol.file"
    pairs: set[tuple[int, int]] = set()
    for number, pair in enumerate(given or ()):
        where = f"{field}[{number}]"
        if len(pair) != 2 or pair[0] == pair[1]:
            raise InputError(where, list(pair), "must be two different agents")
        for agent in pair:
            if not 0 <= agent < agents:
                raise InputError(where, agent, f"must be an agent, 0 to {agents - 1}")
        pairs.add((min(pair), max(pair)))
    return tuple(sorted(pairs))


def _read(file: str) -> tuple[tuple[int, ...], ...]:
    try:
        lines = read_plain(Path(file), "protocol.file").decode().splitlines()
    except OSError as error:
        raise InputError("protocol.file", file, f"cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError("protocol.file", file, "is not text in UTF-8; save it in that encoding") from None
    rows = []
    for number, line in enumerate(lines, 1):
        words = line.partition("#")[0].split()
        if not all(word.isdigit() for word in words):
            raise InputError("protocol.file", file, f"line {number}: must be two agents, as in `0 3`")
        if words:
            rows.append(tuple(int(word) for word in words))
    return tuple(rows)


def _check_weights(rows: Sequence[Sequence[float]]) -> None:
    size = len(rows)
    for i, row in enumerate(rows):
        if len(row) != size:
            raise InputError(f"weights[{i}]", f"{len(row)} numbers", f"must be as many as rows, {size}")
    matrix = np.array(rows, dtype=float)
    if not size or not np.isfinite(matrix).all():
        raise InputError("weights", f"{size} rows", "must be a square of finite numbers")
    for bad, allowed in (
        (matrix < 0, "must not be negative"),
        (np.abs(matrix - matrix.T) > ROUNDING, "must be symmetric: W_ij = W_ji"),
    ):
        if bad.any():
            i, j = (int(k) for k in np.argwhere(bad)[0])
            raise InputError(f"weights[{i}][{j}]", float(matrix[i, j]), allowed)
    sums = matrix.sum(axis=1)
    if (np.abs(sums - 1) > ROUNDING).any():
        i = int(np.argmax(np.abs(sums - 1) > ROUNDING))
        said = "every row and column must sum to 1 (doubly stochastic)"
        raise InputError(f"weights[{i}]", f"sum {sums[i]:.10g}", said)
