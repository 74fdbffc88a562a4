"""report: make report.html, summary.md, plots and instance files again from saved results, without running anything."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from bounds.errors import InputError
from verify.commands.all_ import DEFAULT_OUT

EXAMPLE = "python -m verify report --out build/verify"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", type=Path, default=DEFAULT_OUT, help="folder of a finished campaign")


def execute(options: argparse.Namespace) -> int:
    from verify.campaign.audit import audit
    from verify.campaign.results import read
    from verify.report.publish import publish

    document = read(options.out)
    try:
        audit(options.out, document, _warn)
        report = publish(options.out, document)
    except InputError:
        raise
    except OSError as error:
        raise InputError("--out", str(options.out), f"cannot be written: {error.strerror}") from None
    except Exception as error:  # whatever an edited file makes of a template, a plot or a verdict
        reason = f"results.json lacks what a report needs ({type(error).__name__}: {str(error)[:120]})"
        reason = " ".join(reason.split())
        raise InputError("--out", str(options.out), reason) from None
    sys.stdout.write(f"report: {report}\n")
    return 0


def _warn(message: str) -> None:
    sys.stderr.write(f"verify: {message}\n")
