"""Check O(.) statements against explicit bounds: the ratio bound/order must have a finite limit.

Example: for M agents, K arms, T steps and a class of |F| functions, the explicit regret bound of col:finite divided
by the printed order sqrt(K M T log(|F| M T)) has a finite limit as T grows. As M grows with T fixed the limit is
infinite. So the printed order is wrong there: it drops the regret of the first epoch, which grows like M.
"""

from bounds.arithmetic import Value


def limit_ratio(bound: Value, order: Value, variable: Value) -> Value:
    """Return the limit of bound/order as `variable` tends to infinity; it is infinite (sympy's oo) if the order is
    too small. Both must be sums of positive terms like x sqrt(y log z). The limit is taken of the squared ratio,
    term by term, because sympy is slow with nested square roots."""
    import sympy

    total = sympy.Integer(0)
    for term in sympy.Add.make_args(sympy.expand(bound, deep=False)):
        constant, varying = ((term / order) ** 2).as_independent(variable)
        limit = sympy.limit(sympy.simplify(varying), variable, sympy.oo)
        if limit == sympy.oo:
            return sympy.oo
        total += sympy.sqrt(constant * limit)
    return sympy.simplify(total)
