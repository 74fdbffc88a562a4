"""O(.) as a checked consequence of an explicit bound: the limit of their ratio.

For col:finite: explicit bound / sqrt(K M T log(|F| M T)) has a finite limit as T grows, and an infinite one
as M grows with T fixed: the first-epoch term M E^1 cannot be dropped (erratum E9).
"""

from bounds.arithmetic import Value


def limit_ratio(bound: Value, order: Value, variable: Value) -> Value:
    """Return lim bound/order as variable -> infinity; sympy's oo if the order does not bound it.

    Both are sums of terms like x sqrt(y log z): a term-by-term limit of squared ratios avoids sympy's
    slow path through nested radicals (every term is positive, so lim sqrt = sqrt lim).
    """
    import sympy

    total = sympy.Integer(0)
    for term in sympy.Add.make_args(sympy.expand(bound, deep=False)):
        constant, varying = ((term / order) ** 2).as_independent(variable)
        limit = sympy.limit(sympy.simplify(varying), variable, sympy.oo)
        if limit == sympy.oo:
            return sympy.oo
        total += sympy.sqrt(constant * limit)
    return sympy.simplify(total)
