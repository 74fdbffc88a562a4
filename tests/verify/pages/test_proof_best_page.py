"""docs/proof_best.md names steps that exist, names every concluding step's chain, and quotes the right numbers."""

import math
import re
from fractions import Fraction
from pathlib import Path

from bounds.best.constant import asynchronous, best
from bounds.best.parameters import ANY_SCHEDULE, TUNED, derive, violated
from bounds.best.tune import tuned_over_g
from bounds.proofs import discover_chains
from verify.formal.statements import PROOFS, statements

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "proof_best.md").read_text(encoding="utf-8")
CHAINS = {chain.name: chain for chain in discover_chains() if chain.variant == "best"}
NAMED = [tuple(text.split(" / ", 1)) for text in re.findall(r"`(best: [^`]+ / [^`]+)`", PAGE)]


def test_every_named_step_exists() -> None:
    assert len(NAMED) > 60
    for chain, step in NAMED:
        assert chain in CHAINS, chain
        assert step in {s.name for s in CHAINS[chain].steps}, (chain, step)


def test_every_chain_is_on_the_page() -> None:
    assert set(CHAINS) == {chain for chain, _ in NAMED}


def test_quoted_constants() -> None:
    for doubling in (False, True):  # upper bounds are rounded up
        assert f"{math.ceil(best(None, doubling=doubling).over_g * 10**4) / 10**4:.4f}" in PAGE
    for arms in (3, 5, 10, 100):
        assert f"{best(arms).over_g:.3f}" in PAGE


def test_every_coq_name_on_the_page_exists_and_every_headline_theorem_is_there() -> None:
    named = set(re.findall(r"`([A-Z]\w+\.\w+)`", PAGE))
    assert len(named) > 30
    for name in named:
        file, _, item = name.partition(".")
        source = (PROOFS / f"{file}.v").read_text(encoding="utf-8")
        assert re.search(rf"\b(Theorem|Lemma|Record|Definition) {item}\b", source), name
    wanted = {s.theorem for s in statements() if s.variant == "best" and s.same == "yes"}
    assert wanted <= named


def test_the_tuned_parameters_close_and_give_the_number_on_the_page() -> None:
    assert not violated(TUNED)
    found = derive(TUNED)
    assert f"{math.sqrt(4 * (1 + found.a) * found.b):.4f}" == "3.8079"
    assert "[3.7592, 3.8079]" in PAGE


def test_the_constants_of_agents_out_of_step() -> None:
    """Every figure of section 6."""
    assert f"{asynchronous(ANY_SCHEDULE, None, Fraction(2)).over_g:.3f}" == "6.696"
    assert "C/g is at most 6.696 at c = 2" in PAGE
    for c, shown in ((2, 6.307), (4, 11.498)):
        # the optimiser only proposes: it may do a little better elsewhere, never worse than the page says
        assert shown - 0.01 < tuned_over_g(Fraction(c)) <= shown
        assert f"{shown:.3f} at c = {c}" in PAGE
