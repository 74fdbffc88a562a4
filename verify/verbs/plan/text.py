"""Write a plan as text for a terminal."""

import textwrap
from collections.abc import Mapping
from typing import Any

from bounds import own_lower_bound
from verify.recorded import of_number
from verify.verdict import shown

DEMANDS = {"epsilon", "malicious", "asynchronous"}


def answer(document: Mapping[str, Any]) -> str:
    """Return one or two sentences: which protocol and learning rate to use, and what to expect of them."""
    row = next((row for row in document["protocols"] if row["protocol"] == document["cheapest"]), None)
    if row is None:
        why = document["why"]
        return f"No protocol meets the request. {why[:1].upper()}{why[1:]}."
    known = f"its bound, {row['regret']:.6g}, says nothing at this horizon"
    if not row["vacuous"]:
        behind = shown(row) + ("" if row["verdict"] == "proved" else ", not proved")
        whose = " of the honest agents" if row["robust"] else ""
        known = f"regret{whose} at most {row['regret']:.6g} ({behind})"
    if (mean := row.get("expected")) is not None:
        known += f", about {rounded(mean)} expected"
    rate = f'learning_rate = "{row["learning_rate"]}"'
    sent = f"{row['numbers']:.6g} numbers in {row['rounds']:.6g} rounds"
    found = f"Use {row['protocol']} with {rate}: {known}, {sent}."
    play = next((r for r in document["three_rates"] if r["rates"] == "adaptive"), None)
    if play is not None and mean is not None and play["regret"] < mean:
        data = ', data = "cumulative"' if play["data"] == "cumulative" else ""
        found += (
            f' If low regret matters more than a bound known beforehand: learning_rate = "adaptive"{data},'
        )
        found += f" about {rounded(play['regret'])} expected."
    return found


def rounded(value: float) -> str:
    """Return an expected regret to two digits: means over other worlds differ in the third."""
    return f"{float(f'{value:.2g}'):,.0f}" if 10 <= value < 1e6 else f"{value:.2g}"


def text(document: Mapping[str, Any]) -> str:
    asked = ", ".join(
        key if value is True else f"{key.replace('_', ' ')} {value:g}"
        for key, value in document["question"].items()
    )
    lines = [f"plan: {asked}", "", *textwrap.wrap(document["answer"], 100)]
    lines += [f"note: {note}" for note in document["notes"]]
    lines += ["", *_rows(document)]
    if not DEMANDS & document["question"].keys():
        lines += ["", "guaranteed (regret of all agents together)", *map(_guarantee, document["guaranteed"])]
        known = of_number(*own_lower_bound.STATEMENT)
        if document["lower_bound"] is not None:
            where = f"on some world with gap 1, for any estimator ({known.shown})"
            lines.append(f"  at least     {document['lower_bound']:>12.6g}   {where}")
        lines += ["", "to expect", *_expected(document["expected"])]
    lines += [*_learning_rates(document), *_rival(document.get("rival"))]
    if DEMANDS & document["question"].keys() or document["cheapest"] is None:
        return "\n".join(lines) + "\n"
    if document["break_even"] is not None:
        first = document["break_even"]
        lines.append(f"joining is worthwhile from {first} agents on (guarantee and price, per agent)")
    elif document["rates"]:
        lines.append("federating does not pay at this price, up to a million agents")
    return "\n".join(lines) + "\n"


