"""show: what a claim says and how it is checked."""

from __future__ import annotations

import argparse
import sys

from bounds.errors import choose
from verify.answers import kept
from verify.catalogue import catalogue, find, label_of
from verify.paper import BY_LABEL, Statement
from verify.recorded import word

EXAMPLE = "python -m verify show col:finite --variant best"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("claim", metavar="CLAIM")
    parser.add_argument("--variant", help="only this one, e.g. best")


def execute(options: argparse.Namespace) -> int:
    label = label_of(options.claim)
    if label in BY_LABEL and label not in catalogue():
        sys.stdout.write(_not_covered(BY_LABEL[label]))
        return 0
    claim = find(options.claim)
    statement = BY_LABEL.get(claim.label)
    lines = [f"{claim.label}: {claim.title}", f"section: {claim.section}"]
    lines += [f"in the paper: {', '.join(statement.numbers)}"] if statement else []
    lines += ["", claim.statement.strip(), ""]
    if (erratum := claim.erratum) is not None:
        lines += [
            f"place: {erratum.place}"
            + ("" if erratum.printed else " (the refuted line itself is not printed)"),
            f"severity: {erratum.severity} ({erratum.severity.meaning})",
            f"does the order survive: {erratum.order_survives}",
            f"repair: {erratum.repair}",
            "",
        ]
    if options.variant is not None:
        choose("--variant", options.variant, claim.variants)
    for name, variant in claim.variants.items():
        if options.variant not in (None, name):
            continue
        tight = "tight" if variant.tight else "upper bound"
        known = word(claim, name)
        lines += [f"variant {name} ({tight}): {known.said}, {known.meaning}; {known.source}"]
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


def _not_covered(statement: Statement) -> str:
    names = ", ".join((*statement.numbers, *statement.labels))
    return f"{statement.label}: {statement.title} ({names})\nnot covered: {statement.reason(catalogue())}\n"
