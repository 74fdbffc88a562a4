"""Count the communication rounds of FedIGW if training stops as soon as the optimisation error no longer dominates.
Two formulas are given: a generalisation error g(n) after n samples, and an optimisation error o(R, n) after R rounds.

The excess risk is at most (2/mu_f)(g + o), with mu_f the curvature of the loss (lem:error_decompose). As the paper
advises, a model fit takes the least number R(n) of rounds with o(R, n) <= g(n). Its excess risk is then at most
(4/mu_f) g(n).

M agents with epochs of E^l steps take the sum over epochs of R(M E^l) rounds, and send 2 M d numbers a round in d
dimensions. If o is a sum of k terms like a R^{-q} or a exp(-b R), then R is at most 1 plus the largest of (k
a/g)^{1/q} and ln(k a/g)/b.
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
    """Return the least number of rounds at which the optimisation error is at most the generalisation error, on `n`
    samples. Raise InputError if there is none."""
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
    """Return a closed-form bound, a sympy expression, on the least number of rounds at which the optimisation error is
    at most the generalisation error. Return None if a term of the optimisation error is neither a power of the rounds
    nor an exponential."""
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