def _rows(document: Mapping[str, Any]) -> list[str]:
    width = max([16, *(len(row["protocol"]) + 1 for row in document["protocols"] if row["allowed"])])
    head = f"  {'':{width}}{'rounds':>12}{'numbers':>14}{'bytes':>14}{'guarantee':>14}{'expected':>12}"
    lines = ["protocols that meet the request", head]
    others: dict[str, list[str]] = {}
    for row in document["protocols"]:
        if not row["allowed"]:
            others.setdefault(row["why"], []).append(row["protocol"])
            continue
        mark = "*" if row["protocol"] == document["cheapest"] else " "
        guarantee = "vacuous" if row["vacuous"] else f"{row['regret']:.6g}"
        expected = "-" if row.get("expected") is None else f"{row['expected']:.6g}"
        sent = f"{row['rounds']:>12.6g}{row['numbers']:>14.6g}{row['bytes']:>14.6g}"
        lines.append(f"{mark} {row['protocol']:{width}}{sent}{guarantee:>14}{expected:>12}  {shown(row)}")
    if document["cheapest"] is None:
        lines = []
    else:
        lines.append(f"  cheapest: {document['why']}")
        about: dict[str, list[str]] = {}
        for row in document["protocols"]:
            if row["allowed"] and (row["private"] or row["robust"]):
                about.setdefault(row["about"], []).append(row["protocol"])
        lines += [f"  {', '.join(names)}: {words}" for words, names in about.items()]
        if "asynchronous" in document["question"]:
            lines.append("  guarantees for clocks of which every other one acts half as often")
    if others:
        lines += ["protocols that do not, and why"]
        lines += [f"  {', '.join(names)}: {why}" for why, names in others.items()]
    return lines


def _learning_rates(document: Mapping[str, Any]) -> list[str]:
    lines = []
    if document["three_rates"]:
        which = f"which learning rate, for {document['cheapest']} (means over a few worlds; docs/rates.md)"
        lines += ["", which, f"  {'':20}{'regret':>12}{'bound':>12}"]
        for row in document["three_rates"]:
            after = "   observed after the run, probability 0.9" if row["rates"] == "adaptive" else ""
            after += "; the data of a run excluded every function" if row["bound"] is None else ""
            bound = "none" if row["bound"] is None else f"{row['bound']:.6g}"
            name = row["rates"] + (", explores less" if row["rates"].startswith("g = ") else "")
            lines.append(f"  {name:20}{row['regret']:>12.6g}{bound:>12}{after}")
    if document["rates"]:
        rates = [f"{rate:.4g}" for rate in document["rates"][1:]]
        listed = ", ".join(rates[:6]) + (f", ..., {rates[-1]}" if len(rates) > 7 else "")
        lines += ["", f"rates of epochs 2, 3, ... of {document['cheapest']}: {listed}"]
    return lines


def _rival(found: Mapping[str, Any] | None) -> list[str]:
    if found is None:
        return []
    said = "not expected to do clearly better than FedIGW"
    if worse := found["better_than"]:
        said = f"expected to do better than FedIGW with {' and with '.join(worse)} rates"
    ours = f"{found['guaranteed']:.6g} (guaranteed), {found['adaptive']:.6g} (adaptive)"
    return [
        f"a rival, {found['system']} ({found['paper']}), is {said} in the first {found['horizon']} steps:",
        f"  it loses {found['regret']:.6g} and sends {found['numbers']:.6g} numbers; FedIGW loses {ours};"
        f" means of {found['worlds']} worlds",
    ]


def _guarantee(row: dict[str, Any]) -> str:
    if row["value"] is None:
        return f"  {row['variant']:12} {row['why']}"
    words = "vacuous" if row["vacuous"] else f"{row['per_step']:.3g} a step"
    words = "order only" if row["order_only"] else words
    return f"  {row['variant']:12} {row['value']:>12.6g}   {words:14} {shown(row)}"


def _expected(found: dict[str, Any]) -> list[str]:
    if found["mean"] is None or "interval" not in found:
        return [f"  not simulated: {found['why']}"]
    low, high = found["interval"]
    return [
        f"  regret {found['mean']:.6g}, {found['per_step']:.3g} a step (mean of {found['worlds']} worlds)",
        f"  approximate 99% interval [{low:.6g}, {high:.6g}] for the mean of as many other worlds",
        f"  family: {found['family']}",
    ]
