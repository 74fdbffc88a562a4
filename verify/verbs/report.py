"""report: write the HTML report again from the saved results of a campaign of checks."""

import argparse
import sys
from pathlib import Path

from bounds.errors import InputError
from verify.verbs.all import DEFAULT_OUT

__all__: list[str] = []
EXAMPLE = "python -m verify report --out build/verify"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", type=Path, default=DEFAULT_OUT, help="folder of a finished campaign")


def execute(given: argparse.Namespace) -> int:
    from verify.campaign.audit import audit
    from verify.campaign.derived import bad, refuse_links
    from verify.campaign.results import read
    from verify.report.page import publish

    def warn(message: str) -> None:
        sys.stderr.write(f"verify: {message}\n")

    document = read(given.out)
    refuse_links(given.out)
    try:
        audit(given.out, document, warn)
        report = publish(given.out, document)
    except (InputError, OSError):
        raise
    except Exception as error:  # whatever an edited file makes of a template, a plot or a verdict
        reason = f"results.json lacks what a report needs ({type(error).__name__}: {str(error)[:120]})"
        reason = " ".join(reason.split()) + "; the campaign's command with --resume writes it"
        raise bad(given.out, reason) from None
    sys.stdout.write(f"report: {report}\n")
    return 0
