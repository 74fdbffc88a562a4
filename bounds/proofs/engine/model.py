"""The values of a proof: hypotheses, steps, chains, and what a checker answered.

A statement is a sympy relation, or a Boolean combination of relations. It is read as "for all values of its
symbols that satisfy the assumptions". Symbols are plain reals: a sign that is needed is a hypothesis.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import sympy as sp


class BadChain(ValueError):
    """A chain that cannot be read as a proof; the message names the file."""


class Decision(enum.Enum):
    """What a checker can answer; a solver that gives up is inconclusive, never proved."""

    PROVED = "proved"
    REFUTED = "refuted"
    INCONCLUSIVE = "inconclusive"


@dataclass(frozen=True)
class Checked:
    """The answer of one checker: its decision, a sentence, a counterexample, the text given to the solver."""

    decision: Decision
    detail: str = ""
    model: Mapping[str, str] = field(default_factory=dict)
    smt2: tuple[str, ...] = ()


@dataclass(frozen=True)
class Hypothesis:
    """What a chain starts from.

    kind: "hypothesis" (H1..H5 and the like), "definition", "cited" (a theorem of the literature),
    "special" (a particular value, in force only in the steps that name it),
    "induction" (one epoch earlier; an Induction step discharges it), "case" (a Cases step does) or
    "lemma" (the conclusion `source` = "chain/step" of another chain, with its symbols `renamed`).
    declares: symbols about which nothing else is assumed. fixes: index -> symbols that do not vary along it.
    once: it holds at one case of an induction (where it ends), not at every case, so it does not carry it on.
    """

    name: str
    text: str
    statement: Any = sp.true
    declares: tuple[sp.Symbol, ...] = ()
    fixes: Mapping[str, tuple[sp.Symbol, ...]] = field(default_factory=dict)
    kind: str = "hypothesis"
    source: str = ""
    renamed: Mapping[sp.Symbol, Any] = field(default_factory=dict)
    once: bool = False


@dataclass(frozen=True)
class Point:
    """One member of an index set (a policy, an arm): the value there of every symbol that the index moves."""

    index: str
    values: Mapping[sp.Symbol, Any]


@dataclass(frozen=True)
class At:
    """An earlier result at a named point of its index, or with other values for its universal symbols.

    A substituted symbol must satisfy, after substitution, every hypothesis that the result used about it.
    """

    name: str
    where: Mapping[sp.Symbol, Any] = field(default_factory=dict)
    point: str = ""


@dataclass(frozen=True)
class Total:
    """value = weighted sum over the index of the term; weights are non-negative, of an expectation they sum to 1.

    A sum over agents or arms has weights 1: what multiplies (E_m, p) is part of the term.
    """

    value: Any
    term: Any


class Rule(Protocol):
    """A checker of one step. Smt, Identity, Summation, Supremum, Induction implement it."""

    @property
    def kind(self) -> str: ...

    def check(self, step: Step, facts: Mapping[str, Any], chain: Chain) -> Checked: ...


@dataclass(frozen=True)
class Step:
    """statement follows from what `assumes` names (hypotheses and earlier steps), because of `because`.

    A step expected to be refuted is a printed line that is wrong; no later step may use it.
    """

    name: str
    statement: Any
    assumes: tuple[str | At, ...]
    because: str
    rule: Rule
    expect: Decision = Decision.PROVED
    erratum: str = ""


@dataclass(frozen=True)
class Chain:
    """A proof: hypotheses, then steps in order; the last name in `concludes` is the result.

    indexed: index name -> the symbols that vary along it ("arm", "context", "agent", "policy", "data").
    totals: index name -> what the weighted sums are called, one table for the whole chain.
    suprema: symbol -> (index, term) with symbol = sup over the index of term.
    """

    name: str
    title: str
    file: str
    hypotheses: tuple[Hypothesis, ...]
    steps: tuple[Step, ...]
    concludes: tuple[str, ...]
    indexed: Mapping[str, tuple[sp.Symbol, ...]] = field(default_factory=dict)
    totals: Mapping[str, tuple[Total, ...]] = field(default_factory=dict)
    suprema: Mapping[sp.Symbol, tuple[str, Any]] = field(default_factory=dict)
    points: Mapping[str, Point] = field(default_factory=dict)
    variant: str = ""


@dataclass(frozen=True)
class Report:
    """A checked chain: per step the answer, and whether every answer is the expected one."""

    chain: Chain
    results: Mapping[str, Checked]
    assumptions: Mapping[str, frozenset[str]]  # step -> the hypotheses it rests on, inductions discharged
    seconds: float = 0.0

    @property
    def holds(self) -> bool:
        return all(self.results[step.name].decision is step.expect for step in self.chain.steps)

    @property
    def failures(self) -> tuple[str, ...]:
        return tuple(s.name for s in self.chain.steps if self.results[s.name].decision is not s.expect)


def reals(names: str) -> tuple[sp.Symbol, ...]:
    """Real symbols without any sign: signs are hypotheses, not properties of a name."""
    made = sp.symbols(names, real=True)
    return made if isinstance(made, tuple) else (made,)


def moved(statement: Any, values: Mapping[sp.Symbol, Any]) -> Any:
    """The statement with every symbol replaced at once. Symbols only, so a plain exchange of leaves does it."""
    return statement.xreplace({symbol: sp.sympify(value) for symbol, value in values.items()})
