"""Witnesses of the paper's errata, each an exact inequality that the printed line claims and the repair obeys."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import comb

from finite_class.lemma_sides import loss_moments
from finite_class.two_epochs import Sides, gaps, kernel

HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Witness:
    """printed, repaired: the two inequalities left <= right at the same instance, in words and in numbers."""

    instance: str
    printed_line: str
    printed: Sides
    repaired_line: str
    repaired: Sides


def fixed_to_random_policy() -> Witness:
    """E1: what holds for every fixed policy fails for the greedy one, which depends on the data."""
    truth = (Fraction(1), HALF)
    outcomes = ((Fraction(1), Fraction(0)), (Fraction(0), Fraction(1)))  # fhat, each with probability 1/2
    true = gaps(truth)
    for arm in (0, 1):
        assert true[arm] <= 2 * sum(gaps(f)[arm] for f in outcomes) / 2, (
            "every fixed arm has Reg <= 2 E Reghat"
        )
    greedy = sum((true[f.index(max(f))] for f in outcomes), Fraction(0)) / 2  # Reghat(pihat) = 0
    inside = sum(
        (max(r - 2 * v for r, v in zip(true, gaps(f), strict=True)) for f in outcomes), Fraction(0)
    ) / len(outcomes)
    return Witness(
        "K = 2, f* = (1, 1/2), fhat = (1,0) or (0,1) with probability 1/2 each",
        "E[Reg(pihat) - 2 Reghat(pihat)] <= 0, because every fixed policy satisfies Reg <= 2 E Reghat",
        Sides(greedy, Fraction(0)),
        "E[Reg(pihat) - 2 Reghat(pihat)] <= E sup_pi [Reg(pi) - 2 Reghat(pi)]",
        Sides(greedy, inside),
    )


def four_thirds() -> Witness:
    """E2: dividing (3/4) S[Reg] <= S[Reghat] + w/(4c) + 25 c^2 w/4 by 3/4, at Reghat = 0, c = 1, w = 1."""
    regret = (Fraction(1, 4) + Fraction(25, 4)) / Fraction(3, 4)
    return Witness(
        "S[Reghat] = 0, c = 1, S/gamma = 1, S[Reg] = 26/3: the line before holds with equality",
        "S[Reg] <= (4/3) S[Reghat] + 1/(3c) + (25/4) c^2",
        Sides(regret, Fraction(1, 3) + Fraction(25, 4)),
        "S[Reg] <= (4/3) S[Reghat] + 1/(3c) + (25/3) c^2, still at most 9 c^2",
        Sides(regret, min(Fraction(1, 3) + Fraction(25, 3), Fraction(9))),
    )


def inverted_ratio() -> Witness:
    """E3: step (g) multiplies by the smallest growth ratio where it must divide."""

    def total(share: Fraction, largest: Fraction, c: Fraction) -> Fraction:
        return 1 / (4 * c) + largest / (4 * c) * share * 9 * c**2 + 9 * c**2 / 4 + 4 * c**2

    smallest, c = Fraction(2), Fraction(1)
    largest = c * smallest
    return Witness(
        "every agent doubles its epoch: smallest ratio 2, largest 2, c = 1",
        "1/(4c) + (ratio_max/4c) ratio_min 9c^2 + 9c^2/4 + 4c^2 <= 9c^2, the sum that closes the induction",
        Sides(total(smallest, largest, c), 9 * c**2),
        "1/(4c) + (ratio_max/4c) (1/ratio_min) 9c^2 + 9c^2/4 + 4c^2 <= 9c^2",
        Sides(total(1 / smallest, largest, c), 9 * c**2),
    )


def wrong_subject() -> Witness:
    """E4: the last lines bound Reghat^{l-1}(pihat^l), about which their premises say nothing."""
    unit = Fraction(1)
    return Witness(
        "S/gamma = 1, c = 1, Reg = Reghat^l = 0 for every policy, S[Reghat^{l-1}(pihat^l)] = 10: the premise holds",
        "S[Reghat^{l-1}(pihat^l)] <= 2 S[Reg(pi)] + 9c^2 S/gamma",
        Sides(10 * unit, 9 * unit),
        "S[Reghat^l(pi)] <= 2 S[Reg(pi)] + 9c^2 S/gamma",
        Sides(0 * unit, 9 * unit),
    )


def missing_root_of_c() -> Witness:
    """E5: Kbar changes between epochs; squared and divided by e: S^2/Kbar_previous <= factor Kbar W^2."""
    before, now, arms = (99, 1), (99, 10), (2, 1000)
    mean_before = Fraction(sum(e * k for e, k in zip(before, arms, strict=True)), sum(before))
    mean_now = Fraction(sum(e * k for e, k in zip(now, arms, strict=True)), sum(now))
    growth = [Fraction(n, b) for n, b in zip(now, before, strict=True)]
    return Witness(
        "E^{l-1} = (99,1), E^l = (99,10), K = (2,1000): Kbar grows by 7.81, c = 10",
        "sqrt(e/Kbar^{l-1}) S^l <= sqrt(Kbar^l e) W^l, that is Kbar^l/Kbar^{l-1} <= 1",
        Sides(mean_now / mean_before, Fraction(1)),
        "Kbar^l/Kbar^{l-1} <= c, hence the factor sqrt(c)",
        Sides(mean_now / mean_before, max(growth) / min(growth)),
    )


def wrong_epoch_lengths() -> Witness:
    """E5: the last display sums E^{l-1}; under doubling the epoch it bounds is twice as long."""
    return Witness(
        "one agent, E^{l-1} = 4, E^l = 8, K = 2, S^l/gamma^l at e = K: 16 = sqrt(K e) E^l",
        "sqrt(e/K) S^l <= sqrt(K e) E^{l-1}, at e = K = 2",
        Sides(Fraction(16), Fraction(2 * 4)),
        "sqrt(e/K) S^l <= sqrt(K e) E^l",
        Sides(Fraction(16), Fraction(2 * 8)),
    )


def excess_risk_above_one() -> Witness:
    """E8: (25 ln(|F|n) + 1)/n at n = 2, |F| = 10, with ln 20 > 2.99 (e^2.99 < 2.7183^2.99 < 20)."""
    log_below = Fraction(299, 100)
    assert exp_above(log_below) < 20
    risk = (25 * log_below + 1) / 2
    return Witness(
        "n = 2, |F| = 10, functions in [0,1]: no squared error exceeds 1",
        "the excess risk (25 ln(|F|n) + 1)/n <= 1 that gamma is computed from",
        Sides(risk, Fraction(1)),
        "min(1, (25 ln(|F|n) + 1)/n) <= 1",
        Sides(min(risk, Fraction(1)), Fraction(1)),
    )


def dropped_first_epoch(agents: int = 10**6) -> Witness:
    """E9: K = 2, |F| = 2, T = 2: only the first, uniform epoch is played; squares, with ln(4M) < 15.21 at M = 10^6."""
    uniform = kernel((Fraction(0), Fraction(0)), Fraction(1))
    regret = (
        agents
        * 2
        * sum((p * g for p, g in zip(uniform, gaps((Fraction(1), Fraction(0))), strict=True)), Fraction(0))
    )
    log_above = Fraction(1521, 100)
    assert exp_below(log_above) > 4 * agents
    return Witness(
        f"M = {agents}, K = 2, |F| = 2, T = 2, f* = (1,0): regret {regret}",
        "Reg(T)^2 <= 128^2 K M T ln(|F|MT): the printed order with the constant 128, which M = 10^6 exceeds",
        Sides(regret**2, 128**2 * 2 * agents * 2 * log_above),
        "Reg(T) <= 2M(1 - 1/K) + ..., the first epoch kept",
        Sides(regret, 2 * agents * HALF),
    )


def truncated_epoch(exponent: int = 20) -> Witness:
    """E10: T = 2^k + 1 cuts the last epoch to one step; the printed c takes max and min over epochs too."""
    lengths = [2, *(2**i for i in range(1, exponent)), 1]
    growth = [Fraction(after, before) for before, after in pairwise(lengths)]
    horizon = sum(lengths)
    return Witness(
        f"one agent, tau^l = 2^l, T = {horizon}: the last epoch has one step",
        "c = max_l / min_l of E^l/E^{l-1} is at most 2 under doubling",
        Sides(max(growth) / min(growth), Fraction(2)),
        "c = max_l c_l with c_l = max_m / min_m of E^l_m/E^{l-1}_m is 1",
        Sides(Fraction(1), Fraction(1)),
    )


def reversed_decomposition() -> Witness:
    """E11: n = 1, F = {1/2, 0}, f* = 1/2, r ~ Bernoulli(1/2), squared loss (mu_f = 2), exact minimiser."""
    functions = (HALF, Fraction(0))
    risk = generalisation = Fraction(0)
    for reward in (Fraction(0), Fraction(1)):
        chosen = min(functions, key=lambda f: (f - reward) ** 2)
        expected = ((chosen - 0) ** 2 + (chosen - 1) ** 2) / 2
        risk += HALF * (chosen - HALF) ** 2
        generalisation += HALF * (expected - (chosen - reward) ** 2)
    return Witness(
        "n = 1, F = {1/2, 0}, f* = 1/2, r ~ Bernoulli(1/2): eps_opt = 0, eps_gen = 1/4, mu_f = 2",
        "excess risk >= 2 (eps_opt + eps_gen)/mu_f (appendix), that is 2 (eps_opt + eps_gen)/mu_f <= excess risk",
        Sides(2 * generalisation / 2, risk),
        "excess risk <= 2 (eps_opt + eps_gen)/mu_f",
        Sides(risk, 2 * generalisation / 2),
    )


def missing_optimality() -> Witness:
    """E11: without the optimality condition, loss (y - r)^2 + y, r = 1/2, F = {1/2, 0}: deterministic, eps = 0."""
    functions = (HALF, Fraction(0))
    chosen = min(functions, key=lambda y: (y - HALF) ** 2 + y)
    risk = (chosen - HALF) ** 2
    proper = min(functions, key=lambda y: (y - HALF) ** 2)
    return Witness(
        "loss (y - r)^2 + y, r = 1/2, F = {1/2, 0}: the minimiser is 0, eps_opt = eps_gen = 0, mu_f = 2",
        "excess risk <= 2 (eps_opt + eps_gen)/mu_f for any strongly convex loss",
        Sides(risk, Fraction(0)),
        "the same for a loss whose conditional mean f* minimises, (y - r)^2",
        Sides((proper - HALF) ** 2, Fraction(0)),
    )


def unbounded_class() -> Witness:
    """E12: f* = 1/2, f = (1/2, 10), two equally likely contexts, Bernoulli rewards."""
    weights, truths = (HALF, HALF), (HALF, HALF)
    rewards = ((Fraction(0), Fraction(1), HALF),) * 2
    mean, _, variance = loss_moments(weights, (HALF, Fraction(10)), truths, rewards)
    inside_mean, _, inside = loss_moments(weights, (HALF, Fraction(1)), truths, rewards)
    return Witness(
        "f* = 1/2, f = (1/2, 10), x uniform on two contexts, Bernoulli rewards",
        "Var l <= 4 E l for any f",
        Sides(variance, 4 * mean),
        "Var l <= 4 E l for f in [0,1] (the same f with 10 replaced by 1)",
        Sides(inside, 4 * inside_mean),
    )


def first_learning_rate() -> Witness:
    """E19: eta^1 = 9c^2 S^1 means gamma^1 = 1, but the step to epoch 2 assumes gamma^1 <= gamma^2. Squares.

    gamma^2 = sqrt(K/e_1) with col:finite's own e_1 = (25 ln(|F|n) + 1)/n is below 1 while n is small.
    """
    risk = (25 * Fraction(299, 100) + 1) / 2  # below e_1 at n = 2, |F| = 10: ln 20 > 2.99
    assert exp_above(Fraction(299, 100)) < 20
    return Witness(
        "K = 2, M = 1, |F| = 10, E^1 = 2: e_1 > 37.8, so gamma^2 < 0.231",
        "(gamma^1)^2 = 1 <= (gamma^2)^2 = K/e_1, the monotonicity used at l = 2",
        Sides(Fraction(1), 2 / risk),
        "nothing is needed of gamma^1: fhat^1 = 0 makes Reghat^1 = b^1 = 0, so gamma^1 may be read as gamma^2",
        Sides(2 / risk, 2 / risk),
    )


def conditional_bound(samples: int = 60, rate: int = 100) -> Witness:
    """E20: "conditioned on the past" cannot stay: given unlucky data an epoch's regret per step exceeds 11 K/gamma.

    f* = (3/4, 1/4), F = {f*, (1/4, 3/4)}, Bernoulli rewards: whatever the kernel, a sample favours f* with
    probability 3/4, so f* loses (ties included) with probability P(Bin(n, 1/4) >= n/2) and e = that times 1/4.
    """
    quarter = Fraction(1, 4)
    lost = sum(
        (
            comb(samples, k) * quarter**k * (1 - quarter) ** (samples - k)
            for k in range(samples // 2, samples + 1)
        ),
        Fraction(0),
    )
    assert rate**2 * lost / 4 <= 2, "H4 with e = lost/4: gamma^2 e <= K"
    right, wrong = (Fraction(3, 4), quarter), (quarter, Fraction(3, 4))
    unlucky = kernel(wrong, Fraction(rate))[1] * HALF
    lucky = kernel(right, Fraction(rate))[1] * HALF
    return Witness(
        f"f* = (3/4, 1/4), rival (1/4, 3/4), E^1 = {samples}, gamma = {rate}; the rival wins with probability > 0",
        "given the past, regret per step <= 11 K/gamma",
        Sides(unlucky, Fraction(22, rate)),
        "in expectation over the past, regret per step <= 11 K/gamma",
        Sides(lost * unlucky + (1 - lost) * lucky, Fraction(22, rate)),
    )


def exp_below(x: Fraction, terms: int = 60) -> Fraction:
    """A rational below e^x, x >= 0: the truncated series."""
    total, term = Fraction(1), Fraction(1)
    for k in range(1, terms):
        term *= x / k
        total += term
    return total


def exp_above(x: Fraction, terms: int = 60) -> Fraction:
    """A rational above e^x for 0 <= x < terms/2: the series plus twice its next term (the rest halves each time)."""
    total, term = Fraction(1), Fraction(1)
    for k in range(1, terms):
        term *= x / k
        total += term
    return total + 2 * term * x / terms
