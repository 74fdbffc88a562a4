"""Checking a chain: every step from what it names, nothing used before it is shown, no stray symbol."""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil
import time
from collections.abc import Iterator
from typing import Any

import sympy as sp

from bounds.proofs.engine.agreement import check_meanings, check_moved_sums, check_values
from bounds.proofs.engine.indices import varying
from bounds.proofs.engine.meaning import Found, own_meanings
from bounds.proofs.engine.model import At, BadChain, Chain, Checked, Decision, Hypothesis, Report, Step, moved
from bounds.proofs.engine.rules import Cases, Discharge, Induction, Summation, Supremum, same
from bounds.proofs.engine.smt import decide


def discover_chains() -> tuple[Chain, ...]:
    """Every chain of bounds/proofs/chains, in file order; a new proof is a new file with CHAINS."""
    package = importlib.import_module("bounds.proofs.chains")
    found: list[Chain] = []
    for module in sorted(pkgutil.iter_modules(package.__path__), key=lambda m: m.name):
        found.extend(importlib.import_module(f"bounds.proofs.chains.{module.name}").CHAINS)
    for chain in found:
        validate(chain)
    names = [chain.name for chain in found]
    for chain in found:
        if names.count(chain.name) > 1:
            raise BadChain(f"{chain.file}: the chain name {chain.name} is used twice")
    link(tuple(found))
    return tuple(found)


def link(chains: tuple[Chain, ...]) -> None:
    """Lemmas used across chains: stated as concluded there, with no hypothesis lost, and without a cycle.

    Quick, by names; what the symbols mean is compared by meaning.check_meanings, and that the other proof's
    hypotheses hold where it is used is decided by links.check_links.
    """
    by_name = {chain.name: chain for chain in chains}
    uses: dict[str, set[str]] = {}
    for chain in chains:
        uses[chain.name] = set()
        own = {h.name for h in chain.hypotheses}
        for lemma in (h for h in chain.hypotheses if h.kind == "lemma"):
            name, _, step = lemma.source.partition("/")
            source = by_name.get(name)
            if source is None or step not in source.concludes:
                raise BadChain(f"{chain.file}: {lemma.name}: no chain concludes {lemma.source!r}")
            concluded = next(s for s in source.steps if s.name == step)
            if concluded.expect is not Decision.PROVED:
                raise BadChain(f"{chain.file}: {lemma.name}: {lemma.source} is expected to fail")
            if not same(moved(concluded.statement, lemma.renamed), lemma.statement):
                raise BadChain(f"{chain.file}: {lemma.name} is not what {lemma.source} concludes")
            used = rests_on(source)[step]
            needed = {h.name for h in source.hypotheses if h.kind == "hypothesis" and h.name in used}
            if needed - own:
                raise BadChain(f"{chain.file}: {lemma.name} needs {', '.join(sorted(needed - own))}")
            uses[chain.name].add(name)
    found: Found = {}
    for name in _in_order(uses, by_name):
        check_meanings(by_name[name], by_name, found)


def _in_order(uses: dict[str, set[str]], by_name: dict[str, Chain]) -> tuple[str, ...]:
    """Every chain after those that it uses; a cycle is refused."""
    done: dict[str, None] = {}

    def visit(name: str, path: tuple[str, ...]) -> None:
        if name in path:
            raise BadChain(f"{by_name[name].file}: a cycle: {' -> '.join((*path, name))}")
        if name not in done:
            for other in sorted(uses[name]):
                visit(other, (*path, name))
            done[name] = None

    for name in by_name:
        visit(name, ())
    return tuple(done)


def check_chain(chain: Chain, stop_at_failure: bool = False) -> Report:
    """Check the structure, then every step with its own checker (or only up to the first failure)."""
    started = time.process_time()  # other programs on the machine do not count
    validate(chain)
    results: dict[str, Checked] = {}
    rests = rests_on(chain)
    for step in chain.steps:
        if stop_at_failure and any(
            results[s.name].decision is not s.expect for s in chain.steps if s.name in results
        ):
            results[step.name] = Checked(Decision.INCONCLUSIVE, "not tried")
            continue
        failed = [r for r in map(_name, step.assumes) if r in results and not _usable(r, chain, results)]
        if failed:
            results[step.name] = Checked(Decision.INCONCLUSIVE, f"rests on {failed[0]}, which is not proved")
            continue
        results[step.name] = check_step(step, chain)
    seconds = time.process_time() - started
    return Report(chain, results, {s.name: rests[s.name] for s in chain.steps}, seconds)


