"""Check, whenever a policy from a user's file is used, that it returns probabilities."""

import functools
import inspect
import sys
from typing import Any

import numpy as np

from fedigw.discovery import CatalogueError

# Between rounding (a row of 32-bit floats misses 1 by some 1e-7) and mistakes: what passes is divided by its sum, so
# that no step is lost or played twice, and moves a probability by less than any simulation can see.
ROUNDING = 1e-6
EQUAL = 1e-12  # rounding of 64-bit floats: left as it is
MARK = "_probabilities_are_checked"


def checked(policy: type[Any], file: str) -> type[Any]:
    """Add a check to a user's policy class and return it: its method `probabilities` then raises an error with file and
    line if the result is not an array of probabilities. file: the user's file."""
    if MARK in vars(policy):  # a file is loaded once, and may be named often
        return policy
    theirs = policy.probabilities
    where = f"{file}, line {_line(policy)}: {policy.__name__}.probabilities"

    @functools.wraps(theirs)
    def probabilities(self: Any, scores: np.ndarray, *others: Any, **named: Any) -> np.ndarray:
        shape = np.shape(scores)
        found = theirs(self, scores, *others, **named)
        try:
            numbers = np.asarray(found, dtype=float)
        except (TypeError, ValueError):
            raise CatalogueError(f"{where} must be an array of numbers, not {type(found).__name__}") from None
        if numbers.shape != shape:
            raise CatalogueError(f"{where} must have the shape of the scores, {shape}, not {numbers.shape}")
        if not (fine := np.isfinite(numbers)).all():
            raise CatalogueError(f"{where} must be finite numbers: one is {numbers[~fine][0]}")
        if (numbers < 0).any():
            raise CatalogueError(f"{where} must not be negative: one is {numbers.min():g}")
        sums = numbers.sum(axis=-1, keepdims=True)
        away = np.abs(sums - 1)
        if away.max(initial=0.0) > ROUNDING:
            said = f"{where} must sum to 1 within {ROUNDING:g}: a sum is {sums.flat[away.argmax()]:g}"
            raise CatalogueError(said)
        exact = np.asarray(found)
        return exact if exact.dtype == object or away.max(initial=0.0) <= EQUAL else numbers / sums

    policy.probabilities = probabilities
    setattr(policy, MARK, True)
    return policy


def _line(policy: type[Any]) -> int:
    if inspect.isfunction(policy.probabilities):
        code = policy.probabilities.__code__
        if code.co_filename == sys.modules[policy.__module__].__file__:
            return int(code.co_firstlineno)
    return inspect.getsourcelines(policy)[1]
