"""Define the quantities of communication that theorems bound besides the regret, one file each. The file's name is
that of the quantity, and it defines QUANTITY."""

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from bounds.arithmetic import Value
from bounds.errors import choose


@dataclass(frozen=True)
class Counted:
    """The communication of one execution of the FL protocol, or of all executions up to step T. `calls` counts the
    executions; `up` means from agents to server. Fields are numbers or sympy expressions."""

    calls: Value
    rounds: Value
    numbers_up: Value = 0
    numbers_down: Value = 0

    @property
    def numbers(self) -> Value:
        return self.numbers_up + self.numbers_down


@dataclass(frozen=True)
class Quantity:
    """A quantity of communication. of: maps counts of calls, rounds and numbers to the quantity."""

    of: Callable[[Value], Value]


@cache
def names() -> tuple[str, ...]:
    return tuple(sorted(module.name for module in pkgutil.iter_modules(__path__)))


def find(name: str) -> Quantity:
    """Return the quantity of communication of that name, such as "rounds". Raise InputError for an unknown name."""
    found: Quantity = importlib.import_module(f"{__name__}.{choose('--quantity', name, names())}").QUANTITY
    return found