def check_step(step: Step, chain: Chain) -> Checked:
    """One step by its own checker, its assumptions taken for granted."""
    facts, trouble = step_facts(step, chain)
    return trouble or step.rule.check(step, facts, chain)


def without(chain: Chain, hypothesis: str) -> Chain:
    """The same chain with one hypothesis deleted everywhere: some checker has to notice."""
    steps = tuple(
        dataclasses.replace(s, assumes=tuple(a for a in s.assumes if _name(a) != hypothesis))
        for s in chain.steps
    )
    kept = tuple(h for h in chain.hypotheses if h.name != hypothesis)
    lost = next((h for h in chain.hypotheses if h.name == hypothesis), None)
    if lost is None:
        raise BadChain(f"{chain.file}: no hypothesis {hypothesis}")
    # The symbols stay real numbers: only what was assumed about them goes.
    symbols = tuple(sorted(symbols_of(lost), key=str))
    blank = Hypothesis(f"reals of {hypothesis}", "real numbers", declares=symbols)
    steps = tuple(dataclasses.replace(s, assumes=(*s.assumes, blank.name)) for s in steps)
    return dataclasses.replace(chain, hypotheses=(*kept, blank), steps=steps)


def validate(chain: Chain) -> None:
    """Refuse unknown or later names (a cycle), wrong steps used, uncovered symbols, open inductions."""
    known: dict[str, Any] = {}
    everything: tuple[Hypothesis | Step, ...] = (*chain.hypotheses, *chain.steps)
    for item in everything:
        if item.name in known:
            raise BadChain(f"{chain.file}: the name {item.name!r} is used twice")
        if isinstance(item, Step):
            _validate_step(item, known, chain)
        for symbol in sp.sympify(item.statement).free_symbols:
            if symbol.is_extended_nonnegative is not None or symbol.is_real is not True:
                raise BadChain(
                    f"{chain.file}: {item.name}: {symbol} must be a plain real, its sign a hypothesis"
                )
        known[item.name] = item
    _validate_totals(chain)
    _validate_points(chain)
    rests = rests_on(chain)
    for item in chain.steps:
        if isinstance(item.rule, Induction):
            _validate_induction(item, known, rests, chain)
        for index, rested in _for_every(item, chain):
            _validate_every(item, index, rested, known, rests, chain)
    kinds = {h.name: h.kind for h in chain.hypotheses}
    open_inductions = {h.name for h in chain.hypotheses if h.kind in ("induction", "case")}
    for name in chain.concludes:
        if name not in rests or not isinstance(known[name], Step):
            raise BadChain(f"{chain.file}: concludes {name!r}, which is not a step")
        for left in sorted(rests[name] & open_inductions):
            raise BadChain(f"{chain.file}: {name} still rests on the {kinds[left]} hypothesis {left}")


def _validate_totals(chain: Chain) -> None:
    """A total names one sum along an index; check_meanings has what it is along two."""
    for index, totals in chain.totals.items():
        named: dict[Any, Any] = {}
        for total in totals:
            if sp.sympify(total.value).is_Symbol and named.setdefault(total.value, total.term) != total.term:
                raise BadChain(f"{chain.file}: the total {total.value} names two sums over every {index}")
    check_values(chain, own_meanings(chain), [])


def _validate_points(chain: Chain) -> None:
    """A named member has values of its own: what varies along the index is not among them."""
    for name, point in chain.points.items():
        moving = set(chain.indexed.get(point.index, ()))
        for symbol, value in point.values.items():
            if sp.sympify(value).free_symbols & moving:
                raise BadChain(f"{chain.file}: the point {name} gives {symbol} a value that varies: {value}")


