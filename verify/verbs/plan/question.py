"""Define the input of `plan`: numbers of agents, arms and steps, the class of functions, and limits."""

import math
from dataclasses import dataclass
from numbers import Real
from types import NoneType
from typing import Any

from bounds.errors import InputError

MOST = 10**15  # largest number of anything


@dataclass(frozen=True)
class Question:
    """The federation for which `plan` chooses a protocol, and the limits that it must respect.

    Exactly one of dimension (of linear rewards) and class_size (number of functions in a finite class) is given. price:
    cost of sending a number, in units of regret. rounds_limit, bytes_limit: for all epochs together. epsilon, delta:
    required differential privacy. malicious: number of lying agents. asynchronous: whether agents act at different
    times.
    """

    agents: int
    arms: int
    horizon: int
    dimension: int | None = None
    class_size: int | None = None
    price: float | None = None
    rounds_limit: int | None = None
    epsilon: float | None = None
    delta: float = 1e-5
    malicious: int = 0
    asynchronous: bool = False
    bytes_limit: int | None = None

    def __post_init__(self) -> None:
        given = [name for name in ("dimension", "class_size") if getattr(self, name) is not None]
        if len(given) != 1:
            said = "give --dimension for linear rewards, or --class-size for a finite class"
            both = " and ".join(given) or None
            raise InputError("class of functions", both, f"{said}, not both" if given else said)
        limits = [name for name in ("rounds_limit", "bytes_limit") if getattr(self, name) is not None]
        for name in ("agents", "arms", "horizon", *given, *limits):
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= MOST:
                value = repr(value) if isinstance(value, str) else value
                raise InputError(name, value, "must be an integer between 1 and 1e15")
        for name in ("price", "epsilon", "delta"):
            value = getattr(self, name)
            known = Real if name == "delta" else (Real, NoneType)
            if isinstance(value, bool) or not isinstance(value, known):
                raise InputError(name, repr(value), "must be a number")
        if self.price is not None and not (0 <= self.price < math.inf):
            raise InputError("price", self.price, "must be a number of at least 0")
        if self.epsilon is not None and not 0 < self.epsilon < math.inf:
            raise InputError("epsilon", self.epsilon, "must be a positive number")
        if not 0 < self.delta < 1:
            raise InputError("delta", self.delta, "must be between 0 and 1")
        if not isinstance(self.malicious, int) or isinstance(self.malicious, bool):
            raise InputError("malicious", repr(self.malicious), "must be a number of agents")
        if not 0 <= self.malicious <= self.agents:
            raise InputError("malicious", self.malicious, f"must be between 0 and the {self.agents} agents")
        if 2 * self.malicious >= self.agents:
            said = f"half or more of {self.agents} agents lie: no rule can tell who is honest; at most"
            raise InputError("malicious", self.malicious, f"{said} {(self.agents - 1) // 2}")

    @property
    def linear(self) -> bool:
        return self.dimension is not None

    @property
    def claim(self) -> str:
        from bounds.theorems import col_finite, col_linear

        return (col_linear if self.linear else col_finite).THEOREM.label

    def bound(
        self,
        variant: str,
        quantity: str = "regret",
        protocol: str | None = None,
        agents: int | None = None,
        claim: str | None = None,
        **more: float,
    ) -> dict[str, Any]:
        """Return what `bound --json` prints for this federation, without the closed form. agents, claim: replace the
        number of agents and the claim of this federation. The other arguments are those of `verify.bound`."""
        from verify.verbs.bound.document import evaluated

        size = {"d": int(self.dimension or 1)} if self.linear else {"F": int(self.class_size or 1)}
        given = {"M": agents or self.agents, "K": self.arms, "T": self.horizon} | size | more
        return evaluated(claim or self.claim, variant, given, quantity, protocol, formula=False)
