"""What varies along an index: what is declared to, and every sum or supremum of something that does."""

from __future__ import annotations

from collections.abc import Iterable

import sympy as sp

from bounds.proofs.engine.model import Chain, Hypothesis


def varying(chain: Chain, index: str, hypotheses: Iterable[Hypothesis]) -> set[sp.Symbol]:
    """What varies along the index, given what these hypotheses fix.

    A sum over arms of what varies from agent to agent varies from agent to agent.
    """
    fixed = {s for h in hypotheses for s in h.fixes.get(index, ())}
    found = set(chain.indexed.get(index, ())) - fixed
    sums = [
        (sp.sympify(total.value), sp.sympify(total.term))
        for along, totals in chain.totals.items()
        if along != index
        for total in totals
    ]
    sums += [(symbol, term) for symbol, (along, term) in chain.suprema.items() if along != index]
    while True:
        more = {value for value, term in sums if value.is_Symbol and term.free_symbols & found} - fixed
        if more <= found:
            return found
        found |= more
