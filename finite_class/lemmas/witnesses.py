"""Counterexamples to errors of the paper: at each, a printed inequality fails and the repaired one holds.

Each is for one erratum (E1, E2, ...); `verify show erratum:E1` explains it.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product
from math import comb

from finite_class.lemmas.one_agent import loss_moments
from finite_class.lemmas.sides import Sides, arm_probabilities, exp_above, exp_below, gaps

HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Witness:
    """An instance at which a printed inequality fails and the repaired one holds.

    instance            the instance in words
    repaired_instance   the instance for the repaired inequality, if it needs another one
    printed, repaired   both sides of the printed and of the repaired inequality, in numbers
    printed_line, repaired_line   the same inequalities in words
    calculation         the steps from the instance to both sides of the printed inequality, by hand
    """

    instance: str
    printed_line: str
    printed: Sides
    repaired_line: str
    repaired: Sides
    repaired_instance: str = ""
    calculation: tuple[str, ...] = ()


def fixed_to_random_policy() -> Witness:
    """Return a counterexample (erratum E1): the paper applies an inequality that holds for every fixed policy to a
    policy that depends on the data. The repaired inequality, about the supremum over policies, holds by definition."""
    truth = (Fraction(1), HALF, Fraction(0))
    outcomes = (
        (Fraction(1), Fraction(0), Fraction(0)),
        (Fraction(0), Fraction(1), Fraction(9, 10)),
    )  # fhat, each with probability 1/2
    true = gaps(truth)
    for arm in range(3):
        assert true[arm] <= 2 * sum(gaps(f)[arm] for f in outcomes) / 2, (
            "every fixed arm has Reg <= 2 E Reghat"
        )
    greedy = sum((true[f.index(max(f))] for f in outcomes), Fraction(0)) / 2  # Reghat(pihat) = 0
    inside = sum(
        (max(r - 2 * v for r, v in zip(true, gaps(f), strict=True)) for f in outcomes), Fraction(0)
    ) / len(outcomes)
    return Witness(
        "K = 3, f* = (1, 1/2, 0), fhat = (1,0,0) or (0,1,9/10) with probability 1/2 each",
        "E[Reg(pihat) - 2 Reghat(pihat)] <= 0, because every fixed policy satisfies Reg <= 2 E Reghat",
        Sides(greedy, Fraction(0)),
        "E[Reg(pihat) - 2 Reghat(pihat)] <= E sup_pi [Reg(pi) - 2 Reghat(pi)], by definition",
        Sides(greedy, inside),
        calculation=(
            "Reg = (0, 1/2, 1); Reghat = (0, 1, 1) or (1, 0, 1/10), so E Reghat = (1/2, 1/2, 11/20)",
            "every fixed arm: 0 <= 2 (1/2), 1/2 <= 2 (1/2), 1 <= 2 (11/20)",
            "the greedy arm is arm 1 or arm 2 and has Reghat = 0: E[Reg - 2 Reghat] = (0 + 1/2)/2 = 1/4 > 0",
        ),
    )


def four_thirds() -> Witness:
    """Return a counterexample (erratum E2, a slip of arithmetic): a proof divides all terms but one by 3/4."""
    regret = (Fraction(1, 4) + Fraction(25, 4)) / Fraction(3, 4)
    return Witness(
        "S[Reghat] = 0, c = 1, S/gamma = 1, S[Reg] = 26/3: the line before holds with equality",
        "S[Reg] <= (4/3) S[Reghat] + 1/(3c) + (25/4) c^2",
        Sides(regret, Fraction(1, 3) + Fraction(25, 4)),
        "S[Reg] <= (4/3) S[Reghat] + 1/(3c) + (25/3) c^2, still at most 9 c^2",
        Sides(regret, min(Fraction(1, 3) + Fraction(25, 3), Fraction(9))),
        calculation=(
            "the line before: (3/4) S[Reg] = 1/4 + 25/4 = 13/2, so S[Reg] = 26/3 = 8.667",
            "the printed right side: 1/3 + 25/4 = 79/12 = 6.583 < 8.667",
            "with 25/3: 1/3 + 25/3 = 26/3, and 26/3 <= 9",
        ),
    )


def inverted_ratio() -> Witness:
    """Return a counterexample (erratum E3): a proof multiplies by the growth of an epoch length instead of dividing."""
    # one agent; Reg(pihat) = regret = eta^l/E^l, Reghat(pihat) = 0
    before, now, regret = Fraction(2), Fraction(1), HALF
    smallest, eta = now / before, now * regret
    return Witness(
        "one agent, E^{l-1} = 2, E^l = 1: smallest ratio 1/2; S^l[Reg(pihat^l)] = eta^l = 1/2",
        "S^{l-1}[Reg(pihat^l)] <= ratio_min (2 S^l[Reghat^l(pihat^l)] + eta^l) = ratio_min eta^l",
        Sides(before * regret, smallest * eta),
        "S^{l-1}[Reg(pihat^l)] <= eta^l/ratio_min",
        Sides(before * regret, eta / smallest),
        calculation=(
            "Reg(pihat^l) = 1/2, so S^{l-1}[Reg(pihat^l)] = 2 (1/2) = 1",
            "the printed right side: ratio_min eta^l = (1/2)(1/2) = 1/4 < 1",
            "divided instead: eta^l/ratio_min = (1/2)/(1/2) = 1",
        ),
    )


def wrong_subject() -> Witness:
    """Return a counterexample (erratum E4): the last lines of a proof apply a bound to a quantity that it does not
    cover, the regret of one epoch's greedy policy if the estimate of the epoch before were true."""
    unit = Fraction(1)
    return Witness(
        "S/gamma = 1, c = 1, Reg = Reghat^l = 0 for every policy, S[Reghat^{l-1}(pihat^l)] = 10: the premise holds",
        "S[Reghat^{l-1}(pihat^l)] <= 2 S[Reg(pi)] + 9c^2 S/gamma",
        Sides(10 * unit, 9 * unit),
        "S[Reghat^l(pi)] <= 2 S[Reg(pi)] + 9c^2 S/gamma",
        Sides(0 * unit, 9 * unit),
        calculation=(
            "the lines before bound Reghat^l(pi), here 0; none of them is about Reghat^{l-1}(pihat^l), here 10",
            "the printed right side: 2 (0) + 9 = 9 < 10",
        ),
    )


