"""Run local methods by one engine: FedAvg, FedProx, SCAFFOLD, FedOpt and LSGD-PFL are settings of it.

In a round every participant starts from the server's point x, takes K steps

    y <- y - step_size (g_m(y) + proximal (y - x) - c_m + c)

on its own objective f_m, and sends y - x. The server's optimiser turns the weighted mean into a move of its point.
Coordinates beyond `shared` are personal: they stay with the agent and are not sent (LSGD-PFL). Other models share all
of them.

f_m(w) = mean_i loss_i(w) + regulariser, F = sum_m p_m f_m with p_m = n_m/n. The first point is 0 or chosen by the
problem, and all agents know it. So R rounds take R messages each way: the point after the last round goes to all
agents.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

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
    """The constants in a convergence rate: smoothness beta of the f_m, strong convexity mu of F, heterogeneity
    zeta*^2 = sum p_m norm(grad f_m(w_S))^2 at the minimiser w_S of F, start: how far F is above its minimum before
    the first round, distance: norm(w_0 - w_S)^2 at the first point w_0."""

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
    """A proved convergence rate. claim: the theorem. gap(r): its bound on F - F* after r rounds. missing: why there
    is none, if so."""

    claim: str | None
    gap: Callable[[int], float] | None
    missing: tuple[str, ...] = ()


@dataclass(frozen=True)
class LocalMethod(FLProtocol):
    """Base class of local methods, with the fields that all of them have.

    batch: samples of a minibatch; all data if not set. participants: how many agents take part in a round. average:
    whether to return a weighted average of the points of all rounds instead of the last point; round r has weight
    q^-(r+1), q = 1 - mu local_steps step_size server_step/2, mu the strong convexity. unstable: whether to run also
    with a step size beyond the stability limit of the local steps. tolerance: delta; if set, rounds and step_size
    are chosen so that a call is proved to end within squared distance delta^2 e(n) of the minimiser, e(n) its excess
    risk (col:convex, or col:convex_per for LSGD-PFL). passes: passes over an agent's own data, which make passes *
    (n/M)/batch local steps in place of local_steps.
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
        """Return whether it uses full gradients, all agents and the last point, as the theorems assume."""
        return self.batch is None and self.participants is None and not self.average

    @property
    def leaps(self) -> bool:
        return self.whole

    @property
    def row(self) -> str | None:
        """Return the name by which bounds.col_convex_rounds, or the corollary col:convex_per, lists this method's
        proved number of rounds; None if it lists none."""
        return None

    def named(self, name: str) -> str | None:
        """Return the name of Theorem G's method, `name` or with minibatches `name`_sgd, that this is; None if some
        agents rest in a round, or the points are averaged."""
        if self.participants is not None or self.average:
            return None
        return name if self.batch is None else f"{name}_sgd"

    def scheduled(
        self, samples: int, agents: int, dimension: int, known: theorem_g.OnAnyData | None = None
    ) -> LocalMethod:
        """Return the method with rounds and step size set for its tolerance, and with `passes` converted to local
        steps. dimension: the coordinates of the whole problem. known: constants that hold for any data, if the number
        of rounds is computed from them."""
        if self.passes is not None and self.batch is not None:
            steps = max(1, self.passes * (samples // agents) // self.batch)
            return replace(self, passes=None, local_steps=steps)
        if self.tolerance is None or self.row is None:
            return self
        if known is not None:
            each = (self.local_steps, self.server_step, self.batch)
            whole_step, rounds = known.schedule(self.row, self.tolerance, *each)
        elif self.batch is not None:
            said = "no schedule is proved for minibatches with the squared loss: leave out batch or tolerance"
            raise InputError("protocol.tolerance", self.tolerance, said)
        else:
            found = self._schedule(self.row, self.tolerance, samples, agents, dimension)
            whole_step, rounds = found.step, found.rounds
        if rounds > FARTHEST:
            said = f"the proved schedule needs {rounds:.1e} rounds in a call on {samples} samples, above "
            said += f"{FARTHEST:.0e}: give a larger tolerance or a smaller horizon"
            raise InputError("protocol.tolerance", self.tolerance, said)
        step = whole_step / (self.local_steps * self.server_step)
        return replace(self, tolerance=None, rounds=rounds, step_size=step)

    def _schedule(self, row: str, tolerance: float, samples: int, agents: int, dimension: int) -> Rounds:
        """Return the rounds and step size that the proved rate of `row` requires for this tolerance. dimension: the
        coordinates of the whole problem."""
        from bounds.col_convex_rounds import call_on, schedule

        steps = (self.local_steps, self.server_step)
        return schedule(row, call_on(samples, agents, dimension, tolerance, *steps, path=1))

    def asked(self, setting: Setting, samples: int, tolerance: float) -> int | None:
        model = setting.model
        if self.row is None or not isinstance(model, RiskModel):
            return None
        if self._unproved(model, setting):
            return None
        if (known := model.on_any_data(samples)) is not None:
            return known.schedule(self.row, tolerance, self.local_steps, self.server_step, self.batch)[1]
        return self._schedule(self.row, tolerance, samples, setting.agents, model.coordinates).rounds

    def _unproved(self, model: RiskModel, setting: Setting) -> list[str]:
        missing = []
        if self.row not in model.schedules:
            missing.append(f"the schedule of {self.name} is proved for {self.proved_for}")
        if model.unequal_unproved and not setting.equal:
            missing.append("agents have different numbers of samples: the schedule is proved for equal ones")
        return missing

    def rate(self, constants: Constants) -> Rate:
        """Return the proved bound on the gap F - F* after each round of a call with these constants."""
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
        """Return the rate that Theorem G of bounds.local_steps proves for the last point, with full local gradients and
        all agents. It bounds the squared distance d from the minimiser, and so the gap by (beta/2) d, beta the
        smoothness."""
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
        """Return 0 if there are no control variates, else which option of SCAFFOLD, 1 or 2, updates them."""
        return 0

    @property
    def sends_variates(self) -> bool:
        """Return whether control variates are sent. If all agents take part in every round, they can be computed from
        the points."""
        return False

    def advance(self, mean: np.ndarray, state: Any) -> tuple[np.ndarray, Any]:
        """Return what the server adds to its point, given the mean of the agents' moves, and the new state of the
        server's optimiser."""
        return self.server_step * mean, state

    def fit(self, problem: Any, channel: Channel, memory: Memory, rng: np.random.Generator) -> Fitted:
        known = problem.on_any_data
        method = self.scheduled(problem.samples, channel.agents, problem.coordinates, known)
        return iterate(method, problem, channel, memory, rng)

    def cost(self, agents: int, shared: int) -> Traffic:
        """Return exactly what a call sends. shared: the number of coordinates that are sent."""
        each = min(self.participants or agents, agents)
        twice = 2 if self.sends_variates else 1
        up = self.rounds * each * twice
        down = (self.rounds - 1) * each * twice + agents
        return Traffic(
            1, self.rounds, up, down, up * shared, down * shared, 64 * up * shared, 64 * down * shared
        )

    def guarantee(self, setting: Setting) -> Guarantee | None:
        """Return the guarantee: with a tolerance delta, excess risk (1 + delta)^2 e(n), where e(n) is that of the
        minimiser; None if the model has no proved excess risk. Without a tolerance `missing` says that no excess
        risk is proved for a fixed number of rounds."""
        model = setting.model
        if not isinstance(model, RiskModel):
            return None
        width, coordinates = model.shared_width, model.coordinates
        delta, missing, known = self.tolerance or 0.0, list[str](), model.on_any_data(1)
        if self.tolerance is None:
            see = f"(see `bound {model.rounds_claim}`)"
            missing.append(f"{self.rounds} rounds of {self.name} have no proved excess risk {see}")
        else:
            missing += self._unproved(model, setting) or model.unproved
        promised = (self.surely or known is not None) and self.batch is None and not missing
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
        return "col:convex"

    @property
    def enough(self) -> tuple[tuple[str, str], ...]:
        """Return the (claim, variant) pairs that prove that its step size and number of rounds suffice."""
        if self.tolerance is None or self.row is None:
            return ()
        # one full local step is gradient descent, whose row is another
        descent = self.local_steps == 1 and not self.variates
        if not descent:
            return ((self.scheduled_by, "schedule"),)
        return (("own:agd_rate", "descent") if self.scheduled_by == "col:convex" else ("col:convex", "gap"),)

    @property
    def enough_on_any_data(self) -> tuple[tuple[str, str], ...]:
        """Return the (claim, variant) pairs that prove the same where constants are known that hold for any data."""
        if self.tolerance is None or self.row is None:
            return ()
        kind = "gradients" if self.batch is None else "repaired"
        return ((self.convergence, kind), (self.convergence, "choice_of_step"))

    @property
    def convergence(self) -> str:
        """Return the lemma that bounds its distance from the minimiser after any number of rounds."""
        return self.theorem

    @property
    def scheduled_by(self) -> str:
        return "col:convex"

    @property
    def proved_for(self) -> str:
        """Return a phrase that names the models for which its number of rounds is proved."""
        return "ridge regression with lambda = 1/n and one model for all"

    @property
    def surely(self) -> bool:
        """Return whether its number of rounds reaches the accuracy in every run, not only in expectation."""
        return False


@dataclass
class _State:
    """The state of a call: the server's point (shared,), personal blocks (M, D - shared), control variates (M,
    shared) and their weighted mean, and the state of the server's optimiser."""

    point: np.ndarray
    personal: np.ndarray
    controls: np.ndarray
    control: np.ndarray
    server: Any = None

    @property
    def vector(self) -> np.ndarray:
        """Return point, personal blocks and control variates as one vector, shape (S,). The mean of the variates
        follows from them if all agents take part."""
        return np.concatenate([self.point, self.personal.ravel(), self.controls.ravel()])

    def at(self, vector: np.ndarray, weights: np.ndarray) -> _State:
        """Return the state with the coordinates `vector`. The mean of the control variates is computed from them,
        because a mean that is stored separately would differ by a rounding error whose effect grows from round to
        round."""
        parts = (self.point, self.personal, self.controls)
        cut = np.split(vector, np.cumsum([part.size for part in parts])[:-1])
        point, personal, controls = (piece.reshape(old.shape) for piece, old in zip(cut, parts, strict=True))
        return _State(point, personal, controls, weights @ controls)


class Warm(NamedTuple):
    """What a call passes to the next one if the learning problem continues: its last point, and the method's own
    memory."""

    point: np.ndarray
    rest: Any


def iterate(
    method: LocalMethod, problem: ProblemWithLocal, channel: Channel, memory: Memory, rng: np.random.Generator
) -> Fitted:
    """Make all rounds of a call and return what it learned."""
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
    """Compute all remaining rounds of the call at once, if they are an affine map of the state and no observer needs
    the points between. Return whether it was done. before: the coordinates of the state one round earlier, shape
    (S,)."""
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
    """Update the control variates of the participants. Option 1: c_m <- g_m(x), the gradient at the server's point x.
    Option 2: c_m <- c_m - c + (x - y_m)/(K eta), y_m the end of K local steps of size eta. Then c = sum_m p_m c_m."""
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
    """The average of the points x^r of all rounds r with weights q^-(r+1), where q < 1 is given, computed by a
    recursion in which no large weights occur."""

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
    """Raise InputError if there are too few agents, or if the step size is beyond the stability limit of
    local steps."""
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
