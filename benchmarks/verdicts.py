"""What the race shows: our guaranteed rows against every peer at equal numbers of agent-steps, and what was asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from race import SHARED, Row

ONLINE_FACTOR, BATCH_FACTOR, AHEAD_AT = 100.0, 5.0, 10_000
GUARANTEES = {"before": "sharpened", "observed": "adaptive", "observed x 16": "adaptive x 16"}


@dataclass(frozen=True)
class Verdict:
    """One demand at one number of agent-steps. speed: ours over the fastest such peer's, whole runs; calls: the same
    with the library's calls alone; regret: ours over the peer's; behind: the peers of that kind with less regret."""

    asked: str
    steps: int
    factor: float
    ours: Row
    peer: Row
    behind: tuple[str, ...]

    @property
    def speed(self) -> float:
        return self.ours.rate / self.peer.rate

    @property
    def calls(self) -> float:
        return self.ours.rate / self.peer.calls_rate

    @property
    def regret(self) -> float:
        return self.ours.regret / self.peer.regret


def guaranteed(rows: Sequence[Row], steps: int) -> dict[str, Row]:
    """Guarantee -> our fastest row that has it, at that many agent-steps."""
    found: dict[str, Row] = {}
    for row in rows:
        if row.peer or row.steps != steps or row.guarantee not in GUARANTEES:
            continue
        if row.guarantee not in found or row.rate > found[row.guarantee].rate:
            found[row.guarantee] = row
    return {name: found[name] for name in GUARANTEES if name in found}


def rivals(rows: Sequence[Row], steps: int, world: str | None = SHARED) -> list[Row]:
    return [row for row in rows if row.peer and row.steps == steps and world in (None, row.world)]


def horizons(rows: Sequence[Row]) -> list[int]:
    return sorted({row.steps for row in rows if row.peer} & {row.steps for row in rows if not row.peer})


def verdicts(rows: Sequence[Row]) -> list[Verdict]:
    """Each demand at every number of agent-steps at which both sides ran, for each guarantee. A peer that is faster in
    its own shape is a rival for speed too, but there its regret is another world's: only the order is asked."""
    found = []
    for steps in horizons(rows):
        mine = guaranteed(rows, steps).values()
        here = rivals(rows, steps)
        online = [row for row in here if row.batch == 1]
        batch = [row for row in here if row.batch > 1]
        any_shape = [row for row in rivals(rows, steps, None) if row.batch > 1]
        for asked, factor, group in (
            ("100 times the fastest online peer", ONLINE_FACTOR, online),
            ("5 times the fastest batch peer", BATCH_FACTOR, batch),
            ("ahead of every batch peer, in any shape", 1.0, any_shape if steps == AHEAD_AT else []),
        ):
            if not group:
                continue
            for row in mine:
                behind = tuple(
                    other.title for other in group if other.regret < row.regret and other.world == SHARED
                )
                fastest = max(group, key=lambda other: other.rate)
                found.append(Verdict(asked, steps, factor, row, fastest, behind))
    return found


def said(value: float, needed: float, least: bool = True) -> str:
    """A ratio and whether it is what was asked."""
    met = value >= needed if least else value <= needed
    return f"{value:.3g}, {'met' if met else 'NOT MET'}"
