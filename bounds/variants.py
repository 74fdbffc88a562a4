"""Define the table of variants of the regret bounds: printed, repaired, sharpened, best. A fifth variant would be a
fifth entry.

               c                    g^2               C/g                        e         cap       first
    printed    the paper's          1                 11 c^2 (theorem c^{5/2})   as it is  none      1
    repaired   between agents       1                 11 c^2                     as it is  none      1
    sharpened  between agents       (3cq+1)/(8c^3)    (14/9) sqrt(2c(3cq+1))     <= 1      M E       1 - 1/K
    best       equal epochs, c = 1  that of bounds.best for doubling epochs      <= 1      M E       1 - 1/K

The columns, for M agents with K arms each, q = 1 - 1/K, and epochs of E steps:

    c       how the variant measures how unequally epochs grow
    g^2     the learning rate is g sqrt(Kbar/e): Kbar is the mean number of arms, e the excess risk of the model in
            use
    C/g     the regret of an epoch is at most (C/g) sqrt(K e) M E
    e       whether the excess risk is taken as at most 1
    cap     the largest bound on an epoch
    first   the bound on a step of epoch 1
"""

from collections.abc import Sequence
from functools import partial

from bounds import epoch_charges, finite_excess_risk, lem_epoch_regret_bound, own_ridge_excess_risk
from bounds.arithmetic import Value, is_symbolic, log, ratio
from bounds.best import regret
from bounds.errors import choose
from bounds.schedules import EpochPlan, uncut_asynchrony
from bounds.variant_row import FiniteRisk, LearningRate, Ratio, RidgeRisk, Variant


def row(name: str) -> Variant:
    return VARIANTS[choose("variant", name, VARIANTS)]


def most(arms: Value) -> Value:
    """Return 1 - 1/arms, the largest regret of a step of uniform play, as a float, Fraction or symbol like `arms`."""
    return 1 - ratio(1, 1, arms) / arms


def _papers(c: Value, arms: Value) -> Value:
    return lem_epoch_regret_bound.paper(c)


def _sharpened(c: Value, arms: Value) -> Value:
    return lem_epoch_regret_bound.sharpened_over_g(c, most(arms))


def _sharpened_multiplier(plan: EpochPlan, arms: Sequence[int], risks: Sequence[float]) -> float:
    c, q = uncut_asynchrony(plan), 1 - 1 / max(arms)
    return float(lem_epoch_regret_bound.best_multiplier_squared(c, q))


def _best(c: Value, arms: Value) -> Value:
    if is_symbolic(arms):
        return regret.over_g(arms, doubling=True)
    return regret.doubling_over_g(int(arms), c)


def _best_multiplier(plan: EpochPlan, arms: Sequence[int], risks: Sequence[float]) -> float:
    return float(regret.of_plan(plan, arms, risks).best_multiplier_squared)


def _best_coefficient(functions: Value, n: Value) -> Value:
    return log(functions) / ratio(*regret.KAPPA.as_integer_ratio(), functions)


PAPERS_C = Ratio(2, "over all epochs, as the paper has it")  # growth is 1 once, then 2
BETWEEN_AGENTS = Ratio(1, "between agents")

PRINTED_RATE = LearningRate("printed", lambda plan, arms, risks: 1.0, "sqrt(K/e_{l-1})")
SHARPENED_RATE = LearningRate(
    "sharpened",
    _sharpened_multiplier,
    "g sqrt(K/e_{l-1})",
    "(3q+1)/8, q = 1-1/K",
    "(3cq+1)/(8c^3), q = 1-1/K for the largest K",
)
BEST_RATE = LearningRate(
    "best",
    _best_multiplier,
    "g sqrt(K/e_{l-1})",
    "(1-2/K+0.472548)/2.321695 (K >= 3), 2/9 (K = 2)",
)

PRINTED_FINITE = FiniteRisk(
    finite_excess_risk.printed_mean, finite_excess_risk.printed_coefficient, "(25 ln(|F|n)+1)/n"
)
SHARPENED_FINITE = FiniteRisk(
    finite_excess_risk.sharpened_mean, finite_excess_risk.sharpened_coefficient, "min(1, ln|F|/(kappa n))"
)
BEST_FINITE = FiniteRisk(regret.finite_mean, _best_coefficient, "min(1, ln|F|/(kappa n)), kappa = 0.46368")

PAPERS_RIDGE = RidgeRisk(
    lambda d, n, heterogeneous, norm: own_ridge_excess_risk.printed_order(d, n),
    lambda d, heterogeneous, norm: d,
    with_solver=lambda risk, tolerance: risk,
    stated=False,
)
OWN_RIDGE = RidgeRisk(
    lambda d, n, heterogeneous, norm: own_ridge_excess_risk.mean(float(d), n, heterogeneous, norm),
    own_ridge_excess_risk.coefficient,
    own_ridge_excess_risk.with_solver_error,
)
# C/n in place of C/(n+1): the constant of best needs a risk that halves when the samples double
BEST_RIDGE = RidgeRisk(
    lambda d, n, heterogeneous, norm: own_ridge_excess_risk.coefficient(float(d), heterogeneous, norm) / n,
    own_ridge_excess_risk.coefficient,
    own_ridge_excess_risk.with_solver_error,
    halves=True,
)

VARIANTS: dict[str, Variant] = {
    row.name: row
    for row in (
        Variant(
            "printed",
            PAPERS_C,
            PRINTED_RATE,
            _papers,
            epoch_charges.papers,
            PRINTED_FINITE,
            PAPERS_RIDGE,
            theorem_over_g=lambda c, arms: epoch_charges.papers_over_g(c),
            order_only=True,
        ),
        Variant(
            "repaired",
            BETWEEN_AGENTS,
            PRINTED_RATE,
            _papers,
            partial(
                epoch_charges.by_lemma,
                lambda c, q, g2: lem_epoch_regret_bound.paper(c),
                PRINTED_RATE.multiplier_squared,
            ),
            PRINTED_FINITE,
            OWN_RIDGE,
        ),
        Variant(
            "sharpened",
            BETWEEN_AGENTS,
            SHARPENED_RATE,
            _sharpened,
            partial(epoch_charges.by_lemma, lem_epoch_regret_bound.sharpened, _sharpened_multiplier),
            SHARPENED_FINITE,
            OWN_RIDGE,
            clipped=True,
            capped=True,
            first_step=most,
        ),
        Variant(
            "best",
            BETWEEN_AGENTS,
            BEST_RATE,
            _best,
            epoch_charges.in_step,
            BEST_FINITE,
            BEST_RIDGE,
            clipped=True,
            capped=True,
            first_step=most,
            in_step=True,
            hypotheses=lambda row, arms, c: regret.doubling_hypotheses(arms),
        ),
    )
}
