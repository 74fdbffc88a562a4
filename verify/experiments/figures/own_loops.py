"""Baselines that know no epochs of ours: FN-UCB synchronises every 64 steps, adaptive greedy is a single agent."""

from __future__ import annotations

from collections.abc import Callable
from itertools import repeat
from typing import Any

import numpy as np

from bounds.schedules import synchronous_plan
from fedigw.policies.ucb import UCB
from neural.adaptive_greedy import AdaptiveGreedy
from neural.datasets.multilabel import MultiLabel
from neural.federations import neural_federation
from neural.protocols.fn_ucb import FederatedNeuralUcb
from verify.experiments.figures.methods import AGENTS, Reading
from verify.experiments.figures.runs import DIGITS, Watched, carried_out, summary

SYNCHRONISED = 64  # steps between two calls of FN-UCB
SCALE = 0.3  # of its widths: the best of 0.03, 0.1, 0.3 and 1 on one seed that is not in the record; all are close
BLOCK = 64  # steps that a point of adaptive greedy's curve is the mean of


def fn_ucb(
    data: MultiLabel, reading: Reading, seed: int, step_size: float, engine: str, width: int
) -> dict[str, Any]:
    """A federation like any other: policy ucb, protocol fn_ucb, epochs of 64 steps."""
    plan = synchronous_plan(repeat(SYNCHRONISED), reading.horizon, AGENTS)
    played = neural_federation(
        data,
        AGENTS,
        plan,
        1.0,
        width=width,
        engine=engine,
        protocol=FederatedNeuralUcb(step_size=step_size),
        policy=UCB(SCALE),
    )
    found: tuple[Watched, str | None] = carried_out(played, [seed], False)
    return summary(played, *found) | {"exploration": []}


def adaptive_greedy(
    data: MultiLabel, reading: Reading, seed: int, step_size: float, engine: str, width: int
) -> dict[str, Any]:
    """One agent, nothing is sent. Rewards are those that were collected: its actions are not averaged over."""
    rewards = AdaptiveGreedy().play(data, reading.horizon, np.random.default_rng([seed]))
    parts = [rewards[start : start + BLOCK] for start in range(0, len(rewards), BLOCK)]
    return {
        "lengths": [len(part) for part in parts],
        "curve": [round(float(part.mean()), DIGITS) for part in parts],
        "average": round(float(rewards.mean()), DIGITS),
        "last": round(float(rewards[-4096:].mean()), DIGITS),
        "exploration": [],
        "excess_risk": [],
        "diverged": None,
        "traffic": {"calls": 0, "rounds": 0, "numbers": 0, "bytes": 0},
    }


LOOPS: dict[str, Callable[..., dict[str, Any]]] = {"fn_ucb": fn_ucb, "agr": adaptive_greedy}
