"""Users' files that work, with a place for a misdeed inside a function ({inside}) and while the file is read
({outside}), and answers that such a file may give, of which the first is right.
"""

from textwrap import indent

CLAIM = """from verify.claim import Claim, Evidence, Task, Variant, Verdict

claim = Claim(label="user:{name}", title="T", section="S", statement="s",
    variants={"stated": Variant("1+1=2", ("none",), Verdict.EXACT)})

@claim.check("stated", control=dict(total=3), about="adds")
def adds(task: Task, total: int = 2) -> Evidence:
    {inside}
    return {answer}
{outside}
"""
CLAIM_ANSWERS = (
    "__import__('verify.statistics.compared').statistics.compared.at_most([(abs(total - 2), 0, 'here')])",
    "None", "3", "'exact'", "Evidence(Verdict.EXACT, 'believe me')",
    "Evidence('exact', 'x')", "Evidence(Verdict.EXACT, 3)", "[]", "lambda: 0",
    "Evidence(Verdict.EXACT, 'x', {'a': object()})", "Evidence(Verdict.EXACT, 'x', {'a': float('nan')})",
    "Evidence(Verdict.EXACT, 'x', None)", "Evidence(Verdict.EXACT, 'x', {}, 'vacuous')",
    "Evidence(Verdict.COQ, 'x')", "Evidence(Verdict.EXACT, 'x', {1: {2: {3}}})",
    "Evidence(Verdict.EXACT, 'x', {}, False, 7, 'no table')",
)  # fmt: skip
HEAD = """from dataclasses import dataclass
from typing import ClassVar
import numpy as np
{outside}
"""


def part(kind: str, method: str, more: str = "", source: str = "interfaces") -> str:
    """Return the file of a part: a method that ends with the answer, and more fields or methods."""
    return (
        HEAD
        + f"""
from fedigw.{source} import *

@dataclass(frozen=True)
class Mistaken({kind}):
    name: ClassVar[str] = "mistaken"
{indent(more, "    ")}
    def {method}
        {{inside}}
        return {{answer}}
"""
    )


POLICY = part("Policy", "probabilities(self, scores, rate, widths=None):")
PROTOCOL = part(
    "FLProtocol",
    """fit(self, problem, channel, memory, rng):
        shape = (problem.dimension,)
        who = channel.begin_round()
        point = channel.broadcast("point", np.zeros(shape), shape)
        total = channel.total("gradient", problem.gradients(point, who), shape)""",
    'needs: ClassVar[tuple[str, ...]] = ("gradients",)',
)
ENCODER = part("Encoder", "encode(self, messages, rng):", "bits = lambda self, messages: 64 * messages.size")
SUM = """
def total(self, messages, own=None):
    {inside}
    summed = {answer}
    return summed if own is None else own + summed
"""
AGGREGATOR = part("Aggregator", "combine(self, messages, weights):", SUM)
ATTACK = part("Attack", "corrupt(self, messages, bad, rng):", "agents: tuple[int, ...] = (0,)")
CLOCK = part("Clock", "count(self, time):")
ENVIRONMENT = (
    HEAD
    + """
from linear.environments.finite_contexts import make as other

EXAMPLES = ({},)

def make(rng, horizon=8):
    {inside}
    return {answer}
"""
)
SYSTEM = part(
    "System",
    """play(self, game):
        for features, pull in game.steps():
            {inside}
            pull(np.zeros(features.shape[:2], dtype=int))  # always the first arm""",
    """paper: ClassVar[str] = "none"
regret_order: ClassVar[str] = "T"
event: ClassVar[str | None] = "it is well"
numbers_at_most = lambda self, sizes: 0.0""",
    "game",
)
LINEAR = """kind = "linear"
horizon = 8
environment = {name = "finite_contexts", dimension = 2, contexts = 2, arms = 2, agents = 2, seed = 1}
learning_rate = 5
"""
LOCAL = 'protocol = {name = "fedavg", rounds = 2, local_steps = 2, step_size = 0.1}\n'
CLOCKED = """kind = "finite_class"
horizon = 8
truth = 0
functions = [[["1/2", "1/4"]], [["1/3", "1"]]]
agents = [{contexts = ["1"], clock = {name = "{file}"}}, {contexts = ["1"]}]
"""
# kind -> (world that names {file}, the file)
PARTS = {
    "policy": (LINEAR + 'policy = {name = "{file}"}\n', POLICY),
    "protocol": (LINEAR + 'protocol = {name = "{file}"}\n', PROTOCOL),
    "encoder": (LINEAR + LOCAL + 'link = {encoder = {name = "{file}"}}\n', ENCODER),
    "aggregator": (LINEAR + LOCAL + 'link = {aggregator = {name = "{file}"}}\n', AGGREGATOR),
    "attack": (LINEAR + LOCAL + 'attack = {name = "{file}"}\n', ATTACK),
    "clock": (CLOCKED, CLOCK),
    "environment": ('kind = "linear"\nhorizon = 8\nenvironment = {name = "{file}"}\n', ENVIRONMENT),
    "system": (LINEAR + 'system = {name = "{file}"}\n', SYSTEM),
}
ARRAYS = ("None", "'x'", "[]", "np.zeros(3)", "object()", "3", "lambda: 0")
ANSWERS = {
    "policy": (
        *("np.ones(scores.shape) / scores.shape[-1]", "scores", "scores * np.nan", "-scores", "rate"),
        *ARRAYS,
        *("np.full(scores.shape, np.inf)", "np.ones(scores.shape)", "scores[..., :1]"),
        *("scores.astype(object)",),
    ),
    "protocol": (
        *(
            "Fitted(channel.broadcast('estimate', -0.1 * total, shape))",
            "Fitted(total * np.nan)",
            "Fitted(None)",
        ),
        *("Fitted(np.zeros(9))", "total", "Fitted('x')", "Fitted(total * 1e308 * 10)", *ARRAYS),
    ),
    "encoder": (
        *("messages", "messages * np.nan", "messages[:1]", "messages.T", "messages * 1e308 * 10", *ARRAYS),
    ),
    "aggregator": (
        *("messages.sum(axis=0)", "messages", "messages.sum(axis=0) * np.nan", "messages[0, :1]", *ARRAYS),
    ),
    "attack": ("messages", "messages * np.nan", "messages[:1]", "messages.astype(str)", *ARRAYS),
    "clock": (
        "time",
        "-1",
        "time + 5",
        "0",
        "float('nan')",
        "1.5",
        "10**400",
        "None",
        "'x'",
        "[]",
        "time % 3",
    ),
    "environment": ("other(rng, horizon=horizon)", "None", "3", "'x'", "[]", "object()", "dict(a=1)"),
    "system": ("np.ones(game.replications, dtype=bool)", "None", "np.ones(9)", "'x'", "[]", "3", "game"),
}
