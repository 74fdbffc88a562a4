"""Play adaptive greedy (AGR) for one agent, as the authors of the paper run it: by the package contextualbandits.

The settings are those of the released code (src/baselines/context_baseline.py): logistic regression by L-BFGS for each
arm, decay_type "threshold", prior ((3/K, 4), 2), batches of 50 steps and a refit after each. Contexts are drawn as for
all methods. Every step counts once. The released code leaves out the first batch, which is uniform, and counts the last
one of a pass as 50 steps, although it has 45 on Bibtex and 5 on Delicious.
"""

import time
import warnings
from typing import Any

import numpy as np

from bounds.errors import InputError
from fedigw_extensions.neural.datasets.multilabel import MultiLabel
from fedigw_extensions.neural.figures.simulator import DIGITS

REFIT = 50


def run(data: MultiLabel, horizon: int, seed: int) -> dict[str, Any]:
    """Play one run of adaptive greedy and return its figures. curve: the mean reward of each batch of 50 steps, the
    last of which may be shorter. last: the mean over the batches that begin in the last tenth of the steps."""
    try:
        from contextualbandits.online import AdaptiveGreedy
        from sklearn.linear_model import LogisticRegression
    except ImportError:
        raise InputError("method", "agr", "needs contextualbandits: pip install contextualbandits") from None
    start, rng = time.process_time(), np.random.default_rng([seed])
    rows = rng.integers(0, data.rows, horizon)
    features = np.asarray(data.features[rows].toarray(), dtype=float)
    model = AdaptiveGreedy(
        LogisticRegression(solver="lbfgs", warm_start=True),
        nchoices=data.arms,
        decay_type="threshold",
        beta_prior=((3 / data.arms, 4), 2),
        random_state=seed + 1,  # the package refuses 0
        njobs=1,
    )
    arms = rng.integers(0, data.arms, horizon)  # the first batch is uniform
    rewards = np.zeros(horizon)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for begin in range(0, horizon, REFIT):
            here = slice(begin, min(begin + REFIT, horizon))
            if begin:
                arms[here] = model.predict(features[here])
            rewards[here] = data.labels[rows[here], arms[here]]
            if here.stop < horizon:
                model.fit(features[: here.stop], arms[: here.stop], rewards[: here.stop])
    begins = range(0, horizon, REFIT)
    curve = [float(rewards[begin : begin + REFIT].mean()) for begin in begins]
    final = next((begin for begin in begins if begin >= 0.9 * horizon), begins[-1])
    return {
        "curve": [round(value, DIGITS) for value in curve],
        "average": round(float(rewards.mean()), DIGITS),
        "last": round(float(rewards[final:].mean()), DIGITS),
        "exploration": 0.0,
        "excess_risk": [],
        "diverged": None,
        "sent": {"calls": 0, "rounds": 0, "numbers": 0},
        "seconds": round(time.process_time() - start, 2),
    }
