"""Choose learning rates from the data of a run: what a model must offer for this, and the bound on its own regret
that such a run computes.
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
    """The bounds that R runs with learning rates from the data compute on their own regret.

    delta      allowed probability that a bound fails
    bound      (R,): bound on the regret of each run, infinite if there is none
    pathwise   (R,): the part of it that comes from the theorem about single runs
    any_law    (R,): a bound that holds whatever the distribution of contexts is
    left       (R,): how many functions of a finite class the data still allow at the end
    rates      (R, L): learning rate of each epoch, averaged over contexts
    empty      (replication, samples) at which the data contradicted every function, so that the true one is not in
               the class
    """

    delta: float
    bound: np.ndarray
    pathwise: np.ndarray
    any_law: np.ndarray
    left: np.ndarray
    rates: np.ndarray
    empty: tuple[tuple[int, int], ...] = ()


class Chooser(ABC):
    """Base class of the objects that choose the learning rates of R runs from their data, and are updated after each
    epoch. every_epoch: whether the data of every epoch are needed, also of epochs after which the protocol is not
    called."""

    every_epoch: ClassVar[bool] = False

    @abstractmethod
    def in_use(self) -> tuple[Any, Any]: ...
    @abstractmethod
    def played_epoch(self, epoch: int) -> None: ...
    def met(self, data: Any) -> None:  # noqa: B027
        """Receive the data of an epoch. By default nothing is done with them."""

    @abstractmethod
    def learn(self, learned: Parameters, knowledge: Any, samples: int) -> None: ...
    @abstractmethod
    def observed(self) -> Observed: ...


def adapts(federation: Federation) -> bool:
    return federation.rates.adaptive


def check(federation: Federation) -> None:
    """Raise InputError, naming what is missing, if learning rates cannot be chosen from the data of this
    federation."""
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
    """Return the messages that learning rates from the data add to a call of the protocol. Each agent receives its
    rates, one number per context, and sends the statistics from which they are chosen."""
    agents, numbers = len(federation.arms), federation.model.rates_sent(federation.world)
    told = Traffic(messages_down=agents, numbers_down=agents * numbers, bits_down=64 * agents * numbers)
    return told + grams_sent(federation)


def grams_sent(federation: Federation) -> Traffic:
    """Return the messages that choosing the multiplier of the learning rate adds to a call of the protocol. Every
    agent sends the expected Gram matrices of its next epoch, one for each candidate multiplier."""
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
    """Return the messages after the last epoch by which a run that learns from all data computes its regret bound.
    First agents send the sums of those epochs that no call has sent. Then they receive the confidence ellipsoid
    and send their sums over all steps. Each agent's messages have only its own coordinates."""
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
