"""Check O(.) statements against explicit bounds: the limit of the ratio bound/order must be finite.

For M agents with K arms, T steps and a class of |F| functions (col:finite) the ratio of the explicit bound to the
printed order sqrt(K M T log(|F| M T)) has a finite limit as T grows. It has an infinite one as M grows with T fixed:
the printed order wrongly drops the regret of the first epoch, M times its length.
"""

from bounds.arithmetic import Value


def limit_ratio(bound: Value, order: Value, variable: Value) -> Value:
    """Return lim bound/order as variable -> infinity; it is sympy's oo if `order` does not bound `bound`. Both must be
    sums of positive terms like x sqrt(y log z). The limit is taken of the squared ratio term by term, because sympy is
    slow with nested radicals."""
    import sympy

    total = sympy.Integer(0)
    for term in sympy.Add.make_args(sympy.expand(bound, deep=False)):
        constant, varying = ((term / order) ** 2).as_independent(variable)
        limit = sympy.limit(sympy.simplify(varying), variable, sympy.oo)
        if limit == sympy.oo:
            return sympy.oo
        total += sympy.sqrt(constant * limit)
    return sympy.simplify(total)
