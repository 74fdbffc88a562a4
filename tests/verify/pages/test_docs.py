"""Generated pages are what the code generates."""

from pathlib import Path

from verify.catalogue import catalogue
from verify.pages.claims import page
from verify.paper import STATEMENTS
from verify.report import graph
from verify.verdict import Verdict

ROOT = Path(__file__).resolve().parents[3]


def test_the_catalogue_page_is_up_to_date() -> None:
    assert (ROOT / "docs" / "claims.md").read_text() == page(), "run `make docs`"


def test_the_graph_is_up_to_date_and_shows_every_statement() -> None:
    drawn = graph.expected()
    assert (ROOT / "docs" / "claim_graph.svg").read_text() == drawn, "run `make docs`"
    for statement in STATEMENTS:
        assert (f">{statement.number}<" in drawn) is (statement.numbered and statement.covered(catalogue()))


def test_the_graph_tells_statement_from_proof() -> None:
    refuted = {"variant": "printed", **Verdict.REFUTED.fields}, {"variant": "repaired", **Verdict.Z3.fields}
    drawn = graph.draw([{"label": "lem:finite_var", "depends": [], "errata": [], "variants": list(refuted)}])
    assert graph.BORDER["repaired"] in drawn
    assert graph.FILL[str(Verdict.Z3)] in drawn
    assert graph.BORDER["as printed"] not in drawn
