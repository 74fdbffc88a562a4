"""Statements as SMT-LIB text: what the solver reads is what is kept, so another solver can be asked the same."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

import sympy as sp
from sympy.core.relational import Relational
from sympy.logic.boolalg import And, BooleanFalse, BooleanTrue, Implies, Not, Or


class Untranslatable(ValueError):
    """An expression outside real arithmetic with roots, or a denominator of unknown sign."""


LOGICAL = {And: "and", Or: "or", Not: "not", Implies: "=>"}


def declarations(symbols: Iterable[sp.Symbol]) -> str:
    """One line per symbol, in the order of their names: the text must not depend on the order of a set."""
    names = sorted(map(name, symbols))
    if len(set(names)) < len(names):
        raise Untranslatable(f"two symbols of one name: {', '.join(n for n in names if names.count(n) > 1)}")
    return "".join(f"(declare-fun {n} () Real)\n" for n in names)


def assertions(statements: Iterable[Any]) -> str:
    """One line per statement."""
    return "".join(f"(assert {term(s)})\n" for s in statements)


def name(symbol: sp.Symbol) -> str:
    """A quoted symbol: ours have spaces, primes and brackets; the quotation mark itself may not occur."""
    return f"|{label(symbol)}|"


def label(symbol: sp.Symbol) -> str:
    """The symbol's name without what quotation forbids."""
    return str(symbol).replace("|", " given ").replace("\\", " without ")


@cache  # the same assumptions are asked with every step that uses them
def term(e: Any) -> str:
    """The expression in prefix form; a power is a product, a number an exact quotient."""
    if isinstance(e, sp.Symbol):
        return name(e)
    if isinstance(e, BooleanTrue | BooleanFalse):
        return "true" if e else "false"
    if e.is_Rational:
        whole = f"{abs(e.p)}.0" if e.q == 1 else f"(/ {abs(e.p)}.0 {e.q}.0)"
        return whole if e.p >= 0 else f"(- {whole})"
    if isinstance(e, sp.Pow):
        if not (e.exp.is_Integer and e.exp > 0):
            raise Untranslatable(f"outside real arithmetic: {e}")
        return f"(* {' '.join([term(e.base)] * int(e.exp))})"
    sub = [term(a) for a in e.args]
    if isinstance(e, sp.Add | sp.Mul):
        return f"({'+' if isinstance(e, sp.Add) else '*'} {' '.join(sub)})"
    if isinstance(e, sp.Abs):
        return f"(ite (>= {sub[0]} 0.0) {sub[0]} (- {sub[0]}))"
    if isinstance(e, sp.Max | sp.Min):
        value = sub[0]
        for other in sub[1:]:
            value = f"(ite ({'>=' if isinstance(e, sp.Max) else '<='} {value} {other}) {value} {other})"
        return value
    if type(e) in LOGICAL:
        return f"({LOGICAL[type(e)]} {' '.join(sub)})"
    if isinstance(e, Relational):
        relation = {"==": "=", "!=": "distinct"}.get(e.rel_op, e.rel_op)
        return f"({relation} {sub[0]} {sub[1]})"
    raise Untranslatable(f"outside real arithmetic: {e}")
