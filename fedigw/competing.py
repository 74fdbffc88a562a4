"""Play a rival algorithm (called a system) on the world of a federation, and record it like a run of FedIGW."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from bounds.errors import InputError
from fedigw.channel import MessageError
from fedigw.federation import Federation, keys_of
from fedigw.game import Game, Sizes, StepWorld, System, Table
from fedigw.maxima import refuse_larger
from fedigw.progress import turns
from fedigw.record import RunRecord
from fedigw.replications import Seed

CHUNK_NUMBERS = 2_000_000  # replications x agents x d^2 held at once


@dataclass(frozen=True)
class Competition:
    """The result of a rival algorithm in R replications. kept: (R,), whether the event occurred that its paper proves
    with high probability; shape (0,) if the paper proves none. sizes: numbers of agents, arms, steps and so on."""

    record: RunRecord
    kept: np.ndarray
    sizes: Sizes


def compete(system: System, federation: Federation, replications: int, seed: Seed) -> Competition:
    """Play replications of a rival algorithm on the federation's world, with the same numbers of steps and the same
    link between agents and server."""
    world, sizes = world_of(system, federation), sizes_of(system, federation)
    refuse(system, world)
    refuse_larger("rival", sizes.times or sizes.horizon, "horizon")
    if federation.link.participants is not None:
        said = "the rival systems decide by themselves who speaks when"
        raise InputError("link.participants", federation.link.participants, said)
    if federation.privacy is not None:
        raise InputError("privacy", system.name, "is asked of FedIGW's protocols: no rival system keeps it")
    if federation.link.encoder.hides:
        said = "hides single messages, and the rival systems read them"
        raise InputError("link.encoder", federation.link.encoder.name, said)
    ends, acting = times_of(federation)
    sequence = seed if isinstance(seed, np.random.SeedSequence) else np.random.SeedSequence(seed)
    # replications that are played at once
    most = 1 if system.alone else max(1, CHUNK_NUMBERS // (sizes.agents * system.widest(sizes) ** 2))
    groups = [min(most, replications - start) for start in range(0, replications, most)]
    rows, kept = [], []
    for size in turns(groups, len(groups), "parts of the replications"):
        rng = np.random.default_rng(sequence.spawn(1)[0])
        game = Game(world, sizes, ends, size, rng, federation.link, acting, federation.arms)
        try:
            kept.append(system.play(game))
        except (MessageError, np.linalg.LinAlgError) as error:
            raise InputError("simulation", system.name, f"cannot go on: {error}") from None
        rows.append((size, *game.finish()))
    entropy: Any = sequence.entropy
    done = sum(size for size, _, _, _ in rows)  # fewer than asked for after Ctrl-C
    per_agent = sum(size / done * by_agent for size, _, _, by_agent in rows)
    record = RunRecord(
        describe=lambda: federation.describe() | {"system": keys_of(system)},
        protocol=system.name,
        seed=entropy if isinstance(entropy, int) else 0,
        full=federation.plan.played,
        played=federation.plan.played,
        learning_rates=(0.0,) * len(ends),
        regret=np.concatenate([row[1] for row in rows]),
        traffic=np.concatenate([row[2] for row in rows]),
        models=tuple((None,) * len(ends) for _ in range(done)),
        per_agent=tuple(float(value) for value in np.asarray(per_agent)),
    )
    return Competition(record, np.concatenate(kept), sizes)


def world_of(system: System, federation: Federation) -> StepWorld:
    """Return the federation's world in the form that the rival algorithm plays on. A finite class with one context
    becomes arms with given means. For algorithms that learn one parameter, partly shared parameters are joined to one.
    """
    found = federation.world.in_steps()
    if not system.tabular and (found is None or isinstance(found, Table)):
        said = f"{system.name} learns a parameter: it plays on linear worlds"
        raise InputError("kind", federation.kind, said)
    if found is None:
        raise InputError(
            "kind", federation.kind, f"{system.name} needs one context and the same arms for everybody"
        )
    return found.in_coordinates(ONE in system.needs)


def sizes_of(system: System, federation: Federation) -> Sizes:
    """Return the numbers of agents, arms, coordinates and steps. Raise InputError if agents act at different times and
    the rival algorithm cannot play so."""
    played, world = federation.plan.played, world_of(system, federation)
    steps = [sum(row[m] for row in played) for m in range(len(federation.arms))]
    if federation.timing is None and any(len(set(row)) > 1 for row in played):
        said = "a rival needs clocks: lengths do not say who acts when"
        raise InputError("schedule", "different lengths", said)
    timing = federation.timing
    apart = timing is not None and any(steps_of < timing.horizon for steps_of in steps)
    if apart and not system.clocks:
        raise InputError("clock", system.name, "all its agents act in step: its rounds are of all of them")
    dimension, shared = world.widths
    times = None if timing is None else timing.horizon
    most = (max(federation.arms), dimension, max(steps), shared)
    return Sizes(len(steps), *most, sum(steps), times, world.generalised)


def times_of(federation: Federation) -> tuple[np.ndarray, np.ndarray | None]:
    """Return the steps after which epochs end, and an array (T, M) that says which of the M agents act in each of the T
    steps; None in its place if all agents always act."""
    timing = federation.timing
    if timing is None:
        return np.cumsum([row[0] for row in federation.plan.played]), None
    T, M = timing.horizon, len(timing.clocks)
    ends = np.minimum(timing.ends, T)
    if all(sum(row[m] for row in federation.plan.played) == T for m in range(M)):
        return ends, None
    acting = np.empty((T, M), dtype=bool)
    for m, clock in enumerate(timing.clocks):
        counts = np.fromiter(map(clock.count, range(T + 1)), dtype=np.int64, count=T + 1)
        acting[:, m] = counts[1:] > counts[:-1]
    return ends, acting


def refuse(system: System, world: StepWorld) -> None:
    """Raise InputError if the world lacks a property that the rival algorithm, or its theory, needs."""
    if system.event is not None and world.generalised is not None and not system.links:
        said = "is for mean rewards that are linear in the features, and this world has another link"
        raise InputError("system", system.name, said)
    found = [world.features_of(agent) for agent in range(len(world.agents))]
    contexts = list({id(features): features for features in found if features is not None}.values())
    finite = all(features is not None for features in found)
    met: dict[str, Callable[[], bool]] = {
        ONE: lambda: world.widths[0] == world.widths[1],
        "fixed contexts": lambda: finite and all(len(features) == 1 for features in contexts),
        "same arms": lambda: finite and all(np.array_equal(features, contexts[0]) for features in contexts),
        "known law": lambda: finite and not world.heterogeneous,
    }
    for need in system.needs:
        if not met[need]():
            raise InputError("system", system.name, f"needs {NEEDS[need]}, which this world has not")


ONE = "one parameter"
NEEDS = {
    ONE: "one parameter (partly shared ones are joined to one)",
    "fixed contexts": "one fixed context for every agent",
    "same arms": "the same fixed arms for all agents",
    "known law": "finite contexts with one law that all agents know",
}
