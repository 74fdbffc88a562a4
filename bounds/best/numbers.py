"""The parameters of the proof and what is derived from them, as exact numbers in place of the symbols."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from typing import Any

import sympy as sp

from bounds.best.parameters import ANY_SCHEDULE, DOUBLING, Parameters, derive
from bounds.best.symbols import DERIVED, PARAMETERS


def rational(value: Fraction) -> sp.Rational:
    """The same number for sympy."""
    return sp.Rational(value.numerator, value.denominator)


def numbers(parameters: Parameters) -> dict[Any, Any]:
    """Symbol -> number."""
    pairs = ((PARAMETERS, parameters), (DERIVED, derive(parameters)))
    return {
        getattr(symbols, f.name): rational(getattr(values, f.name))
        for symbols, values in pairs
        for f in dataclasses.fields(symbols)
    }


ANY, DOUBLED = numbers(ANY_SCHEDULE), numbers(DOUBLING)
