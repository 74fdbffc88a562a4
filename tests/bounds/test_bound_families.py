"""Families of bounds, theorems by label, and own:covering."""

import itertools
import math
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bounds import finite_excess_risk
from bounds.errors import InputError
from bounds.symbols import symbol
from bounds.theorems import exists, find, own_covering, theorems
from fedigw.applicable import applicable
from verify.catalogue import index
from verify.instances import parse, read_with
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
        # a diagonal through the edges, and its mirror: every edge is met, not every combination; what a protocol
        # sends has the diagonal, and the regret hardly depends on it
        flips = (1, -1) if question[2] is None else (1,) if question[1] != "regret" else ()
        for i, flip in itertools.product(range(widest), flips):
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
    assert found["vacuous"] == (found["value"] >= found["trivial"])  # `statement_vacuous` is another key
    return found


EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.mark.fedigw
def test_a_theorem_is_found_by_the_label_of_its_claim() -> None:
    for label, theorem in theorems().items():
        assert find(label) is theorem
        assert label in index(), "a theorem without a claim would have no verdict"
        assert not theorem.replaces or exists(theorem.replaces)
    assert find("lem:VE") is None


def test_what_a_federation_lacks_is_said_and_no_number_is_given() -> None:
    for policy, words in (("greedy", "inverse gap weighting"), ("igw", "")):
        found = applicable(parse(read_with(EXAMPLES / "federation.toml", policy=policy)))
        assert bool(found.values) is not bool(found.missing)
        assert words in " ".join(found.missing)


def test_a_net_of_radius_0_is_the_finite_class() -> None:
    for n, size in ((1, 2), (50, 100), (10**6, 3)):
        theirs = float(finite_excess_risk.sharpened_mean(size, n))
        assert float(own_covering.mean(float(n), math.log(size), 0.0)) == pytest.approx(theirs)


@given(st.floats(1, 1e12), st.integers(1, 100))
def test_the_linear_risk_does_not_increase(n: float, d: int) -> None:
    assert own_covering.linear_mean(2 * n, d) < own_covering.linear_mean(n, d)


functions = st.lists(
    st.lists(st.integers(0, 12).map(lambda k: Fraction(k, 12)), min_size=2, max_size=2).map(tuple),
    min_size=1,
    max_size=9,
)


@given(functions, st.sampled_from([Fraction(0), Fraction(1, 6), Fraction(1, 2), Fraction(1)]))
def test_a_net_covers_and_shrinks_with_its_radius(
    found: list[tuple[Fraction, ...]], radius: Fraction
) -> None:
    size = own_covering.covering_number(found, radius)
    assert 1 <= size <= own_covering.covering_number(found, Fraction(0)) == len(set(found))
    assert own_covering.covering_number(found, Fraction(1)) == 1


@pytest.mark.parametrize("variant", ["repaired", "sharpened", "best"])
def test_the_closed_form_bounds_the_sum(variant: str) -> None:
    family = own_covering.CoveringRegret()
    form = family.expression(variant, "regret", None)
    for M, K, T, d in ((1, 2, 3, 1), (10, 5, 2**20, 5), (3, 7, 10**9, 40)):
        values = {"M": M, "K": K, "T": T, "d": d}
        value = family.evaluate(variant, "regret", None, values).value
        assert value <= float(form.subs({symbol(k): v for k, v in values.items()}))
