"""prove: decide an inequality for all reals with z3, with a counterexample where it fails."""

from __future__ import annotations

import argparse
import ast
import dataclasses
import operator
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from bounds.errors import InputError
from verify import options, showing
from verify.claim import Evidence
from verify.verdict import Verdict, shown

__all__ = ["Proof", "prove"]
EXAMPLE = 'python -m verify prove "D/(2 + g*D) <= 1/g" --given "D >= 0" "g > 0"'
PYTHON = """
assert prove("(a + b)/2 >= sqrt(a*b)", given=["a >= 0", "b >= 0"])
assert prove("a**2 >= a", given="a >= 0").counterexample"""
FUNCTIONS = ("sqrt", "exp", "log", "ln", "Abs", "Min", "Max")
PYTHONS = {"abs": "Abs", "min": "Min", "max": "Max"}
OPERATORS: dict[type, Any] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
# Python's names of relations, and sympy's
SIGNS = {"LtE": "Le", "Lt": "Lt", "GtE": "Ge", "Gt": "Gt", "Eq": "Eq", "NotEq": "Ne"}
VALUED = {"sqrt": ("Ge", ">= 0"), "log": ("Gt", "> 0"), "ln": ("Gt", "> 0")}  # where a function is defined
RELATION = "must be an inequality or an equation, e.g. a + b >= 2*sqrt(a*b)"
HABITS = {  # syntax of other languages -> hint
    r"\^": "write ** for ^",
    r"=<": "write <= for =<",
    r"=>": "write >= for =>",
    r"(?<![<>=!])=(?![<>=])": "write == for =",
    r"\|.*\|": "write Abs(x) for |x|",
    r"\b(sqrt|exp|log|ln|Abs) +\w": "write {0}(x) for {0} x",
    r"\bfor ?all\b|∀": "leave out the quantifier: names are arbitrary real numbers",
    r"\b(?:and|or|not)\b|;|[<>]=?[^,]*,[^,]*[<>]": "ask about one inequality at a time",
    r"\blambda\b": "lambda is a word of Python: write lam",
    r"\be *\*\* *(\w+)": "write exp({0}) for e**{0}",
    r"(?<!\be)(?<!\be )\*\* *[A-Za-z(]": "an exponent must be a number; write exp(y*log(x)) for x**y",
    r"\b(\d+)([a-z])([a-z])\b": "write {0}*{1}*{2} for {0}{1}{2}",
    r"\b\d+(?!e[-+]?\d)(?![a-z][a-z]\b)[A-Za-z(]": "write 2*x for 2x",
    r"\b(\d+),(\d+)\b": "write {0}.{1} for {0},{1}",
    r" (?:given|if|where) +(.*)": 'write the condition after it: --given "{}"',
}
TYPED = str.maketrans(
    {"√": "sqrt ", "≤": "<=", "≥": ">=", "≠": "!=", "·": "*", "×": "*", "−": "-", "²": "**2", "³": "**3"}
)
LONGEST = 1000
LARGEST_POWER = 1000  # of ten, in a number


@dataclass(frozen=True)
class Proof:
    """The answer of `prove`. verdict, by: proved (z3), refuted (witness) or undecided. counterexample: values at which
    the inequality fails. why: the reason in words. smt2: the SMT-LIB texts given to z3; another solver can read
    them."""

    statement: str
    given: tuple[str, ...]
    verdict: str
    by: str | None
    why: str
    counterexample: Mapping[str, str]
    smt2: tuple[str, ...]

    @property
    def evidence(self) -> Evidence:
        figures = {"given": self.given, "witness": self.counterexample, "smt2": self.smt2}
        return Evidence(Verdict.of(vars(self)), str(self), figures)

    def __bool__(self) -> bool:
        return self.verdict == "proved"

    @property
    def _at(self) -> str:
        return ", ".join(f"{name} = {value}" for name, value in self.counterexample.items())

    def __str__(self) -> str:
        under = f" given {', '.join(self.given)}" if self.given else ""
        at = f": {self._at}" if self._at else ""
        return f"{shown(vars(self))}: {self.statement}{under}; {self.why}{at}"

    def _repr_html_(self) -> str:
        rows = {"statement": self._repr_latex_(), "given": ", ".join(self.given) or "nothing"}
        rows |= {"verdict": shown(vars(self)), "why": self.why}
        return showing.html_table((rows | ({"fails at": self._at} if self._at else {})).items())

    def _repr_latex_(self) -> str:
        import sympy

        sums: dict[Any, Any] = {}
        relation = _relation("inequality", self.statement, sums, {})
        arm = {s: s.name.replace("[a]", "_a") for found in sums for s in found.term.free_symbols}
        names = {s: rf"\sum_a {sympy.latex(found.term, symbol_names=arm)}" for found, s in sums.items()}
        return f"${sympy.latex(relation, symbol_names=names)}$" if relation.free_symbols else self.statement


