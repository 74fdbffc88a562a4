"""Theorem G: local steps on convex smooth losses, FedAvg, LSGD-PFL and SCAFFOLD in one statement.

Agent m has weight p_m and samples with convex, beta-smooth losses. F = sum p_m f_m(x_m) grows at least quadratically,
with constant mu, around its minimiser x* over the points whose shared coordinates agree.

    K, eta, eta_g   local steps in a round (with fresh samples), their size, and the server step, at least 1
    h, u            h = K eta eta_g, the step of a whole round; u = h beta
    sigma^2         variance of a sample's gradient at x*: sigma_a^2 of shared plus sigma_b^2 of personal coordinates
    tau^2           p_max sigma_a^2 + sigma_b^2
    zeta^2          sum p_m norm(grad f_m(x*))^2
    d, gap          norm(x - x*)^2, F(x) - F*
    C               sum p_m norm(c_m - grad f_m(x*))^2 of SCAFFOLD's control variates c_m; zeta^2 if they begin at 0
    Psi             d + a C

With constants c1, c2 and a of the method, after one round (Psi+) and after R rounds:

    one round   E Psi+ <= d + (2/3) a C - 2 h gap + c1 h^2 + c2 h^3
    (a)         E Psi_R <= (1 - mu h)^R Psi_0 + (c1 h + c2 h^2)/mu
    (b)         E gap <= (mu/2) Psi_0 q^R/(1-q^R) + c1 h + c2 h^2,  q = 1 - mu h/2, the average with weights q^-(r+1)

    fedavg_sgd, lsgd_pfl_sgd   2u + (3/2)u^2 <= 1   c1 = (2 tau^2 + (3/2)(1-1/K) u sigma^2/eta_g^2)/K
                               u <= 3/8             c2 = (1-1/K) beta zeta^2/eta_g^2
    scaffold_sgd (option II)   2u + (9/2)u^2 <= 1   c1 = (2 tau^2 + (9/2) u sigma^2/eta_g^2)/K
                               u <= 0.29            a = (3/2) h^3 beta/eta_g^2
    fedavg, lsgd_pfl           u + u^2 <= 1         c2 = (2/3)(1-1/K) beta zeta^2/eta_g^2
                               u <= 0.618
    scaffold (option II)       u + 2u^2 <= 1        a = h^3 beta/eta_g^2
                               u <= 1/2

Constants that the table does not give are 0. The last two rows are for full local gradients. SCAFFOLD's factor in (a)
is then max(1 - mu h, 2/3), and with option I (u + u^2 <= 1) it is max(1 - mu h (1-u^2), 2/3). Batches of B samples have
sigma^2/B and tau^2/B. For FedAvg with S of M equal clients in a round see `sampled`.
"""

import math
from dataclasses import dataclass
from typing import Any

from bounds.arithmetic import largest, ratio, sqrt

ROUNDING = 1e-12  # a step size computed from its limit may miss it by the last digit


@dataclass(frozen=True)
class Method:
    """The constants of one local method in the table above, as (numerator, denominator). limit: the largest u.
    noise, drift, variates: the factors in c1, c2 and a."""

    limit: tuple[int, int]
    noise: tuple[int, int] = (0, 1)
    drift: tuple[int, int] = (0, 1)
    variates: tuple[int, int] = (0, 1)

    @property
    def most(self) -> float:
        return self.limit[0] / self.limit[1]

    def c1(self, local_steps: Any, server_step: Any, u: Any, tau2: Any, sigma2: Any) -> Any:
        """Return c1, the constant of the gradient noise. sigma2, tau2: sigma^2 and tau^2, both 0 for full gradients."""
        own = ratio(*self.noise, u) * (1 - 1 / local_steps if self.drift[0] else 1)
        return (2 * tau2 + own * u * sigma2 / server_step**2) / local_steps

    def c2(self, local_steps: Any, server_step: Any, beta: Any, zeta2: Any) -> Any:
        """Return c2, the constant of the drift of local steps. zeta2: zeta^2."""
        return ratio(*self.drift, zeta2) * (1 - 1 / local_steps) * beta * zeta2 / server_step**2

    def weight(self, step: Any, server_step: Any, beta: Any) -> Any:
        """Return a, the weight of SCAFFOLD's control variates in Psi. step: h."""
        return ratio(*self.variates, step) * step**3 * beta / server_step**2

    def conditions(self, step: float, server_step: float, beta: float) -> tuple[str, ...]:
        """Return the conditions of Theorem G that these step sizes violate, as sentences. step: h."""
        failed = []
        if step * beta > self.most * (1 + ROUNDING):
            failed.append(
                f"local steps x step size x server step must be at most {self.most:g}/beta = "
                f"{self.most / beta:.6g}, it is {step:.6g}"
            )
        if server_step < 1:
            failed.append(f"the server step must be at least 1, it is {server_step:.6g}")
        return tuple(failed)


