"""List the parts of the experiments: two settings ("readings" of the paper's text), the methods, and the parameter
values to try.

The paper says that "during each FL process ... the number of communications" is 100. The authors' released code
averages once per epoch and has 100 epochs. Both readings are run. The paper does not give the number of local steps in
a round: it is 5 in the first reading and one pass over the epoch's data in the second.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from bounds.errors import InputError, choose
from fedigw_extensions.neural.figures.simulator import Setting

GAMMA = 7000.0  # Table 5
TEMPERATURE = 0.02  # Table 5
BATCH = 64  # Table 5
STEP_SIZES = {"bibtex": 0.1, "delicious": 0.2}  # Table 5
RELEASED_GAMMAS = {"bibtex": 7000.0, "delicious": 10_000.0}  # main.py of the released code
WHOLE = 364_543  # steps that the released code plays: 4,095 and 88 times 4,096
SHORT = 45_055  # steps of what is varied: an eighth of the whole horizon
SHORTEST = 8191  # steps with many communications a call


@dataclass(frozen=True)
class Reading:
    """A setting of the experiment, that is, one reading of the paper's text. methods: what is run. seeds: how many, by
    data set. changes: fields of Setting."""

    about: str
    methods: tuple[str, ...]
    seeds: Mapping[str, int]
    changes: Mapping[str, Any] = field(default_factory=dict)
    horizon: int = WHOLE


SHARED = ("fedavg", "fedprox", "scaffold", "greedy", "softmax", "falcon", "fn_ucb")
READINGS = {
    "per_run": Reading(
        "one communication in every FL call, after one local pass", SHARED, dict(bibtex=20, delicious=10)
    ),
    "per_call": Reading(
        "100 communications in every FL call, 5 local steps each",
        (*SHARED[:-1], "agr"),
        dict(bibtex=20, delicious=10),
        dict(rounds=100, local_steps=5),
        SHORTEST,
    ),
    "released": Reading(
        "the released code: its network, first weights, epochs, batch, step size and gamma",
        ("fedavg",),
        dict(bibtex=3, delicious=3),
        dict(model="released", batch=128),
    ),
    "short": Reading(
        "as per_run, an eighth of its horizon", SHARED, dict(bibtex=10, delicious=10), horizon=SHORT
    ),
    "all_data": Reading(
        "as short, but learned from the data of all epochs",
        ("fedavg", "greedy", "softmax", "fn_ucb"),
        dict(bibtex=10, delicious=10),
        dict(memory="all"),
        SHORT,
    ),
    "dirichlet": Reading(
        "as short, but the rows are split among the agents by label, Dirichlet(0.1)",
        ("fedavg", "fedprox", "scaffold", "falcon"),
        dict(bibtex=10, delicious=10),
        dict(split=0.1),
        SHORT,
    ),
}
TUNED = "per_run"  # the reading in which parameters are tuned


@dataclass(frozen=True)
class Method:
    """A method of the comparison. changes: the fields of Setting that define it. grid: the values of its parameter
    that are tried, on seeds that are not reported."""

    title: str
    short: str
    colour: str
    changes: Mapping[str, Any] = field(default_factory=dict)
    grid: tuple[float, ...] = ()


METHODS = {
    "fedavg": Method("FedIGW, FedAvg", "FedAvg", "#1864ab", {}, (1000.0, GAMMA, 20_000.0, 100_000.0)),
    "fedprox": Method("FedIGW, FedProx", "FedProx", "#0b7285", dict(protocol="fedprox")),
    "scaffold": Method("FedIGW, SCAFFOLD", "SCAFFOLD", "#862e9c", dict(protocol="scaffold")),
    "greedy": Method("greedy, FedAvg", "greedy", "#9a6700", dict(policy="greedy", parameter=0.0)),
    "softmax": Method(
        *("softmax, FedAvg", "softmax", "#1a7f37"),
        dict(policy="softmax", parameter=TEMPERATURE),
        (0.005, 0.01, TEMPERATURE, 0.05),
    ),
    "epsilon": Method(
        *("epsilon-greedy, FedAvg", "epsilon-greedy", "#5c940d"),
        dict(policy="epsilon_greedy", parameter=0.1),
        (0.01, 0.03, 0.1, 0.3),
    ),
    "falcon": Method("FALCON, each agent separately", "FALCON", "#b42318", dict(protocol="none", agents=3)),
    "fn_ucb": Method(
        *("stand-in for FN-UCB (last layer)", "FN-UCB stand-in", "#495057"),
        dict(policy="fn_ucb", parameter=0.1),
        (0.03, 0.1, 0.3, 1.0),
    ),
    "agr": Method("adaptive greedy (contextualbandits), one agent", "AGR", "#e8590c"),
}
TUNED_ON = (1000, 1001)  # seeds of the grids, which are never reported


def setting(dataset: str, reading: str, method: str, value: float | None = None) -> Setting:
    """Return the setting of a run. value: the parameter of the method's policy; None for the default."""
    asked, row = READINGS[choose("reading", reading, READINGS)], METHODS[choose("method", method, METHODS)]
    released = reading == "released"
    found = Setting(asked.horizon, STEP_SIZES["bibtex" if released else choose("data", dataset, STEP_SIZES)])
    if released:
        found = replace(found, parameter=RELEASED_GAMMAS[dataset])
    found = replace(found, **{**asked.changes, **row.changes})
    return found if value is None else replace(found, parameter=value)


def check_seeds(text: str) -> tuple[int, ...]:
    """Return the seeds in a text like 0,1,2. Raise InputError for other text or seeds that chose parameters."""
    try:
        seeds = tuple(int(part) for part in text.split(","))
    except ValueError:
        raise InputError("--seeds", text, "must be numbers, as in 0,1,2") from None
    for seed in seeds:
        if seed < 0:
            raise InputError("--seeds", seed, "must be non-negative")
        if seed in TUNED_ON:
            said = "parameters were chosen on it, so its rewards are not reported; give others, as in 0,1,2"
            raise InputError("--seeds", seed, said)
    return seeds


def check_grid(text: str) -> tuple[str, tuple[float, ...]]:
    """Return the method and the values of a text like softmax=0.01,0.1. Raise InputError for an empty grid."""
    method, _, values = text.partition("=")
    choose("--grid", method, [name for name, row in METHODS.items() if row.grid])
    try:
        found = tuple(float(part) for part in values.split(",") if part.strip())
    except ValueError:
        raise InputError("--grid", text, "must be a method and numbers, as in softmax=0.01,0.1") from None
    if not found:
        raise InputError("--grid", text, "has no values; give some, as in softmax=0.01,0.1")
    if not all(0 < value < math.inf for value in found):
        raise InputError("--grid", text, "must have positive and finite values")
    return method, found
