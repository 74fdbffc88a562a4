"""One meaning for one symbol: what is refused when the chains that a link joins do not mean the same by it.

meaning.py says what each chain, and every lemma it uses, takes a symbol to be; here they are held against each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import sympy as sp

from bounds.proofs.engine.indices import varying
from bounds.proofs.engine.meaning import Found, Known, Meaning, Sequence, brought, grounds, known, spoken_of
from bounds.proofs.engine.model import BadChain, Chain, Hypothesis, Step, moved
from bounds.proofs.engine.rules import Induction, is_zero, sum_of


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
    in_force = [h for h in chain.hypotheses if h.kind in ("hypothesis", "definition", "cited")]
    for constant in sorted(here.constants, key=lambda c: (c.index, str(c.symbol), c.of)):
        if constant.symbol in varying(chain, constant.index, in_force):
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
        try:
            summed = sum_of(
                meaning.term,
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
        alike = not part.sequences or moving & {*rule.later, *rule.later.values()}
        if lemma.name in used and part.once and alike:
            raise BadChain(
                f"{chain.file}: {step.name}: {rule.step} rests on {lemma.name}, "
                f"which is about one case of an induction of {part.sequences[0].of if part.sequences else lemma.source}"
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
    """A value that is no name (K - 2) says something about the sums it speaks of, so these may be no other sums.

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
            raise BadChain(
                f"{chain.file}: the {m.kind} over every {m.index} of {m.term} is {m.value} ({m.of}), "
                f"and {other.value} is that of {other.term} over every {other.index} "
                f"({other.of})"
            )
