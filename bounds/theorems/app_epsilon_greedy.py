"""Bound the regret if FedIGW's agents play epsilon-greedy in place of inverse gap weighting (app:epsilon_greedy).

M agents with K arms play T steps. In epoch l an agent plays uniformly with probability eps_l, else greedily; eps_1 =
1. e_{l-1} is the excess risk of the model learned in epoch l-1, and c measures how unequally the agents' epochs grow
(1 if alike).

    one step      loses at most eps_l + sqrt(2 c K e_{l-1}/eps_{l-1}), and at most 1
    tuned         eps_l = min(1, (K e_{l-1}/2)^{1/3}), c = 1, e not increasing: at most 3 (K e_{l-1}/2)^{1/3}
    closed form   2M(1-1/K) + 5.11 (K A)^{1/3} (M T)^{2/3}, epochs that end at steps 2, 4, 8, ..., e = A/n, T >= 3
"""
# Proof for one step. The greedy arm b loses f*(a*) - f*(b) <= |fhat - f*|(a*) + |fhat - f*|(b) <= sqrt(2 sum of
# their squares). In epoch l-1 every arm had probability eps_{l-1}/K or more, so by Jensen's inequality the mean of
# that is at most sqrt(2 K e_{l-1}/eps_{l-1}); the squared error grows by a factor of at most c if agents' epochs
# grow unequally. With eps_{l-1} >= eps_l the sum is least at eps = (K e/2)^{1/3}, where it is 3 eps.

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bounds.arithmetic import Value, ratio
from bounds.epoch_sum import EpochSum
from bounds.schedules import EpochPlan, asynchrony
from bounds.theorem import Applied, Case, Risk, Setting, Theorem
from bounds.theorems.thm_global_regret import apply, common, explored_terms
from bounds.variants import most

HYPOTHESES = (
    "H1 rewards in [0,1], realizability",
    "H2 synchronous agents with K arms each, tau^l = 2^l, lengths independent of the data",
    "H3 e_l = min(1, A/n) after the n = M E^l samples of epoch l, for every sampling kernel",
    "epsilon-greedy play with eps_l = min(1, (K e_{l-1}/2)^{1/3}), epoch 1 uniform",
)


LEAST_SHARE = 1e-6  # of the tuned shares: where a share is a rational of six decimals it is not 0
CONSTANT = (511, 100)  # of the closed form, as it is proved: a little above `closed_constant`


def share(arms: Value, risk: Value) -> float:
    """Return the tuned probability of uniform play in epsilon-greedy, min(1, (arms risk/2)^{1/3}), where `risk` is
    the excess risk of the model in use."""
    return min(1.0, (float(arms) * float(risk) / 2) ** (1 / 3))


def step(arms: Value, risk: Value) -> float:
    """Bound the expected regret of a step of tuned epsilon-greedy play: min(1, 3 (arms risk/2)^{1/3}), where `risk`
    is the excess risk of the model in use."""
    return min(1.0, 3 * (float(arms) * float(risk) / 2) ** (1 / 3))


def epoch_terms(
    plan: EpochPlan, arms: Sequence[int], shares: Sequence[float], risks: Sequence[float]
) -> list[float]:
    """Return the bound on the regret of each epoch of epsilon-greedy play. `plan`: epoch lengths of each agent.
    shares[l]: the probability of uniform play in epoch l, positive, 1 in the first. risks[l]: the excess risk of the
    model learned in epoch l."""
    ck = asynchrony(plan) * max(arms)
    return explored_terms(plan, arms, lambda l: shares[l] + math.sqrt(2 * ck * risks[l - 1] / shares[l - 1]))


def closed_constant(like: Value = 1.0) -> Value:
    """Return 5.1072..., the constant in the closed-form regret bound of tuned epsilon-greedy play, in the arithmetic of
    `like`. It is 3 2^{-1/3} b with b = 2^{-1/3}/(1 - 2^{-2/3}), where b bounds the sum over doubling epochs: sum_{l>=2}
    E^l (E^{l-1})^{-1/3} <= b T^{2/3}."""
    power = (2 * ratio(1, 1, like)) ** (-ratio(2, 3, like))
    return 3 * power / (1 - power)


@dataclass(frozen=True)
class EpsilonGreedyRegret(Theorem):
    """The regret bound of epsilon-greedy play: at given parameters for tuned probabilities of uniform play, epochs that
    end at steps 2, 4, 8, ... and excess risk min(1, A/n); for a federation with its own probabilities and excess risks.
    """

    label: str = "app:epsilon_greedy"
    policies: tuple[str, ...] = ("tuned_epsilon_greedy", "epsilon_greedy")
    hypotheses: tuple[str, ...] = HYPOTHESES
    required: tuple[str, ...] = ("M", "K", "T", "A")
    rules: tuple[str, ...] = ("tuned",)
    forms: tuple[str, ...] = ("tuned",)

    def regret(self, case: Case) -> EpochSum:
        M, K, A = int(case["M"]), int(case["K"]), float(case["A"])

        def rate(previous: int) -> float:
            return M * step(K, min(1.0, A / (M * previous)))

        return EpochSum(M, M * float(most(float(K))), rate, capped=True, one_arm=K == 1)

    def closed_regret(self, case: Case) -> Value:
        M, K, T, A = case.each("MKTA")
        third = ratio(1, 3, K)
        return 2 * M * most(K) + ratio(*CONSTANT, K) * (K * A) ** third * (M * T) ** (2 * third)

    def rates(self, rule: str, plan: EpochPlan, arms: Sequence[int], risk: Risk) -> list[float]:
        """Return the probability of uniform play in every epoch, tuned to the excess risk of the model in use, at least
        10^-6."""
        shares = [1.0] * plan.epochs
        for epoch, segment in enumerate(plan.segments):
            if epoch and segment.uses is not None:
                found = share(max(arms), min(1.0, risk("sharpened", sum(plan.full[segment.uses]))))
                shares[epoch] = max(found, LEAST_SHARE)
        return shares

    def missing(self, setting: Setting) -> tuple[str, ...]:
        fixed = setting.share is not None
        found = list(common(replace(setting, rule="fixed", rates=()) if fixed else setting))
        if setting.share == 0:
            found.append("epsilon is 0: greedy play has no bound")
        if setting.plan.lag != 1:
            found.append("epsilon-greedy has no theorem for interleaved epochs")
        if setting.plan.cumulative:
            found.append("epsilon-greedy has no theorem for learning from all data")
        return tuple(found)

    def applied(self, setting: Setting) -> Applied:
        plan, arms = setting.counted
        later = setting.rates if setting.share is None else (setting.share,) * plan.epochs
        assert later is not None
        shares = [1.0, *(min(1.0, rate) for rate in later[1:])]
        terms = epoch_terms(plan, arms, shares, setting.risks("sharpened"))
        fixed = "app:epsilon_greedy for a share that is the same in every epoch"
        said = () if setting.share is None else (fixed,)
        return apply(self, setting, {"tuned": terms}, remarks=said, known={"tuned": "sharpened"})


THEOREM = EpsilonGreedyRegret()


def epoch_sum(agents: int, arms: int, coefficient: float) -> EpochSum:
    """Return the regret bound of tuned epsilon-greedy play as a sum over epochs, for the excess risk min(1,
    coefficient/n)."""
    return THEOREM.regret(Case("tuned", None, None, {"M": agents, "K": arms, "A": coefficient}))
