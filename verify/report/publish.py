"""What people look at: plots, report.html, summary.md and instance files, all made from results.json alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fedigw.instance_file import to_toml
from fedigw.record import replace_text
from verify.campaign.derived import INSTANCES, SUMMARY, refuse_links
from verify.campaign.outcome import claims_of, outcome_of
from verify.campaign.results import checks_of
from verify.catalogue import catalogue
from verify.paper import file_name
from verify.report.markdown import summary_text
from verify.report.page import write_report
from verify.report.plain import inert
from verify.report.plots import draw_all


def publish(folder: Path, document: dict[str, Any], jobs: int = 2) -> Path:
    """Write everything that derives from the results; returns the report's path."""
    refuse_links(folder)
    checks = checks_of(document)
    outcomes = [outcome_of(check) for check in checks if check["claim"] in catalogue()]
    draw_all(claims_of(outcomes), outcomes, folder, jobs)
    for check in checks:
        _write_instance(folder, check)
    replace_text(folder / SUMMARY, inert(summary_text(document)))
    return write_report(folder, document)


def _write_instance(folder: Path, check: dict[str, Any]) -> None:
    """A witness or worst instance as a file that `exact` and `simulate` take."""
    instance = check["evidence"]["instance"]
    if instance is not None:
        (folder / INSTANCES).mkdir(exist_ok=True)
        path = folder / INSTANCES / f"{file_name(check['claim'])}--{check['check']}.toml"
        comment = f"{check['claim']}, {check['check']}: {check['evidence']['summary']}"
        replace_text(path, to_toml(instance, (inert(comment),)))
