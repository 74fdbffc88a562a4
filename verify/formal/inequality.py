"""Decide inequalities between real expressions (sympy's) with z3.

Roots are replaced by symbols, and denominators are multiplied out once their sign is proved. Every question to z3 is
SMT-LIB text and is returned, so that another solver can be asked the same.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from typing import Any

import sympy as sp
from sympy.core.relational import Relational
from sympy.logic.boolalg import And, BooleanFalse, BooleanTrue, Implies, Not, Or

from verify.verdict import Verdict

# Milliseconds of an idle machine, counted in z3's own units of work: the answer must not depend on how busy the machine
# is. The clock only stops a solver that does not count.
MILLISECONDS = 10_000
UNITS_PER_MILLISECOND = 2_000
PATIENCE = 12
# Points at which a statement with exp or log is tried, if z3 finds no proof.
GRID = tuple(map(sp.Rational, ("0", "1", "-1", "1/2", "2", "-1/2", "1/10", "10", "-3", "5", "3")))
MOST_NAMES = 3
MOST_BITS = 10_000  # of a number: Python prints integers of up to 4,300 digits


class Untranslatable(ValueError):
    """Raised for an inequality that z3 cannot be asked about, because it is not real arithmetic with roots, or divides
    by a term of unknown sign."""


@dataclass(frozen=True)
class Decided:
    """The answer to the question whether an inequality holds: the verdict, the reason in words (`detail`), a
    counterexample (`model`) if there is one, and the SMT-LIB texts given to the solver (`smt2`)."""

    verdict: Verdict
    detail: str = ""
    model: Mapping[str, str] = field(default_factory=dict)
    smt2: tuple[str, ...] = ()


@dataclass
class _Query:
    facts: list[Any] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    milliseconds: int = MILLISECONDS
    roots: dict[Any, sp.Symbol] = field(default_factory=dict)
    signs: dict[Any, int] = field(default_factory=dict)
    opaque: dict[Any, sp.Symbol] = field(default_factory=dict)
    dropped: list[str] = field(default_factory=list)


def decide(statement: Any, assumptions: Iterable[Any], milliseconds: int = MILLISECONDS) -> Decided:
    """Decide an inequality for all reals that satisfy the assumptions. It is proved if no point satisfies the
    assumptions but not the inequality, refuted if such a point is found, and undecided otherwise."""
    query = _Query(milliseconds=milliseconds)
    given = [part for a in assumptions for part in And.make_args(sp.sympify(a))]
    try:
        pending = [_name_roots(part, query) for part in given]
        goal = _name_roots(sp.sympify(statement), query)
        for base, root in query.roots.items():
            pending += [sp.Ge(root, 0), sp.Eq(root**2, base)]
        _absorb(pending, query)
        for hidden in query.opaque:
            if hidden.func is sp.log and not _holds(_clear(sp.Gt(hidden.args[0], 0), query), query):
                raise Untranslatable(f"the argument of {hidden} is not shown to be positive")
        _absorb([fact for pair in query.opaque.items() for fact in _known(*pair)], query)
        _absorb(_compared(query.opaque), query)
        _roots_are_real(query, goal)
        goal = _clear(goal, query)
        answer, model, text = _solve([*query.facts, Not(goal)], query.milliseconds)
    except Untranslatable as reason:
        if shown := _fails_at(statement, given):
            return Decided(Verdict.REFUTED, "a counterexample satisfies every assumption", shown)
        return Decided(Verdict.UNDECIDED, str(reason), smt2=tuple(query.texts))
    texts = (*query.texts, text)
    if answer == "unsat":
        return Decided(Verdict.Z3, "the negation is unsatisfiable", smt2=texts)
    if answer == "sat" and query.opaque and (shown := _fails_at(statement, given)):
        return Decided(Verdict.REFUTED, "a counterexample satisfies every assumption", shown, texts)
    if answer == "sat" and not query.opaque and not query.dropped:
        shown = {k: v for k, v in model.items() if not k.startswith("!root_")}
        return Decided(Verdict.REFUTED, "a counterexample satisfies every assumption", shown, texts)
    unsure = "not without more facts about exp and log" if query.opaque else "".join(query.dropped[:1])
    return Decided(Verdict.UNDECIDED, unsure if answer == "sat" else f"z3 answered {answer}", smt2=texts)


def _absorb(pending: list[Any], query: _Query) -> None:
    """Add assumptions to the query. An assumption with denominators is added once others decide the denominators'
    signs."""
    while pending:
        stuck: list[Any] = []
        reason = ""
        for assumption in pending:
            try:
                query.facts.append(_clear(assumption, query))
            except Untranslatable as why:
                stuck.append(assumption)
                reason = str(why)
        if len(stuck) == len(pending):
            # Fewer assumptions prove less, never more; only a counterexample is then worth nothing.
            query.dropped.append(reason)
            return
        pending = stuck


def _name_roots(expression: Any, query: _Query) -> Any:
    """Replace sqrt(b), exp(t) and log(t) in an expression by symbols, and note in the query what each symbol stands
    for."""

    def hide(function: Any) -> Any:
        key = function.func(sp.expand(function.args[0]), evaluate=False)
        return query.opaque.setdefault(key, sp.Symbol(f"!opaque_{len(query.opaque)}", real=True))

    if expression.has(sp.exp, sp.log):
        expression = expression.replace(lambda f: f.func in (sp.exp, sp.log), hide)
    if not expression.has(sp.Pow):
        return expression

    def half(p: Any) -> bool:
        return bool(p.is_Pow and p.exp.is_Rational and p.exp.q == 2)

    def name(p: Any) -> Any:
        root = query.roots.setdefault(p.base, sp.Symbol(f"!root_{len(query.roots)}", real=True))
        return root**p.exp.p

    return expression.replace(half, name)


def _known(hidden: Any, name: sp.Symbol) -> list[Any]:
    """Return inequalities about the symbol `name` of `hidden`, exp(t) or log(t), that hold for every t, from Taylor
    polynomials and Pade fractions. If t is a rational number, also enclose the value in an interval."""
    t = hidden.args[0]
    if hidden.func is sp.exp:
        # Taylor's remainder: exp lies above polynomials of odd degree, and below those of even degree for t <= 0;
        # exp(-t) >= 1 - t gives the last one.
        cubic = 1 + t + t**2 / 2 + t**3 / 6
        below = Implies(sp.Le(t, 0), sp.Le(name, 1 + t + t**2 / 2))
        facts = [name > 0, sp.Ge(name, 1 + t), sp.Ge(name, cubic), below]
        facts.append(Implies(sp.Lt(t, 1), sp.Le(name * (1 - t), 1)))
    else:
        # d/dt [log t - 2 (t-1)/(t+1)] = (t-1)^2/(t (t+1)^2) >= 0, and log t - (t^2-1)/(2t) falls: both are 0 at 1.
        high, low = sp.Le(2 * t * name, t**2 - 1), sp.Ge((t + 1) * name, 2 * (t - 1))
        other_high, other_low = sp.Le((t + 1) * name, 2 * (t - 1)), sp.Ge(2 * t * name, t**2 - 1)
        facts = [sp.Le(name, t - 1), Implies(sp.Ge(t, 1), And(high, low))]
        facts.append(Implies(sp.Le(t, 1), And(other_high, other_low)))
    if t.is_Rational:
        from mpmath import iv

        p, q = t.p, t.q
        box = (iv.exp if hidden.func is sp.exp else iv.log)(iv.mpf(p) / iv.mpf(q))
        ends = (float(box.a), float(box.b))
        if not all(map(math.isfinite, ends)):
            return facts  # out of the range of floats
        low, high = (sp.Rational(*map(int, end.as_integer_ratio())) for end in ends)
        margin = sp.Rational(1, 10**15) * (1 + sp.Abs(high))  # more than a float rounding of each end
        facts += [name >= low - margin, name <= high + margin]
    return facts


def _compared(opaque: Mapping[Any, sp.Symbol]) -> list[Any]:
    pairs = [(f, g) for f in opaque for g in opaque if f.func is g.func and f != g]
    facts: list[Any] = [Implies(sp.Le(f.args[0], g.args[0]), sp.Le(opaque[f], opaque[g])) for f, g in pairs]
    for f, g in pairs:
        t, c = f.args[0], g.args[0]
        if f.func is sp.exp and c.is_Rational and c != 0 and not t.is_Rational:
            inside = And(sp.Ge(t / c, 0), sp.Le(t / c, 1))
            facts.append(Implies(inside, sp.Le(opaque[f], 1 + (opaque[g] - 1) * t / c)))
    return facts


def _fails_at(statement: Any, given: list[Any]) -> dict[str, str]:
    """Return a point of a small grid at which all assumptions `given` hold and the statement fails; {} if there is
    none."""
    names = sorted(set().union(*(sp.sympify(s).free_symbols for s in (statement, *given))), key=str)
    for values in product(GRID, repeat=len(names)) if len(names) <= MOST_NAMES else ():
        point = dict(zip(names, values, strict=True))
        try:
            if sp.sympify(statement).subs(point) == sp.false and all(f.subs(point) == sp.true for f in given):
                return {str(name): str(value) for name, value in point.items()}
        except TypeError:  # a term has no value there
            continue
    return {}


def _roots_are_real(query: _Query, goal: Any) -> None:
    """Prove that the number under each square root is non-negative. If that fails for a root in `goal`, raise
    Untranslatable; for any other root, drop the assumptions that contain it."""
    named = set(query.roots.values())
    for base, root in query.roots.items():
        if base.is_number:
            if not base.is_nonnegative:
                raise Untranslatable(f"root of {base}")
            continue
        side = _Query([f for f in query.facts if not f.free_symbols & named], [], query.milliseconds)
        try:
            shown = _holds(_clear(sp.Ge(base, 0), side), side)
        except Untranslatable:
            shown = False
        if shown:
            query.texts.extend(side.texts)
            continue
        reason = f"the radicand {base} is not shown to be non-negative"
        if root in goal.free_symbols:
            raise Untranslatable(reason)
        query.facts = [f for f in query.facts if root not in f.free_symbols]
        query.dropped.append(reason)


def _clear(statement: Any, query: _Query) -> Any:
    """Return an equivalent statement without division, after proving the sign of every denominator."""
    if isinstance(statement, BooleanTrue | BooleanFalse):
        return statement
    if isinstance(statement, And | Or | Not | Implies):
        return statement.func(*[_clear(a, query) for a in statement.args])
    if not isinstance(statement, Relational):
        raise Untranslatable(f"not a relation: {statement}")
    if statement.has(sp.Max, sp.Min, sp.Abs):
        return statement
    numerator, sign, factors = _fraction(statement.lhs - statement.rhs)
    for factor, power in factors:
        if power % 2 == 1 or not _holds(sp.Ne(factor, 0), query):
            sign *= _sign(factor, query) ** (power % 2)
    # unevaluated: z3 simplifies it faster than sympy
    return statement.func(sign * numerator, sp.S.Zero, evaluate=False)


def _fraction(difference: Any) -> tuple[Any, int, tuple[tuple[Any, int], ...]]:
    if not any(power.exp.is_negative for power in difference.atoms(sp.Pow)):
        return sp.expand(difference), 1, ()  # denominators are numbers only
    numerator, denominator = sp.fraction(sp.together(difference))
    constant, factors = (denominator, []) if denominator.is_number else sp.factor_list(denominator)
    return sp.expand(numerator), 1 if constant > 0 else -1, tuple(factors)


def _sign(factor: Any, query: _Query) -> int:
    if factor in query.signs:
        return query.signs[factor]
    if any(_says_positive(fact, factor) for fact in query.facts):
        return 1
    for sign in (1, -1):
        if _holds(sp.Gt(sign * factor, 0), query):
            return query.signs.setdefault(factor, sign)
    raise Untranslatable(f"the denominator {factor} is not shown to be positive")


def _says_positive(fact: Any, factor: Any) -> bool:
    if not isinstance(fact, sp.Ge | sp.Gt) or fact.rhs != 0 or factor.free_symbols != fact.lhs.free_symbols:
        return False
    bound = factor - fact.lhs
    return bool(bound.is_Rational and (bound > 0 or (bound == 0 and isinstance(fact, sp.Gt))))


def _holds(statement: Any, query: _Query) -> bool:
    answer, _, text = _solve([*query.facts, Not(statement)], query.milliseconds)
    query.texts += [text] if answer == "unsat" else []
    return bool(answer == "unsat")


def _solve(statements: list[Any], milliseconds: int) -> tuple[str, dict[str, str], str]:
    symbols = frozenset().union(*(s.free_symbols for s in statements))
    names = sorted(map(_quoted, symbols))  # the text must not depend on the order of a set
    if len(set(names)) < len(names):
        raise Untranslatable(f"two symbols of one name: {', '.join(n for n in names if names.count(n) > 1)}")
    lines = [f"(declare-fun {name} () Real)" for name in names]
    lines += [f"(assert {_term(statement)})" for statement in statements]
    text = "\n".join(["(set-logic QF_NRA)", *lines, "(check-sat)\n"])
    answer, model = _ask(text, symbols, milliseconds)
    return answer, model, text


def limited_solver(context: Any, milliseconds: int) -> Any:
    """Return a z3 solver of nonlinear real arithmetic that stops after a number of steps or after some time."""
    import z3

    solver = z3.SolverFor("QF_NRA", ctx=context)
    solver.set("rlimit", UNITS_PER_MILLISECOND * milliseconds)
    solver.set("timeout", PATIENCE * milliseconds)
    return solver


@cache  # the same text has the same answer
def _ask(text: str, symbols: frozenset[sp.Symbol], milliseconds: int) -> tuple[str, dict[str, str]]:
    import z3

    # a context of its own: what was asked before must not decide which model is found
    context = z3.Context()
    solver = limited_solver(context, milliseconds)
    solver.from_string(text)
    answer = solver.check()
    if answer != z3.sat:
        return ("unsat" if answer == z3.unsat else f"unknown ({solver.reason_unknown()})"), {}
    found = solver.model()
    model = {}
    for symbol in sorted(symbols, key=str):
        value = found.eval(z3.Real(_quoted(symbol)[1:-1], context), model_completion=True)
        model[str(symbol)] = value.as_decimal(20) if z3.is_algebraic_value(value) else str(value)
    return "sat", model


LOGICAL = {And: "and", Or: "or", Not: "not", Implies: "=>"}


def _quoted(symbol: sp.Symbol) -> str:
    return f"|{str(symbol).replace('|', ' given ').replace(chr(92), ' without ')}|"


def _term(e: Any) -> str:
    if isinstance(e, sp.Symbol):
        return _quoted(e)
    if isinstance(e, BooleanTrue | BooleanFalse):
        return "true" if e else "false"
    if e.is_Rational:
        if max(abs(e.p), e.q).bit_length() > MOST_BITS:
            raise Untranslatable("a number of more than 3,000 digits")
        whole = f"{abs(e.p)}.0" if e.q == 1 else f"(/ {abs(e.p)}.0 {e.q}.0)"
        return whole if e.p >= 0 else f"(- {whole})"
    if isinstance(e, sp.Pow):
        if not (e.exp.is_Integer and e.exp > 0):
            raise Untranslatable(f"outside real arithmetic: {e}")
        return f"(* {' '.join([_term(e.base)] * int(e.exp))})"
    sub = [_term(a) for a in e.args]
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
