"""Make federations whose reward model is a network, in Python or from instance files with kind = "neural".

data = "bibtex"                                # stored by `python -m verify data add`, or
data = {look_alike = "bibtex", seed = 0}       # generated; rows, features, labels make it smaller
model = "perceptron"                           # perceptron | released: the authors' code
width = 256                                    # hidden units
precision = "single"                           # single | double
engine = "numpy"                               # numpy | numba: faster, with other last bits
learning_rate = 7000                           # gamma, a number or a list: no excess risk is known
floor = 64                                     # no training on an epoch with fewer samples an agent
agents = [{}, {}]                              # one table per agent: nothing in it, or its clock
"""

from collections.abc import Mapping, Sequence
from typing import Any

from bounds.errors import InputError
from bounds.schedules import EpochPlan
from fedigw import instance_file
from fedigw.federation import Federation
from fedigw.interfaces import FLProtocol
from fedigw.kind import Kind
from fedigw.protocols.fedavg import FedAvg
from fedigw.rates import rates_of
from fedigw_extensions.neural.datasets import cache
from fedigw_extensions.neural.datasets.look_alike import look_alike
from fedigw_extensions.neural.datasets.multilabel import MultiLabel
from fedigw_extensions.neural.model import ENGINES, MODELS, PRECISIONS, NeuralModel
from fedigw_extensions.neural.world import MultiLabelWorld

LONGEST = 10**8  # steps of an epoch: every one of them is drawn and kept


def neural_federation(
    data: MultiLabel,
    agents: int,
    plan: EpochPlan,
    learning_rate: Any = 7000,
    model: str = "perceptron",
    width: int = 256,
    precision: str = "single",
    engine: str = "numpy",
    protocol: FLProtocol | None = None,
    **parts: Any,
) -> Federation:
    """Return a federation on multi-label data, whose reward model is a network; by default FedIGW, with FedAvg and full
    local gradients. learning_rate: the policy's gamma. parts: further fields of Federation, such as policy and link."""
    longest = max(sum(row) for row in plan.full)
    if longest > LONGEST:
        raise InputError(
            "horizon", f"an epoch of {longest} steps", f"must be at most {LONGEST} over all agents"
        )
    return Federation(
        kind="neural",
        world=MultiLabelWorld(data, agents),
        model=NeuralModel(data.dimension, data.arms, model, width, precision, engine),
        plan=plan,
        rates=rates_of(learning_rate, rational=False),
        protocol=protocol or FedAvg(),
        **parts,
    )


LOOK_ALIKE = ("look_alike", "rows", "features", "labels", "seed")


def data_of(value: Any) -> MultiLabel:
    """Return the table that the value of `data` in an instance file describes: a stored data set by its name, or
    generated data by their sizes."""
    if isinstance(value, str):
        return cache.load(value)
    if not isinstance(value, Mapping):
        raise InputError("data", value, "must be a name, or a table with look_alike")
    instance_file.refuse_unknown(value, LOOK_ALIKE, "data.")
    of = instance_file.required(value, "look_alike", "data.")
    if not isinstance(of, str):
        raise InputError("data.look_alike", of, "must be the name of a data set")
    seed = instance_file.exact_number(value.get("seed", 0), "data.seed", "must be a non-negative integer")
    if seed.denominator != 1 or seed < 0:
        raise InputError("data.seed", str(seed), "must be a non-negative integer")
    sizes = {
        key: instance_file.positive_integer(value[key], f"data.{key}")
        for key in ("rows", "features", "labels")
        if key in value
    }
    return look_alike(of, int(seed), **sizes)


def _world(table: Mapping[str, Any], agents: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {
        "data": data_of(instance_file.required(table, "data")),
        "agents": len(agents),
        "model": instance_file.choice(table, "model", MODELS, "perceptron"),
        "width": instance_file.positive_integer(table.get("width", 256), "width"),
        "precision": instance_file.choice(table, "precision", tuple(PRECISIONS), "single"),
        "engine": instance_file.choice(table, "engine", ENGINES, "numpy"),
    }


KIND = Kind(
    name="neural",
    keys=("data", "model", "width", "precision", "engine"),
    agent_keys=(),
    world=_world,
    make=neural_federation,
    usual_protocol="fedavg",
    protocols=("fedigw.protocols",),
    environments="fedigw_extensions.neural.environments",
)
