"""The inductions behind lem:epoch_regret_bound: splits s (last step), t (induction), multiplier g.

With w^l = S^l/gamma^l, gamma = g sqrt(Kbar/e), c the asynchrony and q = 1 - 1/K, an induction closes when

    A2 >= 1 + c_a t A2                                  c_a t A2 <= 1
    A1 >= 1 + c_a s A2 A1
    beta_K >= 2t + 2 c_K t beta_K                       beta_E >= v c/(4t) + 2 c_E t beta_E
    alpha_K >= A1 (2s + 2 c_K s beta_K)                 alpha_E >= A1 (v c/(4s) + 2 c_E s beta_E)

and then the epoch regret is at most C w^l with C = A1 q + alpha_K + alpha_E g^2. The structures differ in
where c enters and in v (how often the excess risk is counted). The paper's own structure inducts both
directions, so its betas also carry c_a t A2 alpha, and it counts the excess risk twice (v = 2).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any


@dataclass(frozen=True)
class Structure:
    """Which places carry c, whether both directions are inducted, how often the risk is counted."""

    name: str
    absorption_carries_c: bool = True
    arms_carry_c: bool = True
    risk_carries_c: bool = True
    both_directions: bool = False
    risk_count: int = 1

    def factors(self, c: Any) -> tuple[Any, Any, Any]:
        """(c_a, c_K, c_E)."""
        one = c / c
        return (
            c if self.absorption_carries_c else one,
            c if self.arms_carry_c else one,
            c if self.risk_carries_c else one,
        )


PAPER = Structure("paper", both_directions=True, risk_count=2)
SHARPENED = Structure("sharpened")
CELL_ABSORPTION = Structure("absorption per cell", absorption_carries_c=False)
CELL_INDUCTION = Structure("induction per cell", absorption_carries_c=False, arms_carry_c=False)
BOUNDED_CUMULATIVE = Structure(
    "bounded cumulative ratio", absorption_carries_c=False, arms_carry_c=False, risk_carries_c=False
)
STRUCTURES = (PAPER, SHARPENED, CELL_ABSORPTION, CELL_INDUCTION, BOUNDED_CUMULATIVE)


@dataclass(frozen=True)
class Closed:
    """An induction with all its numbers: C(g) = A1 q + alpha_arms + alpha_risk g^2."""

    structure: Structure
    c: Any
    s: Any
    t: Any
    A1: Any
    A2: Any
    beta_arms: Any
    beta_risk: Any
    alpha_arms: Any
    alpha_risk: Any

    def constant(self, q: Any, multiplier_squared: Any) -> Any:
        """C at gamma^2 = multiplier_squared Kbar/e."""
        return self.A1 * q + self.alpha_arms + self.alpha_risk * multiplier_squared

    def best_multiplier_squared(self, q: Any) -> Any:
        """(u/g + v g)' = 0 at g^2 = u/v."""
        return (self.A1 * q + self.alpha_arms) / self.alpha_risk

    def over_g_squared(self, q: Any) -> Any:
        """(C/g)^2 at the best g."""
        return 4 * (self.A1 * q + self.alpha_arms) * self.alpha_risk

    def slacks(self) -> Mapping[str, Any]:
        """What must be non-negative (names ending in +: positive) for the induction to close."""
        c_a, c_K, c_E = self.structure.factors(self.c)
        v, s, t = self.structure.risk_count, self.s, self.t
        back = c_a * t * self.A2 if self.structure.both_directions else 0
        return {
            "s+": s,
            "t+": t,
            "A2": self.A2 - 1 - c_a * t * self.A2,
            "negative term absorbs the greedy policy": 1 - c_a * t * self.A2,
            "A1": self.A1 - 1 - c_a * s * self.A2 * self.A1,
            "beta arms": self.beta_arms - 2 * t - 2 * c_K * t * self.beta_arms - back * self.alpha_arms,
            "beta risk": self.beta_risk
            - v * self.c / (4 * t)
            - 2 * c_E * t * self.beta_risk
            - back * self.alpha_risk,
            "alpha arms": self.alpha_arms - self.A1 * (2 * s + 2 * c_K * s * self.beta_arms),
            "alpha risk": self.alpha_risk - self.A1 * (v * self.c / (4 * s) + 2 * c_E * s * self.beta_risk),
            "non-negative": min(self.A1, self.A2, self.beta_arms, self.beta_risk) if _numbers(self) else 0,
        }

    def closes(self) -> bool:
        return all(v > 0 if k.endswith("+") else v >= 0 for k, v in self.slacks().items())


class Diverges(ValueError):
    """The splits are too large: the geometric sums of the induction do not converge."""


def solve(structure: Structure, c: Any, s: Any, t: Any, *, s_over: Any = None, t_over: Any = None) -> Closed:
    """The smallest A1, A2, beta, alpha for these splits.

    s_over, t_over replace s and t in 1/s and 1/t: with s, t the lower and s_over, t_over the upper corner of
    a box, every number is a lower bound over the box, because everything else increases in s and t.
    """
    c_a, c_K, c_E = structure.factors(c)
    v = structure.risk_count
    s_over, t_over = s if s_over is None else s_over, t if t_over is None else t_over
    A2 = 1 / _positive(1 - c_a * t)
    A1 = 1 / _positive(1 - c_a * s * A2)
    back = c_a * t * A2 if structure.both_directions else 0
    # beta (1 - 2 c t) = own + back alpha and alpha = A1 (last + 2 c s beta): one linear equation for beta.
    last_K, last_E = 2 * s, v * c / (4 * s_over)
    beta_K = (2 * t + back * A1 * last_K) / _positive(1 - 2 * c_K * t - back * A1 * 2 * c_K * s)
    beta_E = (v * c / (4 * t_over) + back * A1 * last_E) / _positive(
        1 - 2 * c_E * t - back * A1 * 2 * c_E * s
    )
    alpha_K = A1 * (last_K + 2 * c_K * s * beta_K)
    alpha_E = A1 * (last_E + 2 * c_E * s * beta_E)
    return Closed(structure, c, s, t, A1, A2, beta_K, beta_E, alpha_K, alpha_E)


def eighth(structure: Structure, c: Any) -> Closed:
    """The split s = t = 1/(8c) of the short constants (1/8 when c bounds any two epochs)."""
    split = 1 / (8 * c) if structure.risk_carries_c else c / c / 8
    return solve(structure, c, split, split)


def _positive(value: Any) -> Any:
    if isinstance(value, int | float | Fraction) and value <= 0:
        raise Diverges("the splits are too large for the induction to close")
    return value


def _numbers(closed: Closed) -> bool:
    return isinstance(closed.A1, int | float | Fraction)
