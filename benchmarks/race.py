"""Race FedIGW against the bandit libraries of the files peer_*.py: steps per processor second, and regret per step.

The first environment is `sphere`, with 10 dimensions, 10 arms and one parameter. In every step each arm has a fresh
feature vector (1, u)/sqrt2 with u uniform on the sphere, and rewards are Bernoulli. In the other environments playing
greedily is not enough. Regret is the sum, over the steps, of the best arm's mean reward minus the mean reward of the
arm played, or minus its expectation if a program reports arm probabilities.

Another library ("peer") has two speeds: that of its whole run, which compares with a whole simulation of FedIGW, and
that of the calls into the library only, without drawing contexts and rewards. FedIGW cannot be divided in this way, so
the second speed favours the peer.

A peer file defines LIBRARY, the name of the module it imports, and ENTRIES, the programs to run. The library is
imported only when a program starts. Each program runs in a process of its own, so a crash loses only that one.
"""

import importlib
import importlib.metadata
import importlib.util
import json
import math
import subprocess
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from fedigw.applicable import applicable_bounds
from fedigw.federation import Federation
from fedigw.replications import simulate
from linear.contexts.engines.drawn import draw_contexts
from linear.contexts.finite import FiniteContexts
from linear.environments import finite_contexts, rare_direction, small_gap, sphere

HERE = Path(__file__).resolve().parent
DIMENSION = ARMS = 10
SHARED = "sphere"
SIZES = {"dimension": DIMENSION, "arms": ARMS}
WORLDS: dict[str, Callable[..., Federation]] = {
    SHARED: partial(sphere.make, **SIZES),
    "eight contexts": partial(finite_contexts.make, contexts=8, **SIZES),
    "100 contexts": partial(finite_contexts.make, contexts=100, **SIZES),
    "near ties": partial(small_gap.make, gap=0.1, arms=ARMS),
    "rare direction": partial(rare_direction.make, **SIZES),
}
SEEDS = {10_000: 10, 100_000: 5, 1_000_000: 3}  # agent-steps -> repetitions
HORIZONS = tuple(SEEDS)
ONLINE_SEEDS = {10_000: 5, 100_000: 3}
BLOCK = 1000  # steps whose contexts are drawn at once
LONGEST = 900.0  # seconds that a row may take on the wall, all repetitions together
PROGRAM = f"import sys; sys.path[:0] = [{str(HERE)!r}, {str(HERE.parent)!r}]; import race; race.one_row()"


@dataclass(frozen=True)
class Row:
    """The speed and regret of one program at one number of steps: a row of the race's table.

    steps           steps of all agents together in one run
    seconds         processor time of one run, the smallest of `seeds` runs
    calls           the part of it inside the library
    regret, error   mean regret per step, and its standard error
    batch           steps between updates; 0 for FedIGW, which has epochs
    guarantee       when its regret bound is known: "none", "before" the run, or "observed" in the run ("observed, all
                    data": with estimates from all data so far)
    bound           the bound on regret per step; if observed, its mean over the runs
    world, peer     the environment's name; the library's name, "" for FedIGW
    assembled       whether the loop around a regression of the library was written here (see Entry)
    """

    name: str
    steps: int
    batch: int
    seconds: float
    calls: float
    regret: float
    error: float
    seeds: int
    world: str = SHARED
    peer: str = ""
    guarantee: str = "none"
    bound: float | None = None
    assembled: bool = False

    @property
    def rate(self) -> float:
        return self.steps / self.seconds

    @property
    def calls_rate(self) -> float:
        return self.steps / self.calls

    @property
    def title(self) -> str:
        return self.name if not self.batch else f"{self.name}, batch {self.batch}"


class Player(ABC):
    """Base class of the programs that play with other libraries. Features have the shape (B, K, d) for a batch of B
    steps, K arms, d dimensions. learned: whether the program has learned from a batch yet."""

    learned = False

    def given(self, features: np.ndarray) -> Any:
        """Convert features (B, K, d) into the library's own format. This is not counted as time in the library."""
        return features

    @abstractmethod
    def choose(self, given: Any) -> np.ndarray:
        """Return the chosen arm of each step (B,), or the probabilities of all arms (B, K), for features as `given`
        returns them."""

    @abstractmethod
    def learn(self, given: Any, arms: np.ndarray, rewards: np.ndarray, chances: np.ndarray) -> None:
        """Learn from one batch: the arms played, their rewards, and the probabilities `chances` with which the arms
        were drawn, each of shape (B,). given: features as `given` converts them."""


@dataclass(frozen=True)
class Entry:
    """A program of another library with one setting of its parameters.

    name                "library rule", or "library rule, setting" if the setting was chosen for this environment
    make                make(seed) returns a player
    batches, horizons   the batch sizes and numbers of steps with which it runs
    world               the environment's name
    assembled           True if the library has no policy for arms with features, so that its regression plays in a loop
                        written here
    """

    name: str
    make: Callable[[int], Player]
    batches: tuple[int, ...] = (1,)
    horizons: tuple[int, ...] = (10_000,)
    world: str = SHARED
    assembled: bool = False


