"""Define a federation: its world, model, policy, learning rates, protocol, link to the server and epoch lengths."""

from __future__ import annotations

from dataclasses import Field, dataclass, field, fields, replace
from functools import cached_property
from typing import Any

from bounds.errors import InputError
from bounds.schedules import EpochPlan, Segment
from fedigw.certificate import Certificate
from fedigw.channel import Link
from fedigw.interfaces import (
    FLProtocol,
    Guarantee,
    Model,
    Part,
    Policy,
    PrivateProtocol,
    Rates,
    Setting,
    World,
    require,
)
from fedigw.policies.igw import InverseGapWeighting
from fedigw.privacy import ledger
from fedigw.rates import rates_of
from fedigw.timing import Timing


@dataclass(frozen=True, eq=False)
class Federation:
    """Everything that defines a simulation of FedIGW. Two federations are equal if they have the same epoch lengths and
    the same description as an instance file.

    kind       the kind of the world ("finite_class", "linear", ...)
    plan       the epoch lengths of all agents
    rational   whether learning rates and probabilities are exact rationals
    timing     the global times and clocks from which `plan` follows, if agents have clocks
    privacy    the privacy limits that the simulation must meet
    stop       a rule by which a call of the protocol may end early
    """

    kind: str
    world: World
    model: Model
    plan: EpochPlan
    rates: Rates
    protocol: FLProtocol
    policy: Policy = field(default_factory=InverseGapWeighting)
    link: Link = field(default_factory=Link)
    rational: bool = False
    timing: Timing | None = None
    privacy: ledger.Request | None = None
    stop: Certificate | None = None

    def __post_init__(self) -> None:
        """Raise InputError for a combination of parts that cannot work, before anything is simulated."""
        parts = {"world": World, "model": Model, "policy": Policy, "rates": Rates, "protocol": FLProtocol}
        for key, base in parts.items():
            require(key, vars(self)[key], base)
        object.__setattr__(self, "model", self.model.serving(self.protocol.needs))
        if self.plan.cumulative and not self.model.accumulates:
            said = f"{self.kind} models learn from the data of one epoch"
            raise InputError("data", "cumulative", said)
        if self.plan.cumulative and (self.privacy is not None or isinstance(self.protocol, PrivateProtocol)):
            raise InputError(
                "data", "cumulative", "uses a sample in many calls, which no privacy ledger here counts"
            )
        if "widths" in self.policy.needs and not self.model.gives_widths:
            raise InputError(
                "policy", self.policy.name, f"needs widths, which {self.kind} models do not have"
            )
        if "widths" in self.policy.needs and not self.protocol.widths:
            said = f"needs widths, which protocol {self.protocol.name} does not send"
            allowed = f"{said}; take one that does, such as direct_covariance"
            raise InputError("policy", self.policy.name, allowed)
        for need in self.protocol.needs:
            if not self.model.offers(need):
                raise InputError(
                    "protocol",
                    self.protocol.name,
                    f"needs {need}, which {self.model.words(self.kind)} do not offer",
                )
        self.rates.check(self.policy)
        object.__setattr__(self, "model", self.model.predicting(self.protocol.clips))
        if self.privacy is not None:
            if self.privacy.earlier_calls:
                raise InputError(
                    "privacy.earlier_calls", self.privacy.earlier_calls, "is for data files (fit)"
                )
            ledger.insist(self.privacy, ledger.of_federation(self), self.protocol)
        self.link.check(len(self.arms))
        self.protocol.check_link(self.link, len(self.arms))
        self.protocol.check(self.setting)
        if self.stop is not None:
            self.stop.check(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Federation):
            return NotImplemented
        return self.plan == other.plan and self.describe() == other.describe()

    __hash__ = object.__hash__

    @property
    def arms(self) -> tuple[int, ...]:
        return tuple(self.world.arms)

    def guarantee(self) -> Guarantee | None:
        """Return the guarantee of the protocol's calls, or that of the stopping rule `stop` if one is set; None if
        there is none. Hypotheses that the model does not satisfy are added to its field `missing`."""
        setting = self.setting
        found = self.stop.guarantee(self.protocol, setting) if self.stop else self.protocol.guarantee(setting)
        lacks = () if found is None else self.model.unmet(found)
        return replace(found, missing=(*found.missing, *lacks)) if found and lacks else found

    @property
    def setting(self) -> Setting:
        equal = all(len(set(row)) == 1 for row in self.plan.full)
        return Setting(self.model, len(self.arms), equal, self.link, self.plan)

    @property
    def honest(self) -> tuple[int, ...]:
        """Return the indices of the agents that do not lie, whose regret is counted."""
        return tuple(m for m in range(len(self.arms)) if m not in self.link.liars)

    def risks(self, variant: str = "sharpened") -> tuple[float, ...]:
        """Return, for each epoch, the proved mean excess risk of the model learned from it. variant: which of the
        proved bounds to use, such as "sharpened" or "best"."""
        promised = self.guarantee()
        if promised is None:
            raise InputError("protocol", self.protocol.name, "has no guarantee")
        return tuple(promised.risk(variant, self.plan.taught(epoch)) for epoch in range(self.plan.epochs))

    def learning_rates(self) -> tuple[Any, ...]:
        """Return the policy's learning rate in every epoch."""
        return self._learning_rates

    @cached_property
    def _learning_rates(self) -> tuple[Any, ...]:
        return self.rates.of(*self.in_theory, self.guarantee(), self.rational)

    @property
    def in_theory(self) -> tuple[EpochPlan, tuple[int, ...]]:
        """Return the epoch lengths and the numbers of arms with which regret theorems are evaluated. If agents are
        absent from some epochs, but all are alike, these are those of a single agent that plays all steps (own:absent).
        """
        if self.plan.absent is None or not self.world.alike or self.link.liars:
            return self.plan, self.arms
        return self.plan.merged, self.arms[:1]

    def policy_in(self, segment: Segment) -> Policy:
        """Return the policy used in an epoch. Before a model is learned this is inverse gap weighting on equal scores,
        that is uniform play."""
        return self.policy if segment.uses is not None else InverseGapWeighting()

    def with_plan(self, plan: EpochPlan) -> Federation:
        return replace(self, plan=plan, timing=None)

    def with_rates(self, learning_rate: Any) -> Federation:
        """Return a copy of the federation with other learning rates: a rule's name, a number or a list."""
        return replace(self, rates=rates_of(learning_rate, self.rational))

    def describe(self) -> dict[str, Any]:
        """Return the federation as a JSON object with the keys of an instance file, without default values."""
        own = self.world.describe()
        agents = own.pop("agents", [])
        described = {
            "kind": self.kind,
            "horizon": max(sum(row[m] for row in self.plan.played) for m in range(len(self.arms))),
            **own,
            **({} if "environment" in own else self.model.settings()),
            **_of_protocol(self.protocol, self.model.usual_protocol),
            "learning_rate": self.rates.describe(),
        }
        if "environment" not in own:
            described["agents"] = [agent | self._times(m) for m, agent in enumerate(agents)]
        if self.timing is not None:
            described |= {"horizon": self.timing.horizon, "schedule": list(self.timing.ends)}
        elif self.plan.lag == 2:
            described["schedule"] = "parallel" if self.plan.cumulative else "interleaved"
        if self.plan.cumulative and self.plan.lag == 1:
            described["data"] = "cumulative"
        if self.privacy is not None:
            described["privacy"] = {"epsilon": self.privacy.epsilon, "delta": self.privacy.delta}
        if self.stop is not None:
            described["stop"] = keys_of(self.stop)
        if self.plan.floor > 1:
            described["floor"] = self.plan.floor
        if self.policy != InverseGapWeighting():
            described["policy"] = keys_of(self.policy)
        if self.link.attack is not None:
            described["attack"] = keys_of(self.link.attack)
        if replace(self.link, attack=None) != Link():
            described["link"] = {
                "encoder": keys_of(self.link.encoder),
                "aggregator": keys_of(self.link.aggregator),
            } | ({} if self.link.participants is None else {"participants": self.link.participants})
        return described

    def _times(self, agent: int) -> dict[str, Any]:
        if self.timing is not None:
            return {"clock": keys_of(self.timing.clocks[agent])}
        return {} if self.plan.lag == 2 else {"epochs": [row[agent] for row in self.plan.full]}


def keys_of(part: Part) -> dict[str, Any]:
    """Return a part of a federation as its table in an instance file: its name, and its fields that are not None."""
    found = {f.name: vars(part)[f.name] for f in fields_of(part)}
    name = part.from_file or part.name  # a user's own part is found again by its file
    return {"name": name} | {key: value for key, value in found.items() if value is not None}


def fields_of(part: Part | type[Part]) -> tuple[Field[Any], ...]:
    return fields(part)  # type: ignore[arg-type]


def _of_protocol(protocol: FLProtocol, usual: str) -> dict[str, Any]:
    own = protocol.settings()
    if protocol.name != usual:
        return {"protocol": keys_of(protocol)}
    changed = {f.name for f in fields_of(protocol) if vars(protocol)[f.name] != f.default} - set(own)
    return own | ({"protocol": keys_of(protocol)} if changed else {})
