"""own:certificate. A certificate for any FL protocol: the server bounds the distance to the minimiser by a gradient.

distance    F = sum_m p_m f_m, f_m strongly convex with mu_m: norm(w - w_S) <= norm(grad F(w))/mu, mu = sum_m p_m mu_m,
            and F(w) - F* <= norm(grad F(w))^2/(2 mu)
repaired, sharpened, best
            FedIGW on linear rewards with any FL protocol whose calls all end at norm(w - w_S)^2 <= delta^2 e(n): the
            bounds of col:linear with (1+delta)^2 e(n) in place of e(n)

Proof of the first: add strong convexity from w to w_S and back, weighted; then Cauchy-Schwarz. Of the others: the
prediction error of w is that of w_S and one of at most delta sqrt(e(n)), for norm(phi) <= 1 (Minkowski).
So a server that sends its point, sums the agents' gradients there and stops when norm(grad F)/mu <= delta sqrt(e(n))
needs no rate of convergence: FedAvg's computed schedule asks for 10^7 rounds where 30 are enough. Agents may have
different laws: e(n) = (d/4 + 9/4)/n.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from bounds.schedules import doubling_plan
from fedigw.certificate import Certificate
from fedigw.protocols.fedavg import FedAvg
from fedigw.protocols.fedopt import FedOpt
from fedigw.protocols.fedprox import FedProx
from fedigw.protocols.scaffold import Scaffold
from fedigw.replications import by_messages
from linear.environments import different_laws, finite_contexts, ill_conditioned
from linear.protocols.agd import AcceleratedGradient
from linear.quadratics import Quadratics
from verify.claim import Claim, Evidence, Task, Variant, Verdict
from verify.experiments.ratios import at_most_one
from verify.papers.fedigw.claims.col_linear import claim as linear

WITHIN = "every call ends within delta^2 e(n) of the ridge estimate, for every history"

claim = Claim(
    title="A certificate for any protocol",
    section="FL protocols",
    tags=("fl", "linear", "optimisation"),
    depends=("own:ridge_excess_risk", "thm:global_regret"),
    variants={
        "distance": Variant(
            r"\|w-w_S\| \le \tfrac1\mu\|\nabla F(w)\|,\ F(w)-F^* \le \tfrac1{2\mu}\|\nabla F(w)\|^2,"
            r"\ \mu = \textstyle\sum_m p_m\mu_m",
            ("f_m is mu_m-strongly convex, p_m >= 0", "w_S minimises F = sum_m p_m f_m"),
            Verdict.COQ,
            tight=True,
        ),
        **{
            name: replace(linear.variants[name], hypotheses=(*linear.variants[name].hypotheses, WITHIN))
            for name in ("repaired", "sharpened", "best")
        },
    },
)


@claim.check("distance", control=dict(factor=1.01))
def inequality(task: Task, factor: float = 1.0) -> Evidence:
    """Distance and gap over what a gradient certifies, on quadratics of agents with different Hessians at random points
    and in the direction in which F is flattest, which all agents share in some: there both sides are equal. Control: mu
    one per cent larger."""
    rng, found = task.rng(), []
    for number in range(400 if task.full else 60):
        agents, d = int(rng.integers(1, 6)), int(rng.integers(1, 5))
        basis = np.linalg.qr(rng.standard_normal((agents, d, d)))[0]
        if number % 2:
            basis[:] = basis[0]
        values = np.sort(10.0 ** rng.uniform(-3, 1, (agents, d)), axis=1)
        hessians = np.einsum("mij,mj,mkj->mik", basis, values, basis)
        weights = rng.dirichlet(np.ones(agents))
        problem = Quadratics.around(hessians, weights, rng.standard_normal((agents, d)), d)
        curvature = factor * float(weights @ values[:, 0])
        for away in (rng.standard_normal(d), np.linalg.eigh(problem.hessian)[1][:, 0]):
            slope = weights @ problem.gradients(problem.best[0] + away)
            where, norm = f"{agents} agents, {d} dimensions", np.linalg.norm(slope)
            found.append((curvature * np.linalg.norm(away) / norm, where))
            found.append((2 * curvature * problem.gap(problem.best[0] + away) / norm**2, where))
    return at_most_one(found, "distance and gap", cases="distances and gaps", rounding=1e-9)


@dataclass(frozen=True)
class Lying(FedAvg):
    """FedAvg that reports a fiftieth of its gradient."""

    def gradient(self, problem: Any, channel: Any, parameters: Any) -> np.ndarray:
        return super().gradient(problem, channel, parameters) / 50


# with steps small enough for their limits to be near the minimiser
PROTOCOLS: dict[str, Any] = {
    "fedavg": FedAvg(3000, 5, 0.02),
    "scaffold": Scaffold(3000, 5, 0.05),
    "fedprox": FedProx(3000, proximal=10.0),
    "fedopt": FedOpt(3000, 5, 0.02, server="yogi"),
    "agd": AcceleratedGradient(),
}


@claim.check("distance", control=dict(lying=True))
def stops(task: Task, lying: bool = False) -> Evidence:
    """Every call of five protocols in three worlds, message by message, with a certificate: the squared distance at its
    end over what was certified. Control: a protocol that reports a fiftieth of its gradient."""
    found, rows, stop = [], [], Certificate()
    chosen = {"lying fedavg": Lying(3000, 5, 0.02)} if lying else PROTOCOLS
    plan = doubling_plan(2**11 if task.full else 2**7, 3)
    for world in (finite_contexts, different_laws, ill_conditioned):
        made = world.make(np.random.default_rng(5), dimension=3, arms=3, agents=3, contexts=4).with_plan(plan)
        for name, protocol in chosen.items():
            federation = replace(made, protocol=protocol, stop=stop)
            record = by_messages(federation, 20 if task.full else 1, task.seed.spawn(1)[0], audit=True)
            where = {"protocol": name, "world": world.__name__.rpartition(".")[2]}
            found += [(p.delivered / p.promised, ", ".join(where.values())) for p in record.promises]
            counted = {"rounds": int(record.traffic[:, :, 1].max()), "asked": stop.asked(federation)}
            rows.append(where | counted | {"uncertified": len(record.uncertified)})
    return at_most_one(found, "squared distance", cases="certified calls", rounding=1e-9, rows=rows)
