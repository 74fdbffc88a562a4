"""Choose the policy's learning rates (its exploration parameter gamma) from the data of a run of FedIGW, and bound the
regret of that run.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from bounds import own_adaptive_linear
from bounds.errors import InputError
from fedigw.interfaces import Parameters, RiskModel
from fedigw.ledger import Traffic, one_call
from fedigw.rates import AdaptiveRates

if TYPE_CHECKING:
    from fedigw.federation import Federation


LINEAR = ("linear", "linear_personalised")  # kinds of worlds


@dataclass(frozen=True)
class Observed:
    """The regret bounds that are computed from the data of R runs of FedIGW over L epochs, if learning rates are chosen
    from the data.

    delta      allowed probability that a bound fails
    bound      (R,): the regret bound of each run, infinite if there is none
    pathwise   (R,): the bound by own:adaptive, the regret theorem for single runs; `bound` may be smaller
    any_law    (R,): a bound that does not use the probabilities of contexts
    left       (R,): number of functions of a finite class that the data still allow at the end; infinite for others
    rates      (R, L): learning rate of each epoch, averaged over contexts
    empty      pairs (replication, samples): after so many samples the data contradicted every function, so that the
               true one is not in the class
    """

    delta: float
    bound: np.ndarray
    pathwise: np.ndarray
    any_law: np.ndarray
    left: np.ndarray
    rates: np.ndarray
    empty: tuple[tuple[int, int], ...] = ()


class Chooser(ABC):
    """Base class of objects that choose the learning rates of R runs of FedIGW from their data, epoch by epoch.
    every_epoch: whether the object also needs the data of epochs from which nothing is learned."""

    every_epoch: ClassVar[bool] = False

    @abstractmethod
    def in_use(self) -> tuple[Any, Any]: ...
    @abstractmethod
    def played_epoch(self, epoch: int) -> None: ...
    def met(self, data: Any) -> None:  # noqa: B027
        """Receive the data of the epoch just played. By default nothing is done with them."""

    @abstractmethod
    def learn(self, learned: Parameters, knowledge: Any, samples: int) -> None: ...
    @abstractmethod
    def observed(self) -> Observed: ...


def adapts(federation: Federation) -> bool:
    return federation.rates.adaptive


def check(federation: Federation) -> None:
    """Raise InputError, naming the obstacle, if this federation cannot choose its learning rates from the data."""
    missing = None
    if not federation.model.adapts:
        without = federation.model.words(federation.kind)
        missing = f"a bound on the realised error from the data, which {without} do not have"
    elif not (federation.protocol.informs or federation.plan.cumulative):
        kept = f"the sums that the exact solver learns from, which {federation.protocol.name} does not keep"
        missing = f'{kept}, or data = "cumulative"' if federation.kind in LINEAR else kept
    elif federation.policy.name != "igw":
        missing = f"inverse gap weighting; {federation.policy.name} has no pathwise theorem"
    elif federation.link.missing:
        missing = f"plain sums of all agents' messages: {federation.link.missing[0]}"
    elif federation.plan.cumulative and federation.kind not in LINEAR:
        missing = "calls that learn from one epoch, or linear rewards"
    elif federation.plan.lag != 1:
        missing = "epochs that use what the epoch before has taught"
    if missing is not None:
        raise InputError("learning_rate", "adaptive", f"needs {missing}")
    rates = federation.rates
    if isinstance(rates, AdaptiveRates) and rates.multiplier is not None and federation.kind not in LINEAR:
        raise InputError("learning_rate.multiplier", rates.multiplier, "is for linear rewards")


def rates_sent(federation: Federation) -> Traffic:
    """Return the additional messages of one model fit if learning rates are chosen from the data. Each agent receives
    its rates, one number per context. If models are learned from all data so far, agents also send Gram matrices."""
    agents, numbers = len(federation.arms), federation.model.rates_sent(federation.world)
    told = Traffic(messages_down=agents, numbers_down=agents * numbers, bits_down=64 * agents * numbers)
    return told + grams_sent(federation)


def grams_sent(federation: Federation) -> Traffic:
    """Return the additional messages from which the server chooses the multiplier of the learning rate, if models are
    learned from all data so far: for each possible multiplier, every agent's expected Gram matrix of the next epoch."""
    rates, model = federation.rates, federation.model
    assert isinstance(rates, AdaptiveRates)
    if not federation.plan.cumulative or rates.multiplier is not None or not isinstance(model, RiskModel):
        return Traffic()
    sent = Traffic(rounds=1)
    for d in own_widths(federation, model):
        up = len(own_adaptive_linear.FACTORS) * d * (d + 1) // 2
        sent = sent + replace(one_call(1, 0, (1, up), (0, 0)), calls=0)
    return sent


def own_widths(federation: Federation, model: RiskModel) -> tuple[int, ...]:
    agents = len(federation.arms)
    return model.own_widths if len(model.own_widths) == agents else model.own_widths * agents


def closing(federation: Federation) -> Traffic:
    """Return the messages, after the last epoch, from which a run of FedIGW that learns from all data so far computes
    its regret bound. First agents send their sums of those epochs from which no model was learned. Then they receive a
    confidence ellipsoid for the true parameter, and send sums over all steps."""
    plan, model = federation.plan, federation.model
    if not (adapts(federation) and plan.cumulative):
        return Traffic()
    assert isinstance(model, RiskModel)
    forms, finite = len(own_adaptive_linear.THETAS), int(federation.world.finite)
    unsent = plan.epochs - (plan.calls if federation.protocol.informs else 0)
    sent = Traffic(rounds=1 + (unsent > 0))
    for d in own_widths(federation, model):
        triangle = d * (d + 1) // 2
        # steps are also charged one by one where contexts are finite: one number
        up = d + finite + forms * (triangle + 1) + unsent * (triangle + d)
        own = one_call(1, 0, (1 + (unsent > 0), up), (1, d + triangle + 1))
        sent = sent + replace(own, calls=0)
    return sent
