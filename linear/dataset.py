"""Read a file with kind = "dataset": the given data of one call of a federated-learning protocol.

loss = "squared"                                     # or "logistic", as in instance files
regularisation = 1.0                                 # n times the weight on the squared norm, for n samples
[[agents]]
features = [[0.6, 0.8], [1, 0]]                      # n_m x d
rewards = [1, 0.5]                                   # n_m
[link]                                               # optional, as in instance files
[privacy]                                            # optional: epsilon, delta, earlier_calls on the same data
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from bounds.errors import InputError
from fedigw import instance_file
from fedigw.building import link_of, request_of
from fedigw.channel import Link
from fedigw.interfaces import FLProtocol, Setting
from fedigw.parts import named, protocols
from fedigw.privacy.ledger import Entry, Request, entry, insist
from linear.federations import KIND as LINEAR
from linear.federations import given_regularisation, loss_of, numbers, positive_number
from linear.generalised import GeneralisedLinear, GeneralisedProblem, generalised
from linear.model import LinearModel, Ridge
from linear.problem import EstimateProblem
from linear.quadratics import Samples
from linear.ridge import RidgeData, RidgeProblem, in_unit_ball

KEYS = ("kind", "loss", "regularisation", "accuracy", "protocol", "link", "attack", "privacy", "agents")


@dataclass(frozen=True)
class Dataset:
    """The contents of a file with kind = "dataset": the samples of every agent, the protocol that learns from them, the
    link between agents and server, and privacy limits."""

    agents: tuple[RidgeData, ...]
    model: LinearModel
    protocol: FLProtocol
    link: Link
    privacy: Request | None = None

    def private(self) -> Entry | None:
        """Return the differential privacy that is spent on these data, by this call of the protocol and by the earlier
        calls that the file declares. None for a protocol without noise."""
        calls = 1 + (self.privacy.earlier_calls if self.privacy is not None else 0)
        samples = sum(data.count for data in self.agents)
        setting = Setting(self.model, len(self.agents))
        return entry(self.protocol, self.link, setting, [(samples, (0,))] * calls, self._outside())

    def _outside(self) -> str:
        if not all(in_unit_ball(data) for data in self.agents):
            return "some norm(phi) > 1: sensitivities are for features in the unit ball"
        rewards = np.concatenate([data.samples.rewards for data in self.agents if data.samples is not None])
        return "" if rewards.min() >= 0 and rewards.max() <= 1 else "some reward is outside [0,1]"

    @property
    def setting(self) -> Setting:
        equal = len({data.count for data in self.agents}) == 1
        return Setting(self.model, len(self.agents), equal, self.link)

    def problem(self, reported: bool = False) -> EstimateProblem:
        """Return the learning problem of these data. reported: whether lying agents report false data."""
        attack = self.link.attack if reported and self.link.attack and self.link.attack.falsifies else None
        liars = self.link.liars
        told = [attack.falsify(data) if attack and m in liars else data for m, data in enumerate(self.agents)]
        if isinstance(self.model, GeneralisedLinear):
            return GeneralisedProblem(told, 1, self.model, unit_ball=False)
        samples = sum(data.count for data in self.agents)
        known = (self.model.regularisation, self.model.risk(samples), self.model.tolerance)
        return RidgeProblem(told, 1, *known, unit_ball=False)


def parse(table: Mapping[str, Any]) -> Dataset:
    """Return the dataset, protocol and link that the parsed contents of a file describe. Raise InputError, which names
    the first wrong key."""
    instance_file.refuse_unknown(table, KEYS)
    tables = instance_file.array(instance_file.required(table, "agents"), "agents", "one table per agent")
    agents = [_agent(agent, m) for m, agent in enumerate(tables)]
    for m, data in enumerate(agents):
        if len(data.moment) != len(agents[0].moment):
            raise InputError(
                f"agents[{m}].features",
                f"dimension {len(data.moment)}",
                f"must be that of agent 0, {len(agents[0].moment)}",
            )
    lam, loss = given_regularisation(table), loss_of(table.get("loss", "squared"))
    tolerance = positive_number(table, "accuracy", 0.1, "must be a positive number")
    # nothing is known of how the data were drawn, so their laws may differ
    d, several = len(agents[0].moment), len(agents) > 1
    model: LinearModel = Ridge(d, 1.0 if lam is None else lam, tolerance, several)
    if not loss.quadratic:
        for m, data in enumerate(agents):
            rewards = data.samples.rewards if data.samples is not None else np.zeros(0)
            outside = rewards[(rewards < 0) | (rewards > 1)]
            if len(outside):
                said = f"must lie in [0,1] with the {loss.name} loss"
                raise InputError(f"agents[{m}].rewards", float(outside[0]), said)
        model = generalised(d, loss, lam, tolerance, several)
    known = protocols(LINEAR.protocols)
    chosen = named("protocol", table.get("protocol", model.usual_protocol), known)
    for need in chosen.needs:
        if not model.offers(need):
            said = f"needs {need}, which {model.words('linear')} do not offer"
            raise InputError("protocol", chosen.name, said)
    link = link_of(table.get("link", {}), len(agents), table.get("attack"))
    link.check(len(agents))
    chosen.check_link(link, len(agents))
    request = request_of(table)
    predicting = model.predicting(chosen.clips)
    assert isinstance(predicting, LinearModel)
    found = Dataset(tuple(agents), predicting, chosen, link, request)
    if request is not None:
        insist(request, found.private(), chosen)
    chosen.check(found.setting)
    return found


def _agent(table: Any, m: int) -> RidgeData:
    where = f"agents[{m}]."
    if not isinstance(table, dict):
        raise InputError(f"agents[{m}]", table, "must be a table")
    instance_file.refuse_unknown(table, ("features", "rewards"), where)
    for key in ("features", "rewards"):
        if instance_file.required(table, key, where) == []:
            raise InputError(where + key, "[]", "every agent needs data")
    features = numbers(table["features"], where + "features", 2)
    rewards = numbers(table["rewards"], where + "rewards", 1)
    if len(rewards) != len(features):
        raise InputError(
            where + "rewards", f"{len(rewards)} numbers", f"must be one per row, {len(features)}"
        )
    if max(np.abs(features).max(), np.abs(rewards).max()) > 1e100:
        raise InputError(
            where + "features", "a number above 1e100", "must be numbers whose squares are finite"
        )
    samples = Samples(features, rewards, np.ones(len(rewards), dtype=np.int64))
    return RidgeData(len(rewards), features.T @ features, features.T @ rewards, samples)
