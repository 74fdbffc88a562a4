"""results.json: the whole campaign as data. Same seed, same bytes; timings are kept elsewhere."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fedigw.record import canonical, replace_text
from verify.campaign import FAMILY_LEVEL, Settings
from verify.judgement import Judgement
from verify.outcome import Outcome, claims_of, outcome_json
from verify.provenance import VERSION, code_digest
from verify.verdict import Verdict

SCHEMA = 1
RESULTS = "results.json"
TIMINGS = "timings.json"


def results(
    outcomes: Sequence[Outcome], judgements: Sequence[Judgement], settings: Settings
) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "version": VERSION,
        "code": code_digest(),
        "profile": settings.profile,
        "seed": settings.seed,
        "family_level": FAMILY_LEVEL,
        "summary": summary(judgements),
        "claims": [
            {
                "label": claim.label,
                "title": claim.title,
                "section": claim.section,
                "statement": claim.statement,
                "variants": [_variant(j) for j in judgements if j.claim == claim.label],
                "depends": list(claim.depends),
                "errata": list(claim.errata),
            }
            for claim in claims_of(outcomes)
        ],
    }


def summary(judgements: Sequence[Judgement]) -> dict[str, Any]:
    controls = [o for j in judgements for o in j.outcomes]
    return {
        "verdicts": {str(v): sum(j.verdict is v for j in judgements) for v in Verdict},
        "expectations_met": sum(j.met for j in judgements),
        "expectations": len(judgements),
        "controls_told_apart": sum(o.control_ok for o in controls),
        "controls": len(controls),
    }


def _variant(judgement: Judgement) -> dict[str, Any]:
    return {
        "variant": judgement.variant,
        "verdict": str(judgement.verdict),
        "expects": str(judgement.expects),
        "met": judgement.met,
        "problems": list(judgement.problems),
        "checks": [outcome_json(o) | {"control_ok": o.control_ok} for o in judgement.outcomes],
    }


def write(folder: Path, document: dict[str, Any]) -> Path:
    path = folder / RESULTS
    replace_text(path, canonical(document) + "\n")
    return path


def write_timings(folder: Path, seconds: dict[str, float]) -> None:
    """Seconds by unit, those of earlier parts of the campaign kept. Not in the results: they always differ."""
    path = folder / TIMINGS
    try:
        known = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        known = {}
    replace_text(path, json.dumps((known if isinstance(known, dict) else {}) | seconds, indent=1) + "\n")
