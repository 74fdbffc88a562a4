"""List what is compared: data sets, interpretations ("readings") of "100 communications", and methods.

The paper says that "during each FL process ... the number of communications" is 100. The authors' released code
averages once per epoch and has about 100 epochs. Both readings are run. The paper does not give the local steps of a
round; they are 5 in the first reading and one pass over the epoch's data in the second. The first reading is the most
expensive, so it has 50 communications per call with all seeds and 100 with a few, to see what changes.
"""

from dataclasses import dataclass, replace
from itertools import repeat
from typing import Any

from bounds.errors import choose
from bounds.schedules import capped_lengths, synchronous_plan
from fedigw.federation import Federation
from fedigw.interfaces import FLProtocol
from fedigw.policies.greedy import Greedy
from fedigw.policies.igw import InverseGapWeighting
from fedigw.policies.softmax import Softmax
from fedigw.policies.ucb import UCB
from fedigw.protocols.fedavg import FedAvg
from fedigw.protocols.fedprox import FedProx
from fedigw.protocols.scaffold import Scaffold
from fedigw_extensions.neural.datasets.multilabel import MultiLabel
from fedigw_extensions.neural.federations import neural_federation
from fedigw_extensions.neural.neural_protocols.fn_ucb import FederatedNeuralUcb

AGENTS = 10
GAMMA = 7000.0  # Table 5
TEMPERATURE = 0.02  # Table 5
BATCH = 64  # Table 5
FLOOR = 64  # ours: no FL call on an epoch with fewer samples an agent; SCAFFOLD diverges there
LONGEST_EPOCH = 4096  # appendix on experiments
PROXIMAL = 0.01  # not given in the paper
SYNCHRONISED = 64  # steps between two calls of FN-UCB
SCALE = 0.3  # of its widths: the best of 0.03, 0.1, 0.3 and 1 on one seed that is not in the record; all are close
STEP_SIZES = {"bibtex": 0.1, "delicious": 0.2}  # Table 5
GAMMAS = (50.0, 1000.0, 7000.0, 50_000.0)


@dataclass(frozen=True)
class Reading:
    """An interpretation of the paper's settings. rounds: of communication in an FL call. local_steps: gradient steps
    between two rounds; if `passes` is given, so many passes over the epoch's data instead. horizon: T."""

    name: str
    rounds: int
    local_steps: int
    passes: int | None
    horizon: int
    about: str

    def local(self, step_size: float) -> dict[str, Any]:
        """Return the settings that all protocols with local steps share, as a dictionary."""
        return {
            "rounds": self.rounds,
            "local_steps": self.local_steps,
            "passes": self.passes,
            "step_size": step_size,
            "batch": BATCH,
        }


READINGS = {
    reading.name: reading
    for reading in (
        Reading("per_call", 50, 5, None, 8191, "50 communications in every FL call, 5 local steps each"),
        Reading("per_run", 1, 5, 1, 45_055, "one communication in every FL call, after one local pass"),
        Reading(
            "per_call_100", 100, 5, None, 8191, "100 communications in every FL call, 5 local steps each"
        ),
    )
}


@dataclass(frozen=True)
class Method:
    """A method: policy and protocol of a federation, or a baseline that does not play in FedIGW's epochs. alone: agents
    do not communicate. short: its name in a comparison. colour: of its curve."""

    name: str
    title: str
    short: str = ""
    colour: str = "#364fc7"
    policy: Any = None
    protocol: str = "fedavg"
    alone: bool = False
    model: str = "perceptron"
    gamma: float = GAMMA
    own: bool = False


METHODS = {
    method.name: method
    for method in (
        Method("fedigw_fedavg", "FedIGW, FedAvg", "FedAvg", "#1864ab"),
        Method("fedigw_fedprox", "FedIGW, FedProx", "FedProx", "#0b7285", protocol="fedprox"),
        Method("fedigw_scaffold", "FedIGW, SCAFFOLD", "SCAFFOLD", "#862e9c", protocol="scaffold"),
        Method("greedy", "greedy, FedAvg", "greedy", "#9a6700", Greedy()),
        Method("softmax", "softmax, FedAvg", "softmax", "#1a7f37", Softmax(TEMPERATURE)),
        Method("falcon", "FALCON, each agent alone", "FALCON", "#b42318", alone=True),
        Method("fn_ucb", "FN-UCB, diagonal", "FN-UCB", "#495057", UCB(SCALE), "fn_ucb", gamma=1.0),
        Method("agr", "adaptive greedy, one agent", "AGR", "#e8590c", own=True),
        Method("linear", "FedIGW, FedAvg, linear per arm", "linear", "#74c0fc", model="linear"),
        *(
            Method(f"gamma_{gamma:g}", f"FedIGW, gamma = {gamma:g}", gamma=gamma)
            for gamma in GAMMAS
            if gamma != GAMMA
        ),
    )
}
SWEPT = tuple(name for name in METHODS if name.startswith("gamma_"))
MAIN = ("fedigw_fedavg", "fedigw_fedprox", "fedigw_scaffold", "greedy", "softmax", "falcon")


def federation(
    data: MultiLabel,
    reading: Reading,
    method: Method,
    step_size: float,
    engine: str = "numpy",
    width: int = 256,
    agents: int = AGENTS,
) -> Federation:
    """Return the federation of one run; for a method without communication, that of one agent."""
    agents = 1 if method.alone else agents
    lengths = repeat(SYNCHRONISED) if method.protocol == "fn_ucb" else capped_lengths(LONGEST_EPOCH)
    plan = synchronous_plan(lengths, reading.horizon, agents)
    return neural_federation(
        data,
        agents,
        replace(plan, floor=FLOOR),
        method.gamma,
        model=method.model,
        width=width,
        engine=engine,
        protocol=protocol(method.protocol, reading, step_size),
        policy=method.policy or InverseGapWeighting(),
    )


def protocol(name: str, reading: Reading, step_size: float) -> FLProtocol:
    """Return the protocol with this name. If a call is a single round, SCAFFOLD's control variates persist between
    calls, because they would otherwise always be 0."""
    keys = reading.local(step_size)
    choose("protocol", name, ("fedavg", "fedprox", "scaffold", "fn_ucb"))
    if name == "fedprox":
        return FedProx(**keys, proximal=PROXIMAL, exact=False)
    if name == "scaffold":
        return Scaffold(**keys, option=2, kept=reading.rounds == 1)
    return FederatedNeuralUcb(step_size=step_size) if name == "fn_ucb" else FedAvg(**keys)
