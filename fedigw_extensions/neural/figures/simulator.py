"""Play one run of the experiments for all agents together, faster than the general program.

This file draws the same random numbers in the same order as fedigw.running, and tests compare the curves: in double
precision they are equal up to rounding. It is faster because a network is evaluated once for each row that occurs in an
epoch, for all agents; local steps are compiled loops over sparse rows (fast.py, if numba is installed); and only the
mean of the agents' weights is stored.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, repeat
from typing import Any

import numpy as np

from bounds.errors import InputError
from bounds.schedules import capped_lengths
from fedigw.interfaces import Policy
from fedigw.policies.epsilon_greedy import EpsilonGreedy
from fedigw.policies.greedy import Greedy
from fedigw.policies.igw import InverseGapWeighting
from fedigw.policies.softmax import Softmax
from fedigw.policies.ucb import UCB
from fedigw_extensions.neural.datasets.multilabel import MultiLabel
from fedigw_extensions.neural.figures.ntk import LastLayer
from fedigw_extensions.neural.local import move
from fedigw_extensions.neural.network import Interactions, Network, Perceptron, Released, available
from fedigw_extensions.neural.world import drawn

LONGEST = 4096  # steps of an epoch, from the appendix on experiments
DIGITS = 5
CHUNK = 512  # rows whose K probabilities are computed at once


@dataclass(frozen=True)
class Setting:
    """Everything that determines a run, except data and seed.

    * policy: igw, softmax, greedy, epsilon_greedy or fn_ucb; parameter: its gamma, temperature, epsilon or factor of
      the widths
    * protocol: fedavg, fedprox, scaffold, or none (each agent learns separately)
    * rounds: communications of an FL call; local_steps: gradient steps between two of them, one pass over the data if
      None
    * memory: the data of an FL call, those of the last epoch or of all epochs
    * split: alpha of a Dirichlet split of the rows by label; None if all agents draw from all rows
    * model: perceptron or released; the second has the epochs of the released code and plays with its first weights
    """

    horizon: int
    step_size: float
    policy: str = "igw"
    parameter: float = 7000.0
    protocol: str = "fedavg"
    rounds: int = 1
    local_steps: int | None = None
    batch: int = 64
    memory: str = "epoch"
    split: float | None = None
    model: str = "perceptron"
    proximal: float = 0.01
    agents: int = 10
    width: int = 256
    floor: int = 64
    precision: str = "single"

    @property
    def rule(self) -> Policy:
        rules: dict[str, Any] = {"igw": InverseGapWeighting, "greedy": Greedy}
        if self.policy in rules:
            return rules[self.policy]()
        with_parameter: dict[str, Any] = {"softmax": Softmax, "epsilon_greedy": EpsilonGreedy, "fn_ucb": UCB}
        return with_parameter[self.policy](self.parameter)

    @property
    def lengths(self) -> list[int]:
        """Return the lengths of the epochs: 2, 2, 4, 8, ..., 4096, 4096, ...; for the model `released` 1, 2, 4, ...."""
        found, left = [], self.horizon
        every: Iterator[int] = capped_lengths(LONGEST)
        if self.model == "released":
            every = chain((2**i for i in range(LONGEST.bit_length() - 1)), repeat(LONGEST))
        while left > 0:
            found.append(min(next(every), left))
            left -= found[-1]
        return found

    @property
    def kind(self) -> Any:
        return np.float32 if self.precision == "single" else np.float64


class Diverged(RuntimeError):
    """Raised when weights are not finite. The message names agent, epoch, round and step size."""


class Run:
    """The state of a run. points: the weights in use, shape (1, D), or (M, D) if agents learn separately."""

    def __init__(self, data: MultiLabel, setting: Setting, seed: int, compiled: bool) -> None:
        self.data, self.setting, self.compiled = data, setting, compiled
        self.apart = setting.protocol == "none"
        shared = np.random.default_rng([seed])
        self.streams = [
            np.random.default_rng([seed, m]) if self.apart else shared for m in range(setting.agents)
        ]
        kinds: dict[str, Any] = {"perceptron": Perceptron, "released": Released}
        self.network: Network = kinds[setting.model](data.dimension, data.arms, setting.width)
        self.points: list[np.ndarray] = []
        self.rows_of = split_by_label(data, setting.agents, setting.split, seed)
        self.past: list[np.ndarray] = []
        self.controls: np.ndarray | None = None
        self.widths: LastLayer | None = None
        self.rule = setting.rule
        self.sent = {"calls": 0, "rounds": 0, "numbers": 0}
        if setting.model == "released":
            self.begin()

    def begin(self) -> None:
        own = self.streams if self.apart else self.streams[:1]
        self.points = [self.network.first(stream, self.setting.kind) for stream in own]
        if self.setting.policy == "fn_ucb":
            assert isinstance(self.network, Perceptron)
            self.widths = LastLayer.at(self.network, self.points[0], self.data)

    def play(self, length: int, steps: int) -> tuple[np.ndarray, float, float]:
        """Play an epoch of `length` steps. Return rows, arms and rewards (3, M, n), the mean expected reward, and the
        mean probability of not playing the likeliest arm. steps: how many each agent has played before."""
        data, agents = self.data, self.setting.agents
        rows, uniform = np.empty((agents, length), np.int32), np.empty((agents, length))
        for m, (stream, own) in enumerate(zip(self.streams, self.rows_of, strict=True)):
            rows[m] = own[stream.integers(0, len(own), length)]
            uniform[m] = stream.random(length)
        if not self.points:
            arms = np.minimum((uniform * data.arms).astype(np.int32), data.arms - 1)
            value = np.diff(data.label_starts)[rows] / data.arms
            likeliest = np.full(rows.shape, 1 / data.arms)
        elif self.apart:
            parts = [self._chosen(m, rows[m], uniform[m], steps) for m in range(agents)]
            arms, value, likeliest = (np.stack(part) for part in zip(*parts, strict=True))
        else:
            found = self._chosen(0, rows.ravel(), uniform.ravel(), steps)
            arms, value, likeliest = (part.reshape(rows.shape) for part in found)
        rewards = data.labels[rows, arms]
        return np.stack([rows, arms, rewards]), float(value.mean()), 1 - float(likeliest.mean())

    def _chosen(
        self, place: int, rows: np.ndarray, uniform: np.ndarray, steps: int
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the arms drawn at rows (n,), their expected rewards in these rows, and the probabilities of the
        likeliest arms, each (n,). place: which weights of `points` to use."""
        alike = self.data.alike[rows]
        order = np.argsort(alike, kind="stable")
        distinct, inverse = np.unique(alike[order], return_inverse=True)
        arms, value, likeliest = np.empty(len(rows), np.int32), np.empty(len(rows)), np.empty(len(rows))
        for start in range(0, len(distinct), CHUNK):
            stop = min(start + CHUNK, len(distinct))
            probabilities = self.probabilities(place, distinct[start:stop], steps)
            part = slice(*np.searchsorted(inverse, [start, stop]))
            which, draws = inverse[part] - start, order[part]
            labels, counts = self.data.labels_of(rows[draws])
            true = probabilities[np.repeat(which, counts), labels]
            value[draws] = np.bincount(np.repeat(np.arange(len(draws)), counts), true, len(draws))
            likeliest[draws] = probabilities.max(axis=1)[which]
            if self.compiled:
                from fedigw_extensions.neural.fast import draw

                arms[draws] = draw(probabilities, which, uniform[draws])
            else:
                arms[draws] = drawn(np.cumsum(probabilities, axis=1), which, uniform[draws])
        return arms, value, likeliest

    def probabilities(self, place: int, rows: np.ndarray, steps: int) -> np.ndarray:
        """Return the probabilities of the arms at rows of the table, shape (n, K). place: which weights of `points` to
        use. steps: how many each agent has played before."""
        scores, setting = self.scores(place, rows), self.setting
        if self.widths is None:
            return self.rule.probabilities(scores, setting.parameter)
        bounds, widths = self.widths.bounds(rows, scores, steps)
        return self.rule.probabilities(bounds, 1.0, widths)

    def scores(self, place: int, rows: np.ndarray) -> np.ndarray:
        point = self.points[place]
        first, bias, *_ = self.network.views(point)
        if self.compiled:
            from fedigw_extensions.neural.fast import first_layer

            return self.network.upper(point, first_layer(first, bias, self.data, rows))
        return self.network.scores(point, self.data.features[rows])

    def learn(self, found: np.ndarray, epoch: int) -> None:
        """Learn from the data of an epoch, or of all epochs so far (an FL call). found: rows, arms and rewards (3, M,
        n)."""
        setting = self.setting
        if not self.points:
            self.begin()
        length = found.shape[2]
        steps = setting.local_steps or max(1, length // setting.batch)
        if self.widths is not None:
            self.sent["numbers"] += self.widths.add(
                found[0].ravel(), found[1].ravel(), found[2].ravel(), setting
            )
        if setting.memory == "all":
            self.past.append(found)
            found = np.concatenate(self.past, axis=2)
        data = (found[0].astype(np.int32), found[1].astype(np.int32), found[2].astype(setting.kind))
        if setting.protocol == "scaffold" and (self.controls is None or setting.rounds > 1):
            self.controls = np.zeros((setting.agents, self.network.size), dtype=setting.kind)
        for number in range(setting.rounds):
            places = np.stack(
                [stream.integers(0, found.shape[2], (steps, setting.batch)) for stream in self.streams]
            )
            self._round(data, places, steps)
            if not all(np.isfinite(point.sum()) for point in self.points):
                said = f"epoch {epoch}, round {number + 1}, step size {setting.step_size:g}"
                raise Diverged(f"{said}: the iterates overflow")
        self.sent["calls"] += 1
        if not self.apart:
            self.sent["rounds"] += setting.rounds
            self.sent["numbers"] += 2 * setting.rounds * setting.agents * self.network.size

    def _round(self, data: tuple[np.ndarray, ...], places: np.ndarray, steps: int) -> None:
        setting, start = self.setting, self.points[0]
        pull = setting.proximal if setting.protocol == "fedprox" else 0.0
        if (
            self.compiled
            and isinstance(self.network, Perceptron)
            and not self.apart
            and self.controls is None
        ):
            from fedigw_extensions.neural.fast import average

            mean = average(self.network, start, self.data, data, places, setting.step_size, pull)  # type: ignore[arg-type]
            self.points = [mean]
            return
        corrections = None if self.controls is None else self.controls.mean(axis=0) - self.controls
        total, moved = np.zeros_like(start), []
        for m in range(setting.agents):
            y = (self.points[m] if self.apart else start).copy()
            samples = Interactions(self.data, *(part[m] for part in data))
            correction = None if corrections is None else corrections[m]
            keys = (places[m], setting.step_size, pull, correction)
            move(self.network, self.compiled, start, y, samples, *keys)
            if corrections is not None:
                assert self.controls is not None
                self.controls[m] = (start - y) / (steps * setting.step_size) - corrections[m]
            if self.apart:
                moved.append(y)
            else:
                total += y
        self.points = moved or [total / setting.agents]

    def excess_risk(self, used: list[np.ndarray], steps: int) -> float:
        """Return the mean squared difference between the learned and the true expected reward, over all rows, and over
        arms with the probabilities of the weights `used`."""
        learned, total = self.points, 0.0
        for start in range(0, self.data.rows, CHUNK):
            rows = np.arange(start, min(start + CHUNK, self.data.rows), dtype=np.int32)
            error = self.scores(0, rows) - self.data.labels[rows]
            self.points = used
            total += float((self.probabilities(0, rows, steps) * error**2).sum())
            self.points = learned
        return total / self.data.rows


def split_by_label(data: MultiLabel, agents: int, alpha: float | None, seed: int) -> list[np.ndarray]:
    """Return the rows from which each agent draws: all of them if alpha is None. Otherwise each row belongs to one
    agent: the rows of a label are divided in proportions drawn from Dirichlet(alpha, ..., alpha). A row with several
    labels counts for one of them."""
    every = np.arange(data.rows, dtype=np.int32)
    if alpha is None:
        return [every] * agents
    if not alpha > 0:
        raise InputError("split", alpha, "must be a positive number")
    rng = np.random.default_rng([seed, 1])
    rank = rng.permutation(data.arms)
    label = np.full(data.rows, -1)
    for row in np.flatnonzero(data.best):
        own = data.label_indices[data.label_starts[row] : data.label_starts[row + 1]]
        label[row] = own[rank[own].argmin()]
    shares = rng.dirichlet(np.full(agents, alpha), data.arms + 1)
    owner = np.array([rng.choice(agents, p=shares[one]) for one in label])
    parts = [every[owner == m] for m in range(agents)]
    return [part if len(part) else every for part in parts]


def run(
    data: MultiLabel, setting: Setting, seed: int, compiled: bool | None = None, audit: bool = False
) -> dict[str, Any]:
    """Carry out a run and return a dictionary of its figures.

    * curve: the mean expected reward of a step in each epoch
    * average: the mean over all steps; last: over the epochs that begin in the last tenth of the steps, or over the
      last epoch if none does; after a divergence steps count as 0
    * exploration: the mean probability of not playing the likeliest arm in the last epoch
    * excess_risk: after some of the calls, exact over the table, if `audit` is set
    """
    start = time.process_time()
    played = Run(data, setting, seed, available() if compiled is None else compiled)
    lengths, curve, risks, failure, left = setting.lengths, [], [], None, 0.0
    floor = setting.batch if setting.model == "released" else setting.floor
    for epoch, length in enumerate(lengths, start=1):
        found, reward, left = played.play(length, sum(lengths[: epoch - 1]))
        curve.append(reward)
        if epoch == len(lengths) or length < floor:
            continue
        used = played.points
        try:
            with np.errstate(over="ignore", invalid="ignore"):  # reported by the line below
                played.learn(found, epoch)
        except Diverged as error:
            failure = str(error)
            break
        if audit and used and (length < LONGEST or epoch % 16 == 0):
            risks.append(round(played.excess_risk(used, sum(lengths[:epoch])), DIGITS))
    earned = np.zeros(len(lengths))
    earned[: len(curve)] = curve
    early = int((np.cumsum([0, *lengths[:-1]]) < 0.9 * setting.horizon).sum())
    final = slice(min(early, len(lengths) - 1), None)
    return {
        "curve": [round(reward, DIGITS) for reward in curve],
        "average": round(float(np.average(earned, weights=lengths)), DIGITS),
        "last": round(float(np.average(earned[final], weights=lengths[final])), DIGITS),
        "exploration": round(left, 4),
        "excess_risk": risks,
        "diverged": failure,
        "sent": played.sent,
        "seconds": round(time.process_time() - start, 2),
    }