def prove(inequality: Any, given: Iterable[Any] = (), milliseconds: int = 10_000) -> Proof:
    """Decide an inequality for all reals that meet the assumptions `given`. Both are texts or sympy relations of real
    symbols.

    Texts may have sums over K arms, sum(p[a]*D[a] for a in arms), or over all arms except the first, for a in others.
    An assumption such as p[a] >= 0 is about every arm. Contradictory assumptions are refused, because they prove
    everything. Every quotient, root and logarithm in the inequality must be shown to be defined; in assumptions this is
    taken for granted.
    """
    import sympy

    from verify.formal.inequality import Decided, decide
    from verify.formal.sums import K, Sum, decide_sums, refuse_unsummed

    if not isinstance(given, (str, Iterable)):
        raise InputError("given", repr(given), "must be a string or a list of relations")
    assumptions = [given] if isinstance(given, str) else list(given)
    sums: dict[Any, Sum] = {}
    needed: dict[Any, str] = {}  # what must hold for every term to have a value, and its text
    assumed: dict[Any, str] = {}
    statement = _relation("inequality", inequality, sums, needed)
    facts = [_relation("given", fact, sums, assumed) for fact in assumptions] + list(assumed)
    words = tuple(str(fact) for fact in assumptions)
    refuse_unsummed(statement, str(inequality))
    named = {symbol: summed for summed, symbol in sums.items()}

    def decided(goal: Any, given: list[Any]) -> Decided:
        return decide_sums(goal, given, named, milliseconds) if sums else decide(goal, given, milliseconds)

    if facts and decided(sympy.false, facts).verdict is Verdict.Z3:
        raise InputError("given", ", ".join(words), "contradict each other: from them everything follows")
    known = [*facts, sympy.Ge(K, 1 + max(found.without for found in sums))] if sums else facts
    shown_needed = {side: decide(side, known, milliseconds) for side in needed}
    open_sides = [side for side, answer in shown_needed.items() if answer.verdict is not Verdict.Z3]
    found = decided(statement, [*facts, *open_sides])
    texts = (*(text for answer in shown_needed.values() for text in answer.smt2), *found.smt2)
    if open_sides and found.verdict is Verdict.Z3:
        sides = ", ".join(f'"{needed[side]}"' for side in open_sides)
        found = Decided(Verdict.UNDECIDED, f"holds where it has a value; add --given {sides}, or show it")
    return Proof(
        str(inequality),
        words,
        **found.verdict.fields,
        why=found.detail,
        counterexample=dict(found.model),
        smt2=texts,
    )


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("inequality", metavar="INEQUALITY", help='e.g. "(a + b)/2 >= sqrt(a*b)"')
    options.add_words(parser, "--given", "RELATION", "assumptions")
    parser.add_argument("--smt2", type=Path, metavar="FILE", help="save the questions for another solver")
    parser.add_argument("--json", action="store_true")


def execute(given: argparse.Namespace) -> int:
    options.refuse_existing("--smt2", given.smt2)
    found = prove(given.inequality, given.given)
    if given.smt2 is not None:
        with options.writing("--smt2", given.smt2):
            given.smt2.write_text("\n".join(found.smt2), encoding="utf-8")
    options.show(dataclasses.asdict(found), lambda _: f"{found}\n", given.json)
    return 0 if found else 1


def _relation(field: str, value: Any, sums: dict[Any, Any], needed: dict[Any, str]) -> Any:
    import sympy

    if not isinstance(value, str):
        relation = sympy.sympify(value)
    else:
        if len(value) > LONGEST:
            raise InputError(field, value, f"must have at most {LONGEST} characters")
        if not (value := value.strip().translate(TYPED)):
            raise InputError(field, None, f"is empty: it {RELATION}")
        try:
            tree = ast.parse(value, mode="eval").body
        except SyntaxError as error:
            raise InputError(
                field, value, _habits(value) or f"cannot be read: {error.msg}; it {RELATION}"
            ) from None
        relation = _read(field, value, tree, sums, needed)
    if not isinstance(relation, (sympy.logic.boolalg.Boolean, bool)):
        raise InputError(field, str(value), RELATION)
    return relation


def _habits(text: str) -> str:
    found = [(re.search(pattern, text), said) for pattern, said in HABITS.items()]
    return "; ".join(said.format(*match.groups()) for match, said in found if match)


