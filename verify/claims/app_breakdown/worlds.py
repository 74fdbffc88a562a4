"""The same messages, two sets of honest agents: no rule is right about both."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from verify.claim import Evidence, Task
from verify.verdict import Verdict

MOST = 12


def honest_pairs(agents: int, lying: int) -> tuple[list[int], set[int], set[int]] | None:
    """Messages, and two disjoint honest sets of M - f agents, each of one mind; None where they do not fit."""
    honest = agents - lying
    if 2 * honest > agents:
        return None
    messages = [0] * honest + [1] * honest + [1] * (agents - 2 * honest)
    return messages, set(range(honest)), set(range(honest, 2 * honest))


def two_worlds(task: Task, fewer: int = 0) -> Evidence:
    """All M <= 12, f >= M/2: the same messages, two honest sets; control: one half minus one.

    For every M <= 12 and f >= M/2 - fewer: two honest sets of variance 0 with different means. fewer, for the
    control: one liar fewer than half, where the trimmed mean has a finite constant.
    """
    shown = 0
    for agents in range(2, MOST + 1):
        for lying in range(max(1, -(-agents // 2) - fewer), agents):
            found = honest_pairs(agents, lying)
            if found is None:
                return Evidence(
                    Verdict.REFUTED,
                    f"M = {agents}, f = {lying}: any two honest sets share an agent; the trimmed mean has"
                    f" {Fraction(lying, agents - 2 * lying)}",
                    {"agents": agents, "lying": lying},
                )
            messages, first, second = found
            groups = [[Fraction(messages[m]) for m in who] for who in (first, second)]
            means = [sum(group, Fraction(0)) / len(group) for group in groups]
            spread = [sum((x - mean) ** 2 for x in group) for group, mean in zip(groups, means, strict=True)]
            assert spread == [0, 0]
            if not all(a != b for a, b in pairwise(means)):
                return Evidence(Verdict.REFUTED, f"M = {agents}, f = {lying}: the means agree", {})
            shown += 1
    return Evidence(
        Verdict.EXACT,
        f"{shown} pairs with M <= {MOST}: variance 0 around 0 and around 1, the same messages",
        {"pairs": shown},
    )
