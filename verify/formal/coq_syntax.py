"""Translate real expressions from the text that Coq prints to sympy.

Only the syntax that the constants and bounds of proofs/ need is known: numbers, names, + - * / ^, Coq's prefix inverse
and minus, application, sqrt, ln, exp, INR, Rmax and Rmin. A name with a known definition is replaced by it; any other
applied name is an unknown function. All other text raises SyntaxProblem.
"""

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

TOKEN = re.compile(r"\s*(?:(\d+(?:\.\d+)?)|([A-Za-z_][\w']*(?:\.[A-Za-z_][\w']*)*)|(:=|=>|[-+*/^():])|$)")
SCOPE = re.compile(r"%[A-Za-z_]+")


class SyntaxProblem(ValueError):
    """Raised for text that is not an expression in the part of Coq's syntax that is known here."""


@dataclass(frozen=True)
class Definition:
    """A definition of a real number or function in Coq: the names of its parameters, and its body as text."""

    parameters: tuple[str, ...]
    body: str


def tokens(text: str) -> list[str]:
    text = SCOPE.sub("", text)
    found, position = [], 0
    while position < len(text.rstrip()):
        match = TOKEN.match(text, position)
        if not match or match.end() == position:
            raise SyntaxProblem(f"cannot read {text[position : position + 30]!r}")
        found.append(next(group for group in match.groups() if group is not None))
        position = match.end()
    return found


@cache
def definition(printed: str) -> Definition:
    """Return the definition in Coq's answer to `Print name`, which is `name = fun x y : R => body : type` or `name =
    body : type`."""
    _, separator, rest = printed.partition("=")
    if not separator:
        raise SyntaxProblem(f"not a definition: {printed[:60]!r}")
    value = re.split(r"\n\s+:\s", rest, maxsplit=1)[0].strip()
    if not value.startswith("fun "):
        return Definition((), value)
    binders, _, value = value[4:].partition("=>")
    return Definition(_parameters(binders), value.strip())


def _parameters(binders: str) -> tuple[str, ...]:
    return tuple(re.findall(r"[A-Za-z_][\w']*", re.sub(r":\s*[A-Za-z]+", " ", binders)))


@cache
def source_definition(source: str, name: str) -> Definition | None:
    """Return the definition of `name` in the text of a Coq file, `Definition name (x y : R) : R := body.`, or None
    if it has none."""
    head = rf"\bDefinition\s+{re.escape(name)}\b([^=]*?):\s*R\s*:=\s*(.*?)\.(?=\s)"
    match = re.search(head, source, re.DOTALL)
    return Definition(_parameters(match[1]), match[2].strip()) if match else None


def expression(text: str, known: Mapping[str, Definition] | None = None) -> Any:
    """Return a real expression in Coq's syntax as a sympy expression. known: definitions that replace names."""
    return _expression(text, tuple((known or {}).items()))


@cache
def _expression(text: str, known: tuple[tuple[str, Definition], ...]) -> Any:
    reader = _Reader(tokens(text), dict(known), {})
    value = reader.sum()
    if reader.rest:
        raise SyntaxProblem(f"cannot read on at {' '.join(reader.rest[:5])!r}")
    return value


class _Reader:
    def __init__(self, rest: list[str], known: dict[str, Definition], bound: dict[str, Any]) -> None:
        self.rest, self.known, self.bound = rest, known, bound

    def peek(self) -> str | None:
        return self.rest[0] if self.rest else None

    def take(self) -> str:
        if not self.rest:
            raise SyntaxProblem("the expression ends too early")
        return self.rest.pop(0)

    def sum(self) -> Any:
        return self.joined({"+": operator.add, "-": operator.sub}, self.product)

    def product(self) -> Any:
        return self.joined({"*": operator.mul, "/": operator.truediv}, self.prefixed)

    def joined(self, signs: Mapping[str, Callable[[Any, Any], Any]], part: Callable[[], Any]) -> Any:
        total = part()
        while self.peek() in signs:
            total = signs[self.take()](total, part())
        return total

    def prefixed(self) -> Any:
        if self.peek() in ("/", "-"):
            return 1 / self.prefixed() if self.take() == "/" else -self.prefixed()
        return self.power()

    def power(self) -> Any:
        base = self.application()
        if self.peek() == "^":
            self.take()
            return base ** self.power()
        return base

    def application(self) -> Any:
        head = self.take()
        if head == "(":
            inner = self.sum()
            if self.take() != ")":
                raise SyntaxProblem("a parenthesis is not closed")
            return inner
        if head[0].isdigit():
            import sympy

            return sympy.Rational(head)
        if not (head[0].isalpha() or head[0] == "_"):
            raise SyntaxProblem(f"unexpected {head!r}")
        arguments = []
        while (following := self.peek()) is not None and (following == "(" or following[0].isalnum()):
            arguments.append(self.argument())
        return self.apply(head, arguments)

    def argument(self) -> Any:
        if self.peek() == "(":
            return self.application()
        return _Reader([self.take()], self.known, self.bound).application()

    def apply(self, head: str, arguments: list[Any]) -> Any:
        import sympy

        name = head.rsplit(".", 1)[-1]
        one = {"sqrt": sympy.sqrt, "ln": sympy.log, "exp": sympy.exp, "INR": lambda n: n}
        two = {"Rmax": sympy.Max, "Rmin": sympy.Min}
        if name in self.bound and not arguments:
            return self.bound[name]
        if name in {1: one, 2: two}.get(len(arguments), {}):
            return (one | two)[name](*arguments)
        if name in self.known:
            known = self.known[name]
            if len(arguments) != len(known.parameters):
                raise SyntaxProblem(f"{name} is given {len(arguments)} arguments")
            bound = dict(zip(known.parameters, arguments, strict=True))
            return _Reader(tokens(known.body), self.known, bound).sum()
        return sympy.Function(name)(*arguments) if arguments else sympy.Symbol(name, positive=True)
