"""The setting every regret proof shares: symbols, the hypotheses H1-H5, and the sums over agents.

One epoch l of FedIGW and the epoch before it ("previous"). A symbol carries no subscript for the agent, the
policy or the data it may depend on: the table INDEXED says what varies along which index.
"""

from __future__ import annotations

import sympy as sp

from bounds.proofs.engine.model import Hypothesis, Point, Total, reals

# Numbers of the system.
c, ratio_max, ratio_min, multiplier = reals("c ratio_max ratio_min g")
rate, rate_previous, excess = reals("gamma gamma_previous e")
arms_weight, arms_weight_previous = reals("S S_previous")  # S = sum_m E_m K_m
weight, weight_previous = reals("W W_previous")  # W = sum_m E_m
# Per agent.
length, length_previous, arms = reals("E E_previous K")
error = reals("err")[0]  # E_{x, a ~ p^{l-1}} (fhat^l - f*)^2
# Per agent and policy: true, estimated and previous estimated regret, V(p^{l-1}, .), Rhat - R.
reg, reghat, reghat_previous, inverse, bias = reals("Reg Reghat Reghat_previous V bias")
# The same at the best policy (star) and at the greedy policy (hat).
reghat_star, reghat_previous_star, inverse_star, bias_star = reals(
    "Reghat_star Reghat_previous_star V_star bias_star"
)
reg_hat, reghat_previous_hat, inverse_hat, bias_hat = reals("Reg_hat Reghat_previous_hat V_hat bias_hat")
# Sums over agents: S^l[.] with lengths E, P^l[.] with the previous lengths.
sum_reg, sum_reghat, sum_reghat_previous, sum_error, sum_inverse = reals("S_Reg S_Reghat S_Reghatp S_err S_V")
sum_reghat_star, sum_reghat_previous_star, sum_inverse_star = reals("S_Reghat_star S_Reghatp_star S_V_star")
sum_reg_hat, sum_reghat_previous_hat, sum_inverse_hat = reals("S_Reg_hat S_Reghatp_hat S_V_hat")
sum_bias, sum_bias_star, sum_bias_hat = reals("S_bias S_bias_star S_bias_hat")
previous_reg, previous_reghat, previous_error = reals("P_Reg P_Reghat Err")
previous_reghat_star, previous_reg_hat, previous_reghat_hat = reals("P_Reghat_star P_Reg_hat P_Reghat_hat")
# Suprema over policies and their expectations.
a, b, b_previous = reals("a b b_previous")
mean_a, mean_b, mean_b_previous, mean_error = reals("Ea Eb Eb_previous EErr")

# From the epoch before to this one: what the sums of an induction over epochs are sums of.
NEXT = {
    b_previous: b,
    previous_reghat: sum_reghat,
    previous_reg: sum_reg,
    reghat_previous: reghat,
    length_previous: length,
}
LENGTHS = (
    Total(arms_weight, length * arms),
    Total(arms_weight_previous, length_previous * arms),
    Total(weight, length),
    Total(weight_previous, length_previous),
)
AGENT = (
    Total(sum_reg, length * reg),
    Total(sum_reghat, length * reghat),
    Total(sum_reghat_previous, length * reghat_previous),
    Total(sum_inverse, length * inverse),
    Total(sum_bias, length * bias),
    Total(sum_error, length * error),
    Total(sum_reghat_star, length * reghat_star),
    Total(sum_reghat_previous_star, length * reghat_previous_star),
    Total(sum_inverse_star, length * inverse_star),
    Total(sum_bias_star, length * bias_star),
    Total(sum_reg_hat, length * reg_hat),
    Total(sum_reghat_previous_hat, length * reghat_previous_hat),
    Total(sum_inverse_hat, length * inverse_hat),
    Total(sum_bias_hat, length * bias_hat),
    Total(previous_reg, length_previous * reg),
    Total(previous_reghat, length_previous * reghat_previous),
    Total(previous_error, length_previous * error),
    Total(previous_reghat_star, length_previous * reghat_previous_star),
    Total(previous_reg_hat, length_previous * reg_hat),
    Total(previous_reghat_hat, length_previous * reghat_previous_hat),
    *LENGTHS,
)

DATA = (
    Total(1, sp.Integer(1)),
    Total(mean_a, a),
    Total(mean_b, b),
    Total(mean_b_previous, b_previous),
    Total(mean_error, previous_error),
)

