"""Counterexamples, in exact rationals, to the printed corollary on convex losses (col:convex) or a lemma behind it.

They show unbounded gradients (erratum E15), an omitted factor (E18), an infinite or slow Rademacher complexity (E21),
and a wrong epoch index (E24).
"""

from fractions import Fraction

from finite_class.lemmas.lem_rademacher import complexity, unit_complexity
from finite_class.lemmas.sides import Sides, exp_above, exp_below
from finite_class.lemmas.witnesses import Witness


def unbounded_gradient(bound: Fraction = Fraction(3)) -> Witness:
    """Return a counterexample to the assumption that gradients of strongly convex losses are at most G in norm (erratum
    E15). Two agents have the objectives (w - 1)^2 and (w + 1)^2. The mean of their squared gradients is 4 (w^2 + 1),
    which exceeds G^2 at w = G. bound: G."""

    def mean_square(w: Fraction) -> Fraction:
        return ((2 * (w - 1)) ** 2 + (2 * (w + 1)) ** 2) / 2

    agents = f"M = 2, d = 1, f_m(w) = (w -+ 1)^2, mu_omega = 2, G_b = {bound}"
    return Witness(
        f"{agents}, at w = {bound} (the same for every G_b)",
        "(1/M) sum_m norm(grad f_m(w))^2 <= G_b^2 for every w in R^d, with f_m strongly convex",
        Sides(mean_square(bound), bound**2),
        "the same at the minimiser only, zeta*^2 <= G_b^2",
        Sides(mean_square(Fraction(0)), bound**2),
        f"{agents}, at w = 0",
        (
            "grad f_1 = 2(w - 1), grad f_2 = 2(w + 1): mean square (4 (w - 1)^2 + 4 (w + 1)^2)/2 = 4 w^2 + 4",
            f"at w = G_b = {bound}: {mean_square(bound)} > {bound**2}; 4 G_b^2 + 4 > G_b^2 for every G_b",
        ),
    )


def unbounded_variance(bound: Fraction = Fraction(1, 2)) -> Witness:
    """Return a counterexample to the assumption that the gradient noise is bounded for all parameters w (erratum E15).
    It is least squares with two samples: feature 1 with reward 1, and feature 1/2 with reward 0. bound: the assumed
    bound on the standard deviation of the noise."""

    def variance(w: Fraction) -> Fraction:
        return ((2 * (w - 1) - w / 2) / 2) ** 2

    agent, far = f"one agent, samples (phi, r) = (1, 1) and (1/2, 0), sigma_b = {bound}", 4 * bound + 2
    return Witness(
        f"{agent}, at w = {far} (4 sigma_b + 2, the same for every sigma_b)",
        "mean_i norm(grad l_i(w) - grad f(w))^2 <= sigma_b^2 for every w, for least squares",
        Sides(variance(far), bound**2),
        "the same at the minimiser only, sigma*^2 <= sigma_b^2",
        Sides(variance(Fraction(4, 5)), bound**2),
        f"{agent}, at w = 4/5",
        (
            "the gradients are 2(w - 1) and w/2; their distance from the mean is (3w/2 - 2)/2",
            f"at w = {far}: ((3 ({far})/2 - 2)/2)^2 = {variance(far)} > sigma_b^2 = {bound**2}",
        ),
    )


def omitted_exponential(n: int = 10**6) -> Witness:
    """Return a counterexample to the printed number of rounds of gradient methods (erratum E18). The paper takes 8
    beta/mu rounds, for curvatures between mu and beta. After them the error bound is still exp(-1/2) times the initial
    one, so it is not of the order of the Rademacher complexity, as claimed. n: number of samples."""
    complexity_bound = Fraction(1, 1000)  # 1/sqrt(n)
    assert complexity_bound**2 * n == 1
    return Witness(
        "mu D^2 = 1, sigma_b = G_b = 0, R^l = 1/sqrt(n), n = 10^6, rho = 8 beta/mu",
        "after rho = 8 beta/mu rounds the error bound mu D^2 exp(-mu rho/(16 beta)) is at most R^l",
        Sides(1 / exp_above(Fraction(1, 2)), complexity_bound),
        "after rho = (16 beta/mu) ln(mu D^2/R^l) rounds, rounded up to 112 beta/mu",
        Sides(1 / exp_below(Fraction(7)), complexity_bound),
        "mu D^2 = 1, sigma_b = G_b = 0, R^l = 1/sqrt(n), n = 10^6, rho = 112 beta/mu",
        ("exp(-(mu/(16 beta)) (8 beta/mu)) = exp(-1/2) = 0.607 > 1/1000",),
    )


