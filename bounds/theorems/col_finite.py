"""Bound regret and communication of FedIGW with least squares over a finite class of |F| functions (col:finite).

M agents with K arms play epochs l = 1, 2, ... of E^l steps, which end at steps 2, 4, 8, .... e_{l-1} is the excess
risk of the model learned from the n = M E^{l-1} samples of epoch l-1, and C/g the variant's constant at learning
rates g sqrt(K/e_{l-1}). Variants of the regret bound:

* printed: 2M + 11 c^2 sum_l sqrt(K e_{l-1}) M E^l with e = (25 ln(|F|n)+1)/n and the paper's c = 2
* repaired: the same with c = 1, as all agents have the same epochs
* sharpened: 2M(1-1/K) + (C/g) sum_l sqrt(K e_{l-1}) M E^l with e = min(1, ln|F|/(kappa n)) and kappa = 1 - e^{-1/2};
  no epoch counts more than its trivial regret M E^l
* best: the same with the smallest proved C/g for these epochs and kappa = 0.46368
"""

from dataclasses import dataclass

from bounds import lem_finite_error, variants
from bounds.arithmetic import Value, log, sqrt
from bounds.epoch_sum import EpochSum
from bounds.errors import InputError
from bounds.quantities import Counted
from bounds.schedules import calls, closed_calls
from bounds.symbols import symbol
from bounds.theorem import Case, DoublingTheorem
from bounds.theorems.thm_global_regret import INFINITE_RATE
from bounds.theorems.thm_global_regret import VARIANTS as VARIANTS

HYPOTHESES = (
    "H1 rewards in [0,1], f* in F, every f in F has values in [0,1]",
    "H2 synchronous agents with K arms each, tau^l = 2^l, lengths independent of the data",
    "exact minimiser of the pooled squared loss in every epoch",
)


def learning_rate_hypothesis(variant: str) -> str:
    rule = variants.row(variant).learning_rate
    multiplier = f", g^2 = {rule.multiplier}" if rule.multiplier else ""
    return f"H4 gamma^l = {rule.formula}, e = {variants.row(variant).finite.words}{multiplier}"


LEARNING_RATE = {name: learning_rate_hypothesis(name) for name in variants.VARIANTS}


def papers_order() -> Value:
    M, K, T, F = (symbol(name) for name in "MKTF")
    return sqrt(K * M * T * log(F * M * T))


def check_class_size(variant: str, functions: int) -> None:
    if functions == 1 and float(variants.row(variant).finite.mean(1, 1)) == 0:
        raise InputError("F", 1, f"learning rate {variant} {INFINITE_RATE}")


@dataclass(frozen=True)
class FiniteRegret(DoublingTheorem):
    """The bounds on regret and communication of FedIGW with the exact minimiser over a finite class (col:finite). A
    model is learned in one round: every agent sends one loss per function and receives the index of the best one."""

    label: str = "col:finite"
    hypotheses: tuple[str, ...] = HYPOTHESES
    counted: tuple[str, ...] | None = None
    protocols: tuple[str, ...] = ("exact_minimiser",)
    required: tuple[str, ...] = ("M", "K", "T", "F")

    def risk(self, case: Case, n: int) -> float:
        return lem_finite_error.mean(case.variant, int(case["F"]), n)

    def coefficient(self, case: Case) -> Value:
        return variants.row(case.variant).finite.coefficient(case["F"], case["M"] * case["T"] / 2)

    def regret(self, case: Case) -> EpochSum:
        check_class_size(case.variant, int(case["F"]))
        return super().regret(case)

    def counts(self, case: Case) -> Counted:
        return self._sent(case, log(case["T"]) if case.order_only else calls(int(case["T"])))

    def closed_counts(self, case: Case) -> Counted:
        return self._sent(case, log(case["T"]) if case.order_only else closed_calls())

    def every_step(self, case: Case) -> Counted:
        return self._sent(case, case["T"])

    def _sent(self, case: Case, times: Value) -> Counted:
        return Counted(times, times, case["M"] * case["F"] * times, case["M"] * times)

    def regret_needs(self, case: Case) -> tuple[str, ...]:
        return (*HYPOTHESES, learning_rate_hypothesis(case.variant))

    def counted_needs(self, case: Case) -> tuple[str, ...]:
        return HYPOTHESES[1:]


THEOREM = FiniteRegret()


def epoch_sum(variant: str, agents: int, arms: int, functions: int) -> EpochSum:
    """Return the regret bound of FedIGW over a class of `functions` functions (col:finite) as a sum over epochs."""
    case = Case(variant, None, None, {"M": agents, "K": arms, "F": functions})
    return DoublingTheorem.regret(THEOREM, case)


def closed_form(variant: str) -> Value:
    return THEOREM.expression(variant, "regret", None)
