"""Lemmas used across chains: what the other chain's result rests on must hold where it is used.

Every hypothesis of the other proof, after renaming, is split into its parts. A part about symbols of the user must
follow from the user's own hypotheses. A part about inner symbols of the other proof (a probability, a gap, a root) must
leave room for every value that the user allows: for all values of the user's symbols some inner values satisfy it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import sympy as sp

from bounds.proofs.engine.chain import rests_on
from bounds.proofs.engine.existence import decide_exists
from bounds.proofs.engine.meaning import known, spoken_of
from bounds.proofs.engine.model import Chain, Checked, Decision, Hypothesis, moved
from bounds.proofs.engine.smt import decide

MILLISECONDS = 300  # what holds is found at once; what does not is asked with everything that is connected
IN_FORCE = ("hypothesis", "definition", "cited")  # a lemma, a case and a special value may not support a link


@dataclass(frozen=True)
class Need:
    """A hypothesis that a step rests on, in the symbols of its user; once: at one case of an induction."""

    name: str
    statement: Any
    once: bool


def needs(chain: Chain, step: str, chains: Mapping[str, Chain]) -> list[Need]:
    """Every hypothesis that a step rests on, also through the lemmas it uses."""
    found: list[Need] = []
    own = spoken_of(chain)
    rests = rests_on(chain)[step]
    for hypothesis in chain.hypotheses:
        if hypothesis.name not in rests:
            continue
        if hypothesis.kind != "lemma":
            found.append(Need(hypothesis.name, sp.sympify(hypothesis.statement), hypothesis.once))
            continue
        source, _, concluded = hypothesis.source.partition("/")
        for need in needs(chains[source], concluded, chains):
            called = need.name if ": " in need.name else f"{source}: {need.name}"
            there = moved(need.statement, hypothesis.renamed)
            # Inner symbols of two lemmas are different things even if their proofs use one letter.
            inner = there.free_symbols - own - hypothesis.statement.free_symbols
            fresh = {s: sp.Symbol(f"{s} ({hypothesis.name})", real=True) for s in inner}
            found.append(Need(called, moved(there, fresh), need.once))
    return found


def assumptions(chain: Chain, chains: Mapping[str, Chain]) -> dict[str, list[str]]:
    """Kind -> names of what the conclusions take for granted, through the lemmas too."""
    found: dict[str, list[str]] = {}
    used = set().union(*(rests_on(chain)[name] for name in chain.concludes))
    for hypothesis in chain.hypotheses:
        if hypothesis.kind == "lemma" and hypothesis.name in used:
            source = chains[hypothesis.source.partition("/")[0]]
            for kind, names in assumptions(source, chains).items():
                found.setdefault(kind, []).extend(n for n in names if n not in found.get(kind, ()))
        elif hypothesis.name in used and hypothesis.name not in found.get(hypothesis.kind, ()):
            found.setdefault(hypothesis.kind, []).append(hypothesis.name)
    return found


def check_links(chain: Chain, chains: Iterable[Chain]) -> dict[str, Checked]:
    """Lemma (and hypothesis of the other proof) -> why it is not shown to hold here; empty if all links hold."""
    by_name = {other.name: other for other in chains}
    stated = [h for h in chain.hypotheses if h.kind in IN_FORCE and h.statement != sp.true]
    facts = Facts([h.statement for h in stated], [h.statement for h in stated if not h.once])
    own = spoken_of(chain)
    unmet: dict[str, Checked] = {}
    for lemma in (h for h in chain.hypotheses if h.kind == "lemma"):
        unmet |= _check_link(lemma, facts, own, by_name)
    return unmet


def inner_sums(chain: Chain, chains: Mapping[str, Chain]) -> dict[str, list[str]]:
    """Lemma -> sums of its proof about which that proof assumes something and the chain says nothing.

    The link shows that such numbers exist; that they are sums of terms which exist is not checked.
    """
    found: dict[str, list[str]] = {}
    for lemma in (h for h in chain.hypotheses if h.kind == "lemma"):
        source, _, step = lemma.source.partition("/")
        assumed = (moved(need.statement, lemma.renamed) for need in needs(chains[source], step, chains))
        inner = {s for there in assumed for s in there.free_symbols} - spoken_of(chain)
        inner -= lemma.statement.free_symbols
        sums = {m.moved(lemma.renamed).value for m in known(chains[source], step, chains, {}).meanings}
        if inner & sums:
            found[lemma.name] = sorted(map(str, inner & sums))
    return found


@dataclass(frozen=True)
class Facts:
    """What a chain assumes, and what of it holds at every case of an induction."""

    all: list[Any]
    every_case: list[Any]

    def of(self, once: bool) -> list[Any]:
        return self.all if once else self.every_case


def _check_link(
    lemma: Hypothesis, facts: Facts, own: set[sp.Symbol], chains: Mapping[str, Chain]
) -> dict[str, Checked]:
    unmet: dict[str, Checked] = {}
    outer = own | lemma.statement.free_symbols
    given = {once: {p for f in facts.of(once) for p in sp.And.make_args(f)} for once in (True, False)}
    inner_parts: dict[Any, Need] = {}
    source, _, step = lemma.source.partition("/")
    for need in needs(chains[source], step, chains):
        there = moved(need.statement, lemma.renamed)
        for part in sp.And.make_args(there):
            if part == sp.true or part in given[need.once]:
                continue
            if part.free_symbols - outer:
                inner_parts[part] = need
                continue
            ask = partial(decide, part, milliseconds=MILLISECONDS)
            found = _first(ask, part.free_symbols, facts.of(need.once))
            if found.decision is not Decision.PROVED:
                unmet[f"{lemma.name} needs {need.name}: {part}"] = found
    for parts in _connected(inner_parts, outer):
        shared = {s for part in parts for s in part.free_symbols} & outer
        inner = {s for part in parts for s in part.free_symbols} - outer
        if shared:
            stated = facts.of(all(inner_parts[part].once for part in parts))
            found = _first(partial(decide_exists, inner, parts), shared, stated)
        else:
            # About inner symbols alone: it says nothing about the user's, but it must not contradict itself.
            found = decide_exists(inner, parts, [])
        if found.decision is not Decision.PROVED:
            names = ", ".join(dict.fromkeys(inner_parts[part].name for part in parts))
            unmet[f"{lemma.name} needs {names}: {sp.And(*parts)}"] = found
    return unmet


def _first(ask: Callable[[list[Any]], Checked], symbols: set[sp.Symbol], facts: list[Any]) -> Checked:
    """Ask with the facts about these symbols alone, and only if that is not enough with all that are connected.

    Fewer facts prove less, never more; a counterexample counts only with all of them.
    """
    parts = [part for fact in facts for part in sp.And.make_args(fact)]
    found = ask([part for part in parts if part.free_symbols <= symbols])
    return found if found.decision is Decision.PROVED else ask(_about(symbols, parts))


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
