"""A statement that says nothing (contradictory hypotheses, an infinite bound) is called vacuous, never refuted."""

import json

import pytest

from verify.catalogue import catalogue
from verify.cli import main
from verify.recorded import of_variant
from verify.verdict import Verdict, shown

EMPTY = {
    "lem:FedAvg_complete": "on R^d",
    "lem:SCAFFOLD_complete": "for ridge",
    "lem:LSGD-PFL_full": "on R^d",
    "col:convex": "on R^d",
    "col:convex_per": "on R^d",
}


def test_exactly_these_printed_statements_are_vacuous() -> None:
    found = {
        label: variant.vacuous
        for label, claim in catalogue().items()
        for name, variant in claim.variants.items()
        if name == "printed" and variant.vacuous
    }
    assert found == EMPTY


def test_the_verdict_is_neither_proved_nor_refuted() -> None:
    assert shown(Verdict.Z3.fields, "on R^d") == "vacuous on R^d (proved, z3)"
    assert shown(Verdict.Z3.fields, "") == "proved (z3)"
    assert (
        shown(Verdict.REFUTED.fields, "on R^d") == "refuted (witness)"
    )  # an unexpected finding is not hidden
    known = of_variant(catalogue()["col:convex"], "printed")
    assert not known.proved
    assert known.caution.startswith("NOT A BOUND")


def test_list_and_bound_say_vacuous(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "--all"]) == 0
    rows = {line.split()[0]: line for line in capsys.readouterr().out.splitlines()}
    for label, where in EMPTY.items():
        assert f"printed vacuous {where} (proved, z3)" in rows[label]
        assert "printed refuted" not in rows[label]
    asked = ["bound", "col:convex", "--variant", "printed", "--set", "M=10", "K=5", "T=1e6", "d=4"]
    assert main([*asked, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["statement_vacuous"] == "on R^d"
    assert main(asked) == 0
    assert "NOT A BOUND: its statement is vacuous on R^d" in capsys.readouterr().out
