"""Decide an inequality between sums over arms, for every number K of arms, from one inequality about one arm.

The goal is sum_a T(x_a) + C >= 0, where x_a are the variables of arm a; sums sum_a h_j(x_a) = c_j are known. Suppose
T(x) + sum_j m_j h_j(x) + n >= 0 for every x, with numbers m_j and n = (C - sum_j m_j c_j)/K. Adding this up over the K
arms gives the goal. z3 proves the inequality for one arm. For the m_j, Lagrange multipliers at the point where all arms
are equal are tried. If this finds no proof, counterexamples are sought for K = 2 and K = 3.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sympy as sp
from sympy.core.relational import Relational
from sympy.logic.boolalg import And

from bounds.errors import InputError
from verify.formal.inequality import Decided, decide
from verify.verdict import Verdict

K = sp.Symbol("K", real=True)
SETS = {"arms": 0, "others": 1}  # others: all arms except the first
ARM = "[a]"
SMALL = (2, 3)


@dataclass(frozen=True)
class Sum:
    """A sum over arms. term: the summand for arm a, in symbols such as D[a]. without: how many of the first arms are
    left out."""

    term: Any
    without: int


def decide_sums(goal: Any, facts: Sequence[Any], sums: Mapping[Any, Sum], milliseconds: int) -> Decided:
    """Decide an inequality `goal` that contains symbols for sums over arms. sums: symbol -> sum. facts: the
    assumptions; one about D[a] holds for every arm a."""
    given = [part for fact in facts for part in And.make_args(fact)]
    fixed = [int(f.rhs) for f in given if isinstance(f, sp.Eq) and f.lhs == K and f.rhs.is_Integer]
    parts = And.make_args(goal)
    found = [] if fixed else [_for_every(part, given, sums, milliseconds) for part in parts]
    if found and all(one.verdict is Verdict.Z3 for one in found):
        texts = tuple(text for one in found for text in one.smt2)
        return Decided(Verdict.Z3, "; ".join(one.detail for one in found), smt2=texts)
    asked = fixed[:1] or SMALL
    held = []
    for count in asked:
        facts = [_expanded(fact, count, sums) for fact in given]
        one = decide(_expanded(goal, count, sums), facts, milliseconds)
        if one.verdict is Verdict.REFUTED:
            return Decided(one.verdict, one.detail, {"K": str(count), **one.model}, one.smt2)
        held += [count] if one.verdict is Verdict.Z3 else []
    words = f"for K = {' and '.join(map(str, held or asked))}: {one.detail}"
    if held and (fixed or (goal == sp.false and len(held) == len(asked))):
        return Decided(Verdict.Z3, words, smt2=one.smt2)
    why = next((f"for every K: {one.detail}; " for one in found if one.verdict is not Verdict.Z3), "")
    return Decided(Verdict.UNDECIDED, why + words)


def _for_every(goal: Any, facts: Sequence[Any], sums: Mapping[Any, Sum], milliseconds: int) -> Decided:
    """Prove an inequality with sums for every number of arms, from an inequality about one arm. If that fails, the
    verdict is undecided, with the reason."""
    left = {found.without for found in sums.values()}
    if not isinstance(goal, Relational) or isinstance(goal, sp.Eq | sp.Ne) or len(left) > 1:
        return Decided(Verdict.UNDECIDED, "only an inequality with sums over one set of arms can be proved")
    (without,) = left
    term, constant = _linear(goal.gts - goal.lts, sums)
    tied = []  # sums of h that are equal to c, or at most c
    for fact in facts:
        if fact.free_symbols & sums.keys() and not isinstance(fact, sp.Ne):
            h, c = _linear(fact.lhs - fact.rhs if isinstance(fact, sp.Eq) else fact.lts - fact.gts, sums)
            tied.append((h, -c, isinstance(fact, sp.Eq)))
    if any(h is None for h in (term, *(h for h, _, _ in tied))):
        return Decided(Verdict.UNDECIDED, "an inequality is not linear in its sums")
    about = [f for f in facts if not f.free_symbols & sums.keys()] + [sp.Ge(K, 1 + without)]
    sign = sp.Gt if isinstance(goal, sp.Gt | sp.Lt) else sp.Ge
    for multipliers in _multipliers(term, constant, tied, K - without):
        weighed = list(zip(multipliers, tied, strict=True))
        share = (constant - sum(m * c for m, (_, c, _) in weighed)) / (K - without)
        total = term + sum(m * h for m, (h, _, _) in weighed) + share
        asked = [sp.Ge(m, 0) for m, (_, _, equal) in weighed if not equal]
        asked.append(sign(sp.factor(sp.together(total)), 0))
        found = [decide(question, about, milliseconds) for question in asked]
        if all(one.verdict is Verdict.Z3 for one in found):
            using = f" (multipliers {', '.join(map(str, multipliers))})" if multipliers else ""
            why = f"proved of one arm{using}; adding it up over K >= {1 + without} arms is induction, not asked of z3"
            return Decided(Verdict.Z3, why, smt2=tuple(text for one in found for text in one.smt2))
    return Decided(Verdict.UNDECIDED, "no inequality of one arm that adds up to it was found")


def _linear(expression: Any, sums: Mapping[Any, Sum]) -> tuple[Any, Any]:
    expanded = sp.expand(expression)
    weights = {name: expanded.coeff(name, 1) for name in sums}
    rest = sp.expand(expanded - sum(weight * name for name, weight in weights.items()))
    if any(part.free_symbols & sums.keys() for part in (rest, *weights.values())):
        return None, rest
    return sum((weight * sums[name].term for name, weight in weights.items()), sp.S.Zero), rest


def _multipliers(term: Any, constant: Any, tied: Sequence[Any], count: Any) -> list[list[Any]]:
    if not tied:
        return [[]]
    tries = [[constant / tied[0][1]]] if len(tied) == 1 and tied[0][1] != 0 else []
    names = sorted({s for h, _, _ in tied for s in h.free_symbols if s.name.endswith(ARM)}, key=str)
    points = sp.solve([h - c / count for h, c, _ in tied], names, dict=True)
    if points and len(points[0]) == len(names):
        unknown = sp.symbols(f"m:{len(tied)}")
        inside = term + sum(m * h for m, (h, _, _) in zip(unknown, tied, strict=True))
        slopes = [sp.simplify(sp.diff(inside, name).subs(points[0])) for name in names]
        solved = sp.solve(slopes, unknown, dict=True)
        tries += [[solved[0][m] for m in unknown]] if solved and len(solved[0]) == len(unknown) else []
    return [tried for tried in tries if not any(s.name.endswith(ARM) for m in tried for s in m.free_symbols)]


def _expanded(fact: Any, count: int, sums: Mapping[Any, Sum]) -> Any:
    def at(expression: Any, arm: int) -> Any:
        names = [s for s in expression.free_symbols if s.name.endswith(ARM)]
        return expression.subs({s: sp.Symbol(s.name.replace("a]", f"{arm}]"), real=True) for s in names})

    written = {
        name: sum(at(found.term, arm) for arm in range(1 + found.without, count + 1))
        for name, found in sums.items()
    }
    plain = sp.sympify(fact).subs(written).subs(K, count)
    if any(s.name.endswith(ARM) for s in plain.free_symbols):
        return And(*(at(plain, arm) for arm in range(1, count + 1)))
    return plain


def refuse_unsummed(goal: Any, statement: str) -> None:
    if any(s.name.endswith(ARM) for s in goal.free_symbols):
        raise InputError("inequality", statement, "D[a] stands outside a sum: write sum(D[a] for a in arms)")
