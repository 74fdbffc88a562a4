"""Implement `simulate --system`: simulate another bandit algorithm ("system") in the same environment, with the same
output."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from fedigw.competing import Competition, compete, world_of
from fedigw.federation import Federation
from fedigw.game import StepWorld
from fedigw.parts import named, systems
from verify.recorded import undecided
from verify.verbs.simulate.summary import guaranteed_interval, measured

NOT_USED = ("policy", "protocol", "learning_rate", "data", "delta", "regularisation", "accuracy", "ties")


def system_of(table: dict[str, Any]) -> Any:
    """Remove the key `system` from an instance file's keys and return the algorithm that it names, None for FedIGW."""
    given = table.pop("system", None)
    return None if given is None else named("system", given, systems())


def notes_of(table: Mapping[str, Any]) -> list[str]:
    """Return a note that lists the given keys which algorithms other than FedIGW ignore; [] if there are none."""
    found = [key for key in NOT_USED if key in table]
    if table.get("schedule") in ("interleaved", "parallel"):
        found.append("schedule")
    return [f"not used, as they are FedIGW's: {', '.join(found)}"] if found else []


def _largest_gaps(world: StepWorld) -> list[float]:
    """Return, for each agent, the largest difference of two arms' scores in a context, or 1 if its contexts are
    infinitely many."""
    features = [world.features_of(agent) for agent in range(len(world.agents))]
    means = [None if f is None else f @ world.truth(m) for m, f in enumerate(features)]
    return [1.0 if f is None else float((f.max(axis=-1) - f.min(axis=-1)).max()) for f in means]


def _own_bound(system: Any, found: Competition, federation: Federation) -> dict[str, Any] | None:
    value = system.regret_at_most(found.sizes) if world_of(system, federation).generalised is None else None
    if value is None:
        return None
    total = found.record.total_regret
    most = float(sum(sum(row) for row in found.record.played))
    mean, least = float(total.mean()), guaranteed_interval(total, (0.0, most))[0]
    row = {"variant": "own", "value": float(value), "trivial": most, "vacuous": float(value) >= most}
    row |= {"factor": value / mean if mean > 0 else None, "claims": [], "violated": bool(least > value)}
    row |= undecided(f"declared by {system.name}, no check bears on it").fields
    return row | {"variants": [dict(row)]}


def competition_document(
    federation: Federation, system: Any, replications: int, seed: int, notes: Sequence[str] = ()
) -> tuple[dict[str, Any], Competition]:
    """Return what `simulate --system --json` prints, and the simulations. The key `event` says in how many of them the
    event occurred under which the system's regret bound is proved. notes: sentences to include."""
    found = compete(system, federation, replications, seed)
    record = found.record
    gaps = _largest_gaps(world_of(system, federation))
    most = sum(row[m] * gap for m, gap in enumerate(gaps) for row in record.played)
    sent = record.total_traffic("numbers_up") + record.total_traffic("numbers_down")
    allowed = float(system.numbers_at_most(found.sizes))
    regret = _own_bound(system, found, federation)
    order = f"its paper proves the order {system.regret_order}, up to logarithms, without constants"
    proved = order if system.regret_order else "its file states no bound on the regret"
    document = measured(record, (0.0, most)) | {
        **dict.fromkeys(("policy", "lower", "observed", "privacy", "event")),
        "system": system.name,
        "protocol": system.name,
        "liars": [],
        "notes": list(notes),
        "remarks": [],
        "trivial": float(sum(sum(row) for row in record.played)),
        "bounds": {
            **dict.fromkeys(("calls", "rounds")),
            "regret": regret,
            "numbers": {
                "value": allowed,
                "measured": float(np.max(sent)),
                **undecided("derived in the head of its file").fields,
                "counted": "messages",
                "violated": bool(np.any(sent > allowed)),
            },
        },
        "no_bound": [f"{system.name} ({system.paper}) is not FedIGW; {proved}"] * (not regret),
        "violated": [],
    }
    if system.event is not None:
        kept = {"kept": int(found.kept.sum()), "of": int(found.kept.size)}
        document["event"] = {"said": system.event, **kept}
    return document, found
