"""Every bound of every claim at the edges of its parameters: a number with its formula, or one line."""

import itertools
import math
from functools import cache

import pytest
import sympy

import verify
from bounds.errors import InputError
from bounds.theorems import theorems

EDGES = {"M": (1, 10**6), "K": (1, 2, 1000), "T": (1, 2, 3, 10**12), "F": (1, 2, 10**9)}
EDGES |= {"A": (0.1,), "d": (1, 20), "da": (2,), "db": (3,), "f": (1, 4)}
PLAIN = {"M": 10, "K": 5, "T": 1000, "F": 50, "A": 2, "d": 5, "da": 2, "db": 3, "f": 2}


@pytest.mark.parametrize(
    ("label", "variant"),
    [(label, variant) for label, t in theorems().items() if t.quantities for variant in t.variants],
)
def test_a_bound_at_its_edges(label: str, variant: str) -> None:
    family = theorems()[label]
    values = {name: EDGES[name] for name in family.required}
    widest = max(len(v) for v in values.values())
    for quantity, protocol in itertools.product(family.quantities, (*family.protocols, None)):
        # a diagonal through the edges, and its mirror: every edge is met, not every combination
        for i, flip in itertools.product(range(widest), (1, -1)):
            answered(
                label, variant, quantity, protocol, {n: v[::flip][i % len(v)] for n, v in values.items()}
            )
        plain = answered(label, variant, quantity, protocol, {name: PLAIN[name] for name in family.required})
        assert plain or variant == "printed" or quantity == "regret", (quantity, protocol)


def answered(label: str, variant: str, quantity: str, protocol: str | None, given: dict[str, float]) -> bool:
    """Whether the bound has a value there, which is then sound; else it is refused in one line."""
    try:
        found = verify.bound(label, variant, quantity=quantity, protocol=protocol, **given)
    except InputError as error:
        if "\n" in str(error):
            raise
        return False
    assert math.isfinite(found.value)
    assert found.value >= 0
    assert found.vacuous == (found.value >= found.trivial)
    names = symbols_of(found.closed_form)
    assert names <= set(found.parameters), "the closed form speaks of the parameters alone"
    return True


@cache
def symbols_of(closed_form: str) -> set[str]:
    """The names in it; most edges have the same closed form."""
    return {str(symbol) for symbol in sympy.sympify(closed_form).free_symbols}
