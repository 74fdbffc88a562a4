"""What a symbol stands for, across chains: the sum or the supremum that a chain takes it to be.

A link moves the statement of another proof into the symbols of its user. A total of that proof keeps its meaning: where
the user, or another lemma of it, says what the same symbol is, it has to be the same sum of the same terms. What a
proof calls its own (a letter that the user neither assumes anything about nor finds in the statement) is renamed
apart first, so that two lemmas never share a term about which only one of them assumes something.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import sympy as sp

from bounds.proofs.engine.indices import varying
from bounds.proofs.engine.model import BadChain, Chain, Hypothesis, Step, moved
from bounds.proofs.engine.rules import Induction, Summation, Supremum


@dataclass(frozen=True)
class Meaning:
    """value is the sum ("sum") or the supremum ("supremum") along the index of the term, as the chain `of` has it.

    named: the value is the name of the sum; otherwise it is what the sum is known to be (1, K - 1).
    """

    kind: str
    index: str
    term: Any
    value: Any
    of: str
    named: bool = True

    @property
    def symbols(self) -> set[sp.Symbol]:
        return set(self.term.free_symbols | self.value.free_symbols)

    def moved(self, values: Mapping[sp.Symbol, Any]) -> Meaning:
        return replace(self, term=sp.expand(moved(self.term, values)), value=moved(self.value, values))


@dataclass(frozen=True)
class Constant:
    """A proof (`of`) took the symbol out of a sum, or of a supremum, along the index: it does not vary along it."""

    index: str
    symbol: sp.Symbol
    of: str


@dataclass(frozen=True)
class Sequence:
    """An induction of the chain `of` goes from now to next, beginning at first."""

    now: Any
    next: Any
    first: Any
    of: str

    @property
    def pair(self) -> tuple[Any, Any]:
        return self.now, self.next


@dataclass(frozen=True)
class Known:
    """Everything that a chain, and the proofs it uses, take their symbols to be."""

    meanings: tuple[Meaning, ...]
    constants: frozenset[Constant]
    sequences: tuple[Sequence, ...]
    once: bool = False  # it rests on what holds at one case of an induction only


Found = dict[tuple[str, str], Known]


def own_meanings(chain: Chain) -> tuple[Meaning, ...]:
    """The totals of a chain and its suprema."""
    found = [
        Meaning(
            "sum",
            index,
            sp.expand(total.term),
            sp.sympify(total.value),
            chain.name,
            sp.sympify(total.value).is_Symbol,
        )
        for index, totals in chain.totals.items()
        for total in totals
    ]
    found += [
        Meaning("supremum", i, sp.expand(term), s, chain.name) for s, (i, term) in chain.suprema.items()
    ]
    return tuple(dict.fromkeys(found))


def spoken_of(chain: Chain) -> set[sp.Symbol]:
    """The symbols about which the chain itself assumes or sums something."""
    found = {s for m in own_meanings(chain) for s in m.symbols}
    for hypothesis in (h for h in chain.hypotheses if h.kind != "lemma"):
        found |= set(sp.sympify(hypothesis.statement).free_symbols) | set(hypothesis.declares)
        found |= {s for symbols in hypothesis.fixes.values() for s in symbols}
    return found


def grounds(chain: Chain, step: str) -> tuple[list[Hypothesis], list[Step]]:
    """The hypotheses and steps that the proof of a step uses, also those that it discharges."""
    steps = {s.name: s for s in chain.steps}
    reached: set[str] = set()
    left = [step]
    while left:
        name = left.pop()
        if name not in reached and name in steps:
            left += [entry if isinstance(entry, str) else entry.name for entry in steps[name].assumes]
        reached.add(name)
    return [h for h in chain.hypotheses if h.name in reached], [s for s in chain.steps if s.name in reached]


def known(chain: Chain, step: str, chains: Mapping[str, Chain], found: Found) -> Known:
    """What the proof of a step (of every step, if none is named) takes the symbols of the chain to be."""
    if (chain.name, step) not in found:
        hypotheses, steps = grounds(chain, step) if step else (list(chain.hypotheses), list(chain.steps))
        meanings = list(own_meanings(chain))
        own = Known(
            tuple(_used(meanings, hypotheses, steps) if step else meanings),
            frozenset(c for s in steps for c in _held_fixed(s, hypotheses, chain)),
            tuple(s for step in steps for s in _sequences(step, chain)),
            any(h.once for h in hypotheses),
        )
        lemmas = [h for h in hypotheses if h.kind == "lemma"]
        found[chain.name, step] = _together([own, *(brought(h, chain, chains, found) for h in lemmas)])
    return found[chain.name, step]


def brought(lemma: Hypothesis, chain: Chain, chains: Mapping[str, Chain], found: Found) -> Known:
    """What the proof behind a lemma takes its symbols to be, in the symbols of the chain that uses it."""
    name, _, concluded = lemma.source.partition("/")
    source = known(chains[name], concluded, chains, found)
    visible = spoken_of(chain) | lemma.statement.free_symbols
    constants = frozenset(
        Constant(constant.index, symbol, constant.of)
        for constant in source.constants
        for symbol in moved(constant.symbol, lemma.renamed).free_symbols & visible
    )
    return Known(
        tuple(_imported(source.meanings, lemma, visible)),
        constants,
        tuple(_imported_sequences(source, lemma, visible, chain)),
        source.once,
    )


def _together(parts: list[Known]) -> Known:
    return Known(
        tuple(dict.fromkeys(m for part in parts for m in part.meanings)),
        frozenset(c for part in parts for c in part.constants),
        tuple(dict.fromkeys(s for part in parts for s in part.sequences)),
        any(part.once for part in parts),
    )


def _used(meanings: list[Meaning], hypotheses: list[Hypothesis], steps: list[Step]) -> list[Meaning]:
    """The totals of which a proof speaks; a name that it does not mention is none of its assumptions."""
    statements = [sp.sympify(item.statement) for items in (hypotheses, steps) for item in items]
    spoken = {s for statement in statements for s in statement.free_symbols}
    spoken |= {s for step in steps if isinstance(step.rule, Summation) for s in step.rule.term.free_symbols}
    while True:
        used = [m for m in meanings if (m.value in spoken if m.named else m.term.free_symbols <= spoken)]
        more = {s for m in used for s in m.symbols} - spoken
        if not more:
            return used
        spoken |= more


def _held_fixed(step: Step, hypotheses: list[Hypothesis], chain: Chain) -> Iterator[Constant]:
    """What a sum or a supremum takes to be the same for every member; in a case, also what the case is about."""
    rule = step.rule
    if isinstance(rule, Summation):
        named = [h for h in chain.hypotheses if h.name in step.assumes]
        cases = [h for h in hypotheses if h.kind in ("case", "special") and h.name in step.assumes]
        symbols = set(rule.term.free_symbols).union(*(sp.sympify(h.statement).free_symbols for h in cases))
        for symbol in symbols - varying(chain, rule.index, named):
            yield Constant(rule.index, symbol, chain.name)
    if isinstance(rule, Supremum) and rule.symbol in chain.suprema:
        for symbol in step.statement.free_symbols:
            yield Constant(chain.suprema[rule.symbol][0], symbol, chain.name)


def _sequences(step: Step, chain: Chain) -> Iterator[Sequence]:
    if isinstance(step.rule, Induction):
        for now, later in step.rule.later.items():
            first = step.rule.first.get(now, sp.Symbol(f"first {now}", real=True))
            yield Sequence(now, sp.sympify(later), sp.sympify(first), chain.name)


def _imported_sequences(
    source: Known, lemma: Hypothesis, visible: set[sp.Symbol], chain: Chain
) -> Iterator[Sequence]:
    """What an induction of another proof moves, in the user's symbols: a name each, never a number.

    A sum of what is moved may be replaced by what the sum is known to be: it moves as its terms do.
    """
    sums = {m.value for m in source.meanings if m.named}
    for sequence in source.sequences:
        there = [moved(e, lemma.renamed) for e in (sequence.now, sequence.next, sequence.first)]
        numbers = [s for s, image in zip(sequence.pair, there, strict=False) if not image.is_Symbol]
        for symbol in numbers:
            if symbol not in sums:
                raise BadChain(
                    f"{chain.file}: {lemma.name}: {symbol} has the values of an induction, not any"
                )
        if not numbers and there[0] == there[1]:
            raise BadChain(
                f"{chain.file}: {lemma.name}: {sequence.now} and {sequence.next} are one symbol here"
            )
        if not numbers and {there[0], there[1]} & visible:
            inner = {s for e in there for s in e.free_symbols} - visible
            fresh = {s: sp.Symbol(f"{s} ({lemma.name})", real=True) for s in inner}
            now, later, first = (moved(e, fresh) for e in there)
            yield Sequence(now, later, first, sequence.of)


def _imported(meanings: Iterable[Meaning], lemma: Hypothesis, visible: set[sp.Symbol]) -> Iterator[Meaning]:
    """Meanings in the user's symbols; one about inner symbols alone is nobody's business."""
    for meaning in meanings:
        there = meaning.moved(lemma.renamed)  # a sum whose value the other proof has shown stays shown
        there = replace(there, named=meaning.named and meaning.value.is_Symbol)
        if there.symbols and not there.symbols & visible:
            continue
        fresh = {s: sp.Symbol(f"{s} ({lemma.name})", real=True) for s in there.symbols - visible}
        yield there.moved(fresh) if fresh else there
