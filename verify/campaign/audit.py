"""Check that a campaign's results.json agrees with the saved record of every check and with the evidence in it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fedigw.record import RecordError, canonical, read_checked
from verify.campaign.derived import RECORDS, RESULTS, bad
from verify.campaign.judgement import combine, judge, problems, verdict_fields
from verify.campaign.outcome import Outcome, outcome_of
from verify.campaign.provenance import code_digest
from verify.campaign.records import record_path
from verify.campaign.results import checks_of, results
from verify.campaign.units import Settings
from verify.verdict import FIELDS, Verdict, shown

DECIDING = ("profile", "seed", "version", "code", "made_with")


def audit(folder: Path, document: dict[str, Any], warn: Callable[[str], None]) -> None:
    """Raise InputError if the results of a campaign of checks contradict its saved records, or a verdict contradicts
    its evidence. Call `warn` if records are missing."""
    outcomes: list[Outcome] = []
    for claim in document["claims"]:
        for variant in claim["variants"]:
            found = [outcome_of(check) for check in variant["checks"]]
            _compare_verdict(folder, claim["label"], variant, found)
            outcomes += found
    notes: list[str] = []
    _compare_records(folder, document, notes.append)
    if document["code"] == code_digest():
        _compare_rest(folder, document, outcomes)
    for note in notes:  # not before: a refusal is one line
        warn(note)


def _compare_verdict(folder: Path, label: str, variant: dict[str, Any], found: list[Outcome]) -> None:
    where = f"{RESULTS} on {label} {variant['variant']}"
    verdict = combine(found)
    due = verdict_fields(found, verdict)
    margin = due.get("margin")  # results of earlier versions have none
    if any(variant.get(n) != due.get(n) for n in FIELDS) or variant.get("margin", margin) != margin:
        said = f"{variant['verdict']} ({variant['by']})"[:40]
        raise bad(folder, f"{where} says {said}, but its evidence amounts to {shown(due)}")
    unmet = list(problems(found, verdict, Verdict.of(variant["expects"])))
    if variant["problems"] != unmet or variant["met"] is not (not unmet):
        raise bad(folder, f"{where} misstates whether the expectation is met")
    for check, outcome in zip(variant["checks"], found, strict=True):
        if check["control_ok"] is not outcome.control_ok:
            raise bad(folder, f"{where} misstates the negative control of {check['check']}")


def _compare_records(folder: Path, document: dict[str, Any], warn: Callable[[str], None]) -> None:
    if not (folder / RECORDS).is_dir():
        warn(f"{folder} has no records: {RESULTS} could not be checked against them")
        return
    checks = checks_of(document)
    absent = 0
    for check in checks:
        path = record_path(folder, check["claim"], check["check"])
        if not path.exists():
            absent += check["failure"] is None
            continue
        where = f"{check['claim']} {check['check']}"
        try:
            body = read_checked(path)
            made, found = dict(body["parameters"]), dict(body["outcome"])
        except RecordError as error:
            raise bad(folder, f"the record of {where} cannot be trusted ({error})") from None
        except (KeyError, TypeError, ValueError):
            said = f"the record of {where} is no record of a check; the campaign's command with --resume writes it"
            raise bad(folder, said) from None
        same_campaign = all(made.get(name) == document[name] for name in DECIDING)
        if not same_campaign or any(check.get(name) != value for name, value in found.items()):
            raise bad(folder, f"{RESULTS} on {where} differs from its record")
    if absent:
        warn(f"{absent} of {len(checks)} checks have no record: {RESULTS} could not be checked against them")


def _compare_rest(folder: Path, document: dict[str, Any], outcomes: list[Outcome]) -> None:
    settings = Settings(document["profile"], document["seed"])
    again = json.loads(canonical(results(outcomes, judge(outcomes), settings)))
    for theirs, ours in zip(document["claims"], again["claims"], strict=False):
        if theirs != ours:
            raise bad(folder, f"{RESULTS} on {theirs['label']} says what this program does not")
    for name, value in (again | {"made_with": document["made_with"]}).items():  # it may be of another machine
        if document[name] != value:
            raise bad(folder, f"{RESULTS} says another {name} than its evidence gives")
