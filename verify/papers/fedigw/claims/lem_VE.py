"""lem:VE. For one agent, any kernel p with full support, any estimate and any policy, given the data,

    |Rhat(pi) - R(pi)| <= sqrt(V(p, pi)) sqrt(E_{x, a ~ p}(fhat - f*)^2).

Tight: at a fixed squared error the largest left side is the right side, attained by fhat - f* = const/p on pi's arms.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from finite_class.lemmas import lem_VE
from finite_class.lemmas.sides import Row
from verify.claim import Claim, Evidence, Task, Variant
from verify.experiments import random_worlds
from verify.verdict import Verdict

# CLARABEL stops at a relative gap of 1e-8; the comparison allows a hundred times that.
SOLVER_TOLERANCE = 1e-6

claim = Claim(
    label="lem:VE",
    title="Estimation error of a policy's value",
    section="General theorem",
    tags=("general",),
    variants={
        "printed": Variant(
            r"|\hat R(\pi) - R(\pi)| \le \sqrt{V(p,\pi)}\sqrt{\mathbb E_{x,a\sim p}(\hat f - f^*)^2}",
            ("every arm has positive probability",),
            Verdict.Z3,
            tight=True,
        )
    },
)


def any_kernel(rng: np.random.Generator, contexts: int, arms: int) -> list[Row]:
    return [random_worlds.law(rng, arms) for _ in range(contexts)]


@claim.check("printed", control=dict(shrink=Fraction(9, 10)))
def exact(task: Task, shrink: Fraction = Fraction(1)) -> Evidence:
    """Squared: (E Delta(pi))^2 <= V Err on random kernels, deviations and policies, and on the extremal ones."""
    rng, cases = task.rng(), []
    for number in range(1000 if task.full else 300):
        contexts, arms = int(rng.integers(1, 4)), int(rng.integers(2, 5))
        law, kernels = random_worlds.law(rng, contexts), any_kernel(rng, contexts, arms)
        policy = [int(a) for a in rng.integers(0, arms, contexts)]
        deviation = random_worlds.table(rng, contexts, arms)
        if number % 10 == 0:  # the extremal deviation: 1/p on the policy's arms, 0 elsewhere
            deviation = tuple(
                tuple(1 / p if a == policy[x] else Fraction(0) for a, p in enumerate(kernels[x]))
                for x in range(contexts)
            )
        cases.append((lem_VE.ve(law, kernels, deviation, policy).shrunk(shrink), {"policy": policy}))
    return random_worlds.verdict(cases, "(Rhat - R)^2 against V Err")


@claim.check("printed", control=dict(shrink=0.99))
def socp(task: Task, shrink: float = 1.0) -> Evidence:
    """max E_x Delta(x, pi(x)) subject to Err(Delta) <= 1: the optimum is sqrt(V), with its dual certificate.

    Lagrangian with multiplier lam: E Delta(pi) - lam (Err - 1) <= V/(4 lam) + lam for every Delta (termwise), and
    lam = sqrt(V)/2 gives sqrt(V): the dual value that certifies the primal one.
    """
    import cvxpy as cp

    rng = task.rng()
    worst, rows = 0.0, []
    for _ in range(12 if task.full else 3):
        contexts, arms = int(rng.integers(2, 6)), int(rng.integers(2, 6))
        law = np.array([float(p) for p in random_worlds.law(rng, contexts)])
        kernels = np.array([[float(p) for p in row] for row in any_kernel(rng, contexts, arms)])
        policy = rng.integers(0, arms, contexts)
        chosen = np.zeros((contexts, arms))
        chosen[np.arange(contexts), policy] = law
        deviation = cp.Variable((contexts, arms))
        weight = np.sqrt(law[:, None] * kernels)
        error = cp.sum_squares(cp.multiply(weight, deviation)) <= 1
        problem = cp.Problem(cp.Maximize(cp.sum(cp.multiply(chosen, deviation))), [error])
        problem.solve(solver=cp.CLARABEL)
        inverse = float(np.sum(law / kernels[np.arange(contexts), policy]))
        multiplier = float(np.asarray(error.dual_value).item())
        dual = inverse / (4 * multiplier) + multiplier
        target = shrink * math.sqrt(inverse)
        worst = max(worst, problem.value / target)
        rows.append({"primal": problem.value, "dual": dual, "right_side": target, "multiplier": multiplier})
        if abs(dual - problem.value) > SOLVER_TOLERANCE * dual:
            said = "the dual value does not certify the primal one"
            return Evidence(Verdict.UNDECIDED, said, {"rows": rows})
    figures = {"rows": rows, "largest_ratio": worst}
    if worst > 1 + SOLVER_TOLERANCE:
        return Evidence(Verdict.REFUTED, f"the optimum is {worst:.6f} of the right side", figures)
    tight = min(row["primal"] / row["right_side"] for row in rows)
    return Evidence(
        Verdict.CERTIFICATE if tight > 1 - SOLVER_TOLERANCE else Verdict.UNDECIDED,
        f"tight: optimum / right side within {abs(1 - tight):.1e} of 1 in {len(rows)} programs, duals agree",
        figures,
    )
