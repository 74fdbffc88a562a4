"""Measured over proved: controls that take a tenth of the slack, and the hardest configurations they rest on."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from verify.claim import Task
from verify.experiments.local_ratios import Ratio, cut, judged, sampled
from verify.papers.fedigw.claims import (
    app_fedprox,
    app_local_gradients,
    app_local_operator,
    app_local_sgd,
    app_scaffold_gradients,
    app_scaffold_sgd,
    lem_FedAvg_complete,
    lem_LSGD_PFL_full,
    lem_SCAFFOLD_complete,
)
from verify.papers.fedigw.claims.col_convex import stochastic
from verify.verdict import Verdict

TASK = Task("quick", np.random.SeedSequence(7))


@pytest.mark.parametrize("largest", [0.001, 0.0165, 0.3, 0.5238, 0.66, 0.9148, 0.99, 0.99999, 1.0])
def test_a_control_takes_the_slack_and_a_tenth_more(largest: float) -> None:
    factor = cut(largest)
    assert 0 < factor < largest, "below what is measured: false"
    taken = 1 - factor
    assert taken >= 1.1 * (1 - largest) * (1 - 1e-12) or factor == pytest.approx(largest / 1.1)
    assert factor >= largest / 1.1 * (1 - 1e-12), "and near it: not false by far"


def test_the_hardest_come_first_and_none_is_counted_that_compares_nothing() -> None:
    def one(rng: np.random.Generator) -> Ratio | None:
        value = float(rng.random())
        return Ratio(value, 1.0, "drawn") if value < 0.5 else None

    hard = next(seed for seed in range(50) if 0.49 < np.random.default_rng(seed).random() < 0.5)
    found = list(sampled(TASK, one, 30, (hard,)))
    assert len(found) == 31
    assert found[0].value == np.random.default_rng(hard).random()
    assert judged(found, "x").kind == Verdict.COMPUTED
    assert judged(found, "x", shrink=cut(found[0].value)).kind == Verdict.REFUTED


HARDEST: list[tuple[Callable[[np.random.Generator], Ratio | None], int, float]] = [
    (app_local_operator.one_bias, app_local_operator.HARDEST_BIAS, app_local_operator.LARGEST_BIAS),
    (app_local_gradients.one_bias, app_local_gradients.HARDEST_BIAS, app_local_gradients.LARGEST_BIAS),
    (app_fedprox.one_bias, app_fedprox.HARDEST_BIAS, app_fedprox.LARGEST_BIAS),
    (app_local_sgd.one_run, app_local_sgd.HARDEST["moments"], app_local_sgd.LARGEST["moments"]),
    (
        lambda rng: app_local_sgd.one_end(rng, noisy=True),
        app_local_sgd.HARDEST["noise"],
        app_local_sgd.LARGEST["noise"],
    ),
    (
        lambda rng: app_local_sgd.one_end(rng, noisy=False),
        app_local_sgd.HARDEST["drift"],
        app_local_sgd.LARGEST["drift"],
    ),
    (app_scaffold_sgd.one_run, app_scaffold_sgd.HARDEST["moments"], app_scaffold_sgd.LARGEST["moments"]),
    (app_scaffold_sgd.one_end, app_scaffold_sgd.HARDEST["noise"], app_scaffold_sgd.LARGEST["noise"]),
    (lem_FedAvg_complete.one_run, lem_FedAvg_complete.HARDEST, lem_FedAvg_complete.LARGEST),
    (lem_SCAFFOLD_complete.one_run, lem_SCAFFOLD_complete.HARDEST, lem_SCAFFOLD_complete.LARGEST),
    (lem_LSGD_PFL_full.one_run, lem_LSGD_PFL_full.HARDEST, lem_LSGD_PFL_full.LARGEST),
]


@pytest.mark.parametrize(("one", "seed", "largest"), HARDEST)
def test_the_recorded_ratio_is_that_of_the_hardest_configuration(
    one: Callable[[np.random.Generator], Ratio | None], seed: int, largest: float
) -> None:
    found = one(np.random.default_rng(seed))
    assert found is not None
    assert found.value == pytest.approx(largest, rel=1e-3)
    assert cut(largest) < found.value < 1


@pytest.mark.parametrize("option", [1, 2])
def test_the_slowest_round_known(option: int) -> None:
    _, lost = app_scaffold_gradients.one_round(app_scaffold_gradients.slowest_known(), option, 100, 1.0, 1.0)
    assert lost == pytest.approx(app_scaffold_gradients.SLOWEST[option], abs=1e-4)


@pytest.mark.parametrize(
    ("one", "seed", "speed"),
    [
        (app_local_operator.one_rate, app_local_operator.HARDEST_RATE, 1 / cut(1.0)),
        (app_local_gradients.one_rate, app_local_gradients.HARDEST_RATE, 1 / cut(1.0)),
        (app_fedprox.one_rate, app_fedprox.HARDEST_RATE, 1 / cut(app_fedprox.LARGEST_SPEED)),
    ],
)
def test_a_slightly_faster_rate_is_false(one: Callable[..., Ratio], seed: int, speed: float) -> None:
    assert one(np.random.default_rng(seed)).value <= 1 + 1e-9
    assert 1 < speed < 1.001
    assert one(np.random.default_rng(seed), speed=speed).value > 1 + 1e-5


def test_every_message_says_how_many_configurations_and_the_largest_ratio() -> None:
    found = app_local_operator.bias(TASK)
    assert "in 101 configurations" in found.summary
    assert found.figures["configurations"] == 101


def test_the_stochastic_rows_are_met_on_every_dataset_once() -> None:
    world = next(stochastic.worlds(TASK))
    chances = [chance for chance, _ in world.datasets()]
    assert sum(chances) == pytest.approx(1, abs=1e-12)
    assert len(chances) == 10**2, "multisets of two of four outcomes, two agents"


def test_a_row_whose_target_the_start_meets_is_vacuous(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stochastic, "mean_gaps", lambda world, protocol, road: (1e-9, 1e-10))
    assert stochastic.reached(TASK).vacuous
