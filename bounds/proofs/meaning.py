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

from bounds.proofs.model import BadChain, Chain, Hypothesis, Step, moved
from bounds.proofs.rules import Induction, Summation, Supremum, is_zero, sum_of


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
    """The totals of a chain, an explicit weight being part of the term, and its suprema."""
    found = [
        Meaning(
            "sum",
            index,
            sp.expand(chain.weights.get(index, sp.Integer(1)) * total.term),
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


def varying(chain: Chain, index: str, hypotheses: Iterable[Hypothesis]) -> set[sp.Symbol]:
    """What varies along the index, given what these hypotheses fix."""
    fixed = {s for h in hypotheses for s in h.fixes.get(index, ())}
    return set(chain.indexed.get(index, ())) - fixed


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
            frozenset(c for s in steps for c in _held_fixed(s, chain)),
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


def _held_fixed(step: Step, chain: Chain) -> Iterator[Constant]:
    """What a sum or a supremum takes to be the same for every member."""
    rule = step.rule
    if isinstance(rule, Summation):
        named = [h for h in chain.hypotheses if h.name in step.assumes]
        for symbol in set(rule.term.free_symbols) - varying(chain, rule.index, named):
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


def check_meanings(chain: Chain, chains: Mapping[str, Chain], found: Found) -> None:
    """Refuse a symbol that is one sum here and another there, also through lemmas; the message names the file."""
    here = known(chain, "", chains, found)
    inner = {s for m in here.meanings for s in m.symbols} - spoken_of(chain)
    inner -= {s for h in chain.hypotheses for s in sp.sympify(h.statement).free_symbols}
    names: dict[Any, Meaning] = {}
    values: dict[Any, Meaning] = {}
    for meaning in here.meanings:
        if meaning.named and not meaning.value.is_Symbol:
            _refuse_number(meaning, chain)
        if meaning.value.is_Symbol:
            _refuse_another_term(
                meaning, names.setdefault((meaning.kind, meaning.index, meaning.value), meaning), chain
            )
        other = values.setdefault((meaning.kind, meaning.index, meaning.term), meaning)
        if not ((meaning.value.is_Symbol and other.value.is_Symbol) or {meaning.value, other.value} & inner):
            _refuse_another_value(meaning, other, chain)
    lemmas = [(h, brought(h, chain, chains, found)) for h in chain.hypotheses if h.kind == "lemma"]
    shown = [set(part.meanings) for _, part in lemmas]
    check_values(chain, here.meanings, shown)
    _check_exchanges(chain, here.meanings, shown)
    _check_sequences(chain, here)
    # That a number is a sum of terms which one lemma alone knows holds anew at every case of an induction.
    shared = [m for m in here.meanings if not m.term.free_symbols & inner]
    for step in chain.steps:
        if isinstance(step.rule, Induction):
            check_moved_sums(step, shared, chain)
            _refuse_the_end(step, step.rule, lemmas, chain)
    for lemma, part in lemmas:
        _check_brought(lemma, part, shared, chain)
    for constant in sorted(here.constants, key=lambda c: (c.index, str(c.symbol), c.of)):
        if constant.symbol in varying(chain, constant.index, chain.hypotheses):
            raise BadChain(
                f"{chain.file}: {constant.symbol} varies along every {constant.index}, "
                f"but {constant.of} takes it to be the same for all"
            )


def _refuse_another_term(meaning: Meaning, other: Meaning, chain: Chain) -> None:
    if meaning.term != other.term and not is_zero(meaning.term - other.term):
        raise BadChain(
            f"{chain.file}: {meaning.value} is the {other.kind} over every {other.index} of {other.term} "
            f"({other.of}) and of {meaning.term} ({meaning.of})"
        )


def _refuse_another_value(meaning: Meaning, other: Meaning, chain: Chain) -> None:
    if meaning.value != other.value and not is_zero(meaning.value - other.value):
        raise BadChain(
            f"{chain.file}: the {other.kind} over every {other.index} of {other.term} is {other.value} "
            f"({other.of}) and {meaning.value} ({meaning.of})"
        )


def _refuse_number(meaning: Meaning, chain: Chain) -> None:
    """A total takes no other value, unless the chain's own totals show that this is the sum of the terms."""
    if meaning.kind == "sum" and meaning.index in chain.totals:
        weight = chain.weights.get(meaning.index, sp.S.One)
        try:
            summed = sum_of(
                sp.cancel(meaning.term / weight),
                chain,
                meaning.index,
                varying(chain, meaning.index, chain.hypotheses),
            )
        except ValueError:
            summed = None
        if summed is not None and is_zero(summed - meaning.value):
            return
    raise BadChain(
        f"{chain.file}: {meaning.value} stands for the {meaning.kind} over every {meaning.index} of {meaning.term} "
        f"({meaning.of}), and no total says so"
    )


def _check_exchanges(chain: Chain, meanings: Iterable[Meaning], shown: list[set[Meaning]]) -> None:
    """A symbol that is a sum along two indices is one double sum, in either order: the terms show it.

    shown: what a lemma brings together was looked at where it was proved.
    """
    table: dict[Any, dict[tuple[str, str], Meaning]] = {}
    for m in meanings:
        if m.value.is_Symbol:
            table.setdefault(m.value, {}).setdefault((m.kind, m.index), m)
    for symbol, found in table.items():
        first, *others = found.values()
        for other in others:
            if any({first, other} <= part for part in shown):
                continue
            if not set(_doubled(first, other.index, table, chain)) & set(
                _doubled(other, first.index, table, chain)
            ):
                raise BadChain(
                    f"{chain.file}: {symbol} is the {first.kind} over every {first.index} of {first.term} ({first.of}) "
                    f"and over every {other.index} of {other.term} ({other.of}), and no double sum shows it"
                )


def _doubled(
    m: Meaning, index: str, table: Mapping[Any, Mapping[tuple[str, str], Meaning]], chain: Chain
) -> Iterator[Any]:
    """The terms of a sum, each written as a sum along another index too: a factor is one, the rest does not vary."""
    moving = varying(chain, index, chain.hypotheses)
    for factor in m.term.free_symbols if m.kind == "sum" else ():
        inner = table.get(factor, {}).get(("sum", index))
        rest = sp.cancel(m.term / factor)
        if inner is not None and not rest.free_symbols & (moving | {factor}):
            yield sp.expand(rest * inner.term)


def _check_sequences(chain: Chain, here: Known) -> None:
    """What two inductions move they move alike, and from the same start."""
    used: dict[Any, Sequence] = {}
    for sequence in here.sequences:
        for symbol in sequence.pair:
            other = used.setdefault(symbol, sequence)
            if other.pair != sequence.pair or not is_zero(other.first - sequence.first):
                raise BadChain(
                    f"{chain.file}: {symbol} goes from {other.now} to {other.next}, beginning at {other.first} "
                    f"({other.of}), and from {sequence.now} to {sequence.next}, beginning at {sequence.first} "
                    f"({sequence.of})"
                )


def _refuse_the_end(
    step: Step, rule: Induction, lemmas: list[tuple[Hypothesis, Known]], chain: Chain
) -> None:
    """What another proof shows where its induction ends does not carry on an induction that goes along with it."""
    used = {h.name for h in grounds(chain, rule.step)[0]}
    for lemma, part in lemmas:
        moving = {symbol for sequence in part.sequences for symbol in sequence.pair}
        if lemma.name in used and part.once and moving & {*rule.later, *rule.later.values()}:
            raise BadChain(
                f"{chain.file}: {step.name}: {rule.step} rests on {lemma.name}, "
                f"which is about one case of an induction of {part.sequences[0].of}"
            )


def _check_brought(lemma: Hypothesis, part: Known, meanings: list[Meaning], chain: Chain) -> None:
    """What an induction of another proof moves is no sum of which that proof knows nothing."""
    moving = {symbol: s for s in part.sequences for symbol in s.pair}
    same = {(m.kind, m.index, m.term, m.value) for m in part.meanings}
    for m in meanings:
        for symbol in m.value.free_symbols & set(moving):
            if (m.kind, m.index, m.term, m.value) not in same:
                raise BadChain(
                    f"{chain.file}: {lemma.name}: {symbol} is moved by an induction of {moving[symbol].of}, "
                    f"and {m.value} the {m.kind} over every {m.index} of {m.term} ({m.of})"
                )


def check_moved_sums(step: Step, meanings: Iterable[Meaning], chain: Chain) -> None:
    """A sum of what an induction moves moves with it: its next value is the sum of the next terms, so is its first."""
    rule = step.rule
    assert isinstance(rule, Induction)
    where = f"{chain.file}: {step.name}"
    table = list(meanings)
    by_term = {(m.kind, m.index, m.term): m.value for m in reversed(table)}
    meant = {(m.kind, m.index, m.value) for m in table}
    present = next(h for h in chain.hypotheses if h.name == rule.hypothesis).statement.free_symbols
    before = {sp.sympify(later): now for now, later in rule.later.items()}
    for m in table:
        what = f"the {m.kind} over every {m.index} of"
        if m.value.free_symbols & set(before):
            earlier = by_term.get((m.kind, m.index, sp.expand(moved(m.term, before))))
            if earlier != moved(m.value, before) and (m.kind, m.index, before.get(m.value)) not in meant:
                raise BadChain(
                    f"{where}: {m.value} is {what} {m.term}, and nothing is said of the case before it"
                )
        if m.value.free_symbols & present - set(rule.later) and m.term.free_symbols & set(rule.later):
            raise BadChain(f"{where}: {m.value} is {what} {m.term}, which moves, and does not move")
        if not m.value.free_symbols & set(rule.later):
            continue
        term, value = sp.expand(moved(m.term, rule.later)), moved(m.value, rule.later)
        if by_term.get((m.kind, m.index, term)) != value:
            raise BadChain(f"{where}: {m.value} is {what} {m.term}, but {value} is not that of {term}")
        _check_first(m, rule, by_term, where)


def _check_first(m: Meaning, rule: Induction, by_term: Mapping[Any, Any], where: str) -> None:
    """The first value is the sum of the first terms; if nothing is said of those, it is a name for their sum."""
    if not m.term.free_symbols & set(rule.first) and all(
        sp.sympify(rule.first.get(s, s)).is_Symbol for s in m.value.free_symbols
    ):
        return
    first, term = moved(m.value, rule.first), sp.expand(moved(m.term, rule.first))
    if not (m.kind == "sum" and first == 0 == term) and by_term.get((m.kind, m.index, term)) != first:
        raise BadChain(
            f"{where}: {m.value} begins at {first}, which is not the {m.kind} over every {m.index} of {term}"
        )


def check_values(chain: Chain, meanings: Iterable[Meaning], shown: list[set[Meaning]]) -> None:
    """A value that is no name (K - 2) says something about the sums it speaks of: the other totals must give it.

    shown: what a lemma brings together was looked at where it was proved.
    """
    table = list(meanings)
    for m in (m for m in table if not m.named and m.value.free_symbols):
        for other in table:
            if not other.value.free_symbols & m.value.free_symbols or any({m, other} <= p for p in shown):
                continue
            along = (other.kind, other.index) == (m.kind, m.index)
            # another index may have K - 1 members, if K counts those of this one: that says what it is
            if other.term == m.term if along else not (other.value.is_Symbol and m.term.free_symbols):
                continue
            if not along or not _follows(m, chain):
                raise BadChain(
                    f"{chain.file}: the {m.kind} over every {m.index} of {m.term} is {m.value} ({m.of}), which the "
                    f"other totals do not give, but {other.value} is that of {other.term} over every {other.index} "
                    f"({other.of})"
                )


def _follows(m: Meaning, chain: Chain) -> bool:
    """Do the chain's totals other than this one give its value?"""
    weight = chain.weights.get(m.index, sp.S.One)
    others = tuple(t for t in chain.totals.get(m.index, ()) if sp.expand(weight * t.term) != m.term)
    fewer = replace(chain, totals={m.index: others})
    try:
        summed = sum_of(sp.cancel(m.term / weight), fewer, m.index, varying(chain, m.index, chain.hypotheses))
    except ValueError:
        return False
    return is_zero(summed - m.value)
