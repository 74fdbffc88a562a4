"""The answer in words, for a terminal of 80 columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bounds import own_lower_bound
from verify.recorded import of_number
from verify.verdict import shown


def text(document: Mapping[str, Any]) -> str:
    asked = ", ".join(f"{key.replace('_', ' ')} {value:g}" for key, value in document["question"].items())
    plain = {"epsilon": "nothing is private", "malicious": "nobody lies"}
    supposed = " and ".join(words for key, words in plain.items() if key in document["question"])
    title = "guaranteed (regret of all agents together" + (f"; if {supposed})" if supposed else ")")
    lines = [f"plan: {asked}", "", title, *map(_guarantee, document["guaranteed"])]
    if document["lower_bound"] is not None:
        behind = of_number(*own_lower_bound.STATEMENT).shown
        lines.append(
            f"  at least     {document['lower_bound']:>12.6g}   on some world with gap 1, for any estimator ({behind})"
        )
    lines += [f"  note: {note}" for note in document["notes"]]
    lines += _demands("private{}, by who adds the noise", "where", document["private"])
    lines += _demands("with lying agents{}, regret of the honest ones", "aggregator", document["robust"])
    lines += ["", "to expect", *_expected(document["expected"])]
    lines += ["", "protocols", f"  {'':16}{'rounds':>12}{'numbers':>14}{'bytes':>14}{'guarantee':>14}"]
    for row in document["protocols"]:
        if "rounds" not in row:
            lines.append(f"  {row['protocol']:16}{row['why']}")
            continue
        mark = "*" if row["protocol"] == document["cheapest"] else " "
        guarantee = "vacuous" if row["vacuous"] else f"{row['regret']:.6g}"
        lines.append(
            f"{mark} {row['protocol']:16}{row['rounds']:>12.6g}{row['numbers']:>14.6g}"
            + f"{row['bytes']:>14.6g}{guarantee:>14}"
            + f"  {shown(row)}"
            + ("" if row["allowed"] else ", not allowed")
        )
    demanding = {"epsilon", "malicious"} & document["question"].keys()
    lines.append(
        f"  cheapest: {document['why']}" + ("; neither private nor robust: see above" if demanding else "")
    )
    if document["three_rates"]:
        lines += ["", "which learning rate (means over the same few worlds; docs/rates.md)"]
        lines.append(f"  {'':20}{'regret':>12}{'bound':>12}")
        for row in document["three_rates"]:
            after = "   observed after the run, probability 0.9" if row["rates"] == "adaptive" else ""
            after += "; the data of a run excluded every function" if row["bound"] is None else ""
            bound = "none" if row["bound"] is None else f"{row['bound']:.6g}"
            lines.append(f"  {row['rates']:20}{row['regret']:>12.6g}{bound:>12}{after}")
    if document["rates"]:
        rates = [f"{rate:.4g}" for rate in document["rates"][1:]]
        listed = ", ".join(rates[:6]) + (f", ..., {rates[-1]}" if len(rates) > 7 else "")
        lines += ["", f"rates of epochs 2, 3, ...: {listed}"]
    if document["break_even"] is not None:
        lines.append(
            f"federating pays from {document['break_even']} agents on (guarantee and price, per agent)"
        )
    elif document["rates"]:
        lines.append("federating does not pay at this price, up to a million agents")
    return "\n".join(lines) + "\n"


def _guarantee(row: dict[str, Any]) -> str:
    if row["value"] is None:
        return f"  {row['variant']:12} {row['why']}"
    words = "vacuous" if row["vacuous"] else f"{row['per_step']:.3g} a step"
    words = "order only" if row["order_only"] else words
    return f"  {row['variant']:12} {row['value']:>12.6g}   {words:14} {shown(row)}"


def _demands(title: str, key: str, rows: list[dict[str, Any]]) -> list[str]:
    lines = ["", title.format(f" ({rows[0]['claim']})" if "claim" in rows[0] else "")] if rows else []
    for row in rows:
        if row["value"] is None:
            lines.append(f"  not guaranteed: {row['why']}")
            continue
        words = "vacuous" if row["vacuous"] else ""
        lines.append(f"  {row[key]:12} {row['value']:>12.6g}   {words:14} {shown(row)}")
    return lines


def _expected(found: dict[str, Any]) -> list[str]:
    if found["mean"] is None or "interval" not in found:
        return [f"  not simulated: {found['why']}"]
    low, high = found["interval"]
    return [
        f"  regret {found['mean']:.6g}, {found['per_step']:.3g} a step (mean of {found['worlds']} worlds)",
        f"  approximate 99% interval [{low:.6g}, {high:.6g}] for the mean of as many other worlds",
        f"  family: {found['family']}",
    ]
