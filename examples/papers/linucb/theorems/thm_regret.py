"""thm:regret: with probability 1 - delta, for all numbers T of steps, the regret of OFUL is at most

4 sqrt(T d log(lam + T/d)) (sqrt(lam) S + R sqrt(2 log(1/delta) + d log(1 + T/(lam d))))

in d dimensions, with the weight lam on the squared norm, a true parameter of norm at most S and R-sub-Gaussian noise.
"""

from dataclasses import dataclass

from bounds.arithmetic import log, sqrt
from bounds.per_step import StepTheorem


@dataclass(frozen=True)
class Regret(StepTheorem):
    label: str = "thm:regret"
    required: tuple[str, ...] = ("d", "T", "delta")
    largest: float = 2.0  # mean rewards lie in [-1, 1]
    hypotheses: tuple[str, ...] = ("lam >= 1", "|x| <= 1", "|theta| <= S", "R-sub-Gaussian noise")

    def bound(self, case):
        d, horizon, delta = case.each(("d", "T", "delta"))
        lam, size, noise = case.each(("lam", "S", "R"))
        width = sqrt(lam) * size + noise * sqrt(2 * log(1 / delta) + d * log(1 + horizon / (lam * d)))
        return 4 * sqrt(horizon * d * log(lam + horizon / d)) * width


THEOREM = Regret(optional={"lam": 1.0, "S": 1.0, "R": 0.1})
