"""Simulate FedIGW for all agents: one loop over epochs, and two ways to play each epoch.

messages   every agent plays separately, and the protocol sends messages through a channel, which counts them
pooled     all agents and replications at once, if world and protocol work on arrays: same distribution, far faster

Tests compare the two with each other and with the exact probability law.
"""

from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar

import numpy as np

from bounds.errors import InputError
from bounds.schedules import Segment
from fedigw.adapting import Chooser, Observed, adapts, check, closing, grams_sent, rates_sent
from fedigw.channel import PLAIN, Channel, MessageError
from fedigw.federation import Federation
from fedigw.interfaces import Acting, Experience, Number, Parameters, PerAgent, Promise, Steps
from fedigw.ledger import Traffic

# A distance above the promised one by less than this share of the excess risk is rounding: it is the square of 1e-6,
# the default tolerance of CG.
ROUNDING = 1e-12


class DataError(RuntimeError):
    """Raised if nothing can be learned from an agent's data. The message names agent, epoch and field."""


class SolverError(RuntimeError):
    """Raised if a solver failed: a matrix not positive definite, an overflow, or an accuracy not reached."""


@dataclass(frozen=True)
class Run:
    """The result of simulating R replications of L epochs.

    regret        (R, L): of the honest agents
    models        models[r][l]: the model in use
    traffic       counts of what was sent in each epoch
    promises      the accuracy that each call of the protocol promised and delivered, if audited
    excess_risk   (R, L): of the model learned in each epoch, if audited; NaN if none was learned
    by_agent      (M,): regret of each agent, averaged over replications
    observed      each replication's bound on its own regret, if learning rates are chosen from the data
    uncertified   epochs whose call ended without the required certificate
    """

    regret: np.ndarray
    models: tuple[tuple[Any, ...], ...]
    traffic: tuple[Traffic, ...]
    promises: tuple[Promise, ...] = ()
    excess_risk: np.ndarray | None = None
    by_agent: np.ndarray | None = None
    observed: Observed | None = None
    uncertified: tuple[int, ...] = ()


@dataclass
class Messages:
    """Plays one replication agent by agent and message by message; `carry_out` calls it epoch by epoch."""

    federation: Federation
    rng: np.random.Generator

    def __post_init__(self) -> None:
        self._memory: Any = None
        self.certified = True  # whether the last call was, if a certificate is requested
        self.chooser = chooser(self.federation, 1)

    def initial(self) -> Any:
        return self.federation.model.initial()

    def play(self, parameters: Parameters, rate: Number, segment: Segment) -> Experience:
        """Play one epoch. Return the agents' datasets (false ones of agents that lie about data), the summed regret
        (1,) of the honest agents, and the regret of each agent. segment: the epoch's lengths. rate: the policy's
        learning rate."""
        federation, policy = self.federation, self.federation.policy_in(segment)
        attack = federation.link.attack
        liars = federation.link.liars if attack and attack.falsifies and segment.learns else ()
        wanted = federation.protocol.needs_samples or federation.model.needs_samples
        acts, steps = [], []
        for agent, (full, played) in enumerate(zip(segment.full, segment.played, strict=True)):
            acts.append(Acting(federation.model, _own(parameters, agent), policy, rate))
            keep = agent in liars or (segment.learns and wanted)
            steps.append(Steps(full if segment.learns else played, played, keep))
        experiences = federation.world.play_each(acts, steps, self.rng)
        lost, datasets = [float(one.regret) for one in experiences], [one.data for one in experiences]
        for agent in liars:
            assert attack is not None  # else nobody is here
            datasets[agent] = attack.falsify(datasets[agent])
        honest = sum(lost[m] for m in self.federation.honest)
        return Experience(datasets, np.array([honest]), np.array(lost))

    def excess_risk(
        self, used: Parameters, learned: Parameters, rate: Number, segment: Segment
    ) -> np.ndarray | None:
        """Return the excess risk (1,) of the parameters `learned` from an epoch in which the parameters `used` played,
        or None if the world cannot compute it. segment: the epoch's lengths. rate: the policy's learning rate."""
        policy = self.federation.policy_in(segment)

        def act(agent: int) -> Acting:
            return Acting(self.federation.model, _own(used, agent), policy, rate)

        with np.errstate(over="ignore", invalid="ignore"):  # of an estimate that ran away: said below
            found = self.federation.world.excess_risk(act, lambda m: _own(learned, m), segment.full)
        if found is not None and not np.isfinite(found).all():
            said = f"{self.federation.protocol.name}: the square of its error is no number any more"
            raise SolverError(said)
        return None if found is None else np.atleast_1d(found)

    def learn(self, data: Any, epoch: int) -> tuple[Any, Traffic, Any]:
        problem = self.federation.model.problem(data, epoch)
        channel = Channel(len(data), epoch, self.federation.link, self.rng)
        called = (problem, channel, self._memory, self.rng)
        if self.federation.stop is None:
            fitted = self.federation.protocol.fit(*called)
        else:
            fitted, self.certified = self.federation.stop.fit(self.federation, *called)
        self._memory = fitted.memory
        if self.chooser is not None:
            self._adapt([fitted.parameters], channel, problem)
            return fitted.parameters, channel.traffic + grams_sent(self.federation), problem
        return fitted.parameters, channel.traffic, problem

    def _adapt(self, learned: list[Any], channel: Channel, problem: Any) -> None:
        assert self.chooser is not None
        protocol = self.federation.protocol
        known = protocol.knowledge(problem, self._memory) if protocol.informs else None
        self.chooser.learn(learned, known, problem.samples)
        rates = np.ravel(self.chooser.in_use()[1])
        channel.broadcast("learning rates", rates, rates.shape)

    def chosen(self) -> tuple[Any, Any]:
        assert self.chooser is not None
        parameters, rate = self.chooser.in_use()
        return next(iter(parameters)), rate[0]

    def describe(self, parameters: Parameters) -> list[Any]:
        return [self.federation.model.describe(parameters)]


