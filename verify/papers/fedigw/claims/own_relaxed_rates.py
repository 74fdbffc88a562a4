"""own:relaxed_rates. The regret of FedIGW if learning rates fall, which hypothesis H5 of thm:global_regret forbids.

In epoch l agent m has E^l_m steps, K_m arms and the learning rate gamma^l. W^l = sum_m E^l_m, S^l = sum_m E^l_m K_m,
and Kbar^l = S^l/W^l is the mean number of arms; c is the theorem's constant for unequal epochs, e_{l-1} the excess
risk of the model that epoch l uses, and g a constant. H5 says gamma^{l-1} <= gamma^l. If only gamma^{l-1} <= rbar
gamma^l for every l >= 3 with rbar < 4c, and gamma^l <= g sqrt(Kbar^{l-1}/e_{l-1}), then

    Reg(T) <= sum_m (1-1/K_m) E^1_m + sum_{l>=2} min(W^l, C(rbar) S^l/gamma^l)
    C(rbar) = (8c - rbar)/(8c - 2 rbar) (q + 1/(3c) + 8 c^2 g^2/3),   q = 1 - 1/K_max

Learning rates can fall if agents have different arms and clocks. With K = (2, 100), E^1 = (1, 100), E^2 = (100, 100)
the mean number of arms is 99.03, then 51, so at equal excess risks gamma falls by a factor of 1.39 from epoch 2 to 3.
The bound for one epoch l >= 2 is proved in Coq; the sum over epochs, and the bound 1 - 1/K_m for a step of epoch 1,
are not. Erratum E6 shows that some condition on gamma is needed.
"""

from fractions import Fraction
from typing import Any

import numpy as np

from bounds.schedules import asynchrony, epoch_weights
from bounds.theorems import own_relaxed_rates, thm_global_regret
from fedigw.federation import Federation
from finite_class.law import exact_law
from verify.claim import Claim, Evidence, Task, Variant, Verdict
from verify.experiments.tiny_runs import nothing_to_learn, random_instance

CONTROL = 0.9 * 0.5143  # nine tenths of (1-1/K)/C at K = 2, rbar = 1, e = 0, which the planted instance meets

claim = Claim(
    title="Regret of FedIGW where learning rates fall",
    section="General theorem",
    tags=("general", "regret"),
    depends=("lem:epoch_regret_bound",),
    variants={
        "relaxed": Variant(
            r"\mathbb E\,\mathrm{Reg}^l \le \min\Bigl(W^l,\,"
            r"\tfrac{8c-\bar r}{8c-2\bar r}\bigl(q+\tfrac{1}{3c}+\tfrac{8c^2g^2}{3}\bigr)\,S^l/\gamma^l\Bigr)"
            r",\ l \ge 2",
            (*thm_global_regret.HYPOTHESES[:4], "gamma^{l-1} <= rbar gamma^l for l >= 3, rbar < 4c"),
            Verdict.COQ,
            covers=(("relaxed", "regret"),),
        )
    },
)


def falling(rng: np.random.Generator) -> Federation:
    instance = random_instance(rng)
    high = Fraction(int(rng.integers(20, 400)))
    return instance.with_rates([high, high / Fraction(str(round(float(rng.uniform(1.01, 3.9)), 3)))])


def planted(fall: Fraction) -> Federation:
    return nothing_to_learn(2).with_rates([Fraction(10**6), Fraction(10**6) / fall])


def ratios(instance: Federation) -> list[tuple[float, bool]]:
    """Return two values for each epoch from the second on: the expected regret divided by the bound for decreasing
    learning rates, and whether this bound is below the number of steps. The bound is computed from the true excess
    risks."""
    law, plan, arms = exact_law(instance), instance.plan, instance.arms
    rates = [float(rate) for rate in instance.learning_rates()]
    risks = [float(epoch.excess_risk or 0) for epoch in law.epochs]
    g2 = max(
        rates[l] ** 2 * risks[l - 1] / thm_global_regret.mean_arms(plan.full[l - 1], arms)
        for l in range(1, plan.epochs)
    )
    factor = own_relaxed_rates.constant(
        asynchrony(plan), 1 - 1 / max(arms), g2, own_relaxed_rates.fall(rates)
    )
    found = []
    for l in range(1, plan.epochs):
        weights = epoch_weights(plan, l)
        bound = factor * sum(weights) * thm_global_regret.mean_arms(weights, arms) / rates[l]
        found.append((float(law.epochs[l].regret) / bound, bound < sum(weights)))
    return found


@claim.check("relaxed", control=dict(shrink=CONTROL))
def exact(task: Task, shrink: float = 1.0) -> Evidence:
    """Compare the exact regret of each epoch with its bound in federations of a few steps whose learning rates fall.
    Negative control, which must fail: 0.46 times the bound."""
    rng = task.rng()
    instances = [planted(fall) for fall in (Fraction(1001, 1000), Fraction(2), Fraction(39, 10))]
    instances += [falling(rng) for _ in range(200 if task.full else 5)]
    worst, informative = 0.0, 0
    witness: dict[str, Any] = {}
    for instance in instances:
        for ratio, telling in ratios(instance):
            informative += telling
            if telling and ratio / shrink > worst:
                worst, witness = ratio / shrink, instance.describe()
        if worst > 1:
            break
    figures = {"instances": len(instances), "informative": informative, "worst_ratio": worst}
    if worst > 1:
        said = f"an epoch's exact regret is {worst:.3f} of the bound"
        return Evidence(Verdict.REFUTED, said, figures, instance=witness)
    said = (
        f"exact epoch regret at most {worst:.3f} of the bound on {len(instances)} instances whose rates fall;"
    )
    kind = Verdict.FLOAT if informative else Verdict.UNDECIDED
    return Evidence(kind, f"{said} {informative} informative epochs", figures)
