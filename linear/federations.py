"""Make linear federations in Python, or from instance files with kind = "linear".

parameter = ["1/2", "1/2"]                     # the true parameter
features = [[["1", "0"], ["0", "1"]]]          # |X| x K x d for all agents, or M x |X| x K x d, or per agent
rewards = "bernoulli"                          # bernoulli | deterministic | two_point | FILE.py
loss = "squared"                               # squared | logistic | {name = "logistic", radius = 3} | FILE.py
regularisation = 1.0                           # n times the weight on the squared norm; 1 for ridge, else the best one
accuracy = 0.1                                 # how far from the minimiser iterative protocols may stop
engine = "plane"                               # how contexts on the sphere are drawn: plane | drawn
[[agents]]
contexts = ["1"]                               # probabilities of contexts, "sphere" (then give arms = K), or FILE.py
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from bounds.errors import InputError
from bounds.extensions import packages
from bounds.linear_communication import DEFAULT_TOLERANCE
from bounds.schedules import EpochPlan, doubling_plan
from fedigw import instance_file
from fedigw.federation import Federation
from fedigw.interfaces import ContextLaw, FLProtocol, Loss
from fedigw.kind import Kind
from fedigw.law import ExactLaw
from fedigw.parts import Known, context_laws, named
from fedigw.rates import rates_of
from fedigw.rewards import Law, law_of
from linear.contexts.finite import FiniteContexts
from linear.contexts.own import OwnContexts
from linear.contexts.sphere import ENGINES, SphereContexts
from linear.losses.squared import Squared
from linear.model import LinearModel, Ridge
from linear.protocols.agd import AcceleratedGradient
from linear.protocols.direct import Direct
from linear.world import ROUNDING, Contexts, LinearWorld, check_parameter

SMALLEST = 1e-300  # lambda, whose inverse is a float


def linear_federation(
    agents: tuple[Contexts, ...],
    parameter: np.ndarray,
    plan: EpochPlan,
    learning_rate: Any = "sharpened",
    rewards: Law = "bernoulli",
    regularisation: float | None = None,
    accuracy: float = DEFAULT_TOLERANCE,
    protocol: FLProtocol | None = None,
    loss: Loss | None = None,
    **parts: Any,
) -> Federation:
    """Return a federation that plays FedIGW with linear mean rewards, by default with the exact solution of ridge
    regression, or for another loss than the squared one with accelerated gradient descent. agents: the contexts of
    each. parameter (d,): the true one. parts: other fields of Federation, such as policy and link."""
    check_plan(plan)
    world = LinearWorld(agents if loss is None else _with_loss(agents, loss), parameter, rewards)
    return Federation(
        kind="linear",
        world=world,
        model=model_of(world, regularisation, accuracy),
        plan=plan,
        rates=rates_of(learning_rate, rational=False),
        protocol=protocol or (Direct() if world.loss.quadratic else AcceleratedGradient()),
        **parts,
    )


def model_of(world: LinearWorld, regularisation: float | None, accuracy: float) -> LinearModel:
    if world.loss.quadratic:
        lam = 1.0 if regularisation is None else regularisation
        return Ridge(world.dimension, lam, accuracy, world.heterogeneous, unit_box=world.unit_box)
    from linear.generalised import generalised

    return generalised(world.dimension, world.loss, regularisation, accuracy, world.heterogeneous)


def _with_loss(agents: tuple[Contexts, ...], loss: Loss) -> tuple[Contexts, ...]:
    made = {id(contexts): replace(contexts, loss=loss) for contexts in agents}
    return tuple(made[id(contexts)] for contexts in agents)


def alike(
    contexts: Contexts,
    agents: int,
    parameter: np.ndarray,
    horizon: int,
    learning_rate: Any,
    loss: Any = "squared",
) -> Federation:
    """Return a federation of agents with the same contexts, whose epochs double in length. loss: its name, or a table
    with a name and fields. The true parameter is `parameter` (d,) times the largest norm that the loss allows."""
    chosen = loss_of(loss)
    plan, scaled = doubling_plan(horizon, agents), chosen.radius * parameter
    return linear_federation((contexts,) * agents, scaled, plan, learning_rate, loss=chosen)


def changed(federation: Federation, **changes: Any) -> Federation:
    world, model = LinearWorld.of(federation), LinearModel.of(federation)
    fields: dict[str, Any] = {
        "agents": world.agents,
        "parameter": world.parameter,
        "plan": federation.plan,
        "learning_rate": federation.rates,
        "rewards": world.rewards,
        "regularisation": model.regularisation,
        "accuracy": model.tolerance,
        "protocol": federation.protocol,
        "policy": federation.policy,
        "link": federation.link,
        "loss": world.loss,
    }
    return linear_federation(**(fields | changes))


def check_plan(plan: EpochPlan) -> None:
    """Raise InputError if an epoch has too many steps for 64-bit integers."""
    longest = max(sum(row) for row in plan.full)
    if longest >= 2**62:
        raise InputError("horizon", f"an epoch of {longest} steps", "must be less than 2^62 over all agents")


def _exact_law(federation: Federation) -> ExactLaw:
    from linear.law import exact_law

    loss = LinearWorld.of(federation).loss
    if not loss.quadratic:
        raise InputError(
            "loss", loss.name, "has no exact law: its estimates are no sums over samples; use simulate"
        )
    return exact_law(federation)


def _world(table: Mapping[str, Any], agent_tables: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    loss = loss_of(table.get("loss", "squared"))
    parameter = numbers(instance_file.required(table, "parameter"), "parameter", 1)
    check_parameter(parameter, radius=loss.radius)
    engine = instance_file.choice(table, "engine", ENGINES, "plane")
    made: dict[str, Contexts] = {}
    agents = []
    for m, agent in enumerate(agent_tables):
        contexts = _contexts(agent, m, table.get("features"), len(agent_tables), len(parameter), engine)
        agents.append(made.setdefault(repr(contexts.describe()), contexts))  # equal agents share one object
    return {
        "agents": tuple(agents),
        "parameter": parameter,
        "rewards": law_of(table.get("rewards", "bernoulli")),
        "regularisation": given_regularisation(table),
        "accuracy": positive_number(table, "accuracy", DEFAULT_TOLERANCE, "must be a positive number"),
        "loss": loss,
    }


def given_regularisation(table: Mapping[str, Any]) -> float | None:
    if "regularisation" not in table:
        return None
    value = positive_number(table, "regularisation", 1.0, "lambda must be positive")
    if value < SMALLEST:
        raise InputError("regularisation", value, f"lambda must be at least {SMALLEST:g}")
    return value


def losses() -> Known:
    return Known(packages("linear.losses"), Loss)


def loss_of(value: Any) -> Loss:
    """Return the loss that the key `loss` of an instance file gives: a name, a table with a name, or a user's file.
    Raise InputError if it is none of these, or not a valid loss."""
    if value == Squared.name:
        return Squared()
    loss: Loss = named("loss", value, losses())
    if loss.from_file:
        from fedigw.conformance import check_loss

        if problems := check_loss(loss):
            raise InputError("loss", loss.from_file, problems[0])
    return loss


def _contexts(
    agent: Mapping[str, Any], m: int, shared: Any, agents: int, dimension: int, engine: str
) -> Contexts:
    where = f"agents[{m}]."
    law = agent.get("contexts")
    drawn = None
    if isinstance(law, (str, Mapping)) and law != "sphere":
        drawn = named(where + "contexts", law, context_laws(), ("sphere",))
    if law == "sphere" or (drawn is not None and shared is None and "features" not in agent):
        arms = instance_file.positive_integer(instance_file.required(agent, "arms", where), where + "arms")
        if drawn is None:
            return SphereContexts(arms, dimension, engine)
        return OwnContexts(arms, dimension, law=drawn)
    if "arms" in agent:
        said = "is for contexts without listed features; leave it out: every arm has a row of features"
        raise InputError(where + "arms", agent["arms"], said)
    return finite_contexts(agent, m, shared, agents, dimension, drawn)


def finite_contexts(
    agent: Mapping[str, Any], m: int, shared: Any, agents: int, dimension: int, own: ContextLaw | None = None
) -> FiniteContexts:
    """Return the features and context probabilities of agent m, read from its table `agent` of an instance file.
    shared: the file's common key `features`, or None. own: the law of the contexts, if the file names one instead of
    listing probabilities."""
    where, law = f"agents[{m}].", agent.get("contexts")
    if "features" in agent:
        features = numbers(agent["features"], where + "features", 3)
    elif shared is not None:
        given, name = (
            (shared[m], f"features[{m}]") if _depth(shared) == 4 and m < len(shared) else (shared, "features")
        )
        if _depth(shared) == 4 and len(shared) != agents:
            raise InputError("features", f"{len(shared)} tables", f"must have one per agent, {agents}")
        features = numbers(given, name, 3)
    else:
        raise InputError(where + "features", None, "missing: give features for the agent or for all")
    if features.shape[2] != dimension:
        raise InputError(
            where + "features", f"dimension {features.shape[2]}", f"must be the parameter's, {dimension}"
        )
    size = len(features)
    law = law if own is None else [str(p) for p in own.chances(size)]
    if law is None:
        return FiniteContexts(features, np.full(size, 1 / size))
    return FiniteContexts(features, probabilities(law, where + "contexts", size))


def probabilities(value: Any, field: str, size: int) -> np.ndarray:
    """Return the value of a key as probabilities of contexts, shape (size,). They are floats, so their sum may differ
    from 1 by rounding. field: the key, for error messages."""
    law = numbers(value, field, 1)
    if len(law) != size:
        raise InputError(field, f"{len(law)} numbers", f"must have one probability per context, {size}")
    for i, p in enumerate(law):
        if not 0 <= p <= 1:
            raise InputError(f"{field}[{i}]", float(p), "must be a probability between 0 and 1")
    if abs(law.sum() - 1) > ROUNDING:
        raise InputError(field, f"sum {law.sum():.10g}", "probabilities must sum to 1")
    return law


def _depth(value: Any) -> int:
    return 1 + _depth(value[0]) if isinstance(value, list) and value else 0


def numbers(value: Any, field: str, depth: int) -> np.ndarray:
    """Return nested lists of finite numbers as an array with `depth` axes. The lists must be rectangular. field: their
    key, for error messages."""
    if depth == 0:
        return np.asarray(float(instance_file.exact_number(value, field, "must be a finite number")))
    lists = "numbers" if depth == 1 else f"lists of {'lists of ' * (depth - 2)}numbers"
    rows = instance_file.array(value, field, lists)
    parts = [numbers(row, f"{field}[{i}]", depth - 1) for i, row in enumerate(rows)]
    for i, part in enumerate(parts):
        if part.shape != parts[0].shape:
            of, given = (" x ".join(map(str, shape)) for shape in (parts[0].shape, part.shape))
            raise InputError(f"{field}[{i}]", f"{given} numbers", f"must be {of}, as the first")
    return np.stack(parts)


def positive_number(table: Mapping[str, Any], key: str, default: float, allowed: str) -> float:
    value = float(instance_file.exact_number(table.get(key, default), key, allowed))
    if value <= 0:
        raise InputError(key, value, allowed)
    return value


KIND = Kind(
    name="linear",
    keys=("parameter", "features", "rewards", "loss", "regularisation", "accuracy", "engine"),
    agent_keys=("contexts", "features", "arms"),
    world=_world,
    make=linear_federation,
    usual_protocol="direct",
    protocols=("linear.protocols", "fedigw.protocols"),
    environments="linear.environments",
    exact_law=_exact_law,
)
