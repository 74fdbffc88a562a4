"""Bound the regret of FedIGW from a generalisation and an optimisation error, for any FL protocol (col:convex_raw).

M agents with K arms play; epoch l has E^l steps. After an epoch the losses have Rademacher complexity R, the protocol
has the optimisation error o, and the model learned has the excess risk e. mu_f is the curvature of the loss, lam the
weight on the squared norm, w* the true parameter. Variants of the bound:

* printed: 2M + 44 sum_l sqrt(K (R^{l-1} + o^{l-1})/mu_f) M E^l, constants of the O(.) taken as 1
* repaired: 2M + 11 sum_l sqrt(K e_{l-1}) M E^l with e = (2/mu_f)(2R + o + lam norm(w*)^2)
* sharpened: 2M(1-1/K) + sum_l M E^l min(1, C sqrt(K e_{l-1})), C the constant of thm:global_regret; best likewise

They are evaluated for linear models of norm at most B, where R <= 2B(B+1)/sqrt(n) after n samples; on the whole space R
is infinite, which the paper overlooks. For these models o is a fraction delta of the generalisation error 2R (R in
`printed`), and lam = Lam/n. The regret is then of the slow order (MT)^{3/4} in T steps. For other errors see `bound
col:convex_raw --risk ... --optimisation ...`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bounds import plug_in, variants
from bounds.arithmetic import sqrt
from bounds.theorem import Case, Statement
from bounds.theorems.thm_global_regret import HYPOTHESES

DEFAULTS = {"mu_f": 2.0, "B": 1.0, "delta": 0.0, "Lam": 0.0}


def rademacher(n: Any, radius: Any) -> Any:
    """Bound the Rademacher complexity of the squared loss of linear models of norm at most `radius`, after n samples.
    Features have norm at most 1 and rewards are in [0,1]. The bound is 2B(B+1)/sqrt(n) for B = `radius`."""
    return 2 * radius * (radius + 1) / sqrt(n)


def excess_risk(generalisation: Any, optimisation: Any, regulariser: Any, curvature: Any) -> Any:
    """Bound the excess risk by the sum of its parts: (2/curvature)(generalisation + optimisation + regulariser)
    (lem:error_decompose). `regulariser`: the regularisation term at the true parameter. `curvature`: least second
    derivative of the loss."""
    return 2 * (generalisation + optimisation + regulariser) / curvature


def ball_risk(variant: str, n: Any, curvature: Any, radius: Any, share: Any, regularisation: Any) -> Any:
    """Return the bound on the excess risk of linear models of norm at most `radius` after n samples. `curvature`:
    least second derivative of the loss. `share`: optimisation error as a fraction of the generalisation error.
    `regularisation`: n times the weight on the squared norm."""
    complexity = rademacher(n, radius)
    if variants.row(variant).order_only:
        return complexity * (1 + share) / curvature
    return excess_risk(2 * complexity, 2 * share * complexity, regularisation * radius**2 / n, curvature)


@dataclass(frozen=True)
class RawRegret(plug_in.AnyRiskTheorem):
    """The regret bounds of FedIGW with any FL protocol, from its optimisation error and the Rademacher complexity,
    for linear models of bounded norm (col:convex_raw)."""

    label: str = "col:convex_raw"
    counted: tuple[str, ...] | None = ("calls",)
    optional: Mapping[str, float] = field(default_factory=lambda: dict(DEFAULTS))
    shapes: tuple[str, ...] = ("delta", "Lam")

    def risk(self, case: Case, n: Any) -> Any:
        return ball_risk(case.variant, n, *case.each(DEFAULTS))

    def regret_order_only(self, case: Case) -> bool:
        return case.order_only

    def rests_on(self, case: Case) -> tuple[Statement, ...]:
        return (("lem:error_decompose", "repaired"), ("lem:rademacher", "repaired"))

    def needs(self, case: Case, quantity: str) -> tuple[str, ...]:
        if quantity != "regret":
            return super().needs(case, quantity)
        _, radius, share, regularisation = (float(x) for x in case.each(DEFAULTS))
        return (
            *HYPOTHESES[:2],
            "f* minimises the conditional mean of the loss, which is mu_f-strongly convex in the prediction",
            f"the output stays in the ball norm(w) <= B = {radius:g}: Rademacher complexity at most 2B(B+1)/sqrt(n)",
            f"eps_opt <= {share:g} times the generalisation error 2R in every call, lam = {regularisation:g}/n",
            case.row.rate_words("(2/mu_f)(2R + eps_opt + lam norm(w*)^2)", int(case["K"]), halves=False),
        )


THEOREM = RawRegret()
