"""plan: choose a protocol and learning rates for a federation, with guarantees, expected regret and cost."""

from __future__ import annotations

import argparse
import html
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import partial
from numbers import Integral
from pathlib import Path
from typing import Any

from bounds.errors import InputError
from verify import options, showing
from verify.verbs.plan.question import Question

__all__ = ["Plan", "plan"]
EXAMPLE = "python -m verify plan --agents 50 --arms 5 --dimension 10 --horizon 1e5"
PYTHON = """
answer = plan(50, 5, 10**5, dimension=10)
assert answer.cheapest == "direct\""""
UNITS = {
    "malicious": "a number of agents, e.g. 20, or 0 if nobody lies",
    "bytes_limit": "a number of bytes, e.g. 1e7 for 10 MB",
}
NOTHING = {"mean": None, "family": "-", "why": "there is nothing to learn, or no time to use it"}


@dataclass(frozen=True)
class Plan:
    """The protocol that `plan` advises for a federation, and why.

    * answer: one sentence; cheapest: the protocol to use, None if none meets the request
    * guaranteed: a row for each variant of the regret bound; protocols: a row for each protocol
    * expected: the regret in simulations; break_even: the smallest number of agents for which federating pays
    * file: an instance file for `simulate`; notes: what is not guaranteed, and why
    """

    guaranteed: tuple[Mapping[str, Any], ...]
    expected: Mapping[str, Any]
    protocols: tuple[Mapping[str, Any], ...]
    cheapest: str | None
    break_even: int | None
    notes: tuple[str, ...]
    answer: str
    file: Mapping[str, Any] | None
    document: Mapping[str, Any]

    def __str__(self) -> str:
        from verify.verbs.plan.text import text

        return text(self.document).rstrip()

    def _repr_html_(self) -> str:
        columns = ("protocol", "rounds", "numbers", "bytes", "regret", "expected", "vacuous", "why")
        guaranteed = showing.html_grid(("variant", "value", "vacuous", "verdict", "by"), self.guaranteed)
        allowed_first = sorted(self.protocols, key=lambda row: not row["allowed"])
        return f"<p>{html.escape(self.answer)}</p>{showing.html_grid(columns, allowed_first)}{guaranteed}"

    def plot(self, path: str | None = None) -> Any:
        """Draw the regret bounds against the horizon, and the expected regret at the planned horizon. Save the picture
        if a path is given."""
        from verify.verbs.plan.page import draw

        return draw(Question(**self.document["question"]), self.document, path)


def plan(
    agents: int,
    arms: int,
    horizon: int,
    *,
    dimension: int | None = None,
    class_size: int | None = None,
    price: float | None = None,
    rounds_limit: int | None = None,
    epsilon: float | None = None,
    delta: float = 1e-5,
    malicious: int = 0,
    asynchronous: bool = False,
    bytes_limit: int | None = None,
    seed: int = 0,
) -> Plan:
    """Choose a protocol and learning rates for a federation, e.g. plan(50, 5, 10**5, dimension=10).

    dimension: of linear rewards; or class_size: number of functions of a finite class. price: cost of sending a number,
    in units of regret. rounds_limit, bytes_limit: for all epochs together. epsilon, delta: required differential
    privacy. malicious: number of lying agents. asynchronous: whether agents act at different times.
    """
    sizes = map(_whole, (agents, arms, horizon, dimension, class_size))
    limits: Any = (price, _whole(rounds_limit), epsilon, delta, malicious, asynchronous, _whole(bytes_limit))
    return of_question(Question(*sizes, *limits), seed)