def _for_every(step: Step, chain: Chain) -> Iterator[tuple[str, str]]:
    """(index, what must hold for every member of it): a sum, a supremum, a named point."""
    if isinstance(step.rule, Summation):
        yield step.rule.index, step.name
    if isinstance(step.rule, Supremum) and step.rule.symbol in chain.suprema:
        yield chain.suprema[step.rule.symbol][0], step.name
    for entry in step.assumes:
        if isinstance(entry, At) and entry.point:
            yield chain.points[entry.point].index, entry.name


def _validate_every(
    step: Step, index: str, rested: str, known: dict[str, Any], rests: dict[str, frozenset[str]], chain: Chain
) -> None:
    """What is summed must hold for every member: a case about the member may not be open."""
    moving = varying(chain, index, [h for h in chain.hypotheses if h.name in step.assumes])
    for name in rests[rested]:
        hypothesis = known[name]
        if hypothesis.kind in ("case", "special") and symbols_of(hypothesis) & moving:
            raise BadChain(
                f"{chain.file}: {step.name} sums over every {index} in the case {name}, which is about one"
            )


def _validate_induction(
    step: Step, known: dict[str, Any], rests: dict[str, frozenset[str]], chain: Chain
) -> None:
    """An induction starts without its hypothesis, moves to a case with other symbols, and needs the hypothesis."""
    rule = step.rule
    assert isinstance(rule, Induction)
    where = f"{chain.file}: {step.name}"
    assumed = known.get(rule.hypothesis)
    if not isinstance(assumed, Hypothesis) or assumed.kind != "induction":
        raise BadChain(f"{where}: {rule.hypothesis!r} is not an induction hypothesis")
    if rule.base not in rests or rule.hypothesis in rests[rule.base]:
        raise BadChain(f"{where}: the first case {rule.base} rests on the induction hypothesis itself")
    if rule.step not in rests or rule.hypothesis not in rests[rule.step]:
        raise BadChain(f"{where}: {rule.step} does not use the induction hypothesis")
    present = assumed.statement.free_symbols
    if not rule.later or not set(rule.later) & present <= set(rule.first) <= set(rule.later):
        raise BadChain(f"{where}: the first and the next case must move the same symbols, and at least one")
    if not set(rule.later) & present or not set(rule.later) <= present | _summed_in(
        present & set(rule.later), chain
    ):
        raise BadChain(f"{where}: a moved symbol does not occur in the induction hypothesis")
    images = [sp.sympify(v) for v in rule.later.values()]
    if len(set(images)) < len(images) or not all(v.is_Symbol and v not in present for v in images):
        raise BadChain(f"{where}: the next case must have symbols of its own, one for each moved symbol")
    for value in rule.first.values():
        if sp.sympify(value).free_symbols & (set(rule.later) | set(images)):
            raise BadChain(f"{where}: the first case is stated at another case")
    check_moved_sums(step, own_meanings(chain), chain)
    for hypothesis in (h for h in chain.hypotheses if h.name in rests[rule.step]):
        if hypothesis.once or hypothesis.kind in ("case", "special"):
            raise BadChain(
                f"{where}: {rule.step} rests on {hypothesis.name}, which is about one case of the induction"
            )


def _summed_in(totals: set[Any], chain: Chain) -> set[Any]:
    """The symbols of the terms of these totals, and of the totals among those."""
    found = set(totals)
    while True:
        terms = {s for m in own_meanings(chain) if m.value in found for s in m.term.free_symbols}
        if terms <= found:
            return found
        found |= terms


def _validate_step(step: Step, known: dict[str, Any], chain: Chain) -> None:
    covered: set[Any] = set()
    for entry in step.assumes:
        name = _name(entry)
        if name not in known:
            raise BadChain(
                f"{chain.file}: {step.name} assumes {name!r}, which no earlier step or hypothesis gave"
            )
        if isinstance(known[name], Step) and known[name].expect is not Decision.PROVED:
            raise BadChain(f"{chain.file}: {step.name} assumes {name!r}, a step that is expected to fail")
        covered |= symbols_of(known[name])
        if isinstance(entry, At):
            moves = chain.points[entry.point].values if entry.point else entry.where
            covered |= {s for v in moves.values() for s in sp.sympify(v).free_symbols}
    # An inductive conclusion, a sum and a supremum are about defined totals of covered symbols.
    for symbol, (_, term) in chain.suprema.items():
        if term.free_symbols <= covered:
            covered.add(symbol)
    for totals in chain.totals.values():
        for total in totals:
            if total.term.free_symbols <= covered:
                covered |= sp.sympify(total.value).free_symbols
    loose = sp.sympify(step.statement).free_symbols - covered
    if loose:
        raise BadChain(
            f"{chain.file}: {step.name} has free symbols that no assumption covers: "
            + ", ".join(sorted(map(str, loose)))
        )


