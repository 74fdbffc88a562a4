"""docs/proof_best.md names steps that exist, names every concluding step's chain, and quotes the right numbers."""

import re
from pathlib import Path

from bounds.best.constant import best
from bounds.proofs import discover_chains

PAGE = (Path(__file__).parent.parent / "docs" / "proof_best.md").read_text(encoding="utf-8")
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
    assert f"{best(None).over_g:.4f}" in PAGE
    assert f"{best(None, doubling=True).over_g:.4f}" in PAGE
    for arms in (3, 5, 10, 100):
        assert f"{best(arms).over_g:.3f}" in PAGE
