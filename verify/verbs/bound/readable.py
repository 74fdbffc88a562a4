"""Simplify the closed form of a bound to what a person would write: one rounded constant and one root."""

from typing import Any

DIGITS = 4


def readable(exact: Any) -> Any:
    """Return a sympy expression that is simpler than the closed form `exact` and at least as large. Constants are
    rounded up to four digits. A factor that depends on K only, and increases with it, is replaced by its limit."""
    import sympy

    from bounds.symbols import symbol

    sums: dict[Any, Any] = {}
    for term in sympy.Add.make_args(exact):
        constant, rest = sympy.Integer(1), []
        for factor in sympy.Mul.make_args(term):
            most = factor if factor.is_number else _limit(factor, symbol("K"))
            if most is None:
                rest.append(factor)
            else:
                constant *= most
        constant, product = (constant, sympy.Mul(*rest)) if constant.is_positive else (sympy.Integer(1), term)
        sums[product] = sums.get(product, 0) + constant
    # roots of positive symbols are never joined
    plain = {s: sympy.Symbol(s.name) for s in exact.free_symbols}
    joined = [sympy.powsimp(product.xreplace(plain), force=True) for product in sums]
    return sympy.Add(*(_up(c) * product for c, product in zip(sums.values(), joined, strict=True)))


def _limit(factor: Any, arms: Any) -> Any:
    import sympy

    if factor.free_symbols != {arms}:
        return None
    values = [float(factor.subs(arms, k)) for k in (2, 3, 10, 10**3, 10**6, 10**9)]
    if values[0] <= 0 or values != sorted(values) or values[-1] > 1.001 * values[-2]:
        return None
    inverse = sympy.Symbol("inverse", positive=True)
    return factor.subs(arms, 1 / inverse).subs(inverse, 0)


def _up(value: Any) -> Any:
    import decimal

    import sympy

    if value.is_Integer:
        return value
    exact = decimal.Decimal(str(sympy.N(value, 30)))
    unit = decimal.Decimal(1).scaleb(exact.adjusted() - DIGITS + 1)
    return sympy.Float(str(exact.quantize(unit, rounding=decimal.ROUND_CEILING)), DIGITS)
