"""own:covering. The excess risk of least squares over a class of functions of finite covering number.

Rewards and the functions of the class have values in [0,1], and the true function is in the class. If every function of
the class is uniformly within eps of one of N functions with values in [0,1], then after n samples the excess risk is at
most

    e(n) <= (sqrt((ln N + 2 n eps)/(kappa n)) + eps)^2,    kappa = 1 - e^{-1/2}

At eps = 0 that is lem:finite_error. A linear class in d dimensions has ln N <= d ln(1 + 2/eps), so at eps = 1/n the
risk is of order d log(n)/n and the regret of M agents with K arms after T steps of order sqrt(K M T d log(MT)). The
paper remarks after col:finite that it "can be extended" to such classes. The proof is in
bounds/theorems/own_covering.py.
"""

import math
from fractions import Fraction
from itertools import product

import numpy as np

from bounds.theorems import own_covering
from verify.claim import Claim, Evidence, Task, Variant, Verdict
from verify.experiments.ratios import at_most_one

Function = tuple[Fraction, ...]

claim = Claim(
    title="Classes of finite covering number",
    section="Finite class",
    tags=("excess-risk", "finite-class", "plug-in"),
    depends=("lem:finite_error", "thm:global_regret"),
    variants={
        "repaired": Variant(
            r"\mathcal E(n) \le \Bigl(\sqrt{\tfrac{\ln N_\varepsilon+2n\varepsilon}{\kappa n}}+\varepsilon\Bigr)^2",
            (
                "rewards in [0,1] with mean f*, f* in F, every f in F has values in [0,1]",
                "N functions with values in [0,1], the net, come within eps of every f in F",
                "samples independent, exact minimiser of the pooled squared loss",
            ),
            Verdict.COQ,
        )
    },
)


def excess_risk(functions: list[Function], law: tuple[Fraction, ...], n: int) -> Fraction:
    """Return the mean excess risk of least squares over all datasets of n samples with Bernoulli rewards, in rationals.
    A cell is a pair of context and arm. law: the probabilities of the cells. functions: their values on the cells, the
    true function first. If several functions minimise the loss, the worst one counts."""
    truth = functions[0]
    risks = [
        sum((p * (a - b) ** 2 for p, a, b in zip(law, f, truth, strict=True)), Fraction(0)) for f in functions
    ]
    total = Fraction(0)
    for drawn in product(product(range(len(law)), (0, 1)), repeat=n):
        chance = Fraction(1)
        for cell, reward in drawn:
            chance *= law[cell] * (truth[cell] if reward else 1 - truth[cell])
        if chance:
            losses = [
                sum(((f[cell] - reward) ** 2 for cell, reward in drawn), Fraction(0)) for f in functions
            ]
            least = min(losses)
            total += chance * max(risk for risk, loss in zip(risks, losses, strict=True) if loss == least)
    return total


def instances(rng: np.random.Generator, count: int) -> list[tuple[list[Function], tuple[Fraction, ...], int]]:
    """Return triples (functions, law, n): functions with equally spaced values on one cell, and random classes of
    functions on two cells. A cell is a pair of context and arm, `law` their probabilities, and n the number of
    samples."""
    # the first, {0, 1/2, 1} with f* = 1/2 and n = 4, reaches 0.22 of the bound, the largest share known, because the
    # mean reward of a sample is often half way between two functions
    half = (Fraction(1, 2),)
    found: list[tuple[list[Function], tuple[Fraction, ...], int]] = [
        ([half, (Fraction(0),), (Fraction(1),)], (Fraction(1),), 4)
    ]
    for _ in range(count):
        n = int(rng.integers(1, 6))
        if rng.random() < 0.5:
            grid = int(rng.choice([2, 5, 20, 60]))
            values: list[Function] = [(Fraction(k, grid),) for k in range(grid + 1)]
            first = int(rng.integers(len(values)))
            values[0], values[first] = values[first], values[0]
            found.append((values, (Fraction(1),), n))
        else:
            size, share = int(rng.integers(2, 8)), Fraction(int(rng.integers(1, 10)), 10)
            drawn = rng.integers(0, 13, (size, 2))
            others: list[Function] = [tuple(Fraction(int(v), 12) for v in row) for row in drawn]
            found.append((others, (share, 1 - share), min(n, 4)))
    return found


@claim.check("repaired", control=dict(share=0.22))
def enumerated(task: Task, share: float = 1.0) -> Evidence:
    """Compare the exact mean excess risk over small classes of functions after n samples with its bound by the covering
    number. Covers have the radius eps = 0, 1/20, 1/n or 1/4. Negative control, which must fail: 0.22 times the
    bound."""
    found = []
    for functions, law, n in instances(task.rng(), 40 if task.full else 6):
        risk = float(excess_risk(functions, law, n))
        for radius in (Fraction(0), Fraction(1, 20), Fraction(1, n), Fraction(1, 4)):
            size = own_covering.covering_number(functions, radius)
            bound = share * float(own_covering.mean(float(n), math.log(size), float(radius)))
            ratio = risk / bound if bound else (0.0 if risk == 0 else math.inf)
            found.append((ratio, f"n = {n}, {len(functions)} functions, a net of {size}, eps = {radius}"))
    return at_most_one(found, "excess risk", cases="enumerated worlds and radii", rounding=1e-9)
