"""What is guaranteed: every variant of the bound with its verdict, and what no run with these rates can undercut."""

from __future__ import annotations

from typing import Any

from bounds.errors import InputError
from verify.verbs.plan.question import Question

VARIANTS = ("printed", "repaired", "sharpened", "best")
STANDS = ("kernel", "proved")


def guarantees(question: Question) -> list[dict[str, Any]]:
    """One row a variant, exactly as `bound` has it; none for one arm, whose regret is 0."""
    if question.arms < 2:
        return []
    rows = []
    for variant in VARIANTS:
        try:
            rows.append(_row(question.bound(variant), question))
        except InputError as error:
            rows.append({"variant": variant, "value": None, "verdict": "-", "why": str(error)})
    return rows


def _row(document: dict[str, Any], question: Question) -> dict[str, Any]:
    steps = question.agents * question.horizon
    return {
        "variant": document["variant"],
        "value": document["value"],
        "per_step": document["value"] / steps,
        "trivial": document["trivial"],
        "vacuous": document["vacuous"],
        "informative_from": document["first_informative_horizon"],
        "order_only": document.get("order_only", False),
        "verdict": document["verdict"],
        "hypotheses": document["hypotheses"],
    }


def smallest(rows: list[dict[str, Any]]) -> dict[str, Any] | None:
    """The smallest bound that a proof stands behind and that says something; None where there is none."""
    good = [
        r for r in rows if r["verdict"] in STANDS and not r.get("vacuous", True) and not r.get("order_only")
    ]
    return min(good, key=lambda row: float(row["value"]), default=None)


def guaranteed(question: Question, agents: int) -> float:
    """The smallest proved bound with that many agents, said or not said by it: for comparisons over M."""
    values = []
    for variant in ("sharpened", "best"):
        try:
            values.append(float(question.bound(variant, agents=agents)["value"]))
        except InputError:
            continue
    return min(values)


def break_even(question: Question, numbers_per_agent: Any) -> int | None:
    """The number of agents from which each is better off than alone: guarantee per agent and price of its messages
    below the guarantee of one agent that talks to nobody. None: not up to a million agents."""
    alone = guaranteed(question, 1)
    price = question.price or 0.0

    def pays(agents: int) -> bool:
        return guaranteed(question, agents) / agents + price * numbers_per_agent(agents) < alone

    high = 2
    while not pays(high):
        high *= 2
        if high > 1_000_000:
            return None
    low = high // 2  # does not pay, or is 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if pays(middle) else (middle, high)
    return high
