"""A simulated environment with linear mean rewards: every agent's contexts, the true parameter and the law of rewards.

It is checked that features have norm at most 1, that the true parameter has at most the norm that the loss allows, and
that mean rewards lie in [0,1], for every agent, context and arm.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any, ClassVar, cast

import numpy as np

from bounds.errors import InputError
from fedigw.game import Met, StepWorld, met_by_agent
from fedigw.interfaces import Acting, Experience, Loss, Steps, World
from fedigw.rewards import Law, described
from linear.contexts.finite import FiniteContexts, Laws
from linear.contexts.sphere import SphereContexts
from linear.ridge import RidgeData

ROUNDING = 1e-9  # what writing a number in decimals may add to a norm or a mean

MOST_AT_ONCE = 50_000  # probabilities of one chunk of laws, over all replications: half a megabyte

Contexts = FiniteContexts | SphereContexts


@dataclass(frozen=True, eq=False)
class LinearWorld(World, StepWorld):
    """A simulated environment whose mean rewards are linear in features, or a link function of a linear score. agents:
    the contexts of each. parameter: the true parameter (d,). rewards: the law of rewards."""

    agents: tuple[Contexts, ...]
    parameter: np.ndarray
    rewards: Law = "bernoulli"
    checked: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_parameter(self.parameter, radius=self.loss.radius)
        seen: set[int] = set()
        for m, contexts in enumerate(self.agents):
            if id(contexts) not in seen:  # agents that share one object share its check
                check_contexts(contexts, self.parameter, f"agents[{m}].")
                seen.add(id(contexts))

    @property
    def arms(self) -> tuple[int, ...]:
        return tuple(contexts.arms for contexts in self.agents)

    @property
    def dimension(self) -> int:
        return len(self.parameter)

    @property
    def loss(self) -> Loss:
        return self.agents[0].loss

    @property
    def generalised(self) -> Loss | None:
        return None if self.loss.quadratic else self.loss

    @property
    def heterogeneous(self) -> bool:
        return any(not same_law(self.agents[0], other) for other in self.agents[1:])

    @property
    def alike(self) -> bool:
        return not self.heterogeneous and len(set(self.arms)) == 1

    @property
    def finite(self) -> bool:
        return all(isinstance(contexts, FiniteContexts) for contexts in self.agents)

    @property
    def rests_on(self) -> tuple[tuple[str, str], ...]:
        return () if self.finite else (("col:linear", "continuous"),)

    @cached_property
    def streamed(self) -> bool:
        return all(isinstance(contexts, SphereContexts) for contexts in self.agents)

    @property
    def unit_box(self) -> bool:
        """Return whether the true parameter is in [0,1]^d and every parameter there predicts values in [0,1]."""
        inside = ((self.parameter >= 0) & (self.parameter <= 1)).all()
        return bool(inside) and all(contexts.of_shares for contexts in self.agents)

    @property
    def pools(self) -> bool:
        return (self.finite or self.streamed) and self.loss.quadratic

    @property
    def cells(self) -> int:
        if self.streamed:  # of one replication at a time
            return self.dimension**2
        return max(c.features.shape[0] * c.arms for c, _ in self.groups()) + self.dimension**2

    def truth(self, agent: int) -> np.ndarray:
        return self.parameter

    def groups(self) -> list[tuple[FiniteContexts, list[int]]]:
        """Return (contexts, agents) for each distinct contexts object and the agents that share it, in order of
        appearance."""
        return list(cast(dict[FiniteContexts, list[int]], self._members).items())

    @cached_property
    def _members(self) -> dict[Contexts, list[int]]:
        found: dict[Contexts, list[int]] = {}
        for m, contexts in enumerate(self.agents):
            found.setdefault(contexts, []).append(m)
        return found

    def play(self, agent: int, act: Acting, steps: Steps, rng: np.random.Generator) -> Experience:
        return self.agents[agent].play(act, steps, self.truth(agent), self.rewards, rng)

    def play_each(
        self, acts: Sequence[Acting], steps: Sequence[Steps], rng: np.random.Generator
    ) -> list[Experience]:
        truths = [self.truth(m) for m in range(len(acts))]
        alike: dict[tuple[Any, ...], list[int]] = {}
        for m, act in enumerate(acts):
            alike.setdefault((self.agents[m], id(truths[m]), id(act.parameters)), []).append(m)
        found: dict[int, Experience] = {}
        for (contexts, *_), members in alike.items():
            first, own = members[0], [steps[m] for m in members]
            experiences = contexts.play_each(acts[first], own, truths[first], self.rewards, rng)
            found.update(zip(members, experiences, strict=True))
        return [found[m] for m in range(len(acts))]

    def features_of(self, agent: int) -> np.ndarray | None:
        contexts = self.agents[agent]
        return contexts.features if isinstance(contexts, FiniteContexts) else None

    def in_steps(self) -> LinearWorld:
        return self

    def meet(self, replications: int, steps: int, rng: np.random.Generator) -> Met:
        shape = (replications, steps)
        return met_by_agent([c.meet(shape, self.truth(m), rng) for m, c in enumerate(self.agents)])

    @property
    def widths(self) -> tuple[int, int]:
        return self.dimension, self.dimension

    def play_together(
        self,
        act: Acting,
        full: Sequence[int],
        played: Sequence[int],
        rng: np.random.Generator,
        learns: bool,
    ) -> Experience:
        if self.streamed:
            return self._stream(act, full, played, rng, learns)
        regret, by_agent = np.zeros(len(act.parameters)), np.zeros(len(played))
        d = self.dimension
        gram, moment = np.zeros((len(regret), d, d)), np.zeros((len(regret), d))
        for contexts, laws in self._together(len(regret)):
            probabilities = act(contexts.features)
            lost = contexts.regret_rates(probabilities, self.parameter)
            counted = np.array([sum(played[m] for m in members) for members in laws])
            regret += lost @ counted
            mean = lost.mean(axis=0)
            for rate, members in zip(mean, laws, strict=True):
                by_agent[members] = [played[m] * rate for m in members]
            if learns:
                steps = np.array([sum(full[m] for m in members) for members in laws])
                more = contexts.draw_laws(probabilities, steps, self.parameter, self.rewards, rng)
                gram += more[0]
                moment += more[1]
        data = RidgeData(sum(full), gram, moment) if learns else None
        return Experience(data, regret, by_agent)

    def _stream(
        self, act: Acting, full: Sequence[int], played: Sequence[int], rng: np.random.Generator, learns: bool
    ) -> Experience:
        runs, d = len(act.parameters), self.dimension
        regret, by_agent = np.zeros(runs), np.zeros(len(played))
        gram, moment = np.zeros((runs, d, d)), np.zeros((runs, d))
        steps = full if learns else played
        for r in range(runs):
            rate = act.rate[r].item() if np.ndim(act.rate) else act.rate
            own = Acting(act.model, act.parameters[r], act.policy, rate)
            for contexts, members in cast(dict[SphereContexts, list[int]], self._members).items():
                theirs = [steps[m] for m in members], [played[m] for m in members]
                found = contexts.stream(own, *theirs, self.parameter, self.rewards, rng)
                gram[r] += found.gram[0]
                moment[r] += found.moment[0]
                by_agent[members] += found.lost / runs
                regret[r] += found.lost.sum()
        return Experience(RidgeData(sum(full), gram, moment) if learns else None, regret, by_agent)

    def _together(self, replications: int) -> Iterator[tuple[Laws, list[list[int]]]]:
        for (contexts, arms), alike in groupby(self.groups(), lambda group: group[0].features.shape[:2]):
            row, together = list(alike), max(1, MOST_AT_ONCE // (replications * contexts * arms))
            for start in range(0, len(row), together):
                part = row[start : start + together]
                yield Laws.of([law for law, _ in part]), [members for _, members in part]

    def excess_risk(
        self, act: Callable[[int], Acting], learned: Callable[[int], np.ndarray], full: Sequence[int]
    ) -> np.ndarray | None:
        if not self.finite:
            return None
        total: Any = 0.0
        for contexts, members in self.groups():
            for alike in _alike(members, act, learned):
                first = alike[0]
                share = sum(full[m] for m in alike) / sum(full)
                acting = act(first)
                predicted = acting.model.scores(learned(first), contexts.features)
                error = predicted - contexts.means(self.truth(first))
                total = total + share * contexts.excess_risk(acting(contexts.features), error)
        return np.asarray(total)

    range_rule = (
        "from epoch 2 on every step may be the worst arm: a linear estimate is not clipped, so no arm has a probability"
        " that is known beforehand to be positive"
    )

    def epoch_regret_range(self, federation: Any) -> list[tuple[float, float]]:
        found = []
        for segment in federation.plan.segments:
            if segment.uses is None and self.finite:
                lost = 0.0
                for contexts, members in self.groups():
                    uniform = np.full(contexts.features.shape[:-1], 1 / contexts.arms)
                    rate = contexts.regret_rate(uniform, self.truth(members[0]))
                    lost += sum(segment.played[m] for m in members) * float(rate)
                found.append((lost, lost))
            else:
                found.append((0.0, float(sum(self.largest_losses(segment.played)))))
        return found

    def largest_losses(self, played: Sequence[int]) -> list[float]:
        rates: dict[int, float] = {}
        for m, contexts in enumerate(self.agents):
            if id(contexts) not in rates:
                rates[id(contexts)] = contexts.largest_regret_rate(self.truth(m))
        return [steps * rates[id(self.agents[m])] for m, steps in enumerate(played)]

    def describe(self) -> dict[str, Any]:
        # an engine other than the default changes the stream of random numbers
        used = {c.engine for c in self.agents if isinstance(c, SphereContexts)} - {"plane"}
        return {
            "parameter": self.parameter.tolist(),
            "rewards": described(self.rewards),
            "agents": [contexts.describe() for contexts in self.agents],
        } | ({"engine": used.pop()} if used else {})


def _alike(
    members: list[int], act: Callable[[int], Acting], learned: Callable[[int], np.ndarray]
) -> list[list[int]]:
    first = members[0]
    same = all(act(m).parameters is act(first).parameters and learned(m) is learned(first) for m in members)
    return [members] if same else [[m] for m in members]


def same_law(one: Contexts, other: Contexts) -> bool:
    if one is other:
        return True
    if isinstance(one, FiniteContexts) and isinstance(other, FiniteContexts):
        return np.array_equal(one.features, other.features) and np.array_equal(one.law, other.law)
    return one == other if isinstance(one, SphereContexts) and isinstance(other, SphereContexts) else False


def check_parameter(parameter: np.ndarray, field: str = "parameter", radius: float = 1.0) -> None:
    if parameter.ndim != 1 or not len(parameter):
        raise InputError(field, f"shape {parameter.shape}", "must be a vector of d numbers")
    if not np.isfinite(parameter).all():
        raise InputError(field, parameter.tolist(), "must be finite numbers")
    norm = float(np.linalg.norm(parameter))
    if norm > radius + ROUNDING:
        allowed = "must lie in the unit ball" if radius == 1 else f"must have a norm of at most {radius:g}"
        raise InputError(field, f"norm {norm:.10g}", allowed)


def check_contexts(contexts: Contexts, parameter: np.ndarray, where: str) -> None:
    """Raise InputError unless one agent's features lie in the unit ball and its mean rewards, at the true `parameter`,
    in [0,1]. The error names context and arm of the first violation. where: the agent's place in the file."""
    if contexts.dimension != len(parameter):
        raise InputError(
            where + "features",
            f"dimension {contexts.dimension}",
            f"must be the parameter's, {len(parameter)}",
        )
    if contexts.arms < 1:
        raise InputError(where + "arms", contexts.arms, "must be a positive integer")
    if isinstance(contexts, SphereContexts):
        _check_sphere(contexts, parameter, where)
        return
    features = contexts.features
    if contexts.law.shape != (len(features),) or (contexts.law < 0).any():
        raise InputError(where + "contexts", f"shape {contexts.law.shape}", "one probability per context")
    if abs(contexts.law.sum() - 1) > ROUNDING:
        raise InputError(where + "contexts", f"sum {contexts.law.sum():.10g}", "probabilities must sum to 1")
    norms, means = np.linalg.norm(features, axis=2), contexts.means(parameter)
    mean = "phi'parameter" if contexts.loss.quadratic else "link(phi'parameter)"
    for values, low, allowed in (
        (norms, 0.0, "must lie in the unit ball: norm at most 1"),
        (means, 0.0, f"the mean reward {mean} must lie in [0,1]"),
    ):
        bad = ~((values >= low - ROUNDING) & (values <= 1 + ROUNDING))  # NaN is bad too
        if bad.any():
            x, a = (int(i) for i in np.argwhere(bad)[0])
            raise InputError(f"{where}features[{x}][{a}]", f"{values[x, a]:.10g}", allowed)


def _check_sphere(contexts: SphereContexts, parameter: np.ndarray, where: str) -> None:
    sphere = type(contexts) is SphereContexts
    if sphere and len(parameter) < 2:
        raise InputError(where + "contexts", "sphere", "needs a parameter of dimension at least 2")
    low, high = contexts.means_between(parameter)
    if low >= -ROUNDING and high <= 1 + ROUNDING:
        return
    if not (contexts.loss.quadratic and sphere):
        raise InputError("parameter", f"mean rewards {low:.6g} to {high:.6g}", "they must lie in [0,1]")
    intercept, slope = float(parameter[0]), float(np.linalg.norm(parameter[1:]))
    raise InputError(
        "parameter",
        f"intercept {intercept:.6g}, slope {slope:.6g}",
        "with sphere contexts mean rewards lie in [0,1] only if norm(slope) <= intercept <= sqrt2 - norm(slope)",
    )
