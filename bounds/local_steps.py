"""Bound how fast FedAvg, LSGD-PFL (local SGD with personal coordinates) and SCAFFOLD with local steps converge on
convex smooth losses. The functions evaluate one statement, Theorem G.

Setting. Agent m has weight p_m (the largest is p_max) and samples with convex losses of curvature at most beta. A point
has coordinates shared by all agents and, for LSGD-PFL, personal ones of each agent. The objective F = sum_m p_m f_m
grows at least quadratically, with constant mu, around its minimiser x*, over all points whose shared coordinates agree.

    K, eta, eta_g   local steps of a round (each with fresh samples), their size, and the server's step, at least 1
    h, u            h = K eta eta_g is the step of a whole round; u = h beta
    sigma^2         variance of the gradient of one sample at x*: sigma_a^2 of shared plus sigma_b^2 of personal
                    coordinates
    tau^2           p_max sigma_a^2 + sigma_b^2: what is left of sigma^2 after averaging over agents
    zeta^2          sum_m p_m norm(grad f_m(x*))^2: how much the agents differ
    d, gap          norm(x - x*)^2 and F(x) - F(x*)
    V               SCAFFOLD only: sum_m p_m norm(c_m - grad f_m(x*))^2 of its control variates c_m; zeta^2 if they
                    begin at 0
    Psi             d + a V, the quantity that shrinks
    c1, c2, a       constants of the method, from the table below; 0 if the table does not give them

Result, for the point after one round (with Psi+) and after R rounds (with Psi_R):

    one round   E Psi+ <= d + (2/3) a V - 2 h gap + c1 h^2 + c2 h^3
    (a)         E Psi_R <= (1 - mu h)^R Psi_0 + (c1 h + c2 h^2)/mu
    (b)         E gap <= (mu/2) Psi_0 q^R/(1-q^R) + c1 h + c2 h^2,  q = 1 - mu h/2, the average with weights q^-(r+1)

    method                     condition on u       constants
    fedavg_sgd, lsgd_pfl_sgd   2u + (3/2)u^2 <= 1   c1 = (2 tau^2 + (3/2)(1-1/K) u sigma^2/eta_g^2)/K
                               (u <= 3/8)           c2 = (1-1/K) beta zeta^2/eta_g^2
    scaffold_sgd (option II)   2u + (9/2)u^2 <= 1   c1 = (2 tau^2 + (9/2) u sigma^2/eta_g^2)/K
                               (u <= 0.29)          a = (3/2) h^3 beta/eta_g^2
    fedavg, lsgd_pfl           u + u^2 <= 1         c2 = (2/3)(1-1/K) beta zeta^2/eta_g^2
                               (u <= 0.618)
    scaffold (option II)       u + 2u^2 <= 1        a = h^3 beta/eta_g^2
                               (u <= 1/2)

The last two rows are for full local gradients. SCAFFOLD's factor in (a) is then max(1 - mu h, 2/3), and with option I
(u + u^2 <= 1) it is max(1 - mu h (1-u^2), 2/3). With batches of B samples sigma^2 and tau^2 are divided by B. The
function `sampled` treats FedAvg with some of the agents in each round.
"""

import math
from dataclasses import dataclass
from typing import Any

from bounds.arithmetic import largest, ratio, sqrt

ROUNDING = 1e-12  # a step size computed from its limit may miss it by the last digit


@dataclass(frozen=True)
class Method:
    """One local method (FedAvg, SCAFFOLD, ...) with its constants in Theorem G, this module's convergence theorem. Each
    constant is a pair (numerator, denominator).

    limit      the largest allowed value of (step of a whole round) x (largest curvature)
    noise      factor of the gradient noise
    drift      factor of the agents' drift during local steps
    variates   factor of SCAFFOLD's control variates
    """

    limit: tuple[int, int]
    noise: tuple[int, int] = (0, 1)
    drift: tuple[int, int] = (0, 1)
    variates: tuple[int, int] = (0, 1)

    @property
    def most(self) -> float:
        return self.limit[0] / self.limit[1]

    def c1(self, local_steps: Any, server_step: Any, u: Any, tau2: Any, sigma2: Any) -> Any:
        """Return the constant of the convergence theorem (Theorem G) that is due to gradient noise; the limiting
        error is c1 h + c2 h^2 for the step h of a whole round. `u`: h times the largest curvature. `sigma2`, `tau2`:
        variance of a sample's gradient, before and after averaging over agents; both are 0 for full gradients."""
        own = ratio(*self.noise, u) * (1 - 1 / local_steps if self.drift[0] else 1)
        return (2 * tau2 + own * u * sigma2 / server_step**2) / local_steps

    def c2(self, local_steps: Any, server_step: Any, beta: Any, zeta2: Any) -> Any:
        """Return the constant of the convergence theorem (Theorem G) that is due to the agents' drift in local steps;
        the limiting error is c1 h + c2 h^2 for the step h of a whole round. `beta`: largest curvature. `zeta2`: mean
        squared norm of the agents' gradients at the joint minimiser."""
        return ratio(*self.drift, zeta2) * (1 - 1 / local_steps) * beta * zeta2 / server_step**2

    def weight(self, step: Any, server_step: Any, beta: Any) -> Any:
        """Return the weight a in SCAFFOLD's error measure, (squared distance from the minimiser) + a x (squared error
        of the control variates), which Theorem G bounds. `step`: step of a whole round, that is local steps x step size
        x server step. `beta`: largest curvature."""
        return ratio(*self.variates, step) * step**3 * beta / server_step**2

    def conditions(self, step: float, server_step: float, beta: float) -> tuple[str, ...]:
        """Return, as sentences, the conditions of the convergence theorem (Theorem G) that these step sizes violate.
        `step`: of a whole round, that is local steps x step size x server step. `beta`: largest curvature."""
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
    """Return the factor by which one round of a local method shrinks the squared distance from the minimiser. `step`:
    step of a whole round, that is local steps x step size x server step. `mu`, `beta`: smallest and largest curvature.
    For SCAFFOLD the factor is at least 2/3."""
    if method is SCAFFOLD_FIRST:
        step *= 1 - (step * beta) ** 2
    return max(1 - mu * step, 2 / 3) if method.variates[0] else 1 - mu * step


