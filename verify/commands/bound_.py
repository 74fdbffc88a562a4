"""bound: evaluate a claim's bound at given parameters."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from bounds import own_lower_bound
from bounds.errors import InputError, choose
from bounds.report import BoundFamily, BoundReport, check_parameters, parse_parameter
from verify.catalogue import catalogue, find
from verify.commands import kept
from verify.recorded import Word, of_bound
from verify.verdict import Verdict

QUANTITIES = ("regret", "calls", "rounds", "numbers")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("claim", metavar="CLAIM", help="e.g. col:finite")
    parser.add_argument(
        "--variant", default="repaired", help="printed, repaired (if not given), sharpened, ..."
    )
    parser.add_argument(
        "--set", nargs="+", default=[], metavar="NAME=VALUE", dest="assignments", action="extend"
    )
    parser.add_argument("--quantity", default="regret", help=", ".join(QUANTITIES))
    parser.add_argument("--protocol", help="where it matters, e.g. direct, agd, cg")
    parser.add_argument("--risk", metavar="FORMULA", help="your own excess risk e(n), e.g. 'd/n'")
    parser.add_argument("--optimisation", metavar="FORMULA", help="col:convex_raw: error after R rounds")
    parser.add_argument("--json", action="store_true", help="machine-readable")


def execute(options: argparse.Namespace) -> int:
    claim = find(options.claim)
    family = claim.bound
    if family is None:
        with_bound = ", ".join(label for label, c in catalogue().items() if c.bound is not None)
        raise InputError("claim", claim.label, f"has no numeric bound; these have: {with_bound}")
    family = _own_formulas(claim.label, family, options)
    choose("--variant", options.variant, family.variants)
    choose("--quantity", options.quantity, QUANTITIES)
    if options.quantity not in family.quantities:
        allowed = ", ".join(family.quantities)
        raise InputError("--quantity", options.quantity, f"{claim.label} bounds only: {allowed}")
    if options.protocol is not None:
        if not family.protocols:
            raise InputError("--protocol", options.protocol, f"{claim.label} does not depend on a protocol")
        choose("--protocol", options.protocol, family.protocols)
    parameters = check_parameters(family, _assignments(options.assignments))
    try:
        report = family.evaluate(options.variant, options.quantity, options.protocol, parameters)
    except OverflowError:
        shown = " ".join(options.assignments)
        raise InputError("--set", shown, "too large: the bound would be above 1e308") from None
    default = family.protocols[0] if len(family.protocols) == 1 else None
    known = of_bound(claim, options.variant, options.quantity, options.protocol or default)
    document = _document(claim.label, options, parameters, report, known)
    if options.json:
        sys.stdout.write(json.dumps(document, indent=1) + "\n")
    else:
        sys.stdout.write(_text(document))
    return 0


def _own_formulas(label: str, family: BoundFamily, options: argparse.Namespace) -> BoundFamily:
    """The claim's bound with the user's formulas in place of its own, where they are given."""
    if options.risk is None and options.optimisation is None:
        return family
    if options.risk is None:
        raise InputError("--optimisation", options.optimisation, "needs --risk, the generalisation error")
    from bounds import plug_in_family

    return plug_in_family.family(label, options.risk, options.optimisation)


def _assignments(words: list[str]) -> dict[str, Any]:
    parameters: dict[str, Any] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise InputError("--set", word, "must be NAME=VALUE")
        if name in parameters:
            raise InputError("--set", word, f"{name} is given twice")
        parameters[name] = parse_parameter(name, value)
    return parameters


def _document(
    label: str, options: argparse.Namespace, parameters: dict[str, Any], report: BoundReport, known: Word
) -> dict[str, Any]:
    closed_form, formula = kept.closed_form(report)
    document = {
        "claim": label,
        "variant": options.variant,
        "quantity": options.quantity,
        "parameters": parameters,
        "value": report.value,
        "closed_form": closed_form,
        "latex": formula,
        "trivial": report.trivial,
        "vacuous": report.vacuous,
        "first_informative_horizon": report.first_informative_horizon,
        "hypotheses": list(report.hypotheses),
        "verdict": str(known.verdict),
        "verdict_source": known.source,
    }
    if options.risk is not None:
        from bounds.plug_in_family import order

        document["risk"], document["optimisation"] = options.risk, options.optimisation
        if options.quantity == "regret":
            document["order"] = kept.kept(lambda: order(options.risk), "order", options.risk)
    if options.protocol is not None:
        document["protocol"] = options.protocol
    if report.order_only:
        document["order_only"] = True
    if report.lower is not None:
        document["lower"] = {
            "claim": "own:lower_bound",
            "value": report.lower.value,
            "ratio": report.lower.ratio,
            "limit": report.lower.limit,
            "applies": own_lower_bound.APPLIES,
            "verdict": str(of_bound(find("own:lower_bound"), "gap_one", "regret", None).verdict),
        }
    return document


def _text(document: dict[str, Any]) -> str:
    order = "  (order only: the paper hides the constant)" if document.get("order_only") else ""
    vacuous = "  VACUOUS: not below the trivial value" if document["vacuous"] else ""
    horizon = document["first_informative_horizon"]
    lines = [
        f"{document['claim']} ({document['variant']}), {document['quantity']}",
        f"  value        {document['value']:.6g}{order}{vacuous}",
        _verdict(document),
        f"  trivial      {document['trivial']:.6g}",
        f"  closed form  {document['closed_form']}",
    ]
    lines += _lower(document.get("lower"))
    if document["quantity"] == "regret":
        lines.append(
            "  value is the sum over epochs, the last one cut at T; the closed form bounds it for T >= 3"
        )
        lines.append(
            f"  informative from T = {horizon}"
            if horizon
            else "  not informative at any horizon that was tried"
        )
    if document.get("order"):
        lines.append(f"  order in T   {document['order']}")
    lines += [
        f"  {h}" if h.startswith(("remark:", "checked:")) else f"  needs {h}" for h in document["hypotheses"]
    ]
    return "\n".join(lines) + "\n"


def _lower(lower: dict[str, Any] | None) -> list[str]:
    if lower is None:
        return []
    return [
        f"  at least     {lower['value']:.6g} ({lower['claim']}, {lower['verdict']}) {lower['applies']}",
        f"  so the value can be at most {lower['ratio']:.2f} times the worst regret;"
        f" {lower['limit']:.2f} as the excess risk tends to 0",
    ]


def _verdict(document: dict[str, Any]) -> str:
    known = Word(Verdict(document["verdict"]), document["verdict_source"])
    caution = f"  {known.caution}" if known.caution else ""
    return f"  verdict      {known.verdict}: {known.verdict.meaning}; {known.source}{caution}"
