"""Symbols, definitions and side conditions shared by the proof chains of variant `best`.

The side conditions are the ones of `bounds.best.parameters`, with a symbol for each derived number, so what
 the steps assume is what is later evaluated in exact arithmetic.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterable, Mapping
from typing import Any

import sympy as sp

from bounds.best.parameters import Derived, Parameters, side_conditions
from bounds.proofs import At, Chain, Hypothesis, Smt, Step, reals
from bounds.proofs.engine.combination import Combination
from bounds.proofs.engine.meaning import spoken_of
from bounds.proofs.engine.model import moved

lam, lam1, th, kap, eta, mu, rbar = reals("lam lam' th kap eta mu rbar")
A, xi, X, X1, Y, nt, S2, N1, n, xbar, zeta, y, s, nC, bt, x, a_, b_ = reals(
    "A xi X X' Y nt S2 N1 n xbar zeta y s nC bt x a b"
)
PARAMETERS = Parameters(lam, lam1, th, kap, eta, mu, rbar)
DERIVED = Derived(A, xi, X, X1, Y, nt, S2, N1, n, xbar, zeta, y, s, nC, bt, x, a_, b_)

_DEFINITIONS: dict[str, Any] = {
    "A": sp.Eq(A, 1 + eta),
    "xi": sp.Eq(xi, mu - eta),
    "X": sp.Eq(4 * lam * X, A**2),
    "X'": sp.Eq(4 * lam * X1, (1 - xi) ** 2),
    "Y": sp.Eq(4 * lam * Y, mu**2),
    "nt": sp.Eq(nt, X + X1),
    "S2": sp.Eq(S2, X**2 + X1**2),
    "N1": sp.Eq(N1, nt + Y),
    "n": sp.Eq(4 * lam1 * n, nt**2 + S2),
    "xbar": sp.Eq(xbar * (nt**2 + S2), nt**2),
    "y": sp.Eq(y * (nt**2 + S2), X**2),
    "zeta": sp.Eq(4 * lam1 * zeta * (kap - th * xbar), kap * nt),
    "s": sp.Eq(4 * lam1 * (s - X) * (kap - th * y), kap * X**2),
    "nC": sp.Eq(4 * lam1 * nC, 2 * X**2),
    "bt": sp.Eq(bt, (1 + eta / 2) ** 2),
    "x": sp.Eq(4 * lam * x, bt),
    "a": sp.Eq((a_ - N1) * (1 - th), n),
    "b": sp.Eq((b_ - lam - lam1) * 4 * th * (1 - th), kap * n),
}


def definition(name: str) -> Hypothesis:
    """How a derived number is defined."""
    return Hypothesis(f"def {name}", f"definition of {name}", _DEFINITIONS[name], kind="definition")


def condition(start: str) -> Hypothesis:
    """The side condition whose name starts like this."""
    found = [(k, v) for k, v in side_conditions(PARAMETERS, DERIVED).items() if k.startswith(start)]
    if len(found) != 1:
        raise ValueError(f"{start!r} names {len(found)} side conditions")
    name, slack = found[0]
    relation = sp.Gt(slack, 0) if name.endswith("+") else sp.Ge(slack, 0)
    return Hypothesis(name, f"side condition {name}", relation)


def assume(name: str, text: str, *relations: Any) -> Hypothesis:
    """A named hypothesis made of relations between reals."""
    return Hypothesis(name, text, sp.And(*relations))


def inherited(
    hypotheses: Iterable[Hypothesis], renamed: Mapping[Any, Any] | None = None, but: Collection[str] = ()
) -> tuple[Hypothesis, ...]:
    """What another chain assumes, in the symbols of the chain that uses its lemmas; it holds there too."""
    found = tuple(
        dataclasses.replace(
            h,
            statement=moved(sp.sympify(h.statement), renamed or {}),
            declares=tuple(s for d in h.declares for s in moved(d, renamed or {}).free_symbols),
        )
        for h in hypotheses
        if h.kind in ("hypothesis", "definition") and h.name not in but
    )
    for h in found:
        if h.statement == sp.false:  # assumed, it would prove everything
            raise ValueError(f"{h.name} is false at these values")
    return found


def merged(*groups: Iterable[Hypothesis]) -> tuple[Hypothesis, ...]:
    """One hypothesis per name: where two groups have one of the same name, both hold."""
    found: dict[str, Hypothesis] = {}
    for hypothesis in (h for group in groups for h in group):
        before = found.get(hypothesis.name)
        if before is not None:
            if before.once is not hypothesis.once:
                raise ValueError(f"{hypothesis.name} holds at one case here and at every case there")
            both = sp.And(before.statement, hypothesis.statement)
            hypothesis = dataclasses.replace(
                before,
                statement=both,
                declares=(*before.declares, *hypothesis.declares),
            )
        found[hypothesis.name] = hypothesis
    return tuple(found.values())


def tagged(chain: Chain, shared: Collection[Any], tag: str) -> dict[Any, Any]:
    """New names for what is not shared, so that two uses of a chain do not speak of the same number."""
    symbols = {s for h in chain.hypotheses for s in sp.sympify(h.statement).free_symbols}
    symbols |= {s for step in chain.steps for s in step.statement.free_symbols} | spoken_of(chain)
    return {s: sp.Symbol(f"{s} ({tag})", real=True) for s in symbols - set(shared)}


def lemma(
    name: str,
    text: str,
    statement: Any,
    source: str,
    renamed: Mapping[sp.Symbol, Any] | None = None,
    fixes: Mapping[str, tuple[sp.Symbol, ...]] | None = None,
) -> Hypothesis:
    """What the step `source` = "chain/step" concludes, in the symbols of the chain that uses it."""
    return Hypothesis(
        name, text, statement, kind="lemma", source=source, renamed=renamed or {}, fixes=fixes or {}
    )


def smt(name: str, statement: Any, assumes: tuple[str | At, ...], because: str) -> Step:
    """A step that z3 decides."""
    return Step(name, statement, assumes, because, Smt())


def add(name: str, statement: Any, assumes: tuple[str, ...], because: str = "their sum") -> Step:
    """A step that is the sum of what it assumes."""
    return Step(name, statement, assumes, because, Combination(tuple((fact, 1) for fact in assumes)))


def definitions_hold(p: Parameters, d: Derived) -> bool:
    """Whether the symbolic definitions agree with `derive` at these numbers (no division)."""
    values = {}
    for symbols, numbers in ((PARAMETERS, p), (DERIVED, d)):
        for item in dataclasses.fields(symbols):
            number = getattr(numbers, item.name)
            values[getattr(symbols, item.name)] = sp.Rational(number.numerator, number.denominator)
    return all(relation.subs(values) == sp.true for relation in _DEFINITIONS.values())