def distance_bound(
    rounds: int, factor: float, step: float, mu: float, start: float, c1: float = 0.0, c2: float = 0.0
) -> float:
    """Bound the expected squared distance from the minimiser after `rounds` rounds of a local method: factor^rounds x
    start + (c1 step + c2 step^2)/mu. `factor`: shrinking per round, from `rate`. `start`: the initial squared distance.
    `step`: of a whole round. `mu`: smallest curvature. `c1`, `c2`: constants of gradient noise and drift (class
    Method), 0 for methods without them."""
    return factor**rounds * start + (c1 * step + c2 * step**2) / mu


def gap_bound(rounds: int, step: float, mu: float, start: float, c1: float = 0.0, c2: float = 0.0) -> float:
    """Bound the expected objective minus its minimum, at the weighted average of the points of `rounds` rounds of a
    local method. `start`: initial squared distance from the minimiser. `step`: of a whole round. `mu`: smallest
    curvature. `c1`, `c2`: constants of gradient noise and drift (class Method), 0 for methods without them."""
    logarithm = rounds * math.log1p(-mu * step / 2)  # ln q^R
    return mu / 2 * start * math.exp(logarithm) / -math.expm1(logarithm) + c1 * step + c2 * step**2


def sampled(
    local_steps: Any, server_step: Any, u: Any, sigma2: Any, zeta2: Any, picked: int, agents: int
) -> Any:
    """Return the constant c1 of Theorem G, due to gradient noise and to the draw of agents, for FedAvg with `picked` of
    `agents` equal clients in each round, drawn without replacement. `u`: step of a whole round times the largest
    curvature. `sigma2`: variance of a sample's gradient. `zeta2`: mean squared norm of the agents' gradients at the
    minimiser. The constant c2, due to drift, does not change."""
    own = ratio(*FEDAVG_SGD.noise, u)
    noise = (2 * sigma2 / picked + own * u * sigma2 / server_step**2) / local_steps
    return noise + (2 * zeta2 * (agents - picked) / (picked * (agents - 1)) if agents > 1 else 0)


def slowness(
    method: Method, beta: Any, allowed: Any, local_steps: Any, server_step: Any, noise: Any, zeta2: Any
) -> Any:
    """Return 1/h, where h is the largest step of a whole round with a small enough limiting error: c1 h + c2 h^2 <=
    `allowed`, with constants c1 of gradient noise and c2 of drift (class Method).

    `allowed`: mu tol/2 for an expected squared distance of at most tol, or eps/2 for an expected gap (objective minus
    its minimum) of at most eps; mu is the smallest curvature. `noise`: variance of a sample's gradient, after and
    before averaging over agents. `zeta2`: mean squared norm of the agents' gradients at the minimiser.
    """
    tau2, sigma2 = noise
    first = method.c1(local_steps, server_step, 0 * allowed, tau2, sigma2)
    second = method.c1(local_steps, server_step, beta + 0 * allowed, 0, sigma2)
    second = second + method.c2(local_steps, server_step, beta, zeta2)
    root = sqrt(first**2 + 4 * second * allowed)
    return largest(beta / ratio(*method.limit, allowed), (first + root) / (2 * allowed))


@dataclass(frozen=True)
class OnAnyData:
    """Constants of a federated learning problem that hold for all data, so that the number of rounds can be fixed
    beforehand.

    beta, mu    largest curvature of a sample's loss, smallest curvature of the objective
    distance    bound on the squared norm of the minimiser, as methods start at 0
    gradients   bound on the variance of a sample's gradient and on the agents' mean squared gradient, at the
                minimiser
    error       squared distance from the minimiser that a tolerance of 1 allows
    """

    beta: float
    mu: float
    distance: float
    gradients: float
    error: float

    def schedule(
        self, name: str, tolerance: float, local_steps: int, server_step: float, batch: int | None
    ) -> tuple[float, int]:
        """Return the step of a whole round and the number of rounds that bring a method within the squared distance
        tolerance^2 x `error` of the minimiser: in expectation if batches are used, else always. `name`: of the method,
        such as "fedavg_sgd". Agents may have any numbers of samples."""
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
