"""Make the JSON document of the command `bound`: a claim's bound at given parameters, its verdict and hypotheses."""

import math
from decimal import Decimal
from typing import Any

from bounds import own_lower_bound, quantities, theorems
from bounds.errors import InputError, choose
from bounds.report import BoundReport
from bounds.theorem import Theorem, check_parameters
from fedigw import outside
from verify.catalogue import label_of, look_up
from verify.claim import needed
from verify.paper import BY_LABEL, FOLDER, OUTSIDE, file_name
from verify.recorded import UNCHECKED, Recorded, of_number, of_statement, resting
from verify.verbs.bound import forms
from verify.verdict import Verdict, shown


def evaluated(
    name: str,
    variant: str,
    given: dict[str, Any],
    quantity: str = "regret",
    protocol: str | None = None,
    risk: str | None = None,
    optimisation: str | None = None,
    formula: bool = True,
) -> dict[str, Any]:
    """Return a claim's bound at given parameters, its verdict and its hypotheses, with the keys of `bound --json`.
    name: the claim's label or number in print. formula: whether to include the closed form, which takes time. The other
    arguments are those of `verify.bound`."""
    label = label_with_number(name)
    family = family_of(label)
    if family is None or not family.quantities:
        others = f"these have: {', '.join(bounded())}" if bounded() else "a file in theorems/ gives one"
        raise InputError("claim", label, f"has no numeric bound; {others}")
    if risk is not None:
        from bounds import plug_in_family

        family = plug_in_family.family(label, risk, optimisation)
    elif optimisation is not None:
        raise InputError("--optimisation", optimisation, "needs --risk, the generalisation error")
    choose("--variant", variant, family.variants)
    choose("--quantity", quantity, ("regret", *quantities.names()))
    if quantity not in family.quantities:
        raise InputError("--quantity", quantity, f"{label} bounds only: {', '.join(family.quantities)}")
    if protocol is not None:
        if not family.protocols:
            raise InputError("--protocol", protocol, f"{label} does not depend on a protocol")
        choose("--protocol", protocol, family.protocols)
    parameters = check_parameters(family, given)
    try:
        report = family.evaluate(variant, quantity, protocol, parameters)
        known_value = math.isfinite(report.value) and math.isfinite(report.trivial)
    except InputError:
        raise
    except (OverflowError, ZeroDivisionError, ValueError):  # ValueError: the logarithm of what has become 0
        known_value = False
    if not known_value:
        shown = " ".join(f"{key}={value}" for key, value in given.items())
        raise InputError("--set", shown, "too large: the bound would be above 1e308")
    counted = protocol or (family.protocols[0] if family.protocols else None)
    known = _behind(label, variant, quantity, counted, report)
    used = dict(family.used(family.case(variant, protocol, parameters), quantity))
    document = _document(label, variant, quantity, used, report, known)
    if formula:
        document["closed_form"], document["latex"] = forms.closed_form(report)
    if risk is not None:
        from bounds.plug_in_family import order

        document["risk"], document["optimisation"] = risk, optimisation
        if quantity == "regret":
            document["order"] = forms.cached(lambda: order(risk), "order", risk)
    if protocol is not None:
        document["protocol"] = protocol
    return document


def label_with_number(name: str) -> str:
    """Return the full label for a label or number that a user typed. Raise InputError if neither a theorem nor a claim
    has it."""
    label = label_of(name)
    return look_up(name).label if family_of(label) is None else label


def family_of(label: str) -> Theorem | None:
    """Return the theorem with this label, from the package bounds or the chosen paper's folder; None if there is
    none."""
    if not OUTSIDE:
        return theorems.find(label)
    path = FOLDER / "theorems" / f"{file_name(label)}.py"
    if not path.is_file():
        return None
    found = getattr(outside.load(path), "THEOREM", None)
    if not isinstance(found, Theorem) or found.label != label:
        raise InputError(
            "file", str(path), f"must define THEOREM, a bounds.theorem.Theorem with label {label!r}"
        )
    return found


def bounded() -> list[str]:
    if not OUTSIDE:
        return [label for label, theorem in theorems.theorems().items() if theorem.quantities]
    stems = {path.stem for path in (FOLDER / "theorems").glob("*.py")}
    return [label for label in BY_LABEL if file_name(label) in stems]


def _behind(label: str, variant: str, quantity: str, protocol: str | None, report: BoundReport) -> Recorded:
    # a regret bound without a check of its own follows from the theorem about federations and an excess risk, if it
    # names the statement of that risk; bits follow from the numbers sent, and the floor(log2 T) calls are the same
    # in every claim
    known = of_number(label, variant, quantity, protocol)
    if report.order_only or OUTSIDE:
        return known
    if known is UNCHECKED and quantity == "regret" and report.rests_on:
        known = of_number(theorems.USUAL, variant)
    if known is UNCHECKED and quantity == "bits":
        known = of_number(label, variant, "numbers", protocol)
    if known is UNCHECKED and quantity == "calls":
        known = of_statement(*theorems.CALLS)
    return resting(known, report.rests_on)