def missing_root_of_c() -> Witness:
    """Return a counterexample to a bound that lacks a factor sqrt(c) (erratum E5), where c measures how unequally the
    agents' epochs grow. The mean number of arms per step can grow by the factor c from one epoch to the next."""
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
        calculation=(
            "Kbar^{l-1} = (99 (2) + 1 (1000))/100 = 11.98; Kbar^l = (99 (2) + 10 (1000))/109 = 93.56",
            "Kbar^l/Kbar^{l-1} = 7.81 > 1; c = (10/1)/(99/99) = 10",
        ),
    )


def wrong_epoch_lengths() -> Witness:
    """Return a counterexample (erratum E5): the last formula of a proof sums the lengths of the wrong epochs, which are
    half as long if epochs double."""
    return Witness(
        "one agent, E^{l-1} = 4, E^l = 8, K = 2, S^l/gamma^l at e = K: 16 = sqrt(K e) E^l",
        "sqrt(e/K) S^l <= sqrt(K e) E^{l-1}, at e = K = 2",
        Sides(Fraction(16), Fraction(2 * 4)),
        "sqrt(e/K) S^l <= sqrt(K e) E^l",
        Sides(Fraction(16), Fraction(2 * 8)),
        calculation=(
            "sqrt(e/K) S^l = 1 (8 (2)) = 16",
            "sqrt(K e) E^{l-1} = 2 (4) = 8 < 16; with E^l: 2 (8) = 16",
        ),
    )


