"""Report a bound at given parameters: its value, its formula and whether it is informative."""

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from numbers import Integral, Real
from typing import Any

from bounds.errors import InputError, fraction, written


@dataclass(frozen=True)
class Beside:
    """A lower bound on the worst regret of a policy (claim own:lower_bound) next to an upper one. value: the lower
    bound. ratio: the upper bound divided by it. limit: of this ratio as the excess risk tends to 0."""

    value: float
    ratio: float
    limit: float


@dataclass(frozen=True)
class BoundReport:
    """One bound, on the regret or on communication, evaluated at given parameters.

    formula      returns the closed form when called; computed only then, because importing sympy takes half a second
    trivial      the bound known without learning
    first_informative_horizon   the smallest horizon, at least 3, at which the bound is below the trivial one
    hypotheses   what the bound assumes, as sentences
    order_only   whether the paper hides the constant: `value` then has constant 1, and only its growth means anything
    rests_on     further statements, as (claim, variant), behind the value
    lower        a lower bound on the worst regret of the same policy, if this is a bound on the regret
    per_step     whether the bound is one formula in the horizon, not a sum over epochs
    """

    value: float
    formula: partial[Any]
    trivial: float
    first_informative_horizon: int | None
    hypotheses: tuple[str, ...]
    order_only: bool = False
    rests_on: tuple[tuple[str, str], ...] = ()
    lower: Beside | None = None
    per_step: bool = False

    @property
    def closed_form(self) -> Any:
        return self.formula()

    @property
    def vacuous(self) -> bool:
        return self.value >= self.trivial


COUNTS = ("M", "K", "T", "F", "d", "da", "db", "f", "local_steps", "path")
FLAGS = ("heterogeneous", "median")
POSITIVE_INTEGER = "must be a positive integer"


def parse_parameter(name: str, given: object) -> int | float:
    """Return the value of a parameter given as a number or as text, such as "1e6". Counts (agents, arms, steps, ...)
    must be positive integers. A float given for a count is rounded down, or to the nearest integer if it differs
    from it only by rounding error, as numbers of np.logspace do."""
    text = given if isinstance(given, str) else str(given)
    if isinstance(given, Real) and not isinstance(given, Fraction):  # numpy's numbers too
        given = int(given) if isinstance(given, Integral) else float(given)
    try:
        exact = Fraction(given) if isinstance(given, int | float | Fraction) else fraction(text)
    except (ValueError, TypeError, OverflowError, ZeroDivisionError):
        allowed = (
            f"{POSITIVE_INTEGER}{written(text, whole=True)}"
            if name in COUNTS
            else "must be a positive number"
        )
        raise InputError(name, text, allowed) from None
    if name in COUNTS and isinstance(given, float) and given >= 1:
        near = round(given)
        exact = Fraction(near if abs(given - near) <= 1e-9 * given else int(given))
    if name in COUNTS:
        if exact.denominator != 1 or exact < 1:
            raise InputError(name, text, POSITIVE_INTEGER)
        if exact > 10**300:
            raise InputError(name, text, POSITIVE_INTEGER + " up to 1e300")
        return int(exact)
    if name in FLAGS:
        if exact not in (0, 1):
            raise InputError(name, text, "must be 0 or 1")
        return int(exact)
    if name == "c" and exact < 1:
        raise InputError(name, text, "must be at least 1: the largest growth over the smallest")
    if not 0 < exact < 10**300:
        raise InputError(name, text, "must be a positive number")
    if exact < Fraction(1, 10**100):  # its square must be a float too
        raise InputError(name, text, "must be a positive number of at least 1e-100")
    return float(exact)
