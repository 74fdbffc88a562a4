"""Compute the regret bound of FedIGW from an excess risk e(n) that is given as a formula in the number n of samples.

M agents with K arms play T steps; epoch l has E^l of them and ends at step 2^l. C is the constant of the chosen
variant of the bound.

    epoch sum     first epoch + sum_{l>=2} C sqrt(K e(M E^{l-1})) M E^l
    closed form   first epoch + C c_p sqrt(K A) (MT)^{1-p/2},  T >= 2, where e(n) = A(n) n^{-p}, A at its largest, and
                  c_p = 2^{p-1}/(1 - 2^{-(1-p/2)}), which is 2 + sqrt2 at p = 1

A formula that cannot be an excess risk is refused: one that is negative or grows with n at any n that FedIGW meets,
such as the log(d/n) that the paper prints in col:linear.
"""
# Proof of the closed form. Let E^l_cut be E^l cut at T. sum_{l>=2} E^l_cut (E^{l-1})^{-p/2} <= c_p T^{1-p/2} for 0
# <= p < 2: at T = 2^L the complete epochs sum to c_p T^{1-p/2} - 2/(1-2^{-(1-p/2)}) + 2^{1-p/2}, which is less; in
# between the sum is linear in T and the right side concave.

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from bounds import variants
from bounds.epoch_sum import EpochSum
from bounds.errors import InputError
from bounds.plug_in_text import COUNTS, ROUNDING, Expression
from bounds.quantities import Counted
from bounds.schedules import calls, closed_calls
from bounds.symbols import symbol
from bounds.theorem import Case, Theorem


class ScheduleTheorem(Theorem):
    """The base class of a theorem that counts the calls of the FL protocol, but not its messages. Up to step T there
    are floor(log2 T) calls, for epochs that end at steps 2, 4, 8, ...."""

    def counts(self, case: Case) -> Counted:
        return Counted(calls(int(case["T"])), None)

    def closed_counts(self, case: Case) -> Counted:
        return Counted(closed_calls(), None)

    def every_step(self, case: Case) -> Counted:
        return Counted(case["T"], None)

    def counts_order_only(self, case: Case, quantity: str) -> bool:
        return False

    def counted_needs(self, case: Case) -> tuple[str, ...]:
        return ("epoch lengths 2, 2, 4, 8, ...",)


class AnyRiskTheorem(ScheduleTheorem):
    """The base class of a regret bound from an excess risk that need not be proportional to 1/n for n samples. Its
    method `risk` must accept numbers and symbols."""

    def risk(self, case: Case, n: Any) -> Any:
        raise NotImplementedError

    def regret(self, case: Case) -> EpochSum:
        def risk(n: int) -> float:
            return float(self.risk(case, float(n)))

        return epoch_sum(case.variant, int(case["M"]), int(case["K"]), risk, inverse=False, corollary=True)

    def closed_regret(self, case: Case) -> Any:
        return closed_form(case.variant, self.risk(case, symbol("n")), corollary=True)


EPOCHS = 200  # n = M 2^j up to j = 200: more samples than anybody will have


def check(expression: Expression, parameters: Mapping[str, Any]) -> None:
    """Raise InputError if the formula for the excess risk is negative, increases with the number of samples, or is 0 in
    the last epoch. It is evaluated at the sample sizes M 2^j of the epochs of M agents, up to the horizon and beyond.
    """
    known = {name: float(value) for name, value in parameters.items() if name in expression.symbols}
    horizon, agents = int(parameters.get("T", 1)), int(parameters["M"])
    reach = min(max(EPOCHS, horizon.bit_length() + 1), 1000 - agents.bit_length())
    samples = (agents * 2.0**j for j in range(1, reach + 1))
    expression.refuse_growth("n", ((n, expression.value(known | {"n": n})) for n in samples))
    last = agents * 2.0 ** max(1, (horizon - 1).bit_length() - 1)  # of the last call that is played by
    if not expression.value(known | {"n": last}) > 0:
        said = f"is 0 (or below 1e-308) after n = {last:g} samples: the learning rate would be infinite"
        raise InputError("--risk", expression.text, said)


def _nonnegative(expression: Any) -> bool:
    import sympy

    shifts = {symbol(name): 1 + sympy.Symbol(f"{name}_", nonnegative=True) for name in COUNTS}
    shifted = expression.subs(shifts)
    return any(bool(form(shifted).is_nonnegative) for form in (lambda x: x, sympy.factor, sympy.together))


@dataclass(frozen=True)
class Power:
    """An excess risk e(n) = A(n) n^{-p} of n samples, split into the power p and the coefficient A(n). trend: whether
    A is "constant", "grows" or "falls" in n, or "open" if sympy cannot tell."""

    p: Any
    coefficient: Any
    trend: str


def power(e: Any) -> Power:
    """Split an excess risk, a sympy expression in n, into A(n) n^{-p}. p is 1 if e falls as fast as 1/n^2 or faster,
    or if its power cannot be found."""
    import sympy

    n = symbol("n")
    p = _limit(sympy.simplify(-n * sympy.diff(e, n) / e))
    if p is None or not (p.is_Rational and 0 <= p < 2):
        p = sympy.Integer(1)
    coefficient = sympy.simplify(e * n**p)
    slope = sympy.diff(coefficient, n)
    if sympy.simplify(slope) == 0:
        return Power(p, coefficient, "constant")
    if _nonnegative(slope):
        return Power(p, coefficient, "grows")
    return Power(p, coefficient, "falls" if _nonnegative(-slope) else "open")