def excess_risk_above_one() -> Witness:
    """Return a counterexample (erratum E8): the printed bound on the excess risk exceeds 1, the largest possible value,
    here for 2 samples and 10 functions. It is compared with the exact excess risk."""
    # f* = 1 on three equally likely contexts, the other 7 functions with values in {0, 1}, and the constants 1/2 and
    # 1/4; ties go to the worst function
    log_below = Fraction(299, 100)
    assert exp_above(log_below) < 20
    stated = (25 * log_below + 1) / 2
    one, zero = Fraction(1), Fraction(0)
    functions = [*product((one, zero), repeat=3), (HALF,) * 3, (HALF / 2,) * 3]
    assert len(functions) == 10
    risk = zero
    for sample in product(range(3), repeat=2):
        losses = [sum(((1 - f[x]) ** 2 for x in sample), zero) for f in functions]
        best = [f for f, loss in zip(functions, losses, strict=True) if loss == min(losses)]
        risk += max(sum(((1 - v) ** 2 for v in f), zero) / 3 for f in best) / 9
    return Witness(
        "n = 2, |F| = 10: f* = 1 on three contexts, every function with values in {0, 1} on them, and two constants",
        "the excess risk (25 ln(|F|n) + 1)/n that gamma is computed from is below the trivial 1",
        Sides(stated, one),
        "the exact excess risk <= min(1, (25 ln(|F|n) + 1)/n)",
        Sides(risk, min(stated, one)),
        calculation=("(25 ln 20 + 1)/2 = (25 (2.996) + 1)/2 = 37.9 > 1, the largest squared error there is",),
    )


def dropped_first_epoch(agents: int = 10**6) -> Witness:
    """Return a counterexample (erratum E9): the printed O(.) drops the regret of the first epoch, which is played
    uniformly. There are two arms, two functions and two steps, so no other epoch is played. Both sides are squared."""
    uniform = arm_probabilities((Fraction(0), Fraction(0)), Fraction(1))
    lost = gaps((Fraction(1), Fraction(0)))
    regret = agents * 2 * sum((p * g for p, g in zip(uniform, lost, strict=True)), Fraction(0))
    log_above = Fraction(1521, 100)
    assert exp_below(log_above) > 4 * agents
    return Witness(
        f"M = {agents}, K = 2, |F| = 2, T = 2, f* = (1,0): regret {regret}",
        "Reg(T)^2 <= 128^2 K M T ln(|F|MT): the printed order with the constant 128, which M = 10^6 exceeds",
        Sides(regret**2, 128**2 * 2 * agents * 2 * log_above),
        "Reg(T) <= 2M(1 - 1/K) + ..., the first epoch kept",
        Sides(regret, 2 * agents * HALF),
        calculation=(
            "T = 2 is one epoch, played uniformly: 2 steps, each with regret 1/2, of 10^6 agents: Reg(T) = 10^6",
            "sqrt(K M T ln(|F|MT)) = sqrt(4 (10^6) ln(4 (10^6))) = sqrt(4 (10^6) (15.20)) = 7798",
            "10^6/7798 = 128.2, and the quotient grows as sqrt(M/ln M)",
        ),
    )


def truncated_epoch(exponent: int = 20) -> Witness:
    """Return a counterexample (erratum E10) in which the horizon cuts the last epoch to one step. The paper's constant
    c, the largest growth of an epoch length divided by the smallest, includes this cut and is huge. exponent: the
    horizon is about 2^exponent."""
    # two agents, one with three times as many steps as the other, double together and are cut together
    lengths = [2, *(2**i for i in range(1, exponent)), 1]
    agents = [lengths, [3 * e for e in lengths]]
    growth = [[Fraction(after, before) for before, after in pairwise(own)] for own in agents]
    printed = max(map(max, growth)) / min(map(min, growth))
    repaired = max(max(now) / min(now) for now in zip(*growth, strict=True))
    return Witness(
        f"two agents, E^l and 3 E^l with tau^l = 2^l, T = {sum(lengths)}: the last epoch has one step, or three",
        "c = max_l,m / min_l,m of E^l_m/E^{l-1}_m is at most 2 under doubling",
        Sides(printed, Fraction(2)),
        "c = max_l c_l with c_l = max_m / min_m of E^l_m/E^{l-1}_m is at most 1 for agents that grow alike",
        Sides(repaired, Fraction(1)),
        calculation=(
            f"E^l/E^{{l-1}} is 1 at l = 2, then 2, and 1/2^{exponent - 1} at the cut epoch",
            f"c = 2/(1/2^{exponent - 1}) = 2^{exponent} = {printed}",
        ),
    )


