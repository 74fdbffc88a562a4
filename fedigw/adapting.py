"""Choose learning rates from the data: what a model must offer for this, and the bound on its own regret that a run
then computes."""

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
    """The bounds that R runs compute from their own data. bound (R,): on the regret of each run, valid with the
    probability 1 - delta that was required; infinite if there is none. pathwise (R,): the part of it that comes from
    the theorem about single runs. any_law (R,): a bound that holds for any law of contexts. left (R,): how many
    functions of the class the data still allow at the end. rates (R, L): mean rate over contexts in each epoch.
    empty: (replication, samples) at which no function of the class fitted the data any more, so that the true
    function is not in the class."""

    delta: float
    bound: np.ndarray
    pathwise: np.ndarray
    any_law: np.ndarray
    left: np.ndarray
    rates: np.ndarray
    empty: tuple[tuple[int, int], ...] = ()


class Chooser(ABC):
    """Base class: chooses the learning rates of R runs from their data, and is updated after each epoch.
    every_epoch: whether it needs the data of every epoch, also of those after which the protocol is not called."""

    every_epoch: ClassVar[bool] = False

    @abstractmethod
    def in_use(self) -> tuple[Any, Any]: ...
    @abstractmethod
    def played_epoch(self, epoch: int) -> None: ...
    def met(self, data: Any) -> None:  # noqa: B027
        """Receive the data of an epoch; by default nothing is done with them."""

    @abstractmethod
    def learn(self, learned: Parameters, knowledge: Any, samples: int) -> None: ...
    @abstractmethod
    def observed(self) -> Observed: ...


def adapts(federation: Federation) -> bool:
    return federation.rates.adaptive


def check(federation: Federation) -> None:
    """Raise InputError, naming what is missing, if learning rates cannot be chosen from the data of this federation."""
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
    """Return the messages that learning rates from the data add to a call of the protocol: each agent receives its
    rates, one number per context, and sends what they are chosen from."""
    agents, numbers = len(federation.arms), federation.model.rates_sent(federation.world)
    told = Traffic(messages_down=agents, numbers_down=agents * numbers, bits_down=64 * agents * numbers)
    return told + grams_sent(federation)


def grams_sent(federation: Federation) -> Traffic:
    """Return the messages that choosing the multiplier of the learning rate adds to a call of the protocol: every agent
    sends the expected Gram matrices of its next epoch, one for each candidate multiplier."""
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
    """Return the messages after the last epoch that compute the bound of a run which learns from all data. First agents
    send the sums of those epochs that no call has sent. Then they receive the confidence ellipsoid and send their sums
    over all steps. Each agent's messages have only its own coordinates."""
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
