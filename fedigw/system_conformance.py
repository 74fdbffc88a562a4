"""Check a rival algorithm (called a system), the package's or a user's own, which plays whole games by itself."""

from dataclasses import replace
from typing import Any

import numpy as np

from bounds.errors import InputError
from fedigw.competing import compete, refuse, sizes_of, times_of, world_of
from fedigw.discovery import modules
from fedigw.federation import Federation, keys_of
from fedigw.game import Game, Met, System
from fedigw.kind import Kind

RUNS = 20
STANDARD_ERRORS = 4  # that a mean may lie above its bound by chance


class Mirrored:
    """A simulated environment with the contexts of another, but with the arms' mean rewards in reverse order."""

    def __init__(self, world: Any) -> None:
        self.world = world

    def __getattr__(self, name: str) -> Any:
        return getattr(self.world, name)

    def truth(self, agent: int) -> np.ndarray:
        return -np.asarray(self.world.truth(agent))

    def meet(self, replications: int, steps: int, rng: np.random.Generator) -> Met:
        met = self.world.meet(replications, steps, rng)
        return replace(met, means=met.means[..., ::-1])


class Blind(Game):
    """A game whose rewards are all 0, to test that an algorithm learns only from rewards. seen: what it played."""

    def _earned(self, arms: np.ndarray, means: np.ndarray) -> np.ndarray:
        self.seen = [*getattr(self, "seen", ()), np.array(arms)]
        return 0 * super()._earned(arms, means)

    def runs(self, counts: np.ndarray) -> np.ndarray:
        self.seen = [*getattr(self, "seen", ()), np.array(counts)]
        return 0 * super().runs(counts)

    def mixed(self, chances: np.ndarray, means: np.ndarray, gap: np.ndarray, steps: int) -> np.ndarray:
        self.seen = [*getattr(self, "seen", ()), np.array(chances)]
        return super().mixed(chances, means, gap, steps) * np.array([1, 0])[:, None, None]


def check_system(system: System, kind: Kind) -> list[str]:
    """Return the faults of a rival algorithm, as sentences. It must play every step, depend only on the seed and the
    rewards, send no more numbers than it declares and, on linear worlds, have no more regret than it declares. kind:
    the kind of world on which it is tried."""
    found, fitting = [], 0
    for name, module in modules(kind.environments, ("make", "EXAMPLES")).items():
        made = module.make(np.random.default_rng(0), **module.EXAMPLES[0])
        try:
            refuse(system, world_of(system, made))
            sizes_of(system, made)
        except InputError:
            continue
        fitting += 1
        found += [f"{name}: {problem}" for problem in _on(system, made)]
    if not fitting:
        found.append(f"no {kind.name} environment is one that it plays on")
    if not all(isinstance(v, (int, float, str, bool, tuple, type(None))) for v in keys_of(system).values()):
        found.append("its fields are not values that an instance file can hold")
    return list(dict.fromkeys(found))


def _on(system: System, federation: Federation) -> list[str]:
    try:
        first, again = (compete(system, federation, RUNS, 1) for _ in range(2))
    except AssertionError as error:  # of Game.finish
        return [str(error)]
    found, record, world = [], first.record, world_of(system, federation)
    if not np.array_equal(record.regret, again.record.regret):
        found.append("the seed does not decide everything")
    sent = record.total_traffic("numbers_up") + record.total_traffic("numbers_down")
    if np.max(sent) > (most := system.numbers_at_most(first.sizes)):
        found.append(f"sent {np.max(sent):g} numbers, declared {most:g}")
    if first.kept.shape != ((0,) if system.event is None else (RUNS,)):
        found.append(
            f"play returned shape {first.kept.shape}, must have one entry per replication if it has an event"
        )
    bound, total = system.regret_at_most(first.sizes), record.total_regret
    spread = total.std(ddof=1) / RUNS**0.5
    if bound is not None and world.generalised is None and total.mean() - STANDARD_ERRORS * spread > bound:
        found.append(f"VIOLATED: declared a regret of at most {bound:.6g}, lost {total.mean():.6g}")
    played = [_blind(system, federation, kind) for kind in (world, Mirrored(world))]
    if len(played[0]) != len(played[1]) or not all(map(np.array_equal, *played)):
        found.append("what it plays depends on the truth, which it can know only from rewards")
    return found


def _blind(system: System, federation: Federation, world: Any) -> list[np.ndarray]:
    ends, acting = times_of(federation)
    sizes, rng = sizes_of(system, federation), np.random.default_rng(1)
    game = Blind(world, sizes, ends, 1, rng, federation.link, acting, federation.arms)
    system.play(game)
    return game.seen
