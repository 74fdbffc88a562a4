"""results.json: the whole campaign as data. Same seed, same bytes; timings are kept elsewhere."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fedigw.record import canonical
from verify.campaign import FAMILY_LEVEL, Outcome, Settings, claims_of, outcome_json
from verify.judgement import Judgement
from verify.verdict import Verdict

SCHEMA = 1
VERSION = "0.1.0"


def results(
    outcomes: Sequence[Outcome], judgements: Sequence[Judgement], settings: Settings
) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "version": VERSION,
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
    path = folder / "results.json"
    temporary = path.with_name(f".results.{os.getpid()}.tmp")
    temporary.write_text(canonical(document) + "\n", encoding="utf-8")
    os.replace(temporary, path)
    return path
