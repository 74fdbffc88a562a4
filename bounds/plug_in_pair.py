"""Count rounds from two given errors: a generalisation error g(n) and an optimisation error o(R, n) after R rounds
on n samples.

By lem:error_decompose the excess risk is e(n) <= (2/mu_f)(g + o), mu_f the curvature of the loss. As the paper
advises, a call stops where the optimisation error no longer dominates: R(n) is the least number of rounds with o(R,
n) <= g(n), so e(n) <= (4/mu_f) g(n). Up to step T, M agents with epochs of E^l steps have the sum over calls of R(M
E^l) rounds, and send 2 M d numbers per round in d dimensions. If o is a sum of k terms a R^{-q} and a exp(-b R),
then R is at most 1 plus the largest of (k a/g)^{1/q} and ln(k a/g)/b.
"""

from collections.abc import Mapping
from typing import Any

from bounds.arithmetic import Value, first_integer
from bounds.errors import InputError
from bounds.plug_in_text import Expression
from bounds.symbols import symbol

MOST_ROUNDS = 2**200


def balanced_rounds(
    generalisation: Expression, optimisation: Expression, n: float, parameters: Mapping[str, Any]
) -> int:
    """Return the least R >= 1 at which the optimisation error o(R, n) is at most the generalisation error g(n).
    InputError if there is none."""
    known = {name: float(value) for name, value in parameters.items()} | {"n": float(n)}
    target = float(generalisation.value(known))

    def error(rounds: int) -> float:
        return float(optimisation.value(known | {"R": float(rounds)}))

    optimisation.refuse_growth("R", ((2.0**k, error(2**k)) for k in range(61)))
    enough = first_integer(lambda rounds: error(rounds) <= target, most=MOST_ROUNDS)
    if enough is None:
        said = f"stays above the generalisation error {target:.6g} at n = {n:.6g}, however many rounds"
        raise InputError(optimisation.field, optimisation.text, said)
    return enough


def closed_rounds(generalisation: Value, optimisation: Value) -> Value:
    """Return, as sympy, a closed bound on the least rounds R(n) at which the optimisation error is at most the
    generalisation error. Return None if a term of the former is neither a power of R nor an exponential."""
    import sympy

    R = symbol("R")
    terms = sympy.Add.make_args(sympy.expand(optimisation))
    found = []
    for term in terms:
        constant, varying = term.as_independent(R)
        needed = len(terms) * constant / generalisation
        base, exponent = varying.as_base_exp()
        if base == R and exponent.is_negative:
            found.append(needed ** (-1 / exponent))
        elif varying.func == sympy.exp and (rate := sympy.cancel(-varying.args[0] / R)).is_positive:
            found.append(sympy.log(needed) / rate)
        else:
            return None
    return sympy.Max(1, *found) + 1
