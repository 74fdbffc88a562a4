"""Read a user's formula from text, without eval, as a number or a sympy expression.

    read("(25*log(F*n)+1)/n").value({"F": 100, "n": 20.0})

Only these are allowed: numbers, + - * / **, brackets, log sqrt exp min max, and the names of VOCABULARY.
"""

import ast
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from bounds import arithmetic
from bounds.arithmetic import Value, is_symbolic
from bounds.errors import InputError, nearest

# All positive; counts are at least 1. `local_steps` is the paper's kappa: K is the number of arms.
VOCABULARY = {
    "n": "samples of one FL call, M E^l",
    "R": "rounds of one FL call",
    "local_steps": "local steps between two rounds (the paper's kappa)",
    "server_step": "server step size (the paper's eta_g)",
    "M": "agents",
    "K": "arms",
    "d": "dimension",
    "F": "size of the function class",
    "delta": "tolerance of the solver, or failure probability",
    "mu_f": "strong convexity of the loss in the prediction",
    "B": "bound on norm(w)",
    "mu": "strong convexity of the objective in w",
    "beta": "smoothness of the objective in w",
    "sigma2": "variance of a stochastic gradient",
    "G2": "squared dissimilarity of the agents' gradients",
    "D2": "squared distance of the start from the minimiser",
    "C": "a constant",
}
COUNTS = ("n", "R", "local_steps", "M", "K", "d", "F")
LONGEST, MOST_NODES, MOST_BITS = 300, 120, 4096
ROUNDING = 1e-9  # relative: a formula that is constant in n may move in its last digits

Operation = Callable[[Any, Any], Any]


@dataclass(frozen=True)
class Expression:
    """A formula that has been read from text. field: the command-line option it came from, for error messages. tree:
    its syntax tree. symbols: the names that occur in it."""

    field: str
    text: str
    tree: ast.expr
    symbols: frozenset[str]

    def value(self, values: Mapping[str, Any]) -> Value:
        """Return the value of the formula at these values of its symbols: a number, or a sympy expression if one of
        them is."""
        symbolic = any(is_symbolic(v) for v in values.values())
        try:
            found = _fold(self.tree, values, _exact if symbolic else float)
        except (ZeroDivisionError, ValueError, OverflowError) as trouble:
            if isinstance(trouble, InputError):
                raise
            if symbolic:
                raise InputError(self.field, self.text, "is not a finite number") from None
            where = ", ".join(f"{name} = {values[name]:g}" for name in sorted(self.symbols) if name in values)
            raise InputError(
                self.field, self.text, f"is not a finite number{where and ' at '}{where}"
            ) from None
        return found

    def symbolic(self) -> Value:
        from bounds.symbols import symbol

        return self.value({name: symbol(name) for name in (*self.symbols, "n")})

    def refuse_growth(self, name: str, points: Iterable[tuple[float, Value]]) -> None:
        """Raise InputError if the formula is negative somewhere or increases. `points`: pairs (value of the symbol
        `name`, value of the formula), in increasing order of the first."""
        before = None
        for at, value in points:
            if value < 0:
                raise InputError(self.field, self.text, f"is negative: {value:.6g} at {name} = {at:.6g}")
            here = f"{value:.6g} at {name} = {at:.6g}"
            if before is not None and value > before[0] * (1 + ROUNDING):
                raise InputError(self.field, self.text, f"increases with {name}: {before[1]}, {here}")
            before = value, here


def read(text: str, field: str = "--risk") -> Expression:
    """Return the formula written as `text`, or raise an InputError that says what is wrong with it. field: the
    command-line option it comes from, for the message."""
    if len(text) > LONGEST:
        raise InputError(field, text, f"must be at most {LONGEST} characters")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise InputError(field, text, "is not a formula, e.g. d/n or (25*log(F*n)+1)/n") from None
    nodes = list(ast.walk(tree))
    if len(nodes) > MOST_NODES:
        raise InputError(field, text, f"is too long: at most {MOST_NODES} parts")
    functions = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    for node in nodes:
        _refuse(node, field, text)
    names = {node.id for node in nodes if isinstance(node, ast.Name) and id(node) not in functions}
    for name in sorted(names - set(VOCABULARY)):
        raise InputError(field, text, f"unknown symbol {name!r}; {nearest(name, VOCABULARY)}")
    return Expression(field, text.strip(), tree, frozenset(names))


def _refuse(node: ast.AST, field: str, text: str) -> None:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitXor):
        raise InputError(field, text, "write ** for a power, not ^")
    if isinstance(node, ast.Constant):
        number = node.value
        if isinstance(number, bool) or not isinstance(number, int | float) or not 0 <= number < 1e100:
            raise InputError(field, text, f"{node.value!r} is not a number below 1e100")
        return
    if isinstance(node, ast.Call):
        name = node.func.id if isinstance(node.func, ast.Name) else ast.unparse(node.func)
        if name not in FUNCTIONS or node.keywords:
            raise InputError(field, text, f"unknown function {name}; {nearest(name, FUNCTIONS)}")
        if len(node.args) != FUNCTIONS[name][0]:
            raise InputError(field, text, f"{name} takes {FUNCTIONS[name][0]} arguments")
        return
    allowed = (ast.BinOp, ast.UnaryOp, ast.Name, ast.Load, *OPERATIONS, ast.USub, ast.UAdd)
    if not isinstance(node, allowed):
        raise InputError(field, text, f"{type(node).__name__} is not allowed in a formula")


def _fold(node: ast.expr, values: Mapping[str, Any], number: Callable[[Fraction], Value]) -> Value:
    if isinstance(node, ast.Constant):
        return number(Fraction(str(node.value)))
    if isinstance(node, ast.Name):
        return values[node.id]
    if isinstance(node, ast.UnaryOp):
        inner = _fold(node.operand, values, number)
        return -inner if isinstance(node.op, ast.USub) else inner
    if isinstance(node, ast.Call):
        assert isinstance(node.func, ast.Name)
        arguments = [_fold(argument, values, number) for argument in node.args]
        return FUNCTIONS[node.func.id][1](*arguments)
    assert isinstance(node, ast.BinOp)
    left, right = _fold(node.left, values, number), _fold(node.right, values, number)
    return OPERATIONS[type(node.op)](left, right)


def _exact(value: Fraction) -> Value:
    import sympy

    return sympy.Rational(value.numerator, value.denominator)


def _power(base: Value, exponent: Value) -> Value:
    if not is_symbolic(base, exponent):
        return math.pow(base, exponent)
    import sympy

    if isinstance(base, sympy.Rational) and isinstance(exponent, sympy.Rational):
        bits = max(int(base.p).bit_length(), int(base.q).bit_length())
        if bits * abs(float(exponent)) > MOST_BITS:
            raise OverflowError("a power of numbers that is too large")
    return base**exponent


OPERATIONS: dict[type[ast.AST], Operation] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
    ast.Pow: _power,
}
FUNCTIONS: dict[str, tuple[int, Callable[..., Any]]] = {
    "log": (1, arithmetic.log),
    "ln": (1, arithmetic.log),
    "sqrt": (1, arithmetic.sqrt),
    "exp": (1, arithmetic.exp),
    "min": (2, arithmetic.least),
    "max": (2, arithmetic.largest),
}
