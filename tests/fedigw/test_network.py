"""Graphs and mixing weights: against networkx and hand values, and what is refused."""

import numpy as np
import pytest

from bounds.errors import InputError
from fedigw.channel import Channel, Link
from fedigw.network import GRAPHS, components, edges_of, metropolis
from fedigw_extensions.compression.encoders.quantise import Quantise
from fedigw_extensions.gossip.linear_protocols.gossip_statistics import GossipStatistics


@pytest.mark.parametrize("graph", GRAPHS)
@pytest.mark.parametrize("agents", [1, 2, 3, 7, 12])
def test_every_named_graph_has_symmetric_doubly_stochastic_weights(graph, agents):
    network = GossipStatistics(graph=graph, probability=0.9, graph_seed=1).network(agents)
    W = network.weights
    np.testing.assert_array_equal(W, W.T)
    np.testing.assert_allclose(W.sum(axis=1), 1)
    assert (W >= 0).all()
    for i, j in network.edges:
        assert i < j
        assert W[i, j] > 0
    assert np.count_nonzero(np.triu(W, 1)) == len(network.edges)
    assert network.rho < 1
    assert np.linalg.eigvalsh(network.lazy.weights)[0] >= -1e-12
    enough = network.rounds_for(1e-6)
    assert agents == 1 or network.rho**enough <= 1e-6 * (1 + 1e-9)
    assert enough <= 1 or network.rho ** (enough - 1) > 1e-6


def test_graphs_are_those_of_networkx():
    nx = pytest.importorskip("networkx")
    pairs = {
        "ring": nx.cycle_graph(12),
        "complete": nx.complete_graph(12),
        "star": nx.star_graph(11),
        "path": nx.path_graph(12),
        "grid": nx.convert_node_labels_to_integers(nx.grid_2d_graph(3, 4)),
    }
    for name, graph in pairs.items():
        assert set(edges_of(name, 12, 0.5, 0)) == {tuple(sorted(edge)) for edge in graph.edges}
        assert components(12, edges_of(name, 12, 0.5, 0)) == [
            sorted(nx.connected_components(graph).__next__())
        ]


def test_the_spectral_gap_of_a_ring():
    """W = 1/3 on itself and both neighbours: eigenvalues (1 + 2 cos(2 pi k/M))/3."""
    network = GossipStatistics(graph="ring").network(10)
    assert network.gap == pytest.approx(1 - (1 + 2 * np.cos(2 * np.pi / 10)) / 3, abs=1e-12)
    assert network.second == pytest.approx(network.rho)
    assert GossipStatistics(graph="complete").network(10).gap == pytest.approx(1)


def test_metropolis_by_hand():
    W = metropolis(3, ((0, 1), (1, 2))).weights
    np.testing.assert_allclose(W, [[2 / 3, 1 / 3, 0], [1 / 3, 1 / 3, 1 / 3], [0, 1 / 3, 2 / 3]])


def test_an_exchange_mixes_and_counts_every_edge_both_ways():
    network, channel = GossipStatistics(graph="star").network(4), Channel(4, 1)
    messages = np.arange(8.0).reshape(4, 2)
    received = channel.exchange("m", messages, (2,), network, 3)
    by_hand = messages
    for _ in range(3):
        by_hand = network.weights @ by_hand
    np.testing.assert_allclose(received, by_hand)
    traffic = channel.traffic
    assert (traffic.rounds, traffic.messages_up, traffic.messages_down) == (3, 9, 9)
    assert (traffic.numbers_up, traffic.bits_down) == (18, 18 * 64)


def test_a_link_is_about_a_server():
    channel = Channel(4, 1, Link(encoder=Quantise()))
    with pytest.raises(InputError, match="has none"):
        channel.exchange("m", np.zeros((4, 1)), (1,), GossipStatistics().network(4))


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"edges": ((0, 1), (2, 3))}, r"components are \{0, 1\}; \{2, 3\}"),
        ({"edges": ((0, 1), (1, 2))}, r"components are \{0, 1, 2\}; \{3\}"),
        ({"graph": "random", "probability": 0.0}, r"components are \{0\}; \{1\}; \{2\}; \{3\}"),
        ({"edges": ((0, 1), (1, 4))}, r"protocol.edges\[1\].*0 to 3"),
        ({"edges": ((0, 0),)}, "two different agents"),
        ({"edges": ((0, 1, 2),)}, "two different agents"),
        ({"weights": ((0.5, 0.5), (0.5, 0.5))}, "must be 4 x 4"),
        ({"weights": tuple(map(tuple, np.eye(4)))}, "must be connected"),
        ({"file": "/nonexistent"}, "cannot be read"),
    ],
)
def test_what_does_not_fit_four_agents_is_named(keys, words):
    with pytest.raises(InputError, match=words):
        GossipStatistics(**keys).network(4)


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"graph": "torus"}, "torus"),
        ({"rounds": 0}, "rounds.*positive integer"),
        ({"probability": 1.5}, "from 0 to 1"),
        ({"graph_seed": -1}, "non-negative"),
        ({"weights": ((0.5, 0.5), (0.4, 0.6))}, r"weights\[0\]\[1\].*symmetric"),
        ({"weights": ((0.5, 0.4), (0.4, 0.6))}, r"weights\[0\].*doubly stochastic"),
        ({"weights": ((1.5, -0.5), (-0.5, 1.5))}, "negative"),
        ({"weights": ((1.0, 0.0), (1.0,))}, "as many as rows"),
        ({"edges": ((0, 1),), "file": "x"}, "given by edges already"),
    ],
)
def test_keys_that_no_graph_has_are_named(keys, words):
    with pytest.raises(InputError, match=words):
        GossipStatistics(**keys)


def test_a_file_of_edges_is_read(tmp_path):
    path = f"{tmp_path}/edges.txt"
    with open(path, "w", encoding="utf-8") as stream:
        stream.write("# a triangle\n0 1\n1 2  # and back\n\n2 0\n")
    assert GossipStatistics(file=path).network(3).edges == ((0, 1), (0, 2), (1, 2))
    with open(path + "2", "w", encoding="utf-8") as stream:
        stream.write("0 1\n1 x\n")
    with pytest.raises(InputError, match="line 2"):
        GossipStatistics(file=path + "2").network(3)


def test_given_weights_are_used():
    given = ((0.75, 0.25), (0.25, 0.75))
    network = GossipStatistics(weights=given).network(2)
    assert network.edges == ((0, 1),)
    assert network.rho == pytest.approx(0.5)
