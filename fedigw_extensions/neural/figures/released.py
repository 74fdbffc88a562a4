"""Compare runs in the setting of the authors' released code with the curves in the pictures shipped with it.

The curves were read off the pictures and are not part of this program: --authors PATH names their file, and the record
contains the distances from them. The released code logs one row for each epoch, its mean reward; a curve is the
running mean of the rows, so every epoch counts once. Its axis counts at most 256 steps of an epoch of up to 4,096.
"""

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bounds.errors import InputError
from fedigw_extensions.neural.figures import record as records
from fedigw_extensions.neural.figures.curves import logged, running_average
from fedigw_extensions.neural.figures.methods import setting
from verify.claim import Evidence, Task, Verdict

NEAR = 0.04  # root mean squared distance of a curve that is called reproduced; one seed differs from another by 0.02
SHIPPED = "FedAvg10"  # the name of the curve of FedAvg with ten agents


def distances(path: Path, runs: Mapping[str, Sequence[Mapping[str, Any]]]) -> dict[str, Any]:
    """Return, for each data set, the root mean squared distance between the mean curve of our runs and the shipped
    curve: once over the axis of the released code ("logged") and once over the steps played. path: the file of the
    shipped curves."""
    try:
        curves = json.loads(path.read_text(encoding="utf-8"))["curves"]
        shipped = {name: np.array(curves[name][SHIPPED], dtype=float) for name in runs}
        for name, points in shipped.items():
            if points.ndim != 2 or points.shape[1] != 2 or not len(points) or not np.isfinite(points).all():
                raise ValueError(f"{name} must have points of a step and a reward")
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise InputError(
            "--authors", str(path), f"is no file of curves by data set and name: {error!r}"
        ) from None
    found = {}
    for name, rows in runs.items():
        lengths = setting(name, "released", "fedavg").lengths
        curve = np.mean([running_average(run["curve"], [1] * len(lengths)) for run in rows], axis=0)
        axes = {"logged": logged(lengths), "steps": np.cumsum(lengths)}
        points = shipped[name]
        found[name] = {
            "seeds": len(rows),
            "rmse": {axis: round(_distance(points, ends, curve), 4) for axis, ends in axes.items()},
            "shipped_end": float(points[-1, 1]),
            "curve": [round(float(value), 4) for value in curve],
            **{axis: [int(end) for end in ends] for axis, ends in axes.items()},
        }
    return found


def _distance(points: np.ndarray, ends: np.ndarray, curve: np.ndarray) -> float:
    return math.sqrt(float(np.mean((np.interp(points[:, 0], ends, curve) - points[:, 1]) ** 2)))


def reproduced(task: Task, axis: str = "logged") -> Evidence:
    """Check that our runs in the released code's setting lie within a root mean squared distance of 0.04 of its FedAvg
    curves, drawn over that code's axis. Control, which must fail: the same runs drawn over the steps that were played.
    """
    kept = records.load()["released"]
    rows = {name: found["rmse"][axis] for name, found in kept.items()}
    said = ", ".join(f"{name} {rmse:.3f} ({kept[name]['seeds']} seeds)" for name, rmse in rows.items())
    far = not rows or max(rows.values()) > NEAR
    text = f"root mean squared distance over the axis `{axis}`: {said}; at most {NEAR:g} is called reproduced"
    return Evidence(Verdict.FLOAT.unless(far), text, {"rmse": rows, "near": NEAR}, replay="make experiments")
