"""True against estimated regret of one agent: two identities through the best and the greedy policy."""

from __future__ import annotations

import sympy as sp

from bounds.proofs.engine.model import Hypothesis, Step, reals
from bounds.proofs.engine.rules import Identity
from bounds.proofs.vocabulary.setting import bias, bias_hat, bias_star, reg, reg_hat, reghat, reghat_star

value, value_star, value_hat = reals("R R_star R_hat")
estimate, estimate_star, estimate_hat = reals("Rhat Rhat_star Rhat_hat")

VALUES = Hypothesis(
    "values",
    "Reg = R(pi*) - R(pi), Reghat = Rhat(pihat) - Rhat(pi), bias = Rhat - R, each also at pi* and pihat",
    sp.And(
        sp.Eq(reg, value_star - value),
        sp.Eq(reg_hat, value_star - value_hat),
        sp.Eq(reghat, estimate_hat - estimate),
        sp.Eq(reghat_star, estimate_hat - estimate_star),
        sp.Eq(bias, estimate - value),
        sp.Eq(bias_star, estimate_star - value_star),
        sp.Eq(bias_hat, estimate_hat - value_hat),
    ),
    kind="definition",
)
THROUGH_BEST = Step(
    "through the best policy",
    sp.Eq(reg, reghat + bias - bias_star - reghat_star),
    ("values",),
    "Reg(pi) = Reghat(pi) + (Rhat - R)(pi) - (Rhat - R)(pi*) - Reghat(pi*)",
    Identity(),
)
THROUGH_GREEDY = Step(
    "through the greedy policy",
    sp.Eq(reghat, reg + bias_hat - bias - reg_hat),
    ("values",),
    "Reghat(pi) = Reg(pi) + (Rhat - R)(pihat) - (Rhat - R)(pi) - Reg(pihat)",
    Identity(),
)
