"""What the process of a user's check sends back: JSON, read as a stranger's word about one unit and nothing else."""

from __future__ import annotations

import json
import math
import tomllib
from typing import Any

from fedigw.instance_file import to_toml
from fedigw.record import canonical
from verify.campaign.outcome import outcome_json, outcome_of
from verify.campaign.units import Finished, Unit
from verify.catalogue import find
from verify.statistics.level import SHARE
from verify.verdict import Verdict

LONGEST = 16 << 20  # bytes of an answer
# Figures from which the report makes proofs, theorems of Coq and new worst instances.
RESERVED = {"proof", "theorem", "axioms", "same", "word", "coq", "sources", "new"}
TYPES: dict[str, tuple[type, ...]] = {
    "kind": (str,),
    "summary": (str,),
    "figures": (dict,),
    "vacuous": (bool,),
    "replay": (str, type(None)),
    "instance": (dict, type(None)),
    "level": (float, int, type(None)),
    "ran": (bool,),
}


def told(finished: Finished) -> bytes:
    """The answer, as the user's process sends it."""
    return canonical({"outcome": outcome_json(finished.outcome), "seconds": finished.seconds}).encode()


def accepted(answer: bytes, unit: Unit) -> Finished:
    """The answer, if it is one about this unit that its share of the level allows; ValueError or the like if not."""
    body = json.loads(answer)
    outcome, seconds = body["outcome"], body["seconds"]
    check = next(c for c in find(unit[0]).checks if c.name == unit[1])
    if (outcome["claim"], outcome["check"], outcome["variant"]) != (*unit, check.variant):
        raise ValueError(f"it speaks of {outcome['claim']!r:.60}")
    if not isinstance(outcome["failure"], (str, type(None))) or type(seconds) not in (float, int):
        raise TypeError("failure or seconds of another type")
    for finding in (outcome["evidence"], outcome["control"]):
        _refuse(finding, check.statistical)
    json.dumps(outcome, ensure_ascii=False).encode()  # half a surrogate pair cannot be written down
    found = outcome_of(json.loads(canonical(outcome)))  # nor can NaN
    return Finished(found, float(seconds) if math.isfinite(seconds) else 0.0)


def _refuse(finding: dict[str, Any], statistical: bool) -> None:
    for key, allowed in TYPES.items():
        if not isinstance(finding[key], allowed):
            raise TypeError(f"{key} = {finding[key]!r:.40}")
    if finding["kind"] == Verdict.KERNEL:
        raise ValueError("kernel is the word of Coq's kernel alone")
    ours = sorted(RESERVED & finding["figures"].keys())
    if ours:
        raise ValueError(f"figures called {ours[0]!r} are those of the paper's proofs; choose another name")
    if finding["instance"] is not None:
        tomllib.loads(to_toml(finding["instance"]))  # it will be an instance file
    level = finding["level"]
    if level is not None and not (statistical and 0 <= level <= SHARE * (1 + 1e-9)):
        share = f"{SHARE:.3g}, its share" if statistical else "none: the check is not declared statistical"
        raise ValueError(f"a level of {level!r:.20} is spent, and allowed is {share}")
