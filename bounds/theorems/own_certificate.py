"""Bound the regret of FedIGW with any FL protocol that ends near the minimiser, on linear rewards (own:certificate).

These are the bounds of col:linear with (1+delta)^2 times its excess risk e(n). Every model must be within squared
distance delta^2 e(n) of the ridge estimate, after any number of rounds. This holds if the server stops as soon as
norm(grad F(w))/mu <= delta sqrt(e(n)), where F is the ridge objective and mu its least curvature.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from bounds import variants
from bounds.theorem import Case
from bounds.theorems import col_linear


@dataclass(frozen=True)
class CertifiedRegret(col_linear.LinearRegret):
    """The regret bounds of FedIGW with ridge regression for any protocol that ends near the minimiser. Its
    communication depends on the data, so it is not bounded."""

    label: str = "own:certificate"
    hypotheses: tuple[str, ...] = (
        *col_linear.HYPOTHESES,
        "every call ends within delta^2 e(n) of the ridge estimate",
    )
    counted: tuple[str, ...] | None = ()
    protocols: tuple[str, ...] = ()
    optional: Mapping[str, float] = field(default_factory=lambda: {"delta": 0.5, "heterogeneous": 0})

    @property
    def variants(self) -> tuple[str, ...]:
        return tuple(name for name in super().variants if not variants.row(name).order_only)

    def regret_needs(self, case: Case) -> tuple[str, ...]:
        return (*super().regret_needs(case), self.hypotheses[-1])


THEOREM = CertifiedRegret()