# our rows


def world(
    agents: int, each: int, learning_rate: Any = "sharpened", all_data: bool = False, where: str = SHARED
) -> Federation:
    """Make the FedIGW federation of an environment of the race, with one random parameter that is the same in every
    run. each: steps per agent; all_data: whether it learns from all epochs so far; where: the environment's name."""
    made = WORLDS[where](np.random.default_rng(3), agents=agents, horizon=each).with_rates(learning_rate)
    return replace(made, plan=replace(made.plan, cumulative=all_data))


def tuned(agents: int, each: int) -> list[float]:
    """Return learning rates of the policy that did well in measurements, one for each epoch: gamma = 4 sqrt(n), where n
    is the number of samples of the epoch, of all agents. No theorem covers them. each: steps per agent."""
    return [4 * math.sqrt(sum(row)) for row in world(agents, each).plan.full]


def lap(
    name: str, federation: Federation, guarantee: str = "none", seeds: int | None = None, where: str = SHARED
) -> Row:
    """Simulate a FedIGW federation with several seeds and return its row of the race's table. The time includes drawing
    contexts and rewards. guarantee, where: as `guarantee` and `world` in Row."""
    steps = sum(map(sum, federation.plan.played))
    seeds = seeds or _seeds(steps)
    simulate(federation, 1, 0)  # tables and compiled code are made once
    taken, lost, bounds = [], [], []
    for seed in range(seeds):
        start = time.process_time()
        record = simulate(federation, 1, seed)
        taken.append(time.process_time() - start)
        lost.append(float(record.total_regret[0]) / steps)
        if record.observed is not None:
            bounds.append(float(record.observed.bound[0]) / steps)
    before = applicable_bounds(federation).values() if guarantee == "before" else ()
    bound = float(np.mean(bounds)) if bounds else min(before, default=math.nan) / steps if before else None
    least = _least(taken)
    return Row(name, steps, 0, least, least, *_mean(lost), seeds, where, guarantee=guarantee, bound=bound)


def ours(quick: bool = False) -> list[Row]:
    rows = []
    for agents, each in ((1, 10_000), (10, 1000), (10, 10_000), (10, 100_000))[: 2 if quick else 4]:
        rules: list[tuple[str, Any, str]] = [
            ("sharpened rates", "sharpened", "before"),
            ("adaptive rates", "adaptive", "observed"),
            ("adaptive rates, all data", "adaptive", "observed, all data"),
            ("gamma = 4 sqrt(n)", tuned(agents, each), "none"),
        ]
        for rule, value, guarantee in rules:
            name = f"FedIGW, {rule}, {'one agent' if agents == 1 else f'{agents} agents'}"
            rows.append(lap(name, world(agents, each, value, "all data" in rule), guarantee))
            print(rows[-1], file=sys.stderr, flush=True)
    for where in list(WORLDS)[1:]:
        for agents, each in ((1, 10_000), (10, 1000), (10, 10_000))[: 2 if quick else 3]:
            name = f"FedIGW, adaptive rates, all data, {'one agent' if agents == 1 else f'{agents} agents'}"
            made = world(agents, each, "adaptive", True, where)
            rows.append(lap(name, made, "observed, all data", where=where))
            if agents == 1:  # FALCON plays one agent at rates with a guarantee before the run
                made = world(agents, each, where=where)
                rows.append(lap("FALCON: FedIGW, sharpened rates, one agent", made, "before", where=where))
    return rows


# peers


def peers(quick: bool = False, folder: Path = HERE) -> dict[str, Any]:
    """Run every installed library of the files peer_*.py in `folder`. Return a dict: "rows" of the table, "missing" and
    "failed" with reasons, and the libraries' "versions"."""
    found: dict[str, Any] = {"rows": [], "missing": {}, "failed": {}, "versions": {}}
    for path in sorted(folder.glob("peer_*.py")):
        try:
            peer = load(path)
            library = peer.LIBRARY
            if importlib.util.find_spec(library) is None:
                found["missing"][library] = "not installed"
                continue
        except Exception as error:  # a file that cannot even be read is a row that failed
            found["failed"][path.stem] = f"{type(error).__name__}: {error}"
            continue
        found["versions"][library] = _version(library)
        for index, entry in enumerate(peer.ENTRIES):
            for steps in entry.horizons[: 1 if quick else None]:
                for batch in entry.batches:
                    count = 2000 if quick and batch == 1 else steps
                    answer = _apart(path, index, batch, count, 2 if quick else _seeds(count, batch))
                    if isinstance(answer, str):
                        found["failed"][f"{entry.name}, batch {batch}, {count:,} steps"] = answer
                    else:
                        found["rows"].append(answer)
                    print(answer, file=sys.stderr, flush=True)  # a long wait: what has come out so far
    return found


