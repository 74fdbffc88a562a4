"""Find the function of a finite class with the least squared loss on all agents' data, in one round.

Every agent sends the losses of all |F| functions on its own data. The server adds them, chooses a function with the
least sum (`ties` says which) and sends its index back. With M agents a call of the protocol sends M |F| numbers to the
server and M back.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bounds import lem_finite_error
from bounds.errors import choose
from fedigw.channel import Channel
from fedigw.interfaces import Fitted, FLProtocol, Guarantee, Memory, Setting
from fedigw.ledger import Traffic, one_call
from finite_class.losses import TIES, choose_minimiser
from finite_class.model import FiniteClass, LossProblem, PooledLossProblem


@dataclass(frozen=True)
class ExactMinimiser(FLProtocol):
    """Learn the function with the least squared loss on all agents' data. ties: which of several such functions is
    chosen: "first", "adversarial" (not the true one, if possible) or "uniform"."""

    ties: str = "first"
    name: ClassVar[str] = "exact_minimiser"
    needs: ClassVar[tuple[str, ...]] = ("losses",)
    pools: ClassVar[bool] = True
    informs: ClassVar[bool] = True

    def __post_init__(self) -> None:
        choose("ties", self.ties, TIES)

    def fit(self, problem: LossProblem, channel: Channel, memory: Memory, rng: np.random.Generator) -> Fitted:
        who = channel.begin_round()
        total = channel.total("losses", problem.losses()[who], (problem.model.size,))
        minimal = np.asarray(total == np.min(total))[None, :]
        chosen = choose_minimiser(minimal, problem.model.truth, self.ties, rng)
        return Fitted(int(channel.broadcast("index", chosen, (1,))[0]), memory=np.asarray(total)[None, :])

    def knowledge(self, problem: Any, memory: Memory) -> np.ndarray:
        return problem.totals() if isinstance(problem, PooledLossProblem) else np.asarray(memory)

    def pooled(self, problem: PooledLossProblem, rng: np.random.Generator) -> np.ndarray:
        return choose_minimiser(problem.minimal(), problem.model.truth, self.ties, rng)

    def guarantee(self, setting: Setting) -> Guarantee:
        functions = FiniteClass.of(setting).size
        return of_class(functions, one_call(setting.agents, 1, (1, functions), (1, 1)), self.ties)

    def settings(self) -> dict[str, Any]:
        return {"ties": self.ties}


def of_class(functions: int, call: Traffic, ties: str) -> Guarantee:
    """Return the guarantee of the exact minimiser over a class of `functions` functions. call: the counts of one call
    of the protocol."""
    return Guarantee(
        claim="col:finite",
        risk=lambda variant, n: lem_finite_error.mean(variant, functions, n),
        distance=lambda n: 0.0,
        cost=lambda n: call,
        variants=dict(printed=("printed", "repaired"), sharpened=("sharpened",), best=("best",)),
        on_all_data=(("app:cumulative", "finite"),),
        risk_claim="lem:finite_error",
        rests_on=(("lem:finite_error", "uniform_ties"),) if ties == "uniform" else (),
    )
