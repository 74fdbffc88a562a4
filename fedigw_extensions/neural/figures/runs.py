"""Carry out one run and return its result as a JSON value. A data set, a reading (an interpretation of "100
communications"), a method and a seed determine it.

FN-UCB and adaptive greedy do not use FedIGW's epochs: the first synchronises every 64 steps, the second is one agent.
"""

import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fedigw.channel import MessageError
from fedigw.federation import Federation
from fedigw.interfaces import Acting, Experience
from fedigw.ledger import Traffic
from fedigw.running import Messages, SolverError, carry_out
from fedigw_extensions.neural.adaptive_greedy import AdaptiveGreedy
from fedigw_extensions.neural.datasets.multilabel import MultiLabel
from fedigw_extensions.neural.figures.methods import AGENTS, Method, Reading, federation
from fedigw_extensions.neural.world import MultiLabelWorld

DIGITS = 6
NOTHING_SENT = {"calls": 0, "rounds": 0, "numbers": 0, "bytes": 0}
BLOCK = 64  # steps that a point of adaptive greedy's curve is the mean of


@dataclass
class Watched(Messages):
    """A run that records mean reward, exploration and excess risk of every epoch, even if it ends early."""

    rewards: list[float] = field(default_factory=list)
    exploration: list[float] = field(default_factory=list)
    risks: list[float] = field(default_factory=list)
    sent: list[Traffic] = field(default_factory=list)

    def play(self, parameters: Any, rate: Any, segment: Any) -> Experience:
        found = super().play(parameters, rate, segment)
        world = MultiLabelWorld.of(self.federation)
        lost = float(found.regret[0]) / sum(segment.played)
        self.rewards.append(float(world.data.best.mean()) - lost)
        act = Acting(self.federation.model, parameters, self.federation.policy_in(segment), rate)
        self.exploration.append(world.exploration(act, found.data[0].rows))
        return found

    def learn(self, data: Any, epoch: int) -> tuple[Any, Traffic, Any]:
        found = super().learn(data, epoch)
        self.sent.append(found[1])
        return found

    def excess_risk(self, used: Any, learned: Any, rate: Any, segment: Any) -> np.ndarray | None:
        found = super().excess_risk(used, learned, rate, segment)
        if found is not None:
            self.risks.append(float(found[0]))
        return found


def run(
    data: MultiLabel,
    reading: Reading,
    method: Method,
    seed: int,
    step_size: float,
    engine: str = "numpy",
    width: int = 256,
    audit: bool = False,
) -> dict[str, Any]:
    """Carry out a run and return its figures. curve: mean reward per step in each epoch, given contexts and models.
    average: the mean over all T steps; a diverged run earns nothing afterwards. exploration: mean probability of not
    playing the likeliest arm. excess_risk: after each call, exact over the table, if `audit` is set."""
    start = time.process_time()
    if method.own:
        result = adaptive_greedy(data, reading, seed)
    else:
        played = federation(data, reading, method, step_size, engine, width)
        seeds = [[seed, agent] for agent in range(AGENTS)] if method.alone else [[seed]]
        found = [summary(played, *carried_out(played, one, audit and not method.alone)) for one in seeds]
        result = _averaged(found) if method.alone else found[0]
        if method.protocol == "fn_ucb":
            result["exploration"] = []
    return result | {"seconds": round(time.process_time() - start, 2)}


def carried_out(played: Federation, seed: list[int], audit: bool) -> tuple[Watched, str | None]:
    path = Watched(played, np.random.default_rng(seed))
    try:
        carry_out(played, path, audit)
    except (SolverError, MessageError) as error:
        return path, str(error)
    return path, None


def _averaged(runs: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the mean of the results of several agents that each ran without communication."""
    curves = [one["curve"] + [0.0] * (len(one["lengths"]) - len(one["curve"])) for one in runs]
    broken = [one["diverged"] for one in runs if one["diverged"]]
    return runs[0] | {
        "curve": _rounded(np.mean(curves, axis=0)),
        "average": round(float(np.mean([one["average"] for one in runs])), DIGITS),
        "exploration": [],  # of ten models that differ
        "diverged": f"{len(broken)} of {AGENTS} agents: {broken[0]}" if broken else None,
        "traffic": NOTHING_SENT,
    }


def summary(played: Federation, path: Watched, failure: str | None) -> dict[str, Any]:
    """Return the results of a run that are saved. failure: why it ended early, or None."""
    lengths = [row[0] for row in played.plan.played]
    total = sum(length * reward for length, reward in zip(lengths, path.rewards, strict=False))
    sent = sum(path.sent, Traffic())
    return {
        "lengths": lengths,
        "curve": _rounded(path.rewards),
        "average": round(total / sum(lengths), DIGITS),
        "last": round(path.rewards[-1], DIGITS),
        "exploration": _rounded(path.exploration),
        "excess_risk": _rounded(path.risks),
        "diverged": failure,
        "traffic": {
            "calls": sent.calls,
            "rounds": sent.rounds,
            "numbers": sent.numbers,
            "bytes": (sent.bits_up + sent.bits_down) // 8,
        },
    }


def _rounded(values: Any) -> list[float]:
    return [round(float(value), DIGITS) for value in values]


def adaptive_greedy(data: MultiLabel, reading: Reading, seed: int) -> dict[str, Any]:
    """Play adaptive greedy with one agent and return its figures. The rewards are those collected, not expectations."""
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
        "traffic": NOTHING_SENT,
    }
