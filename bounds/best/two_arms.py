"""Two arms: gamma_L sum_a p^L_a R_a <= 1 + sum_l Lam_l eps^l with multipliers that sum to 9/4."""

from __future__ import annotations

from fractions import Fraction

from bounds.best.pathwise import Trajectory, Vector, scaled_regret, scaled_risks


def two_arms_multipliers(epochs: int) -> Vector:
    """Lam_L = 15/8, Lam_{L-1} = 5/16, then (5/96) 6^{-j}."""
    down = [Fraction(15, 8), Fraction(5, 16), *(Fraction(5, 96) / 6**j for j in range(max(epochs - 3, 0)))]
    return tuple(reversed(down[: epochs - 1]))


def two_arms_slack(run: Trajectory) -> Fraction:
    """Right side minus left side; negative is a counterexample to C = 1/2 + (9/4) g^2."""
    if len(run.truth) != 2:
        raise ValueError(f"arms = {len(run.truth)}: this constant is for two")
    weights = two_arms_multipliers(len(run.rates) + 1)
    risk = sum((w * e for w, e in zip(weights, scaled_risks(run), strict=True)), Fraction(0))
    return 1 + risk - scaled_regret(run)
