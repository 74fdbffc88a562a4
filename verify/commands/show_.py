"""show: what a claim says and how it is checked."""

from __future__ import annotations

import argparse
import sys

from verify.catalogue import find
from verify.commands import kept


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("claim", metavar="CLAIM")


def execute(options: argparse.Namespace) -> int:
    claim = find(options.claim)
    lines = [f"{claim.label}: {claim.title}", f"section: {claim.section}", "", claim.statement.strip(), ""]
    if (erratum := claim.erratum) is not None:
        lines += [
            f"place: {erratum.place}"
            + ("" if erratum.printed else " (the refuted line itself is not printed)"),
            f"severity: {erratum.severity} ({erratum.severity.meaning})",
            f"does the order survive: {erratum.order_survives}",
            f"repair: {erratum.repair}",
            "",
        ]
    for name, variant in claim.variants.items():
        tight = "tight" if variant.tight else "upper bound"
        lines += [f"variant {name} ({tight}; expected: {variant.expects}, {variant.expects.meaning})"]
        lines += [f"  {variant.formula}"] + [f"  needs {h}" for h in variant.hypotheses]
        for check in claim.checks:
            if check.variant == name:
                lines.append(f"  check {check.name}: {check.about}")
        lines.append("")
    lines += [*kept.notes(claim), ""] if claim.notes is not None else []
    if claim.depends:
        lines.append("uses: " + ", ".join(claim.depends))
    if claim.errata:
        lines.append("errata: " + ", ".join(claim.errata))
    if claim.reference:
        lines.append("reference: " + claim.reference)
    sys.stdout.write("\n".join(lines).rstrip() + "\n")
    return 0
