"""lem:learning_rate. The learning rate makes the error of a model small against the exploration that it allows.

Err^{l-1} is the squared error of the model learned from epoch l-1, summed over the steps of that epoch. Agent m has
E^l_m steps and K_m arms in epoch l. W^l = sum_m E^l_m, S^l = sum_m E^l_m K_m, and Kbar^l = S^l/W^l is the mean number
of arms. If E[Err^{l-1}] <= W^{l-1} e_{l-1} for an excess risk e_{l-1}, and the learning rate is gamma^l = g
sqrt(Kbar^{l-1}/e_{l-1}) or smaller, then for every l >= 2

    E[Err^{l-1}] <= g^2 S^{l-1} / (gamma^l)^2        (g = 1 in the paper)
"""

from fractions import Fraction

from bounds.theorems import thm_global_regret
from fedigw.federation import Federation
from finite_class.law import exact_law
from finite_class.lemmas.sides import Sides
from verify.claim import Claim, Evidence, Task, Variant, Verdict
from verify.experiments import random_worlds
from verify.experiments.tiny_runs import random_instance

claim = Claim(
    title="What the learning rate buys",
    section="General theorem",
    tags=("general",),
    errata=("erratum:E7",),
    variants={
        "printed": Variant(
            r"\mathbb E[\mathrm{Err}^{l-1}] \le g^2 S^{l-1}/(\gamma^l)^2",
            (
                "H2 lengths fixed in advance",
                "H3 e is a known bound of the excess risk",
                "H4 gamma = g sqrt(Kbar/e)",
            ),
            Verdict.Z3,
        )
    },
)


def errors(instance: Federation) -> list[tuple[Fraction, Fraction]]:
    """Return two exact numbers for each epoch from the second on: the expected squared error of the model in use,
    summed over the steps of the previous epoch, and the number of these steps times the true excess risk, rounded
    up."""
    law = exact_law(instance)
    found = []
    for epoch in range(1, instance.plan.epochs):
        risk = Fraction(law.epochs[epoch - 1].excess_risk or 0)
        steps = sum(instance.plan.full[epoch - 1])
        known = Fraction(int(risk * 10**6) + 1, 10**6)
        found.append((risk * steps, known * steps))
    return found


@claim.check("printed", control=dict(factor=Fraction(101, 100)))
def exact(task: Task, factor: Fraction = Fraction(1)) -> Evidence:
    """Compare the squared error of a model, summed over the epoch from which it was learned, with S/gamma^2, by exact
    probabilities for random federations with a few steps. S is the sum over agents of steps times arms, and gamma^2 the
    mean number of arms divided by the excess risk. Negative control, which must fail: a gamma^2 larger by 1 %."""
    rng, cases = task.rng(), []
    for _ in range(60 if task.full else 6):
        instance = random_instance(rng)
        for epoch, (error, known) in enumerate(errors(instance), start=1):
            lengths = instance.plan.full[epoch - 1]
            steps = sum(lengths)
            arms = sum(e * k for e, k in zip(lengths, instance.arms, strict=True))
            square = factor * Fraction(arms, steps) / (known / steps)  # gamma^2
            mean = thm_global_regret.mean_arms(lengths, instance.arms)
            assert abs(float(Fraction(arms, steps)) - mean) < 1e-9
            cases.append((Sides(error, arms / square), instance.describe()))
    return random_worlds.verdict(cases, "E Err against S/gamma^2")
