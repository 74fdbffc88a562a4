"""Robust aggregation: the constants of trimmed mean, median and geometric median are reached and not exceeded.

For S the honest agents, z their mean and v = mean_S norm(x_i - z)^2: norm(A(x) - z)^2 <= kappa v, f of M lying.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bounds.errors import InputError
from fedigw import conformance
from fedigw.aggregators.geometric_median import GeometricMedian
from fedigw.aggregators.mean import Mean
from fedigw.aggregators.median import Median
from fedigw.aggregators.trimmed_mean import TrimmedMean
from fedigw.channel import Channel, Link
from fedigw.encoders.quantise import Quantise
from fedigw.encoders.top_k import TopK
from fedigw.parts import aggregators, attacks, encoders, protocols
from linear.environments import finite_contexts
from verify.cli import main
from verify.instances import kind_of, parse

PAIRS = [(m, f) for m in range(3, 13) for f in range(1, (m + 1) // 2)]


def trimmed(m: int, f: int) -> float:
    return f / (m - 2 * f)


def median(m: int, f: int) -> float:
    return (-(-m // 2) - 1) / (m // 2 + 1 - f)


def geometric(m: int, f: int) -> float:
    return (m // 2) / (-(-m // 2) - f)


def ratio(aggregator: Any, honest: np.ndarray, lies: np.ndarray) -> float:
    everyone = np.concatenate([honest, lies])
    found = aggregator.combine(everyone, np.full(len(everyone), 1 / len(everyone)))
    centre = honest.mean(axis=0)
    variance = float(((honest - centre) ** 2).sum(axis=1).mean())
    return float(((found - centre) ** 2).sum()) / variance


def test_there_are_thirty_pairs() -> None:
    assert len(PAIRS) == 30


@pytest.mark.parametrize(("m", "f"), PAIRS)
def test_witnesses_reach_the_constants(m: int, f: int) -> None:
    ones = np.zeros((m - f, 2))
    ones[: m - 2 * f, 0] = 0.0
    # trimmed mean: f honest points at 1 are cut together with the lies below, or rather: f honest at 0 are cut away
    honest = np.ones((m - f, 2))
    honest[:f] = 0.0
    assert ratio(TrimmedMean(f), honest, np.full((f, 2), 1e6)) == pytest.approx(trimmed(m, f), rel=1e-4)
    honest = np.zeros((m - f, 2))
    honest[: m // 2 + 1 - f] = 1.0
    assert ratio(Median(), honest, np.full((f, 2), 1e6)) == pytest.approx(median(m, f), rel=1e-4)
    if m % 2:
        line = np.zeros((m - f, 2))
        line[: (m + 1) // 2 - f, 0] = 1.0
        assert ratio(GeometricMedian(), line, np.tile([1e6, 0.0], (f, 1))) == pytest.approx(
            geometric(m, f), rel=1e-3
        )


@pytest.mark.parametrize(("m", "f"), PAIRS)
def test_no_attack_exceeds_the_constants(m: int, f: int) -> None:
    """333 attacks a pair, 10,000 in all: random, far away, at the honest points, on one side."""
    rng = np.random.default_rng(100 * m + f)
    for _ in range(333):
        honest = rng.standard_normal((m - f, 3)) ** int(rng.choice([1, 3])) * rng.choice([1e-3, 1.0])
        scale = float(rng.choice([1.0, 10.0, 1e6]))
        lies = (
            scale * rng.standard_normal((f, 3))
            if rng.random() < 0.5
            else np.tile(honest[int(rng.integers(m - f))] * scale, (f, 1))
        )
        for rule, constant in ((TrimmedMean(f), trimmed), (Median(), median), (GeometricMedian(), geometric)):
            assert ratio(rule, honest, lies) <= constant(m, f) * (1 + 1e-6)


def test_a_constant_one_per_cent_smaller_is_refuted_by_its_witness() -> None:
    honest = np.ones((8, 2))
    honest[:2] = 0.0
    assert ratio(TrimmedMean(2), honest, np.full((2, 2), 1e6)) > 0.99 * trimmed(10, 2)
    assert ratio(Mean(), honest, np.full((2, 2), 1e6)) > 1e9, "the mean has no constant"


def test_the_geometric_median_minimises_the_sum_of_distances() -> None:
    rng = np.random.default_rng(0)
    for _ in range(30):
        points, weights = rng.standard_normal((6, 3)), rng.dirichlet(np.ones(6))
        found = GeometricMedian().combine(points, weights)

        def value(y: np.ndarray, points: np.ndarray = points, weights: np.ndarray = weights) -> float:
            return float(weights @ np.linalg.norm(points - y, axis=1))

        for _ in range(50):
            assert value(found) <= value(found + 1e-3 * rng.standard_normal(3)) + 1e-9


def test_quantisation_is_unbiased_and_as_noisy_as_it_says() -> None:
    rng, messages = np.random.default_rng(0), np.random.default_rng(1).standard_normal((2, 5))
    drawn = np.stack([Quantise(3).encode(messages, rng) for _ in range(20_000)])
    error = drawn - messages
    assert np.abs(error.mean(axis=0)).max() <= 4.5 * error.std(axis=0).max() / np.sqrt(20_000)
    squared = (error**2).sum(axis=2).mean(axis=0)
    assert (squared <= 5 / (2**3 - 1) ** 2 * (messages**2).sum(axis=1)).all()
    assert Quantise(3).bits(messages) == 2 * (5 * 3 + 32)
    assert TopK(2).bits(messages) == 2 * 2 * (64 + 3)
    np.testing.assert_array_equal((TopK(2).encode(messages, rng) != 0).sum(axis=1), [2, 2])


@pytest.mark.parametrize("name", sorted(attacks()))
def test_liars_change_their_own_messages_only(name: str) -> None:
    messages = np.random.default_rng(0).standard_normal((5, 3))
    channel = Channel(5, 1, Link(attack=attacks()[name](agents=(1, 4))), np.random.default_rng(0))
    received = channel.gather("x", messages, (3,))
    np.testing.assert_array_equal(received[[0, 2, 3]], messages[[0, 2, 3]])
    assert (received[[1, 4]] != messages[[1, 4]]).any(axis=1).all()


def test_every_combination_runs_and_keeps_its_ledger() -> None:
    """5 protocols x every aggregator x every encoder, whole federations."""
    kind, made = kind_of("linear"), finite_contexts.make(np.random.default_rng(0), 2, 2, 2, 5, 8)
    from dataclasses import replace

    for protocol in ("direct", "agd", "fedavg", "scaffold", "fedprox"):
        chosen = protocols(kind.protocols)[protocol]()
        if hasattr(chosen, "rounds"):
            chosen = replace(chosen, rounds=3)
        for aggregator in aggregators().values():
            for encoder in encoders().values():
                if encoder.name == "masks" and not aggregator.exact:
                    with pytest.raises(InputError, match="which the encoder masks hides"):
                        Link(encoder=encoder(), aggregator=aggregator())
                    continue
                link = Link(encoder=encoder(), aggregator=aggregator())
                federation = replace(made, protocol=chosen, link=link)
                assert conformance.ledger_problems(federation) == [], (protocol, aggregator, encoder)


def table(**changes: Any) -> dict[str, Any]:
    return {
        "kind": "linear",
        "horizon": 64,
        "environment": {"name": "finite_contexts", "agents": 10, "dimension": 3, "arms": 2, "seed": 1},
    } | changes


def test_lying_agents_hurt_the_mean_and_not_the_median() -> None:
    from fedigw.replications import by_messages

    attack = {"name": "sign_flip", "agents": [0, 3], "scale": 1000}
    regrets = {}
    for name in ("mean", "median", "trimmed_mean"):
        link = {"aggregator": {"name": name} | ({"cut": 2} if name == "trimmed_mean" else {})}
        federation = parse(table(horizon=512, attack=attack, link=link, protocol="fedavg"))
        regrets[name] = by_messages(federation, 3, 0).total_regret.mean()
    assert regrets["median"] < 0.7 * regrets["mean"]
    assert regrets["trimmed_mean"] < 0.7 * regrets["mean"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"attack": {"name": "sign_flop"}}, "attack = sign_flop: unknown; did you mean 'sign_flip'?"),
        (
            {"attack": {"name": "sign_flip", "agents": [11]}},
            r"attack.agents\[0\] = 11: must be an agent, 0 to 9",
        ),
        (
            {"link": {"aggregator": {"name": "trimmed_mean", "cut": 5}}},
            "leaves nobody of 10 agents; at most 4",
        ),
        (
            {"link": {"encoder": {"name": "quantise", "bits_each": 0}}},
            "bits_each = 0: must be an integer from 1",
        ),
        ({"link": {"encoder": {"name": "top_k", "keep": 0}}}, "keep = 0: must be a positive integer"),
    ],
)
def test_bad_links_and_attacks_are_one_line(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse(table(**changes))


def test_with_half_of_the_agents_lying_nothing_is_promised(
    tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "x.toml"
    path.write_text(
        'kind = "linear"\nhorizon = 16\nattack = {name = "constant_lie", agents = [0, 1]}\n'
        'link = {aggregator = "median"}\nenvironment = {name = "finite_contexts", agents = 4}\n'
    )
    assert main(["simulate", str(path), "--replications", "2"]) == 0
    assert "no theorem with lying agents" in capsys.readouterr().out
