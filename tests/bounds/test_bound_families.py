"""Every bound of every claim at the edges of its parameters: a number with its formula, or one line."""

import itertools
import math
import re
from typing import Any

import pytest

from bounds.errors import InputError
from bounds.theorems import theorems
from verify.verbs.bound.document import evaluated

EDGES = {"M": (1, 10**6), "K": (1, 2, 1000), "T": (1, 2, 3, 10**12), "F": (1, 2, 10**9)}
EDGES |= {"A": (0.1,), "d": (1, 20), "da": (2,), "db": (3,), "f": (1, 4)}
PLAIN = {"M": 10, "K": 5, "T": 1000, "F": 50, "A": 2, "d": 5, "da": 2, "db": 3, "f": 2}


@pytest.mark.parametrize("label", [label for label, theorem in theorems().items() if theorem.quantities])
def test_a_bound_at_its_edges(label: str) -> None:
    family = theorems()[label]
    values = {name: EDGES[name] for name in family.required}
    widest = max(len(v) for v in values.values())
    for question in itertools.product(family.variants, family.quantities, (*family.protocols, None)):
        # a diagonal through the edges, and its mirror: every edge is met, not every combination
        for i, flip in itertools.product(range(widest), (1, -1)):
            answered(label, question, {n: v[::flip][i % len(v)] for n, v in values.items()})
        plain = answered(label, question, {name: PLAIN[name] for name in family.required}, formula=True)
        if plain is None:
            assert "printed" in question or "regret" in question, question
        else:
            names = set(
                re.findall(r"[A-Za-z]\w*(?![\w(])", plain["closed_form"])
            )  # of symbols, not of functions
            assert names <= set(plain["parameters"]), "the closed form speaks of the parameters alone"


def answered(
    label: str, question: tuple[str, str, str | None], given: dict[str, float], formula: bool = False
) -> dict[str, Any] | None:
    """Return the document of a bound, whose value is sound; None where it is refused in one line."""
    variant, quantity, protocol = question
    try:
        found = evaluated(label, variant, given, quantity, protocol, formula=formula)
    except InputError as error:
        if "\n" in str(error):
            raise
        return None
    assert math.isfinite(found["value"])
    assert found["value"] >= 0
    assert found["vacuous"] == (found["value"] >= found["trivial"])
    return found
