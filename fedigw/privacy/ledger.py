"""Account for differential privacy: what a run of FedIGW, or one call of a protocol, spends, and the limits that it
must meet.

Neighbouring data differ in one sample, which is replaced. An observer sees all learned models. If agents add the noise
before sending, the observer may also be the server, who sees the messages. The epsilons of different epochs do not add
up, because FedIGW learns from every sample once: later epochs depend on it only through the model, which is already
private (app:epochs_do_not_compose). Those of several calls on the same data do add up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bounds.app_gaussian_mechanism import check
from bounds.errors import InputError
from fedigw.channel import Link
from fedigw.interfaces import FLProtocol, PrivateProtocol, Setting
from fedigw.privacy import spending

if TYPE_CHECKING:
    from fedigw.federation import Federation

PRIVATE = "noisy_statistics or noisy_gradients"
TRUST = {
    "central": "the server is trusted with the sums",
    "agent": "an agent's messages are private too",
    "local": "every sample is private before it is summed",
}


@dataclass(frozen=True)
class Request:
    """The limits that a run of FedIGW must meet: (epsilon, delta) differential privacy with at most these values.
    earlier_calls: how often the same protocol has been called on the same data before (data files only)."""

    epsilon: float
    delta: float
    earlier_calls: int = 0

    def __post_init__(self) -> None:
        check(self.epsilon, self.delta)
        if self.earlier_calls < 0:
            raise InputError("earlier_calls", self.earlier_calls, "must be a non-negative integer")


@dataclass(frozen=True)
class Entry:
    """The differential privacy that a run of FedIGW, or one call of a protocol, spends.

    epsilon, delta   of the whole run; None if they cannot be computed, and `missing` says why
    where            who adds the noise: "central" (the server), "agent" or "local"
    uses             the largest number of calls of the protocol that use one sample
    rounds           the number of noisy releases in a call
    """

    epsilon: float | None
    delta: float | None
    where: str | None
    uses: int
    rounds: int
    missing: tuple[str, ...] = field(default=())

    def json(self) -> dict[str, Any]:
        return {
            "epsilon": self.epsilon,
            "delta": self.delta,
            "where": self.where,
            "adjacency": "one sample (phi, r) replaced",
            "uses_of_a_sample": self.uses,
            "rounds_in_a_call": self.rounds,
            "missing": list(self.missing),
        }


def entry(
    protocol: FLProtocol,
    link: Link,
    setting: Setting,
    calls: Sequence[tuple[int, Sequence[int]]],
    outside: str = "",
) -> Entry | None:
    """Return the privacy that all these calls of a protocol spend together, or None for a protocol without noise.
    calls: for each call its number of samples, and the epochs whose data it uses. outside: if the noise was computed
    for a range that does not contain the data, a sentence that says so; else ""."""
    if not isinstance(protocol, PrivateProtocol):
        return None
    missing = [*unaccounted(protocol, link), *([outside] if outside else [])]
    if missing:
        return Entry(None, None, protocol.where, 0, 0, tuple(missing))
    per_call = [protocol.spends(setting, samples) for samples, _ in calls]
    used = [epochs for _, epochs in calls]
    # calls may differ in rounds, not in what they spend: the worst is taken all the same
    worst = max(per_call, key=lambda one: one.epsilon(protocol.delta), default=spending.Nothing())
    total, uses = spending.of_run(worst, used)
    rounds = max((one.rounds for one in per_call), default=0)
    return Entry(total.epsilon(protocol.delta), protocol.delta, protocol.where, uses, rounds)


def unaccounted(protocol: PrivateProtocol, link: Link) -> tuple[str, ...]:
    """Return, as phrases, why noise that the server adds does not give privacy over this link; () if it does. The
    server's noise is computed for exact sums of all messages. If agents add noise, it is in the messages before they
    are sent, and later processing does not reduce privacy."""
    if protocol.where != "central":
        return ()
    found = []
    if not link.encoder.lossless:
        found.append(f"the encoder {link.encoder.name} changes how far one sample moves the sum")
    if not link.aggregator.exact:
        found.append(
            f"the aggregator {link.aggregator.name} is no sum: how far one sample moves it is not known"
        )
    if link.attack is not None and link.attack.agents:
        found.append("lying agents see the others' messages before the server adds noise")
    return tuple(found)


def of_federation(federation: Federation) -> Entry | None:
    """Return the privacy that a run of this federation spends."""
    plan = federation.plan
    calls = [(sum(row), (epoch,)) for epoch, row in enumerate(plan.full) if plan.learns(epoch)]
    setting = Setting(federation.model, len(federation.arms))
    return entry(federation.protocol, federation.link, setting, calls)


def insist(request: Request, found: Entry | None, protocol: FLProtocol) -> None:
    """Raise InputError if the privacy that a run of FedIGW spends, `found`, is unknown or exceeds the limits."""
    if found is None:
        said = "adds no noise, so nothing is accounted for it"
        if protocol.keeps_variates:
            said = (
                "learns from earlier epochs' data again (kept control variates) and nothing accounts for it"
            )
        raise InputError("privacy", protocol.name, f"{said}; use {PRIVATE}")
    if found.epsilon is None or found.delta is None:
        raise InputError("privacy", protocol.name, f"cannot be accounted for: {found.missing[0]}")
    if found.delta > request.delta:
        raise InputError("privacy.delta", request.delta, f"the run has {found.delta:g}; ask for that or more")
    if found.epsilon > request.epsilon * (1 + 1e-12):
        more = f", {found.uses} calls on the same data" if found.uses > 1 else ""
        allowed = f"the run spends {found.epsilon:.6g} at delta = {found.delta:g}{more}; ask for that or more"
        raise InputError(
            "privacy.epsilon", request.epsilon, f"{allowed}, or give the protocol a smaller epsilon"
        )


def words(found: dict[str, Any]) -> str:
    """Return one line of text about the privacy that a run of FedIGW spends. found: the JSON form of an `Entry`."""
    if found["epsilon"] is None:
        return f"none accounted: {'; '.join(found['missing'])}"
    shown = f"epsilon {found['epsilon']:.6g}, delta {found['delta']:g} for the whole run ({found['where']}:"
    many = found["rounds_in_a_call"]
    rounds = f"; {many} noisy rounds of a call added up" if many > 1 else ""
    uses = found["uses_of_a_sample"]
    if uses > 1:
        tail = f"; {uses} calls use the same data, and they add up"
    else:
        tail = "; no sample is used by two calls, so calls do not add up" if uses else "; no call is made"
    return f"{shown} {TRUST[found['where']]}{rounds}{tail})"
