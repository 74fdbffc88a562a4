"""Bound the regret of FedIGW on logistic rewards, from a bound on the excess risk (own:logistic_excess_risk).

M agents with K arms play epochs l = 1, 2, ... of E^l steps. e_{l-1} is the excess risk of the model learned from the
n = M E^{l-1} samples of epoch l-1, and delta the tolerance of the solver. Variants of the bound:

* repaired: 2M + 11 sum_l (1+delta) sqrt(K e_{l-1}) M E^l with e = C/(n+1)
* sharpened: 2M(1-1/K) + sum_l M E^l min(1, B (1+delta) sqrt(K e_{l-1})), B the constant of thm:global_regret
* best: the same with B <= 3.6981 and e = C/n

C is that of bounds/own_logistic_excess_risk.py at the best regularisation. If the agents' distributions differ
(heterogeneous = 1), e = C/n with the C for different distributions. Every model must be within squared distance 16
delta^2 e(n) of the minimiser: the logistic function has slope at most 1/4, so predictions then change by at most
delta^2 e(n) in squared mean.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from bounds import own_logistic_excess_risk as excess
from bounds import variants
from bounds.arithmetic import Value
from bounds.epoch_sum import EpochSum
from bounds.errors import InputError
from bounds.theorem import Case, DoublingTheorem, Statement
from bounds.variant_row import Variant

HYPOTHESES = (
    "H1 rewards in [0,1] with mean sigma(phi'omega*), norm(phi) <= 1, norm(omega*) <= B",
    "H2 synchronous agents with K arms each, tau^l = 2^l, lengths independent of the data",
    "on each epoch's n = M E^l samples the continued logistic loss with lambda = Lam/n, Lam at its best",
)


@dataclass(frozen=True)
class LogisticRegret(DoublingTheorem):
    """The regret bound of FedIGW on logistic rewards. B: bound on the norm of the true parameter. delta: tolerance of
    the solver, 0 for an exact one."""

    label: str = "own:logistic_excess_risk"
    hypotheses: tuple[str, ...] = HYPOTHESES
    counted: tuple[str, ...] | None = ()
    required: tuple[str, ...] = ("M", "K", "T", "d")
    optional: Mapping[str, float] = field(
        default_factory=lambda: {"B": 1.0, "delta": 0.0, "heterogeneous": 0}
    )
    shapes: tuple[str, ...] = ("delta", "heterogeneous")

    @property
    def variants(self) -> tuple[str, ...]:
        return tuple(name for name in super().variants if not variants.row(name).order_only)

    def check(self, case: Case, quantity: str) -> None:
        if not 0 < case["B"] <= 16:
            raise InputError("B", case["B"], "must be a positive number up to 16")

    def variant_row(self, case: Case) -> Variant:
        return replace(case.row, clipped=False)

    def regret(self, case: Case) -> EpochSum:
        """Return the regret bound as a sum over epochs. No lower bound goes with it: the one of own:lower_bound needs
        a gap of 1 between arms, which logistic rewards cannot have."""
        agents, arms, row = int(case["M"]), int(case["K"]), self.variant_row(case)
        return row.epoch_sum(agents, arms, float(self.factor(case)), partial(self.risk, case), 0.0)

    def coefficient(self, case: Case) -> Value:
        constant = excess.logistic(case["d"], case["B"], bool(case["heterogeneous"]))[1]
        return (1 + case["delta"]) ** 2 * constant

    def risk(self, case: Case, n: int) -> float:
        plain = bool(case["heterogeneous"]) or case.row.ridge.halves
        return float(self.coefficient(case)) / (n if plain else n + 1)

    def regret_needs(self, case: Case) -> tuple[str, ...]:
        several, halves = bool(case["heterogeneous"]), case.row.ridge.halves
        same = "agents' laws of features may differ" if several else "the same law of features for all agents"
        lam, constant = excess.logistic(float(case["d"]), float(case["B"]), several)
        risk = f"{constant:.6g}/{'n' if several or halves else '(n+1)'}"
        near = "every call ends within 16 delta^2 e(n) of the minimiser, squared, delta = "
        solver = (f"{near}{case['delta']:g}",) if case["delta"] else ()
        factor = f"{(1 + float(case['delta'])) ** 2:g} " if case["delta"] else ""
        rate = self.variant_row(case).rate_words(f"{factor}e(n)", int(case["K"]))
        return (*HYPOTHESES, same, f"Lam = {lam:.6g}, e(n) = {risk}", *solver, rate)

    def rests_on(self, case: Case) -> tuple[Statement, ...]:
        return ((self.label, "different_laws" if case["heterogeneous"] else "same_law"),)


THEOREM = LogisticRegret()
