"""End a call of any protocol as soon as its point is proved to be near the minimiser (key stop = "certificate").

Agent m has weight p_m and an objective f_m with curvature at least mu_m. The joint objective F = sum_m p_m f_m then has
curvature at least mu = sum_m p_m mu_m, so a point w is within norm(grad F(w))/mu of the minimiser. Each agent sends
mu_m once per call. After every round the server sends its point and receives the sum of the agents' gradients there.
The call ends as soon as this distance is at most delta sqrt(e(n))/s, where delta is the tolerance, e(n) the proved
excess risk of the minimiser on n samples, and s the largest slope of the link function, 1 for linear rewards. The
excess risk of w is then at most (1 + delta)^2 e(n), for any protocol (own:certificate). A call that ends by itself
before that has no certificate, and no regret bound follows.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from bounds.errors import InputError
from fedigw.channel import Channel
from fedigw.interfaces import (
    Fitted,
    FLProtocol,
    Guarantee,
    Memory,
    Parameters,
    Part,
    PrivateProtocol,
    RiskModel,
    Setting,
)
from fedigw.ledger import Traffic, one_call
from fedigw.local_problem import ProblemWithLocal

if TYPE_CHECKING:
    from fedigw.federation import Federation

STATEMENT = ("own:certificate", "distance")


class Certified(Exception):
    """Raised to end a call of the protocol, because its last point is proved to be near the minimiser."""


@dataclass(frozen=True)
class Certificate(Part):
    """A rule that ends a call of any protocol once the server can prove that its point is so near the minimiser that
    the excess risk is at most (1 + tolerance)^2 times the minimiser's proved one. every: rounds between two checks."""

    tolerance: float = 0.5
    every: int = 1
    name: ClassVar[str] = "certificate"

    def __post_init__(self) -> None:
        self.check_positive("every")
        if not (math.isfinite(self.tolerance) and self.tolerance > 0):
            raise InputError("tolerance", self.tolerance, "must be a positive number")

    def check(self, federation: Federation) -> None:
        """Raise InputError for a federation in which the norm of the gradient proves nothing about the distance from
        the minimiser, or in which gradients must not be sent."""
        protocol, said = federation.protocol, ""
        if not federation.model.offers("strong convexity"):
            said = f"needs a strongly convex loss, which {federation.kind} models do not have"
        elif isinstance(protocol, PrivateProtocol) or federation.privacy is not None:
            said = "sends gradients without noise, which no privacy ledger here counts"
        elif federation.link.participants is not None:
            said = (
                "needs the gradients of all agents; participants of the protocol are allowed, not of the link"
            )
        elif federation.rates.adaptive:
            said = "is not for adaptive learning rates: leave out stop, or give another learning_rate"
        elif protocol.keeps_variates:
            said = "ends a call before control variates are kept for the next one: give kept = false"
        if said:
            raise InputError("stop", self.name, said)

    def fit(
        self, federation: Federation, problem: Any, channel: Channel, memory: Memory, rng: np.random.Generator
    ) -> tuple[Fitted, bool]:
        """Learn one model by the federation's protocol, with this stopping rule. Return what the protocol learned, and
        whether it is proved to be near the minimiser. memory: what the previous call of the protocol left."""
        protocol, model, checked, exchanges = federation.protocol, federation.model, None, 0
        assert isinstance(problem, ProblemWithLocal)
        assert isinstance(model, RiskModel)
        enough = problem.curvature(channel) * math.sqrt(model.reach(problem.samples, self.tolerance))

        def certifies(parameters: Parameters) -> bool:
            nonlocal checked, exchanges
            checked, exchanges = parameters, exchanges + 1
            return float(np.linalg.norm(protocol.gradient(problem, channel, parameters))) <= enough

        def watch(parameters: Parameters) -> None:
            rounds = channel.traffic.rounds - exchanges
            if rounds and rounds % self.every == 0 and certifies(parameters):
                raise Certified

        channel.watch = watch
        try:
            fitted = protocol.fit(problem, channel, memory, rng)
        except Certified:
            return Fitted(checked), True
        last = problem.points(fitted.parameters)
        if checked is not None and np.array_equal(problem.points(checked), last):
            return fitted, False
        return fitted, certifies(fitted.parameters)

    def asked(self, federation: Federation) -> int | None:
        """Return the number of rounds that the protocol's convergence theorem requires for the largest number of
        samples in the federation's epochs; None if no number is proved."""
        plan = federation.plan
        most = max((plan.taught(epoch) for epoch in range(plan.epochs) if plan.learns(epoch)), default=0)
        return federation.protocol.asked(federation.setting, most, self.tolerance) if most else None

    def guarantee(self, protocol: FLProtocol, setting: Setting) -> Guarantee:
        """Return the guarantee of model fits that end by this rule. The declared cost is an upper bound: all rounds of
        the protocol, and a check after every `every` rounds."""
        model, plain = setting.model, protocol.guarantee(setting)
        assert isinstance(model, RiskModel)
        agents, width = setting.agents, model.shared_width

        def cost(n: int) -> Traffic:
            assert plain is not None  # else nothing is declared, and nobody asks
            most = plain.cost(n)
            checks = most.rounds // self.every + 1
            exchanged = (checks + 1, checks * (width + 1) + 1), (checks, checks * width)
            return replace(most + one_call(agents, checks, *exchanged), calls=most.calls)

        return Guarantee(
            claim=model.certified_claim,
            risk=lambda variant, n: (1 + self.tolerance) ** 2 * model.charged_risk(variant, n),
            distance=lambda n: model.reach(n, self.tolerance),
            cost=cost,
            variants=model.rules,
            missing=model.unproved,
            rests_on=(*model.risk_statements, STATEMENT),
        )
