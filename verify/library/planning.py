"""plan: what is guaranteed, what to expect and what it costs, for a federation that is only thought of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Plan:
    """guaranteed: rows, one a variant, as `bound` has them. expected: by simulation. protocols: rows."""

    guaranteed: tuple[Mapping[str, Any], ...]
    expected: Mapping[str, Any]
    protocols: tuple[Mapping[str, Any], ...]
    cheapest: str | None
    break_even: int | None
    notes: tuple[str, ...]
    document: Mapping[str, Any]

    def __str__(self) -> str:
        from verify.planner.words import text

        return text(dict(self.document)).rstrip()

    def _repr_html_(self) -> str:
        from verify.library.showing import html_grid

        columns = ("protocol", "rounds", "numbers", "bytes", "regret", "vacuous")
        return html_grid(("variant", "value", "vacuous", "verdict"), self.guaranteed) + html_grid(
            columns, self.protocols
        )


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
    seed: int = 0,
) -> Plan:
    """plan(50, 5, 10**5, dimension=10)."""
    from verify.planner.answer import answer
    from verify.planner.question import Question

    question = Question(
        agents, arms, horizon, dimension, class_size, price, rounds_limit, epsilon, delta, malicious
    )
    document = answer(question, seed)
    return Plan(
        tuple(document["guaranteed"]),
        document["expected"],
        tuple(document["protocols"]),
        document["cheapest"],
        document["break_even"],
        tuple(document["notes"]),
        document,
    )