FEDAVG_SGD = Method((3, 8), noise=(3, 2), drift=(1, 1))
SCAFFOLD_SGD = Method((29, 100), noise=(9, 2), variates=(3, 2))
FEDAVG = Method((618, 1000), drift=(2, 3))
SCAFFOLD = Method((1, 2), variates=(1, 1))
SCAFFOLD_FIRST = Method((618, 1000), variates=(1, 1))  # option I
METHODS = {
    "fedavg_sgd": FEDAVG_SGD,
    "lsgd_pfl_sgd": FEDAVG_SGD,
    "scaffold_sgd": SCAFFOLD_SGD,
    "fedavg": FEDAVG,
    "lsgd_pfl": FEDAVG,
    "scaffold": SCAFFOLD,
}


def rate(method: Method, step: float, mu: float, beta: float) -> float:
    """Return the factor by which one round contracts Psi: 1 - mu h, and with control variates at least 2/3. step: h."""
    if method is SCAFFOLD_FIRST:
        step *= 1 - (step * beta) ** 2
    return max(1 - mu * step, 2 / 3) if method.variates[0] else 1 - mu * step


def distance_bound(
    rounds: int, factor: float, step: float, mu: float, start: float, c1: float = 0.0, c2: float = 0.0
) -> float:
    """Return the bound factor^rounds start + (c1 h + c2 h^2)/mu on the expected squared distance after `rounds`
    rounds. factor: from `rate`. start: Psi_0. step: h."""
    return factor**rounds * start + (c1 * step + c2 * step**2) / mu


def gap_bound(rounds: int, step: float, mu: float, start: float, c1: float = 0.0, c2: float = 0.0) -> float:
    """Return the bound (b) on the expected gap of the weighted average of the points after `rounds` rounds. start:
    Psi_0. step: h."""
    logarithm = rounds * math.log1p(-mu * step / 2)  # ln q^R
    return mu / 2 * start * math.exp(logarithm) / -math.expm1(logarithm) + c1 * step + c2 * step**2


def sampled(
    local_steps: Any, server_step: Any, u: Any, sigma2: Any, zeta2: Any, picked: int, agents: int
) -> Any:
    """Return c1 of FedAvg with S = `picked` of M = `agents` equal clients in each round, drawn without replacement:
    2 sigma^2/(K S) + 2 zeta^2 (M-S)/(S(M-1)) + (3/2) u sigma^2/(K eta_g^2). c2 does not change."""
    own = ratio(*FEDAVG_SGD.noise, u)
    noise = (2 * sigma2 / picked + own * u * sigma2 / server_step**2) / local_steps
    return noise + (2 * zeta2 * (agents - picked) / (picked * (agents - 1)) if agents > 1 else 0)


def slowness(
    method: Method, beta: Any, allowed: Any, local_steps: Any, server_step: Any, noise: Any, zeta2: Any
) -> Any:
    """Return 1/h for the largest h with c1 h + c2 h^2 <= allowed. allowed: mu tol/2 if the expected squared distance
    shall be at most tol, or eps/2 if the expected gap shall be at most eps. noise: (tau^2, sigma^2)."""
    tau2, sigma2 = noise
    first = method.c1(local_steps, server_step, 0 * allowed, tau2, sigma2)
    second = method.c1(local_steps, server_step, beta + 0 * allowed, 0, sigma2)
    second = second + method.c2(local_steps, server_step, beta, zeta2)
    root = sqrt(first**2 + 4 * second * allowed)
    return largest(beta / ratio(*method.limit, allowed), (first + root) / (2 * allowed))


@dataclass(frozen=True)
class OnAnyData:
    """Constants that hold for any data of a call. beta, mu: smoothness of every sample's loss and strong convexity of
    F. distance: a bound on norm(w_S)^2, as methods start at 0. gradients: a bound on the variance sigma^2 of a sample's
    gradient and on zeta^2, the mean of norm(grad f_m)^2, both at the minimiser w_S. error: the squared distance from
    w_S that a tolerance of 1 allows."""

    beta: float
    mu: float
    distance: float
    gradients: float
    error: float

    def schedule(
        self, name: str, tolerance: float, local_steps: int, server_step: float, batch: int | None
    ) -> tuple[float, int]:
        """Return the step h of a whole round and the number of rounds with which the method `name` of METHODS ends
        within tolerance^2 error of the minimiser, in squared distance; with batches in expectation over them, else in
        every run. Agents may have any numbers of samples: the largest weight p_max is taken as 1."""
        method, target = METHODS[name], tolerance**2 * self.error
        sigma2 = self.gradients / batch if batch else 0.0
        steps = (local_steps, server_step)
        allowed = self.mu * target / 2
        h = 1 / slowness(method, self.beta, allowed, *steps, (sigma2, sigma2), self.gradients)
        exact = not sigma2 and not method.c2(*steps, self.beta, self.gradients)
        start = self.distance + method.weight(h, server_step, self.beta) * self.gradients
        length = math.log((1 if exact else 2) * start / target) / -math.log(
            rate(method, h, self.mu, self.beta)
        )
        return h, max(1, math.ceil(length))
