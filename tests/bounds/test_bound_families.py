"""Families of bounds, theorems by label, and own:covering."""

import contextlib
import itertools
import math
from fractions import Fraction
from pathlib import Path

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from bounds import finite_excess_risk
from bounds.errors import InputError
from bounds.theorem import check_parameters
from bounds.theorems import exists, find, own_covering, theorems
from fedigw.applicable import applicable
from verify.catalogue import index
from verify.instances import parse, read_with
from verify.verbs.bound.document import evaluated

EDGES = {"M": (1, 10**6), "K": (1, 2, 1000), "T": (1, 2, 3, 10**12), "F": (1, 2, 10**9)}
EDGES |= {"A": (0.1,), "d": (1, 20), "da": (2,), "db": (3,), "f": (1, 4)}
SIZES = (
    {"M": 10, "K": 5, "T": 2**20, "F": 50, "A": 2, "d": 5, "da": 2, "db": 3, "f": 2},
    {"M": 1, "K": 2, "T": 3, "F": 2, "A": 0.5, "d": 1, "da": 1, "db": 1, "f": 0},
    {"M": 7, "K": 40, "T": 10**9 + 7, "F": 10**6, "A": 400, "d": 40, "da": 7, "db": 2, "f": 3},
)


@pytest.mark.parametrize("label", [label for label, theorem in theorems().items() if theorem.quantities])
def test_a_bound_at_its_edges_and_below_its_closed_form(label):
    family = theorems()[label]
    values = {name: EDGES[name] for name in family.required}
    widest = max(len(v) for v in values.values())
    for question in itertools.product(family.variants, family.quantities, (*family.protocols, None)):
        # a diagonal through the edges, and its mirror: every edge is met, not every combination; what a protocol
        # sends has the diagonal, and the regret hardly depends on it
        flips = (1, -1) if question[2] is None else (1,) if question[1] != "regret" else ()
        for i, flip in itertools.product(range(widest), flips):
            answered(label, question, {n: v[::flip][i % len(v)] for n, v in values.items()})
        reports = []
        for sizes in SIZES:
            parameters = check_parameters(family, {name: sizes[name] for name in family.required})
            with contextlib.suppress(InputError):
                reports.append((family.evaluate(*question, parameters), parameters))
        if not reports:
            assert "printed" in question or "regret" in question, question
            continue
        symbols = sorted(reports[0][0].closed_form.free_symbols, key=str)
        closed = sympy.lambdify(symbols, reports[0][0].closed_form, "math")
        for report, parameters in reports:
            # of parameters alone, or this is a KeyError; both are floats of 40 rounded terms
            above = closed(*(parameters[str(s)] for s in symbols))
            assert report.value <= above * (1 + 1e-12), (question, parameters)


def answered(label: str, question: tuple[str, str, str | None], given: dict[str, float]) -> None:
    """Check that the value of a bound is sound, or refused in one line."""
    variant, quantity, protocol = question
    try:
        found = evaluated(label, variant, given, quantity, protocol, formula=False)
    except InputError as error:
        if "\n" in str(error):
            raise
        return
    assert math.isfinite(found["value"])
    assert found["value"] >= 0
    assert found["vacuous"] == (found["value"] >= found["trivial"])  # `statement_vacuous` is another key


EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.mark.fedigw
def test_a_theorem_is_found_by_the_label_of_its_claim():
    for label, theorem in theorems().items():
        assert find(label) is theorem
        assert label in index(), "a theorem without a claim would have no verdict"
        assert not theorem.replaces or exists(theorem.replaces)
    assert find("lem:VE") is None


def test_what_a_federation_lacks_is_said_and_no_number_is_given():
    for policy, words in (("greedy", "inverse gap weighting"), ("igw", "")):
        found = applicable(parse(read_with(EXAMPLES / "federation.toml", policy=policy)))
        assert bool(found.values) is not bool(found.missing)
        assert words in " ".join(found.missing)


def test_a_net_of_radius_0_is_the_finite_class():
    for n, size in ((1, 2), (50, 100), (10**6, 3)):
        theirs = float(finite_excess_risk.sharpened_mean(size, n))
        assert float(own_covering.mean(float(n), math.log(size), 0.0)) == pytest.approx(theirs)


@given(st.floats(1, 1e12), st.integers(1, 100))
def test_the_linear_risk_does_not_increase(n, d):
    assert own_covering.linear_mean(2 * n, d) < own_covering.linear_mean(n, d)


functions = st.lists(
    st.lists(st.integers(0, 12).map(lambda k: Fraction(k, 12)), min_size=2, max_size=2).map(tuple),
    min_size=1,
    max_size=9,
)


@given(functions, st.sampled_from([Fraction(0), Fraction(1, 6), Fraction(1, 2), Fraction(1)]))
def test_a_net_covers_and_shrinks_with_its_radius(found, radius):
    size = own_covering.covering_number(found, radius)
    assert 1 <= size <= own_covering.covering_number(found, Fraction(0)) == len(set(found))
    assert own_covering.covering_number(found, Fraction(1)) == 1
