"""Write and read results.json: all results of a campaign of checks as data, without timings. The same seed on the same
system gives the same bytes."""

import json
import re
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from fedigw.record import canonical, read_json, replace_text
from verify import own_claims
from verify.campaign.derived import CHECK_NAME, LABEL, RESULTS, TIMINGS, bad
from verify.campaign.judgement import Judgement
from verify.campaign.outcome import Outcome, claims_of, outcome_json
from verify.campaign.provenance import VERSION, code_digest, made_with
from verify.campaign.units import Settings
from verify.claim import Claim, Verdict, is_part
from verify.description import LISTS, TEXTS
from verify.paper import BY_LABEL, NAME, VARIABLE, command
from verify.statistics.level import FAMILY_LEVEL, RULE, SHARE

SCHEMA = 3
VERSION_TEXT = re.compile(r"[ -~]+")
KINDS = {
    "thm": "theorem",
    "col": "corollary",
    "lem": "lemma",
    "rmk": "remark",
    "tab": "table",
    "fig": "figure",
    "alg": "algorithm",
    "own": "own result",
    "app": "appendage",
    "erratum": "erratum",
    "user": "user's claim",
}


def results(outcomes: Sequence[Outcome], judged: Sequence[Judgement], settings: Settings) -> dict[str, Any]:
    """Return the content of results.json for the outcomes of all checks, in the form that results.schema.json
    describes. Reports use nothing else."""
    return {
        "schema": SCHEMA,
        "paper": NAME,
        "version": VERSION,
        "code": code_digest(),
        "made_with": made_with(),
        "profile": settings.profile,
        "seed": settings.seed,
        **({"files": own_claims.files()} if settings.files else {}),
        "family_level": FAMILY_LEVEL,
        "level": {"family": FAMILY_LEVEL, "check": SHARE, "rule": RULE},
        "summary": summary(judged),
        "claims": [
            {key: getattr(claim, key) for key in TEXTS}
            | {key: list(getattr(claim, key)) for key in LISTS}
            | {
                "kind": _kind(claim),
                "erratum": None if claim.erratum is None else asdict(claim.erratum),
                "witness": list(witness(claim)),
                "variants": [_variant(claim, j) for j in judged if j.claim == claim.label],
            }
            for claim in claims_of(outcomes)
        ],
    }


def _kind(claim: Claim) -> str:
    if claim.erratum is not None and claim.erratum.remark:
        return "remark on the paper"
    kind = KINDS.get(claim.label.partition(":")[0])
    return kind or (BY_LABEL[claim.label].kind if claim.label in BY_LABEL else "claim")


def witness(claim: Claim) -> tuple[str, ...]:
    return claim.notes() if claim.erratum is not None and claim.notes is not None else ()


def checks_of(document: dict[str, Any]) -> list[dict[str, Any]]:
    return [c for claim in document["claims"] for v in claim["variants"] for c in v["checks"]]


def summary(judgements: Sequence[Judgement]) -> dict[str, Any]:
    outcomes = [o for j in judgements for o in j.outcomes]
    controls = [o for o in outcomes if o.ran]
    telling = [j for j in judgements if not j.vacuous]
    return {
        "verdicts": {str(v): sum(j.verdict is v for j in telling) for v in Verdict},
        "vacuous": len(judgements) - len(telling),
        "expectations_met": sum(j.met for j in judgements),
        "expectations": len(judgements),
        "controls_told_apart": sum(o.control_ok for o in controls),
        "controls": len(controls),
        "checks_not_run": len(outcomes) - len(controls),
    }


def controls_text(figures: dict[str, Any]) -> str:
    """Return a sentence with two counts: negative controls that were rejected as required, and checks that did not run.
    figures: the entry "summary" of results.json."""
    missing = figures.get("checks_not_run", 0)
    not_run = f" {missing} check{'' if missing == 1 else 's'} did not run." if missing else ""
    rejected, controls = figures["controls_told_apart"], figures["controls"]
    return f"{rejected} of {controls} false controls rejected.{not_run}"


def _variant(claim: Claim, judgement: Judgement) -> dict[str, Any]:
    variant = claim.variants[judgement.variant]
    about = {check.name: check.about for check in claim.checks}
    own = {key: getattr(variant, key) for key in ("formula", "tight", "vacuous")}
    own |= {key: list(getattr(variant, key)) for key in ("hypotheses", "added")}
    return own | {
        "variant": judgement.variant,
        "part": is_part(judgement.variant),
        **judgement.fields,
        "expects": judgement.expects.fields,
        "met": judgement.met,
        "problems": list(judgement.problems),
        "checks": [
            outcome_json(o) | {"control_ok": o.control_ok, "about": about[o.check]}
            for o in judgement.outcomes
        ],
    }


def read(folder: Path) -> dict[str, Any]:
    """Return results.json from the folder of a campaign of checks. Raise InputError if there is none that this version
    can read."""
    try:
        document = read_json(folder / RESULTS)
        schema = document["schema"]
        if type(schema) is int and schema == SCHEMA:
            if (paper := document.get("paper", NAME)) != NAME:
                raise BadName(f"the paper {paper!r:.60}, not {NAME}; add --paper, or set {VARIABLE}")
            canonical(document)  # it holds no NaN and no infinity
            _refuse_names(document)
            return dict(document)
    except (FileNotFoundError, NotADirectoryError):
        raise bad(folder, f"has no {RESULTS}; run `{command('all --out DIR')}` first") from None
    except OSError as error:
        raise bad(folder, f"{RESULTS} cannot be read: {error.strerror}") from None
    except BadName as error:
        raise bad(folder, f"{RESULTS} has {error}") from None
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
        raise bad(
            folder, f"has a damaged {RESULTS}; the campaign's command with --resume writes it"
        ) from None
    newer = " (of a newer version)" if type(schema) is int and schema > SCHEMA else ""
    raise bad(folder, f"{RESULTS} has schema {str(schema)[:40]}{newer}, this reads {SCHEMA}")


class BadName(ValueError):
    """Raised for a name or version in results.json that no campaign of checks of this paper's claims writes."""


def _refuse_names(document: dict[str, Any]) -> None:
    names: list[tuple[re.Pattern[str], Any]] = [(VERSION_TEXT, v) for v in document["made_with"].values()]
    for claim in document["claims"]:
        names.append((LABEL, claim["label"]))
        for check in (c for variant in claim["variants"] for c in variant["checks"]):
            names.append((CHECK_NAME, check["check"]))
            if check["claim"] != claim["label"]:
                names.append((LABEL, f"{check['claim']} under {claim['label']}"))
    for grammar, name in names:
        if not isinstance(name, str) or not grammar.fullmatch(name):
            raise BadName(f"{repr(name)[:60]} for a version or the name of a claim or check")


def write(folder: Path, document: dict[str, Any]) -> Path:
    path = folder / RESULTS
    replace_text(path, canonical(document) + "\n")
    return path


def write_timings(folder: Path, seconds: dict[str, float]) -> None:
    """Add the seconds that each check took to timings.json, which keeps those of earlier campaigns in this folder. They
    are not part of the results."""
    path = folder / TIMINGS
    try:
        known = read_json(path)
    except (OSError, ValueError, RecursionError):
        known = {}
    replace_text(path, json.dumps((known if isinstance(known, dict) else {}) | seconds, indent=1) + "\n")
