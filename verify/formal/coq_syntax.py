"""Real expressions of Coq, as its kernel prints them, read into sympy.

Only what the constants and bounds of proofs/ need: numbers, names, + - * / ^, the prefix inverse and minus of Coq's
reals, application by juxtaposition, sqrt, ln, exp, INR, Rmax and Rmin. A name with a known definition is unfolded; any
other application stays an uninterpreted function. Anything else is a SyntaxProblem: it is never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

TOKEN = re.compile(r"\s*(?:(\d+(?:\.\d+)?)|([A-Za-z_][\w']*(?:\.[A-Za-z_][\w']*)*)|(:=|=>|[-+*/^():])|$)")
SCOPE = re.compile(r"%[A-Za-z_]+")


class SyntaxProblem(ValueError):
    """Text that is not an expression of the small language above."""


@dataclass(frozen=True)
class Definition:
    """A function of reals: its parameters and its body (text)."""

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
    """What `Print name` shows: `name = fun x y : R => body : type`, or `name = body : type`."""
    _, separator, rest = printed.partition("=")
    if not separator:
        raise SyntaxProblem(f"not a definition: {printed[:60]!r}")
    value = re.split(r"\n\s+:\s", rest, maxsplit=1)[0].strip()
    parameters: tuple[str, ...] = ()
    if value.startswith("fun "):
        binders, _, value = value[4:].partition("=>")
        parameters = tuple(re.findall(r"[A-Za-z_][\w']*", re.sub(r":\s*[A-Za-z]+", " ", binders)))
    return Definition(parameters, value.strip())


@cache
def source_definition(source: str, name: str) -> Definition | None:
    """`Definition name (x y : R) : R := body.` as it stands in a .v file."""
    head = rf"\bDefinition\s+{re.escape(name)}\b([^=]*?):\s*R\s*:=\s*(.*?)\.(?=\s)"
    match = re.search(head, source, re.DOTALL)
    if not match:
        return None
    binders, body = match.groups()
    parameters = tuple(re.findall(r"[A-Za-z_][\w']*", re.sub(r":\s*[A-Za-z]+", " ", binders)))
    return Definition(parameters, body.strip())


def expression(text: str, known: Mapping[str, Definition] | None = None) -> Any:
    """The sympy expression of a Coq real expression; `known` definitions (by their last name) are unfolded."""
    return _expression(text, tuple((known or {}).items()))


@cache
def _expression(text: str, known: tuple[tuple[str, Definition], ...]) -> Any:
    reader = _Reader(tokens(text), dict(known), {})
    value = reader.sum()
    if reader.rest:
        raise SyntaxProblem(f"cannot read on at {' '.join(reader.rest[:5])!r}")
    return value


class _Reader:
    """Recursive descent: sum (+ -) of products (* /) of prefixed (/ -) powers (^) of applications."""

    def __init__(self, rest: list[str], known: dict[str, Definition], bound: dict[str, Any]) -> None:
        self.rest, self.known, self.bound = rest, known, bound

    def peek(self) -> str | None:
        return self.rest[0] if self.rest else None

    def take(self) -> str:
        if not self.rest:
            raise SyntaxProblem("the expression ends too early")
        return self.rest.pop(0)

    def sum(self) -> Any:
        total = self.product()
        while self.peek() in ("+", "-"):
            total = total + self.product() if self.take() == "+" else total - self.product()
        return total

    def product(self) -> Any:
        total = self.prefixed()
        while self.peek() in ("*", "/"):
            total = total * self.prefixed() if self.take() == "*" else total / self.prefixed()
        return total

    def prefixed(self) -> Any:
        if self.peek() == "/":
            self.take()
            return 1 / self.prefixed()
        if self.peek() == "-":
            self.take()
            return -self.prefixed()
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
        standard = {"sqrt": sympy.sqrt, "ln": sympy.log, "exp": sympy.exp, "INR": lambda n: n}
        if name in self.bound and not arguments:
            return self.bound[name]
        if name in standard and len(arguments) == 1:
            return standard[name](arguments[0])
        extrema = {"Rmax": sympy.Max, "Rmin": sympy.Min}
        if name in extrema and len(arguments) == 2:
            return extrema[name](*arguments)
        if name in self.known:
            known = self.known[name]
            if len(arguments) != len(known.parameters):
                raise SyntaxProblem(f"{name} is given {len(arguments)} arguments")
            inside = _Reader(
                tokens(known.body), self.known, dict(zip(known.parameters, arguments, strict=True))
            )
            return inside.sum()
        if arguments:
            return sympy.Function(name)(*arguments)
        return sympy.Symbol(name, positive=True)
