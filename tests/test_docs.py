"""Generated pages are what the code generates."""

from pathlib import Path

import pytest

from verify import claim_graph, proof_page
from verify.catalogue import catalogue
from verify.claims_page import page
from verify.verdict import Verdict

ROOT = Path(__file__).resolve().parent.parent


def test_the_catalogue_page_is_up_to_date() -> None:
    assert (ROOT / "docs" / "claims.md").read_text() == page(), "run `make docs`"


@pytest.mark.parametrize("variant", ["repaired", "sharpened"])
def test_the_proof_pages_are_up_to_date(variant: str) -> None:
    written = (ROOT / "docs" / f"proof_{variant}.md").read_text()
    assert written == proof_page.page(variant), "run `make docs`"


def test_the_graph_is_up_to_date_and_shows_every_claim() -> None:
    statuses = {label: claim_graph.expected(claim) for label, claim in catalogue().items()}
    drawn = claim_graph.svg(statuses)
    assert (ROOT / "docs" / "claim_graph.svg").read_text() == drawn, "run `make docs`"
    for label in catalogue():
        assert (f">{label}<" in drawn) is not label.startswith("erratum:")


def test_the_graph_tells_statement_from_proof() -> None:
    refuted = claim_graph.status({"printed": Verdict.REFUTED, "repaired": Verdict.PROVED})
    assert claim_graph.BORDER[False] in claim_graph.svg({"lem:finite_var": refuted})
    assert claim_graph.FILL[Verdict.PROVED] in claim_graph.svg({"lem:finite_var": refuted})
    assert claim_graph.BORDER[True] not in claim_graph.svg({"lem:finite_var": refuted})
