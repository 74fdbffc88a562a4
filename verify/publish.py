"""What people look at: plots, report.html, summary.md and instance files, all made from results.json alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from verify.catalogue import catalogue
from verify.outcome import claims_of, outcome_of
from verify.plots import draw_all
from verify.report import write_report


def publish(folder: Path, document: dict[str, Any]) -> Path:
    """Write everything that derives from the results; returns the report's path."""
    checks = [c for claim in document["claims"] for v in claim["variants"] for c in v["checks"]]
    outcomes = [outcome_of(check) for check in checks if check["claim"] in catalogue()]
    draw_all(claims_of(outcomes), outcomes, folder)
    return write_report(folder, document)
