"""show: print a claim: what it states, what is wrong with it as printed, what is true, and how that is known."""

import argparse
import html
import re
import sys
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass

from bounds.errors import choose
from verify import own_claims, showing
from verify.catalogue import index, label_of, look_up, missing
from verify.claim import Claim, Severity, Verdict, is_part, needed
from verify.paper import BY_LABEL, NOTE, OUTSIDE, PAPER, command, elsewhere
from verify.recorded import of_other, of_variant, origin, record
from verify.spelling import spelled
from verify.verdict import as_printed

__all__ = ["Shown", "show"]
EXAMPLE = "python -m verify show CLAIM"
COQ = re.compile(r"Coq theorem (\S+) \((?:yes|stronger)\b")
OWN_PROOF = "a theorem that Coq has checked; that it says this is for a reader to see, in proofs/record.json"
WIDTH = 100
SELF = ("as printed", "as repaired", "as implied")  # hypotheses of errata: the line itself


@dataclass(frozen=True)
class Shown:
    """A claim in words. text: the whole description. forms: a row for each variant and part of the claim, with its
    verdict and its LaTeX formula."""

    label: str
    title: str
    text: str
    forms: tuple[Mapping[str, str], ...] = ()

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        rows = [{**row, "formula": f"${row['formula']}$"} for row in self.forms]
        table = showing.html_grid(("variant", "verdict", "formula"), rows)
        return f"<b>{html.escape(self.title)}</b>{table}{showing.html_text(self.text)}"


def show(claim: str, variant: str | None = None, steps: bool = False) -> Shown:
    """Describe a claim, given by label or number in print: its statement, its errata, what is true, and how that is
    known. variant: describe only this form of the statement. steps: also describe every check, and give the formulas in
    LaTeX."""
    label = label_of(claim)
    if label in BY_LABEL and label not in index():
        statement = BY_LABEL[label]
        names = ", ".join((*statement.numbers, *statement.labels))
        text = f"{statement.label}: {statement.title} ({names})\nnot covered: {missing(statement)}"
        return Shown(label, statement.title, text)
    found = look_up(claim)
    forms = [
        {"variant": name, "verdict": of_variant(found, name).shown, "formula": found.variants[name].formula}
        for name in found.variants
        if variant in (None, name)
    ]
    return Shown(found.label, found.title, _covered(found, variant, steps), tuple(forms))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "claim", metavar="CLAIM", help="a label, or a number in print, with or without its kind"
    )
    parser.add_argument("--variant", help="only this variant or part, e.g. best")
    parser.add_argument("--steps", action="store_true", help="also every check, and the formulas as LaTeX")


def execute(given: argparse.Namespace) -> int:
    sys.stdout.write(f"{show(given.claim, given.variant, given.steps)}\n")
    return 0


def _covered(claim: Claim, only: str | None, steps: bool) -> str:
    if only is not None:
        choose("--variant", only, claim.variants)
    statement = BY_LABEL.get(claim.label)
    number = f"{statement.number} ({claim.label})" if statement else claim.label
    also = f", also {', '.join(statement.numbers[1:])}" if statement and statement.numbers[1:] else ""
    lines = [f"{number}{also}: {claim.title}", *_wrapped(_answer(claim)), "", claim.statement.strip(), ""]
    if statement and statement.lines:
        lines += [f"In the paper's TeX source: {statement.lines}.", ""]
    lines += [NOTE, ""] if NOTE else []
    if claim.erratum is not None:
        lines += _wrong(claim, claim.label)
    elif claim.errata:
        lines += ["What is wrong as printed", ""]
        for label in sorted(claim.errata, key=_severity):
            lines += _wrong(index()[label], f"{label.removeprefix('erratum:')}: {index()[label].title}")
    shown = list(claim.variants) if only is None else [only]
    each = [[h for h in claim.variants[name].hypotheses if h not in SELF] for name in shown]
    shared = [h for h in each[0] if len(each) > 1 and all(h in other for other in each)]
    lines += ["What is true, and how it is known", ""]
    lines += [*(line for h in shared for line in _wrapped(needed(h))), ""] if shared else []
    for name, needs in zip(shown, each, strict=True):
        lines += _variant(claim, name, [h for h in needs if h not in shared], steps)
    if claim.erratum is None and claim.notes is not None:
        lines += [*claim.notes(), ""]
    there = OUTSIDE and claim.label in record()["verdicts"]
    lines += [f"Verdicts as {origin()}; `run` does not trust them."] if there else []
    theirs = own_claims.own(claim.label)
    lines += [f"Check again: {command(f'run {theirs.file if theirs else claim.label}')}"]
    lines += [f"Uses: {', '.join(map(_used, claim.depends))}"] if claim.depends else []
    lines += [f"Reference: {claim.reference}"] if claim.reference else []
    if not steps:
        lines.append("Every check, and the formulas as LaTeX: --steps")
    return "\n".join([*lines, "", _bibtex(number)])


