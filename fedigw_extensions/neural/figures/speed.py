"""Measure how fast the experiments run by the general program and by the fast one, on the same work in one process."""

import time
from dataclasses import replace
from typing import Any

import numpy as np

from bounds.schedules import capped_lengths, synchronous_plan
from fedigw.protocols.fedavg import FedAvg
from fedigw.running import Messages, carry_out
from fedigw_extensions.neural.datasets.multilabel import MultiLabel
from fedigw_extensions.neural.federations import neural_federation
from fedigw_extensions.neural.figures.methods import setting
from fedigw_extensions.neural.figures.simulator import Run, Setting, run
from fedigw_extensions.neural.network import Interactions, Perceptron, available

WORK: dict[str, tuple[str, dict[str, Any], str]] = {  # name: reading, changes, unit
    "per call": ("per_call", dict(horizon=511, rounds=100), "local steps a CPU second"),
    "per run": ("per_run", dict(horizon=12_287), "steps played a CPU second"),
}


def general(data: MultiLabel, asked: Setting, engine: str, seed: int) -> None:
    """Carry out a run by the general program, message by message. engine: numpy or numba."""
    steps = dict(local_steps=asked.local_steps) if asked.local_steps else dict(passes=1)
    federation = neural_federation(
        data,
        asked.agents,
        replace(synchronous_plan(capped_lengths(4096), asked.horizon, asked.agents), floor=asked.floor),
        asked.parameter,
        engine=engine,
        protocol=FedAvg(rounds=asked.rounds, step_size=asked.step_size, batch=asked.batch, **steps),  # type: ignore[arg-type]
    )
    carry_out(federation, Messages(federation, np.random.default_rng([seed])))


def additions(data: MultiLabel, asked: Setting) -> int:
    """Return an upper limit of local steps per CPU second: the number of steps that only add the weights of their rows'
    features, once forward and once backward. 0 without numba."""
    if not available():
        return 0
    from fedigw_extensions.neural.fast import first_layer

    rng = np.random.default_rng(0)
    weights, bias = np.zeros((data.dimension, asked.width), asked.kind), np.zeros(asked.width, asked.kind)
    batches = rng.integers(0, data.rows, (1000, asked.batch))
    first_layer(weights, bias, data, batches[0])
    start = time.process_time()
    for rows in batches:
        first_layer(weights, bias, data, rows)
    return round(len(batches) / (2 * (time.process_time() - start)))


def parts(data: MultiLabel, asked: Setting, limit: int) -> dict[str, float]:
    """Return where the time of a run of the fast path goes, in microseconds of CPU a local step; empty without numba.

    * additions: the sums over the features of its rows, as in `additions`
    * step: everything else in a local step, such as sorting the features and the played arms' weights
    * weights: what a round needs besides, mostly the copy and the sum of each agent's weights
    * play: the steps that are played
    """
    if not available():
        return {}
    from fedigw_extensions.neural.fast import walk

    played, spent = Run(data, asked, 0, compiled=True), {"play": 0.0, "learn": 0.0, "walk": 0.0}
    network, steps, calls = played.network, asked.local_steps or 1, 0
    assert isinstance(network, Perceptron)
    for length in asked.lengths:
        start = time.process_time()
        found = played.play(length, 0)[0]
        middle = time.process_time()
        if length >= asked.floor:
            played.learn(found, 1)
            calls += 1
        spent["play"] += middle - start
        spent["learn"] += time.process_time() - middle
    rng, y, kind = np.random.default_rng(0), played.points[0].copy(), asked.kind
    for rows, arms, rewards in np.moveaxis(found, 1, 0):
        samples = Interactions(data, rows.astype(np.int32), arms.astype(np.int32), rewards.astype(kind))
        places = rng.integers(0, len(rows), (asked.rounds, steps, asked.batch))
        start = time.process_time()
        for each in places:
            walk(network, played.points[0], y, samples, each, asked.step_size, 0.0, None)
        spent["walk"] += (time.process_time() - start) * calls
    one = 1e6 / (calls * asked.rounds * steps * asked.agents)
    walked, least = one * spent["walk"], 1e6 / limit
    each = {"additions": least, "step": walked - least, "weights": one * spent["learn"] - walked}
    return {name: round(value, 1) for name, value in (each | {"play": one * spent["play"]}).items()}


def measure(data: MultiLabel) -> list[dict[str, Any]]:
    """Return, for both settings of the experiment, the work per CPU second of the general program with numpy, with
    numba, and of the fast program, the limit that `additions` computes, and where the fast program's time goes.
    Compilation is not counted."""
    rows = []
    ways = {
        "numpy": lambda asked: general(data, asked, "numpy", 0),
        "numba": lambda asked: general(data, asked, "numba", 0),
        "fast": lambda asked: run(data, asked, 0),
    }
    for work, (reading, changes, unit) in WORK.items():
        asked = replace(setting(data.name, reading, "fedavg"), **changes)
        calls = sum(length >= asked.floor for length in asked.lengths[:-1])
        done = asked.agents * (
            calls * asked.rounds * (asked.local_steps or 0) if asked.local_steps else asked.horizon
        )
        row: dict[str, Any] = {"data": data.name, "work": work, "unit": unit}
        row["limit"] = additions(data, asked) if asked.local_steps else None
        for name, way in ways.items():
            if name == "numba" and not available():
                row[name] = 0
                continue
            way(replace(asked, horizon=255, rounds=1))
            start = time.process_time()
            way(asked)
            row[name] = round(done / (time.process_time() - start))
        if asked.local_steps:
            row["parts"] = parts(data, setting(data.name, reading, "fedavg"), row["limit"])
        rows.append(row)
    return rows
