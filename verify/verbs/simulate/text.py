"""Write the text that `simulate` prints."""

from collections.abc import Mapping
from typing import Any

from fedigw.privacy.ledger import words as privacy_words
from verify.recorded import Recorded
from verify.verdict import shown

WIDE = "wide: it holds for any distribution, and allows for rare losses"


def _risk(epochs: list[dict[str, Any]]) -> list[str]:
    known = [row for row in epochs if "excess_risk" in row]
    if not known:
        return []
    last = known[-1]
    promised = f", guaranteed {last['guaranteed_risk']:.3g}" if "guaranteed_risk" in last else ""
    return [f"  excess risk    {last['excess_risk']:.3g} of the last model{promised}"]


def _runs(count: int) -> str:
    return "1 replication" if count == 1 else f"{count} replications"


def _answer(document: Mapping[str, Any]) -> str:
    mean, regret = document["regret"]["mean"], document["bounds"]["regret"]
    rows = [] if regret is None else regret["variants"]
    broken = document["violated"] or any(row.get("risk_violated") for row in document["epochs"])
    if broken or any(row["violated"] and row["verdict"] != "refuted" for row in rows):
        return f"Mean regret {mean:.6g}, and a guarantee is VIOLATED."
    rows = [row for row in rows if row["verdict"] not in ("refuted", "undecided")]
    telling = [row for row in rows if not row["vacuous"]]
    if not telling:
        none = "its bound is vacuous at this horizon" if rows else "no bound known beforehand holds for it"
        return f"Mean regret {mean:.6g}; {none}."
    least = min(telling, key=lambda row: row["value"])
    times = f", {least['value'] / mean:.3g} times the mean" if mean > 0 else ""
    proved, value = least["verdict"] == "proved", f"{least['value']:.6g}"
    said = f"at most {value} is guaranteed" if proved else f"its bound is {value}"
    return f"Mean regret {mean:.6g}; {said}{times}: {shown(least)}."


def text(document: Mapping[str, Any]) -> str:
    lines = [
        _answer(document),
        f"{_runs(document['replications'])}, {document['protocol']}, seed {document['seed']}",
        *_regret(document["regret"]),
    ]
    if liars := document["liars"]:
        agents, who = len(document["epochs"][0]["lengths"]), ", ".join(map(str, liars))
        honest = agents - len(liars)
        lines.append(f"  regret of the {honest} honest agents: {len(liars)} of {agents} lie ({who})")
    for broken in document["violated"]:
        lines.append(
            f"  VIOLATED: {document['protocol']} promised a squared distance from the minimiser of at most"
            f" {broken['promised']:.3g} in epoch {broken['epoch']} and delivered {broken['delivered']}"
        )
    risks = [row for row in document["epochs"] if row.get("risk_violated")]
    for row in risks[:1]:
        lines.append(
            f"  VIOLATED: the mean excess risk of what epoch {row['epoch']} taught is {row['excess_risk']:.3g};"
            f" {document['protocol']} guarantees {row['guaranteed_risk']:.3g}"
        )
    if document["violated"] or risks:
        lines.append("  no bound holds where what it rests on does not")
    lines += [f"  no bound: {reason}" for reason in document["no_bound"]]
    regret = document["bounds"]["regret"]
    if regret is not None and not document["violated"] and not risks:
        lines += [_bound(row) for row in regret["variants"]]
        lines += [f"  {remark}" for remark in document["remarks"]]
    lines += _observed(document["observed"], document["replications"])
    if (least := document["lower"]) is not None:
        behind = f"({least['claim']}, {shown(least)})"
        lines.append(f"  at least         {least['value']:.6g}  for any estimator: gap 1 {behind}")
    lines += _risk(document["epochs"])
    if (event := document.get("event")) is not None:  # what the paper of a rival proves with high probability
        lines.append(f"  {event['said']}, in {event['kept']} of {event['of']} replications")
    if document.get("privacy") is not None:
        lines.append(f"  privacy        {privacy_words(document['privacy'])}")
    lines += [f"  {note}" for note in document.get("notes", [])]
    if (stop := document.get("certificate")) is not None:
        held, asked = stop["calls"] - stop["without"], stop["asked"]
        before = "no schedule is proved" if asked is None else f"theory asks for {asked:.6g} beforehand"
        said = f"{held} of {stop['calls']} calls ended with one; at most {stop['rounds']} rounds in a call"
        lines.append(f"  certificate    {said}, its exchanges included ({before})")
    lines += [f"  {name:14} {value:.6g}" for name, value in document["traffic"].items()]
    lines += [
        _cost(quantity, row, document["protocol"])
        for quantity, row in document["bounds"].items()
        if quantity != "regret" and row is not None
    ]
    return "\n".join(lines) + "\n"


