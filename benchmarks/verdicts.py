"""What the race shows: our guaranteed rows against every peer at equal numbers of agent-steps, and what was asked."""

from collections.abc import Sequence
from dataclasses import dataclass

from race import SHARED, Row

CHOSEN = "x 64"  # ours with rates that were chosen for this world
ONLINE_FACTOR, BATCH_FACTOR, AHEAD_AT = 100.0, 5.0, 10_000
GUARANTEES = {"before": "sharpened", "observed": "adaptive", "observed x 64": "adaptive x 64"}


@dataclass(frozen=True)
class Verdict:
    """One demand at one number of agent-steps. speed: ours over the fastest such peer's, whole runs; calls: the same
    with the library's calls alone; regret: ours over that of the same peer, with the best of its settings."""

    asked: str
    steps: int
    factor: float
    ours: Row
    peer: Row
    best: Row

    @property
    def speed(self) -> float:
        return self.ours.rate / self.peer.rate

    @property
    def calls(self) -> float:
        return self.ours.rate / self.peer.calls_rate

    @property
    def regret(self) -> float:
        return self.ours.regret / self.best.regret

    @property
    def regret_of(self) -> str:
        """Whose regret it is, where it is not the fastest setting's: the setting, or the whole name of another rule."""
        if self.best.name == self.peer.name:
            return ""
        rule, _, setting = self.best.name.partition(", ")
        if rule != self.peer.name.partition(", ")[0]:
            return self.best.name
        return setting or "as it comes"


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


def like_with_like(ours: Row, peers: Sequence[Row]) -> list[Row]:
    """Rates as they come compete with peers as they come; those chosen for this world with every setting."""
    return [row for row in peers if CHOSEN in ours.guarantee or not chosen(row)]


def chosen(peer: Row) -> bool:
    """Whether a setting was chosen for this world: it is named after a comma."""
    return ", " in peer.name


def verdicts(rows: Sequence[Row]) -> list[Verdict]:
    """Each demand at every number of agent-steps at which both sides ran, for each guarantee. A peer that is faster in
    its own shape is a rival for speed too, but there its regret is another world's: only the order is asked."""
    found = []
    for steps in horizons(rows):
        here = rivals(rows, steps)
        online = [row for row in here if row.batch == 1]
        batch = [row for row in here if row.batch > 1]
        any_shape = [row for row in rivals(rows, steps, None) if row.batch > 1]
        for asked, factor, group in (
            ("100 times the fastest online peer", ONLINE_FACTOR, [r for r in online if not r.assembled]),
            ("the same, rules assembled by us included", ONLINE_FACTOR, online),
            ("5 times the fastest batch peer", BATCH_FACTOR, batch),
            ("ahead of every batch peer, in any shape", 1.0, any_shape if steps == AHEAD_AT else []),
        ):
            for row in guaranteed(rows, steps).values():
                mine = like_with_like(row, group)
                if mine:
                    fastest = max(mine, key=lambda other: other.rate)
                    found.append(Verdict(asked, steps, factor, row, fastest, _best(fastest, mine)))
    return found


def _best(fastest: Row, group: Sequence[Row]) -> Row:
    """The least regret of the same library with the same batch in the same world."""
    alike = (fastest.peer, fastest.batch, fastest.world)
    same = [row for row in group if (row.peer, row.batch, row.world) == alike]
    return min(same, key=lambda row: row.regret)


def said(value: float, needed: float, least: bool = True, of: str = "") -> str:
    """A ratio, what it is of if that needs saying, and whether it is what was asked."""
    met = value >= needed if least else value <= needed
    return f"{value:.4g}{f' (of {of})' if of else ''}, {'met' if met else 'NOT MET'}"
