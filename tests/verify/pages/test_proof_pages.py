"""The pages of the proofs name Coq lemmas that exist, every theorem that they are about among them."""

import re
from pathlib import Path

import pytest

from verify.formal.statements import PROOFS, statements
from verify.pages.site import numbered

DOCS = Path(__file__).resolve().parents[3] / "docs"
ABOUT = ("thm:global_regret", "col:finite", "col:convex_raw", "own:covering")
# page -> the variants that it proves, and how many lemmas it names at least
PAGES = {
    "proof_repaired.md": (("printed", "repaired"), 60),
    "proof_sharpened.md": (("sharpened",), 45),
    "proof_best.md": (("best",), 60),
}


@pytest.mark.parametrize("page", PAGES)
def test_every_coq_name_exists_and_every_theorem_is_there(page: str) -> None:
    text, (variants, least) = (DOCS / page).read_text(encoding="utf-8"), PAGES[page]
    named = set(re.findall(r"`([A-Z]\w+\.\w+)`", text))
    assert len(named) > least
    for name in named:
        file, _, item = name.partition(".")
        source = (PROOFS / f"{file}.v").read_text(encoding="utf-8")
        assert re.search(rf"\b(Theorem|Lemma|Record|Definition|Fixpoint) {item}\b", source), name
    wanted = {
        s.theorem
        for s in statements()
        if s.variant in variants and s.same == "yes" and not s.refutes
        if "best" in variants or s.label in ABOUT or s.label.startswith("lem:")
    }
    assert wanted <= named, wanted - named


def test_every_false_line_of_the_general_proof_is_mentioned() -> None:
    text = (DOCS / "proof_repaired.md").read_text(encoding="utf-8")
    for erratum in (*range(1, 13), 19, 20, 21):
        assert re.search(rf"\bE{erratum}\b", text), erratum


@pytest.mark.parametrize("page", PAGES)
def test_formulas_can_be_drawn(page: str) -> None:
    assert "$" not in numbered((DOCS / page).read_text(encoding="utf-8"))
