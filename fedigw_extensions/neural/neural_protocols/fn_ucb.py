"""FN-UCB (Dai et al. 2023, Federated Neural Bandits) for the policy `ucb`: in each call networks are averaged once, and
the agents' gradient features are added up for confidence widths.

As in the paper, every agent trains on all its past data, and there is one average of the networks and one sum of the
features. Unlike the paper, V is the full p x p matrix for p <= 1500 only, else its diagonal; widths change after a
call, not after every step; the prediction is that of the averaged network (their second index with alpha = 1), without
the linear predictor on gradient features; and training continues from the last average by minibatches instead of from
scratch. Every comparison states these differences.
"""

from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple

import numpy as np

from bounds.errors import InputError, choose
from fedigw.channel import Channel
from fedigw.interfaces import Fitted, FLProtocol, Guarantee, Setting
from fedigw_extensions.neural.confidence import MOST_FULL, Optimistic, feature_sums
from fedigw_extensions.neural.network import Interactions, Perceptron

FORMS = ("auto", "full", "diagonal")


class _Past(NamedTuple):
    known: Optimistic
    histories: tuple[Interactions, ...]


@dataclass(frozen=True)
class FederatedNeuralUcb(FLProtocol):
    """FN-UCB. local_steps: gradient steps of size step_size, each on `batch` samples of an agent's past.
    regularisation: lambda in V = lambda I + sum g g'/H, where g are gradient features and H is the width. form: full or
    diagonal V, or auto."""

    local_steps: int = 30
    step_size: float = 0.1
    batch: int = 64
    regularisation: float = 1.0
    form: str = "auto"
    name: ClassVar[str] = "fn_ucb"
    widths: ClassVar[bool] = True  # what it learns carries them
    needs: ClassVar[tuple[str, ...]] = ("gradient_features",)

    def __post_init__(self) -> None:
        choose("form", self.form, FORMS)
        self.check_positive("local_steps", "batch", most=10**7)
        for key, value in (("step_size", self.step_size), ("regularisation", self.regularisation)):
            if not (np.isfinite(value) and value > 0):
                raise InputError(key, value, "must be a positive number")

    def fit(self, problem: Any, channel: Channel, memory: Any, rng: np.random.Generator) -> Fitted:
        local, network = problem.local, problem.local.network
        full = self._full(network)
        if memory is None:
            start = local.first(rng)
            spread = self.regularisation * np.ones(network.size, dtype=start.dtype)
            known = Optimistic(start, start, np.diag(spread) if full else spread, self.regularisation)
            histories = tuple(local.datasets)
        else:
            known, before = memory
            histories = tuple(old.joined(new) for old, new in zip(before, local.datasets, strict=True))
        who = channel.begin_round()
        trained = replace(local, datasets=histories)
        batch = min(self.batch, *(len(history) for history in histories))
        moves = trained.walk(known.point, who, self.local_steps, self.step_size, 0.0, None, batch, rng)
        update = channel.mean("network", moves, (network.size,))
        sums = [feature_sums(network, known.start, local.datasets[agent], full) for agent in who]
        spread = known.spread + channel.total("features", np.stack(sums), known.spread.shape)
        point = channel.broadcast("network", known.point + update, (network.size,), everyone=True)
        spread = channel.broadcast("features", spread, known.spread.shape, everyone=True)
        found = known._replace(point=point, spread=spread)
        return Fitted(found, _Past(found, histories))

    def _full(self, network: Perceptron) -> bool:
        if self.form == "full" and network.size > MOST_FULL:
            raise InputError(
                "protocol.form", "full", f"is for at most {MOST_FULL} weights; here {network.size}"
            )
        return self.form == "full" or (self.form == "auto" and network.size <= MOST_FULL)

    def guarantee(self, setting: Setting) -> Guarantee | None:
        """Return None: the regret bound of the paper holds for networks far wider than practical ones."""
        return None
