"""What each FL protocol sends, what is guaranteed with it, and which is the cheapest under the constraints."""

from __future__ import annotations

from typing import Any

from bounds.errors import InputError
from verify.verbs.plan.question import Question

BYTES = 8  # of a number
LINEAR = ("direct", "cg", "agd", "agd_convex", "chebyshev")
CONVEX = ("fedavg", "scaffold")  # by their proved schedules, col:convex
QUANTITIES = ("regret", "calls", "rounds", "numbers")
ABOUT = {
    "exact_minimiser": "every agent sends the loss of every function",
    "direct": "every agent sends its Gram matrix once a call: exact",
    "cg": "conjugate gradients: exact in d rounds",
    "agd": "accelerated gradients to a tolerance of 0.1",
    "agd_convex": "accelerated gradients, sqrt(n) rounds",
    "chebyshev": "Chebyshev's iteration to a tolerance of 0.1",
    "fedavg": "by the proved schedule, tolerance 0.5; in practice far fewer rounds do",
    "scaffold": "by the proved schedule, tolerance 0.5; in practice far fewer rounds do",
}


def protocols(question: Question) -> list[dict[str, Any]]:
    """One row a protocol; where it cannot be evaluated, why."""
    if not question.linear:
        return [_row(question, question.claim, "exact_minimiser")]
    rows = [_row(question, "col:linear", name) for name in LINEAR]
    return rows + [_row(question, "col:convex", name) for name in CONVEX]


def numbers_per_agent(question: Question, agents: int) -> float:
    """What one agent of that many sends and receives with the exact protocol."""
    name = "direct" if question.linear else "exact_minimiser"
    row = question.bound("sharpened", "numbers", name, agents)
    return float(row["value"]) / agents


def _row(question: Question, claim: str, name: str) -> dict[str, Any]:
    try:
        variant = "best" if question.arms > 1 else "sharpened"  # the smallest that there is
        found = {q: question.bound(variant, q, name, claim=claim) for q in QUANTITIES}
    except InputError as error:
        return {"protocol": name, "allowed": False, "why": str(error)}
    row: dict[str, Any] = {q: found[q]["value"] for q in QUANTITIES}
    row |= {
        "protocol": name,
        "about": ABOUT[name],
        "claim": claim,
        "bytes": BYTES * row["numbers"],
        "vacuous": found["regret"]["vacuous"],
        "verdict": found["regret"]["verdict"],
        "counts_verdict": found["numbers"]["verdict"],
    }
    limit = question.rounds_limit
    row["allowed"] = limit is None or row["rounds"] <= limit
    row["why"] = "" if row["allowed"] else f"{row['rounds']:.6g} rounds are more than the {limit} allowed"
    return row


def cheapest(question: Question, rows: list[dict[str, Any]]) -> dict[str, Any] | None:
    """The allowed protocol with the smallest guarantee plus price of its numbers; without a price, fewest numbers."""
    allowed = [row for row in rows if row["allowed"]]
    if question.price is None:
        return min(allowed, key=lambda row: float(row["numbers"]), default=None)
    price = question.price
    return min(allowed, key=lambda row: float(row["regret"]) + price * float(row["numbers"]), default=None)