def _indices(tree: ast.AST) -> list[ast.Name]:
    found = [node.slice for node in ast.walk(tree) if isinstance(node, ast.Subscript)]
    return [index for index in found if isinstance(index, ast.Name)]


def _read(field: str, text: str, tree: ast.AST, sums: dict[Any, Any], needed: dict[Any, str]) -> Any:
    import sympy

    from verify.formal.sums import ARM, SETS, Sum

    def need(side: Any, operand: ast.AST, condition: str, node: ast.AST) -> None:
        if side == sympy.false:
            raise InputError(field, text, f"{ast.unparse(node)} has no value")
        if side != sympy.true:
            needed[side] = f"{ast.unparse(operand)} {condition}"

    def literal(written: str) -> Any:
        if abs(int(written.lower().partition("e")[2] or 0)) > LARGEST_POWER:
            raise InputError(field, text, f"{written}: numbers have powers of ten up to {LARGEST_POWER}")
        return sympy.Rational(written.replace("_", ""))

    def number(node: ast.AST) -> Any:
        match node:
            case ast.Constant(value=bool()):
                pass
            case ast.Constant(value=int() as value):
                return sympy.Integer(value)
            case ast.Constant(value=float()):
                return literal(ast.get_source_segment(text, node) or "")
            case ast.Name(id="pi"):
                between = '--given "p > 3.14159" "p < 3.1416"'
                raise InputError(field, text, f"pi is no known number here; write p for it, with {between}")
            case ast.Name(id=name):
                return sympy.Symbol(name, real=True)
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Name()):
                return sympy.Symbol(name + ARM, real=True)
            case ast.Call(
                func=ast.Name(id="sum"),
                args=[
                    ast.GeneratorExp(elt=term, generators=[ast.comprehension(iter=ast.Name(id=over), ifs=[])])
                ],
            ) if over in SETS:
                found = Sum(number(term), SETS[over])
                return sums.setdefault(found, sympy.Symbol(f"sum {len(sums)}", real=True))
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                return -number(inner)
            case ast.BinOp(left=left, op=op, right=right):
                a, b = number(left), number(right)
                if type(op) is ast.Div:
                    need(sympy.Ne(b, 0), right, "!= 0", node)
                if type(op) is ast.Pow and b.is_Rational and b.q > 1:
                    need(sympy.Gt(a, 0) if b < 0 else sympy.Ge(a, 0), left, "> 0" if b < 0 else ">= 0", node)
                elif type(op) is ast.Pow and b.is_negative:
                    need(sympy.Ne(a, 0), left, "!= 0", node)
                if type(op) in OPERATORS and (type(op) is not ast.Pow or (b.is_Rational and abs(b) <= 100)):
                    return OPERATORS[type(op)](a, b)
            case ast.Call(func=ast.Name(id=typed), args=[_, *more] as arguments, keywords=[]) if (
                name := PYTHONS.get(typed, typed)
            ) in FUNCTIONS and (name in ("Min", "Max") or not more):
                values = [number(argument) for argument in arguments]
                if name in VALUED:
                    sign, condition = VALUED[name]
                    need(getattr(sympy, sign)(values[0], 0), arguments[0], condition, node)
                return getattr(sympy, name)(*values)
        shown = ast.unparse(node) if isinstance(node, ast.expr) else "?"
        signs = "numbers, names, + - * /, ** up to 100"
        allowed = f"{shown}: only {signs}, {', '.join(FUNCTIONS)}, sum(D[a] for a in arms)"
        raise InputError(field, text, _habits(text) or allowed)

    if not isinstance(tree, ast.Compare):
        raise InputError(field, text, _habits(text) or RELATION)
    generators = [node for node in ast.walk(tree) if isinstance(node, ast.GeneratorExp)]
    inner = [(node, set(_indices(node.elt))) for node in generators]
    outside = [i for i in _indices(tree) if not any(i is j for _, found in inner for j in found)]
    if (
        len({i.id for i in outside}) > 1
        or any({i.id for i in found} - {ast.unparse(node.generators[0].target)} for node, found in inner)
        or any(isinstance(below, ast.GeneratorExp) for node in generators for below in ast.walk(node.elt))
    ):
        raise InputError(field, text, "a sum, and what holds for every arm, must be about one index")
    if not all(type(op).__name__ in SIGNS for op in tree.ops):
        raise InputError(field, text, "must be written with <=, <, >=, >, == or !=")
    terms = pairwise([tree.left, *tree.comparators])
    signs = [getattr(sympy, SIGNS[type(op).__name__]) for op in tree.ops]
    return sympy.And(*(sign(number(a), number(b)) for sign, (a, b) in zip(signs, terms, strict=True)))