def _apart(path: Path, entry: int, batch: int, steps: int, seeds: int) -> Row | str:
    call = [sys.executable, "-c", PROGRAM, str(path), *map(str, (entry, batch, steps, seeds))]
    try:
        answer = subprocess.run(call, capture_output=True, text=True, timeout=LONGEST)
    except subprocess.TimeoutExpired:
        return f"took longer than {LONGEST:g} s"
    if answer.returncode != 0:
        said = answer.stderr.strip().splitlines() or ["no message"]
        return f"exit status {answer.returncode}: {said[-1]}"
    return Row(**json.loads(answer.stdout.splitlines()[-1]))


def one_row() -> None:
    peer, (entry, *sizes) = load(Path(sys.argv[1])), map(int, sys.argv[2:])
    print(json.dumps(asdict(run(peer.ENTRIES[entry], peer.LIBRARY, *sizes))))


def run(entry: Entry, library: str, batch: int, steps: int, seeds: int) -> Row:
    taken, calls, lost = [], [], []
    for seed in range(seeds):
        player = entry.make(seed)
        start = time.process_time()
        own, regret = _play(player, entry.world, batch, steps, np.random.Generator(np.random.SFC64(seed)))
        taken.append(time.process_time() - start)
        calls.append(own)
        lost.append(regret / steps)
    times = _least(taken), _least(calls)
    figures = (entry.name, steps, batch, *times, *_mean(lost), seeds, entry.world, library)
    return Row(*figures, assembled=entry.assembled)


def _play(
    player: Player, where: str, batch: int, steps: int, rng: np.random.Generator
) -> tuple[float, float]:
    """Play `steps` steps with a program of another library. Return the processor seconds spent in the library and the
    total regret. Contexts are drawn in blocks, whatever the batch size is. where: the environment's name."""
    taken = lost = 0.0
    clock = time.process_time
    draw = drawn_in(where)
    block = max(batch, BLOCK // batch * batch)
    for begin in range(0, steps, batch):
        at = begin % block
        if at == 0:
            contexts, means_ahead = draw(min(block, steps - begin), rng)
        features, means = contexts[at : at + batch], means_ahead[at : at + batch]
        count, given = np.arange(len(means)), player.given(features)
        start = clock()
        said = player.choose(given)
        taken += clock() - start
        best = means.max(axis=1)
        if said.ndim == 2:
            chances = said / said.sum(axis=1, keepdims=True)
            draws = rng.random((len(means), 1))
            arms = np.minimum((np.cumsum(chances, axis=1) < draws).sum(axis=1), ARMS - 1)
            chance, expected = chances[count, arms], (chances * means).sum(axis=1)
            earned = means[count, arms]
        else:
            arms = said.astype(np.int64)
            chance, earned = np.ones(len(arms)), means[count, arms]
            expected = earned
        lost += float((best - expected).sum())
        rewards = (rng.random(len(means)) < earned).astype(float)
        start = clock()
        player.learn(given, arms, rewards, chance)
        taken += clock() - start
    return taken, lost


Draw = Callable[[int, np.random.Generator], tuple[np.ndarray, np.ndarray]]


def _features(rng: np.random.Generator, *shape: int) -> np.ndarray:
    normal = np.empty((*shape, DIMENSION - 1), dtype=np.float32)
    draw_contexts(rng, normal)
    features = np.empty((*shape, DIMENSION))
    features[..., 0] = root = math.sqrt(0.5)
    features[..., 1:] = normal * (root / np.sqrt(np.einsum("...i,...i->...", normal, normal)))[..., None]
    return features


def drawn_in(where: str) -> Draw:
    """Return a function that draws steps of the environment named `where`: (number of steps B, generator) -> (features
    (B, K, d), mean rewards (B, K))."""
    made = world(1, 16, where=where).world
    if where != SHARED:
        return _finite(made.agents[0], made.parameter)

    def draw(count: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        features = _features(rng, count, ARMS)
        return features, features @ made.parameter

    return draw


def _finite(contexts: FiniteContexts, parameter: np.ndarray) -> Draw:
    means = contexts.features @ parameter

    def draw(count: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        seen = rng.choice(len(means), size=count, p=contexts.law)
        return contexts.features[seen], means[seen]

    return draw


# parts


def _seeds(steps: int, batch: int = 0) -> int:
    return (ONLINE_SEEDS if batch == 1 else SEEDS).get(steps, 3)


def _least(taken: Sequence[float]) -> float:
    return max(min(taken), 1e-6)


def _mean(values: Sequence[float]) -> tuple[float, float]:
    error = float(np.std(values, ddof=1)) / math.sqrt(len(values)) if len(values) > 1 else math.nan
    return float(np.mean(values)), error


def load(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _version(library: str) -> str:
    try:
        return importlib.metadata.version(library)
    except importlib.metadata.PackageNotFoundError:
        return "unknown"