POLICY_SYMBOLS = (
    *(reg, reghat, reghat_previous, inverse, bias),
    *(sum_reg, sum_reghat, sum_reghat_previous, sum_inverse, sum_bias, previous_reg, previous_reghat),
)
CONSTANTS = (ratio_max, ratio_min, arms_weight, arms_weight_previous, weight, weight_previous)
INDEXED = {
    "agent": (
        *(length, length_previous, arms, error, reg, reghat, reghat_previous, inverse, bias),
        *(reghat_star, reghat_previous_star, inverse_star, bias_star),
        *(reg_hat, reghat_previous_hat, inverse_hat, bias_hat),
    ),
    "policy": POLICY_SYMBOLS,
    # Everything learned depends on the data, and so would lengths and rates if H2-H4 did not say otherwise.
    "data": (a, b, b_previous, previous_error, *CONSTANTS, rate, rate_previous),
}

STAR = Point(
    "policy",
    {
        reg: sp.Integer(0),
        reghat: reghat_star,
        reghat_previous: reghat_previous_star,
        inverse: inverse_star,
        bias: bias_star,
        sum_reg: sp.Integer(0),
        sum_reghat: sum_reghat_star,
        sum_reghat_previous: sum_reghat_previous_star,
        sum_inverse: sum_inverse_star,
        sum_bias: sum_bias_star,
        previous_reg: sp.Integer(0),
        previous_reghat: previous_reghat_star,
    },
)
HAT = Point(
    "policy",
    {
        reg: reg_hat,
        reghat: sp.Integer(0),
        reghat_previous: reghat_previous_hat,
        inverse: inverse_hat,
        bias: bias_hat,
        sum_reg: sum_reg_hat,
        sum_reghat: sp.Integer(0),
        sum_reghat_previous: sum_reghat_previous_hat,
        sum_inverse: sum_inverse_hat,
        sum_bias: sum_bias_hat,
        previous_reg: previous_reg_hat,
        previous_reghat: previous_reghat_hat,
    },
)

H1 = Hypothesis(
    "H1",
    "rewards in [0,1] and realizability: f* is the mean reward, so its regret per step is between 0 and 1",
    sp.And(reg >= 0, reg <= 1, reg_hat >= 0),
)
H2 = Hypothesis(
    "H2",
    "epoch lengths are at least 1 and do not depend on the data",
    sp.And(length >= 1, length_previous >= 1),
    fixes={"data": CONSTANTS},
)
H3 = Hypothesis(
    "H3",
    "e is a known number with E[Err] <= W_previous e",
    sp.And(excess > 0, sp.Le(mean_error, weight_previous * excess)),
)
H4 = Hypothesis(
    "H4",
    "gamma = g sqrt(S_previous / (W_previous e)), a number that does not depend on the data",
    sp.And(
        multiplier > 0, sp.Eq(rate, multiplier * sp.sqrt(arms_weight_previous / (weight_previous * excess)))
    ),
    fixes={"data": (rate, rate_previous)},
)
H5 = Hypothesis(
    "H5",
    "learning rates do not decrease (gamma^1, which plays no role because fhat^1 = 0, is read as gamma^2)",
    sp.Le(rate_previous, rate),
)
SOMEONE = Hypothesis(
    "at least one agent",
    "there is an agent, and its epoch has a step",
    weight_previous >= 1,
    kind="definition",
)
RATES = Hypothesis(
    "rates", "learning rates are positive", sp.And(rate > 0, rate_previous > 0), kind="definition"
)
ARMS = Hypothesis("arms", "every agent has at least one arm", arms >= 1, kind="definition")
RATIOS = Hypothesis(
    "ratios",
    "ratio_min <= E/E_previous <= ratio_max for every agent, and c = ratio_max / ratio_min",
    sp.And(
        ratio_min > 0,
        ratio_max > 0,
        sp.Le(length, ratio_max * length_previous),
        sp.Ge(length, ratio_min * length_previous),
        sp.Eq(ratio_max, c * ratio_min),
        c >= 1,
    ),
    kind="definition",
)
GREEDY = Hypothesis(
    "estimated regrets",
    "estimated regrets are differences from a maximum, so they are non-negative; so is a squared error",
    sp.And(
        reghat >= 0,
        reghat_previous >= 0,
        reghat_star >= 0,
        reghat_previous_star >= 0,
        reghat_previous_hat >= 0,
        error >= 0,
    ),
    kind="definition",
)
