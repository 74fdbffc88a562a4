"""The engine of local methods: FedAvg, FedProx, SCAFFOLD, FedOpt and LSGD-PFL are settings of it.

In a round every participating agent m starts from the server's point x, takes several steps

    y <- y - step_size (g_m(y) + proximal (y - x) - c_m + c)

on its own objective, and sends y - x. Here g_m is its gradient, c_m its control variate and c the mean of these; c_m
and c are 0 except in SCAFFOLD. The server's optimiser turns the weighted mean of the y - x into a move of its point.
Personal coordinates (LSGD-PFL) stay with the agent and are not sent.

Agents are weighted by their numbers of samples. The first point is 0 or chosen by the learning problem, and all agents
know it. So R rounds take R messages of each agent in each direction: the point after the last round goes to all agents.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bounds import col_convex_rounds
from bounds import local_steps as theorem_g
from bounds.errors import InputError
from fedigw.channel import PLAIN, Channel, MessageError, finite
from fedigw.interfaces import Fitted, FLProtocol, Guarantee, Memory, RiskModel, Setting
from fedigw.leaps import leap, worth
from fedigw.ledger import Traffic
from fedigw.local_problem import LocalProblem, ProblemWithLocal
from fedigw.running import SolverError

if TYPE_CHECKING:
    from bounds.col_convex_rounds import Rounds

MOST = 10**7  # rounds or local steps that a call may play: more would take hours
FARTHEST = 10**12  # rounds of a call, where `leaps` computes them without playing each
NOT_WHOLE = "the rate is for full gradients, all agents and the last point"


@dataclass(frozen=True)
class Constants:
    """The constants of a learning problem that appear in convergence rates of local methods.

    smoothness, strong_convexity   largest and smallest curvature of the objectives
    heterogeneity                  weighted mean of the agents' squared gradient norms at the joint minimiser
    start                          joint objective minus its minimum, at the first point
    distance                       squared distance of the first point from the minimiser
    quadratic                      whether the objectives are quadratic
    """

    smoothness: float
    strong_convexity: float
    heterogeneity: float
    start: float
    distance: float
    quadratic: bool = True

    @property
    def of_gap(self) -> tuple[float, float, float, float]:
        return self.smoothness, self.strong_convexity, self.heterogeneity, self.start


@dataclass(frozen=True)
class Rate:
    """A proved convergence rate of a local method. claim: label of the theorem. gap(r): bound on the joint objective
    minus its minimum after r rounds. missing: why there is no rate, as sentences; claim and gap are then None."""

    claim: str | None
    gap: Callable[[int], float] | None
    missing: tuple[str, ...] = ()


@dataclass(frozen=True)
class LocalMethod(FLProtocol):
    """Base class of local methods such as FedAvg, with the fields that all of them have.

    batch          samples of a minibatch; all data if not set
    participants   how many agents take part in a round; all if not set
    average        whether to return a weighted average of the points of all rounds instead of the last one; weights
                   grow with the round, as Theorem G of bounds/local_steps.py requires
    unstable       whether to run also with a step size beyond the stability limit of the local steps
    tolerance      if set, rounds and step_size are chosen so that the method is proved to end near the minimiser: the
                   excess risk is at most (1 + tolerance)^2 times the minimiser's
    passes         if set, local_steps is passes x (samples of an agent)/batch: so many passes over an agent's own data
    """

    rounds: int = 100
    local_steps: int = 5
    step_size: float = 0.1
    server_step: float = 1.0
    batch: int | None = None
    participants: int | None = None
    average: bool = False
    unstable: bool = False
    tolerance: float | None = None
    passes: int | None = None

    def __post_init__(self) -> None:
        if self.passes is not None and self.batch is None:
            raise InputError("passes", self.passes, "counts minibatches: give batch")
        if self.tolerance is not None:
            if not (np.isfinite(self.tolerance) and self.tolerance > 0):
                raise InputError("tolerance", self.tolerance, "must be a positive number")
            if self.row is None:
                said = "no schedule is proved for this method and these keys"
                raise InputError("tolerance", self.tolerance, said)
        self.check_positive("rounds", most=FARTHEST)
        self.check_positive("local_steps", "batch", "participants", "passes", most=MOST)
        for key, value in (("step_size", self.step_size), ("server_step", self.server_step)):
            if not (np.isfinite(value) and value > 0):
                raise InputError(key, value, "must be a positive number")

    @property
    def needs_samples(self) -> bool:
        return self.batch is not None

    @property
    def whole(self) -> bool:
        """Return whether the method is as theorems assume: full gradients, all agents, and the last point as result."""
        return self.batch is None and self.participants is None and not self.average

    @property
    def leaps(self) -> bool:
        return self.whole

    @property
    def row(self) -> str | None:
        """Return the name of this method, such as "fedavg", in the table of proved numbers of rounds
        (bounds/col_convex_rounds.py; for LSGD-PFL its own theorem); None if no number is proved for its settings."""
        return None

    def named(self, name: str) -> str | None:
        """Return the name of this method in the convergence theorem of bounds/local_steps.py: `name`, with minibatches
        `name`_sgd. Return None if the theorem does not apply: not all agents take part in a round, or points are
        averaged without a tolerance."""
        if self.participants is not None or (self.average and self.tolerance is None):
            return None
        return name if self.batch is None else f"{name}_sgd"

    def scheduled(
        self, samples: int, agents: int, dimension: int, known: theorem_g.OnAnyData | None = None
    ) -> LocalMethod:
        """Return a copy of the method with the rounds and the step size that its `tolerance` requires, or with `passes`
        converted to local steps. dimension: number of coordinates of the whole problem. known: constants that hold for
        any data, if the number of rounds is to be computed from them."""
        if self.passes is not None and self.batch is not None:
            steps = max(1, self.passes * (samples // agents) // self.batch)
            return replace(self, passes=None, local_steps=steps)
        if self.tolerance is None or self.row is None:
            return self
        batch = self._batch(samples, agents)
        if known is not None:
            if self.average:
                said = "the number of rounds for this loss is proved for the last point only"
                raise InputError("protocol.average", True, said)
            whole_step, rounds = known.schedule(
                self.row, self.tolerance, self.local_steps, self.server_step, batch
            )
        else:
            method = replace(self, batch=batch)
            found = method._schedule(self.row, self.tolerance, samples, agents, dimension)
            whole_step, rounds = found.step, found.rounds
        most = FARTHEST if self.whole and known is None else MOST  # only quadratic losses have affine rounds
        if rounds > most:
            said = f"the proved schedule needs {rounds:.1e} rounds in a call on {samples} samples, above {most:.0e}: "
            more = "" if self.average or known is not None else ", or average = true"
            raise InputError(
                "protocol.tolerance",
                self.tolerance,
                f"{said}give a larger tolerance or a smaller horizon{more}",
            )
        step = whole_step / (self.local_steps * self.server_step)
        return replace(self, tolerance=None, rounds=rounds, step_size=step, batch=batch)

    def _batch(self, samples: int, agents: int) -> int | None:
        """Return the samples of a minibatch: at most an agent's data, because early epochs have few samples."""
        return self.batch and min(self.batch, max(1, samples // agents))

    @property
    def given(self) -> tuple[int, float, int, int]:
        """Return the values on which a proved number of rounds depends: local steps, server step, 2 if points are
        averaged (then another theorem applies) or else 1, and samples of a batch."""
        return self.local_steps, self.server_step, 2 if self.average else 1, self.batch or 1

    def _schedule(self, row: str, tolerance: float, samples: int, agents: int, dimension: int) -> Rounds:
        from bounds.col_convex_rounds import call_on, schedule

        return schedule(row, call_on(samples, agents, dimension, tolerance, *self.given))

    def asked(self, setting: Setting, samples: int, tolerance: float) -> int | None:
        model = setting.model
        if self.row is None or not isinstance(model, RiskModel):
            return None
        if self._unproved(model, setting):
            return None
        if (known := model.on_any_data(samples)) is not None:
            batch = self._batch(samples, setting.agents)
            return known.schedule(self.row, tolerance, self.local_steps, self.server_step, batch)[1]
        return self._schedule(self.row, tolerance, samples, setting.agents, model.coordinates).rounds

    def _unproved(self, model: RiskModel, setting: Setting) -> list[str]:
        missing = []
        if self.row not in model.schedules:
            missing.append(f"the schedule of {self.name} is proved for {self.proved_for}")
        if model.unequal_unproved and not setting.equal:
            missing.append("agents have different numbers of samples: the schedule is proved for equal ones")
        return missing

    def rate(self, constants: Constants) -> Rate:
        """Return the proved bound on the joint objective minus its minimum after each round, for a learning problem
        with these constants; if none is proved, the result says why."""
        return Rate(None, None, (f"no rate is proved for {self.name} with these keys",))

    # What a method adds to plain local gradient descent; each is a table entry of the engine.
    @property
    def pull(self) -> float:
        return 0.0

    @property
    def solves(self) -> bool:
        """Return whether agents minimise their local objective exactly instead of taking gradient steps."""
        return False

    def theorem_rate(self, method: theorem_g.Method, claim: str, constants: Constants) -> Rate:
        """Return the convergence rate that bounds/local_steps.py proves for full local gradients, all agents and the
        point after the last round. The bound on the objective minus its minimum is half the largest curvature times the
        proved bound on the squared distance from the minimiser. method: the method's entry in that file. claim: label
        of the theorem."""
        step, beta, mu = (
            self.local_steps * self.step_size * self.server_step,
            constants.smoothness,
            constants.strong_convexity,
        )
        if failed := method.conditions(step, self.server_step, beta):
            return Rate(None, None, failed)
        factor, zeta2 = theorem_g.rate(method, step, mu, beta), constants.heterogeneity
        start = constants.distance + method.weight(step, self.server_step, beta) * zeta2
        drift = method.c2(self.local_steps, self.server_step, beta, zeta2)

        def gap(rounds: int) -> float:
            return beta / 2 * theorem_g.distance_bound(rounds, factor, step, mu, start, c2=drift)

        return Rate(claim, gap)

    @property
    def variates(self) -> int:
        """Return which option of SCAFFOLD, 1 or 2, updates the control variates; 0 if the method has none."""
        return 0

    @property
    def sends_variates(self) -> bool:
        """Return whether control variates are sent; otherwise their mean follows from the server's points."""
        return False

    def advance(self, mean: np.ndarray, state: Any) -> tuple[np.ndarray, Any]:
        """Return the move of the server's point, and the new state of the server's optimiser. mean (shared,): the
        weighted mean of the agents' moves in this round."""
        return self.server_step * mean, state

    def fit(self, problem: Any, channel: Channel, memory: Memory, rng: np.random.Generator) -> Fitted:
        known = problem.on_any_data
        method = self.scheduled(problem.samples, channel.agents, problem.coordinates, known)
        return iterate(method, problem, channel, memory, rng)

    def cost(self, agents: int, shared: int) -> Traffic:
        """Return the exact counts of messages and numbers of one call. shared: number of coordinates that are sent."""
        each = min(self.participants or agents, agents)
        twice = 2 if self.sends_variates else 1
        up = self.rounds * each * twice
        down = (self.rounds - 1) * each * twice + agents
        return Traffic(
            1, self.rounds, up, down, up * shared, down * shared, 64 * up * shared, 64 * down * shared
        )

    def guarantee(self, setting: Setting) -> Guarantee | None:
        """Return the method's guarantee; None if no excess risk is proved for the model. With a tolerance, the excess
        risk is at most (1 + tolerance)^2 times that of the minimiser. For a fixed number of rounds nothing is proved,
        and the field `missing` says so."""
        model = setting.model
        if not isinstance(model, RiskModel):
            return None
        width, coordinates = model.shared_width, model.coordinates
        delta, missing, known = self.tolerance or 0.0, list[str](), model.on_any_data(1)
        if self.tolerance is None:
            ways = f"--set stop=certificate tests every call, `bound {model.rounds_claim}` has rounds that suffice"
            missing.append(f"{self.rounds} rounds of {self.name} have no proved excess risk ({ways})")
        else:
            missing += self._unproved(model, setting) or model.unproved
        promised = (self.surely or known is not None) and self.whole and not missing
        enough = self.enough if known is None else self.enough_on_any_data
        return Guarantee(
            claim=self.theorem if known is None else model.certified_claim,
            risk=lambda variant, n: (1 + delta) ** 2 * model.charged_risk(variant, n),
            distance=lambda n: model.reach(n, delta) if promised else float("inf"),
            cost=lambda n: self.scheduled(n, setting.agents, coordinates, model.on_any_data(n)).cost(
                setting.agents, width
            ),
            variants=model.rules,
            missing=tuple(missing),
            rests_on=(*model.risk_statements, *enough),
        )

    @property
    def theorem(self) -> str:
        return col_convex_rounds.LABEL

    @property
    def enough(self) -> tuple[tuple[str, str], ...]:
        """Return the statements, as (label of the claim, variant), which prove that step size and rounds suffice."""
        if self.tolerance is None or self.row is None:
            return ()
        # one full local step of FedAvg is gradient descent, whose row is another
        if self.local_steps == 1 and self.row == "fedavg" and self.whole:
            return (("own:agd_rate", "descent"),)
        return ((self.scheduled_by, "schedule"),)

    @property
    def enough_on_any_data(self) -> tuple[tuple[str, str], ...]:
        """Return the statements, as (label of the claim, variant), which prove that the chosen number of rounds
        suffices, if it was computed from constants that hold for any data."""
        if self.tolerance is None or self.row is None:
            return ()
        kind = "gradients" if self.batch is None else "repaired"
        return ((self.convergence, kind), (self.convergence, "choice_of_step"))

    @property
    def convergence(self) -> str:
        """Return the label of the lemma that bounds the distance from the minimiser after any number of rounds."""
        return self.theorem

    @property
    def scheduled_by(self) -> str:
        return col_convex_rounds.LABEL

    @property
    def proved_for(self) -> str:
        """Return a phrase that names the models for which the method's number of rounds is proved."""
        return "ridge regression with lambda = 1/n and one model for all"

    @property
    def surely(self) -> bool:
        """Return whether the proved number of rounds reaches the accuracy on all data, not only on average."""
        return False


@dataclass
class _State:
    """The state of a local method between two rounds: the server's point (shared,), the agents' personal coordinates
    (M, D - shared), control variates (M, shared) and their weighted mean, and the state of the server's optimiser."""

    point: np.ndarray
    personal: np.ndarray
    controls: np.ndarray
    control: np.ndarray
    server: Any = None

    @property
    def vector(self) -> np.ndarray:
        """Return point, personal coordinates and control variates as one vector (S,). The mean of the control variates
        is left out, because it follows from them."""
        return np.concatenate([self.point, self.personal.ravel(), self.controls.ravel()])

    def at(self, vector: np.ndarray, weights: np.ndarray) -> _State:
        """Return the state whose `vector` is given. The mean of the control variates is computed from them, because a
        mean that is stored separately would differ by a rounding error, whose effect grows from round to round."""
        parts = (self.point, self.personal, self.controls)
        cut = np.split(vector, np.cumsum([part.size for part in parts])[:-1])
        point, personal, controls = (piece.reshape(old.shape) for piece, old in zip(cut, parts, strict=True))
        return _State(point, personal, controls, weights @ controls)


class Warm(NamedTuple):
    """The memory of a local method whose next call starts at the last point: this point, and the rest of the memory."""

    point: np.ndarray
    rest: Any


def iterate(
    method: LocalMethod, problem: ProblemWithLocal, channel: Channel, memory: Memory, rng: np.random.Generator
) -> Fitted:
    """Make all rounds of one call of a local method and return the model learned. Messages go through `channel`.
    memory: what the previous call left."""
    local = problem.local
    _check(method, local, channel)
    agents, a = channel.agents, local.shared
    point, memory = memory if isinstance(memory, Warm) else (local.first(rng), memory)
    state = _State(
        point,
        np.zeros((agents, local.width - a)),
        np.zeros((agents, a if method.variates else 0), dtype=point.dtype),
        np.zeros(a, dtype=point.dtype),
    )
    if method.keeps_variates and memory is not None:
        state.controls, state.control = (part.copy() for part in memory)
    travelled = method.local_steps * method.step_size * method.server_step
    mean = _Average(1 - local.strong_convexity * travelled / 2)
    channel.observe(problem.parameters(state.point, state.personal))
    number = 0
    while number < method.rounds:
        number += 1
        before = channel.traffic
        who = channel.begin_round(method.participants)
        if method.average:
            mean.add(state.point, state.personal)
        if number > 1:  # the first point, which everybody knows, is not sent
            state.point = channel.broadcast("point", state.point, (a,))
            if method.sends_variates:
                state.control = channel.broadcast("control", state.control, (a,))
        start = state.vector if number == 2 else None
        _round(method, local, channel, state, who, number, rng)
        channel.observe(problem.parameters(state.point, state.personal))
        if start is not None and _leaps(method, local, channel, state, start, rng):
            channel.repeat(before, method.rounds - number)
            number = method.rounds
        elif number == 2 and method.rounds > MOST:
            allowed = f"is above {MOST:.0e}, the most that are played one by one: give fewer rounds, "
            allowed += "a larger tolerance or a smaller horizon"
            raise InputError("protocol.rounds", method.rounds, allowed)
    shared, personal = (mean.point, mean.personal) if method.average else (state.point, state.personal)
    shared = channel.broadcast("estimate", shared, (a,), everyone=True)
    kept = (state.controls, state.control) if method.keeps_variates else None
    return Fitted(problem.parameters(shared, personal), Warm(shared, kept) if local.continues else kept)


def _leaps(
    method: LocalMethod,
    local: LocalProblem,
    channel: Channel,
    state: _State,
    before: np.ndarray,
    rng: np.random.Generator,
) -> bool:
    """Compute all remaining rounds at once if a round is an affine map of the method's state and no observer needs the
    points between. Return whether this was done. before: the state one round earlier, as a vector (S,)."""
    left = method.rounds - 2
    plain = channel.link == PLAIN and channel.watch is None and method.whole and local.affine
    if not (plain and worth(left, len(before))):
        return False
    aside, everyone = Channel(channel.agents, channel.epoch), np.arange(channel.agents)

    def play(vector: np.ndarray) -> np.ndarray:
        tried = state.at(vector, local.weights)
        _round(method, local, aside, tried, everyone, 3, rng)
        return tried.vector

    with np.errstate(over="ignore", invalid="ignore"):
        end = leap(play, before, state.vector, left)
    if end is None or not finite(end):  # a method that diverges is played on: agent and round are then named
        return False
    vars(state).update(vars(state.at(end, local.weights)))
    return True


def _round(
    method: LocalMethod,
    problem: LocalProblem,
    channel: Channel,
    state: _State,
    who: np.ndarray,
    number: int,
    rng: np.random.Generator,
) -> None:
    a = problem.shared
    start = np.broadcast_to(state.point, (len(who), a))
    if state.personal.size:
        start = np.concatenate([start, state.personal[who]], axis=1)
    correction = state.control - state.controls[who] if method.variates else None
    with np.errstate(over="ignore", invalid="ignore"):  # an overflow is reported below, by agent and round
        if problem.walks and not method.solves:
            keys = (method.local_steps, method.step_size, method.pull, correction, method.batch)
            moved = problem.walk(state.point, who, *keys, rng)
        else:
            moved = _local(method, problem, start, correction, who, rng) - start
    weights = problem.weights[who] / problem.weights[who].sum()
    try:
        update = channel.mean("update", moved[:, :a], (a,), weights)
    except MessageError:
        raise _overflow(method, channel, who, moved, number) from None
    if state.personal.size and not finite(moved[:, a:]):
        raise _overflow(method, channel, who, moved, number)
    if method.variates:
        _renew_controls(method, problem, channel, state, start, moved, who, update, rng)
    step, state.server = method.advance(update, state.server)
    state.point = state.point + step
    state.personal[who] += method.server_step * moved[:, a:]


def _overflow(
    method: LocalMethod, channel: Channel, who: np.ndarray, moved: np.ndarray, number: int
) -> SolverError:
    bad = int(who[int(np.argmin(np.isfinite(moved).all(axis=1)))])
    where = f"agent {bad}, epoch {channel.epoch}, round {number}"
    return SolverError(f"{where}, step size {method.step_size:g}: the iterates overflow")


def _local(
    method: LocalMethod,
    problem: LocalProblem,
    start: np.ndarray,
    correction: np.ndarray | None,
    who: np.ndarray,
    rng: np.random.Generator,
) -> np.ndarray:
    if method.solves:
        return problem.local_minimisers(start, who, method.pull)
    points, a = start, problem.shared
    for _ in range(method.local_steps):
        slope = problem.local_gradients(points, who, method.batch, rng)
        if method.pull:
            slope = slope + method.pull * (points - start)
        if correction is not None:
            slope[:, :a] += correction
        points = points - method.step_size * slope
    return points


def _renew_controls(
    method: LocalMethod,
    problem: LocalProblem,
    channel: Channel,
    state: _State,
    start: np.ndarray,
    moved: np.ndarray,
    who: np.ndarray,
    update: np.ndarray,
    rng: np.random.Generator,
) -> None:
    """Update SCAFFOLD's control variates c_m of the participants `who` (P,), and their mean c. Option 1 takes the
    gradient at the server's point, `start` (P, D). Option 2 takes c_m - c - moved/(local steps x step size), for the
    moves `moved` (P, D) in the local steps. update: the weighted mean of the moves."""
    a = problem.shared
    if method.variates == 1:
        renewed = problem.local_gradients(start, who, method.batch, rng)[:, :a]
    else:
        renewed = state.controls[who] - state.control - moved[:, :a] / (method.local_steps * method.step_size)
    if method.sends_variates:
        share = problem.weights[who].sum()
        weights = problem.weights[who] / share
        change = channel.mean("control", renewed - state.controls[who], (a,), weights)
        state.control = state.control + share * change
    else:
        # all agents take part, so c = sum p_m c_m is the mean move seen from the server: -(update)/(K eta)
        state.control = -update / (method.local_steps * method.step_size)
    state.controls[who] = renewed


class _Average:
    """The weighted average of the points of all rounds, updated round by round. Round r has the weight q^-(r+1), where
    q < 1 is `ratio`; the update avoids large weights."""

    def __init__(self, ratio: float) -> None:
        self.ratio, self.total = ratio, 0.0
        self.point: np.ndarray = np.zeros(0)
        self.personal: np.ndarray = np.zeros(0)

    def add(self, point: np.ndarray, personal: np.ndarray) -> None:
        if self.total == 0.0:
            self.total, self.point, self.personal = 1.0, point.copy(), personal.copy()
            return
        self.total = self.ratio * self.total + 1
        self.point = self.point + (point - self.point) / self.total
        self.personal = self.personal + (personal - self.personal) / self.total


def _check(method: LocalMethod, problem: LocalProblem, channel: Channel) -> None:
    if method.participants is not None and method.participants > channel.agents:
        said = f"must be between 1 and the {channel.agents} agents"
        raise InputError("protocol.participants", method.participants, said)
    if method.participants is not None and method.variates and not method.sends_variates:
        raise InputError("protocol.send_control", False, "must be true when some agents sit out a round")
    if method.solves or method.unstable:
        return  # a limit that is not known (NaN) refuses nothing
    limit = 2 / (problem.smoothness(method.batch) + method.pull)
    if method.step_size >= limit:
        raise InputError(
            "protocol.step_size",
            method.step_size,
            f"must be below the stability limit {limit:.6g} of local steps; unstable = true runs it all the same",
        )