def reversed_decomposition() -> Witness:
    """Return a counterexample (erratum E11): the appendix prints lem:error_decompose with the inequality reversed.
    There is one sample; the class is {1/2, 0}, the true function is 1/2, and rewards are fair coins."""
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
        calculation=(
            "r = 0: fhat = 0, squared error (0 - 1/2)^2 = 1/4, L(0) - Lhat(0) = 1/2 - 0 = 1/2",
            "r = 1: fhat = 1/2, squared error 0, L(1/2) - Lhat(1/2) = 1/4 - 1/4 = 0",
            "excess risk (1/4 + 0)/2 = 1/8; eps_gen = (1/2 + 0)/2 = 1/4, eps_opt = 0, 2 (1/4)/2 = 1/4",
            "printed: 1/8 >= 1/4",
        ),
    )


def missing_optimality() -> Witness:
    """Return a counterexample (erratum E23): lem:error_decompose omits the condition that the conditional mean of the
    loss is least at the true function."""
    # n = 1, r = 1/2 +- 1/8, f* = 1/2, F = {1/2, 0, 5/8}; the loss (y - r)^2 + y is least at 0 for either r, so the
    # generalisation error is 0 but the excess risk 1/4; for the squared loss both are positive
    functions, rewards = (HALF, Fraction(0), Fraction(5, 8)), (Fraction(3, 8), Fraction(5, 8))

    def sides(slope: int) -> Sides:
        def loss(y: Fraction, r: Fraction) -> Fraction:
            return (y - r) ** 2 + slope * y

        risk = generalisation = Fraction(0)
        for reward in rewards:
            chosen = min((loss(y, reward), y) for y in functions)[1]
            risk += HALF * (chosen - HALF) ** 2
            expected = sum((loss(chosen, r) for r in rewards), Fraction(0)) / 2
            generalisation += HALF * (expected - loss(chosen, reward))
        return Sides(risk, generalisation)

    return Witness(
        "n = 1, r = 3/8 or 5/8, F = {1/2, 0, 5/8}, f* = 1/2; (y - r)^2 + y is least at 0 for both rewards",
        "excess risk <= 2 (eps_opt + eps_gen)/mu_f for any strongly convex loss",
        sides(1),
        "the same for a loss whose conditional mean f* minimises, (y - r)^2",
        sides(0),
        calculation=(
            "r = 3/8: the loss is 33/64 at 1/2, 9/64 at 0, 44/64 at 5/8; r = 5/8: 33/64, 25/64, 40/64: fhat = 0",
            "excess risk (0 - 1/2)^2 = 1/4; fhat does not depend on the sample, so eps_gen = 0, and eps_opt = 0",
            "printed: 1/4 <= 0",
        ),
    )


def unbounded_class() -> Witness:
    """Return a counterexample about variances (erratum E12): lem:finite_var needs functions with values in [0,1]. On
    two contexts the true function is 1/2 and the other one is (1/2, 10), with Bernoulli rewards."""
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
        calculation=(
            "l = 0 on the first context; on the second (10 - r)^2 - (1/2 - r)^2 = 99.75 at r = 0, 80.75 at r = 1",
            "E l = (99.75 + 80.75)/4 = 45.125, 4 E l = 180.5; E l^2 = (99.75^2 + 80.75^2)/4 = 4117.66",
            "Var l = 4117.66 - 45.125^2 = 2081.39 > 180.5",
        ),
    )


def unseen_context() -> Witness:
    """Return a counterexample about excess risk (erratum E12): lem:finite_error needs functions with values in [0,1]. A
    function that is wrong by 10 on a rare context fits every sample without this context."""
    # F = {f*, f}, f - f* = 10 on one of ten equally likely contexts, n = 10, r = f*, delta = 1/5; ties go to f; the
    # bound is below 10, as ln 10 < 2.31
    n, delta = 10, Fraction(1, 5)
    bound = 25 * Fraction(231, 100) / n  # above 25 ln(|F|/delta)/n
    assert exp_below(Fraction(231, 100)) > 2 / delta
    missed = Fraction(n - 1, n) ** n

    def failure(size: int) -> Fraction:
        return missed if Fraction(size**2, n) > bound else Fraction(0)

    return Witness(
        "n = 10 samples of ten equally likely contexts, F = {f*, f}, f - f* = 10 on the first, r = f*, delta = 1/5",
        "the excess risk exceeds 25 ln(|F|/delta)/n with probability at most delta, for any F",
        Sides(failure(10), delta),
        "the same with f - f* = 1 there, F in [0,1]",
        Sides(failure(1), delta),
        calculation=(
            "the first context is missed with probability (9/10)^10 = 0.349; then f fits as well as f*",
            "the excess risk of f is 10^2/10 = 10 > 25 ln(2/(1/5))/10 = 5.76; so it fails with 0.349 > 0.2",
        ),
    )