def _observed(observed: dict[str, Any] | None, replications: int) -> list[str]:
    if observed is None:
        return []
    delta, said = observed["delta"], ""
    lines = []
    if observed["realizability_fails"]:
        first = observed["realizability_fails"][0]
        lines.append(
            f"  no function of the class is left in {observed['realizability_fails_in']} of {replications} replications"
            f" (first noted after {first['samples']} samples of replication {first['replication']}): realizability"
            " fails (f* is not in the class), or this is the event of probability delta"
        )
    behind = f"({observed['claim']}, {shown(observed)})"
    failed = f"exceeded in {observed['exceeded']} of {replications}, allowed {delta:g}"
    if observed["violated"]:
        failed = f"VIOLATED: {failed}, the share is at least {observed['share_at_least']:.3g}"
    if observed["vacuous"]:
        said = f"  vacuous: {observed['trivial']:.6g} is known without learning;"
    elif observed["vacuous_runs"]:
        runs, trivial = observed["vacuous_runs"], f"{observed['trivial']:.6g}"
        said = f"  vacuous in {runs} runs: they count as {trivial}, which is known without learning;"
    left = "" if observed["left"] is None else f"; {observed['left']:.3g} possible truths left"
    return [
        *lines,
        f"  observed bound   {observed['bound']:.6g}{said}  mean of what each run knows of its own regret with"
        f" probability {1 - delta:g} {behind}; {failed}",
        f"  without the context law {observed['any_law']:.6g}{left}",
    ]


def _regret(regret: dict[str, Any]) -> list[str]:
    confidence = f"{1 - regret['level']:.0%}"
    low, high = regret["guaranteed"]
    if regret["interval"] is None:
        lines = [f"regret {regret['mean']:.6g}   one replication: no standard error"]
    else:
        method = regret["method"].removeprefix("approximate: ")
        lines = [
            f"regret {regret['mean']:.6g}   standard error {regret['standard_error']:.3g}, approximate {confidence}"
            f" interval [{regret['interval'][0]:.6g}, {regret['interval'][1]:.6g}] ({method})"
        ]
    return [*lines, f"  guaranteed {confidence} interval [{low:.6g}, {high:.6g}] ({WIDE})"]


def _bound(row: dict[str, Any]) -> str:
    known = Recorded.of(row)
    line = f"  bound {row['variant']:10} {row['value']:.6g}"
    if row["verdict"] == "refuted":
        return f"  {row['variant']} {row['value']:.6g}  {known.caution}"
    if row["violated"]:
        return f"{line}  VIOLATED: the guaranteed interval of the mean lies above it"
    words = known.shown + (f", {known.caution}" if known.caution else "")
    if row["vacuous"]:
        return f"{line}  vacuous: {row['trivial']:.6g} is known without learning  ({words})"
    factor = f"{row['factor']:.2f} times the mean" if row["factor"] else "the regret is 0"
    return f"{line}  {factor}  ({words})"


def _cost(quantity: str, row: dict[str, Any], protocol: str) -> str:
    if row["violated"]:
        more = f"more in a call than it declares ({row['value']:.6g} in all)"
        return f"  VIOLATED: {protocol} sent {row['measured']:.6g} {quantity}, {more}"
    decided = row["verdict"] != "undecided"
    behind = shown(row) if decided else f"declared by {protocol}, {row['verdict_source']}"
    counted = "computed without simulating messages"
    if row["counted"] == "messages":  # means are above, among the traffic
        counted = f"counted at most {row['measured']:.6g} in a replication"
    return f"  {quantity} at most {row['value']:.6g} ({behind}); {counted}"
