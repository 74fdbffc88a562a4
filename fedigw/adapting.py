"""Learning rates from the data: what a model must offer for them, and what a run then knows of its own regret."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from bounds import own_adaptive_linear
from bounds.errors import InputError
from fedigw.interfaces import Parameters, RiskModel
from fedigw.ledger import Traffic, one_call
from fedigw.rates import AdaptiveRates

if TYPE_CHECKING:
    from fedigw.federation import Federation


@dataclass(frozen=True)
class Observed:
    """bound (R,): on the regret of each replication, valid with probability 1 - delta; infinite where nothing is known.
    pathwise (R,): the part of it that the pathwise theorem gives; any_law (R,): the same without the context law.
    left (R,): how large the set of possible truths is at the end. rates (R, L): mean rate over contexts in each epoch.
    empty: (replication, samples) at which no function of the class was left: realizability fails."""

    delta: float
    bound: np.ndarray
    pathwise: np.ndarray
    any_law: np.ndarray
    left: np.ndarray
    rates: np.ndarray
    empty: tuple[tuple[int, int], ...] = ()


class Chooser(Protocol):
    """The state of R runs: what is in use, what an epoch is charged, what an epoch teaches."""

    def in_use(self) -> tuple[Any, Any]: ...
    def played_epoch(self, epoch: int) -> None: ...
    def learn(self, learned: Parameters, knowledge: Any, samples: int) -> None: ...
    def observed(self) -> Observed: ...


def adapts(federation: Federation) -> bool:
    return federation.rates.adaptive


def check(federation: Federation) -> None:
    """Adaptive rates need a bound on the realised error that data give; what is missing is named."""
    missing = None
    if not federation.model.adapts:
        missing = f"a bound on the realised error from the data, which {federation.kind} models do not have"
    elif not federation.protocol.informs:
        missing = (
            f"the sums that the exact solver learns from, which {federation.protocol.name} does not keep"
        )
    elif federation.policy.name != "igw":
        missing = f"inverse gap weighting; {federation.policy.name} has no pathwise theorem"
    elif federation.link.missing:
        missing = f"plain sums of all agents' messages: {federation.link.missing[0]}"
    elif federation.plan.cumulative and not (federation.kind == "linear" and federation.world.finite):
        missing = "calls that learn from one epoch, or linear rewards and finitely many contexts"
    elif federation.plan.lag != 1:
        missing = "epochs that use what the epoch before has taught"
    if missing is not None:
        raise InputError("learning_rate", "adaptive", f"needs {missing}")
    rates = federation.rates
    if isinstance(rates, AdaptiveRates) and rates.multiplier is not None and federation.kind != "linear":
        raise InputError("learning_rate.multiplier", rates.multiplier, "is for linear rewards")


def rates_sent(federation: Federation) -> Traffic:
    """Return what telling every agent its rates adds to a call: one number a context."""
    agents, numbers = len(federation.arms), federation.model.rates_sent(federation.world)
    return Traffic(messages_down=agents, numbers_down=agents * numbers, bits_down=64 * agents * numbers)


def closing(federation: Federation) -> Traffic:
    """What the bound of a run on all data adds after its last epoch: every ellipsoid down, and for it from every agent
    the sums over steps of each epoch and the quadratic forms."""
    plan, agents = federation.plan, len(federation.arms)
    if not (adapts(federation) and plan.cumulative):
        return Traffic()
    assert isinstance(federation.model, RiskModel)
    d, forms = federation.model.shared_width, len(own_adaptive_linear.THETAS)
    triangle = d * (d + 1) // 2
    up = plan.calls * (plan.epochs * (d + 1) + forms * (triangle + 1))
    sent = one_call(agents, 1, (1, up), (1, plan.calls * (d + triangle + 1)))
    return replace(sent, calls=0)
