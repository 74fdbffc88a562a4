"""simulate: replications of what a table describes, FedIGW's or a rival's, with the document that is printed."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fedigw.federation import Federation
from fedigw.record import RunRecord
from fedigw.replications import simulate
from verify.answers.rival_runs import competition_document, notes_of, system_of
from verify.answers.simulation import summarise
from verify.instances import parse


@dataclass(frozen=True, eq=False)
class Simulated:
    federation: Federation
    record: RunRecord
    document: dict[str, Any]


def simulated(table: Mapping[str, Any], replications: int, seed: int) -> Simulated:
    """Return the replications of what a table describes; InputError names what is wrong in the table."""
    own = copy.deepcopy(dict(table))
    system, notes = system_of(own), notes_of(own)
    federation = parse(own)
    if system is not None:
        document, competition = competition_document(federation, system, replications, seed, notes)
        return Simulated(federation, competition.record, document)
    record = simulate(federation, replications, seed, audit=True)
    return Simulated(federation, record, summarise(federation, record))