@dataclass
class Pooled:
    """Plays R replications at once, without simulating messages; `carry_out` calls it epoch by epoch. The counts of
    what is sent are those that the protocol declares, which tests compare with its messages."""

    federation: Federation
    rng: np.random.Generator
    replications: int
    certified: ClassVar[bool] = True  # no certificate is requested

    def __post_init__(self) -> None:
        self.chooser = chooser(self.federation, self.replications)
        self._promised = self.federation.guarantee()

    def chosen(self) -> tuple[Any, Any]:
        assert self.chooser is not None
        return self.chooser.in_use()

    def initial(self) -> Any:
        return self.federation.model.repeated(self.federation.model.initial(), self.replications)

    def play(self, parameters: Parameters, rate: Number, segment: Segment) -> Experience:
        """Play one epoch of all replications. Return the data summed over the agents (R, ...), and the regret (R,).
        segment: the epoch's lengths. rate: the policy's learning rate."""
        distinct, index = self.federation.model.distinct(parameters)
        act = Acting(self.federation.model, distinct, self.federation.policy_in(segment), rate, index)
        return self.federation.world.play_together(
            act, segment.full, segment.played, self.rng, segment.learns
        )

    def excess_risk(
        self, used: Parameters, learned: Parameters, rate: Number, segment: Segment
    ) -> np.ndarray | None:
        """Return the excess risk (R,) of the parameters `learned` from an epoch in which the parameters `used` played,
        or None if the world cannot compute it. segment: the epoch's lengths. rate: the policy's learning rate."""
        distinct, index = self.federation.model.distinct(used)
        act = Acting(self.federation.model, distinct, self.federation.policy_in(segment), rate, index)
        return self.federation.world.excess_risk(lambda m: act, lambda m: learned, segment.full)

    def learn(self, data: Any, epoch: int) -> tuple[Any, Traffic, Any]:
        problem = self.federation.model.pooled_problem(data, epoch)
        parameters = self.federation.protocol.pooled(problem, self.rng)
        assert self._promised is not None
        cost = self._promised.cost(problem.samples)
        if self.chooser is not None:
            protocol = self.federation.protocol
            known = protocol.knowledge(problem, None) if protocol.informs else None
            self.chooser.learn(parameters, known, problem.samples)
            cost = cost + rates_sent(self.federation)
        return parameters, cost, problem

    def describe(self, parameters: Parameters) -> list[Any]:
        return list(self.federation.model.describe(parameters))


def _own(parameters: Parameters, agent: int) -> Any:
    return parameters[agent] if isinstance(parameters, PerAgent) else parameters


