"""Reading Coq: expressions and definitions as sympy, and nothing guessed."""

import pytest
import sympy

from verify.formal import coq_syntax

x, y = sympy.symbols("x y", positive=True)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("7 * x / 6 + 7 / (18 * y)", 7 * x / 6 + 7 / (18 * y)),
        ("/ x ^ 2", 1 / x**2),
        ("- x ^ 2", -(x**2)),
        ("x - y - 1", x - y - 1),
        ("x / y / 2", x / y / 2),
        ("x ^ 2 ^ 3", x**8),
        ("sqrt (2 * x) * (2 + sqrt 2)", sympy.sqrt(2 * x) * (2 + sympy.sqrt(2))),
        ("1 - exp (- (1 / 2))", 1 - sympy.exp(-sympy.Rational(1, 2))),
        ("ln (INR x) / INR y", sympy.log(x) / y),
        ("7.8 * x", sympy.Rational(39, 5) * x),
        ("Rmax (1 - / x) y + Rmin x 2", sympy.Max(1 - 1 / x, y) + sympy.Min(x, 2)),
        ("(x + 2)%R * f x (y + 1)", (x + 2) * sympy.Function("f")(x, y + 1)),
    ],
)
def test_coq_expressions(text, expected):
    assert sympy.simplify(coq_syntax.expression(text) - expected) == 0


def test_definitions_are_unfolded():
    known = {"half": coq_syntax.Definition(("x",), "x / 2"), "twice": coq_syntax.Definition((), "half y * 4")}
    assert coq_syntax.expression("twice + M.half 3", known) == 2 * y + sympy.Rational(3, 2)


@pytest.mark.parametrize("text", ["", "x +", "(x", "x )", "fun x => x", "x ; y", "x = y"])
def test_what_is_not_an_expression_is_never_guessed(text):
    with pytest.raises(coq_syntax.SyntaxProblem):
        coq_syntax.expression(text)
