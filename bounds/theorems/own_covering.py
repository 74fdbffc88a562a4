"""Bound the excess risk of least squares over an infinite class by its covering number, and the regret that follows:
col:finite beyond finite classes.

The class contains the true function; rewards and all functions have values in [0,1]. If N functions come within eps
of every function of the class, uniformly, then the excess risk after n samples is at most

    (sqrt((ln N + 2 n eps)/(kappa n)) + eps)^2,   kappa = 1 - e^{-1/2}

For a finite class of N functions eps is 0, which gives ln(N)/(kappa n). Linear functions in d dimensions with norms
at most 1 have ln N <= d ln(1 + 2/eps), which is evaluated at eps = 1/n.
"""
# Proof. The minimiser fhat has empirical excess loss at most 0, so the nearest of the N functions, g, has at most 2
# n eps (one sample changes by (g - f)(g + f - 2r) <= 2 eps). With Z_g the excess loss of g, P_g = P(nearest = g) <=
# e^{2 n eps} E e^{-Z_g} <= e^{2 n eps - kappa n risk(g)}, that is risk(g) <= (ln(1/P_g) + 2 n eps)/(kappa n). The
# mean of ln(1/P_g) is an entropy, at most ln N. Then use Minkowski's inequality.

from dataclasses import dataclass

from bounds import plug_in
from bounds.arithmetic import Value, log, sqrt
from bounds.finite_excess_risk import kappa
from bounds.theorem import Case, Statement
from bounds.theorems.col_finite import HYPOTHESES
from bounds.variant_row import doubling_sum
from bounds.variants import VARIANTS


def mean(n: Value, log_covering: Value, radius: Value) -> Value:
    """Bound the mean excess risk after n samples of least squares over a class that is covered by finitely many
    functions. `log_covering`: logarithm of their number. `radius`: largest distance of a function of the class
    from the nearest of them."""
    return (sqrt((log_covering + 2 * n * radius) / (kappa(n) * n)) + radius) ** 2


def linear_mean(n: Value, dimension: Value) -> Value:
    """Bound the mean excess risk of least squares over linear functions with norms at most 1, after n samples. It
    uses a cover of radius 1/n and is of order dimension log(n)/n."""
    return mean(n, dimension * log(1 + 2 * n), 1 / n)


def covering_number(functions: list[tuple[Value, ...]], radius: Value) -> int:
    """Return an upper bound on the covering number of a finite class: the size of a cover chosen greedily from it.
    `radius`: of the cover, in the maximum norm."""
    left, size = list(functions), 0
    while left:
        centre = left[0]
        left = [f for f in left if max(abs(a - b) for a, b in zip(f, centre, strict=True)) > radius]
        size += 1
    return size


@dataclass(frozen=True)
class CoveringRegret(plug_in.AnyRiskTheorem):
    """The regret bound of FedIGW with least squares over a linear class of dimension d, from its covering number."""

    label: str = "own:covering"
    hypotheses: tuple[str, ...] = (
        *HYPOTHESES,
        "ln N(eps) <= d ln(1 + 2/eps) at eps = 1/n, n = M E^l",
    )
    counted: tuple[str, ...] | None = ("calls",)
    required: tuple[str, ...] = ("M", "K", "T", "d")
    forms: tuple[str, ...] = tuple(name for name, row in VARIANTS.items() if not row.order_only)

    def rests_on(self, case: Case) -> tuple[Statement, ...]:
        return ((self.label, "repaired"),)  # its excess risk

    def regret_needs(self, case: Case) -> tuple[str, ...]:
        risk = "(sqrt((d ln(1+2n) + 2)/(kappa n)) + 1/n)^2"
        rate = case.row.rate_words(risk, int(case["K"]), halves=False)
        return (*self.hypotheses, f"{rate}; kappa = 1 - e^{{-1/2}}")

    def risk(self, case: Case, n: Value) -> Value:
        return linear_mean(n, float(case["d"]))

    def closed_regret(self, case: Case) -> Value:
        """Return the closed-form regret bound, a sympy expression, for horizons of at least 3."""
        M, K, T, d = case.each("MKTd")
        parts = sqrt((d * log(1 + 2 * M * T) + 2) / kappa(M)) + 1 / sqrt(2 * M)
        factor = plug_in.constant(case.variant, K, 1, inverse=False, corollary=True)
        return case.row.closed_form(factor, doubling_sum() * sqrt(K * M * T * parts**2))


THEOREM = CoveringRegret()