def step_facts(step: Step, chain: Chain) -> tuple[dict[str, Any], Checked | None]:
    """Name -> statement of everything the step assumes, moved to a point or instantiated where asked."""
    items: dict[str, Any] = {h.name: h for h in chain.hypotheses} | {s.name: s for s in chain.steps}
    plain = {a: items[a].statement for a in step.assumes if isinstance(a, str)}
    facts = dict(plain)
    for number, entry in enumerate(step.assumes):
        if isinstance(entry, str):
            continue
        statement = items[entry.name].statement
        if entry.point:
            point = chain.points[entry.point]
            moving = set(chain.indexed[point.index]) & statement.free_symbols
            missing = moving - set(point.values)
            if missing:
                return facts, Checked(
                    Decision.INCONCLUSIVE, f"{entry.point} gives no value of {missing.pop()}"
                )
            facts[f"{entry.name} at {entry.point}"] = moved(statement, point.values)
            continue
        if _bound(chain) & set(entry.where):
            return facts, Checked(Decision.INCONCLUSIVE, f"{entry.name}: a total has no other value to take")
        for base in sorted(rests_on(chain)[entry.name]):
            given = items[base].statement
            if not given.free_symbols & set(entry.where):
                continue
            held = decide(moved(given, entry.where), plain.values())
            if held.decision is not Decision.PROVED:
                why = f"{entry.name} needs {base} at the substituted values: {held.detail}"
                return facts, Checked(Decision.INCONCLUSIVE, why, held.model, held.smt2)
        facts[f"{entry.name} instance {number}"] = moved(statement, entry.where)
    return facts, None


def _bound(chain: Chain) -> set[Any]:
    """Symbols that take no value one likes: members, sums, suprema, and what an induction moves."""
    found = {s for symbols in chain.indexed.values() for s in symbols} | set(chain.suprema)
    found |= {s for m in own_meanings(chain) for s in m.symbols}
    for rule in (step.rule for step in chain.steps if isinstance(step.rule, Induction)):
        found |= {*rule.later, *map(sp.sympify, rule.later.values())}
    return found


def rests_on(chain: Chain) -> dict[str, frozenset[str]]:
    """Step -> hypotheses it rests on, through earlier steps; an induction discharges its hypothesis."""
    rests: dict[str, frozenset[str]] = {h.name: frozenset({h.name}) for h in chain.hypotheses}
    for step in chain.steps:
        # Only the branch, or the inductive step, loses its hypothesis: a base that used it keeps it.
        case_of = {s: h for h, s in step.rule.branches.items()} if isinstance(step.rule, Cases) else {}
        if isinstance(step.rule, Induction | Discharge):
            case_of = {step.rule.step: step.rule.hypothesis}
        gathered: frozenset[str] = frozenset()
        for entry in step.assumes:  # at other values a branch still rests on its case
            gathered |= rests[_name(entry)] - ({case_of.get(entry, "")} if isinstance(entry, str) else set())
        rests[step.name] = gathered
    return rests


def _usable(name: str, chain: Chain, results: dict[str, Checked]) -> bool:
    return name not in results or results[name].decision is Decision.PROVED


def symbols_of(item: Any) -> set[Any]:
    found: set[Any] = set(sp.sympify(item.statement).free_symbols)
    if isinstance(item, Hypothesis):
        found |= set(item.declares)
        for symbols in item.fixes.values():
            found |= set(symbols)
    return found


def _name(entry: str | At) -> str:
    return entry if isinstance(entry, str) else entry.name