def pools(federation: Federation) -> bool:
    """Return whether all replications can be simulated at once as arrays. World and protocol must offer this, messages
    must reach the server unchanged, the protocol must have a guarantee, and no stopping rule may be set."""
    together = federation.world.pools and _stands_for_fit(federation.protocol) and federation.stop is None
    return together and federation.link == PLAIN and federation.guarantee() is not None


def _stands_for_fit(protocol: Any) -> bool:
    fit, pooled = (
        next(kind for kind in type(protocol).__mro__ if name in vars(kind)) for name in ("fit", "pooled")
    )
    return protocol.pools and issubclass(pooled, fit)


def chooser(federation: Federation, replications: int) -> Chooser | None:
    if not adapts(federation):
        return None
    check(federation)
    return federation.model.adapting(federation, replications)


def carry_out(federation: Federation, runner: Messages | Pooled, audit: bool = False) -> Run:
    """Simulate every epoch of the federation's plan and return the result. runner: plays single epochs and calls the
    protocol, message by message or for all replications at once. audit: also measure the accuracy of every call of the
    protocol and the excess risk of every model."""
    adapting = runner.chooser
    rates = None if adapting else tuple(float(rate) for rate in federation.learning_rates())
    learned: dict[int | None, Any] = {None: runner.initial()}
    regret, models, traffic, promises, risks, by_agent = [], [], [], [], [], []
    uncertified = []
    gathered: Any = None  # all data so far, where calls learn from all of them
    for epoch, segment in enumerate(federation.plan.segments):
        parameters, rate = learned[segment.uses], rates[epoch] if rates else 0.0
        if adapting is not None:
            parameters, rate = runner.chosen()
            adapting.played_epoch(epoch)
        counted = segment
        if adapting is not None and adapting.every_epoch and not segment.learns:
            counted = replace(segment, full=segment.played, learns=True)  # its sums are asked for at the end
        experience = runner.play(parameters, rate, counted)
        if adapting is not None:
            adapting.met(experience.data)
        regret.append(np.asarray(experience.regret))
        by_agent.append(experience.by_agent)
        models.append(runner.describe(parameters))
        risks.append(np.full(len(regret[-1]), np.nan))
        if not segment.learns:
            traffic.append(Traffic())
            continue
        data = experience.data
        if federation.plan.cumulative:
            data = gathered = data if gathered is None else federation.model.accumulated(gathered, data)
        learned[epoch], sent, problem = runner.learn(data, epoch + 1)
        traffic.append(sent)
        if not runner.certified:
            uncertified.append(epoch + 1)
        if audit and runner.certified:
            promises += audited(federation, problem, learned[epoch], epoch + 1)
        if audit and not federation.plan.cumulative:  # there it would be over all epochs so far
            risk = runner.excess_risk(parameters, learned[epoch], rate, segment)
            risks[-1] = risks[-1] if risk is None else risk
    traffic[-1] = traffic[-1] + closing(federation)
    known = [row for row in by_agent if row is not None]
    return Run(
        np.stack(regret, axis=1),
        tuple(zip(*models, strict=True)),
        tuple(traffic),
        tuple(promises),
        np.stack(risks, axis=1) if audit else None,
        np.sum(known, axis=0) if len(known) == len(by_agent) else None,
        None if adapting is None else adapting.observed(),
        tuple(uncertified),
    )


def audited(federation: Federation, problem: Any, parameters: Parameters, epoch: int) -> list[Promise]:
    """Return, for one call of the protocol, the squared distance from the minimiser that it promised and the largest
    that it left in any replication; [] if it promised nothing. parameters: what the call learned. epoch: counted from
    1."""
    promised = federation.guarantee()
    if promised is None or promised.distance is None or federation.link.unmet(promised.robust):
        return []
    allowed = promised.distance(problem.samples)
    aims = problem.distance if federation.stop else partial(federation.protocol.distance, problem)
    delivered = float(np.max(aims(parameters)))
    slack = ROUNDING * promised.risk("sharpened", problem.samples)
    return [Promise(epoch, allowed, delivered, bool(delivered <= allowed + slack))]


def run(federation: Federation, rng: np.random.Generator, audit: bool = False) -> Run:
    """Simulate one replication message by message. Raise InputError if nothing can be learned from data or messages."""
    try:
        return carry_out(federation, Messages(federation, rng), audit)
    except (SolverError, DataError, MessageError) as error:
        raise InputError("simulation", federation.protocol.name, f"cannot go on: {error}") from None