def _whole(value: Any) -> Any:
    """Return a number such as 1e5, or one of numpy's, as an int if it is an integer; anything else as it is."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return int(value) if isinstance(value, Integral) and not isinstance(value, bool) else value


def of_question(question: Question, seed: int) -> Plan:
    from verify.verbs.plan import expectation, files, guarantees
    from verify.verbs.plan.text import answer

    rows, table = guarantees.guarantees(question), guarantees.protocols(question)
    best, chosen = guarantees.smallest(rows), guarantees.cheapest(question, table)
    small = question.arms < 2 or question.horizon < 2 or question.class_size == 1
    expectation.of_rows(question, () if small else table, seed)
    rated = chosen is not None and not small
    document: dict[str, Any] = {
        "question": _asked(question),
        "claim": question.claim,
        "guaranteed": rows,
        "smallest": best,
        "lower_bound": None if small else expectation.lower_bound(question),
        "expected": NOTHING if small else expectation.expected(question, seed),
        "rates": chosen["rates"] if chosen and rated else [],
        "three_rates": expectation.three_rates(question, chosen, seed) if chosen and rated else [],
        "rival": expectation.rival(question, chosen, seed) if chosen and rated else None,
        "private": guarantees.private(question),
        "robust": guarantees.robust(question),
        "protocols": table,
        "cheapest": None if chosen is None else chosen["protocol"],
        "why": _why(question, table, chosen),
        "break_even": None if small else guarantees.break_even(question),
        "notes": _notes(question, rows, best),
    }
    document["answer"] = answer(document)
    try:
        document["file"] = files.file(question, chosen, seed) if chosen and rated else None
    except InputError:
        document["file"] = None
    shown = {f.name: document[f.name] for f in fields(Plan) if f.name != "document"}
    frozen: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in shown.items()}
    return Plan(**frozen, document=document)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--agents", "-M", required=True, metavar="M")
    parser.add_argument("--arms", "-K", required=True, metavar="K")
    parser.add_argument("--horizon", "-T", required=True, metavar="T", help="steps of every agent, e.g. 1e5")
    parser.add_argument("--dimension", "-d", metavar="d", help="linear rewards")
    parser.add_argument("--class-size", "-F", metavar="F", help="a finite class of F functions")
    parser.add_argument("--price", metavar="P", help="of sending one number, in units of regret")
    parser.add_argument("--rounds-limit", metavar="R", help="rounds of communication in a whole run, at most")
    parser.add_argument("--epsilon", metavar="E", help="the whole run must be (E, delta)-private")
    parser.add_argument("--delta", metavar="D", default="1e-5", help="of the privacy (default 1e-5)")
    parser.add_argument("--malicious", metavar="F", default="0", help="agents that lie (default 0)")
    parser.add_argument("--asynchronous", action="store_true", help="agents act at times of their own")
    parser.add_argument("--bytes-limit", metavar="B", help="bytes sent in a whole run, at most")
    parser.add_argument("--seed", default="0", help="of the simulation (default 0)")
    parser.add_argument("--page", type=Path, metavar="FILE.html", help="an interactive page, offline")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="bounds by horizon, .svg, .png or .pdf")
    parser.add_argument("--write", type=Path, metavar="FILE.toml", help="the federation, for `simulate`")
    parser.add_argument("--json", action="store_true", help="machine-readable")


def execute(given: argparse.Namespace) -> int:
    from verify.verbs.plan.text import text

    counts = ("agents", "arms", "horizon", "dimension", "class_size", "rounds_limit", "bytes_limit")
    readers: dict[str, Any] = dict.fromkeys((*counts, "malicious"), options.count)
    for name, allowed in UNITS.items():
        readers[name] = partial(options.count, allowed=allowed)
    readers |= dict.fromkeys(("price", "epsilon", "delta"), options.number)
    words = {name: getattr(given, name) for name in readers if getattr(given, name) is not None}
    if words["malicious"] == "0":
        del words["malicious"]
    question = Question(
        **{name: readers[name](f"--{name.replace('_', '-')}", word) for name, word in words.items()},
        asynchronous=given.asynchronous,
    )
    options.refuse_existing("--page", given.page, (".html",))
    options.refuse_existing("--plot", given.plot, options.PICTURES)
    options.refuse_existing("--write", given.write, (".toml",))
    found = of_question(question, options.integer("--seed", given.seed, 0))
    if given.page is not None:
        from verify.verbs.plan.page import render

        with options.writing("--page", given.page):
            given.page.write_text(render(found.document), "utf-8")
    if given.plot is not None:
        with options.writing("--plot", given.plot):
            found.plot(str(given.plot))
    if given.write is not None:
        if found.file is None:
            raise InputError("--write", str(given.write), f"there is nothing to simulate: {found.answer}")
        from fedigw.instance_file import to_toml

        with options.writing("--write", given.write):
            given.write.write_text(to_toml(found.file, (found.answer,)), "utf-8")
    options.show(found.document, text, given.json)
    return 0


def _asked(question: Question) -> dict[str, Any]:
    asked = {k: v for k, v in vars(question).items() if v is not None and v is not False}
    unused = [k for k, used in (("malicious", question.malicious), ("delta", question.epsilon)) if not used]
    return {k: v for k, v in asked.items() if k not in unused}


HALVES = (("--malicious", "private"), ("--epsilon", "robust"))  # without this flag, these protocols qualify


def _why(question: Question, table: list[dict[str, Any]], chosen: dict[str, Any] | None) -> str:
    if chosen is None:
        from verify.verbs.plan.guarantees import nearest

        if question.epsilon is not None and question.malicious:
            half = [row for row in table if len(row["lacks"]) == 1]
            found = [(flag, nearest(question, [r for r in half if r.get(has)])) for flag, has in HALVES]
            if words := [f"without {flag}: {row['protocol']}" for flag, row in found if row]:
                return f"none here is both private and safe against liars; {'; '.join(words)}"
        closest = nearest(question, table)
        if closest is None:
            return "nothing can be evaluated"
        return f"the nearest is {closest['protocol']}: {closest['why']}"
    if question.price is None:
        same = [row for row in table if row["allowed"] and row["numbers"] == chosen["numbers"]]
        tie = " and has the smallest guarantee of those that send as few" if len(same) > 1 else ""
        return (
            f"{chosen['protocol']} sends the fewest numbers, {chosen['numbers']:.6g}, of those allowed{tie}"
        )
    total = chosen["regret"] + question.price * chosen["numbers"]
    added = f"{chosen['regret']:.6g} + {question.price:g} x {chosen['numbers']:.6g} = {total:.6g}"
    return f"{chosen['protocol']} has the smallest sum of guarantee and price: {added}"


def _notes(question: Question, rows: list[dict[str, Any]], best: dict[str, Any] | None) -> list[str]:
    notes = []
    if question.arms < 2:
        notes.append("one arm: every step is right, the regret is 0 and nothing needs to be learned")
    if question.class_size == 1:
        notes.append("one function: it is the truth; nothing is learned, and no learning rate is defined")
    if question.horizon < 3:
        notes.append("a horizon below 3: the run ends before anything that was learned is used")
    if best is None and question.arms >= 2:
        later = [r.get("informative_from") for r in rows if r["verdict"] == "proved"]
        when = f"from T = {min(filter(None, later))} on one does" if any(later) else "none does later"
        notes.append(f"no proved bound says more than what is known without learning at this horizon; {when}")
    if question.linear and int(question.dimension or 1) > question.agents * question.horizon:
        notes.append("the dimension is above the number of samples: the estimate is mostly the regulariser's")
    return notes