def _limit(expression: Any) -> Any:
    import sympy

    try:
        return sympy.limit(expression, symbol("n"), sympy.oo)
    except (NotImplementedError, ValueError, TypeError):
        return None


def doubling_constant(p: Any) -> Any:
    """Return 2^{p-1}/(1 - 2^{-(1-p/2)}), the constant that sums the regret over doubling epochs if the excess risk is
    proportional to n^{-p}."""
    return 2 ** (p - 1) / (1 - 2 ** (p / 2 - 1))


def is_inverse(expression: Expression, parameters: Mapping[str, Any]) -> bool:
    """Return whether the excess risk is proportional to 1/n, by evaluating it at the sample sizes of the epochs."""
    known = {name: float(value) for name, value in parameters.items() if name in expression.symbols}
    samples = [float(parameters["M"]) * 2.0**j for j in range(1, EPOCHS + 1)]
    found = [n * float(expression.value(known | {"n": n})) for n in samples]
    return max(found) - min(found) <= ROUNDING * max(found)


def constant(variant: str, arms: Any, c: Any, inverse: bool, corollary: bool = False) -> Any:
    """Return the constant of the regret bound (thm:global_regret) in a variant ("printed", "sharpened", ...), for K =
    `arms` arms. `c`: how unequally the agents' epochs grow (1 if alike). `inverse`: whether the excess risk is
    proportional to 1/n, for which variant `best` has a smaller constant. `corollary`: whether all agents have K arms,
    for which the printed constant is smaller."""
    row = variants.row(variant)
    if row.in_step and not inverse:
        if c != 1:
            raise InputError("c", c, "variant best is for agents in step, c = 1")
        return row.in_corollary(arms, halves=False)
    return (row.over_g if corollary else row.in_theorem)(row.c.under_doubling * c, arms)


def epoch_sum(
    variant: str,
    agents: int,
    arms: int,
    risk: Callable[[int], float],
    inverse: bool,
    c: float = 1.0,
    corollary: bool = False,
) -> EpochSum:
    """Return the regret bound of FedIGW as a sum over epochs, for any excess risk that does not increase. `risk` maps
    a number of samples to the excess risk; `inverse` says whether it is proportional to 1/n. `c`: how unequally the
    agents' epochs grow (1 if alike). `corollary`: whether all agents have the same number of arms."""
    factor = constant(variant, arms, c, inverse, corollary)
    return variants.row(variant).epoch_sum(
        agents, arms, float(factor), risk, _multiplier(variant, arms, inverse, c)
    )


def _multiplier(variant: str, arms: int, inverse: bool, c: float) -> float | None:
    return 0.0 if c != 1 else variants.row(variant).multiplier_squared(arms, inverse)


def closed_form(variant: str, e: Any, c: Any = 1, corollary: bool = False) -> Any:
    """Return the closed-form regret bound of FedIGW in a variant ("printed", "sharpened", ...), a sympy expression, for
    the excess risk e, an expression in the number n of samples. `c`: how unequally the agents' epochs grow (1 if
    alike). `corollary`: whether all agents have the same number of arms. If sympy cannot tell whether n^p e grows or
    falls, where p is the power of e, the result is the sum over epochs."""
    # A(n) is taken at its largest: at n = MT if it grows (every call has at most MT samples), at n = 2M if it falls
    import sympy

    row, (M, K, T, n) = variants.row(variant), (symbol(name) for name in "MKTn")
    found = power(e)
    factor = constant(variant, K, c, found.trend == "constant" and found.p == 1, corollary)
    if found.trend == "open":
        l = sympy.Symbol("l", integer=True, positive=True)
        length = 2 ** (l - 1)
        later = 2 * M * sympy.sqrt(K * e.subs(n, 2 * M)) + sympy.Sum(
            M * length * sympy.sqrt(K * e.subs(n, M * length / 2)), (l, 3, sympy.ceiling(sympy.log(T, 2)))
        )
        return row.closed_form(factor, later)
    at = {"grows": M * T, "falls": 2 * M, "constant": n}[found.trend]
    inside = sympy.sqrt(K * found.coefficient.subs(n, at)) * (M * T) ** (1 - found.p / 2)
    return row.closed_form(factor, doubling_constant(found.p) * inside)


def order(e: Any) -> Any:
    """Return the order of the regret in T that follows from an excess risk e, a sympy expression in n. If e is of
    order n^{-p} log(n)^q with q in {0, 1/2, ..., 3}, it is T^{1-p/2} log(T)^{q/2}; otherwise None."""
    import sympy

    found, n, T = power(e), symbol("n"), symbol("T")
    for q in (sympy.Rational(k, 2) for k in range(7)):
        limit = _limit(found.coefficient / sympy.log(n) ** q)
        if limit is not None and limit.is_positive and limit.is_finite:
            return T ** (1 - found.p / 2) * sympy.log(T) ** (q / 2)
    return None