def infinite_complexity(bound: Fraction = Fraction(10**6)) -> Witness:
    """Return a learning problem whose Rademacher complexity over all parameters w is infinite, so that col:convex as
    printed says nothing (erratum E21). There is one sample with feature 1 and reward 0, whose loss is w^2. Over |w| <=
    W the complexity is at least W^2/2, for every W. bound: a number that the complexity exceeds."""
    radius = 2 * bound
    found = complexity([Fraction(1)], [Fraction(0)], radius)
    inside = complexity([Fraction(1)], [Fraction(0)], Fraction(1))
    return Witness(
        f"d = 1, n = 1, phi = 1, r = 0; the part abs(w) <= {radius} of R^d alone",
        f"the right side of col:convex is finite, that is R <= {bound}, or any other number",
        Sides(found, bound),
        "over the ball norm(w) <= B = 1 it is at most 2B(B+1)/sqrt(n) = 4",
        Sides(inside, Fraction(4)),
        "d = 1, n = 1, phi = 1, r = 0, the ball abs(w) <= 1",
        (
            f"sigma = 1: the supremum of w^2 over abs(w) <= {radius} is {radius**2}; sigma = -1: that of -w^2 is 0",
            f"R >= ({radius**2} + 0)/2 = {found} > {bound}, and so for every radius",
        ),
    )


def slow_rate(n: int = 1024) -> Witness:
    """Return a learning problem whose Rademacher complexity exceeds the order d/n that the remark rmk:linear needs
    (erratum E21). With n samples of feature 1 and reward 0, d = 1 and |w| <= 1, the complexity is about 0.4/sqrt(n)."""
    found = unit_complexity(n)
    return Witness(
        f"d = 1, n = {n}, phi = 1, r = 0, the ball norm(w) <= 1",
        "twice the Rademacher complexity is at most 4 d/n, the order that rmk:linear needs for sqrt(T) regret",
        Sides(2 * found, Fraction(4, n)),
        "n (2R)^2 <= 8^2: the order 1/sqrt(n), which gives (MT)^{3/4}",
        Sides(n * (2 * found) ** 2, Fraction(64)),
        calculation=(
            "the supremum of (1/n) sum_i sigma_i w^2 over abs(w) <= 1 is max(0, mean of sigma_i): R = E max(0, .)",
            f"at n = {n}: 2R = {float(2 * found):.4f} > 4/{n} = {4 / n:.4f}",
        ),
    )


def early_error(constant: int = 1000) -> Witness:
    """Return a counterexample to the printed regret bound, in which the optimisation error has the wrong epoch index
    (erratum E24). The second call of the protocol returns the wrong function, which costs regret in epoch 3, but the
    printed bound counts it in epoch 2. constant: a factor on the printed bound, with which it still fails."""
    # K = 2, F = {(1,0), (0,1)}, f* = (1,0), rewards without noise, epochs of 1, m, m^2 steps, m = (2C)^4, C =
    # `constant`; squared losses are all 0 or all 1, so mu_f = 2 and the Rademacher complexity is at most 1/(2 sqrt
    # n)
    m = (2 * constant) ** 4
    # sqrt(R^1 + eps^2) = sqrt(3/2) < 5/4, sqrt(R^2 + eps^3) = sqrt(1/2)/m^(1/4) < (5/7)/m^(1/4)
    printed = constant * (1 + Fraction(5, 4) * m + Fraction(5, 7 * 2 * constant) * m**2)
    return Witness(
        f"M = 1, K = mu_f = 2, F = {{(1,0), (0,1)}}, f* = (1,0), epochs of 1, m, m^2 steps, m = {2 * constant}^4;"
        " call 2 returns (0,1): eps_opt^2 = 1, eps_opt^1 = eps_opt^3 = 0",
        f"Reg(T) <= C (E^1 + sum_l sqrt(K (R^(l-1) + eps_opt^l)/mu_f) E^l), C = {constant}",
        Sides(Fraction(m**2, 2), printed),
        "the same with eps_opt^(l-1), already for C = 1",
        Sides(Fraction(m**2, 2), Fraction(m**2)),
        calculation=(
            "epoch 3 plays by (0,1), so the better arm with probability at most 1/2: Reg(T) >= m^2/2 for every gamma",
            "printed: R^1 <= 1/2 and R^2 <= 1/(2 sqrt m), so C (1 + sqrt(1/2 + 1) m + sqrt(1/2) m^(-1/4) m^2)",
            "with m^(1/4) = 2C that is C + 1.23 C m + 0.36 m^2 < m^2/2, and so for every C >= 2",
            "repaired: epoch 3 has sqrt(R^2 + eps_opt^2) >= 1: at least m^2",
        ),
    )
