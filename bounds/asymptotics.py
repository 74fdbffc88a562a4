"""Check O(.) statements as consequences of explicit bounds: the limit of the ratio must be finite.

For col:finite the ratio of the explicit bound and sqrt(K M T log(|F| M T)) has a finite limit as T grows, and an
infinite one as M grows with T fixed: the first-epoch term M E^1 cannot be dropped (erratum E9).
"""

from bounds.arithmetic import Value


def limit_ratio(bound: Value, order: Value, variable: Value) -> Value:
    """Return lim bound/order as variable -> infinity, sympy's oo if the order does not bound it. Both are sums of
    positive terms like x sqrt(y log z). A limit of the squared ratio term by term avoids sympy's slow path through
    nested radicals."""
    import sympy

    total = sympy.Integer(0)
    for term in sympy.Add.make_args(sympy.expand(bound, deep=False)):
        constant, varying = ((term / order) ** 2).as_independent(variable)
        limit = sympy.limit(sympy.simplify(varying), variable, sympy.oo)
        if limit == sympy.oo:
            return sympy.oo
        total += sympy.sqrt(constant * limit)
    return sympy.simplify(total)