def _document(
    label: str, variant: str, quantity: str, parameters: dict[str, Any], report: BoundReport, known: Recorded
) -> dict[str, Any]:
    document = {
        "claim": label,
        "variant": variant,
        "quantity": quantity,
        "parameters": parameters,
        "value": report.value,
        "closed_form": "",
        "latex": "",
        **{name: getattr(report, name) for name in ("trivial", "vacuous", "first_informative_horizon")},
        "hypotheses": list(report.hypotheses),
        **known.fields,
    }
    if report.order_only:
        document["order_only"] = True
    if report.per_step:
        document["per_step"] = True
    if report.lower is not None:
        numbers = {name: getattr(report.lower, name) for name in ("value", "ratio", "limit")}
        lower = {"claim": own_lower_bound.STATEMENT[0], **numbers, "applies": own_lower_bound.APPLIES}
        document["lower"] = lower | dict(of_number(*own_lower_bound.STATEMENT).row)
    return document


def trivially(quantity: str) -> str:
    return "known without learning" if quantity == "regret" else "communicating after every step"


def _answer(document: dict[str, Any]) -> str:
    if document["quantity"] == "regret" and document["parameters"].get("K") == 1:
        return "One arm: there is nothing to choose, and the regret is 0."
    value, trivial, verdict = f"{document['value']:.6g}", f"{document['trivial']:.6g}", shown(document)
    if document["verdict"] in ("refuted", "undecided") or document.get("order_only"):
        said = verdict if verdict.startswith(("says ", "needs ")) else f"is {verdict}"
        return f"{value}, by a statement that {said}: no guarantee."
    if document["quantity"] != "regret":
        return f"At most {value} {document['quantity']}: {verdict}."
    if document["vacuous"]:
        return f"It says nothing here: {value} is not below {trivial}, which is known without learning."
    return f"Regret at most {value}, where {trivial} is known without learning: {verdict}."


def text(document: dict[str, Any]) -> str:
    order = "  (order only: the paper hides the constant)" if document.get("order_only") else ""
    above = document["value"] >= document["trivial"]
    vacuous = "  VACUOUS: not below the trivial value" if above else ""
    horizon, known = document["first_informative_horizon"], Recorded.of(document)
    lines = [
        _answer(document),
        f"{document['claim']} ({document['variant']}), {document['quantity']}",
        f"  value        {document['value']:.6g}{order}{vacuous}",
        f"  verdict      {known.shown}: {known.meaning}" + (f"  {known.caution}" if known.caution else ""),
        *([f"               {known.source}"] if OUTSIDE and known.verdict is not Verdict.UNDECIDED else []),
        f"  trivial      {document['trivial']:.6g}, {trivially(document['quantity'])}",
        f"  closed form  {document['closed_form']}",
    ]
    if (lower := document.get("lower")) is not None:
        behind = f"({lower['claim']}, {shown(lower)})"
        lines.append(f"  at least     {lower['value']:.6g} {behind} {lower['applies']}")
        if document["verdict"] not in ("refuted", "undecided"):
            limit = f"{lower['limit']:.2f} as the excess risk tends to 0"
            lines.append(f"  so the bound is within a factor {lower['ratio']:.2f} of the worst case; {limit}")
    if "epochs" in document:
        lines += _epochs(document)
    elif document.get("per_step"):
        never = "  not informative at any horizon"
        lines.append(f"  informative from T = {_steps(horizon)}" if horizon else never)
    elif document["quantity"] == "regret":
        lines.append(
            "  value is the sum over epochs, the last cut at T; the closed form is above it (T >= 3)"
        )
        never = "  not informative at any horizon that was tried"
        lines.append(f"  the sum is informative from T = {_steps(horizon)}" if horizon else never)
    if document.get("order"):
        lines.append(f"  order in T   {document['order']}")
    return "\n".join([*lines, *(f"  {needed(h)}" for h in document["hypotheses"])]) + "\n"


def _epochs(document: dict[str, Any]) -> list[str]:
    rows = document["epochs"]
    shown = rows if len(rows) <= 8 else [*rows[:4], None, *rows[-3:]]
    lines = [f"  c = {document['parameters']['c']:.6g} of the realised lengths; by epoch:"]
    for row in shown:
        if row is None:
            lines.append(f"    ... {len(rows) - 7} more")
            continue
        lengths = row["played"] if len(row["played"]) <= 6 else [*row["played"][:5], "..."]
        numbers = f"e {row['excess_risk']:.6g}  bound {row['bound']:.6g}"
        played = f"lengths {', '.join(map(str, lengths))}  gamma {row['learning_rate']:.6g}"
        lines.append(f"    {row['epoch']:3}  {played}  {numbers}")
    held = "H5 holds: learning rates do not fall" if document["monotone"] else document["remarks"][0]
    return [*lines, f"  {held}"]


def _steps(horizon: int) -> str:
    if horizon < 10**18:
        return str(horizon)
    return f"{Decimal(horizon):.2e}, rounded: more steps than anybody plays"
