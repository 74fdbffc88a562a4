"""SquareCB of vowpalwabbit (extra `bench`) on the world of the race: the same contexts, rewards and regret.

Regret is what ours is: the mean loss of its arm probabilities, without action noise. Its own text interface would cost
more than its learning; examples are given as features of each action.
"""

from __future__ import annotations

import time

import numpy as np
from measures import ARMS, DIMENSION, Lap, world


def race(steps: int = 10_000, repetitions: int = 2) -> list[Lap] | None:
    """Two settings: as it comes, and with the exploration that did best on this world; None where it is not here."""
    try:
        import vowpalwabbit
    except ImportError:
        return None
    settings = {"as it comes": "", "gamma_scale 1000": "--gamma_scale 1000"}
    return [_lap(vowpalwabbit, name, more, steps, repetitions) for name, more in settings.items()]


def _lap(library: object, name: str, more: str, steps: int, repetitions: int) -> Lap:
    parameter = world(1, 16).world.parameter
    best, lost = np.inf, 0.0
    for repetition in range(repetitions):
        workspace = library.Workspace(
            f"--cb_explore_adf --squarecb --quiet --random_seed {repetition} {more}"
        )  # type: ignore[attr-defined]
        taken, lost = _run(workspace, parameter, steps, np.random.default_rng(repetition))
        best = min(best, taken)
        workspace.finish()
    return Lap(f"vowpalwabbit SquareCB, {name}", steps, best, lost / steps)


def _run(
    workspace: object, parameter: np.ndarray, steps: int, rng: np.random.Generator
) -> tuple[float, float]:
    """(processor seconds of its predictions and updates, regret); drawing the world is not counted."""
    directions = rng.standard_normal((steps, ARMS, DIMENSION - 1))
    directions /= np.linalg.norm(directions, axis=-1, keepdims=True)
    features = np.concatenate([np.ones((steps, ARMS, 1)), directions], axis=-1) / np.sqrt(2)
    means, uniform = features @ parameter, rng.random((steps, 2))
    names = [f"x{i}" for i in range(DIMENSION)]
    taken = lost = 0.0
    for step in range(steps):
        lines = [
            "|a " + " ".join(f"{n}:{v:.6f}" for n, v in zip(names, row, strict=True))
            for row in features[step]
        ]
        start = time.process_time()
        chances = np.asarray(workspace.predict(lines))  # type: ignore[attr-defined]
        taken += time.process_time() - start
        chances = chances / chances.sum()
        lost += float(chances @ (means[step].max() - means[step]))
        arm = min(int(np.searchsorted(np.cumsum(chances), uniform[step, 0])), ARMS - 1)
        cost = 1.0 - float(uniform[step, 1] < means[step, arm])
        lines[arm] = f"{arm}:{cost}:{chances[arm]} " + lines[arm]
        start = time.process_time()
        workspace.learn(lines)  # type: ignore[attr-defined]
        taken += time.process_time() - start
    return taken, lost
