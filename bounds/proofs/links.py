"""Lemmas used across chains: what the other chain's result rests on must hold where it is used.

Every hypothesis of the other proof, after renaming, is split into its parts. A part about symbols of the user must
follow from the user's own hypotheses. A part about inner symbols of the other proof (a probability, a gap, a root) must
leave room for every value that the user allows: for all values of the user's symbols some inner values satisfy it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial, reduce
from typing import Any

import sympy as sp

from bounds.proofs.chain import rests_on
from bounds.proofs.existence import decide_exists
from bounds.proofs.meaning import spoken_of
from bounds.proofs.model import Chain, Checked, Hypothesis, Outcome, moved
from bounds.proofs.smt import decide

MILLISECONDS = 300  # what holds is found at once; what does not is asked with everything that is connected
IN_FORCE = ("hypothesis", "definition", "cited")  # a lemma, a case and a special value may not support a link


def needs(chain: Chain, step: str, chains: Mapping[str, Chain]) -> list[tuple[str, Any]]:
    """(name, statement) of every hypothesis that a step rests on, also through the lemmas it uses."""
    found: list[tuple[str, Any]] = []
    own = spoken_of(chain)
    rests = rests_on(chain)[step]
    for hypothesis in chain.hypotheses:
        if hypothesis.name not in rests:
            continue
        if hypothesis.kind != "lemma":
            found.append((hypothesis.name, sp.sympify(hypothesis.statement)))
            continue
        source, _, concluded = hypothesis.source.partition("/")
        for name, statement in needs(chains[source], concluded, chains):
            known = name if ": " in name else f"{source}: {name}"
            there = moved(statement, hypothesis.renamed)
            # Inner symbols of two lemmas are different things even if their proofs use one letter.
            inner = there.free_symbols - own - hypothesis.statement.free_symbols
            fresh = {s: sp.Symbol(f"{s} ({hypothesis.name})", real=True) for s in inner}
            found.append((known, moved(there, fresh)))
    return found


def assumptions(
    chain: Chain, chains: Mapping[str, Chain], values: tuple[Mapping[sp.Symbol, Any], ...] = ()
) -> dict[str, list[str]]:
    """Kind -> names of what the conclusions take for granted, through the lemmas too.

    What is true at the values at which a lemma is used (a condition on numbers) is not assumed there.
    """
    found: dict[str, list[str]] = {}
    used = set().union(*(rests_on(chain)[name] for name in chain.concludes))
    for hypothesis in chain.hypotheses:
        if hypothesis.kind == "lemma" and hypothesis.name in used:
            source = chains[hypothesis.source.partition("/")[0]]
            for kind, names in assumptions(source, chains, (hypothesis.renamed, *values)).items():
                found.setdefault(kind, []).extend(n for n in names if n not in found.get(kind, ()))
        elif hypothesis.name in used and hypothesis.name not in found.get(hypothesis.kind, ()):
            there = reduce(moved, values, sp.sympify(hypothesis.statement))
            if values and there == sp.true != hypothesis.statement:
                continue
            found.setdefault(hypothesis.kind, []).append(hypothesis.name)
    return found


def check_links(chain: Chain, chains: Iterable[Chain]) -> dict[str, Checked]:
    """Lemma (and hypothesis of the other proof) -> why it is not shown to hold here; empty if all links hold."""
    by_name = {other.name: other for other in chains}
    facts = [h.statement for h in chain.hypotheses if h.kind in IN_FORCE and h.statement != sp.true]
    own = spoken_of(chain)
    unmet: dict[str, Checked] = {}
    for lemma in (h for h in chain.hypotheses if h.kind == "lemma"):
        unmet |= _check_link(lemma, facts, own, by_name)
    return unmet


def _check_link(
    lemma: Hypothesis, facts: list[Any], own: set[sp.Symbol], chains: Mapping[str, Chain]
) -> dict[str, Checked]:
    unmet: dict[str, Checked] = {}
    outer = own | lemma.statement.free_symbols
    given = {part for fact in facts for part in sp.And.make_args(fact)}
    inner_parts: dict[Any, str] = {}
    source, _, step = lemma.source.partition("/")
    for name, statement in needs(chains[source], step, chains):
        there = moved(statement, lemma.renamed)
        for part in sp.And.make_args(there):
            if part == sp.true or part in given:
                continue
            if part.free_symbols - outer:
                inner_parts[part] = name
                continue
            found = _first(partial(decide, part, milliseconds=MILLISECONDS), part.free_symbols, facts)
            if found.outcome is not Outcome.PROVED:
                unmet[f"{lemma.name} needs {name}: {part}"] = found
    for parts in _connected(inner_parts, outer):
        if not any(part.free_symbols & outer for part in parts):
            # About inner symbols alone: it says nothing about the user's, but it must not contradict itself.
            found = decide_exists(set().union(*(part.free_symbols for part in parts)), parts, [])
            if found.outcome is not Outcome.PROVED:
                names = ", ".join(dict.fromkeys(inner_parts[part] for part in parts))
                unmet[f"{lemma.name} needs {names}: {sp.And(*parts)}"] = found
            continue
        shared = {s for part in parts for s in part.free_symbols} & outer
        inner = {s for part in parts for s in part.free_symbols} - outer
        found = _first(partial(decide_exists, inner, parts), shared, facts)
        if found.outcome is not Outcome.PROVED:
            names = ", ".join(dict.fromkeys(inner_parts[part] for part in parts))
            unmet[f"{lemma.name} needs {names}: {sp.And(*parts)}"] = found
    return unmet


def _first(ask: Callable[[list[Any]], Checked], symbols: set[sp.Symbol], facts: list[Any]) -> Checked:
    """Ask with the facts about these symbols alone, and only if that is not enough with all that are connected.

    Fewer facts prove less, never more; a counterexample counts only with all of them.
    """
    parts = [part for fact in facts for part in sp.And.make_args(fact)]
    found = ask([part for part in parts if part.free_symbols <= symbols])
    return found if found.outcome is Outcome.PROVED else ask(_about(symbols, parts))


def _about(symbols: set[sp.Symbol], parts: list[Any]) -> list[Any]:
    """The parts that are connected to the symbols, directly or through others."""
    reached = set(symbols)
    while True:
        more = {s for part in parts if part.free_symbols & reached for s in part.free_symbols} - reached
        if not more:
            return [part for part in parts if part.free_symbols & reached]
        reached |= more


def _connected(parts: Iterable[Any], outer: set[sp.Symbol]) -> list[list[Any]]:
    """Parts that share an inner symbol have to be met together."""
    groups: list[list[Any]] = []
    for part in parts:
        inner = part.free_symbols - outer
        joined = [g for g in groups if any((other.free_symbols - outer) & inner for other in g)]
        groups = [g for g in groups if g not in joined]
        groups.append([part, *(other for g in joined for other in g)])
    return groups
