"""Robust predictions: every agent has its own ridge estimate, and the agents' predictions are aggregated robustly.

In one round each agent sends its estimate, and the server sends all estimates back. The prediction for a context and
an arm is the aggregate of the agents' predictions, by the aggregation rule of the link. With M agents in d dimensions
one execution sends Md numbers up and M^2 d down. If the rule has a proved constant (app:robust_mean) and at most
`tolerates` agents lie, the honest agents' regret is bounded (app:robust_predictions).
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from bounds.errors import InputError
from fedigw.channel import Channel, Link
from fedigw.interfaces import Fitted, FLProtocol, Guarantee, Setting
from fedigw.ledger import one_call
from fedigw_extensions.robust.aggregators.trimmed_mean import TrimmedMean
from fedigw_extensions.robust.theorems import app_robust_predictions
from linear.ensemble import Ensemble
from linear.model import Ridge
from linear.ridge import RidgeProblem


@dataclass(frozen=True)
class RobustPredictions(FLProtocol):
    """Robust aggregation of predictions. tolerates: for how many lying agents the policy's learning rates and the
    regret bound are computed; with a trimmed mean at least for its cut."""

    tolerates: int = 0
    name: ClassVar[str] = "robust_predictions"
    needs: ClassVar[tuple[str, ...]] = ("own_estimates",)
    predicts: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.tolerates < 0:
            raise InputError("tolerates", self.tolerates, "must be an integer of at least 0")

    def check_link(self, link: Link, agents: int) -> None:
        """Raise InputError if the link's aggregation rule cannot combine single predictions, or has no proved
        constant with `tolerates` lying agents."""
        rule = link.aggregator
        if not rule.coordinatewise:
            allowed = (
                "combines whole messages; predictions are combined one by one: mean, median, trimmed_mean"
            )
            raise InputError("link.aggregator", rule.name, allowed)
        if 2 * self.tolerates >= agents:
            allowed = f"must be below one half of the {agents} agents: from there on no rule has a constant"
            raise InputError("protocol.tolerates", self.tolerates, allowed)
        if self.constant(link, agents) is None:
            if isinstance(rule, TrimmedMean):
                allowed = f"must be at most the cut, {rule.cut}"
                raise InputError("protocol.tolerates", self.tolerates, allowed)
            allowed = f"has no constant against {self.tolerates} lying agents; median and trimmed_mean have"
            raise InputError("link.aggregator", rule.name, allowed)

    def lying(self, link: Link) -> int:
        """Return the number of lying agents for which the guarantee holds: `tolerates`, or the cut of a trimmed mean if
        that is larger."""
        rule = link.aggregator
        return max(self.tolerates, rule.cut if isinstance(rule, TrimmedMean) else 0)

    def constant(self, link: Link, agents: int) -> Fraction | float | None:
        """Return kappa of the link's aggregation rule, or None if none is proved: the aggregate's squared distance
        from the mean of the honest values is at most kappa times their variance."""
        return link.aggregator.constant(agents, self.lying(link))

    def fit(self, problem: RidgeProblem, channel: Channel, memory: Any, rng: np.random.Generator) -> Fitted:
        who, shape = channel.begin_round(), (problem.dimension,)
        received = channel.gather("own estimate", problem.own_estimates(who), shape)
        sent = channel.broadcast("all estimates", received, received.shape)
        return Fitted(Ensemble(sent, channel.link.aggregator))

    def guarantee(self, setting: Setting) -> Guarantee | None:
        model, agents, link = Ridge.of(setting), setting.agents, setting.link or Link()
        kappa = self.constant(link, agents)
        if kappa is None:
            return None
        lying, d = self.lying(link), model.dimension
        call = one_call(agents, 1, (1, d), (1, agents * d))
        return Guarantee(
            claim="app:robust_predictions",
            risk=lambda variant, n: float(
                app_robust_predictions.risk(float(d), agents, lying, float(kappa), n / agents)
            ),
            distance=None,
            cost=lambda n: call,
            missing=tuple(self._unmet(setting, link, lying)),
            robust=True,
        )

    def _unmet(self, setting: Setting, link: Link, lying: int) -> list[str]:
        found, liars = [], len(link.liars)
        if Ridge.of(setting).regularisation != 1.0:
            found.append(
                f"regularisation {Ridge.of(setting).regularisation:g}: the risk is proved for lambda = 1/n"
            )
        if Ridge.of(setting).heterogeneous:
            found.append("the agents' laws differ: robust predictions are proved for one law")
        if setting.plan is not None and any(len(set(row)) > 1 for row in setting.plan.full):
            found.append(
                "the agents' numbers of samples differ: robust predictions are proved for equal ones"
            )
        if liars > lying:
            found.append(f"{liars} of {setting.agents} agents lie, more than the {lying} that are tolerated")
        return found
