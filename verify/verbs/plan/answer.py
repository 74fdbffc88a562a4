"""The whole answer to a planning question, as one document."""

from __future__ import annotations

from typing import Any

from verify.verbs.plan import costs, demands, expectation, guarantees
from verify.verbs.plan.question import Question


def answer(question: Question, seed: int = 0) -> dict[str, Any]:
    """Guarantees, expectation, costs and what follows from them; `notes` say what is not guaranteed, and why."""
    rows = guarantees.guarantees(question)
    table = costs.protocols(question)
    best = guarantees.smallest(rows)
    chosen = costs.cheapest(question, table)
    small = question.arms < 2 or question.horizon < 2 or question.class_size == 1
    return {
        "question": _asked(question),
        "claim": question.claim,
        "guaranteed": rows,
        "smallest": best,
        "lower_bound": None if small else expectation.lower_bound(question),
        "expected": {"mean": None, "family": "-", "why": "there is nothing to learn, or no time to use it"}
        if small
        else expectation.expected(question, seed),
        "rates": [] if small else expectation.rates(question),
        "three_rates": [] if small else expectation.three_rates(question, seed),
        "private": demands.private(question),
        "robust": demands.robust(question),
        "protocols": table,
        "cheapest": None if chosen is None else chosen["protocol"],
        "why": _why(question, table, chosen),
        "break_even": None
        if small
        else guarantees.break_even(question, lambda m: costs.numbers_per_agent(question, m)),
        "notes": _notes(question, rows, best),
    }


def _asked(question: Question) -> dict[str, Any]:
    """What was given: without what has its usual value."""
    found = {k: v for k, v in vars(question).items() if v is not None and (k != "malicious" or v)}
    return {k: v for k, v in found.items() if k != "delta" or question.epsilon is not None}


def _why(question: Question, table: list[dict[str, Any]], chosen: dict[str, Any] | None) -> str:
    if chosen is None:
        least = min((row["rounds"] for row in table if "rounds" in row), default=None)
        return (
            f"no protocol has so few rounds; the fewest are {least:.6g}"
            if least
            else "nothing can be evaluated"
        )
    if question.price is None:
        return f"{chosen['protocol']} sends the fewest numbers, {chosen['numbers']:.6g}, of those allowed"
    total = chosen["regret"] + question.price * chosen["numbers"]
    return (
        f"{chosen['protocol']} has the smallest sum of guarantee and price: "
        f"{chosen['regret']:.6g} + {question.price:g} x {chosen['numbers']:.6g} = {total:.6g}"
    )


def _notes(question: Question, rows: list[dict[str, Any]], best: dict[str, Any] | None) -> list[str]:
    notes = []
    if question.arms < 2:
        notes.append("one arm: every step is right, the regret is 0 and nothing needs to be learned")
    if question.class_size == 1:
        notes.append(
            "one function: it is the truth, nothing needs to be learned, and no learning rate is defined"
        )
    if question.horizon < 3:
        notes.append("a horizon below 3: the run ends before anything that was learned is used")
    if best is None and question.arms >= 2:
        later = [
            r["informative_from"]
            for r in rows
            if r.get("informative_from") and r["verdict"] in guarantees.STANDS
        ]
        when = f"from T = {min(later)} on one does" if later else "none does later"
        notes.append(f"no proved bound says more than what is known without learning at this horizon; {when}")
    if question.linear and int(question.dimension or 1) > question.agents * question.horizon:
        notes.append("the dimension is above the number of samples: the estimate is mostly the regulariser's")
    return notes