def first_learning_rate() -> Witness:
    """Return a counterexample (erratum E19): a proof sets the learning rate of epoch 1 to 1 and uses that learning
    rates never decrease. For few samples that of epoch 2 in col:finite is below 1. Both sides are squared."""
    # gamma^2 = sqrt(K/e) with the excess risk e = (25 ln(|F|n) + 1)/n; from epoch 2 on the rates do not decrease
    first = (25 * Fraction(299, 100) + 1) / 2  # below e_1 at n = 2, |F| = 10: ln 20 > 2.99
    assert exp_above(Fraction(299, 100)) < 20
    later = (25 * Fraction(369, 100) + 1) / 4  # above e_3 at n = 4
    assert exp_below(Fraction(369, 100)) > 40
    nothing = (Fraction(0), Fraction(0))
    assert arm_probabilities(nothing, Fraction(1)) == arm_probabilities(nothing, Fraction(1, 5)), (
        "fhat^1 = 0: gamma^1 is not used"
    )
    return Witness(
        "K = 2, M = 1, |F| = 10, E^1 = E^2 = 2, E^3 = 4: e_1 > 37.8, so gamma^2 < 0.231",
        "(gamma^1)^2 = 1 <= (gamma^2)^2 = K/e_1, the monotonicity used at l = 2",
        Sides(Fraction(1), 2 / first),
        "fhat^1 = 0 makes Reghat^1 = b^1 = 0 whatever gamma^1 is; from epoch 2 on (gamma^2)^2 <= (gamma^4)^2 = K/e_3",
        Sides(2 / first, 2 / later),
        calculation=(
            "eta^1 = 9 c^2 S^1/gamma^1 is printed as 9 c^2 S^1, so gamma^1 = 1",
            "e_1 = (25 ln 20 + 1)/2 = 37.9, gamma^2 = sqrt(2/37.9) = 0.230 < 1 = gamma^1",
        ),
    )


def conditional_bound(samples: int = 60, rate: int = 100) -> Witness:
    """Return a counterexample (erratum E20): the bound 11 K/gamma on the regret per step, for K arms and learning rate
    gamma, holds in expectation but not given the data. Given unlucky data the regret per step is larger. samples, rate:
    length of epoch 1, and gamma in epoch 2."""
    # f* = (3/4, 1/4), its rival is (1/4, 3/4), Bernoulli rewards; whatever is played, a sample favours f* with
    # probability 3/4, so the rival wins or ties with probability P(Bin(n, 1/4) >= n/2); the excess risk is a quarter
    # of it
    quarter = Fraction(1, 4)
    many = range(samples // 2, samples + 1)
    lost = sum((comb(samples, k) * quarter**k * (1 - quarter) ** (samples - k) for k in many), Fraction(0))
    assert rate**2 * lost / 4 <= 2, "H4 with e = lost/4: gamma^2 e <= K"
    right, wrong = (Fraction(3, 4), quarter), (quarter, Fraction(3, 4))
    unlucky = arm_probabilities(wrong, Fraction(rate))[1] * HALF
    lucky = arm_probabilities(right, Fraction(rate))[1] * HALF
    return Witness(
        f"f* = (3/4, 1/4), rival (1/4, 3/4), E^1 = {samples}, gamma = {rate}; the rival wins with probability > 0",
        "given the past, regret per step <= 11 K/gamma",
        Sides(unlucky, Fraction(22, rate)),
        "in expectation over the past, regret per step <= 11 K/gamma",
        Sides(lost * unlucky + (1 - lost) * lucky, Fraction(22, rate)),
        calculation=(
            f"if the data favour the rival, arm 1 is played with probability 1/(2 + {rate} (1/2)) = 1/52",
            "then the regret of a step is (51/52)(1/2) = 0.490 > 11 (2)/100 = 0.22",
            f"the data do so with probability {float(lost):.1e}: the expectation is below 0.22",
        ),
    )