def _used(label: str) -> str:
    return f"{label} ({of_other(label).shown})" if elsewhere(label) else label


def _answer(claim: Claim) -> str:
    words: dict[str, list[str]] = {}
    printed = claim.variants.get("printed") if claim.label in BY_LABEL else None
    first = []
    if printed is not None:
        row = of_variant(claim, "printed").row
        first = [as_printed(row, printed.vacuous, bool(printed.added)).capitalize()]
    for name in claim.variants:
        if claim.variants[name] is not printed and (not is_part(name) or all(map(is_part, claim.variants))):
            words.setdefault(of_variant(claim, name).shown, []).append(name)
    return "; ".join([*first, *(f"{', '.join(names)}: {found}" for found, names in words.items())])


def _severity(label: str) -> int:
    erratum = index()[label].erratum
    return list(Severity).index(erratum.severity) if erratum else 0


def _wrong(claim: Claim, title: str) -> list[str]:
    erratum = claim.erratum
    if erratum is None:
        return []
    not_printed = "" if erratum.printed else " (the refuted line itself is not printed)"
    rows = [
        f"severity: {erratum.severity} ({erratum.severity.meaning})",
        *([f"fails only if {erratum.regime}"] if erratum.regime else []),
        f"does the order survive: {erratum.order_survives}",
        f"repair: {erratum.repair}",
        f"place: {erratum.place}{not_printed}",
    ]
    heading = [] if title == claim.label else textwrap.wrap(title, WIDTH)
    lines = [*heading, *(line for row in rows for line in _wrapped(row))]
    return [*lines, *(claim.notes() if claim.notes is not None else ()), ""]


def _variant(claim: Claim, name: str, needs: list[str], steps: bool) -> list[str]:
    variant, known = claim.variants[name], of_variant(claim, name)
    tight = " (an equality is attained)" if variant.tight else ""
    part = "part " if is_part(name) and claim.erratum is None else ""
    lines = [f"{part}{name}: {known.shown}{tight}", *_wrapped(spelled(variant.formula))]
    lines += [f"  LaTeX: {variant.formula}"] if steps else []
    if variant.added:
        lines.append("  needs a hypothesis: {}; what suggests it: {}".format(*variant.added))
    for hypothesis in needs:
        lines += _wrapped(needed(hypothesis))
    checks = [check for check in claim.checks if check.variant == name]
    theorems = [found[1] for check in checks if (found := COQ.match(check.about))]
    if known.verdict is Verdict.COQ and theorems:
        more = f" and {len(theorems) - 2} more" if len(theorems) > 2 else ""
        lines.append(f"  known by: Coq theorem {', '.join(theorems[:2])}{more}")
    elif known.verdict is Verdict.COQ and OUTSIDE:
        lines += _wrapped(f"known by: {OWN_PROOF}")
    else:
        there = name in record()["verdicts"].get(claim.label, {})
        witness = ", which `run` prints" if known.verdict is Verdict.REFUTED and OUTSIDE else ""
        lines += _wrapped(f"known by: {known.meaning}{witness}" if there else f"not known: {known.source}")
    lines += [f"  check {check.name}: {check.about}" for check in checks if steps]
    return [*lines, ""]


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent="  ", subsequent_indent="    ", break_long_words=False)


PROCEEDINGS = re.compile(r"Conference|Proceedings|Symposium|Workshop|Neural Information")


def _bibtex(number: str) -> str:
    authors = PAPER["authors"].split(", ")
    key = f"{authors[0].split()[-1].lower()}{PAPER['year']}"
    where = PAPER["where"]
    kind = "inproceedings" if PROCEEDINGS.search(where) else "article" if where else "misc"
    place = {"inproceedings": "booktitle"}.get(kind, "journal")
    rows = {"title": PAPER["title"], "author": " and ".join(authors), place: where}
    rows |= {"year": PAPER["year"], "url": PAPER["address"], "note": number.replace("_", "\\_")}
    rows = {name: text for name, text in rows.items() if text}
    body = "".join(f"  {name:7} = {{{text}}},\n" for name, text in rows.items())
    return f"@{kind}{{{key},\n{body}}}"
