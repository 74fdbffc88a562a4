"""For all values that satisfy the facts, do some inner values satisfy the parts? Decided by z3 with one quantifier."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import sympy as sp

from bounds.proofs.engine.model import Checked, Decision
from bounds.proofs.engine.smt import (
    MILLISECONDS,
    _absorb,
    _clear,
    _known,
    _name_roots,
    _Query,
    _roots_are_real,
    ask,
)
from bounds.proofs.engine.smtlib import Untranslatable, assertions, declarations, name, term

QUANTIFIED_MILLISECONDS = 3_000


def decide_exists(inner: set[sp.Symbol], parts: Iterable[Any], facts: Iterable[Any]) -> Checked:
    """proved: no value that the facts allow is excluded by the parts. refuted: such a value. Else inconclusive."""
    parts = _eliminate(inner, list(parts))
    if not parts:
        return Checked(Decision.PROVED, "every inner symbol is defined outright")
    outside = _Query(milliseconds=MILLISECONDS)
    inside = _Query(milliseconds=MILLISECONDS)
    try:
        pending = [_name_roots(part, outside) for f in facts for part in sp.And.make_args(f)]
        goal = [_name_roots(part, outside) for part in parts]
        if any(hidden.free_symbols & inner for hidden in outside.opaque):
            return Checked(Decision.INCONCLUSIVE, "exp or log of inner symbols")
        # A root of inner symbols is one more inner symbol, with its own two rules.
        inner_roots = {n: base for base, n in outside.roots.items() if base.free_symbols & inner}
        goal += [rule for n, base in inner_roots.items() for rule in (sp.Ge(n, 0), sp.Eq(n**2, base))]
        inner = inner | set(inner_roots)
        outside.roots = {base: n for base, n in outside.roots.items() if n not in inner}
        pending += [r for base, n in outside.roots.items() for r in (sp.Ge(n, 0), sp.Eq(n**2, base))]
        pending += [fact for hidden, name in outside.opaque.items() for fact in _known(hidden, name)]
        _absorb(pending, outside)
        _roots_are_real(outside, sp.And(*goal))
        # The denominators of a part may be positive because of another part.
        inside.facts = list(outside.facts)
        _absorb(list(goal), inside)
        if inside.dropped:
            return Checked(Decision.INCONCLUSIVE, inside.dropped[0])
        cleared = [_clear(part, inside) for part in goal]
    except Untranslatable as reason:
        return Checked(Decision.INCONCLUSIVE, str(reason))
    return _solve(inner, cleared, outside.facts, exact=not (outside.opaque or outside.dropped))


def _eliminate(inner: set[sp.Symbol], parts: list[Any]) -> list[Any]:
    """inner = expression is no restriction: put it in. Parts that become true, or only name things, go."""
    while True:
        for part in parts:
            if not isinstance(part, sp.Eq):
                continue
            sides = ((part.lhs, part.rhs), (part.rhs, part.lhs))
            found = next(((v, e) for v, e in sides if v in inner and v not in e.free_symbols), None)
            # A root, a logarithm or a quotient must be defined: only total definitions are put in.
            if found and _total(found[1]):
                parts = [other.subs(*found) for other in parts if other is not part]
                parts = [other for other in parts if other != sp.true]
                break
        else:
            return parts


def _total(expression: Any) -> bool:
    """Defined for all reals: a polynomial, also in exponentials of such."""
    hidden = expression.replace(lambda f: f.func is sp.exp and _total(f.args[0]), lambda f: sp.Integer(1))
    return bool(hidden.is_polynomial())


def _solve(inner: set[sp.Symbol], parts: list[Any], facts: list[Any], exact: bool) -> Checked:
    stated = sp.And(*parts, evaluate=False)
    outer = set().union(stated.free_symbols, *(f.free_symbols for f in facts)) - inner
    bound = " ".join(f"({name(s)} Real)" for s in sorted(inner & stated.free_symbols, key=str))
    none = f"(not (and {' '.join(term(part) for part in parts)} true))"
    excluded = f"(forall ({bound}) {none})" if bound else none
    text = f"{declarations(outer)}{assertions(facts)}(assert {excluded})\n(check-sat)\n"
    answer, model = ask(text, frozenset(outer), QUANTIFIED_MILLISECONDS)
    if answer == "unsat":
        return Checked(Decision.PROVED, "inner values exist for every value of the others", smt2=(text,))
    if answer == "sat" and exact:
        return Checked(Decision.REFUTED, "no inner values at a value that the facts allow", model, (text,))
    return Checked(Decision.INCONCLUSIVE, f"z3 answered {answer}", smt2=(text,))
