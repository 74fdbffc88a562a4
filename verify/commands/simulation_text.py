"""What `simulate` prints: its document in words."""

from __future__ import annotations

from typing import Any

from fedigw.privacy.ledger import words as privacy_words
from verify.recorded import Word
from verify.verdict import Verdict

WIDE = (
    "as wide as it is because it holds whatever the law of a run is, and so leaves room for a rare loss,"
    " as large as the epochs allow, that these replications may have missed"
)


def _risk(epochs: list[dict[str, Any]]) -> list[str]:
    """The last excess risk that was measured; every epoch's is in the JSON."""
    known = [row for row in epochs if "excess_risk" in row]
    if not known:
        return []
    last = known[-1]
    promised = f", guaranteed {last['guaranteed_risk']:.3g}" if "guaranteed_risk" in last else ""
    return [f"  excess risk    {last['excess_risk']:.3g} of what epoch {last['epoch']} taught{promised}"]


def text(document: dict[str, Any]) -> str:
    lines = [
        f"{document['replications']} replications, {document['protocol']}, seed {document['seed']}",
        *_regret(document["regret"]),
    ]
    for broken in document["violated"]:
        lines.append(
            f"  VIOLATED: {document['protocol']} promised a squared distance from the minimiser of at most"
            f" {broken['promised']:.3g} in epoch {broken['epoch']} and delivered {broken['delivered']}"
        )
    if document["violated"]:
        lines.append("  no bound holds for a protocol that does not keep its word")
    lines += [f"  no bound: {reason}" for reason in document["no_bound"]]
    regret = document["bounds"]["regret"]
    if regret is not None and not document["violated"]:
        lines += [_bound(row) for row in regret["variants"]]
        lines += [f"  {remark}" for remark in document["remarks"]]
    lines += _risk(document["epochs"])
    if document["privacy"] is not None:
        lines.append(f"  privacy        {privacy_words(document['privacy'])}")
    lines += [f"  {name:14} {value:.6g}" for name, value in document["traffic"].items()]
    lines += [
        _cost(quantity, row, document["protocol"])
        for quantity, row in document["bounds"].items()
        if quantity != "regret" and row is not None
    ]
    return "\n".join(lines) + "\n"


def _regret(regret: dict[str, Any]) -> list[str]:
    confidence = f"{1 - regret['level']:.0%}"
    low, high = regret["guaranteed"]
    rule = f"; {regret['range_rule']}" if regret["range_rule"] else ""
    if regret["interval"] is None:
        lines = [f"regret {regret['mean']:.6g}   one replication: no standard error"]
    else:
        method = regret["method"].removeprefix("approximate: ")
        lines = [
            f"regret {regret['mean']:.6g}   standard error {regret['standard_error']:.3g}, approximate {confidence}"
            f" interval [{regret['interval'][0]:.6g}, {regret['interval'][1]:.6g}] ({method})"
        ]
    return [*lines, f"  guaranteed {confidence} interval [{low:.6g}, {high:.6g}]: {WIDE}{rule}"]


def _bound(row: dict[str, Any]) -> str:
    known = Word(Verdict(row["verdict"]), row["verdict_source"])
    shown = f"  bound {row['variant']:10} {row['value']:.6g}"
    if known.verdict is Verdict.REFUTED:
        return f"  {row['variant']} {row['value']:.6g}  {known.caution}"
    if row["violated"]:
        return f"{shown}  VIOLATED: the guaranteed interval of the mean lies above it"
    words = f"{known.verdict}" + (f", {known.caution}" if known.caution else "")
    if row["vacuous"]:
        return f"{shown}  vacuous: {row['trivial']:.6g} is known without learning  ({words})"
    factor = f"{row['factor']:.2f} times the mean" if row["factor"] else "the regret is 0"
    return f"{shown}  {factor}  ({words})"


def _cost(quantity: str, row: dict[str, Any], protocol: str) -> str:
    if row["violated"]:
        return (
            f"  VIOLATED: {protocol} sent {row['measured']:.6g} {quantity}, more in a call than it declares"
            f" ({row['value']:.6g} in all)"
        )
    decided = row["verdict"] != Verdict.INCONCLUSIVE
    behind = row["verdict"] if decided else f"declared by {protocol}, {row['verdict_source']}"
    counted = f"counted {row['measured']:.6g}" if row["counted"] == "messages" else "no message was passed"
    return f"  {quantity} at most {row['value']:.6g} ({behind}); {counted}"
