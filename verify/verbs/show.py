"""show: statement, hypotheses, variants, errata of a claim."""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass

from bounds.errors import choose
from verify.catalogue import index, label_of, look_up
from verify.claim import Claim, is_part
from verify.paper import BY_LABEL, Statement
from verify.recorded import of_variant

__all__ = ["Shown", "show"]
EXAMPLE = "python -m verify show col:finite --variant best"
PYTHON = """
assert show("Corollary 4.2").label == "col:finite\""""


@dataclass(frozen=True)
class Shown:
    """What is known of a claim. title: what it is called. text: everything, in words."""

    label: str
    title: str
    text: str

    def __str__(self) -> str:
        return self.text


def show(claim: str, variant: str | None = None) -> Shown:
    """Describe a claim, by label or number in print: statement, hypotheses, verdicts, errata; `variant`: only this."""
    label = label_of(claim)
    if label in BY_LABEL and label not in index():
        statement = BY_LABEL[label]
        return Shown(label, statement.title, _not_covered(statement))
    found = look_up(claim)
    return Shown(found.label, found.title, _covered(found, variant))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("claim", metavar="CLAIM")
    parser.add_argument("--variant", help="only this variant or part, e.g. best")


def execute(given: argparse.Namespace) -> int:
    sys.stdout.write(f"{show(given.claim, given.variant)}\n")
    return 0


def _covered(claim: Claim, only: str | None) -> str:
    statement = BY_LABEL.get(claim.label)
    lines = [f"{claim.label}: {claim.title}", f"section: {claim.section}"]
    lines += [f"in the paper: {', '.join(statement.numbers)}"] if statement else []
    lines += ["", claim.statement.strip(), ""]
    if (erratum := claim.erratum) is not None:
        lines += [
            f"place: {erratum.place}"
            + ("" if erratum.printed else " (the refuted line itself is not printed)"),
            f"severity: {erratum.severity} ({erratum.severity.meaning})",
            *([f"fails only if {erratum.regime}"] if erratum.regime else []),
            f"does the order survive: {erratum.order_survives}",
            f"repair: {erratum.repair}",
            "",
        ]
    if only is not None:
        choose("--variant", only, claim.variants)
    for name, variant in claim.variants.items():
        if only not in (None, name):
            continue
        tight = "tight" if variant.tight else "upper bound"
        known = of_variant(claim, name)
        lines += [
            f"{'part' if is_part(name) else 'variant'} {name} ({tight}): {known.shown}, {known.meaning}; {known.source}"
        ]
        lines += [f"  {variant.formula}"] + [f"  needs {h}" for h in variant.hypotheses]
        if variant.added:
            lines.append("  true with an added hypothesis: {}; what suggests it: {}".format(*variant.added))
        for check in claim.checks:
            if check.variant == name:
                lines.append(f"  check {check.name}: {check.about}")
        lines.append("")
    lines += [*claim.notes(), ""] if claim.notes is not None else []
    if claim.depends:
        lines.append("uses: " + ", ".join(claim.depends))
    if claim.errata:
        lines.append("errata: " + ", ".join(claim.errata))
    if claim.reference:
        lines.append("reference: " + claim.reference)
    return "\n".join(lines).rstrip()


def _not_covered(statement: Statement) -> str:
    names = ", ".join((*statement.numbers, *statement.labels))
    return f"{statement.label}: {statement.title} ({names})\nnot covered: {statement.reason(index())}"
