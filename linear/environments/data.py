"""Make an environment with linear mean rewards from a CSV file: a log of contexts, arms and rewards, or a table with
the rewards of all arms.

fedigw/logged.py describes the file. A context is a text, or given by numbers x1, x2, .... The true parameter is a
least-squares fit to the file's rewards: each arm has weights of its own for the context, and all arms share an
intercept. So mean rewards are exactly linear, as the regret theorems require. Contexts occur as often as in the file.

The true parameter must lie in the unit ball. So rewards are first pulled towards 1/2: r becomes 1/2 + keep (r - 1/2).
By default keep is 1/2, or the largest that fits.

If contexts are texts and rewards are 0 or 1, this is the same as replaying the file: a reward is, with probability
`keep`, that of a random line with the same context and arm, and else a fair coin. If contexts are numbers, a reward is
drawn with the fitted mean.
"""

import numpy as np

from bounds.errors import InputError
from fedigw import logged
from fedigw.federation import Federation
from linear.contexts.finite import FiniteContexts
from linear.environments.finite_contexts import with_intercept
from linear.federations import alike

MOST_CELLS = 10**6  # contexts times arms times dimensions
EXAMPLES = (
    {"file": "examples/logged_steps.csv", "agents": 2, "horizon": 16},
    {"file": "examples/all_rewards.csv", "keep": 0.25, "agents": 2, "horizon": 16},
)


def make(
    rng: np.random.Generator,
    file: str = "examples/logged_steps.csv",
    keep: float = 0.0,  # min(1/2, the largest that fits)
    agents: int = 10,
    horizon: int = 1024,
    learning_rate: str = "sharpened",
) -> Federation:
    data = logged.read(file)
    described = _numbers(data) if data.measured else np.eye(len(data.contexts))
    if described.size * len(data.arms) ** 2 > MOST_CELLS:
        raise InputError("file", file, f"needs more than {MOST_CELLS} numbers: contexts x arms x dimensions")
    features = with_intercept(np.stack([np.kron(e, described) for e in np.eye(len(data.arms))], axis=1))
    law = np.array(data.visits) / sum(data.visits)
    parameter = np.eye(features.shape[-1])[0] / np.sqrt(2)
    fitted = fit(data, features)
    most = largest(features @ fitted, float(fitted[0]), float(fitted @ fitted))
    keep = keep or min(0.5, most)
    if not 0 < keep <= most:
        raise InputError(
            "keep", keep, f"must be above 0 and at most {np.floor(1e4 * most) / 1e4:g} for this file"
        )
    shared = FiniteContexts(features, law)
    return alike(shared, agents, parameter + keep * fitted, horizon, learning_rate)


def fit(data: logged.Logged, features: np.ndarray) -> np.ndarray:
    """Return the weights (d,) with which features (X, K, d) best predict the file's rewards minus 1/2, in squared
    error; if several do, those of least norm."""
    cells = [
        (x, a, data.rewards[c, arm])
        for x, c in enumerate(data.contexts)
        for a, arm in enumerate(data.arms)
        if (c, arm) in data.rewards
    ]
    weights = np.sqrt([len(rewards) for *_, rewards in cells])
    rows = np.array([features[x, a] for x, a, _ in cells])
    means = np.array([float(sum(rewards) / len(rewards)) - 0.5 for *_, rewards in cells])
    return np.linalg.lstsq(rows * weights[:, None], means * weights, rcond=1e-10)[0]


def largest(differences: np.ndarray, first: float, squared: float) -> float:
    """Return the largest s <= 1 such that all mean rewards 1/2 + s x differences (X, K) lie in [0,1] and the parameter
    (1/sqrt2, 0) + s v lies in the unit ball. first, squared: first entry and squared norm of v, the fitted weights."""
    box = 0.5 / max(float(np.abs(differences).max()), 0.5)
    ball = (np.sqrt(first**2 + squared) - first) / (np.sqrt(2) * squared) if squared else 1.0
    return float(min(1.0, box, ball))


def _numbers(data: logged.Logged) -> np.ndarray:
    """Return the vector (1, x)/sqrt2 of each context, shape (X, p + 1), where x are the p numbers of the context in the
    file, scaled into the unit ball."""
    try:
        found = np.array([[float(text) for text in context] for context in data.contexts])
    except ValueError:
        raise InputError("file", data.file, "columns x1, x2, ... must be numbers in a linear world") from None
    if not np.isfinite(found).all() or np.abs(found).max() > 1e100:
        raise InputError("file", data.file, "columns x1, x2, ... must be finite numbers, at most 1e100")
    return with_intercept(found / max(float(np.linalg.norm(found, axis=1).max()), 1e-300))
