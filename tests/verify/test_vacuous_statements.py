"""A statement that says nothing (contradictory hypotheses, an infinite bound) is called vacuous, never refuted."""

from collections import Counter
from fractions import Fraction

import pytest
from refused import answered
from report_example import whole_document

from verify.catalogue import catalogue
from verify.cli import main
from verify.recorded import of_variant
from verify.report.brief import rows
from verify.verdict import Kind, Verdict, shown

EMPTY = {
    "lem:FedAvg_complete": "on R^d",
    "lem:SCAFFOLD_complete": "for ridge regression, unless each agent's own features agree up to sign",
    "lem:LSGD-PFL_full": "on R^d",
    "col:convex": "on R^d",
    "col:convex_per": "on R^d",
}


@pytest.mark.fedigw
def test_exactly_these_printed_statements_are_vacuous():
    found = {
        label: variant.vacuous
        for label, claim in catalogue().items()
        for name, variant in claim.variants.items()
        if name == "printed" and variant.vacuous
    }
    assert found == EMPTY


@pytest.mark.fedigw
def test_scaffold_speaks_of_some_ridge_problems_and_is_counted_apart():
    """Samples (phi, r) = (1, 0), (1, 1): gradients 2(w - r) + 2 lambda w, at distance 1 from their mean for every w."""
    for features, bounded in (((1, 1), True), ((1, -1), True), ((1, Fraction(1, 2)), False)):
        first, second = (
            [2 * f * (f * w - r) for f, r in zip(features, (0, 1), strict=True)] for w in (0, 10**9)
        )
        assert ((first[0] - first[1]) ** 2 == (second[0] - second[1]) ** 2) is bounded
    kinds = Counter(row.kind for row in rows(whole_document()) if row.label in EMPTY)
    assert kinds == {Kind.VACUOUS: 4, Kind.PARTLY: 1}


@pytest.mark.fedigw
def test_the_verdict_is_neither_proved_nor_refuted():
    assert shown(Verdict.Z3.fields, "on R^d") == "vacuous on R^d (proved, z3)"
    assert shown(Verdict.Z3.fields, "") == "proved (z3)"
    assert shown(Verdict.REFUTED.fields, "on R^d") == "refuted (witness)"  # a finding is not hidden
    known = of_variant(catalogue()["col:convex"], "printed")
    assert not known.proved
    assert known.caution.startswith("NO GUARANTEE")


@pytest.mark.fedigw
def test_list_says_vacuous(capsys):
    assert main(["list", "--all"]) == 0
    rows = {line.split()[0]: line for line in capsys.readouterr().out.splitlines()}
    for label, where in EMPTY.items():
        assert f"printed vacuous {where} (proved, z3)" in rows[label]
        assert "printed refuted" not in rows[label]


@pytest.mark.parametrize(("label", "shape"), [("col:convex", ["d=4"]), ("col:convex_per", ["da=2", "db=1"])])
@pytest.mark.parametrize("quantity", ["regret", "rounds"])
def test_no_number_of_a_vacuous_statement_is_said_to_be_proved(label, shape, quantity, capsys):
    """What z3 proved is that the statement says nothing: in one answer, the table and the JSON."""
    asked = ["bound", label, "--quantity", quantity, "--set", "M=10", "K=3", "T=1e9", *shape]
    for variant in ("printed", "all"):
        assert main([*asked, "--variant", variant]) == 0
        said = next(line for line in capsys.readouterr().out.splitlines() if "vacuous on" in line)
        assert "vacuous on R^d" in said
        assert "proved" not in said
        found = answered(capsys, *asked, "--variant", variant)
        row = found if variant == "printed" else found["variants"][0]
        assert (row["verdict"], row["by"]) == ("undecided", None)
        assert row["statement_vacuous"] == "on R^d"
