"""A law of contexts with probabilities proportional to 1, 2^-s, 3^-s, ...: a few contexts are common, most are rare."""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from fedigw.interfaces import ContextLaw


@dataclass(frozen=True)
class Zipf(ContextLaw):
    """A law in which the k-th context has a probability proportional to 1/k^exponent. exponent: a positive integer."""

    exponent: int = 1
    name: ClassVar[str] = "zipf"

    def __post_init__(self) -> None:
        self.check_positive("exponent", most=50)

    def chances(self, contexts: int) -> tuple[Fraction, ...]:
        weights = [Fraction(1, k**self.exponent) for k in range(1, contexts + 1)]
        return tuple(weight / sum(weights) for weight in weights)
